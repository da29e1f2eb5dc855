// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "core/launch/launch.h"
#include "tests/core/files/random_plans.h"
#include "tests/core/launch/round_trip.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_export_into {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

Plan planOf(Launcher launcher, const std::string& text, const Plan& base = Plan{})
{
    auto read = importLaunch(launcher, text, base, presets());
    if (!read) qFatal("%s", describe(read.error()).c_str());
    return std::move(read->plan);
}

/// With one exchange after the other.
std::string replaced(std::string text, const std::vector<std::pair<std::string, std::string>>& exchanges)
{
    for (const auto& [from, to] : exchanges) {
        const std::size_t at = text.find(from);
        if (at == std::string::npos) qFatal("\"%s\" is not there", from.c_str());
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string into(Launcher launcher, const Plan& plan, const std::string& text)
{
    const auto changed = exportInto(launcher, plan, text, presets());
    return changed ? changed->text : describe(changed.error());
}

/// As in Megatron-LM's examples: arrays, variables, a comment in every section, options that no plan knows.
const std::string kArrays = R"(#!/bin/bash
# Llama pretraining of the vision team.
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=${NNODES:-4}
TP=8     # one node
PP=2
DATA_PATH=/data/c4_text_document

DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
    --master_addr ${MASTER_ADDR:-localhost}
)
MODEL_ARGS=(
    --num-layers 80
    --hidden-size 8192
    --ffn-hidden-size 28672
    --num-attention-heads 64
    --group-query-attention
    --num-query-groups 8
    --seq-length 4096
    --max-position-embeddings 4096
    --swiglu --normalization RMSNorm --disable-bias-linear
    --position-embedding-type rope
    --untie-embeddings-and-output-weights
)
TRAINING_ARGS=(
    --micro-batch-size 1
    --global-batch-size 256
    --train-iters 500000   # about 0.5T tokens
    --lr 3.0e-4
    --lr-decay-style cosine
    --bf16
    --use-distributed-optimizer
    --recompute-activations
)
PARALLEL_ARGS=(
    --tensor-model-parallel-size ${TP}
    --pipeline-model-parallel-size $PP
    --num-layers-per-virtual-pipeline-stage 5
    --sequence-parallel
    --attention-backend fused
)
DATA_ARGS=(
    --data-path $DATA_PATH
    --tokenizer-type GPTSentencePieceTokenizer
    --tokenizer-model "/models/tok en/tokenizer.model"
    --vocab-size 32000
    --split 949,50,1
)
torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \
    ${MODEL_ARGS[@]} ${TRAINING_ARGS[@]} \
    ${PARALLEL_ARGS[@]} ${DATA_ARGS[@]} 2>&1 | tee train.log
)";

/// Options in one quoted text, each line continued, as older examples have them.
const std::string kQuoted = R"(#!/bin/bash
GPT_ARGS="
    --tensor-model-parallel-size 4 \
    --pipeline-model-parallel-size 1 \
    --num-layers 32 \
    --hidden-size 4096 \
    --num-attention-heads 32 \
    --seq-length 2048 \
    --max-position-embeddings 2048 \
    --micro-batch-size 4 \
    --global-batch-size 512 \
    --vocab-size 50257 \
    --lr 0.00015 \
    --fp16 \
    --attention-backend flash
"
torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py $GPT_ARGS --data-path /data/my-gpt2_text_document --mock-data
)";

const std::string kJob = R"(# torchtitan job of the language team
[job]
dump_folder = "./outputs"
description = "Llama 3 8B training"

[profiling]
enable_profiling = true

[model]
name = "llama3"
flavor = "8B"
# tokenizer_path = "/models/tokenizer"
tokenizer_path = "./assets/hf/Llama-3.1-8B"

[optimizer]
name = "AdamW"
lr = 3e-4  # found by a sweep
eps = 1e-8

[training]
local_batch_size = 1
seq_len = 8192   # tokens
max_norm = 1.0  # grad norm clipping
steps = 1000
dataset = "c4"

[parallelism]
data_parallel_replicate_degree = 1
data_parallel_shard_degree = -1
tensor_parallel_degree = 1

[activation_checkpoint]
mode = "selective"
selective_ac_option = "op"
)";

const std::string kConfiguration = R"({
  "train_batch_size": "auto",
  "train_micro_batch_size_per_gpu": 4,
  "gradient_clipping": 1.0,
  "optimizer": {
    "type": "AdamW",
    "params": {"lr": 3e-5, "betas": [0.9, 0.999], "eps": 1e-8}
  },
  "bf16": {"enabled": true},
  "zero_optimization": {
    "stage": 2,
    "overlap_comm": true,
    "offload_optimizer": {
      "device": "cpu"
    }
  },
  "steps_per_print": 2000
}
)";

class TestExportInto : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261123 max_success=40"); }

    void anUnchangedPlanLeavesTheTextAlone()
    {
        for (const std::string& text : {kArrays, kQuoted})
            QCOMPARE(into(Launcher::Megatron, planOf(Launcher::Megatron, text), text), text);
        QCOMPARE(into(Launcher::Torchtitan, planOf(Launcher::Torchtitan, kJob), kJob), kJob);
        const Plan served = planOf(Launcher::DeepSpeed, kConfiguration, samples::llama13BOnEightCards());
        QCOMPARE(into(Launcher::DeepSpeed, served, kConfiguration), kConfiguration);
    }

    /// The variable that says a degree is changed, not the option that uses it.
    void variablesAreFollowed()
    {
        Plan plan = planOf(Launcher::Megatron, kArrays);
        plan.parallelism.tensor = 4;
        plan.parallelism.pipeline = 4;
        plan.cluster.nodes = 8;
        QCOMPARE(into(Launcher::Megatron, plan, kArrays),
            replaced(kArrays,
                {{"NUM_NODES=${NNODES:-4}", "NUM_NODES=${NNODES:-8}"}, {"TP=8     #", "TP=4     #"}, {"PP=2", "PP=4"},
                    {"--num-layers-per-virtual-pipeline-stage 5", "--num-virtual-stages-per-pipeline-rank 8"}}));
    }

    /// A variable that says something else besides keeps its value: the option gets its own.
    void aVariableOfTwoOptionsIsNotTouched()
    {
        const std::string text = replaced(kArrays,
            {{"PP=2", "PP=8"}, {"--pipeline-model-parallel-size $PP", "--pipeline-model-parallel-size $TP"},
                {"--num-layers-per-virtual-pipeline-stage", "--num-layers-per-virtual-pipeline-stage"}});
        Plan plan = planOf(Launcher::Megatron, text);
        plan.parallelism.tensor = 4;
        const std::string changed = into(Launcher::Megatron, plan, text);
        QCOMPARE(changed, replaced(text, {{"--tensor-model-parallel-size ${TP}", "--tensor-model-parallel-size 4"}}));
    }

    void switchesComeAndGo()
    {
        Plan plan = planOf(Launcher::Megatron, kArrays);
        plan.recipe.sharding = Sharding::None;
        plan.recipe.overlap.gradients = true;
        plan.recipe.recompute.granularity = RecomputeGranularity::Full;
        plan.recipe.recompute.modules.clear();
        plan.recipe.recompute.layers = 2;
        const std::string changed = into(Launcher::Megatron, plan, kArrays);
        const Plan back = planOf(Launcher::Megatron, changed);
        QCOMPARE(back.recipe.sharding, Sharding::None);
        QVERIFY(back.recipe.overlap.gradients);
        QCOMPARE(back.recipe.recompute.layers, 2);
        QVERIFY(changed.find("--use-distributed-optimizer") == std::string::npos);
        QVERIFY(changed.find("--recompute-activations") == std::string::npos);
        // Nothing else was touched: the lines that are not about these options are the same.
        for (const char* kept : {"--train-iters 500000   # about 0.5T tokens\n", "--lr 3.0e-4\n",
                 "--tokenizer-model \"/models/tok en/tokenizer.model\"\n", "2>&1 | tee train.log\n",
                 "TP=8     # one node\n"})
            QVERIFY2(changed.find(kept) != std::string::npos, changed.c_str());
    }

    void continuedLinesInQuotesAreKept()
    {
        Plan plan = planOf(Launcher::Megatron, kQuoted);
        plan.parallelism.tensor = 8;
        plan.parallelism.sequence = true;
        plan.workload.micro_batch_size = 8;
        plan.recipe.sharding = Sharding::Zero1;
        const std::string changed = into(Launcher::Megatron, plan, kQuoted);
        QCOMPARE(lost(plan, planOf(Launcher::Megatron, changed), {}), QStringList());
        QCOMPARE(changed,
            replaced(kQuoted,
                {{"size 4 \\\n    --pipe", "size 8 \\\n    --sequence-parallel \\\n    --pipe"},
                    {"--micro-batch-size 4", "--micro-batch-size 8"},
                    {"    --fp16 \\\n", "    --fp16 \\\n    --use-distributed-optimizer \\\n"}}));
    }

    void aTestCaseOfMegatronIsChangedInPlace()
    {
        const std::string text =
            "ENV_VARS:\n  CUDA_DEVICE_MAX_CONNECTIONS: 1\nTEST_TYPE: regular\nMODEL_ARGS:\n"
            "  --num-layers: 12\n  --hidden-size: 512\n  --num-attention-heads: 8\n"
            "  --lr: 0.00015 # as before\n  --micro-batch-size: 4\n  --global-batch-size: 32\n"
            "  --seq-length: 1024\n  --max-position-embeddings: 1024\n  --vocab-size: 32000\n"
            "  --tensor-model-parallel-size: 2 # of 8\n  --attention-backend: unfused\n  --bf16: true\n";
        Plan plan = planOf(Launcher::Megatron, text);
        plan.parallelism.tensor = 4;
        plan.recipe.sharding = Sharding::Zero1;
        const std::string changed = into(Launcher::Megatron, plan, text);
        QCOMPARE(changed,
            replaced(text,
                {{"size: 2 # of 8", "size: 4 # of 8"},
                    {"--bf16: true\n", "--bf16: true\n  --use-distributed-optimizer: true\n"}}));
    }

    void aJobKeepsItsCommentsAndItsLearningRate()
    {
        Plan plan = planOf(Launcher::Torchtitan, kJob);
        plan.parallelism.tensor = 8;
        plan.parallelism.data.reset();
        plan.workload.sequence_length = 16384;
        plan.recipe.recompute.granularity = RecomputeGranularity::Full;
        plan.recipe.recompute.modules.clear();
        plan.recipe.kernels = Kernels::Compiled;
        const auto written = exportInto(Launcher::Torchtitan, plan, kJob, presets());
        QVERIFY(written.has_value());
        const std::string& changed = written->text;
        const QStringList missing = lost(plan, planOf(Launcher::Torchtitan, changed, plan), written->notes);
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n') + QString::fromStdString(changed)));
        for (const char* kept : {"# torchtitan job of the language team\n", "lr = 3e-4  # found by a sweep\n",
                 "# tokenizer_path = \"/models/tokenizer\"\n", "seq_len = 16384   # tokens\n", "dataset = \"c4\"\n",
                 "tensor_parallel_degree = 8\n", "mode = \"full\"\n", "max_norm = 1.0  # grad norm clipping\n"})
            QVERIFY2(changed.find(kept) != std::string::npos, changed.c_str());
        QVERIFY2(changed.ends_with("\n[compile]\nenable = true\n"), changed.c_str());
    }

    /// -1, all that the other degrees leave, still says the replicas: it stays.
    void whatFollowsByItselfIsNotSaid()
    {
        Plan base;
        base.cluster.nodes = 1;
        base.cluster.cards_per_node = 8;
        Plan plan = planOf(Launcher::Torchtitan, kJob, base);
        plan.parallelism.tensor = 8;
        plan.parallelism.data.reset();
        plan.workload.global_batch_size = 1;
        plan.workload.tokens.reset();
        const std::string changed = into(Launcher::Torchtitan, plan, kJob);
        QVERIFY2(changed.find("data_parallel_shard_degree = -1\n") != std::string::npos, changed.c_str());
        QVERIFY2(changed.find("tensor_parallel_degree = 8\n") != std::string::npos, changed.c_str());
    }

    void aConfigurationKeepsItsFormAndWhatIsAutomatic()
    {
        Plan plan = planOf(Launcher::DeepSpeed, kConfiguration, samples::llama13BOnEightCards());
        plan.workload.micro_batch_size = 2;
        plan.workload.global_batch_size = 16;
        plan.recipe.sharding = Sharding::Zero3;
        plan.recipe.offload.optimizer = 0.0;
        const std::string changed = into(Launcher::DeepSpeed, plan, kConfiguration);
        QVERIFY2(changed.find("  \"train_batch_size\": \"auto\",\n") != std::string::npos, changed.c_str());
        QVERIFY2(
            changed.find("\"params\": {\"lr\": 3e-5, \"betas\": [0.9, 0.999], \"eps\": 1e-8}") != std::string::npos,
            changed.c_str());
        QVERIFY2(changed.find("offload") == std::string::npos, changed.c_str());
        const Plan back = planOf(Launcher::DeepSpeed, changed, plan);
        QCOMPARE(back.recipe.sharding, Sharding::Zero3);
        QCOMPARE(back.recipe.offload.optimizer, 0.0);
        QCOMPARE(back.workload.micro_batch_size, 2);
    }

    /// A command is no TOML: whatever stands beside it, keys without end included, is left alone.
    void deepKeysBesideACommandAreSurvived()
    {
        std::string text = "a";
        for (int i = 0; i < 125'000; ++i) // as many as a text may have
            text += ".a";
        text += "=1\nrun_train.sh --training.seq_len 4096 --module llama3 --config llama3_8b\n";
        QCOMPARE(into(Launcher::Torchtitan, planOf(Launcher::Torchtitan, kJob), text), text);
    }

    /// Any plan into the text of any other one: read again it says what a new file would have said.
    void whateverChangesItReadsAsANewFileDoes()
    {
        const auto texts = [](Launcher launcher) {
            return launcher == Launcher::Megatron ? std::vector{kArrays, kQuoted}
                : launcher == Launcher::DeepSpeed ? std::vector{kConfiguration}
                                                  : std::vector{kJob};
        };
        QVERIFY(rc::check([&] {
            const Plan drawn = random::plan({""}, {""}, {""});
            for (const LauncherTraits& traits : launchers()) {
                if (traits.write == nullptr) continue;
                Plan plan = drawn;
                if (plan.workload.task == Task::Inference) plan.workload.task = Task::Pretrain;
                for (const std::string& text : texts(traits.value)) {
                    const auto changed = exportInto(traits.value, plan, text, presets());
                    const auto fresh = exportLaunch(traits.value, plan);
                    if (!changed || !fresh) continue; // refused in words
                    const auto back = importLaunch(traits.value, changed->text, plan, presets());
                    RC_ASSERT(back.has_value());
                    const QStringList missing = lost(plan, back->plan, changed->notes);
                    if (!missing.isEmpty()) RC_FAIL(missing.join(u'\n').toStdString() + "\n" + changed->text);
                }
            }
        }));
    }

    /// A server's command, in vLLM's short forms too, and one that has no option yet.
    void aServersCommand()
    {
        const Plan plan = *presets().plan("vllm-qwen3-32b-2-h100");
        const std::string length = std::to_string(plan.workload.sequence_length);
        QCOMPARE(into(Launcher::Vllm, plan, "vllm serve Qwen/Qwen3-32B\n"),
            "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 2 --max-model-len " + length + "\n");
        QCOMPARE(into(Launcher::Vllm, plan, "vllm serve Qwen/Qwen3-32B -tp 4 --port 80 --max-model-len 10 # mine\n"),
            "vllm serve Qwen/Qwen3-32B -tp 2 --port 80 --max-model-len " + length + " # mine\n");
        const auto own = exportLaunch(Launcher::Vllm, plan);
        QVERIFY(own);
        QCOMPARE(into(Launcher::Vllm, plan, own->text), own->text);
    }

    /// A job with the name of another model must not pass for one with the plan's: nobody could read the result.
    void theModelOfAJobFollowsThePlan()
    {
        const auto job = exportLaunch(Launcher::Torchtitan, *presets().plan("torchtitan-llama-3-8b-8-h100"));
        QVERIFY(job);
        const Plan& plan = *presets().plan("deepseek-v3-2048-h800");
        const std::string text = into(Launcher::Torchtitan, plan, job->text);
        QVERIFY2(text.find("name = \"deepseek_v3\"\nflavor = \"671B\"") != std::string::npos, text.c_str());
        QCOMPARE(planOf(Launcher::Torchtitan, text, presets().plans.front().plan).model.id, plan.model.id);
    }

    /// Neither of these takes minutes or gigabytes.
    void longTexts()
    {
        const Plan plan = *presets().plan("llama-3-70b-64-h100");
        const std::string script = exportLaunch(Launcher::Megatron, plan)->text;
        const auto repeated = [](const std::string& text, int times) {
            std::string all;
            for (int i = 0; i < times; ++i)
                all += text;
            return all;
        };
        Plan changed = plan;
        changed.workload.sequence_length /= 2;
        const std::string line = script.substr(0, script.size() - 1);
        QVERIFY(exportInto(Launcher::Megatron, changed, line + repeated(" --seq-length 4096", 2000), presets()));
        std::string job = "[training]\nseq_len = 8192\n[x]\na = {b = 1";
        for (int i = 0; i < 2000; ++i)
            job += ", \"é" + std::to_string(i) + "\" = 1";
        QVERIFY(
            exportInto(Launcher::Torchtitan, *presets().plan("torchtitan-llama-3-8b-8-h100"), job + "}\n", presets()));
        const auto refused = exportInto(Launcher::Megatron, plan, repeated(line, 300), presets());
        QVERIFY(!refused);
        QCOMPARE(refused.error().message.english(), std::string("is larger than 262144 bytes"));
    }

    /// A section's name at the very end of a line of text.
    void aSectionThatIsNone()
    {
        const std::string job = "x = \"\"\"\n[training\"\"\"\n[model]\nname = \"llama3\"\n";
        QVERIFY(exportInto(Launcher::Torchtitan, *presets().plan("torchtitan-llama-3-8b-8-h100"), job, presets()));
    }
};

CARDFIT_TEST(TestExportInto)

} // namespace cardfit::tst_export_into
#include "tst_export_into.moc"
