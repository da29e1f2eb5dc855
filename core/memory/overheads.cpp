// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/overheads.h"

#include <algorithm>
#include <utility>

#include "core/memory/activations.h"
#include "core/plan/software.h"

namespace cardfit {

namespace {

constexpr std::int64_t kCublasStreams = 2; ///< forward and backward threads
constexpr std::int64_t kMostCommunicators = 5; ///< kinds of groups
constexpr std::string_view kBlocks = "reserve.blocks";

/// What is reserved and not allocated over the largest block that comes and goes, and the least and most of it.
struct BlockShare {
    Constant usual, least, most;
};
BlockShare blockShare(const Plan& plan)
{
    const bool whole = plan.recipe.loss == Loss::Unfused || plan.recipe.loss == Loss::FusedNative; // and not compiled
    if (plan.recipe.kernels == Kernels::Compiled && !whole)
        return {Constant::CompiledBlocks, Constant::LeastCompiledBlocks, Constant::MostCompiledBlocks};
    if (plan.recipe.expandable_segments)
        return {Constant::ExpandableBlocks, Constant::LeastExpandableBlocks, Constant::MostExpandableBlocks};
    return {Constant::FreeBlocks, Constant::LeastFreeBlocks, Constant::MostFreeBlocks};
}

double number(std::int64_t value) { return static_cast<double>(value); }

std::int64_t largestLayer(const OperatorTables& tables)
{
    std::int64_t largest = 0;
    for (const auto& [kind, operators] : tables.layers)
        largest = std::max(largest, countElements(operators).total());
    return largest;
}

/// Parameters of the output layer on one card.
std::int64_t outputWeight(const Plan& plan)
{
    const CardShare share = cardShare(plan);
    return share.vocabulary / share.tensor * plan.model.architecture.hidden_size;
}

/// The largest block that a step makes and frees: fp32 logits, a tensor of a layer, or the gradient of a weight.
Bytes largestBlock(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    Bytes largest;
    for (const auto& [kind, operators] : tables.layers) {
        for (const Operator& step : operators) {
            for (const SavedTensor& tensor : step.saved)
                largest = std::max(largest, tensor.bytes);
        }
    }
    if (stage.head()) largest = std::max(largest, lossMemory(plan).block);
    // Gradients of whole weights come and go with every step.
    if (!trainsAll(plan) || plan.recipe.framework != Framework::Fsdp || shardsByFsdp(plan)) return largest;
    std::int64_t weight = largestProductWeight(tables, [](const Weight& one) { return one.elements(); });
    if (stage.embedding() || stage.head()) weight = std::max(weight, outputWeight(plan));
    return std::max(largest, roundToBytes(stateLayout(plan).gradients * static_cast<double>(weight)));
}

/// Values that the frozen products of a stage read in one micro-batch: old versions of bitsandbytes keep them in the
/// graph, which the training loop's loss keeps alive until the next forward pass has ended.
double frozenInputs(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    if (!operatorOptions(plan).frozen_inputs_kept || plan.recipe.recompute.granularity != RecomputeGranularity::None)
        return 0.0;
    const auto inputs = [](const std::vector<Operator>& operators) {
        double values = 0.0;
        for (const Operator& step : operators) {
            for (const MatrixProduct& product : step.products) {
                if (!product.wide) values += product.rows * product.inner * product.copies;
            }
        }
        return values;
    };
    double sum = 0.0;
    for (const auto [kind, count] : layerKinds(plan.model.architecture, stage))
        sum += static_cast<double>(count) * inputs(tables.layers.of(kind));
    return sum;
}

/// With fused accumulation TransformerEngine gives autograd a dummy gradient, cached per distinct weight shape.
std::int64_t dummyGradients(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    using Shape = std::pair<std::int64_t, std::int64_t>;
    std::vector<Shape> shapes; // a handful
    shapes.reserve(8);
    const auto addShape = [&](const Shape& shape) {
        if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
    };
    const auto add = [&](const std::vector<Operator>& operators) {
        for (const Operator& step : operators) {
            for (const Weight& weight : step.weights) {
                if (weight.linear) addShape({weight.rows, weight.columns});
            }
        }
    };
    for (const auto [kind, count] : layerKinds(plan.model.architecture, stage))
        add(tables.layers.of(kind));
    if (stage.head()) {
        const CardShare share = cardShare(plan);
        addShape({share.vocabulary / share.tensor, plan.model.architecture.hidden_size});
    }
    std::int64_t total = 0;
    for (const auto& [rows, columns] : shapes)
        total += rows * columns;
    return total;
}

void add(std::vector<Term>& terms, std::string_view id, std::string_view formula, Bytes bytes)
{
    if (bytes > Bytes(0)) terms.push_back({Segment::Temporary, id, formula, 1, bytes, {}});
}

/// Parameters of the unit that holds the output layer; 0 if the stage does not.
std::int64_t outputUnit(const Plan& plan, const StageLayers& stage)
{
    if (!stage.head()) return 0;
    const bool in_root = shardsByFsdp(plan) && !hasEmbeddingUnit(plan);
    const bool both = in_root && stage.embedding() && !plan.model.architecture.tie_word_embeddings;
    return outputWeight(plan) * (both ? 2 : 1);
}

/// Parameters of the unit whose gradients FSDP reduces last: the embedding, with the output layer in the root unit.
std::int64_t lastUnit(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    if (!stage.embedding()) return largestLayer(tables);
    const bool both = stage.head() && !hasEmbeddingUnit(plan) && !plan.model.architecture.tie_word_embeddings;
    return outputWeight(plan) * (both ? 2 : 1);
}

/// Whether FSDP reduces the whole gradients of one unit after the other.
bool reducesUnits(const Plan& plan)
{
    return shardsByFsdp(plan) && denseShards(plan) > 1.0 && !trainsAdapters(plan) && !keepsWholeGradients(plan);
}

void addMegatronBuffers(
    const Plan& plan, const OverheadSizes& sizes, const StageLayers& stage, std::vector<Term>& terms)
{
    const auto& degrees = plan.parallelism;
    const bool transformer_engine = plan.recipe.kernels == Kernels::TransformerEngine;
    if (degrees.sequence && degrees.tensor > 1 && stage.head()) {
        add(terms, "buffer.sequence_gather", "w T h", degrees.tensor * residualStream(plan));
    }
    if (!stage.embedding()) add(terms, "buffer.stale_gradient", streamsFormula(plan), streamsBetweenLayers(plan));
    if (plan.recipe.gradient_accumulation_fusion && transformer_engine && !trainsAdapters(plan)) {
        add(terms, "buffer.dummy_gradients", "2 M_d", Bytes(2 * sizes.distinct_weights));
    }
}

/// DeepSpeed's pipeline keeps the output of each of its buffers until the buffer's next pass: the last stage, which has
/// two of them, holds the 16-bit logits of two micro-batches (DeepSpeed edaa7221, runtime/pipe/engine.py,
/// _exec_backward_pass, which frees the outputs of the other stages only; runtime/pipe/schedule.py, num_pipe_buffers;
/// Aleph-Alpha/scaling 737f855, pipeline_schedule/train.py, required_buffer_count).
void addPipelineOutputs(const Plan& plan, const StageLayers& stage, std::vector<Term>& terms)
{
    if (plan.parallelism.pipeline == 1 || !stage.head()) return;
    constexpr std::int64_t kBuffers = 2;
    const NamedBytes logits = lossMemory(plan).gradient;
    const std::int64_t count = std::min(kBuffers, microBatches(plan));
    if (logits.bytes == Bytes(0)) return;
    terms.push_back({Segment::Temporary, "buffer.pipeline_outputs", logits.formula, count, count * logits.bytes, {}});
}

/// A buffer of reduce_bucket_size elements, however few parameters are trained; two with ZeRO-1 and ZeRO-2 if reduction
/// overlaps with computation (DeepSpeed edaa7221, stage_1_and_2.py, setup_buckets; stage3.py, ipg_buckets, where there
/// is one). Nothing with a single replica. Updated weights are gathered in place (runtime/utils.py,
/// all_gather_into_tensor_dp_groups). ZeRO-3 gathers weights instead of states: at most 1e9 that are not on the card
/// already (stage3_max_live_parameters).
void addDeepSpeedBuffers(const Plan& plan, const StageParameters& parameters, std::vector<Term>& terms)
{
    if (plan.recipe.sharding == Sharding::None || denseShards(plan) * expertShards(plan) <= 1.0) return;
    constexpr double kLiveParameters = 1e9;
    const bool gathers = plan.recipe.sharding == Sharding::Zero3;
    const bool two = plan.recipe.overlap.gradients && !gathers;
    add(terms, "buffer.reduce_buckets", two ? "4 G_r" : "2 G_r", Bytes((two ? 4 : 2) * plan.recipe.reduce_bucket_size));
    if (!gathers) return;
    if (trainsAdapters(plan)) {
        add(terms, "buffer.gathered_layers", "min(F_m, 1e9 w_b)",
            roundToBytes(std::min(frozenElsewhere(plan, parameters), kLiveParameters * frozenMatrixBytes(plan))));
        return;
    }
    const double missing = parameters.dense.all * (1.0 - 1.0 / denseShards(plan))
        + parameters.expert.all * (1.0 - 1.0 / expertShards(plan));
    add(terms, "buffer.gathered_layers", "2 min(P (1 - 1 / N_w) + P_e (1 - 1 / N_we), 1e9)",
        roundToBytes(2.0 * std::min(kLiveParameters, missing)));
}

/// Frozen weights are gathered in the format in which they are stored, without the part that the card holds.
void addFrozenGather(
    const Plan& plan, const OverheadSizes& sizes, const StageParameters& parameters, std::vector<Term>& terms)
{
    const double all = frozenElsewhere(plan, parameters);
    if (frozenHaveGradients(plan)) add(terms, "buffer.unreduced_gradients", "2 P_l", Bytes(2 * sizes.largest_layer));
    if (plan.recipe.sharding == Sharding::Zero2) {
        add(terms, "buffer.gathered_weights", "F_m", roundToBytes(all));
    } else if (plan.recipe.sharding == Sharding::Zero3) {
        const double output = 2.0 * static_cast<double>(sizes.output_layer);
        const double layers = 2.0 * frozenMatrixBytes(plan) * static_cast<double>(sizes.largest_layer) + output;
        add(terms, "buffer.gathered_layers", "min(2 w_b P_l + 2 P_o, F_m)", roundToBytes(std::min(layers, all)));
    }
}

/// 16-bit weights gathered by FSDP: the running layer, the prefetched one and the root unit; all layers if sharding
/// leaves weights gathered during the step, as under a pipeline, where each micro-batch would gather them again
/// (torchtitan, models/llama3/parallelize.py, reshard_after_forward).
void addFsdpBuffers(
    const Plan& plan, const OverheadSizes& sizes, const StageParameters& parameters, std::vector<Term>& terms)
{
    if (autocasts(plan)) {
        // Those of recomputed layers are gone after the forward pass.
        const bool layers = plan.recipe.recompute.granularity != RecomputeGranularity::Full;
        const double matrices = layers ? parameters.dense.matrices + parameters.expert.matrices : 0.0;
        add(terms, "buffer.autocast_copies", layers ? "2 (P_m + P_em + P_o)" : "2 P_o",
            roundToBytes(2.0 * (matrices + number(sizes.output_layer))));
    }
    if (trainsAdapters(plan)) return addFrozenGather(plan, sizes, parameters, terms);
    // In fp8 a layer's few vectors count as its matrices do.
    const bool fp8 = gathersFp8Shards(plan);
    const double matrices = parameters.dense.matrices + parameters.expert.matrices;
    const bool stays = plan.recipe.sharding == Sharding::Zero2 || plan.parallelism.pipeline > 1;
    if (!shardsByFsdp(plan)) return;
    if (denseShards(plan) <= 1.0) {
        if (stateLayout(plan).weights > 2.0)
            add(terms, "buffer.gathered_output", "2 P_o", Bytes(2 * sizes.output_layer));
        return;
    }
    if (stays) {
        add(terms, "buffer.gathered_weights", fp8 ? "2 (P + P_e) - P_m - P_em" : "2 (P + P_e)",
            roundToBytes(2.0 * parameters.all() - (fp8 ? matrices : 0.0)));
    } else {
        const auto layers = static_cast<std::int64_t>(parameters.all()) - sizes.output_layer;
        const std::int64_t bytes = fp8 ? 1 : 2;
        add(terms, "buffer.gathered_layers", fp8 ? "min(2 P_l, P + P_e - P_o)" : "min(4 P_l, 2 (P + P_e - P_o))",
            Bytes(bytes * std::min(2 * sizes.largest_layer, layers)));
        add(terms, "buffer.gathered_output", "2 P_o", Bytes(2 * sizes.output_layer));
    }
}

} // namespace

Bytes mebibytes(const Plan& plan, Constant size) { return roundToBytes(plan.constants[size] * 0x1p20); }

double usualReserve(const Plan& plan)
{
    if (plan.workload.task == Task::Inference) return 0.0;
    const bool passes_overlap = plan.parallelism.pipeline > 1;
    return plan.recipe.framework == Framework::Megatron || passes_overlap ? plan.constants[Constant::Reserve] : 0.0;
}

NamedBytes unreducedGradients(const Plan& plan, const OperatorTables& tables, bool head)
{
    constexpr std::string_view kId = "gradient.unreduced";
    if (!reducesUnits(plan)) return {kId, "0", 1, Bytes(0)};
    const double bytes = reducedBytes(plan);
    const double layer = bytes * number(largestLayer(tables));
    if (!head) return {kId, "g_r P_l", 1, roundToBytes(layer)};
    const double output = number(outputWeight(plan));
    if (hasEmbeddingUnit(plan))
        return {kId, "g_r (P_l + P_h - min(P_l, P_h))", 1, roundToBytes(std::max(layer, bytes * output))};
    return {kId, "g_r P_l + 2 P_h", 1, roundToBytes(layer + 2.0 * output)};
}

std::vector<Term> lastReductionTerms(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage, const StageParameters& parameters)
{
    std::vector<Term> terms;
    if (shardsByFsdp(plan) && keepsWholeGradients(plan) && plan.parallelism.pipeline == 1 && trainsAll(plan)) {
        add(terms, "gradient.last_unit", "6 P_r", Bytes(6 * lastUnit(plan, tables, stage)));
        return terms;
    }
    if (!reducesUnits(plan)) return {};
    if (gradientsComeLast(plan)) terms = gradientTerms(plan, parameters);
    const double unit = number(lastUnit(plan, tables, stage));
    add(terms, "gradient.last_unit", "(2 + g_r) P_r", roundToBytes((2.0 + reducedBytes(plan)) * unit));
    return terms;
}

OverheadSizes overheadSizes(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    const GenerationTraits& card = traits(plan.cluster.accelerator.generation);
    const auto& workspace = plan.recipe.cublas_workspace;
    OverheadSizes sizes;
    sizes.gemm_workspace = toBytes(card.gemm_workspace);
    const bool wide = card.generation == Generation::Blackwell && has(plan, SoftwareChange::BlackwellCublas);
    sizes.cublas_workspace = workspace ? toBytes(*workspace) : wide ? toBytes(Mebibytes(32)) : card.cublas_workspace;
    sizes.grouped_workspace = mebibytes(plan, Constant::GroupedWorkspace);
    sizes.small_buffers = mebibytes(plan, Constant::SmallBuffers);
    sizes.communicator = mebibytes(plan, Constant::Communicator);
    sizes.device_context = deviceContext(plan);
    sizes.reserve = plan.overheads.reserve_fraction.value_or(usualReserve(plan));
    sizes.frozen_inputs = frozenInputs(plan, tables, stage);
    sizes.distinct_weights = dummyGradients(plan, tables, stage);
    sizes.largest_layer = largestLayer(tables);
    sizes.output_weight = outputWeight(plan);
    sizes.output_layer = outputUnit(plan, stage);
    sizes.last_unit = lastUnit(plan, tables, stage);
    sizes.largest_block = largestBlock(plan, tables, stage);
    sizes.block_share = plan.constants[blockShare(plan).usual];
    sizes.restored_weight = largestProductWeight(tables, [](const Weight& weight) { return weight.elements(); });
    return sizes;
}

std::vector<Term> fixedTerms(
    const Plan& plan, const OperatorTables& tables, const StageLayers& stage, const StageParameters& parameters)
{
    const auto& model = plan.model.architecture;
    const auto& recipe = plan.recipe;
    const OverheadSizes sizes = overheadSizes(plan, tables, stage);
    std::vector<Term> terms;
    terms.reserve(8); // few stages have more
    add(terms, "workspace.gemm", "W", sizes.gemm_workspace);
    if (stage.head() || model.moe) add(terms, "workspace.cublas", "2 W_c", kCublasStreams * sizes.cublas_workspace);
    if (model.moe && recipe.moe.grouped_gemm) add(terms, "workspace.grouped_gemm", "W_g", sizes.grouped_workspace);
    add(terms, "buffer.small", "W_s", sizes.small_buffers);
    if (model.position_embedding == PositionEmbedding::Rope) {
        const std::int64_t rotated = model.mla ? model.mla->qk_rope_head_dim : model.head_dim;
        add(terms, "buffer.rotary_table", model.mla ? "4 s d_r / c" : "4 s d / c",
            Bytes(4 * (plan.workload.sequence_length / plan.parallelism.context) * rotated));
    }
    if (plan.workload.task == Task::Inference) return terms;
    switch (recipe.framework) {
    case Framework::Megatron: addMegatronBuffers(plan, sizes, stage, terms); break;
    case Framework::DeepSpeed:
        addDeepSpeedBuffers(plan, parameters, terms);
        addPipelineOutputs(plan, stage, terms);
        break;
    case Framework::Fsdp: addFsdpBuffers(plan, sizes, parameters, terms); break;
    }
    if (plan.workload.task == Task::Qlora)
        add(terms, "buffer.restored_matrix", "2 M_g", Bytes(2 * sizes.restored_weight));
    add(terms, "buffer.frozen_inputs", "w X_f", roundToBytes(elementBytes(plan) * sizes.frozen_inputs));
    return terms;
}

Bytes dispatchBuffers(const Plan& plan)
{
    const bool trains = plan.workload.task != Task::Inference;
    if (!trains || !plan.model.architecture.moe || plan.recipe.moe.dispatcher != Dispatcher::DeepEp) return Bytes(0);
    constexpr std::int64_t kChannels = 10;
    constexpr std::int64_t kPeers = 8; ///< ranks of a node
    constexpr std::int64_t kRouting = 2056; ///< where a token is from, 128 experts with their weights, 128 scales
    const std::int64_t ranks = expertCards(plan);
    if (ranks < 2) return Bytes(0);
    const std::int64_t token = 2 * plan.model.architecture.hidden_size + kRouting;
    // Tokens that a rank may send ahead, by the number of ranks.
    const std::int64_t ahead = ranks <= 8 ? 256 : ranks <= 64 ? 288 : ranks <= 96 ? 480 : ranks <= 128 ? 560 : 720;
    const std::int64_t inside = kChannels * std::min(ranks, kPeers) * ahead * token;
    if (ranks <= kPeers) return Bytes(inside);
    // 128 tokens, or the next multiple of how many are sent at once: 20 on 16 ranks, 8 up to 64, 12 beyond.
    const std::int64_t between = ranks <= 16 ? 140 : ranks <= 64 ? 128 : 132;
    constexpr std::int64_t kHeader = 16;
    return Bytes(inside + kChannels * (ranks / kPeers) * between * 2 * (token + kHeader));
}

std::vector<Term> deviceTerms(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    // Replicas of a served model do not communicate.
    const bool replicas_communicate = plan.workload.task != Task::Inference && dataParallel(plan) > 1;
    const std::int64_t groups = (degrees.tensor > 1 ? 1 : 0) + (degrees.pipeline > 1 ? 1 : 0)
        + (degrees.context > 1 ? 1 : 0) + (degrees.expert > 1 ? 1 : 0) + (replicas_communicate ? 1 : 0);
    std::vector<Term> terms;
    if (groups > 0) {
        const std::int64_t count = std::min(groups, kMostCommunicators);
        const Bytes bytes = count * mebibytes(plan, Constant::Communicator);
        const Band factor_of_two{Bytes(bytes.value() / 2), bytes};
        terms.push_back({Segment::Communication, "communicators", "W_n", count, bytes, factor_of_two});
    }
    if (const Bytes buffers = dispatchBuffers(plan); buffers > Bytes(0))
        terms.push_back({Segment::Communication, "dispatch_buffers", "W_x", 1, buffers, {}});
    const Bytes context = deviceContext(plan);
    const Band lazy_to_eager{
        context - mebibytes(plan, Constant::SmallestContext), mebibytes(plan, Constant::LargestContext) - context};
    const bool given = plan.overheads.device_context.has_value();
    terms.push_back({Segment::DeviceContext, "device_context", "W_d", 1, context, given ? Band{} : lazy_to_eager});
    return terms;
}

Bytes deviceContext(const Plan& plan)
{
    const auto& given = plan.overheads.device_context;
    return given ? toBytes(*given) : mebibytes(plan, Constant::DeviceContext);
}

Term reserveTerm(const Plan& plan, Bytes allocated)
{
    const auto share = [&](double fraction) { return roundToBytes(fraction * static_cast<double>(allocated.value())); };
    const auto& given = plan.overheads.reserve_fraction;
    const Bytes reserve = share(given.value_or(usualReserve(plan)));
    const Bytes least = share(plan.constants[Constant::SmallestReserve]);
    const Bytes most = share(plan.constants[Constant::LargestReserve]);
    const bool known = given || reserve == Bytes(0);
    return {Segment::Reserve, "allocator_reserve", "rho A", 1, reserve,
        known ? Band{} : Band{reserve - least, most - reserve}};
}

Bytes leftByWrapping(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    const bool wraps = trainsAdapters(plan) && shardsByFsdp(plan) && denseShards(plan) > 1.0;
    if (!wraps || plan.overheads.reserve_fraction) return {};
    const double layer = frozenMatrixBytes(plan) * number(largestLayer(tables));
    return roundToBytes(2.0 * (2.0 * number(outputUnit(plan, stage)) + layer));
}

bool isBetweenBlocks(const Term& term) { return term.id == kBlocks; }

std::vector<Term> reserveTerms(const Plan& plan, const OperatorTables& tables, const StageLayers& stage,
    const StageParameters& parameters, bool gradients_held)
{
    const bool by_blocks = plan.workload.task != Task::Inference && plan.recipe.framework != Framework::Megatron;
    if (!by_blocks || plan.overheads.reserve_fraction) return {};
    const BlockShare share = blockShare(plan);
    const auto block = static_cast<double>(largestBlock(plan, tables, stage).value());
    const auto blocks = [&](Constant constant) { return roundToBytes(plan.constants[constant] * block); };
    const Bytes usual = blocks(share.usual);
    std::vector<Term> terms{
        {Segment::Reserve, kBlocks, "b_r B_l", 1, usual, {usual - blocks(share.least), blocks(share.most) - usual}}};
    if (!shardsByFsdp(plan)) return terms;
    if (trainsAdapters(plan)) {
        if (plan.recipe.sharding == Sharding::Zero3 && denseShards(plan) > 1.0)
            terms.push_back({Segment::Reserve, "reserve.pending", "2 w_b P_l", 1,
                roundToBytes(2.0 * frozenMatrixBytes(plan) * number(largestLayer(tables))), {}});
        return terms;
    }
    if (!gradients_held && gradientsComeLast(plan)) {
        for (Term term : gradientTerms(plan, parameters)) {
            term.segment = Segment::Reserve;
            term.id = term.id == "gradients" ? "reserve.gradients" : "reserve.gradients.experts";
            terms.push_back(term);
        }
    }
    if (plan.recipe.sharding == Sharding::Zero3 && plan.parallelism.pipeline == 1 && denseShards(plan) > 1.0) {
        const std::int64_t layer = largestLayer(tables);
        terms.push_back({Segment::Reserve, "reserve.gathers", "2 (P_o - min(P_l, P_o - P_l))", 1,
            Bytes(2 * std::max(layer, outputUnit(plan, stage) - layer)), {}});
    }
    return terms;
}

} // namespace cardfit
