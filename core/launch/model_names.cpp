// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/model_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"

namespace cardfit {

namespace {

/// The name without parts that do not distinguish models: "Meta-Llama-3-8B-Instruct" and "llama3_8b" both become
/// "llama38b". Dots are kept.
std::string essence(std::string_view name)
{
    name = name.substr(name.find_last_of('/') + 1);
    std::string text = lowered(std::string(name));
    std::ranges::replace(text, '_', '-');
    constexpr auto kNoise = std::to_array<std::string_view>({"meta-", "-instruct", "-chat", "-base", "-hf", "-it",
        "-pt", "-unsloth", "-bnb-4bit", "-bnb-nf4", "-v0.1", "-v0.2", "-v0.3", "-fp8", "-nvfp4", "-awq", "-gptq",
        "-bf16", "-fp16", "-2507", "-2512", "-dynamic", "-reasoning", "-sft", "-deduped", "nvidia-"});
    for (const std::string_view noise : kNoise) {
        if (const std::size_t at = text.find(noise); at != std::string::npos) text.erase(at, noise.size());
    }
    std::erase(text, '-'); // dots are kept: opt-1.3b is not opt-13b
    return text;
}

std::string withoutPoints(std::string text)
{
    std::erase(text, '.');
    return text;
}

/// A model with the same shape as a shipped one.
struct SameShape {
    std::string_view essence;
    std::string_view preset;
    std::int64_t positions = 0; ///< its maximum position, if different from the preset's
};
constexpr std::int64_t kLlama31Positions = 131072;
constexpr auto kSameShapes = std::to_array<SameShape>({{"llama3.18b", "llama-3-8b", kLlama31Positions},
    {"llama3.170b", "llama-3-70b", kLlama31Positions}, {"llama27b", "llama-2-7b"}, {"deepseekr1", "deepseek-v3"},
    {"deepseekv30324", "deepseek-v3"}, {"deepseekv3.1", "deepseek-v3"}, {"mistralnemo2407", "mistral-nemo-12b"},
    {"mistralsmall24b2501", "mistral-small-24b"}, {"mistralsmall3.124b2503", "mistral-small-24b", kLlama31Positions},
    {"magistralsmall2506", "mistral-small-24b", 40960}, {"magistralsmall", "mistral-small-24b", kLlama31Positions},
    {"magistralsmall2509", "mistral-small-24b", kLlama31Positions},
    {"devstralsmall", "mistral-small-24b", kLlama31Positions}, {"gptosssafeguard20b", "gpt-oss-20b"},
    {"gptosssafeguard120b", "gpt-oss-120b"}, {"nemotron3nano30ba3b", "nemotron-3-nano-30b"},
    {"nemotron3super120ba12b", "nemotron-3-super-120b"}, {"phi414b", "phi-4"}, {"llama4scout17b16e", "llama-4-scout"},
    {"llama4maverick17b128e", "llama-4-maverick"}});

struct OptimizerWord {
    std::string_view word; ///< in lower case
    Optimizer optimizer;
};
constexpr auto kOptimizerWords = std::to_array<OptimizerWord>({{"adam", Optimizer::Adam}, {"adamw", Optimizer::Adam},
    {"adamw_torch", Optimizer::Adam}, {"adamw_torch_fused", Optimizer::Adam}, {"adamw_hf", Optimizer::Adam},
    {"adamw_apex_fused", Optimizer::Adam}, {"adamw_bnb_8bit", Optimizer::Adam8Bit}, {"adamw_8bit", Optimizer::Adam8Bit},
    {"adamw8bit", Optimizer::Adam8Bit}, {"adam8bit", Optimizer::Adam8Bit}, {"adamw_torch_8bit", Optimizer::Adam8Bit},
    {"paged_adamw_8bit", Optimizer::PagedAdam8Bit}, {"pagedadamw8bit", Optimizer::PagedAdam8Bit},
    {"pagedadam8bit", Optimizer::PagedAdam8Bit}, {"paged_adamw_32bit", Optimizer::PagedAdam},
    {"paged_adamw", Optimizer::PagedAdam}, {"pagedadamw", Optimizer::PagedAdam}, {"sgd", Optimizer::Momentum},
    {"adafactor", Optimizer::Adafactor}, {"lion_pytorch", Optimizer::Lion}, {"lion", Optimizer::Lion},
    {"muon", Optimizer::Muon}, {"adamw4bit", Optimizer::Adam4Bit}, {"adam4bit", Optimizer::Adam4Bit},
    {"adamw_torch_4bit", Optimizer::Adam4Bit}, {"ao_adamw_4bit", Optimizer::Adam4Bit},
    {"ao_adamw_8bit", Optimizer::Adam8Bit}});

struct TargetWord {
    std::string_view word;
    AdapterTarget target;
};
constexpr auto kTargetWords = std::to_array<TargetWord>({{"q_proj", AdapterTarget::QProj},
    {"k_proj", AdapterTarget::KProj}, {"v_proj", AdapterTarget::VProj}, {"qkv_proj", AdapterTarget::LinearQkv},
    {"o_proj", AdapterTarget::LinearProj}, {"output_proj", AdapterTarget::LinearProj},
    {"gate_proj", AdapterTarget::LinearFc1}, {"up_proj", AdapterTarget::LinearFc1},
    {"gate_up_proj", AdapterTarget::LinearFc1}, {"w1", AdapterTarget::LinearFc1}, {"w3", AdapterTarget::LinearFc1},
    {"down_proj", AdapterTarget::LinearFc2}, {"w2", AdapterTarget::LinearFc2}, {"lm_head", AdapterTarget::LmHead}});

} // namespace

std::optional<Model> modelOfName(std::string_view name, const Presets& presets, bool points)
{
    const auto key = [points](std::string text) { return points ? text : withoutPoints(std::move(text)); };
    const std::string wanted = key(essence(name));
    if (wanted.empty()) return std::nullopt;
    for (const Model& model : presets.models) {
        if (key(essence(model.id)) == wanted) return model;
    }
    const auto* same = std::ranges::find_if(
        kSameShapes, [&](const SameShape& shape) { return key(std::string(shape.essence)) == wanted; });
    const Model* shipped = same == kSameShapes.end() ? nullptr : presets.model(same->preset);
    if (shipped == nullptr) return std::nullopt;
    Model model = *shipped;
    if (same->positions > 0) model.architecture.max_position_embeddings = same->positions;
    return model;
}

void setModelByName(
    Plan& plan, std::string_view key, std::string_view name, const Presets& presets, Notes& notes, bool points)
{
    if (auto model = modelOfName(name, presets, points)) {
        plan.model = *std::move(model);
        return;
    }
    notes.add(key, name,
        Sentence::tr(
            "unknown model; {} is kept. Select another with --model (a config.json or a preset)", {plan.model.name}));
}

Plan fineTuningPlan(const Plan& base)
{
    Plan plan;
    plan.name = base.name;
    plan.model = base.model;
    plan.cluster = base.cluster;
    plan.workload.task = Task::Finetune;
    plan.workload.sequence_length = 2048;
    Recipe& recipe = plan.recipe;
    recipe.framework = Framework::Fsdp;
    recipe.kernels = Kernels::Eager;
    recipe.loss = Loss::Unfused;
    recipe.gradient_accumulation_fusion = false;
    recipe.sharding = cardCount(plan.cluster) > 1 ? Sharding::Zero3 : Sharding::None;
    return plan;
}

void setOptimizerByName(Plan& plan, std::string_view key, std::string_view name, Notes& notes)
{
    const std::string word = lowered(std::string(name.substr(name.find_last_of('.') + 1)));
    const auto* known = std::ranges::find(kOptimizerWords, std::string_view(word), &OptimizerWord::word);
    if (known != kOptimizerWords.end())
        plan.recipe.optimizer = known->optimizer;
    else
        notes.add(key, name, kNoOptimizer);
}

void addAdapterTarget(Adapter& adapter, std::string_view key, std::string_view name, Notes& notes)
{
    // "self_attn.q_proj" and "q_proj" name the same modules; those of shared experts are not adapter targets.
    const bool qualified = name.starts_with("self_attn.") || name.starts_with("mlp.");
    const auto* known =
        std::ranges::find(kTargetWords, qualified ? name.substr(name.find('.') + 1) : name, &TargetWord::word);
    if (known == kTargetWords.end())
        notes.add(key, name, Sentence::tr("plans have no adapters for this module"));
    else if (std::ranges::find(adapter.targets, known->target) == adapter.targets.end())
        adapter.targets.push_back(known->target);
}

bool setBatch(Plan& plan, std::int64_t micro_batch, std::int64_t steps)
{
    plan.workload.micro_batch_size = micro_batch;
    const auto all = countProduct({micro_batch, steps, std::max<std::int64_t>(dataParallel(plan), 1)});
    if (all) plan.workload.global_batch_size = *all;
    return all.has_value();
}

} // namespace cardfit
