// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/bridge/megatron_bridge.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/flag_reader.h"
#include "core/launch/megatron/megatron.h"
#include "core/launch/megatron/megatron_settings.h"
#include "core/launch/model_names.h"
#include "core/launch/notes.h"
#include "core/launch/python/python_values.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

/// Values of the functions that recipes begin with.
struct CommonRecipe {
    std::string_view name;
    Task task;
    std::int64_t micro_batch, global_batch, sequence_length;
};
constexpr auto kCommonRecipes = std::to_array<CommonRecipe>({
    {"_pretrain_common", Task::Pretrain, 2, 32, 4096},
    {"_sft_common", Task::Finetune, 1, 128, 2048},
    {"_peft_common", Task::Lora, 1, 128, 2048},
    {"_sft_common_vlm", Task::Finetune, 2, 32, 4096},
    {"_peft_common_vlm", Task::Lora, 2, 32, 4096},
});

/// Fields of the sections that have no effect on memory or time, or that are read here.
constexpr auto kBridgeWithoutEffect = std::to_array<std::string_view>({"transformer_impl", "cuda_graph_scope",
    "cuda_graph_warmup_steps", "cross_entropy_fusion_impl", "offload_modules", "pipeline_dtype", "params_dtype",
    "seq_length", "vocab_size", "attention_backend", "moe_router_force_load_balancing", "moe_hybridep_num_sms",
    "moe_deepep_num_sms", "moe_flex_dispatcher_num_sms", "moe_router_padding_for_fp8", "moe_router_fusion",
    "freeze_vision_model", "freeze_language_model", "freeze_vision_projection", "mtp_num_layers",
    "mtp_loss_scaling_factor", "init_method_std", "calculate_per_token_loss", "use_te_rng_tracker", "rotary_base",
    "rotary_scaling_factor", "moe_aux_loss_coeff", "bias_dropout_fusion", "persist_layer_norm", "hf_model_id",
    "hf_model_revision", "check_for_nan_in_grad", "average_in_collective", "check_for_large_grads", "train_iters",
    "manual_gc", "manual_gc_interval", "manual_gc_eval", "eval_iters", "eval_interval", "empty_unused_memory_level",
    "lr", "min_lr", "weight_decay", "adam_beta1", "adam_beta2", "adam_eps", "clip_grad", "cuda_graph_modules",
    "exit_duration_in_mins", "exit_signal_handler", "exit_interval", "main_params_dtype", "use_megatron_fsdp",
    "data_parallel_sharding_strategy", "fine_grained_activation_offloading", "moe_shared_expert_overlap"});

std::string recipeWord(const Json& value)
{
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains(kUnread)) {
        const Json& text = value.at(std::string(kUnread));
        return text.is_string() ? text.get<std::string>() : std::string();
    }
    if (value.is_object() || value.is_array()) return {};
    return compactJson(value);
}

/// The first text that a call of from_hf_pretrained() was given, through any number of calls upon it.
std::string hubName(const Json& value)
{
    const Json* now = &value;
    constexpr int kMostCalls = 8;
    for (int step = 0; step < kMostCalls && now->is_object(); ++step) {
        const std::string_view name = calledName(*now);
        const auto given = now->find(kArguments);
        if (name.find("from_hf_pretrained") != std::string_view::npos)
            return given != now->end() && !given->empty() ? recipeWord(given->front()) : std::string();
        const auto inner = now->find(kOf);
        if (inner == now->end()) break;
        now = &*inner;
    }
    return {};
}

/// "…_16gpu_h100_…": 16.
std::optional<std::int64_t> cardsInName(std::string_view name)
{
    const std::size_t at = name.find("gpu_");
    std::size_t begin = at;
    if (at == std::string_view::npos) return std::nullopt;
    while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9')
        --begin;
    return countIn(name.substr(begin, at - begin));
}

class BridgeImport {
public:
    BridgeImport(PythonConfiguration recipe, const Plan& base, const Presets& presets)
        : m_recipe(std::move(recipe))
        , m_base(base)
        , m_presets(presets)
        , m_plan(fineTuningPlan(base))
    {
    }

    Result<ImportedPlan> run()
    {
        readBeginning();
        const Json* model = at("model");
        const std::string name = model == nullptr ? std::string() : hubName(*model);
        if (name.empty()) {
            const std::string found = model == nullptr ? "none"
                : calledName(*model).empty()           ? recipeWord(*model)
                                                       : std::string(calledName(*model));
            m_notes.add(noModelNote(m_base.model,
                Sentence::tr(
                    "the recipe's model is no name on the hub, but {}; the starting plan's is used", {found})));
        } else {
            setModelByName(m_plan, "model", name, m_presets, m_notes);
        }
        readCards();
        readAdapter();
        auto command = asCommand();
        if (!command) return tl::unexpected<Error>(command.error());
        auto imported = importMegatronOptions(*std::move(command), m_plan, m_presets);
        if (!imported) return imported;
        for (const std::string& statement : m_recipe.unread)
            m_notes.addAssumed("not read", statement, Sentence::tr("no literal; what it sets is missing"));
        for (LaunchNote& note : imported->notes)
            m_notes.add(std::move(note));
        imported->notes = std::move(m_notes).take();
        return imported;
    }

private:
    [[nodiscard]] const Json* at(std::string_view section, std::string_view key = {}) const
    {
        const Json* place = &m_recipe.value;
        for (const std::string_view name : {section, key}) {
            if (name.empty()) break;
            if (!place->is_object()) return nullptr;
            const auto found = place->find(name);
            if (found == place->end()) return nullptr;
            place = &*found;
        }
        return place->is_null() ? nullptr : place;
    }

    void readBeginning()
    {
        const auto* known = std::ranges::find(kCommonRecipes, calledName(m_recipe.value), &CommonRecipe::name);
        const bool tunes =
            m_recipe.name.find("sft") != std::string::npos || m_recipe.name.find("finetune") != std::string::npos;
        m_common = known != kCommonRecipes.end()
            ? *known
            : CommonRecipe{{}, tunes ? Task::Finetune : Task::Pretrain, 1, 1, 4096};
        m_plan.workload.task = m_common.task;
    }

    void readCards()
    {
        Cluster& cluster = m_plan.cluster;
        const auto cards = cardsInName(m_recipe.name);
        if (!cards) {
            m_notes.addAssumed("cards", fmt::format("{} x {}", cluster.nodes, cluster.cards_per_node),
                Sentence::tr("not in the recipe; taken from the cluster"));
            return;
        }
        constexpr std::int64_t kNode = 8;
        const std::int64_t node = std::min(*cards, std::min<std::int64_t>(cluster.cards_per_node, kNode));
        if (node < 1 || *cards % node != 0) return;
        setCardsPerNode(cluster, node);
        cluster.nodes = *cards / node;
        m_notes.addAssumed("cards", fmt::format("{} x {}", cluster.nodes, cluster.cards_per_node),
            Sentence::tr("as many as the recipe's name says"));
    }

    /// megatron/bridge/peft/lora.py: rank 32 on every product, unless said otherwise.
    void readAdapter()
    {
        const Json* peft = at("peft");
        if (peft == nullptr && m_plan.workload.task != Task::Lora) return;
        m_plan.workload.task = Task::Lora;
        Adapter adapter;
        adapter.rank = 32;
        if (const Json* rank = at("peft", "dim"); rank != nullptr)
            adapter.rank = countIn(recipeWord(*rank)).value_or(adapter.rank);
        if (peft != nullptr && (peft->is_string() || calledName(*peft).find("DoRA") != std::string_view::npos)) {
            if (lowered(peft->is_string() ? recipeWord(*peft) : std::string(calledName(*peft))) != "lora")
                m_notes.addAssumed("peft", recipeWord(*peft), Sentence::tr("plans do not support it; lora is used"));
        }
        adapter.targets = {
            AdapterTarget::LinearQkv, AdapterTarget::LinearProj, AdapterTarget::LinearFc1, AdapterTarget::LinearFc2};
        m_plan.recipe.adapter = std::move(adapter);
    }

    /// Takes the fields of a section that Megatron-LM has as options.
    void take(std::string_view section, std::vector<LaunchFlag>& settings)
    {
        const Json* fields = at(section);
        if (fields == nullptr || !fields->is_object()) return;
        for (const auto& [key, value] : fields->items()) {
            if (key == kCalled || key == kArguments || key == kOf || key == kUnread || key.starts_with('_')) continue;
            if (std::ranges::find(kBridgeWithoutEffect, key) != kBridgeWithoutEffect.end() || value.is_null()) continue;
            if (value.is_array()) {
                LaunchFlag flag{"--" + key, {}, 0};
                for (const Json& item : value)
                    flag.values.push_back(recipeWord(item));
                settings.push_back(std::move(flag));
                continue;
            }
            std::string word = recipeWord(value);
            constexpr std::string_view kTorch = "torch.";
            if (word.starts_with(kTorch)) word = formatOf(word.substr(kTorch.size()));
            const bool plain =
                !word.empty() && !(value.is_object() && !word.starts_with("fp") && !word.starts_with("bf"));
            if (plain)
                addSetting(settings, key, word);
            else
                m_notes.addAssumed(fmt::format("{}.{}", section, key), word,
                    Sentence::tr("no literal; Megatron-LM's default is taken"));
        }
    }

    static std::string formatOf(const std::string& type)
    {
        return type == "float32" ? "fp32" : type == "bfloat16" ? "bf16" : type == "float16" ? "fp16" : type;
    }

    std::int64_t whole(std::string_view section, std::string_view key, std::int64_t usual)
    {
        const Json* value = at(section, key);
        if (value == nullptr) return usual;
        if (const auto number = countIn(recipeWord(*value))) return *number;
        if (!m_error)
            m_error = Error{ErrorCode::WrongType, {}, Sentence::verbatim(fmt::format("{}.{}", section, key)),
                Sentence::tr("expected a whole number, found {}", {recipeWord(*value)})};
        return usual;
    }

    /// The formats' names: megatron/bridge/training/mixed_precision.py.
    void addFormats(std::vector<LaunchFlag>& settings)
    {
        const Json* mixed = at("mixed_precision");
        std::string word = "bf16_mixed";
        if (mixed != nullptr) {
            word = calledName(*mixed).empty() ? recipeWord(*mixed) : std::string(calledName(*mixed));
            if (word == "get_mixed_precision_config" && mixed->contains(kArguments)) {
                const Json& given = mixed->at(std::string(kArguments));
                if (!given.empty())
                    word = calledName(given.front()).empty() ? recipeWord(given.front())
                                                             : std::string(calledName(given.front()));
            }
        }
        const auto holds = [&](std::string_view part) { return word.find(part) != std::string::npos; };
        addSetting(settings, holds("fp16") ? "fp16" : "bf16", "true");
        if (holds("nvfp4")) addSetting(settings, "fp4_format", "e2m1");
        const std::string_view recipe = holds("mxfp8") ? "mxfp8"
            : holds("subchannel")                      ? "blockwise"
            : holds("current_scaling")                 ? "tensorwise"
            : holds("delayed")                         ? "delayed"
                                                       : "";
        if (recipe.empty() && !holds("mixed") && mixed != nullptr)
            m_notes.addAssumed("mixed_precision", word, Sentence::tr("not known; bf16 is taken"));
        if (recipe.empty()) return;
        addSetting(settings, "fp8_format", recipe == "mxfp8" ? "e4m3" : "hybrid");
        addSetting(settings, "fp8_recipe", recipe);
    }

    Result<LaunchCommand> asCommand()
    {
        std::vector<LaunchFlag> settings;
        take("model", settings);
        take("ddp", settings);
        take("optimizer", settings);
        std::erase_if(settings, [](const LaunchFlag& flag) { return flag.name == "--optimizer"; });
        if (const Json* kind = at("ddp", "use_megatron_fsdp"); kind != nullptr && *kind == true) {
            addSetting(settings, "use_megatron_fsdp", "true");
            if (const Json* strategy = at("ddp", "data_parallel_sharding_strategy"); strategy != nullptr)
                addSetting(settings, "data_parallel_sharding_strategy", recipeWord(*strategy));
        }
        addFormats(settings);
        for (const auto& [name, value] : std::to_array<std::pair<std::string_view, std::string_view>>({
                 {"use_distributed_optimizer", "true"},
                 {"hidden_dropout", "0"},
                 {"attention_dropout", "0"},
                 {"attention_backend", "flash"},
                 {"no_create_attention_mask_in_dataloader", "true"},
                 {"cross_entropy_loss_fusion", "true"},
             }))
            addSetting(settings, name, value);
        if (m_plan.model.architecture.moe) {
            addSetting(settings, "moe_token_dispatcher_type", "alltoall");
            addSetting(settings, "moe_grouped_gemm", "true");
            addSetting(settings, "expert_tensor_parallel_size", "1");
        }
        const std::int64_t length =
            whole("model", "seq_length", whole("dataset", "seq_length", m_common.sequence_length));
        const std::int64_t micro = whole("train", "micro_batch_size", m_common.micro_batch);
        const std::int64_t global = whole("train", "global_batch_size", m_common.global_batch);
        if (m_error) return tl::unexpected<Error>(*m_error);
        addSetting(settings, "seq_length", std::to_string(length));
        addSetting(settings, "micro_batch_size", std::to_string(micro));
        addSetting(settings, "global_batch_size", std::to_string(global));
        LaunchCommand command;
        command.name = m_recipe.name;
        command.program = megatronOptionsOf(std::move(settings));
        return command;
    }

    PythonConfiguration m_recipe;
    CommonRecipe m_common{};
    const Plan& m_base;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    std::optional<Error> m_error;
};

} // namespace

bool isMegatronBridge(std::string_view text)
{
    return text.find("megatron.bridge") != std::string_view::npos
        && (text.find("ConfigContainer") != std::string_view::npos || text.find("_common()") != std::string_view::npos)
        && text.find("\ndef ") != std::string_view::npos;
}

Result<ImportedPlan> importMegatronBridge(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto recipe = configurationOf(text, [](const Json& value) {
        const std::string_view name = calledName(value);
        return name == "ConfigContainer"
            || std::ranges::find(kCommonRecipes, name, &CommonRecipe::name) != kCommonRecipes.end()
            || (value.contains("model") && value.contains("train"));
    });
    if (!recipe) return tl::unexpected<Error>(std::move(recipe.error()));
    return BridgeImport(*std::move(recipe), base, presets).run();
}

} // namespace cardfit
