// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/states.h"

#include <algorithm>

namespace cardfit {

namespace {

constexpr double kBlock = 64.0; ///< 4-bit values that share a scale
constexpr double kScaleBlock = 256.0; ///< scales that share a scale of their own
constexpr double kDoublyQuantized = 0.516; ///< 0.5 + 1 / 64 + 4 / (64 x 256), as published
static_assert(kDoublyQuantized - (0.5 + 1.0 / kBlock + 4.0 / (kBlock * kScaleBlock)) < 1e-3);

constexpr double kDionRank = 0.25; ///< of a matrix's shorter side
constexpr double kGaLoreRank = 128.0;
constexpr double kApolloRank = 256.0;
constexpr std::int64_t kLargestSoapSide = 10'000; ///< a longer side has no matrix of its own

/// Whether states do not follow the weights' format: bitsandbytes and torchao.
bool hasOwnFormat(Optimizer optimizer)
{
    switch (optimizer) {
    case Optimizer::AdamW8Bit:
    case Optimizer::Adam8Bit:
    case Optimizer::PagedAdam8Bit:
    case Optimizer::PagedAdam:
    case Optimizer::Adam4Bit: return true;
    case Optimizer::Adam:
    case Optimizer::Sgd:
    case Optimizer::Momentum:
    case Optimizer::Adafactor:
    case Optimizer::Lion:
    case Optimizer::Muon:
    case Optimizer::AdamMini:
    case Optimizer::NorMuon:
    case Optimizer::Dion:
    case Optimizer::Soap:
    case Optimizer::Shampoo:
    case Optimizer::GaLore:
    case Optimizer::Apollo: break;
    }
    return false;
}

void setMoments(Optimizer optimizer, StateLayout& layout)
{
    constexpr double kAdam = 8.0;
    layout.moments_of_rest = kAdam;
    switch (optimizer) {
    case Optimizer::Adam: layout.moments = kAdam; return;
    case Optimizer::Muon:
    case Optimizer::NorMuon: layout.moments = 4.0; return;
    case Optimizer::Dion: layout.moments = 4.0 + 4.0 * kDionRank; return;
    case Optimizer::Soap:
        layout.moments = kAdam;
        layout.of_squares = 2.0 * 4.0;
        return;
    case Optimizer::Shampoo: layout.moments = 6.0 * 4.0; return;
    case Optimizer::GaLore:
        layout.of_longer = 2.0 * 4.0 * kGaLoreRank;
        layout.of_shorter = 4.0 * kGaLoreRank;
        return;
    case Optimizer::Apollo: layout.of_longer = 2.0 * 4.0 * kApolloRank; return;
    case Optimizer::AdamW8Bit: layout.moments = 2.0 + 2.0 * 4.0 / 2048.0; break;
    case Optimizer::Adam8Bit:
    case Optimizer::PagedAdam8Bit: layout.moments = 2.0 + 2.0 * 4.0 / 256.0; break;
    case Optimizer::PagedAdam: layout.moments = kAdam; break;
    case Optimizer::Adam4Bit: layout.moments = 2.0 * 0.5 + 2.0 * 4.0 / 128.0; break;
    case Optimizer::Momentum:
    case Optimizer::AdamMini:
    case Optimizer::Lion: layout.moments = 4.0; break;
    case Optimizer::Sgd: layout.moments = 0.0; break;
    case Optimizer::Adafactor:
        layout.moments = 4.0;
        layout.factored = true;
        break;
    }
    layout.moments_of_rest = layout.moments;
}

double gradientBytes(GradientPrecision precision) { return precision == GradientPrecision::Fp32 ? 4.0 : 2.0; }

double momentBytes(MomentPrecision precision)
{
    switch (precision) {
    case MomentPrecision::Fp32: return 4.0;
    case MomentPrecision::Bf16:
    case MomentPrecision::Fp16: return 2.0;
    case MomentPrecision::Fp8: return 1.0;
    }
    return 4.0;
}

/// Whether only quantized copies of matrices are kept.
bool keepsQuantizedOnly(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const bool asked = recipe.precision == Precision::Nvfp4 ? recipe.fp4_param_gather : recipe.fp8_param_gather;
    return asked && recipe.framework == Framework::Megatron && quantizedBytes(plan) > 0.0;
}

/// Bytes per parameter before sharding, by the framework's conventions.
StateLayout unsharded(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    StateLayout layout;
    setMoments(recipe.optimizer, layout);
    if (recipe.precision == Precision::Fp32) {
        layout.weights = layout.gradients = 4.0;
        return layout;
    }
    if (recipe.precision == Precision::Bf16Pure) {
        layout.weights = layout.gradients = 2.0;
        // Moments follow the weights' format, unless they have a format of their own.
        if (!hasOwnFormat(recipe.optimizer)) {
            layout.moments /= 2.0;
            layout.of_squares /= 2.0;
            layout.of_longer /= 2.0;
            layout.of_shorter /= 2.0;
            layout.moments_of_rest = std::min(layout.moments_of_rest, 4.0);
        }
        if (recipe.framework == Framework::DeepSpeed) layout.master = 2.0;
        return layout;
    }
    layout.quantized = quantizedBytes(plan);
    if (recipe.framework == Framework::Fsdp) {
        layout.weights = layout.gradients = 4.0; // the sharded weights are the fp32 master copy
        return layout;
    }
    layout.weights = 2.0;
    layout.gradients = recipe.framework == Framework::DeepSpeed ? 2.0 : gradientBytes(recipe.gradient_precision);
    layout.master = 4.0;
    return layout;
}

bool reaches(Sharding sharding, Sharding stage) { return static_cast<int>(sharding) >= static_cast<int>(stage); }

void addSides(const Weight& weight, double times, ParameterSet& set)
{
    const double each = times * static_cast<double>(weight.copies);
    const auto [shorter, longer] = std::minmax(weight.rows, weight.columns);
    set.longer += each * static_cast<double>(longer);
    set.shorter += each * static_cast<double>(shorter);
    for (const std::int64_t side : {weight.rows, weight.columns}) {
        if (side <= kLargestSoapSide) set.squares += each * static_cast<double>(side) * static_cast<double>(side);
    }
}

void count(const std::vector<Operator>& operators, double times, bool others_learn, StageParameters& sum)
{
    for (const Operator& step : operators) {
        for (const Weight& weight : step.weights) {
            const double elements = times * static_cast<double>(weight.elements());
            if (weight.adapter) {
                sum.adapter += elements;
                if (weight.expert) sum.expert_adapter += elements;
                continue;
            }
            if (weight.frozen && others_learn) {
                sum.frozen += elements;
                continue;
            }
            ParameterSet& set = weight.expert ? sum.expert : sum.dense;
            set.all += elements;
            sum.largest = std::max(sum.largest, static_cast<double>(weight.elements()));
            if (weight.linear && !weight.output) {
                set.matrices += elements;
                addSides(weight, times, set);
            }
            set.factors += weight.columns == 1
                ? elements
                : times * static_cast<double>(weight.copies * (weight.rows + weight.columns));
        }
    }
}

/// Elements of the matrices before a layer's second half.
double attentionElements(const std::vector<Operator>& layer)
{
    double elements = 0.0;
    for (const Operator& step : layer) {
        if (startsMlp(step)) break;
        for (const Weight& weight : step.weights) {
            const bool counts = weight.linear && !weight.output && !weight.adapter && !weight.expert;
            if (counts) elements += static_cast<double>(weight.elements());
        }
    }
    return elements;
}

/// Collects the terms of dense and expert parameters, which are shared by different numbers of cards.
class StateTerms {
public:
    StateTerms(const Plan& plan, const StageParameters& parameters)
        : m_dense_shards(denseShards(plan))
        , m_expert_shards(expertShards(plan))
        , m_parameters(parameters)
    {
        m_terms.reserve(8); // few plans have more
    }

    /// Formulas divide by numbers of ranks that are 1 where a kind of state is not sharded.
    struct Names {
        std::string_view dense, expert, formula, expert_formula;
    };

    /// `bytes(ParameterSet)`: of one kind of parameters, before sharding.
    template <class BytesOf> void add(Segment segment, const Names& names, bool sharded, const BytesOf& bytes)
    {
        add(segment, names.dense, names.formula, bytes(m_parameters.dense) / (sharded ? m_dense_shards : 1.0));
        add(segment, names.expert, names.expert_formula,
            bytes(m_parameters.expert) / (sharded ? m_expert_shards : 1.0));
    }
    void add(Segment segment, std::string_view id, std::string_view formula, double bytes)
    {
        if (bytes > 0.0) m_terms.push_back({segment, id, formula, 1, roundToBytes(bytes), {}});
    }

    std::vector<Term> take() { return std::move(m_terms); }

private:
    double m_dense_shards;
    double m_expert_shards;
    const StageParameters& m_parameters;
    std::vector<Term> m_terms;
};

using Names = StateTerms::Names;
constexpr Names kWeights{"weights", "weights.experts", "w_p P / N_w", "w_p P_e / N_we"};
constexpr Names kResidentWeights{"weights", "weights.experts", "w_p P (1 - o_p) / N_w", "w_p P_e (1 - o_p) / N_we"};
constexpr Names kFrozenWeights{
    "weights.frozen", "weights.experts.frozen", "(w_b P_m + 2 (P - P_m)) / N_w", "(w_b P_em + 2 (P_e - P_em)) / N_we"};
constexpr Names kQuantized{"weights.quantized", "weights.experts.quantized", "q P_m", "q P_em"};
constexpr Names kUnquantizedWeights{"weights", "weights.experts", "w_p (P - P_m) / N_w", "w_p (P_e - P_em) / N_we"};
constexpr Names kStashed{"weights.stashed", "weights.experts.stashed", "w_p P (V - 1) / N_w", "w_p P_e (V - 1) / N_we"};
constexpr Names kReference{"weights.reference", "weights.experts.reference", "2 P / N_w", "2 P_e / N_we"};
constexpr Names kGradients{"gradients", "gradients.experts", "g_p P / N_g", "g_p P_e / N_ge"};
constexpr Names kResidentGradients{
    "gradients", "gradients.experts", "g_p P (1 - o_g) / N_g", "g_p P_e (1 - o_g) / N_ge"};
constexpr Names kWholeGradients{"gradients.whole", "gradients.experts.whole", "2 P", "2 P_e"};
constexpr Names kWideGradients{"gradients.whole", "gradients.experts.whole", "g_r P", "g_r P_e"};
constexpr Names kWholeLayerGradients{"gradients.whole", "gradients.experts.whole", "2 P_m", "2 P_em"};
constexpr Names kFrozenGradients{
    "gradients.frozen", "gradients.experts.frozen", "2 P (1 - o_g) / N_g", "2 P_e (1 - o_g) / N_ge"};
constexpr Names kFrozenLayerGradients{
    "gradients.frozen", "gradients.experts.frozen", "2 P_m (1 - o_g) / N_g", "2 P_em (1 - o_g) / N_ge"};
constexpr Names kResidentFrozen{"weights.frozen", "weights.experts.frozen", "(w_b P_m + 2 (P - P_m)) (1 - o_p) / N_w",
    "(w_b P_em + 2 (P_e - P_em)) (1 - o_p) / N_we"};
constexpr Names kAdapters{"weights.adapter", "weights.experts.adapter", "2 P_a / N_w", "2 P_ae / N_we"};
constexpr Names kResidentAdapters{
    "weights.adapter", "weights.experts.adapter", "2 P_a (1 - o_p) / N_w", "2 P_ae (1 - o_p) / N_we"};
constexpr Names kWholeAdapterGradients{"gradients.adapter", "gradients.experts.adapter", "2 P_a", "2 P_ae"};
constexpr Names kAdapterGradients{"gradients.adapter", "gradients.experts.adapter", "2 P_a / N_g", "2 P_ae / N_ge"};
constexpr Names kResidentAdapterGradients{
    "gradients.adapter", "gradients.experts.adapter", "2 P_a (1 - o_g) / N_g", "2 P_ae (1 - o_g) / N_ge"};
constexpr Names kAdapterStates{
    "optimizer.adapter", "optimizer.experts.adapter", "a_o P_a (1 - o) / N_o", "a_o P_ae (1 - o) / N_oe"};
constexpr Names kScales{"weights.scales", "weights.experts.scales", "s_b P_m", "s_b P_em"};
constexpr Names kMaster{"optimizer.master", "optimizer.experts.master", "4 P (1 - o) / N_o", "4 P_e (1 - o) / N_oe"};
constexpr Names kNarrowMaster{
    "optimizer.master", "optimizer.experts.master", "2 P (1 - o) / N_o", "2 P_e (1 - o) / N_oe"};
constexpr Names kMoments{
    "optimizer.moments", "optimizer.experts.moments", "m_1 P (1 - o) / N_o", "m_1 P_e (1 - o) / N_oe"};
constexpr Names kMatrixMoments{"optimizer.moments", "optimizer.experts.moments",
    "(m_1 P_m + m_2 (P - P_m)) (1 - o) / N_o", "(m_1 P_em + m_2 (P_e - P_em)) (1 - o) / N_oe"};
constexpr Names kSideMoments{"optimizer.moments", "optimizer.experts.moments",
    "(m_1 P_m + m_2 (P - P_m) + S_o) (1 - o) / N_o", "(m_1 P_em + m_2 (P_e - P_em) + S_oe) (1 - o) / N_oe"};
constexpr Names kFactoredMoments{
    "optimizer.moments", "optimizer.experts.moments", "m_1 P_f (1 - o) / N_o", "m_1 P_ef (1 - o) / N_oe"};
constexpr Names kGradientCopy{
    "optimizer.gradient_copy", "optimizer.experts.gradient_copy", "4 P (1 - o) / N_o", "4 P_e (1 - o) / N_oe"};
constexpr Names kSubGroupCopy{"optimizer.gradient_copy", "optimizer.experts.gradient_copy",
    "w_s min(P (1 - o) / N_o, G_s)", "w_s min(P_e (1 - o) / N_oe, G_s)"};

constexpr Names kForeach{
    "optimizer.foreach_copy", "optimizer.experts.foreach_copy", "w_f P (1 - o) / N_w", "w_f P_e (1 - o) / N_we"};
constexpr Names kSubGroupForeach{"optimizer.foreach_copy", "optimizer.experts.foreach_copy",
    "w_s min(P (1 - o) / N_o, G_s)", "w_s min(P_e (1 - o) / N_oe, G_s)"};
constexpr Names kForeachOfOwned{
    "optimizer.foreach_copy", "optimizer.experts.foreach_copy", "w_f P (1 - o) / N_o", "w_f P_e (1 - o) / N_oe"};
constexpr Names kSubGroupRoots{"optimizer.loop_copies", "optimizer.experts.loop_copies",
    "2 w_s min(P (1 - o) / N_o, G_s)", "2 w_s min(P_e (1 - o) / N_oe, G_s)"};
constexpr Names kRoots{
    "optimizer.loop_copies", "optimizer.experts.loop_copies", "2 w_f P (1 - o) / N_o", "2 w_f P_e (1 - o) / N_oe"};

const Names& momentNames(const StateLayout& layout)
{
    if (layout.factored) return kFactoredMoments;
    if (layout.of_squares + layout.of_longer > 0.0) return kSideMoments;
    return layout.moments == layout.moments_of_rest ? kMoments : kMatrixMoments;
}

/// Whether FSDP leaves gradients whole until the last micro-batch: as the recipe says, and under a pipeline (PyTorch,
/// distributed/pipelining/stage.py, perform_backward).
bool synchronizesLast(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const bool last = recipe.gradient_sync == GradientSync::Last || (plan.parallelism.pipeline > 1 && trainsAll(plan));
    return recipe.framework == Framework::Fsdp && last && reaches(recipe.sharding, Sharding::Zero2);
}

/// Whether the output layer has an adapter.
bool learnsBesideOutput(const Plan& plan)
{
    const std::optional<Adapter> adapter = adapterOf(plan);
    return adapter && adapter->adapts(AdapterTarget::LmHead);
}

/// A frozen copy in 16 bits, divided as the framework divides weights: DeepSpeed's own ZeRO-3 engine
/// (trl/models/utils.py, prepare_deepspeed), FSDP's of the same strategy (prepare_fsdp), Megatron-LM's model ranks.
void addReference(const Plan& plan, const StateLayout& layout, StateTerms& terms)
{
    if (!plan.recipe.reference_model) return;
    terms.add(
        Segment::Weights, kReference, layout.weights_sharded, [](const ParameterSet& set) { return 2.0 * set.all; });
}

std::vector<Term> adapterTerms(const Plan& plan, const StageParameters& parameters)
{
    StateTerms terms(plan, parameters);
    const StateLayout layout = stateLayout(plan);
    const auto& offload = plan.recipe.offload;
    const double matrix = frozenMatrixBytes(plan);
    const double resident = 1.0 - offload.parameters;
    const bool offloads = offload.parameters > 0.0;
    terms.add(Segment::Weights, offloads ? kResidentFrozen : kFrozenWeights, layout.weights_sharded,
        [&](const ParameterSet& set) { return resident * (matrix * set.matrices + 2.0 * (set.all - set.matrices)); });
    addReference(plan, layout, terms);
    const double scale = unshardedScaleBytes(plan);
    terms.add(Segment::Weights, kScales, false, [&](const ParameterSet& set) { return scale * set.matrices; });
    // Adapters of experts are divided among the cards that hold the same experts.
    const auto addAdapters = [&](Segment segment, const Names& names, bool sharded, double bytes) {
        const double experts = parameters.expert_adapter;
        terms.add(segment, names.dense, names.formula,
            bytes * (parameters.adapter - experts) / (sharded ? denseShards(plan) : 1.0));
        terms.add(segment, names.expert, names.expert_formula, bytes * experts / (sharded ? expertShards(plan) : 1.0));
    };
    addAdapters(Segment::Weights, offloads ? kResidentAdapters : kAdapters, layout.weights_sharded, 2.0 * resident);
    const double on_host = offloadedGradients(plan);
    const bool head = learnsBesideOutput(plan);
    const auto flat = [&](const ParameterSet& set) { return 2.0 * (head ? set.all : set.matrices); };
    if (keepsWholeGradients(plan)) {
        terms.add(Segment::Gradients, head ? kWholeGradients : kWholeLayerGradients, false, flat);
        addAdapters(Segment::Gradients, kWholeAdapterGradients, false, 2.0);
    } else {
        if (frozenHaveGradients(plan)) {
            terms.add(Segment::Gradients, head ? kFrozenGradients : kFrozenLayerGradients, true,
                [&](const ParameterSet& set) { return (1.0 - on_host) * flat(set); });
        }
        addAdapters(Segment::Gradients, on_host > 0.0 ? kResidentAdapterGradients : kAdapterGradients,
            layout.gradients_sharded, 2.0 * (1.0 - on_host));
    }
    addAdapters(Segment::Optimizer, kAdapterStates, layout.optimizer_sharded,
        adapterStateBytes(plan, layout) * (1.0 - offload.optimizer));
    return terms.take();
}

/// The gradients of a plan that trains all its weights.
void addGradients(const Plan& plan, StateTerms& terms)
{
    const StateLayout layout = stateLayout(plan);
    if (keepsWholeGradients(plan)) {
        const double bytes = plan.parallelism.pipeline > 1 ? reducedBytes(plan) : 2.0;
        terms.add(Segment::Gradients, bytes == 2.0 ? kWholeGradients : kWideGradients, false,
            [&](const ParameterSet& set) { return bytes * set.all; });
        return;
    }
    const double on_host = offloadedGradients(plan);
    terms.add(Segment::Gradients, on_host > 0.0 ? kResidentGradients : kGradients, layout.gradients_sharded,
        [&](const ParameterSet& set) { return (1.0 - on_host) * layout.gradients * set.all; });
}

} // namespace

double frozenMatrixBytes(const Plan& plan)
{
    if (plan.workload.task != Task::Qlora) return keepsQuantizedOnly(plan) ? quantizedBytes(plan) : 2.0;
    if (plan.recipe.quantizer == Quantizer::BitsandbytesInt8) return bytesPerValue(Precision::Int8);
    return normalFloatBytes(plan.recipe.double_quantization) - unshardedScaleBytes(plan);
}

double unshardedScaleBytes(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    const bool attributes =
        recipe.quantizer == Quantizer::Bitsandbytes || recipe.quantizer == Quantizer::Bitsandbytes043;
    const bool divides = recipe.framework == Framework::Fsdp && reaches(recipe.sharding, Sharding::Zero2);
    if (plan.workload.task != Task::Qlora || !attributes || !divides) return 0.0;
    return normalFloatBytes(recipe.double_quantization) - 0.5;
}

double normalFloatBytes(bool double_quantization)
{
    return double_quantization ? kDoublyQuantized : bytesPerValue(Precision::Nf4);
}

bool keepsWholeGradients(const Plan& plan) { return synchronizesLast(plan) && microBatches(plan) > 1; }

bool frozenHaveGradients(const Plan& plan)
{
    return synchronizesLast(plan) && trainsAdapters(plan) && microBatches(plan) <= 1;
}

bool gathersFp8Shards(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    return recipe.framework == Framework::Fsdp && recipe.precision == Precision::Fp8 && recipe.fp8_param_gather;
}

bool gradientsComeLast(const Plan& plan)
{
    if (plan.recipe.framework != Framework::Fsdp || plan.parallelism.pipeline > 1 || microBatches(plan) > 1)
        return false;
    const bool alone = replicaCards(plan.parallelism) == 1 && dataParallel(plan) == 1;
    return alone || reaches(plan.recipe.sharding, Sharding::Zero2);
}

bool shardsByFsdp(const Plan& plan)
{
    return plan.recipe.framework == Framework::Fsdp && reaches(plan.recipe.sharding, Sharding::Zero2);
}

double reducedBytes(const Plan& plan)
{
    return plan.recipe.precision != Precision::Bf16Pure && plan.recipe.gradient_precision == GradientPrecision::Fp32
        ? 4.0
        : 2.0;
}

double sideBytes(const StateLayout& layout, const ParameterSet& set)
{
    return layout.of_squares * set.squares + layout.of_longer * set.longer + layout.of_shorter * set.shorter;
}

double adapterStateBytes(const Plan& plan, const StateLayout& layout)
{
    // In mixed precision a trained parameter has an additional fp32 copy, or is itself fp32, which takes the same.
    return layout.moments + (plan.recipe.precision == Precision::Bf16Pure ? layout.master : 4.0);
}

std::int64_t largestMatrix(const OperatorTables& tables)
{
    return largestProductWeight(tables, [](const Weight& weight) { return weight.rows * weight.columns; });
}

StateLayout stateLayout(const Plan& plan)
{
    StateLayout layout = checkpointLayout(plan);
    const Optimizer optimizer = plan.recipe.optimizer;
    if (optimizer == Optimizer::PagedAdam || optimizer == Optimizer::PagedAdam8Bit)
        layout.moments = layout.moments_of_rest = 0.0;
    return layout;
}

StateLayout checkpointLayout(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    StateLayout layout = unsharded(plan);
    if (recipe.moment_precision && recipe.optimizer == Optimizer::Adam)
        layout.moments = layout.moments_of_rest = 2.0 * momentBytes(*recipe.moment_precision);
    const bool narrow = keepsQuantizedOnly(plan);
    layout.matrix_weights = narrow ? 0.0 : layout.weights;
    layout.gathered = narrow && recipe.precision != Precision::Mxfp8 ? bytesPerValue(recipe.precision)
        : gathersFp8Shards(plan)                                     ? 1.0
                                                                     : std::min(layout.weights, 2.0);
    if (recipe.precision == Precision::Fp32) layout.gathered = 4.0;
    layout.optimizer_sharded = reaches(recipe.sharding, Sharding::Zero1);
    layout.gradients_sharded = reaches(recipe.sharding, Sharding::Zero2);
    // FSDP keeps weights sharded between uses even if it leaves them gathered during the step (SHARD_GRAD_OP).
    const Sharding first = recipe.framework == Framework::Fsdp ? Sharding::Zero2 : Sharding::Zero3;
    layout.weights_sharded = reaches(recipe.sharding, first);
    return layout;
}

double denseShards(const Plan& plan)
{
    const auto cards = static_cast<double>(dataParallel(plan) * plan.parallelism.context);
    return std::max(1.0, cards / static_cast<double>(plan.recipe.optimizer_instances));
}

double expertShards(const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    const std::int64_t cards = dataParallel(plan) * degrees.context * degrees.tensor;
    const std::int64_t replicas = cards / expertCards(plan);
    return std::max(1.0, static_cast<double>(replicas) / static_cast<double>(plan.recipe.optimizer_instances));
}

StageParameters stageParameters(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    StageParameters sum;
    const bool learns = trainsAll(plan);
    const bool parted = plan.recipe.weights_precision != WeightsPrecision();
    for (const auto [kind, layers] : layerKinds(plan.model.architecture, stage)) {
        const auto& operators = tables.layers.of(kind);
        count(operators, static_cast<double>(layers), learns, sum);
        if (parted && kind.mixer != TokenMixer::None)
            sum.attention += static_cast<double>(layers) * attentionElements(operators);
    }
    if (stage.embedding()) {
        count(tables.embedding, 1.0, learns, sum);
        count(tables.vision, 1.0, learns, sum);
    }
    if (!stage.head()) return sum;
    count(tables.head, 1.0, learns, sum);
    count(tables.prediction, static_cast<double>(predictionWeights(plan.model.architecture)), learns, sum);
    // Predicting further tokens reads the embedding, so its stage holds a copy.
    if (!tables.prediction.empty() && !stage.embedding()) count(tables.embedding, 1.0, learns, sum);
    return sum;
}

std::vector<Term> stateTerms(const Plan& plan, const StageParameters& parameters, std::int64_t weight_versions)
{
    if (trainsAdapters(plan)) return adapterTerms(plan, parameters);
    const StateLayout layout = stateLayout(plan);
    const auto& offload = plan.recipe.offload;
    const double stashed = static_cast<double>(weight_versions - 1);
    StateTerms terms(plan, parameters);
    const auto each = [](double bytes) { return [bytes](const ParameterSet& set) { return bytes * set.all; }; };

    if (layout.matrix_weights == 0.0) {
        terms.add(Segment::Weights, kUnquantizedWeights, layout.weights_sharded,
            [&](const ParameterSet& set) { return layout.weights * (set.all - set.matrices); });
    } else {
        terms.add(Segment::Weights, offload.parameters > 0.0 ? kResidentWeights : kWeights, layout.weights_sharded,
            each(layout.weights * (1.0 - offload.parameters)));
    }
    terms.add(Segment::Weights, "weights.vision", "w_p P_vt / N_w",
        layout.weights * parameters.frozen / (layout.weights_sharded ? denseShards(plan) : 1.0));
    terms.add(
        Segment::Weights, kQuantized, false, [&](const ParameterSet& set) { return layout.quantized * set.matrices; });
    terms.add(Segment::Weights, kStashed, layout.weights_sharded, each(layout.weights * stashed));
    addReference(plan, layout, terms);
    if (!plan.recipe.optimizer_in_backward && !gradientsComeLast(plan)) addGradients(plan, terms);
    terms.add(Segment::Optimizer, layout.master == 2.0 ? kNarrowMaster : kMaster, layout.optimizer_sharded,
        each(layout.master * (1.0 - offload.optimizer)));
    terms.add(Segment::Optimizer, momentNames(layout), layout.optimizer_sharded, [&](const ParameterSet& set) {
        const double moments = layout.factored ? layout.moments * set.factors
                                               : layout.moments * set.matrices
                + layout.moments_of_rest * (set.all - set.matrices) + sideBytes(layout, set);
        return moments * (1.0 - offload.optimizer);
    });
    return terms.take();
}

double frozenElsewhere(const Plan& plan, const StageParameters& parameters)
{
    const double matrix = frozenMatrixBytes(plan);
    const double resident = 1.0 - plan.recipe.offload.parameters;
    const auto elsewhere = [&](const ParameterSet& set, double shards) {
        return (matrix * set.matrices + 2.0 * (set.all - set.matrices)) * (1.0 - resident / shards);
    };
    return elsewhere(parameters.dense, denseShards(plan)) + elsewhere(parameters.expert, expertShards(plan));
}

std::vector<Term> gradientTerms(const Plan& plan, const StageParameters& parameters)
{
    StateTerms terms(plan, parameters);
    addGradients(plan, terms);
    return terms.take();
}

std::vector<Term> optimizerStepTerms(const Plan& plan, const OperatorTables& tables, const StageParameters& parameters)
{
    if (trainsAdapters(plan)) return {};
    const StateLayout layout = stateLayout(plan);
    const bool deepspeed = plan.recipe.framework == Framework::DeepSpeed;
    const bool by_groups = deepspeed && plan.recipe.sharding == Sharding::Zero3;
    const double resident = 1.0 - plan.recipe.offload.optimizer;
    StateTerms terms(plan, parameters);
    if (plan.recipe.optimizer_in_backward) {
        // One gradient at a time, freed when its weight has been updated; the largest may be the embedding's, the last.
        terms.add(Segment::Gradients, "gradients.one", "g_p P_1", layout.gradients * parameters.largest);
    } else if (gradientsComeLast(plan)) {
        addGradients(plan, terms);
    }
    const auto& implementation = plan.recipe.optimizer_implementation;
    const bool foreach =
        implementation == OptimizerImplementation::Foreach && plan.recipe.framework != Framework::Megatron;
    const bool flat_loop = implementation == OptimizerImplementation::ForLoop && deepspeed;
    const auto updated = [&](double copies) {
        const double bytes = layout.master > 2.0 ? layout.master : layout.weights;
        return [=](const ParameterSet& set) { return copies * bytes * resident * set.all; };
    };
    if (foreach && !by_groups) {
        const bool sharded = layout.master > 2.0 ? layout.optimizer_sharded : layout.weights_sharded;
        terms.add(
            Segment::Temporary, sharded && !layout.weights_sharded ? kForeachOfOwned : kForeach, sharded, updated(1.0));
    }
    if (flat_loop && !by_groups) terms.add(Segment::Temporary, kRoots, layout.optimizer_sharded, updated(2.0));
    if (by_groups && layout.master > 0.0) {
        const auto group = static_cast<double>(plan.recipe.sub_group_size);
        const auto addGroup = [&](const Names& names, double copies = 1.0) {
            const auto bytes = [&](const ParameterSet& set, double shards) {
                return copies * layout.master * std::min(resident * set.all / shards, group);
            };
            terms.add(Segment::Temporary, names.dense, names.formula, bytes(parameters.dense, denseShards(plan)));
            terms.add(
                Segment::Temporary, names.expert, names.expert_formula, bytes(parameters.expert, expertShards(plan)));
        };
        addGroup(kSubGroupCopy);
        if (foreach) addGroup(kSubGroupForeach);
        if (flat_loop) addGroup(kSubGroupRoots, 2.0);
    } else if (layout.master > 2.0 && layout.gradients < 4.0) {
        terms.add(Segment::Temporary, kGradientCopy, layout.optimizer_sharded,
            [&](const ParameterSet& set) { return 4.0 * resident * set.all; });
    }
    if (plan.recipe.optimizer == Optimizer::Muon || plan.recipe.optimizer == Optimizer::NorMuon) {
        constexpr double kCopies = 3.0 * 2.0;
        terms.add(
            Segment::Temporary, "optimizer.newton_schulz", "6 M", kCopies * static_cast<double>(largestMatrix(tables)));
    }
    return terms.take();
}

} // namespace cardfit
