// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "core/model/operators.h"
#include "tests/test_program.h"

/// Programs of reinforcement learning, of which a plan is the actor's training: verl and OpenRLHF, and ms-swift's rlhf.
namespace cardfit::tst_reinforcement {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

Result<ImportedPlan> import(const LaunchText& text)
{
    const auto launcher = detectLauncher(text.text);
    if (!launcher) return fail(ErrorCode::WrongFormat, {}, Sentence::verbatim("not recognised"));
    return importLaunch(*launcher, text, presets().plans.front().plan, presets());
}

ImportedPlan imported(const LaunchText& text)
{
    auto plan = import(text);
    if (!plan) qFatal("%s", describe(plan.error()).c_str());
    return *std::move(plan);
}

bool isAssumed(const ImportedPlan& plan, std::string_view what)
{
    return std::ranges::any_of(plan.notes, [&](const LaunchNote& note) { return note.assumed && note.what == what; });
}

const std::string kGrpo = "N=2\n"
                          "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\\n"
                          "  data.train_batch_size=1024 data.max_prompt_length=512 data.max_response_length=1536 \\\n"
                          "  actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.rollout.n=4 \\\n"
                          "  actor_rollout_ref.actor.ppo_mini_batch_size=64 \\\n"
                          "  actor_rollout_ref.actor.use_kl_loss=True \\\n"
                          "  trainer.n_gpus_per_node=8 trainer.nnodes=$N ";
const std::string kFixed = kGrpo + "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 ";

class TestReinforcement : public QObject {
    Q_OBJECT

private slots:
    /// verl/workers/fsdp_workers.py: a mini-batch is so many prompts, times the responses to each, over all cards.
    void aStepOfVerlIsAMiniBatch()
    {
        const ImportedPlan made = imported(kFixed);
        const Plan& plan = made.plan;
        QCOMPARE(plan.model.id, std::string("qwen3-8b"));
        QCOMPARE(plan.cluster.nodes, 2);
        QCOMPARE(plan.cluster.cards_per_node, 8);
        QCOMPARE(plan.workload.task, Task::Finetune);
        QCOMPARE(plan.workload.sequence_length, 2048);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.workload.global_batch_size, 256);
        QCOMPARE(plan.recipe.framework, Framework::Fsdp);
        QCOMPARE(plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        for (const char* what : {"actor", "rollout", "actor_rollout_ref.ref"})
            QVERIFY2(isAssumed(made, what), what);
        QVERIFY(!isAssumed(made, "critic")); // GRPO has none
        QVERIFY(!plan.recipe.reference_model); // in host memory
        QVERIFY(isAssumed(imported(kFixed + "algorithm.adv_estimator=gae"), "critic"));
    }

    void dynamicBatchesHoldSoManyTokens()
    {
        const ImportedPlan made = imported(kGrpo
            + "actor_rollout_ref.actor.use_dynamic_bsz=True actor_rollout_ref.actor.ppo_max_token_len_per_gpu=8192 "
              "actor_rollout_ref.actor.ulysses_sequence_parallel_size=2");
        QCOMPARE(made.plan.parallelism.context, 2);
        QCOMPARE(made.plan.workload.micro_batch_size, 8); // 8192 tokens on each of two cards
        QCOMPARE(made.plan.workload.global_batch_size, 256);
        QVERIFY(!import(kGrpo)); // verl asks for one or the other
    }

    void shardsOfVerlsFsdp()
    {
        const Plan hybrid = imported(kFixed + "actor_rollout_ref.actor.fsdp_config.fsdp_size=8").plan;
        QCOMPARE(hybrid.recipe.optimizer_instances, 2);
        const Plan adapters = imported(kFixed + "actor_rollout_ref.model.lora_rank=32").plan;
        QCOMPARE(adapters.workload.task, Task::Lora);
        QCOMPARE(adapters.recipe.adapter->rank, 32);
        QVERIFY(!adapters.recipe.reference_model);
        const Plan host = imported(
            kFixed + "actor_rollout_ref.actor.strategy=fsdp2 actor_rollout_ref.actor.fsdp_config.offload_policy=True")
                              .plan;
        QCOMPARE(host.recipe.offload.parameters, 1.0);
        // Moved away between steps only.
        QCOMPARE(imported(kFixed + "actor_rollout_ref.actor.fsdp_config.optimizer_offload=True").plan.recipe.offload,
            Offload());
    }

    void verlsMegatron()
    {
        const ImportedPlan made = imported(kFixed
            + "--config-name='ppo_megatron_trainer' actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 "
              "actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 "
              "+actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full "
              "+actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform "
              "+actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1 "
              "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True "
              "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_offload_fraction=0.5");
        QCOMPARE(made.plan.recipe.framework, Framework::Megatron);
        QCOMPARE(made.plan.parallelism.tensor, 2);
        QCOMPARE(made.plan.parallelism.pipeline, 2);
        QVERIFY(made.plan.parallelism.sequence);
        QCOMPARE(made.plan.recipe.sharding, Sharding::Zero1);
        QCOMPARE(made.plan.recipe.precision, Precision::Bf16);
        QCOMPARE(made.plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QCOMPARE(made.plan.recipe.offload.optimizer, 0.5);
        QCOMPARE(made.plan.workload.global_batch_size, 256);
        QVERIFY(made.plan.recipe.reference_model); // on the cards, unless it is offloaded
        QVERIFY(!imported(kFixed
            + "actor_rollout_ref.actor.strategy=megatron "
              "actor_rollout_ref.ref.megatron.param_offload=True")
                     .plan.recipe.reference_model);
    }

    /// trainer/config/ppo_trainer.yaml and a file that changes some of it.
    void verlsOwnFiles()
    {
        const std::string file = "defaults:\n  - ppo_trainer\n  - _self_\n"
                                 "data:\n  max_prompt_length: 1024\n  max_response_length: 1024\n"
                                 "actor_rollout_ref:\n  model:\n    path: Qwen/Qwen2.5-7B-Instruct\n"
                                 "  actor:\n    ppo_micro_batch_size_per_gpu: 4\n"
                                 "  rollout:\n    n: ${oc.select:nothing.here,2}\n"
                                 "trainer:\n  n_gpus_per_node: 4\n  nnodes: 1\n";
        const Plan plan = imported(file).plan;
        QCOMPARE(plan.model.id, std::string("qwen2.5-7b"));
        QCOMPARE(plan.workload.sequence_length, 2048);
        QCOMPARE(plan.workload.global_batch_size, 512);
        const NeighbourFiles files = [&](const std::string& path) {
            return path == "config/mine.yaml" ? std::optional(file) : std::nullopt;
        };
        const Plan changed = imported(LaunchText("python3 -m verl.trainer.main_ppo --config-path=config "
                                                 "--config-name=mine data.max_response_length=3072",
                                          files))
                                 .plan;
        QCOMPARE(changed.workload.sequence_length, 4096);
        QCOMPARE(changed.cluster.cards_per_node, 4);
    }

    void verlsFineTuning()
    {
        const Plan plan =
            imported("torchrun --standalone --nnodes=1 --nproc_per_node=4 -m verl.trainer.fsdp_sft_trainer "
                     "data.train_batch_size=64 data.micro_batch_size_per_gpu=2 data.max_length=4096 "
                     "model.partial_pretrain=Qwen/Qwen2.5-7B-Instruct ulysses_sequence_parallel_size=2")
                .plan;
        QCOMPARE(plan.workload.sequence_length, 4096);
        QCOMPARE(plan.parallelism.context, 2);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.workload.global_batch_size, 64);
        QCOMPARE(plan.cluster.cards_per_node, 4);
    }

    void whatTrainsNothingIsRefused()
    {
        for (const char* text : {"python3 -m verl.trainer.main_generation trainer.nnodes=1 data.path=a",
                 "python -m verl.model_merger merge --backend fsdp actor_rollout_ref.x=1",
                 "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=Qwen/Qwen3-8B "
                 "actor_rollout_ref.actor.strategy=veomni",
                 "deepspeed --module openrlhf.cli.train_knowledge --pretrain a"})
            QVERIFY2(!import(std::string_view(text)), text);
    }

    /// openrlhf/cli/train_sft.py; both spellings of its options.
    void openRlhfsFineTuning()
    {
        const std::string words = "deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --data.max_len 4096 "
                                  "--train.batch_size 256 --train.micro_batch_size 2 --ds.zero_stage 3 "
                                  "--model.model_name_or_path meta-llama/Meta-Llama-3-8B "
                                  "--model.gradient_checkpointing_enable --ds.packing_samples --ds.adam_offload";
        const ImportedPlan made = imported(words);
        QCOMPARE(made.plan.model.id, std::string("llama-3-8b"));
        QCOMPARE(made.plan.recipe.framework, Framework::DeepSpeed);
        QCOMPARE(made.plan.recipe.sharding, Sharding::Zero3);
        QCOMPARE(made.plan.recipe.offload.optimizer, 1.0);
        QCOMPARE(made.plan.workload.sequence_length, 4096);
        QCOMPARE(made.plan.workload.micro_batch_size, 2);
        QCOMPARE(made.plan.workload.global_batch_size, 256);
        const Plan before = imported("deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --max_len 4096 "
                                     "--train_batch_size 256 --micro_train_batch_size 2 --zero_stage 3 "
                                     "--pretrain meta-llama/Meta-Llama-3-8B --gradient_checkpointing "
                                     "--packing_samples --adam_offload --bf16")
                                .plan;
        QCOMPARE(before.workload, made.plan.workload);
        QCOMPARE(before.recipe, made.plan.recipe);
    }

    void openRlhfsActorAndPreferences()
    {
        const ImportedPlan actor =
            imported("ray job submit --address=x -- python3 -m openrlhf.cli.train_ppo_ray --actor.num_nodes 1 "
                     "--actor.num_gpus_per_node 8 --train.colocate_all --actor.model_name_or_path Qwen/Qwen3-8B "
                     "--train.batch_size 128 --train.micro_batch_size 2 --data.max_len 2048 --ds.zero_stage 3 "
                     "--actor.gradient_checkpointing_enable");
        QVERIFY(isAssumed(actor, "train_ppo_ray"));
        QVERIFY(actor.plan.recipe.reference_model);
        QCOMPARE(actor.plan.workload.global_batch_size, 128);
        const Plan pairs = imported("deepspeed --num_gpus 8 --module openrlhf.cli.train_dpo --data.max_len 2048 "
                                    "--model.model_name_or_path Qwen/Qwen3-8B --train.micro_batch_size 1")
                               .plan;
        QVERIFY(pairs.recipe.reference_model);
        QCOMPARE(pairs.workload.micro_batch_size, 2); // chosen and rejected
        QCOMPARE(pairs.workload.global_batch_size, 256);
    }

    /// swift/arguments/rlhf_args.py.
    void swiftsPreferences()
    {
        const std::string start = "NPROC_PER_NODE=8 swift rlhf --model Qwen/Qwen2.5-7B --max_length 2048 "
                                  "--deepspeed zero3 --per_device_train_batch_size 1 --rlhf_type ";
        const Plan whole = imported(start + "dpo --tuner_type full").plan;
        QVERIFY(whole.recipe.reference_model);
        QCOMPARE(whole.workload.micro_batch_size, 2);
        QVERIFY(!imported(start + "dpo --tuner_type lora").plan.recipe.reference_model);
        QVERIFY(imported(start + "dpo --tuner_type lora --ref_model mine").plan.recipe.reference_model);
        const Plan sampled = imported(start + "grpo --tuner_type full --max_completion_length 1024").plan;
        QCOMPARE(sampled.workload.sequence_length, 3072);
        QVERIFY(sampled.recipe.reference_model); // beta is 0.04
        QVERIFY(!imported(start + "grpo --tuner_type full --beta 0").plan.recipe.reference_model);
        QVERIFY(!import(std::string_view("swift rlhf --rlhf_type mine --model Qwen/Qwen2.5-7B")));
        const Plan megatron = imported("NPROC_PER_NODE=8 megatron rlhf --rlhf_type dpo --model Qwen/Qwen3-8B "
                                       "--tensor_model_parallel_size 2 --max_length 4096 --tuner_type full")
                                  .plan;
        QCOMPARE(megatron.recipe.framework, Framework::Megatron);
        QVERIFY(megatron.recipe.reference_model);
    }

    /// 2 bytes a parameter, divided as the trained weights are: arXiv:2305.18290, and TRL's prepare_deepspeed.
    void aReferenceModelIsAFrozenCopy()
    {
        Plan plan = imported(std::string_view("deepspeed --num_gpus 8 --module openrlhf.cli.train_sft "
                                              "--model.model_name_or_path Qwen/Qwen3-8B --train.micro_batch_size 1"))
                        .plan;
        const double parameters = static_cast<double>(parameterCount(plan.model.architecture));
        for (const auto& [sharding, shards] : {std::pair(Sharding::Zero2, 1.0), std::pair(Sharding::Zero3, 8.0)}) {
            plan.recipe.sharding = sharding;
            plan.recipe.reference_model = false;
            const Bytes without = estimate(plan).stages.front()[Segment::Weights];
            plan.recipe.reference_model = true;
            const Bytes with = estimate(plan).stages.front()[Segment::Weights];
            const auto more = static_cast<double>((with - without).value());
            QVERIFY2(std::abs(more / (2.0 * parameters / shards) - 1.0) < 1e-3, qPrintable(QString::number(more)));
        }
    }
};

CARDFIT_TEST(TestReinforcement)

} // namespace cardfit::tst_reinforcement
#include "tst_reinforcement.moc"
