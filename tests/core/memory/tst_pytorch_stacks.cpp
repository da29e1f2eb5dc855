// SPDX-License-Identifier: GPL-3.0-or-later
// What PyTorch's stacks beside Megatron keep: adapters, quantizers, FSDP, losses, DeepSpeed, vLLM.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/memory/activations.h"
#include "core/memory/events.h"
#include "core/memory/inference.h"
#include "core/memory/states.h"
#include "core/model/operators.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_pytorch_stacks {

Bytes termBytes(const StageMemory& stage, std::string_view id)
{
    Bytes sum;
    for (const Term& term : stage.terms) {
        if (term.id == id) sum += term.bytes;
    }
    return sum;
}

Bytes termBytes(const Plan& plan, std::string_view id) { return termBytes(estimate(plan).stages.at(0), id); }

double inParameters(Bytes bytes, double parameters) { return static_cast<double>(bytes.value()) / parameters; }

class TestPyTorchStacks : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        m_presets = loadPresets(directories);
    }

    // bitsandbytes, functional.py, quantize_4bit: an fp32 scale for 64 values, or an 8-bit one and an fp32 scale for
    // 256 of those (arXiv:2305.14314, section 3: 0.127 bits per parameter).
    void scalesOfFourBitWeights()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Qlora, 1);
        plan.recipe.double_quantization = false;
        QCOMPARE(frozenMatrixBytes(plan), 0.5625);
        plan.recipe.double_quantization = true;
        QVERIFY(std::abs(8.0 * frozenMatrixBytes(plan) - 4.127) < 0.002);
        // LLM.int8 (arXiv:2208.07339): one byte, beside one scale for a row.
        plan.recipe.quantizer = Quantizer::BitsandbytesInt8;
        QCOMPARE(frozenMatrixBytes(plan), 1.0);
        plan.workload.task = Task::Lora;
        QCOMPARE(frozenMatrixBytes(plan), 2.0);
    }

    // Hu et al. 2021, arXiv:2106.09685, as printed by PEFT for LLaMA 7B with r = 8 on q and v: 4,194,304.
    void targetsByName()
    {
        const Architecture& model = m_presets.model("llama-7b")->architecture;
        using enum AdapterTarget;
        QCOMPARE(adapterParameterCount(model, {8, {QProj, VProj}}), std::int64_t{4'194'304});
        const std::int64_t head = adapterParameterCount(model, {8, {QProj, VProj, LmHead}}) - 4'194'304;
        QCOMPARE(head, std::int64_t{8 * (4096 + 32000)});
        QCOMPARE(adapterParameterCount(model, {8, {QProj, KProj, VProj}}), std::int64_t{32 * 3 * 8 * 8192});
        QCOMPARE(adapterParameterCount(model, {8, {LinearQkv, QProj}}), adapterParameterCount(model, {8, {LinearQkv}}));
    }

    // Fabric's no_backward_sync and Accelerate's accumulate: 2 bytes of every parameter stay whole, of frozen ones
    // where they share a flat parameter with learned ones: in the layers (4 h^2 + 3 h f each), and in the root unit if
    // the output layer has an adapter.
    void unsynchronizedGradientsAreWhole()
    {
        const std::int64_t in_layers = std::int64_t{32} * (4 * 4096 * 4096 + 3 * 4096 * 11008);
        Plan plan = fineTuned("llama-2-7b", Task::Lora, 2);
        plan.recipe.sharding = Sharding::Zero3;
        plan.workload.global_batch_size = 16;
        const Estimate synchronized = estimate(plan);
        QCOMPARE(termBytes(synchronized.stages[0], "gradients.whole"), Bytes(0));
        plan.recipe.gradient_sync = GradientSync::Last;
        const Estimate accumulated = estimate(plan);
        QCOMPARE(termBytes(accumulated.stages[0], "gradients.whole").value(), 2 * in_layers);
        QVERIFY(accumulated.stages[0].allocated() > synchronized.stages[0].allocated() + Bytes(12'500'000'000));
        plan.recipe.adapter = Adapter{8, {AdapterTarget::QProj, AdapterTarget::LmHead}};
        QCOMPARE(termBytes(plan, "gradients.whole").value(), 2 * accumulated.parameters.total);
        plan.workload.task = Task::Finetune;
        QCOMPARE(termBytes(plan, "gradients.whole").value(), 2 * accumulated.parameters.total);
        // The only micro-batch of a step is its last: each of two cards keeps half, and one layer is whole.
        plan.workload.task = Task::Lora;
        plan.recipe.adapter = {};
        plan.workload.global_batch_size = 2;
        QCOMPARE(termBytes(plan, "gradients.whole"), Bytes(0));
        QCOMPARE(termBytes(plan, "gradients.frozen").value(), in_layers);
        QVERIFY(termBytes(plan, "buffer.unreduced_gradients").value() >= 2 * in_layers / 32);
        plan.recipe.gradient_sync = GradientSync::Every;
        QCOMPARE(termBytes(plan, "gradients.frozen"), Bytes(0));
    }

    // PyTorch, fsdp/_fully_shard/_fsdp_api.py, CPUOffloadPolicy: weights, gradients and states live on the host.
    void offloadMovesWhatItSays()
    {
        for (const Task task : {Task::Finetune, Task::Lora, Task::Qlora}) {
            Plan plan = fineTuned("llama-2-7b", task, 2);
            plan.recipe.sharding = Sharding::Zero3;
            plan.recipe.offload.parameters = plan.recipe.offload.optimizer = 1.0;
            plan.workload.global_batch_size = 4;
            const StageMemory stage = estimate(plan).stages[0];
            QCOMPARE(stage[Segment::Weights], termBytes(stage, "weights.scales"));
            QCOMPARE(stage[Segment::Gradients], Bytes(0));
            QCOMPARE(stage[Segment::Optimizer], Bytes(0));
            plan.recipe.offload.gradients = 0.0;
            QVERIFY(estimate(plan).stages[0][Segment::Gradients] > Bytes(0));
        }
    }

    // bitsandbytes, nn/modules.py, Params4bit: the scales are attributes, so FSDP neither divides nor moves them. With
    // an fp32 scale for 64 values a card has 4 bytes of each 64.
    void scalesStayOnEveryCard()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Qlora, 2);
        plan.recipe.double_quantization = false;
        QCOMPARE(termBytes(plan, "weights.scales"), Bytes(0));
        plan.recipe.sharding = Sharding::Zero3;
        const std::int64_t matrices = std::int64_t{32} * (4 * 4096 * 4096 + 3 * 4096 * 11008);
        QCOMPARE(termBytes(plan, "weights.scales").value(), matrices / 16);
        plan.recipe.quantizer = Quantizer::Torchao;
        QCOMPARE(termBytes(plan, "weights.scales"), Bytes(0));
    }

    // torch/distributed/fsdp/_fully_shard: without accumulation no gradients stand at the loss; their place is on the
    // stream that reduces them. Without activations the end of backward is the peak, where the last unit is reduced.
    void shardedGradientsRampUp()
    {
        Plan plan = fineTuned("llama-3-8b", Task::Pretrain, 8);
        plan.recipe.sharding = Sharding::Zero3;
        plan.workload.sequence_length = 32768;
        plan.recipe.recompute.granularity = RecomputeGranularity::Full;
        const std::int64_t parameters = estimate(plan).parameters.total;
        QCOMPARE(termBytes(plan, "gradients"), Bytes(0));
        QCOMPARE(termBytes(plan, "reserve.gradients").value(), 4 * parameters / 8);
        plan.workload.global_batch_size = 16;
        QCOMPARE(termBytes(plan, "gradients").value(), 4 * parameters / 8);
        QCOMPARE(termBytes(plan, "reserve.gradients"), Bytes(0));
        plan.workload.global_batch_size = 8;
        plan.workload.sequence_length = 128;
        QCOMPARE(estimate(plan).stages[0].peak_event, std::string_view("backward.last_reduction"));
        // The embedding alone, in 16 bits and in the fp32 buffer; with the output layer before July 2025.
        const std::int64_t embedding = std::int64_t{128256} * 4096;
        QCOMPARE(termBytes(plan, "gradient.last_unit").value(), 6 * embedding);
        plan.recipe.software = "2025-07";
        QCOMPARE(termBytes(plan, "gradient.last_unit").value(), 2 * 6 * embedding);
        plan.recipe.embedding_unit = true;
        QCOMPARE(termBytes(plan, "gradient.last_unit").value(), 6 * embedding);
    }

    // Measured on one H100 (tests/validation/measurements/own): 0.87 of the fp32 logits, 0.6 with expandable segments.
    void reserveFollowsTheLargestBlock()
    {
        Plan plan = fineTuned("llama-3-8b", Task::Lora, 1);
        const double logits = 4.0 * 2048.0 * 128256.0;
        QVERIFY(std::abs(inParameters(termBytes(plan, "reserve.blocks"), logits) - 0.87) < 1e-6);
        plan.recipe.expandable_segments = true;
        QVERIFY(std::abs(inParameters(termBytes(plan, "reserve.blocks"), logits) - 0.6) < 1e-6);
        plan.recipe.kernels = Kernels::Compiled;
        plan.recipe.loss = Loss::Compiled;
        QVERIFY(std::abs(inParameters(termBytes(plan, "reserve.blocks"), logits) - 0.2) < 1e-6);
    }

    // PEFT at rank 16 on all linear modules of Llama 3 8B, measured: 41,943,040 parameters, gate and up apart.
    void everyModuleHasItsAdapter()
    {
        Plan plan = fineTuned("llama-3-8b", Task::Lora, 1);
        using enum AdapterTarget;
        const auto adapted = [&](std::vector<AdapterTarget> targets) {
            plan.recipe.adapter = Adapter{16, std::move(targets)};
            return termBytes(plan, "weights.adapter").value() / 2;
        };
        QCOMPARE(adapted({AllLinear}), std::int64_t{41'943'040});
        QCOMPARE(adapted({}), std::int64_t{41'943'040});
        QCOMPARE(adapted({QProj, KProj, VProj, LinearProj, GateProj, UpProj, LinearFc2}), std::int64_t{41'943'040});
        QCOMPARE(adapted({QProj, KProj, VProj, LinearProj, LinearFc1, LinearFc2}), std::int64_t{41'943'040});
        QCOMPARE(adapted({GateProj}), std::int64_t{32 * 16 * (4096 + 14336)});
    }

    // The published states of newer optimizers, for a matrix of 4,096 x 11,008.
    void statesOfNewerOptimizers()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Finetune, 1);
        const auto states = [&](Optimizer optimizer, double rows, double columns) {
            plan.recipe.optimizer = optimizer;
            const StateLayout layout = stateLayout(plan);
            ParameterSet set;
            set.longer = std::max(rows, columns);
            set.shorter = std::min(rows, columns);
            for (const double side : {rows, columns})
                set.squares += side <= 10000.0 ? side * side : 0.0;
            return layout.moments * rows * columns + sideBytes(layout, set);
        };
        QCOMPARE(states(Optimizer::AdamMini, 4096, 11008), 4.0 * 4096 * 11008);
        QCOMPARE(states(Optimizer::Soap, 4096, 4096), 8.0 * 4096 * 4096 + 2 * 2 * 4.0 * 4096 * 4096);
        QCOMPARE(states(Optimizer::Soap, 4096, 11008), 8.0 * 4096 * 11008 + 2 * 4.0 * 4096 * 4096);
        QCOMPARE(states(Optimizer::Shampoo, 4096, 4096), 24.0 * 4096 * 4096);
        QCOMPARE(states(Optimizer::GaLore, 4096, 11008), 4.0 * 128 * (2 * 11008 + 4096));
        QCOMPARE(states(Optimizer::Apollo, 4096, 11008), 8.0 * 256 * 11008);
        QCOMPARE(states(Optimizer::NorMuon, 4096, 4096), 4.0 * 4096 * 4096);
        QCOMPARE(states(Optimizer::Dion, 4096, 4096), 5.0 * 4096 * 4096);
    }

    // bitsandbytes: one byte per moment and an fp32 scale for 256 of them; paged states are in managed memory.
    void momentsByOptimizer()
    {
        const auto moments = [&](Optimizer optimizer) {
            Plan plan = fineTuned("llama-2-7b", Task::Finetune, 1);
            plan.recipe.precision = Precision::Bf16Pure;
            plan.recipe.optimizer = optimizer;
            return stateLayout(plan).moments;
        };
        QCOMPARE(moments(Optimizer::Adam), 4.0);
        QCOMPARE(moments(Optimizer::Adam8Bit), 2.0 + 8.0 / 256.0);
        QCOMPARE(moments(Optimizer::PagedAdam8Bit), 0.0);
        QCOMPARE(moments(Optimizer::PagedAdam), 0.0);
        // torchao, optim/adam.py, Adam4bit: half a byte per moment, an fp32 scale for 128.
        QCOMPARE(moments(Optimizer::Adam4Bit), 1.0 + 8.0 / 128.0);
    }

    // Bytes per logit between the passes: the compiled loss keeps 16-bit logits, the chunked ones 16-bit logits and
    // fp32 log-probabilities, or the hidden state's gradient alone.
    void lossesByWhatTheyKeep()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Finetune, 1);
        const double logits = 2048.0 * 32000.0;
        const auto kept = [&](Loss loss) {
            plan.recipe.loss = loss;
            return lossMemory(plan).saved.bytes;
        };
        QCOMPARE(inParameters(kept(Loss::Compiled), logits), 2.0);
        QCOMPARE(inParameters(kept(Loss::ChunkedLogits), logits), 6.0);
        QCOMPARE(kept(Loss::ChunkedHidden), residualStream(plan));
        plan.recipe.kernels = Kernels::Compiled;
        QCOMPARE(inParameters(kept(Loss::ChunkedLogits), logits), 2.0);
    }

    // A norm's weight that is frozen needs no normalized values; torch.nn.LayerNorm is one kernel in eager mode too.
    void normsKeepWhatTheirGradientsNeed()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Finetune, 1);
        plan.workload.global_batch_size = 2;
        const Bytes values(std::int64_t{65} * 2048 * 4096);
        QCOMPARE(termBytes(plan, "norm.input"), 4 * values);
        // Under autocast the stream is fp32.
        QCOMPARE(termBytes(plan, "norm.normalized"), 4 * values);
        plan.recipe.precision = Precision::Bf16Pure;
        QCOMPARE(termBytes(plan, "norm.input"), 4 * values);
        QCOMPARE(termBytes(plan, "norm.normalized"), 2 * values);
        plan.workload.task = Task::Lora;
        QCOMPARE(termBytes(plan, "norm.normalized"), Bytes(0));
        plan.model.architecture.norm = Norm::LayerNorm;
        QCOMPARE(termBytes(plan, "norm.input"), 2 * values);
    }

    // PyTorch's dropout keeps a mask of one byte, and the adapter the 16-bit values behind it; before it, nothing.
    void dropoutOfAdapters()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Lora, 1);
        plan.recipe.adapter = Adapter{8, {AdapterTarget::QProj, AdapterTarget::VProj}};
        const Bytes values(std::int64_t{32} * 2048 * 4096);
        QCOMPARE(termBytes(plan, "norm.output"), 2 * values);
        plan.recipe.adapter->dropout = 0.05;
        QCOMPARE(termBytes(plan, "norm.output"), Bytes(0));
        QCOMPARE(termBytes(plan, "adapter.dropped_input"), 2 * 3 * values);
    }

    // litgpt, lora.py, zero_pad: 16 bits of queries and values, unless keys have adapters too.
    void paddedAdapters()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Lora, 1);
        using enum AdapterTarget;
        plan.recipe.adapter = Adapter{8, {LinearQkv}, 0.05};
        QCOMPARE(termBytes(plan, "adapter.padded"), Bytes(std::int64_t{2} * 32 * 2048 * 2 * 4096));
        plan.recipe.adapter->targets = {LinearQkv, KProj};
        QCOMPARE(termBytes(plan, "adapter.padded"), Bytes(0));
        plan.recipe.adapter->targets = {QProj, VProj};
        QCOMPARE(termBytes(plan, "adapter.padded"), Bytes(0));
    }

    // Answer.AI, fsdp_qlora, benchmarks_03_2024.md: as much is reserved at 512 tokens as at 2,048.
    void wrappingLeavesItsPlace()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Lora, 2);
        plan.recipe.precision = Precision::Bf16Pure;
        plan.recipe.sharding = Sharding::Zero3;
        plan.recipe.recompute.granularity = RecomputeGranularity::Full;
        plan.recipe.software = "2024-03";
        plan.recipe.adapter = Adapter{64, {AdapterTarget::AllLinear}, 0.1};
        const auto reserved = [&](std::int64_t tokens) {
            plan.workload.sequence_length = tokens;
            return inParameters(estimate(plan).stages[0].reserved(), 0x1p30);
        };
        QVERIFY(std::abs(reserved(512) / 10.24 - 1.0) < 0.05);
        QVERIFY(termBytes(plan, "reserve.wrapping") > Bytes(0));
        QVERIFY(std::abs(reserved(2048) / 10.22 - 1.0) < 0.05);
    }

    // Mended in bitsandbytes 9e753741 (July 2024): MatMul4Bit kept its input in the context.
    void oldQuantizerKeepsInputs()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Qlora, 1);
        plan.recipe.adapter = Adapter{8, {AdapterTarget::LinearQkv}, 0.05};
        const Bytes now = estimate(plan).stages[0].allocated();
        plan.recipe.quantizer = Quantizer::Bitsandbytes043;
        const Bytes before = estimate(plan).stages[0].allocated();
        // Inputs of the four products, h + h + h + f values per token and layer, of this micro-batch and the last one.
        const Bytes inputs(std::int64_t{2} * 32 * 2048 * (3 * 4096 + 11008));
        QCOMPARE(termBytes(plan, "buffer.frozen_inputs"), inputs);
        // Attention keeps its output, the input of one of them, for its own backward pass in any case.
        const Bytes kept_anyway(std::int64_t{2} * 32 * 2048 * 4096);
        QCOMPARE(before - now, 2 * inputs - kept_anyway);
        plan.recipe.recompute.granularity = RecomputeGranularity::Full;
        QCOMPARE(termBytes(plan, "buffer.frozen_inputs"), Bytes(0));
    }

    // bitsandbytes 95f9af30, autograd/_functions.py, MatMul8bitLt: the context keeps the 16-bit input.
    void eightBitWeightsKeepInputs()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Qlora, 1);
        plan.recipe.quantizer = Quantizer::BitsandbytesInt8;
        QCOMPARE(termBytes(plan, "buffer.frozen_inputs").value(), std::int64_t{2} * 32 * 2048 * (3 * 4096 + 11008));
        // 4 h^2 + 3 h f of a layer in a byte each; embedding, output layer and norms in two.
        const std::int64_t matrices = std::int64_t{32} * (4 * 4096 * 4096 + 3 * 4096 * 11008);
        const std::int64_t rest = std::int64_t{2} * 32000 * 4096 + 65 * 4096;
        QCOMPARE(termBytes(plan, "weights.frozen").value(), matrices + 2 * rest);
    }

    // DeepSpeed edaa7221, runtime/zero/stage_1_and_2.py, setup_buckets, and stage3.py, ipg_buckets: 5e8 elements, in
    // two buffers where ZeRO-1 or ZeRO-2 overlap, however little is learned.
    void reduceBucketsAreWhole()
    {
        for (const Task task : {Task::Finetune, Task::Lora}) {
            Plan plan = fineTuned("llama-2-7b", task, 2);
            plan.recipe.framework = Framework::DeepSpeed;
            plan.recipe.sharding = Sharding::Zero2;
            QCOMPARE(termBytes(plan, "buffer.reduce_buckets"), Bytes(2'000'000'000));
            plan.recipe.overlap.gradients = false;
            QCOMPARE(termBytes(plan, "buffer.reduce_buckets"), Bytes(1'000'000'000));
            plan.recipe.overlap.gradients = true;
            plan.recipe.sharding = Sharding::Zero3;
            QCOMPARE(termBytes(plan, "buffer.reduce_buckets"), Bytes(1'000'000'000));
        }
    }

    // torchtitan, distributed/activation_checkpoint.py: of q, k, v, o, gate, up, down every second product's output,
    // beside the layer's input and attention's output; nothing reads the last one, so a compiler drops it.
    void selectiveCheckpointingByOperators()
    {
        Plan plan = fineTuned("llama-3-8b", Task::Pretrain, 1);
        plan.workload.global_batch_size = 2;
        plan.recipe.recompute = {RecomputeGranularity::Selective, {RecomputeModule::LayerNorm, RecomputeModule::Mlp}};
        const double hidden = 4096.0;
        const auto layer = operatorTables(plan).layers.of(kDenseLayer);
        QCOMPARE(keptOutputValues(plan, kDenseLayer, layer) / hidden, 1.0 + 0.25 + 3.5 + 1.0);
        plan.recipe.kernels = Kernels::Compiled;
        QCOMPARE(keptOutputValues(plan, kDenseLayer, layer) / hidden, 1.0 + 0.25 + 3.5);
        plan.recipe.recompute.modules = {RecomputeModule::CoreAttn};
        QCOMPARE(keptOutputValues(plan, kDenseLayer, layer) / hidden, 1.0 + 0.25 + 0.25 + 1.0 + 3.5 + 3.5);
        QVERIFY(termBytes(plan, "selective.outputs") > Bytes(0));
        plan.recipe.framework = Framework::Megatron;
        QCOMPARE(termBytes(plan, "selective.outputs"), Bytes(0));
    }

    // With one micro-batch on one card zero_grad has freed the gradients when activations are most.
    void gradientsComeLastOnOneCard()
    {
        Plan plan = fineTuned("llama-3.2-1b", Task::Finetune, 1);
        plan.workload.sequence_length = 8192;
        QCOMPARE(termBytes(plan, "gradients"), Bytes(0));
        plan.workload.sequence_length = 128; // next to no activations: the step is the peak
        QCOMPARE(termBytes(plan, "gradients").value(), 4 * estimate(plan).parameters.total);
        plan.workload.global_batch_size = 2;
        plan.workload.sequence_length = 8192;
        QCOMPARE(termBytes(plan, "gradients").value(), 4 * estimate(plan).parameters.total);
        // One by one they are never all there, and none is at the loss. In torchtune's recipe all is in 16 bits; under
        // autocast the copies of the weights would be more than one gradient.
        plan.workload.global_batch_size = 1;
        plan.recipe.optimizer_in_backward = true;
        QCOMPARE(estimate(plan).stages[0][Segment::Gradients], Bytes(0));
        plan.recipe.precision = Precision::Bf16Pure;
        plan.workload.sequence_length = 128;
        QCOMPARE(termBytes(plan, "gradient.weight").value(), std::int64_t{2} * 128256 * 2048);
    }

    // DeepSpeed, runtime/pipe/engine.py: the last stage's logits in 16 bits, of two buffers or the only micro-batch.
    void pipelinesKeepTheirOutputs()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Finetune, 2);
        plan.recipe.framework = Framework::DeepSpeed;
        plan.recipe.loss_parallel = false;
        plan.parallelism.pipeline = 2;
        plan.workload.global_batch_size = 4;
        const auto kept = [&](std::size_t stage) {
            return termBytes(estimate(plan).stages.at(stage), "buffer.pipeline_outputs").value();
        };
        const std::int64_t logits = std::int64_t{2048} * 32000;
        QCOMPARE(kept(0), std::int64_t{0});
        QCOMPARE(kept(1), 2 * 2 * logits);
        plan.workload.global_batch_size = 1;
        QCOMPARE(kept(1), 2 * logits);
        plan.workload.global_batch_size = 4;
        plan.recipe.framework = Framework::Fsdp;
        QCOMPARE(kept(1), std::int64_t{0});
    }

    // hiyouga/LLaMA-Factory, issue 1221: 7B under ZeRO-2 on eight cards dies when torch's AdamW asks for 3.14 GiB, the
    // root of a partition's second moments; it divides that root into another tensor.
    void rootsOfTheSecondMoments()
    {
        Plan plan = fineTuned("llama-7b", Task::Finetune, 8);
        plan.recipe.framework = Framework::DeepSpeed;
        plan.recipe.sharding = Sharding::Zero2;
        plan.workload.sequence_length = 128;
        QCOMPARE(termBytes(plan, "optimizer.loop_copies"), Bytes(0));
        plan.recipe.optimizer_implementation = OptimizerImplementation::ForLoop;
        QVERIFY(std::abs(inParameters(termBytes(plan, "optimizer.loop_copies"), 0x1p30) / 2.0 - 3.14) < 0.01);
        plan.recipe.sharding = Sharding::Zero3;
        plan.recipe.sub_group_size = 500'000'000;
        QCOMPARE(termBytes(plan, "optimizer.loop_copies"), Bytes(2 * 4 * plan.recipe.sub_group_size));
    }

    // DeepSpeed, runtime/zero/stage3.py: gradients are copied to fp32 one sub-group at a time.
    void subGroupsBoundTheStep()
    {
        Plan plan = fineTuned("llama-2-7b", Task::Finetune, 2);
        plan.recipe.framework = Framework::DeepSpeed;
        plan.recipe.sharding = Sharding::Zero3;
        plan.workload.sequence_length = 128;
        const auto copy = [&] { return termBytes(plan, "optimizer.gradient_copy").value(); };
        QCOMPARE(copy(), std::int64_t{4'000'000'000});
        plan.recipe.sub_group_size = 500'000'000;
        // The step is no longer the peak, or it copies half as much.
        QVERIFY(copy() == 0 || copy() == 2'000'000'000);
        plan.recipe.sub_group_size = 1'000'000'000'000;
        QCOMPARE(copy(), 2 * estimate(plan).parameters.total);
    }

    // vllm/engine/arg_utils.py: 1,024 sequences on large cards, 256 on others; measured 4.76 GiB for Llama 3.1 8B on
    // H100 (llm-d-planner, empirical-vllm-memory-results.md).
    void profileRunOfAServer()
    {
        Plan plan = fineTuned("llama-3-8b", Task::Inference, 1);
        plan.recipe.kernels = Kernels::Compiled;
        plan.workload.sequence_length = 16000;
        QCOMPARE(profiledSequences(plan), std::int64_t{1024});
        const Bytes temporary = estimate(plan).stages[0][Segment::Temporary];
        QVERIFY(std::abs(static_cast<double>(temporary.value()) / 1073741824.0 / 4.76 - 1.0) < 0.1);
        plan.cluster.accelerator.usable = Mebibytes(24115); // a card of 24 GB
        QCOMPARE(profiledSequences(plan), std::int64_t{256});
        plan.recipe.max_num_batched_tokens = 128; // no more sequences than tokens
        QCOMPARE(profiledSequences(plan), std::int64_t{128});
        plan.recipe.kernels = Kernels::Eager;
        QCOMPARE(profiledSequences(plan), std::int64_t{0});
    }

private:
    /// One sequence of 2,048 tokens per card and step, eagerly.
    [[nodiscard]] Plan fineTuned(std::string_view model, Task task, std::int64_t cards) const
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.model = *m_presets.model(model);
        plan.parallelism = {};
        plan.cluster.cards_per_node = cards;
        plan.cluster.accelerator = *m_presets.accelerator("h100-sxm-80");
        plan.workload.task = task;
        plan.workload.sequence_length = 2048;
        plan.workload.micro_batch_size = 1;
        plan.workload.global_batch_size = cards;
        plan.recipe.framework = Framework::Fsdp;
        plan.recipe.kernels = Kernels::Eager;
        plan.recipe.loss = Loss::Unfused;
        plan.recipe.gradient_accumulation_fusion = false;
        plan.recipe.sharding = Sharding::None;
        return plan;
    }

    Presets m_presets;
};

CARDFIT_TEST(TestPyTorchStacks)

} // namespace cardfit::tst_pytorch_stacks
#include "tst_pytorch_stacks.moc"
