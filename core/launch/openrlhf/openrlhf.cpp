// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/openrlhf/openrlhf.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/launch/deepspeed/deepspeed_file.h"
#include "core/launch/flag_reader.h"
#include "core/launch/model_names.h"
#include "core/launch/notes.h"
#include "core/launch/reward_methods.h"
#include "core/launch/shell/command_line.h"
#include "core/plan/edits.h"

namespace cardfit {

namespace {

/// Sections of options, and single ones, that change neither memory nor time of the training.
constexpr auto kOpenRlhfWithoutEffect = std::to_array<std::string_view>({"--vllm.", "--reward.", "--critic.",
    "--rollout.", "--ckpt.", "--logger.", "--eval.", "--algo.", "--ref.", "--data.", "--vllm-", "--wandb",
    "--use-wandb", "--save", "--eval", "--adam.", "--muon.", "--actor.adam", "--actor.muon", "--actor.lr",
    "--actor.eps", "--lr", "--load-checkpoint", "--colocate", "--reward", "--critic", "--ref", "--remote", "--input",
    "--output", "--prompt", "--dataset", "--label", "--chosen", "--rejected", "--apply-chat", "--normalize",
    "--advantage", "--init-kl", "--kl", "--gamma", "--lambd", "--eps", "--use-kl", "--n-samples", "--max-samples",
    "--max-epochs", "--num-episodes", "--rollout-batch", "--micro-rollout", "--temperature", "--top-p", "--logging",
    "--ckpt", "--max-ckpt", "--disable", "--enable", "--actor-learning", "--learning-rate", "--l2", "--beta", "--ipo",
    "--agent", "--dynamic", "--async", "--tokenizer", "--max-norm", "--seed", "--local-rank", "--nll", "--aux",
    "--train.max-epochs", "--train.seed", "--train.num", "--train.colocate", "--train.async", "--train.force",
    "--train.partial", "--model.beta", "--model.label", "--model.ipo", "--model.aux", "--model.nll", "--actor.aux",
    "--actor.entropy", "--actor.policy", "--actor.dual", "--actor.max-norm", "--actor.min-lr",
    "--actor.gradient-checkpointing-reentrant", "--model.gradient-checkpointing-reentrant",
    "--gradient-checkpointing-use-reentrant", "--ds.enable-sleep", "--ds.overlap-comm", "--overlap-comm",
    "--ds.deepcompile", "--deepcompile", "--ds.ring-attn-head-stride", "--ring-head-stride", "--deepspeed-enable-sleep",
    "--flash-attn", "--policy-loss-type", "--overlong", "--use-ms", "--max-len-", "--max-norm", "--min-lr",
    "--train-split", "--value", "--freezing", "--multiturn", "--pretrain-mode"});

std::optional<FoundProgram> programOfOpenRlhf(std::span<const std::string> words)
{
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at].starts_with("openrlhf.cli.") || words[at].find("openrlhf/cli/") != std::string::npos)
            return FoundProgram{words[at], at + 1};
    }
    return std::nullopt;
}

class OpenRlhfImport {
public:
    OpenRlhfImport(LaunchCommand command, const Plan& base, const Presets& presets)
        : m_command(std::move(command))
        , m_flags(m_command.program)
        , m_base(base)
        , m_presets(presets)
        , m_plan(fineTuningPlan(base))
    {
    }

    Result<ImportedPlan> run()
    {
        struct Job {
            std::string_view part;
            std::string_view method; ///< of rewardMethod(); empty: none
            std::int64_t length; ///< openrlhf/cli's default
            std::int64_t micro_batch;
        };
        constexpr auto kJobs = std::to_array<Job>({{"train_sft", "", 2048, 8}, {"train_dpo", "dpo", 512, 8},
            {"train_kto", "kto", 512, 8}, {"train_rm", "reward", 512, 1}, {"train_ppo", "ppo", 2048, 1}});
        const std::string& name = m_command.name;
        const auto* job =
            std::ranges::find_if(kJobs, [&](const Job& row) { return name.find(row.part) != std::string::npos; });
        if (job == kJobs.end())
            return fail(ErrorCode::WrongFormat, name,
                Sentence::tr("of OpenRLHF's programs only train_sft, train_dpo, train_kto, train_rm and train_ppo_ray "
                             "are read"));
        m_generates = job->method == "ppo";
        readModel();
        readProcesses();
        readLength(job->length);
        readAdapter();
        readDeepSpeed();
        readBatch(job->micro_batch);
        if (!job->method.empty()) applyMethod(*rewardMethod(job->method));
        for (const LaunchFlag& flag : m_flags.unread()) {
            const bool silent = std::ranges::any_of(
                kOpenRlhfWithoutEffect, [&](std::string_view part) { return flag.name.starts_with(part); });
            if (!silent) m_flags.note(flag.name, kNoField);
        }
        noteOtherCommands(m_command, m_flags);
        noteUnknown(m_command, m_flags);
        if (m_flags.error()) return tl::unexpected<Error>(*m_flags.error());
        std::vector<LaunchNote> notes = std::move(m_notes).take();
        notes.insert(notes.begin(), m_flags.notes().begin(), m_flags.notes().end());
        return ImportedPlan{std::move(m_plan), std::move(notes)};
    }

private:
    using Names = std::initializer_list<std::string_view>;

    std::optional<std::string> word(Names names)
    {
        std::optional<std::string> found;
        for (const std::string_view name : names) {
            if (auto said = m_flags.word(name)) found = std::move(said);
        }
        return found;
    }
    std::int64_t whole(Names names, std::int64_t usual, std::int64_t least = 1)
    {
        for (const std::string_view name : names) {
            if (const auto number = m_flags.whole(name, least)) usual = *number;
        }
        return usual;
    }
    bool flag(Names names)
    {
        bool there = false;
        for (const std::string_view name : names)
            there = m_flags.flag(name) || there;
        return there;
    }

    void readModel()
    {
        const auto name = word({"--actor.model-name-or-path", "--model.model-name-or-path", "--pretrain"});
        if (name && !name->empty())
            setModelByName(m_plan, m_generates ? "--actor.model_name_or_path" : "--model.model_name_or_path", *name,
                m_presets, m_notes);
        else
            m_notes.add(
                noModelNote(m_base.model, Sentence::tr("not in the command; the starting plan's model is used")));
        m_plan.model.architecture.mtp_layers = 0;
    }

    void readProcesses()
    {
        Cluster& cluster = m_plan.cluster;
        if (m_generates) {
            const std::int64_t cards = whole({"--actor.num-gpus-per-node", "--actor-num-gpus-per-node"}, 8);
            setCardsPerNode(cluster, cards);
            cluster.nodes = whole({"--actor.num-nodes", "--actor-num-nodes"}, 1);
            return;
        }
        FlagReader runner(m_command.runner);
        const auto cards = runner.whole("--num-gpus");
        const auto nodes = runner.whole("--num-nodes");
        if (!cards && !nodes) return readCards(runner, m_flags, cluster);
        if (cards) setCardsPerNode(cluster, *cards);
        cluster.nodes = nodes.value_or(1);
    }

    void readLength(std::int64_t usual)
    {
        std::int64_t& length = m_plan.workload.sequence_length;
        const bool given = m_flags.has("--data.max-len") || m_flags.has("--max-len");
        length = whole({"--data.max-len", "--max-len"}, usual);
        // Until 2026 prompt and response had options of their own.
        const auto prompt = m_flags.whole("--prompt-max-len");
        const auto response = m_flags.whole("--generate-max-len");
        if (!given && (prompt || response)) {
            constexpr std::int64_t kUsual = 1024;
            length = prompt.value_or(kUsual) + response.value_or(kUsual);
        } else if (!given) {
            m_notes.addAssumed("--data.max_len", length, Sentence::tr("not given; OpenRLHF's default"));
        }
        if (!flag({"--ds.packing-samples", "--packing-samples"}))
            m_notes.add("--ds.packing_samples", Sentence::tr("samples vary in length; all are counted as full length"));
    }

    void readAdapter()
    {
        Adapter adapter;
        adapter.rank = whole({"--ds.lora.rank", "--lora-rank"}, 0, 0);
        const bool quantized = flag({"--ds.load-in-4bit", "--load-in-4bit"});
        for (const std::string_view name : {"--ds.lora.dropout", "--lora-dropout"})
            m_flags.read(name, adapter.dropout, 0.0, 1.0);
        m_flags.skip({"--ds.lora.alpha", "--lora-alpha"});
        std::vector<std::string> targets;
        for (const std::string_view name : {"--ds.lora.target-modules", "--target-modules"}) {
            if (m_flags.has(name)) targets = m_flags.words(name);
        }
        if (adapter.rank == 0) return;
        if (targets.empty() || targets.front() == "all-linear")
            targets.assign(kLinearModules.begin(), kLinearModules.end());
        for (const std::string& target : targets)
            addAdapterTarget(adapter, "--ds.lora.target_modules", target, m_notes);
        m_plan.workload.task = quantized ? Task::Qlora : Task::Lora;
        m_plan.recipe.adapter = std::move(adapter);
    }

    void readDeepSpeed()
    {
        Recipe& recipe = m_plan.recipe;
        recipe.framework = Framework::DeepSpeed;
        const std::int64_t stage = whole({"--ds.zero-stage", "--zero-stage"}, 2, 0);
        if (stage > 3)
            m_flags.refuse("--ds.zero-stage", ErrorCode::OutOfRange, Sentence::tr("a stage from 0 to 3"));
        else
            recipe.sharding = shardingOfStage(stage);
        if (flag({"--ds.adam-offload", "--adam-offload"})) recipe.offload.optimizer = 1.0;
        const std::string type = word({"--ds.param-dtype", "--param-dtype"}).value_or("bf16");
        m_flags.skip({"--bf16"});
        recipe.precision = type == "fp16" ? Precision::Fp16 : Precision::Bf16;
        if (const auto kept = word({"--ds.grad-accum-dtype", "--grad-accum-dtype"}); kept && *kept == "fp32")
            m_notes.addAssumed("--ds.grad_accum_dtype", *kept,
                Sentence::tr("gradients are accumulated in fp32; plans of DeepSpeed have them in 16 bits"));
        if (flag({"--actor.gradient-checkpointing-enable", "--model.gradient-checkpointing-enable",
                "--gradient-checkpointing"}))
            recipe.recompute.granularity = RecomputeGranularity::Full;
        if (flag({"--ds.use-liger-kernel", "--use-liger-kernel"}))
            m_notes.add("--ds.use_liger_kernel", Sentence::tr("its loss needs whole logits here; they are counted"));
        const std::string kernel =
            word({"--ds.attn-implementation", "--attn-implementation"}).value_or("flash_attention_2");
        recipe.attention = kernel == "eager" ? Attention::Unfused
            : kernel.starts_with("flash")    ? Attention::Flash2
                                             : recipe.attention;
        if (const auto optimizer = word({"--actor.optim", "--optim"}))
            setOptimizerByName(m_plan, "--optim", *optimizer, m_notes);
        m_plan.parallelism.context = whole({"--ds.ring-attn-size", "--ring-attn-size"}, 1);
        m_plan.parallelism.tensor = whole({"--ds.tensor-parallel-size", "--ds-tensor-parallel-size"}, 1);
        const std::int64_t groups = whole({"--ds.zpg", "--zpg"}, 1);
        if (groups > 1)
            m_notes.addAssumed("--ds.zpg", groups,
                Sentence::tr("ZeRO++ keeps a second copy of the weights divided over so many cards; plans have none"));
    }

    void readBatch(std::int64_t usual_micro)
    {
        std::int64_t micro = whole({"--train.micro-batch-size", "--micro-train-batch-size"}, usual_micro);
        const std::int64_t all = whole({"--train.batch-size", "--train-batch-size"}, 128);
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        if (flag({"--train.dynamic-batch-enable", "--use-dynamic-batch"})) {
            // trainer/ray/ppo_actor.py: a micro-batch is filled up to so many tokens of each card of a ring.
            const std::int64_t tokens = whole({"--train.max-tokens-per-gpu", "--train-max-tokens-per-gpu"}, 16192);
            micro = sequencesOfTokens(
                m_plan, "--train.max_tokens_per_gpu", tokens, std::max<std::int64_t>(all / replicas, 1), m_notes);
        }
        const std::int64_t at_once = countProduct({micro, replicas}).value_or(all);
        if (!setBatch(m_plan, micro, std::max<std::int64_t>(all / std::max<std::int64_t>(at_once, 1), 1)))
            m_flags.refuse(
                "--train.batch-size", ErrorCode::OutOfRange, Sentence::tr("a batch of at most 2^40 samples"));
    }

    void applyMethod(const RewardMethod& method)
    {
        const bool offloaded = flag({"--ref.offload", "--ref-offload"});
        if (!m_generates)
            return applyRewardMethod(
                m_plan, m_command.name, method, m_notes, offloaded ? ReferencePlace::Host : ReferencePlace::Usual);
        m_flags.skip({"--vllm.enable-sleep"});
        const bool together = flag(
            {"--train.colocate-all", "--colocate-all-models", "--train.colocate-actor-ref", "--colocate-actor-ref"});
        Notes first;
        first.addAssumed("train_ppo_ray", m_command.name,
            Sentence::tr("only the actor's training is planned; the engine that generates sequences, the critic and "
                         "the reward model are not in the plan"));
        // Without a penalty there is no reference (trainer/ray/launcher.py, init_kl_coef).
        double penalty = 0.01;
        for (const std::string_view name : {"--algo.kl.init-coef", "--init-kl-coef"})
            m_flags.read(name, penalty, 0.0, 1e6);
        if (penalty > 0.0 && together)
            setReference(m_plan, "ref", {}, offloaded ? ReferencePlace::Host : ReferencePlace::Named, first);
        m_notes.prepend(std::move(first));
    }

    const LaunchCommand m_command;
    FlagReader m_flags;
    const Plan& m_base;
    const Presets& m_presets;
    Plan m_plan;
    Notes m_notes;
    bool m_generates = false; ///< reinforcement learning
};

} // namespace

bool isOpenRlhf(std::string_view text)
{
    return !text.starts_with('{')
        && (text.find("openrlhf.cli") != std::string_view::npos || text.find("openrlhf/cli") != std::string_view::npos);
}

Result<ImportedPlan> importOpenRlhf(const LaunchText& text, const Plan& base, const Presets& presets)
{
    auto command = readCommandOf(programOfOpenRlhf, text);
    if (!command) return tl::unexpected<Error>(command.error());
    if (command->name.empty())
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr(
                "expected a command of OpenRLHF such as deepspeed --module openrlhf.cli.train_sft, found none"));
    return OpenRlhfImport(*std::move(command), base, presets).run();
}

} // namespace cardfit
