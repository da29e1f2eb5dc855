// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <QtTest>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/launch/huggingface/huggingface.h"
#include "core/launch/launch.h"
#include "core/layers/layer_split.h"
#include "core/memory/inference.h"
#include "core/model/layer_lists.h"
#include "core/model/operators.h"
#include "core/rules/checks.h"
#include "core/rules/remedies.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_layer_kinds {

const Presets& shippedModels()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const Presets presets = loadPresets(directories);
    return presets;
}

/// A model on a cluster of its size.
struct Placed {
    const char* model;
    const char* cluster;
    std::int64_t nodes, tensor, pipeline, expert;
    qint64 parameters; ///< published: weights of the checkpoint, see the preset's source; 0: only rounded
};
constexpr auto kPlaced = std::to_array<Placed>({
    {"qwen3-next-80b-a3b", "dgx-h100", 8, 2, 2, 16, 79'674'391'296},
    {"qwen3.5-27b", "dgx-h100", 4, 4, 2, 1, 27'320'697'856},
    {"qwen3.5-35b-a3b", "dgx-h100", 4, 2, 1, 8, 35'505'251'456},
    {"qwen3.5-122b-a10b", "dgx-h100", 16, 2, 4, 16, 124'635'206'144},
    {"qwen3.5-397b-a17b", "dgx-h100", 64, 2, 8, 32, 402'941'918'464},
    {"nemotron-3-nano-30b", "dgx-h100", 4, 2, 1, 8, 31'577'937'344},
    {"nemotron-3-super-120b", "dgx-h100", 16, 2, 4, 16, 123'611'012'096},
    {"nemotron-3-ultra-550b", "dgx-h100", 64, 4, 4, 64, 0},
    {"nemotron-h-8b", "dgx-h100", 1, 2, 1, 1, 8'100'852'736},
    {"nemotron-nano-9b-v2", "dgx-h100", 1, 4, 1, 1, 8'888'227'328},
    {"nemotron-nano-12b-v2", "dgx-h100", 1, 4, 1, 1, 12'310'001'152},
    {"kimi-linear-48b-a3b", "dgx-h100", 4, 2, 1, 16, 49'122'681'728},
    {"deepseek-v3.2", "dgx-h100", 64, 2, 8, 32, 683'501'956'608},
    {"glm-5", "dgx-h100", 64, 2, 8, 32, 753'864'139'008},
    {"mimo-v2-flash", "dgx-h100", 32, 4, 4, 32, 0},
    {"deepseek-v4-flash", "dgx-h100", 32, 2, 4, 32, 0},
    {"deepseek-v4-pro", "dgx-b200", 64, 2, 8, 64, 0},
    {"gemma-4-31b", "dgx-h100", 2, 4, 1, 1, 0},
    {"gemma-4-26b-a4b", "dgx-h100", 2, 2, 1, 8, 0},
    {"qwen3-vl-8b", "dgx-h100", 1, 2, 1, 1, 8'767'123'696},
    {"qwen3-vl-30b-a3b", "dgx-h100", 4, 2, 1, 8, 31'070'754'032},
    {"lfm2-350m", "dgx-h100", 1, 1, 1, 1, 354'483'968},
    {"lfm2-700m", "dgx-h100", 1, 1, 1, 1, 742'489'344},
    {"lfm2-1.2b", "dgx-h100", 1, 1, 1, 1, 1'170'340'608},
    {"lfm2-8b-a1b", "dgx-h100", 1, 1, 1, 8, 8'339'930'560},
});

Plan planOf(const Placed& placed)
{
    Plan plan = samples::llama13BOnEightCards();
    plan.model = *shippedModels().model(placed.model);
    plan.cluster = *shippedModels().cluster(placed.cluster);
    plan.cluster.nodes = placed.nodes;
    plan.parallelism = {};
    plan.parallelism.tensor = placed.tensor;
    plan.parallelism.sequence = placed.tensor > 1;
    plan.parallelism.pipeline = placed.pipeline;
    plan.parallelism.expert = placed.expert;
    plan.parallelism.expert_tensor = 1;
    plan.workload.sequence_length = 4096;
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = 24 * cardCount(plan.cluster);
    plan.recipe.sharding = Sharding::Zero1;
    plan.recipe.schedule = Schedule::OneFOneB;
    plan.recipe.recompute.granularity = RecomputeGranularity::Full;
    if (plan.model.architecture.hc_mult > 1)
        plan.recipe.recompute = {RecomputeGranularity::Selective,
            {RecomputeModule::MlaUpProj, RecomputeModule::Mhc, RecomputeModule::MoeAct}, RecomputeMethod::Uniform, 1};
    return plan;
}

const Placed& placedModel(std::string_view id)
{
    return *std::ranges::find_if(kPlaced, [&](const Placed& placed) { return id == placed.model; });
}

double forward(const std::vector<Operator>& operators, std::string_view prefix)
{
    double sum = 0.0;
    for (const Operator& step : operators) {
        if (step.id.starts_with(prefix)) sum += step.forward().value();
    }
    return sum;
}

bool breaks(const Plan& plan, std::string_view id)
{
    return std::ranges::any_of(check(plan), [&](const Check& broken) { return broken.id == id; });
}

class TestLayerKinds : public QObject {
    Q_OBJECT

private slots:
    /// Every shipped model against its published count, to 0.1 %, or to half a billion where that is rounded to one.
    void presetsCountWhatIsPublished()
    {
        for (const Model& model : shippedModels().models) {
            if (!model.reported_parameters) continue;
            const double published = *model.reported_parameters;
            const bool rounded = std::fmod(published, 1e9) == 0.0;
            const double missing = static_cast<double>(parameterCount(model.architecture)) - published;
            QVERIFY2(std::abs(missing) < (rounded ? 0.5e9 : 1e-3 * published), model.id.c_str());
        }
    }

    /// Exactly, but for biases that routers correct their scores by: one for every expert, none of them trained.
    void checkpointsAreCountedExactly()
    {
        for (const Placed& placed : kPlaced) {
            if (placed.parameters == 0) continue;
            const Architecture& model = shippedModels().model(placed.model)->architecture;
            const std::int64_t missing = placed.parameters - parameterCount(model);
            const std::int64_t experts = layerKinds(model).count([](LayerKind kind) { return kind.experts(); });
            const std::int64_t biases = model.moe ? (experts + model.mtp_layers) * model.moe->num_experts : 0;
            QVERIFY2(missing == 0 || missing == biases, placed.model);
        }
    }

    void everyModelIsEstimated_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < kPlaced.size(); ++i)
            QTest::newRow(kPlaced[i].model) << static_cast<int>(i);
    }
    void everyModelIsEstimated()
    {
        QFETCH(int, index);
        const Plan plan = planOf(kPlaced[static_cast<std::size_t>(index)]);
        for (const Check& broken : check(plan)) {
            if (broken.severity == Severity::Error) QFAIL((broken.id + ": " + broken.message.english()).c_str());
        }
        const Estimate result = estimate(plan);
        QVERIFY(result.complete());
        const StageMemory& worst = result.stages[result.worstStage()];
        QVERIFY2(result.fits(), std::to_string(worst.device().value()).c_str());
        QVERIFY2(result.step.mfu > 0.03 && result.step.mfu < 0.6, std::to_string(result.step.mfu).c_str());
    }

    /// Megatron-LM, training/training.py: gdn_layer_flops and mamba_layer_flops, for one token.
    void recurrencesWorkAsMegatronCounts()
    {
        const Architecture& qwen = shippedModels().model("qwen3-next-80b-a3b")->architecture;
        CardShare one;
        const auto delta = layerOperators(qwen, one, {}, {TokenMixer::GatedDeltaNet, LayerMlp::None});
        const double projected = 2.0 * 2048 + 2.0 * 4096 + 2.0 * 32;
        QCOMPARE(forward(delta, "delta"),
            2.0 * (2048 * projected + 4 * (2.0 * 2048 + 4096) + 32 * 128.0 * 128 * 4 + 2048 * 4096.0));

        const Architecture& nano = shippedModels().model("nemotron-3-nano-30b")->architecture;
        const auto mamba = layerOperators(nano, one, {}, {TokenMixer::Mamba, LayerMlp::None});
        const double inner = 64 * 64;
        QCOMPARE(
            forward(mamba, "mamba"), 2.0 * 2688 * (2 * inner + 2 * 8 * 128 + 64) + 7 * inner * 128 + 2 * inner * 2688);
    }

    /// moe_layer_flops with moe_latent_size: routed experts at the latent's width, and two products around them.
    void latentExpertsWorkAndSendAtTheirWidth()
    {
        const Architecture& super = shippedModels().model("nemotron-3-super-120b")->architecture;
        CardShare one;
        one.sequence = 64;
        const auto latent = layerOperators(super, one, {}, {TokenMixer::None, LayerMlp::Experts});
        QCOMPARE(forward(latent, "experts") / 64, 4.0 * 1024 * 2688 * 22);
        QCOMPARE(forward(latent, "latent") / 64, 4.0 * 4096 * 1024);
        one.expert = 8;
        Architecture wide = super;
        wide.moe->moe_latent_size = 0;
        const auto sent = [&](const Architecture& model) {
            Bytes bytes;
            for (const Operator& step : layerOperators(model, one, {}, {TokenMixer::None, LayerMlp::Experts})) {
                for (const Communication& exchange : step.forward_sends)
                    bytes += exchange.payload;
            }
            return bytes;
        };
        QCOMPARE(sent(wide).value(), 4 * sent(super).value());
    }

    /// A fused squared ReLU is weighted in the same kernel and keeps no unweighted output (Megatron-LM,
    /// core/fusions/fused_weighted_squared_relu.py).
    void fusedSquaredReluIsWeightedAtOnce()
    {
        const Architecture super = shippedModels().model("nemotron-3-super-120b")->architecture;
        const auto keeps = [&](bool fused) {
            OperatorOptions options;
            options.fused_activation = fused;
            bool found = false;
            for (const Operator& step :
                layerOperators(super, CardShare(), options, {TokenMixer::None, LayerMlp::Experts})) {
                for (const SavedTensor& tensor : step.saved)
                    found = found || tensor.id == "experts.unweighted_output";
            }
            return found;
        };
        QVERIFY(keeps(false));
        QVERIFY(!keeps(true));
    }

    /// Megatron-Core clamps gpt-oss's gate and up in kernels of their own, and concatenates them (Megatron-LM,
    /// core/fusions/fused_bias_geglu.py): the activation's 3 passes become 11 forward and 16 instead of 6 backward, and
    /// both inputs and outputs of the clamps are kept. Experts of other shapes have none.
    void clampsOfGptOssAreKernelsOfTheirOwn()
    {
        const Architecture oss = shippedModels().model("gpt-oss-20b")->architecture;
        Architecture unbiased = oss;
        unbiased.mlp_bias = false;
        const auto activation = [](const Architecture& model, bool apart) {
            OperatorOptions options;
            options.clamps_apart = apart;
            const auto layer = layerOperators(model, CardShare(), options, {TokenMixer::Attention, LayerMlp::Experts});
            return *std::ranges::find(layer, "experts.activation", &Operator::id);
        };
        const Operator fused = activation(oss, false);
        const Operator apart = activation(oss, true);
        QCOMPARE(3 * apart.moved, 11 * fused.moved);
        const auto backward = [](const Operator& step) {
            return step.backward_traffic * static_cast<double>(step.moved.value());
        };
        QCOMPARE(backward(fused), 6.0 / 3.0 * static_cast<double>(fused.moved.value()));
        QCOMPARE(backward(apart), 16.0 / 3.0 * static_cast<double>(fused.moved.value()));
        QCOMPARE(fused.saved.size() + 1, apart.saved.size());
        QCOMPARE(apart.saved.back().id, "experts.clamped");
        QCOMPARE(apart.saved.back().bytes, apart.saved.front().bytes);
        QCOMPARE(activation(unbiased, true).moved, activation(unbiased, false).moved);
    }

    /// HybridEP: every rank gets a byte for each of all ranks' tokens and each expert, before the tokens.
    void routingMapsAreGathered()
    {
        const Architecture& super = shippedModels().model("nemotron-3-super-120b")->architecture;
        CardShare share;
        share.sequence = 8192;
        share.expert = 64;
        OperatorOptions options;
        const auto gathered = [&] {
            Bytes bytes;
            for (const Operator& step : layerOperators(super, share, options, {TokenMixer::None, LayerMlp::Experts})) {
                for (const Communication& sent : step.forward_sends)
                    bytes += sent.collective == Collective::AllGather ? sent.payload : Bytes(0);
            }
            return bytes.value();
        };
        QCOMPARE(gathered(), 0);
        options.routing_gathered = true;
        QCOMPARE(gathered(), std::int64_t{64} * 8192 * 512);
    }

    /// Beyond index_topk tokens, attention grows with the sequence and no more with its square; the indexer does.
    void sparseAttentionSeesItsChoice()
    {
        const Architecture& sparse = shippedModels().model("deepseek-v3.2")->architecture;
        const auto perToken = [&](std::string_view id, std::int64_t sequence) {
            CardShare share;
            share.sequence = sequence;
            return forward(layerOperators(sparse, share, {}, kDenseLayer), id) / static_cast<double>(sequence);
        };
        QVERIFY(perToken("attention", 1 << 17) < 1.02 * perToken("attention", 1 << 16));
        const double score = perToken("indexer", 1 << 17) - perToken("indexer", 1 << 16);
        QCOMPARE(score, static_cast<double>((1 << 16) * 64 * 128));
    }

    /// The state of a recurrent layer stays as large as it is however long the sequence becomes.
    void statesDoNotGrowWithTheSequence()
    {
        Plan plan = planOf(placedModel("nemotron-nano-9b-v2"));
        plan.workload.task = Task::Inference;
        plan.workload.global_batch_size = 8;
        const auto term = [&](std::int64_t sequence, std::string_view id) {
            plan.workload.sequence_length = sequence;
            const PlanContext context = planContext(plan);
            for (const Term& one : keyValueCache(plan, context.stages.front())) {
                if (one.id == id) return one.bytes.value();
            }
            return std::int64_t{0};
        };
        QCOMPARE(term(32768, "kv_cache"), 8 * term(4096, "kv_cache"));
        QCOMPARE(term(32768, "state_cache"), term(4096, "state_cache"));
        // 27 Mamba-2 layers: 128 heads of 80 x 128 in fp32, and 4 tokens of 12,288 channels, over 4 cards; 4 sequences.
        QCOMPARE(term(4096, "state_cache"), 4 * 27 * (128 * 80 * 128 * 4 + 12288 * 4 * 2) / 4);
    }

    /// MiMo-V2-Flash: with a window 8 keys of 192 and values of 128 features, without one 4 (arXiv:2601.02780).
    void windowedLayersHaveHeadsOfTheirOwn()
    {
        Plan plan = planOf(placedModel("mimo-v2-flash"));
        const OperatorTables tables = operatorTables(plan);
        const auto weights = [&](TokenMixer mixer, std::string_view id) {
            for (const Operator& step : tables.layers.of({mixer, LayerMlp::Experts})) {
                if (step.id == id) return step.weights.front().rows * step.weights.front().columns;
            }
            return std::int64_t{0};
        };
        QCOMPARE(weights(TokenMixer::Attention, "qkv"), std::int64_t{(64 * 192 + 4 * (192 + 128)) * 4096 / 4});
        QCOMPARE(weights(TokenMixer::WindowedAttention, "qkv"), std::int64_t{(64 * 192 + 8 * (192 + 128)) * 4096 / 4});
        QCOMPARE(weights(TokenMixer::WindowedAttention, "projection"), std::int64_t{64 * 128 * 4096 / 4});
        plan.workload.task = Task::Inference;
        QCOMPARE(cachedValues(plan), 320.0);
        QCOMPARE(cachedValues(plan, TokenMixer::WindowedAttention), 640.0);
        // What is not said is as in the other layers; heads of its own need a list of layers.
        plan = planOf(placedModel("mimo-v2-flash"));
        Architecture& model = plan.model.architecture;
        const std::int64_t own = parameterCount(model);
        model.sliding_attention->num_attention_heads = model.sliding_attention->head_dim = 0;
        QCOMPARE(parameterCount(model), own);
        model.sliding_attention->num_key_value_heads = 0;
        QCOMPARE(own - parameterCount(model), std::int64_t{39 * 4 * (192 + 128) * 4096});
        model.sliding_attention->num_key_value_heads = 7;
        QVERIFY(breaks(plan, "KV-HEADS"));
        model.sliding_attention->num_key_value_heads = 6;
        QVERIFY(breaks(plan, "TP-KV-HEADS"));
        model.layer_types.clear();
        QVERIFY(breaks(plan, "LAYER-PATTERN"));
    }

    /// Gemma 4: layers without a window have heads of 512, and values that are keys; the cache holds both all the same
    /// (transformers, models/gemma4/modeling_gemma4.py).
    void valuesThatAreKeys()
    {
        Plan plan = planOf(placedModel("gemma-4-31b"));
        plan.parallelism.tensor = 1;
        const OperatorTables tables = operatorTables(plan);
        const auto qkv = [&](TokenMixer mixer) {
            for (const Operator& step : tables.layers.of({mixer, LayerMlp::Dense})) {
                if (step.id == "qkv") return step.weights.front().elements();
            }
            return std::int64_t{0};
        };
        QCOMPARE(qkv(TokenMixer::Attention), std::int64_t{5376 * (32 + 4) * 512});
        QCOMPARE(qkv(TokenMixer::WindowedAttention), std::int64_t{5376 * (32 + 2 * 16) * 256});
        // Announced with 30.7 billion parameters, and 25.2, of which 3.8 are active.
        QVERIFY(std::abs(static_cast<double>(parameterCount(plan.model.architecture)) - 30.7e9) < 0.05e9);
        const Architecture& mixture = shippedModels().model("gemma-4-26b-a4b")->architecture;
        QVERIFY(std::abs(static_cast<double>(parameterCount(mixture)) - 25.2e9) < 0.05e9);
        QVERIFY(std::abs(static_cast<double>(activeParameterCount(mixture)) - 3.8e9) < 0.1e9);
        plan.workload.task = Task::Inference;
        QCOMPARE(cachedValues(plan), 2.0 * 4 * 512);
        plan.model.architecture.mla = LatentAttention{0, 512, 128, 64, 128};
        QVERIFY(breaks(plan, "LAYER-PATTERN"));
    }

    /// Qwen3-VL: its towers are in the checkpoints' counts, which tst_shipped_models holds to the presets. A frozen one
    /// costs its weights and a forward pass; one that learns keeps its tensors and has states.
    void visionTowers()
    {
        Plan plan = planOf(placedModel("qwen3-vl-8b"));
        plan.recipe.recompute.granularity = RecomputeGranularity::None;
        const VisionTower& tower = *plan.model.architecture.vision;
        const auto weights = [](const std::vector<Operator>& operators) { return countElements(operators).total(); };
        const auto first = [](const Plan& one) { return estimate(one).stages.front().device(); };
        const auto step = [](const Plan& one) { return estimate(one).step.seconds; };
        const std::int64_t parameters = 8'767'123'696 - 8'190'735'360;
        QCOMPARE(qint64{weights(operatorTables(plan).vision)}, qint64{parameters});
        Plan seeing = plan;
        seeing.workload.image_tokens = 1024;
        // 4,096 patches that each see all of them; products three times as often where the tower learns.
        const OperatorTables tables = operatorTables(seeing);
        const double patches = 4096.0;
        const double products = static_cast<double>(tower.num_hidden_layers)
            * (4.0 * 1152 * 1152 + 2.0 * 1152 * 4304 + 2.0 * patches * 1152) * 2.0 * patches;
        QCOMPARE(forward(tables.vision, "vision.layers"), products);
        QCOMPARE(savedBytes(tables.vision).value(), std::int64_t{0});
        QVERIFY(step(seeing) > step(plan));
        QCOMPARE(first(seeing).value(), first(plan).value());
        Plan learning = seeing;
        learning.recipe.train_vision = true;
        const Bytes kept = savedBytes(operatorTables(learning).vision);
        const double layer = 8.0 * 1152 + 2.0 * 4304 + 2.0 * 16;
        QCOMPARE(double(kept.value()), 2.0 * patches * (27 * layer + 1536) + 4.0 * 2.0 * 4 * 1024 * 4608);
        QVERIFY(step(learning) > step(seeing));
        QVERIFY(first(learning) > first(seeing));
        // The last stage does not see images.
        Plan pipelined = learning;
        pipelined.parallelism.pipeline = 2;
        Plan blind = pipelined;
        blind.workload.image_tokens = 0;
        blind.parallelism.layers_per_stage = pipelined.parallelism.layers_per_stage = {{18, 18}};
        QCOMPARE(estimate(pipelined).stages.back().device().value(), estimate(blind).stages.back().device().value());
        // Divided over tensor ranks, its products are; with LoRA it is frozen like the rest; rules.
        learning.parallelism.vision_tensor = true;
        QVERIFY(weights(operatorTables(learning).vision) < parameters);
        learning.workload.task = Task::Lora;
        QCOMPARE(savedBytes(operatorTables(learning).vision).value(), std::int64_t{0});
        Plan broken = seeing;
        broken.workload.image_tokens = 8192;
        QVERIFY(breaks(broken, "VISION"));
        broken.workload.image_tokens = 1024;
        broken.workload.images = 2048;
        QVERIFY(breaks(broken, "VISION"));
        broken.workload.images = 1;
        Plan divided = broken;
        divided.parallelism.vision_tensor = true;
        divided.parallelism.tensor = 32;
        const auto checks = check(divided);
        const auto wrong = std::ranges::find(checks, "VISION-TENSOR", &Check::id);
        QVERIFY(wrong != checks.end() && !remedies(divided, *wrong).empty());
        broken.model = *shippedModels().model("qwen3-8b");
        QVERIFY(breaks(broken, "VISION"));
    }

    /// DeepSeek-V4-Flash, by transformers' modeling_deepseek_v4.py: what each kind of layer has beside the others.
    void compressedLayersHaveTheirWeights()
    {
        const Architecture& model = shippedModels().model("deepseek-v4-flash")->architecture;
        CardShare share;
        share.vocabulary = model.vocab_size;
        const auto dense = [&](TokenMixer mixer) {
            return countElements(layerOperators(model, share, {}, {mixer, LayerMlp::Experts})).dense;
        };
        const std::int64_t window = dense(TokenMixer::WindowedAttention);
        // Announced with 284 billion, 13 of them active, and 1.6 trillion, without the prediction layer.
        Architecture main = model;
        main.mtp_layers = 0;
        QVERIFY(std::abs(static_cast<double>(parameterCount(main)) - 284e9) < 0.5e9);
        QVERIFY(std::abs(static_cast<double>(activeParameterCount(main)) - 13e9) < 1e9);
        main = shippedModels().model("deepseek-v4-pro")->architecture;
        main.mtp_layers = 0;
        QVERIFY(std::abs(static_cast<double>(parameterCount(main)) - 1.6e12) < 0.05e12);
        // Two norms, queries, the key, sinks, the output in two steps; shared expert and router; two connections.
        const std::int64_t attention =
            4096 * 1024 + 1024 + 1024 * 64 * 512 + 4096 * 512 + 512 + 64 + 8 * 1024 * 4096 + 8 * 1024 * 4096;
        const std::int64_t experts = 3 * 4096 * 2048 + 256 * 4096;
        const std::int64_t streams = 2 * (24 * 4 * 4096 + 24 + 3);
        QCOMPARE(qint64{window}, qint64{2 * 4096 + attention + experts + streams});
        QCOMPARE(qint64{dense(TokenMixer::HeavilyCompressed) - window}, qint64{2 * 512 * 4096 + 128 * 512 + 512});
        QCOMPARE(qint64{dense(TokenMixer::CompressedSparse) - window},
            qint64{4 * 512 * 4096 + 4 * 1024 + 512 + 4 * 128 * 4096 + 4 * 256 + 128 + 64 * 128 * 1024 + 64 * 4096});
    }

    /// Behind the window an entry stands for 4 or 128 tokens; sparse layers keep the indexer's key beside it.
    void compressedTokensAreCached()
    {
        Plan plan = planOf(placedModel("deepseek-v4-flash"));
        plan.workload.task = Task::Inference;
        plan.workload.global_batch_size = dataParallel(plan);
        plan.workload.sequence_length = 65536;
        plan.parallelism.tensor = plan.parallelism.pipeline = 1;
        const PlanContext context = planContext(plan);
        std::map<std::string_view, std::int64_t> cache;
        for (const Term& term : keyValueCache(plan, context.stages.front()))
            cache[term.id] = term.bytes.value();
        const double sequences = servedSequences(plan);
        QCOMPARE(cache.size(), std::size_t{2});
        QCOMPARE(double(cache["kv_cache.windowed"]), 2.0 * sequences * 43 * 128 * 512);
        QCOMPARE(double(cache["kv_cache.compressed"]),
            2.0 * sequences * 65536 * (21 * (512 + 128) / 4.0 + 20 * 512 / 128.0));
    }

    /// Hyper-connections: streams between layers and stages are as many times as wide; recomputing them frees them.
    void residualStreamsWiden()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.model = *shippedModels().model("llama-3-8b");
        plan.parallelism = {};
        plan.parallelism.pipeline = 2;
        plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
        Plan wide = plan;
        wide.model.architecture.hc_mult = 4;
        QCOMPARE(streamsBetweenLayers(wide).value(), 4 * residualStream(plan).value());
        QCOMPARE(stageTransfers(wide).time > 2.0 * stageTransfers(plan).time, true);
        const std::int64_t mapping = 24 * 4 * 4096 + 24 + 3;
        QCOMPARE(qint64{parameterCount(wide.model.architecture) - parameterCount(plan.model.architecture)},
            qint64{2 * 32 * mapping + 4 * 4 * 4096 + 4 + 1});
        const auto kept = [&](std::vector<RecomputeModule> modules) {
            wide.recipe.recompute = {RecomputeGranularity::Selective, std::move(modules), RecomputeMethod::Uniform, 1};
            return savedBytes(operatorTables(wide).layers.of(kDenseLayer), recomputedModules(wide.recipe.recompute));
        };
        const std::int64_t stream = residualStream(plan).value();
        const Bytes freed = kept({RecomputeModule::CoreAttn}) - kept({RecomputeModule::CoreAttn, RecomputeModule::Mhc});
        // Twice per layer: four streams, their sum and, in fp32, two times 24 weights a token.
        QCOMPARE(qint64{freed.value()}, qint64{2 * (5 * stream + 2 * 4 * 24 * stream / (2 * 4096))});
    }

    /// A list and the letters of the same layers are the same model.
    void patternsAndTypesAgree()
    {
        Architecture listed = shippedModels().model("qwen3.5-27b")->architecture;
        listed.mtp_layers = 0;
        Architecture lettered = listed;
        lettered.layer_types.clear();
        for (const LayerType type : listed.layer_types)
            lettered.hybrid_layer_pattern += type == LayerType::FullAttention ? "*-" : "G-";
        lettered.num_hidden_layers *= 2;
        QCOMPARE(parameterCount(lettered), parameterCount(listed));
    }

    /// Hugging Face's files, as the models' makers publish them, shortened to what says the shape.
    void configurationsAreRead_data()
    {
        QTest::addColumn<QString>("json");
        const auto add = [](const char* model, const char* json) { QTest::newRow(model) << QString(json); };
        add("qwen3-next-80b-a3b",
            R"({"model_type": "qwen3_next", "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "intermediate_size": 5120, "vocab_size": 151936, "linear_num_key_heads": 16, "linear_num_value_heads": 32, "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "full_attention_interval": 4, "num_experts": 512, "num_experts_per_tok": 10, "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "decoder_sparse_step": 1, "mlp_only_layers": []})");
        add("qwen3.5-27b",
            R"({"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text", "hidden_size": 5120, "num_hidden_layers": 64, "num_attention_heads": 24, "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 17408, "vocab_size": 248320, "linear_num_value_heads": 48, "attn_output_gate": true, "mtp_num_hidden_layers": 1}, "vision_config": {"depth": 27}})");
        add("nemotron-3-super-120b",
            R"({"model_type": "nemotron_h", "hidden_size": 4096, "num_hidden_layers": 88, "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128, "intermediate_size": 2688, "vocab_size": 131072, "mamba_num_heads": 128, "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "mlp_hidden_act": "relu2", "hybrid_override_pattern": "MEMEMEM*EMEMEMEM*EMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEMEM*EMEMEMEM*EMEMEMEME", "mtp_hybrid_override_pattern": "*E", "num_nextn_predict_layers": 1, "n_routed_experts": 512, "num_experts_per_tok": 22, "moe_intermediate_size": 2688, "n_shared_experts": 1, "moe_shared_expert_intermediate_size": 5376, "moe_latent_size": 1024})");
        add("nemotron-nano-9b-v2",
            R"({"model_type": "nemotron_h", "hidden_size": 4480, "num_hidden_layers": 56, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 15680, "vocab_size": 131072, "mamba_num_heads": 128, "mamba_head_dim": 80, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "hybrid_override_pattern": "M-M-M-MM-M-M-M*-M-M-M*-M-M-M-M*-M-M-M-M*-M-MM-M-M-M-M-M-"})");
        add("kimi-linear-48b-a3b",
            R"({"model_type": "kimi_linear", "hidden_size": 2304, "num_hidden_layers": 27, "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 9216, "vocab_size": 163840, "q_lora_rank": null, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "first_k_dense_replace": 1, "moe_intermediate_size": 1024, "moe_layer_freq": 1, "num_experts": 256, "num_experts_per_token": 8, "num_shared_experts": 1, "linear_attn_config": {"full_attn_layers": [4, 8, 12, 16, 20, 24, 27], "kda_layers": [1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19, 21, 22, 23, 25, 26], "head_dim": 128, "num_heads": 32, "short_conv_kernel_size": 4}})");
        add("deepseek-v3.2",
            R"({"model_type": "deepseek_v32", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432, "vocab_size": 129280, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 256, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "n_shared_experts": 1, "first_k_dense_replace": 3, "num_nextn_predict_layers": 1, "index_head_dim": 128, "index_n_heads": 64, "index_topk": 2048})");
        add("mimo-v2-flash",
            R"({"model_type": "mimo_v2_flash", "hidden_size": 4096, "num_hidden_layers": 48, "num_attention_heads": 64, "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "intermediate_size": 16384, "vocab_size": 152576, "swa_num_attention_heads": 64, "swa_num_key_value_heads": 8, "swa_head_dim": 192, "swa_v_head_dim": 128, "sliding_window": 128, "sliding_window_size": 128, "n_routed_experts": 256, "n_shared_experts": null, "num_experts_per_tok": 8, "moe_intermediate_size": 2048, "hybrid_layer_pattern": [0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0], "moe_layer_freq": [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]})");
        add("deepseek-v4-flash",
            R"({"model_type": "deepseek_v4", "hidden_size": 4096, "num_hidden_layers": 43, "num_attention_heads": 64, "num_key_value_heads": 1, "head_dim": 512, "vocab_size": 129280, "q_lora_rank": 1024, "o_groups": 8, "o_lora_rank": 1024, "qk_rope_head_dim": 64, "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 6, "moe_intermediate_size": 2048, "num_hash_layers": 3, "index_head_dim": 128, "index_n_heads": 64, "index_topk": 512, "sliding_window": 128, "hc_mult": 4, "hc_sinkhorn_iters": 20, "hc_eps": 1e-06, "compress_ratios": [0, 0, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 128, 4, 0], "compress_rope_theta": 160000.0, "num_nextn_predict_layers": 1})");
        add("gemma-4-31b",
            R"({"model_type": "gemma4", "text_config": {"model_type": "gemma4_text", "hidden_size": 5376, "num_hidden_layers": 60, "num_attention_heads": 32, "num_key_value_heads": 16, "num_global_key_value_heads": 4, "head_dim": 256, "global_head_dim": 512, "intermediate_size": 21504, "attention_k_eq_v": true, "hidden_size_per_layer_input": 0, "num_kv_shared_layers": 0, "enable_moe_block": false, "num_experts": null, "top_k_experts": null, "moe_intermediate_size": null, "sliding_window": 1024, "vocab_size": 262144}, "vision_config": {"hidden_size": 1152}})");
        add("gemma-4-26b-a4b",
            R"({"model_type": "gemma4_text", "hidden_size": 2816, "num_hidden_layers": 30, "num_attention_heads": 16, "num_key_value_heads": 8, "num_global_key_value_heads": 2, "head_dim": 256, "global_head_dim": 512, "intermediate_size": 2112, "attention_k_eq_v": true, "hidden_size_per_layer_input": 0, "num_kv_shared_layers": 0, "enable_moe_block": true, "num_experts": 128, "top_k_experts": 8, "moe_intermediate_size": 704, "sliding_window": 1024, "vocab_size": 262144})");
        add("qwen3-vl-8b",
            R"({"model_type": "qwen3_vl", "tie_word_embeddings": false, "text_config": {"model_type": "qwen3_vl_text", "hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288, "vocab_size": 151936}, "vision_config": {"model_type": "qwen3_vl", "hidden_size": 1152, "depth": 27, "num_heads": 16, "intermediate_size": 4304, "out_hidden_size": 4096, "patch_size": 16, "temporal_patch_size": 2, "spatial_merge_size": 2, "num_position_embeddings": 2304, "deepstack_visual_indexes": [8, 16, 24]}})");
        add("lfm2-1.2b",
            R"({"model_type": "lfm2", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "block_ff_dim": 12288, "block_auto_adjust_ff_dim": true, "block_ffn_dim_multiplier": 1.0, "block_multiple_of": 256, "vocab_size": 65536, "conv_L_cache": 3, "full_attn_idxs": [2, 5, 8, 10, 12, 14]})");
        add("lfm2-8b-a1b",
            R"({"model_type": "lfm2_moe", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 7168, "vocab_size": 65536, "conv_L_cache": 3, "num_dense_layers": 2, "moe_intermediate_size": 1792, "num_experts": 32, "num_experts_per_tok": 4, "layer_types": ["conv", "conv", "full_attention", "conv", "conv", "conv", "full_attention", "conv", "conv", "conv", "full_attention", "conv", "conv", "conv", "full_attention", "conv", "conv", "conv", "full_attention", "conv", "conv", "full_attention", "conv", "conv"]})");
    }
    void configurationsAreRead()
    {
        QFETCH(QString, json);
        const auto read = readHuggingFaceModel(json.toStdString());
        QVERIFY2(read, read ? "" : read.error().message.english().c_str());
        Architecture found = read->model.architecture;
        const Architecture& shipped = shippedModels().model(QTest::currentDataTag())->architecture;
        if (!shipped.vision) found.vision.reset(); // the presets of Qwen3.5 are of the language model alone
        QCOMPARE(qint64{parameterCount(found)}, qint64{parameterCount(shipped)});
        QVERIFY(layerKinds(found) == layerKinds(shipped));
        QCOMPARE(found.hybrid_layer_pattern, shipped.hybrid_layer_pattern);
        QVERIFY(found.layer_types == shipped.layer_types);
        QVERIFY(found.sliding_attention == shipped.sliding_attention && found.v_head_dim == shipped.v_head_dim);
    }

    /// What Megatron-LM can run comes back from its own flags.
    void megatronSaysTheSameModel_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"qwen3-next-80b-a3b", "qwen3.5-122b-a10b", "nemotron-3-nano-30b",
                 "nemotron-3-super-120b", "nemotron-h-8b", "deepseek-v3.2"})
            QTest::newRow(model) << QString(model);
    }
    void megatronSaysTheSameModel()
    {
        QFETCH(QString, model);
        const Plan plan = planOf(placedModel(model.toStdString()));
        const auto exported = exportLaunch(Launcher::Megatron, plan);
        QVERIFY(exported);
        const auto back = importLaunch(Launcher::Megatron, exported->text, Plan(), Presets());
        QVERIFY2(back, back ? "" : back.error().message.english().c_str());
        const Architecture& found = back->plan.model.architecture;
        QCOMPARE(qint64{parameterCount(found)}, qint64{parameterCount(plan.model.architecture)});
        QVERIFY(layerKinds(found) == layerKinds(plan.model.architecture));
    }

    /// DeepSeek-V4-Flash by the options of Megatron-LM's dev branch, and the streams' options of its main branch.
    void compressedAttentionFromMegatron()
    {
        const std::string script =
            "torchrun pretrain_gpt.py --num-layers 43 --hidden-size 4096 --ffn-hidden-size 2048 --num-attention-heads "
            "64 --seq-length 4096 --max-position-embeddings 4096 --micro-batch-size 1 --normalization RMSNorm "
            "--disable-bias-linear --swiglu --position-embedding-type rope "
            "--untie-embeddings-and-output-weights --vocab-size 129280 --multi-latent-attention --q-lora-rank 1024 "
            "--v-head-dim 512 --qk-pos-emb-head-dim 64 --o-groups 8 --o-lora-rank 1024 "
            "--experimental-attention-variant dsv4_hybrid --csa-window-size 128 --csa-compress-ratios "
            "'([0,0]+[4,128]*20+[4,0])' --dsa-indexer-n-heads 64 --dsa-indexer-head-dim 128 --dsa-indexer-topk 512 "
            "--num-experts 256 --moe-ffn-hidden-size 2048 --moe-shared-expert-intermediate-size 2048 "
            "--moe-router-topk 6 --mtp-num-layers 1 ";
        for (const char* streams : {"--enable-hyper-connections --num-residual-streams 4",
                 "--enable-mhc-connections --mhc-num-residual-streams 4"}) {
            const auto read = importLaunch(Launcher::Megatron, script + streams, Plan(), Presets());
            QVERIFY2(read, read ? "" : read.error().message.english().c_str());
            const Architecture& found = read->plan.model.architecture;
            const Architecture& shipped = shippedModels().model("deepseek-v4-flash")->architecture;
            QCOMPARE(qint64{parameterCount(found)}, qint64{parameterCount(shipped)});
            QVERIFY(found.layer_types == shipped.layer_types);
            QVERIFY(found.compressed_attention == shipped.compressed_attention && found.hc_mult == 4);
        }
    }

    void otherDepthsRepeatTheList()
    {
        for (const char* id : {"nemotron-3-super-120b", "qwen3.5-27b"}) {
            const Architecture& model = shippedModels().model(id)->architecture;
            QVERIFY(withLayers(model, model.num_hidden_layers) == model);
            const Architecture deeper = withLayers(model, model.num_hidden_layers + 8);
            for (std::int64_t layer = 0; layer < 8; ++layer)
                QVERIFY(layerKind(deeper, model.num_hidden_layers + layer) == layerKind(model, layer));
            QVERIFY(predictionKinds(deeper) == predictionKinds(model));
        }
    }

    void rulesOfLayers()
    {
        Plan plan = planOf(placedModel("nemotron-3-nano-30b"));
        QVERIFY(!breaks(plan, "LAYER-PATTERN"));
        Plan longer = plan;
        ++longer.model.architecture.num_hidden_layers;
        QVERIFY(breaks(longer, "LAYER-PATTERN"));
        Plan letter = plan;
        letter.model.architecture.hybrid_layer_pattern[0] = 'X';
        QVERIFY(breaks(letter, "LAYER-PATTERN"));
        Plan sizes = plan;
        sizes.model.architecture.mamba.reset();
        QVERIFY(breaks(sizes, "LAYER-PATTERN"));
        QVERIFY(!estimate(sizes).complete());
        Plan tensor = plan;
        tensor.parallelism.tensor = 16; // 8 groups
        QVERIFY(breaks(tensor, "TP-RECURRENT"));
        Plan context = plan;
        context.parallelism.context = 2;
        QVERIFY(!breaks(context, "CP-RECURRENT"));
        context.recipe.framework = Framework::Fsdp;
        QVERIFY(breaks(context, "CP-RECURRENT"));
    }

    /// The busiest stage of a split by time is lighter than that of one by numbers: layers of different kinds cost
    /// different times.
    void splitsKnowTheirKinds()
    {
        Plan plan = planOf(placedModel("nemotron-3-nano-30b"));
        plan.parallelism.tensor = 1;
        plan.parallelism.sequence = false;
        plan.parallelism.pipeline = 8;
        plan.parallelism.expert = 4;
        const Estimate by_time = estimate(plan);
        plan.parallelism.layers_per_stage = {7, 7, 7, 7, 6, 6, 6, 6};
        const Estimate by_number = estimate(plan);
        QVERIFY(by_time.complete() && by_number.complete());
        QVERIFY(by_time.step.seconds < by_number.step.seconds);
    }
};

CARDFIT_TEST(TestLayerKinds)

} // namespace cardfit::tst_layer_kinds
#include "tst_layer_kinds.moc"
