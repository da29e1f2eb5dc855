// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/swift/swift.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/launch/checkpoint_names.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/flag_reader.h"
#include "core/launch/megatron/megatron.h"
#include "core/launch/megatron/megatron_settings.h"
#include "core/launch/model_names.h"
#include "core/launch/notes.h"
#include "core/launch/other_programs.h"
#include "core/launch/reward_methods.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/yaml/yaml_json.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

/// Commands of ms-swift besides sft and pt (swift/cli/main.py).
constexpr auto kOtherCommands = std::to_array<OtherJob>({
    {"deploy", Sentence::tr("serves a model")},
    {"rollout", Sentence::tr("serves a model")},
    {"app", Sentence::tr("serves a model")},
    {"infer", Sentence::tr("generates text")},
    {"sample", Sentence::tr("generates text")},
    {"eval", Sentence::tr("evaluates a model")},
    {"export", Sentence::tr("converts a checkpoint")},
    {"merge-lora", Sentence::tr("converts a checkpoint")},
});

/// The options in a file that --config names (swift/cli/main.py).
Result<std::vector<LaunchFlag>> flagsOfFile(std::string_view name, std::string_view text)
{
    const auto json = jsonOfYaml(text);
    if (!json) {
        Error error = json.error();
        error.where = Sentence::tr("{}: {}", {name, std::move(error.where)});
        return tl::unexpected<Error>(std::move(error));
    }
    const auto word = [](const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); };
    std::vector<LaunchFlag> flags;
    for (const auto& [key, value] : json->items()) {
        if (value.is_null()) continue;
        LaunchFlag& flag = flags.emplace_back();
        flag.name = "--" + key;
        std::ranges::replace(flag.name, '_', '-');
        for (const Json& item : value.is_array() ? value : Json::array({value}))
            flag.values.push_back(word(item));
    }
    return flags;
}

/// What the two commands have in common: the program, the model, the length, the cards and what is trained.
class SwiftImport {
public:
    SwiftImport(LaunchCommand command, const NeighbourFiles& files, const Plan& base, const Presets& presets)
        : m_command(std::move(command))
        , m_files(files)
        , m_flags(m_command.program)
        , m_base(base)
        , m_presets(presets)
    {
    }

    Result<ImportedPlan> run()
    {
        const std::string_view name = m_command.name;
        const bool megatron = name.starts_with("megatron") || name.find("_megatron") != std::string_view::npos;
        const auto is = [&](std::string_view command) {
            return name.ends_with(fmt::format(" {}", command)) || name.ends_with(fmt::format("{}.py", command));
        };
        const bool pretrains = is("pt");
        if (!pretrains && !is("sft") && !is("rlhf")) {
            const std::string_view word = name.substr(std::min(name.find(' ') + 1, name.size()));
            const auto* other = std::ranges::find(kOtherCommands, word, &OtherJob::part);
            return fail(ErrorCode::WrongFormat, Sentence::verbatim(m_command.name),
                other == kOtherCommands.end()
                    ? Sentence::tr("expected ms-swift's sft, pt or rlhf; plans have no {}", {word})
                    : Sentence::tr("{}; of ms-swift's commands only sft, pt and rlhf are read", {other->what}));
        }
        if (is("rlhf")) readMethod();
        if (const auto task = m_flags.word("--task-type"); task && *task != "causal_lm")
            m_flags.refuse("--task-type", ErrorCode::OutOfRange, Sentence::tr("causal_lm"));
        if (m_flags.error()) return tl::unexpected<Error>(*m_flags.error());
        m_plan = fineTuningPlan(m_base);
        m_plan.workload.task = pretrains ? Task::Pretrain : Task::Finetune;
        readModel();
        readCardsOfVariables();
        readLength();
        readTuner(megatron);
        return megatron ? withMegatron() : withTrainer();
    }

private:
    void readModel()
    {
        // Until 3.0 a model's type alone was enough, "qwen2_5-7b-instruct", and its id was --model_id_or_path; since
        // then the type is that of a family, "qwen2_5" (swift/llm/model/register.py).
        constexpr std::string_view kType = "--model-type";
        std::string_view key;
        std::string model;
        for (const std::string_view name :
            {std::string_view("--model"), std::string_view("--model-id-or-path"), kType}) {
            auto word = m_flags.word(name);
            if (!word || word->empty() || (!key.empty() && !modelOfName(*word, m_presets, name != kType))) continue;
            if (!key.empty() && modelOfName(model, m_presets)) continue;
            key = name;
            model = *std::move(word);
        }
        if (model.empty())
            m_notes.add(
                noModelNote(m_base.model, Sentence::tr("not in the command; the starting plan's model is used")));
        else
            setModelByName(m_plan, key, model, m_presets, m_notes, key != kType);
        m_plan.model.architecture.mtp_layers = 0; // trained only with --mtp_num_layers
    }

    void readCardsOfVariables()
    {
        const auto number = [&](const std::string& name) -> std::optional<std::int64_t> {
            const auto found = m_command.environment.find(name);
            return found == m_command.environment.end() ? std::nullopt : countIn(found->second);
        };
        // The runner's options, as torchrun's, for scripts that call it themselves.
        FlagReader runner(m_command.runner);
        FlagReader none({});
        readCards(runner, none, m_plan.cluster);
        auto cards = number("NPROC_PER_NODE");
        const auto devices = m_command.environment.find("CUDA_VISIBLE_DEVICES");
        if (!cards && devices != m_command.environment.end() && runner.unread().empty() && !none.notes().empty())
            cards = 1; // without NPROC_PER_NODE there is one process
        if (cards) setCardsPerNode(m_plan.cluster, *cards);
        if (cards) m_plan.cluster.nodes = number("NNODES").value_or(1);
        if (!cards && !none.notes().empty())
            m_notes.addAssumed("cards", fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
                Sentence::tr("NPROC_PER_NODE is not given; the cluster's own number is used"));
    }

    void readLength()
    {
        if (m_flags.has("--max-length"))
            m_flags.read("--max-length", m_plan.workload.sequence_length);
        else
            m_notes.addAssumed("--max_length", m_plan.workload.sequence_length,
                Sentence::tr("not given, so samples are as long as the data has them; {} tokens are taken",
                    {m_plan.workload.sequence_length}));
        if (m_method && m_method->samples) {
            std::int64_t completion = 512;
            m_flags.read("--max-completion-length", completion);
            m_plan.workload.sequence_length += completion; // of 2^40 at most, which importLaunch() refuses
            m_notes.addAssumed("--max_completion_length", completion,
                Sentence::tr("sequences are taken as long as prompt and completion may be, {} tokens",
                    {m_plan.workload.sequence_length}));
        }
        if (!isOn("--packing", false))
            m_notes.add("--packing", Sentence::tr("samples vary in length; all are counted as full length"));
    }

    /// Of `rlhf`: swift/arguments/rlhf_args.py. What it generates has a length of its own.
    void readMethod()
    {
        const std::string word = m_flags.word("--rlhf-type").value_or("dpo");
        m_method = rewardMethod(word);
        if (!m_method)
            return m_flags.refuse("--rlhf-type", ErrorCode::UnknownName,
                Sentence::tr("one of {}", {"dpo, orpo, simpo, kto, cpo, rm, ppo, grpo, gkd"}));
        constexpr double kUsualBeta = 0.04; // of GRPO, which compares with a reference only if it is not 0
        double beta = kUsualBeta;
        m_flags.read("--beta", beta, 0.0, 1e6);
        if (word == "grpo") m_method->reference = beta > 0.0;
        m_place = m_flags.has("--ref-model") ? ReferencePlace::Named : ReferencePlace::Usual;
    }

    /// What is trained: all weights, or adapters on frozen ones.
    void readTuner(bool megatron)
    {
        const std::string usual = megatron ? "full" : "lora";
        std::string tuner = m_flags.word("--tuner-type").value_or(m_flags.word("--train-type").value_or(usual));
        const auto bits = m_flags.whole("--quant-bits");
        m_flags.skip(
            {"--quant-method", "--lora-alpha", "--tuner-type", "--train-type", "--freeze-vit", "--freeze-aligner"});
        for (const std::string_view part : {"--freeze-llm", "--freeze-parameters-ratio", "--trainable-parameters"}) {
            if (m_flags.has(part)) m_flags.note(part, Sentence::tr("plans train all weights of the language model"));
        }
        if (tuner == "full") return;
        if (tuner != "lora")
            m_notes.addAssumed("--tuner_type", tuner, Sentence::tr("plans do not support it; lora is used"));
        m_plan.workload.task = bits ? Task::Qlora : Task::Lora;
        if (bits == 8) m_plan.recipe.quantizer = Quantizer::BitsandbytesInt8;
        Adapter adapter;
        adapter.rank = 8;
        adapter.dropout = 0.05;
        m_flags.read("--lora-rank", adapter.rank);
        m_flags.read("--lora-dropout", adapter.dropout, 0.0, 1.0);
        auto words = m_flags.words("--target-modules");
        if (words.empty() || words.front() == "all-linear") words.assign(kLinearModules.begin(), kLinearModules.end());
        for (const std::string& word : words)
            addAdapterTarget(adapter, "--target_modules", word, m_notes);
        m_plan.recipe.adapter = std::move(adapter);
    }

    /// "true" and "false" as values, or a switch alone.
    bool isOn(std::string_view name, bool usual)
    {
        if (!m_flags.has(name)) return usual;
        const auto words = m_flags.words(name);
        if (words.empty()) return true;
        const std::string word = lowered(words.front());
        if (word != "true" && word != "false")
            m_flags.refuse(name, ErrorCode::WrongType, Sentence::tr("true or false"));
        return word == "true";
    }

    // ---- megatron sft

    /// The command as Megatron-LM would be given it.
    Result<ImportedPlan> withMegatron()
    {
        // Defaults that are not Megatron-LM's.
        constexpr auto kDefaults = std::to_array<std::pair<std::string_view, std::string_view>>({
            {"--micro-batch-size", "1"},
            {"--global-batch-size", "16"},
            {"--recompute-granularity", "selective"},
            {"--attention-backend", "flash"},
            {"--use-distributed-optimizer", "true"},
            {"--expert-tensor-parallel-size", "1"},
            {"--moe-token-dispatcher-type", "alltoall"},
            {"--moe-grouped-gemm", "true"},
            {"--cross-entropy-loss-fusion", "true"},
            {"--hidden-dropout", "0"},
            {"--attention-dropout", "0"},
            {"--no-create-attention-mask-in-dataloader", "true"}, // --padding_free
            {"--apply-rope-fusion", "false"},
        });
        constexpr auto kWithoutEffect = std::to_array<std::string_view>({"--output-dir", "--bias-dropout-fusion",
            "--masked-softmax-fusion", "--num-train-epochs", "--metric-for-best-model", "--greater-is-better"});
        LaunchCommand command;
        command.name = m_command.name;
        command.environment = m_command.environment;
        std::vector<LaunchFlag> settings;
        for (const LaunchFlag& flag : m_command.program) {
            if (!isCommon(flag.name) && std::ranges::find(kWithoutEffect, flag.name) == kWithoutEffect.end())
                settings.push_back(flag);
        }
        for (const auto& [name, value] : kDefaults) {
            if (!name.starts_with("--moe-") || m_plan.model.architecture.moe) addSetting(settings, name, value);
        }
        std::vector<LaunchFlag>& flags = command.program;
        flags = megatronOptionsOf(std::move(settings));
        if (!isOn("--fp16", false)) flags.push_back({"--bf16", {}});
        flags.push_back({"--seq-length", {std::to_string(m_plan.workload.sequence_length)}});
        if (m_flags.error()) return tl::unexpected<Error>(*m_flags.error());
        auto imported = importMegatronOptions(std::move(command), m_plan, m_presets);
        if (!imported) return imported;
        return finished(std::move(imported->plan), std::move(imported->notes));
    }

    /// Options that are read here for both commands, or that have no effect.
    [[nodiscard]] bool isCommon(std::string_view name) const
    {
        constexpr auto kOfMethods = std::to_array<std::string_view>({"--rlhf-type", "--beta", "--ref-", "--reward",
            "--num-generations", "--num-iterations", "--max-completion-length", "--temperature", "--top-", "--log-",
            "--epsilon", "--sleep", "--offload-", "--use-vllm", "--vllm", "--move-model", "--completion", "--desirable",
            "--undesirable", "--rpo", "--cpo", "--simpo", "--loss-type", "--dynamic-sample", "--overlong",
            "--advantage", "--importance", "--stop", "--generation-batch-size", "--steps-per-generation", "--teacher",
            "--lmbda", "--external-plugins", "--scale-rewards", "--kl-in", "--multi-turn", "--async-generate",
            "--max-turns", "--f-divergence", "--discopop", "--label-smoothing", "--rollout", "--structured",
            "--center-rewards", "--kl-", "--repetition", "--max-resample", "--delta", "--tau-", "--seq-kd",
            "--sft-alpha", "--per-device-generation"});
        if (m_method && std::ranges::any_of(kOfMethods, [&](std::string_view one) { return name.starts_with(one); }))
            return true;
        constexpr auto kNames = std::to_array<std::string_view>({"--model", "--max-length", "--packing", "--tuner-type",
            "--train-type", "--lora-rank", "--lora-alpha", "--lora-dropout", "--target-modules", "--freeze-vit",
            "--freeze-aligner", "--freeze-llm", "--quant-bits", "--quant-method", "--task-type", "--bf16",
            "--torch-dtype", "--rlhf-type", "--padding-free"});
        constexpr auto kBeginnings = std::to_array<std::string_view>({"--dataset", "--val-dataset", "--split-dataset",
            "--load-from-cache", "--dataloader", "--save", "--eval", "--logging", "--report", "--model-", "--system",
            "--no-save", "--no-load", "--merge-lora", "--cached", "--truncation", "--load-data", "--streaming",
            "--use-hf", "--lazy", "--columns", "--add-version", "--agent", "--loss-scale", "--strict", "--wandb"});
        return std::ranges::find(kNames, name) != kNames.end()
            || std::ranges::any_of(kBeginnings, [&](std::string_view one) { return name.starts_with(one); });
    }

    // ---- swift sft

    Result<ImportedPlan> withTrainer()
    {
        Recipe& recipe = m_plan.recipe;
        recipe.sharding = Sharding::None; // DistributedDataParallel, unless DeepSpeed or FSDP is asked for
        const std::string type = m_flags.word("--torch-dtype").value_or("bfloat16");
        readSharding(recipe);
        if (m_findings.error) return tl::unexpected<Error>(*m_findings.error);
        const bool sharded = recipe.sharding != Sharding::None;
        // Weights are loaded in this format; DeepSpeed and FSDP keep them in fp32 besides.
        recipe.precision = type == "float32" ? Precision::Fp32
            : type == "float16"              ? Precision::Fp16
            : !sharded && trainsAll(m_plan)  ? Precision::Bf16Pure
                                             : Precision::Bf16;
        if (isOn("--gradient-checkpointing", true)) recipe.recompute.granularity = RecomputeGranularity::Full;
        if (isOn("--use-liger-kernel", false)) recipe.loss = Loss::ChunkedHidden;
        const std::string kernel = m_flags.word("--attn-impl").value_or("sdpa");
        recipe.attention = kernel == "eager"   ? Attention::Unfused
            : kernel.starts_with("flash_attn") ? Attention::Flash2
                                               : recipe.attention;
        for (const std::string_view name : {"--optim", "--optimizer"}) {
            if (const auto optimizer = m_flags.word(name)) setOptimizerByName(m_plan, name, *optimizer, m_notes);
        }
        m_flags.read("--sequence-parallel-size", m_plan.parallelism.context);
        readBatch();
        for (const LaunchFlag& flag : m_flags.unread()) {
            if (!isCommon(flag.name) && !isWithoutEffect(flag.name)) m_flags.note(flag.name, kNoField);
        }
        noteOtherCommands(m_command, m_flags);
        noteUnknown(m_command, m_flags);
        if (m_flags.error()) return tl::unexpected<Error>(*m_flags.error());
        return finished(std::move(m_plan), {});
    }

    /// A word for a configuration that ms-swift brings (swift/config), a file of DeepSpeed, or its content.
    void readDeepSpeed(Recipe& recipe)
    {
        struct Brought {
            std::string_view word;
            Sharding sharding;
            Offload offload = {};
        };
        constexpr Offload kOptimizer{.optimizer = 1.0};
        constexpr Offload kBoth{.optimizer = 1.0, .parameters = 1.0};
        constexpr auto kBrought = std::to_array<Brought>({
            {"zero0", Sharding::None},
            {"zero1", Sharding::Zero1},
            {"zero2", Sharding::Zero2},
            {"zero3", Sharding::Zero3},
            {"zero2_offload", Sharding::Zero2, kOptimizer},
            {"zero3_offload", Sharding::Zero3, kBoth},
        });
        const auto words = m_flags.words("--deepspeed");
        if (words.empty() || words.front().empty()) return;
        recipe.framework = Framework::DeepSpeed;
        const std::string& word = words.front();
        if (const auto* own = std::ranges::find(kBrought, word, &Brought::word); own != kBrought.end()) {
            recipe.sharding = own->sharding;
            recipe.offload = own->offload;
            return;
        }
        constexpr std::string_view kKey = "deepspeed";
        Json value = word;
        if (word.starts_with('{')) {
            value = anyJson(word);
            if (!value.is_object())
                return m_flags.refuse("--deepspeed", ErrorCode::NotJson, Sentence::tr("a JSON object"));
        }
        const Json holder{{std::string(kKey), std::move(value)}};
        ObjectReader reader(holder, m_findings);
        static_cast<void>(readDeepSpeedKey(reader, kKey, m_plan, m_notes, m_files));
    }

    /// `fsdp2` or a configuration of Accelerate, besides DeepSpeed.
    void readSharding(Recipe& recipe)
    {
        readDeepSpeed(recipe);
        if (m_flags.has("--fsdp") && !m_flags.words("--fsdp").empty()) recipe.sharding = Sharding::Zero3;
        const auto config = std::ranges::find(m_command.runner, std::string_view("--config-file"), &LaunchFlag::name);
        if (config != m_command.runner.end() && !config->values.empty()) {
            recipe.sharding = Sharding::Zero3;
            m_notes.addAssumed("--config_file", config->values.front(),
                Sentence::tr("another file; taken as fully sharded. Import it as well for the rest"));
        }
    }

    void readBatch()
    {
        std::int64_t micro_batch = 1;
        m_flags.read("--per-device-train-batch-size", micro_batch);
        m_flags.skip({"--per-device-eval-batch-size"});
        constexpr std::string_view kSteps = "--gradient-accumulation-steps";
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        // As many as come to 16 samples a step (swift/trainers/arguments.py).
        constexpr std::int64_t kSamples = 16;
        const std::int64_t at_once = countProduct({micro_batch, replicas}).value_or(kSamples);
        std::int64_t steps = std::max<std::int64_t>((kSamples + at_once - 1) / std::max<std::int64_t>(at_once, 1), 1);
        const auto words = m_flags.words(kSteps);
        const auto given = words.size() == 1 ? countIn(words.front()) : std::nullopt;
        if (given)
            steps = *given;
        else if (!words.empty())
            m_flags.note(kSteps, Sentence::tr("not known from the text; a step of 16 samples is taken"));
        if (!setBatch(m_plan, micro_batch, steps))
            m_flags.refuse("--per-device-train-batch-size", ErrorCode::OutOfRange,
                Sentence::tr("a batch of at most 2^40 samples"));
    }

    static bool isWithoutEffect(std::string_view name)
    {
        constexpr auto kNames = std::to_array<std::string_view>({"--output-dir", "--num-train-epochs", "--max-steps",
            "--learning-rate", "--warmup-ratio", "--warmup-steps", "--weight-decay", "--lr-scheduler-type", "--seed",
            "--data-seed", "--max-grad-norm", "--adam-beta1", "--adam-beta2", "--template", "--use-chat-template",
            "--ddp-timeout", "--resume-from-checkpoint", "--init-weights", "--lora-bias", "--router-aux-loss-coef"});
        return std::ranges::find(kNames, name) != kNames.end();
    }

    /// Notes of this reader come first, except what is not known.
    Result<ImportedPlan> finished(Plan plan, std::vector<LaunchNote> others)
    {
        if (m_method) applyRewardMethod(plan, "--rlhf_type", *m_method, m_notes, m_place);
        std::vector<LaunchNote> notes = std::move(m_notes).take();
        notes.insert(notes.begin(), m_flags.notes().begin(), m_flags.notes().end());
        std::ranges::move(others, std::back_inserter(notes));
        return ImportedPlan{std::move(plan), std::move(notes)};
    }

    const LaunchCommand m_command;
    const NeighbourFiles& m_files;
    FlagReader m_flags;
    Findings m_findings; ///< in a configuration of DeepSpeed
    const Plan& m_base;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    std::optional<RewardMethod> m_method; ///< of `rlhf`
    ReferencePlace m_place = ReferencePlace::Usual;
};

/// `swift sft`, `megatron rlhf` and the like, or a script of swift/cli. A file of Python behind an option, as with
/// --external_plugins, is no program.
std::optional<FoundProgram> programOfSwift(std::span<const std::string> words)
{
    constexpr auto kTasks = std::to_array<std::string_view>({"sft", "pt", "rlhf", "deploy", "infer"});
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (word.ends_with(".py") && word.find("swift/cli/") != std::string_view::npos)
            return FoundProgram{words[at], at + 1};
        const std::string_view base = word.substr(word.rfind('/') + 1);
        const bool task = at + 1 < words.size() && std::ranges::find(kTasks, words[at + 1]) != kTasks.end();
        if (task && (base == "swift" || base == "megatron"))
            return FoundProgram{fmt::format("{} {}", base, words[at + 1]), at + 2};
    }
    return std::nullopt;
}

} // namespace

bool isSwift(std::string_view text)
{
    constexpr auto kSigns = std::to_array<std::string_view>({"swift sft", "swift pt", "swift rlhf", "swift deploy",
        "swift infer", "megatron sft", "megatron pt", "megatron rlhf", "swift/cli/"});
    return !text.starts_with('{') && std::ranges::any_of(kSigns, [&](std::string_view sign) {
        const std::size_t at = text.find(sign);
        return at != std::string_view::npos
            && (at == 0 || std::string_view(" \t\n\"'").find(text[at - 1]) != std::string_view::npos);
    });
}

Result<ImportedPlan> importSwift(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto command = readCommandOf(programOfSwift, text);
    if (command && command->name.empty()) command = readLaunchCommand(text); // options alone
    if (!command) return tl::unexpected<Error>(command.error());
    std::optional<LaunchNote> unread;
    const auto config = std::ranges::find(command->program, std::string_view("--config"), &LaunchFlag::name);
    if (config != command->program.end() && config->values.size() == 1) {
        const std::string name = config->values.front();
        command->program.erase(config);
        if (const auto file = namedFile(text.files, name)) {
            auto flags = flagsOfFile(name, *file);
            if (!flags) return tl::unexpected<Error>(std::move(flags.error()));
            std::erase_if(*flags, [&](const LaunchFlag& flag) {
                return std::ranges::find(command->program, flag.name, &LaunchFlag::name) != command->program.end();
            });
            command->program.insert(command->program.end(), flags->begin(), flags->end());
        } else {
            unread =
                LaunchNote{"--config", name, Sentence::tr("another file, not read; its options are missing"), true};
        }
    }
    auto imported = SwiftImport(*std::move(command), text.files, base, presets).run();
    if (imported && unread) imported->notes.insert(imported->notes.begin(), *std::move(unread));
    return imported;
}

} // namespace cardfit
