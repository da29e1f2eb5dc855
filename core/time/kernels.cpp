// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/kernels.h"

#include <algorithm>
#include <limits>

#include "core/memory/activations.h"
#include "core/plan/software.h"

namespace cardfit {

namespace {

constexpr double kConverted = std::numeric_limits<double>::infinity(); ///< columns of a product that converts nothing
constexpr double kUsualHead = 128.0; ///< values per head with which attention was measured

/// The value in `by_format` for the products of an fp8 or fp4 recipe; fp8's if there is none for fp4. None for wider
/// recipes.
template <class ByFormat> auto narrowValue(const ByFormat& by_format, Precision precision)
{
    switch (formatOf(precision)) {
    case MatrixFormat::Fp8: return by_format.fp8;
    case MatrixFormat::Fp4: return by_format.fp4 ? by_format.fp4 : by_format.fp8;
    case MatrixFormat::Bits16:
    case MatrixFormat::Fp32:
    case MatrixFormat::Int8: break;
    }
    return decltype(by_format.fp8){};
}

/// Dense peak of a format, or of the one used instead where the card lacks it.
Teraflops peakRate(const PeakRates& peak, Precision precision)
{
    const Teraflops sixteen_bit = peak.bf16.value_or(peak.fp16.value_or(peak.fp32.value_or(Teraflops(1.0))));
    if (precision == Precision::Fp32) return peak.tf32.value_or(peak.fp32.value_or(sixteen_bit));
    if (precision == Precision::Fp16) return peak.fp16.value_or(sixteen_bit);
    return narrowValue(peak, precision).value_or(sixteen_bit);
}

double efficiency(const Constants& constants, const SustainedEfficiency& sustained, Precision precision)
{
    return narrowValue(sustained, precision).value_or(sustained.bf16.value_or(constants[Constant::UsualEfficiency]));
}

MatrixCurve curveOf(const Constants& constants, const MatrixCurves& curves, Precision precision)
{
    const bool narrow = isNarrow(precision);
    const MatrixCurve usual{constants[Constant::UsualRows], constants[Constant::UsualInner],
        constants[narrow ? Constant::ConversionColumns : Constant::UsualColumns],
        Microseconds(constants[Constant::UsualStart])};
    return (narrow ? narrowValue(curves, precision) : curves.bf16).value_or(usual);
}

/// Precision of products that stay wide in narrow recipes.
Precision wideOf(Precision precision)
{
    return precision == Precision::Fp32 || precision == Precision::Fp16 ? precision : Precision::Bf16;
}

/// Memory traffic relative to fused kernels. PyTorch has a single kernel for LayerNorm and for GELU; an RMSNorm or a
/// gated activation is a sequence of kernels.
double trafficOf(const Plan& plan)
{
    const Architecture& model = plan.model.architecture;
    const bool rows = plan.recipe.kernels == Kernels::Eager && (model.norm != Norm::LayerNorm || model.gated_mlp);
    return plan.constants[rows ? Constant::RowsOfKernels : Constant::OneKernelEach];
}

/// How often the scores are read or written between the products of unfused attention, in 16-bit values. Megatron's
/// causal kernel reads the lower triangle and writes the whole square; backward it reads two triangles and writes the
/// square. It accepts 16 to 4,096 keys and a multiple of four score matrices (core/fusions/fused_softmax.py); otherwise
/// PyTorch masks and normalises. PyTorch's layers scale, mask, normalise in fp32 and round (transformers,
/// eager_attention_forward).
ScorePasses softmaxPasses(const Plan& plan)
{
    const Constants& constants = plan.constants;
    const double dropped = plan.recipe.dropout.attention > 0.0 ? constants[Constant::DropoutPasses] : 0.0;
    const auto passes = [&](Constant forward, Constant backward) {
        return ScorePasses{constants[forward] + dropped, constants[backward] + dropped};
    };
    if (operatorOptions(plan).scores_in_fp32) return passes(Constant::EagerSoftmaxPasses, Constant::EagerSoftmaxPasses);
    const std::int64_t heads = plan.model.architecture.num_attention_heads / plan.parallelism.tensor;
    const bool taken = plan.workload.sequence_length <= 4096 && heads * plan.workload.micro_batch_size % 4 == 0;
    return taken ? passes(Constant::FusedSoftmaxForward, Constant::FusedSoftmaxBackward)
                 : passes(Constant::PlainSoftmaxForward, Constant::PlainSoftmaxBackward);
}

bool usesPytorchsAttention(const Plan& plan)
{
    const bool pytorch = plan.recipe.kernels == Kernels::Eager || plan.recipe.kernels == Kernels::Compiled;
    return pytorch && plan.recipe.attention == Attention::Fused;
}

/// Whether attention runs no faster than FlashAttention-2 can on this card. PyTorch's scaled_dot_product_attention
/// prefers cuDNN's kernels on Hopper and Blackwell since its release 2.11 of March 2026, which brings cuDNN 9.15.1
/// (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp, check_prefer_cudnn_attention), before that FlashAttention-2.
bool limitedByFlash2(const Plan& plan)
{
    if (!traits(plan.cluster.accelerator.generation).outruns_flash2) return false;
    return plan.recipe.attention == Attention::Flash2
        || (usesPytorchsAttention(plan) && !has(plan, SoftwareChange::TorchCudnn));
}

/// PyTorch's kernel was FlashAttention-1 until its release 2.2 of January 2024, like Triton's of that time.
bool usesFlash1(const Plan& plan) { return usesPytorchsAttention(plan) && !has(plan, SoftwareChange::TorchFlash2); }

/// Servers widen stored weights if the card cannot multiply in their format (vLLM's Marlin kernels).
bool widensWeights(const Plan& plan, Precision precision)
{
    return plan.workload.task == Task::Inference && !hasMatrixUnits(plan.cluster.accelerator, precision);
}

/// The format of the layers' products, of which served weights may have several.
Precision formatOfProducts(const Plan& plan, const std::optional<Precision>& served)
{
    return plan.workload.task == Task::Inference ? served.value_or(plan.recipe.precision) : plan.recipe.precision;
}

/// Whether norms and activations convert their output for the dense product behind them.
bool fusesConversions(const Plan& plan)
{
    const Kernels kernels = plan.recipe.kernels;
    const bool fuses = kernels == Kernels::TransformerEngine || kernels == Kernels::Compiled;
    return fuses && formatOf(plan.recipe.precision) == MatrixFormat::Fp8 && !widensWeights(plan, plan.recipe.precision);
}

bool fusesGroupedProducts(const Plan& plan)
{
    return plan.recipe.moe.fused_grouped_mlp && isNarrow(plan.recipe.precision);
}

/// Whether experts' products are launched one by one. Compilers and servers have one kernel for all of them.
bool multipliesExpertByExpert(const Plan& plan)
{
    return !fusesGroupedProducts(plan) && plan.recipe.kernels != Kernels::Compiled
        && plan.workload.task != Task::Inference;
}

/// The keys' part of the product that makes queries, keys and values.
double keyShare(const Architecture& model)
{
    const AttentionHeads heads = attentionHeads(model, TokenMixer::Attention);
    const auto keys = static_cast<double>(heads.keys * heads.head_dim);
    const double all = static_cast<double>(heads.queries * heads.head_dim) + 2.0 * keys;
    return all > 0.0 ? keys / all : 0.0;
}

AttentionCurve attentionCurve(const Plan& plan)
{
    const Accelerator& accelerator = plan.cluster.accelerator;
    const Constants& constants = plan.constants;
    AttentionCurve curve =
        accelerator.attention_curve.value_or(AttentionCurve{constants[Constant::AttentionOverProducts]
                * efficiency(constants, accelerator.gemm_efficiency, Precision::Bf16),
            constants[Constant::UsualAttentionContext], Microseconds(constants[Constant::AttentionStart])});
    if (limitedByFlash2(plan)) {
        curve.efficiency *= constants[Constant::Flash2OverFlash3];
        curve.context = constants[Constant::Flash2Context];
    }
    if (plan.recipe.fp8_attention) curve.efficiency *= constants[Constant::NarrowAttention];
    if (usesFlash1(plan)) curve.efficiency /= constants[Constant::Flash2OverFlash1];
    if (plan.recipe.attention == Attention::Flash3) curve.efficiency *= constants[Constant::Flash3OverBest];
    return curve;
}

} // namespace

Teraflops referencePeak(const Plan& plan) { return peakRate(plan.cluster.accelerator.tflops, Precision::Bf16); }

GigabytesPerSecond reachedBandwidth(const Plan& plan)
{
    return plan.constants[Constant::ReachedBandwidth] * plan.cluster.accelerator.memory_bandwidth;
}

KernelTimes& KernelTimes::operator+=(const KernelTimes& other)
{
    forward += other.forward;
    input += other.input;
    weight += other.weight;
    again += other.again;
    return *this;
}

KernelClock::KernelClock(const Plan& plan)
    : m_constants(plan.constants)
    , m_narrow(narrowRateOf(plan, formatOfProducts(plan, plan.recipe.weights_precision.rest)))
    , m_experts(narrowRateOf(plan, formatOfProducts(plan, plan.recipe.weights_precision.experts)))
    , m_wide(rateOf(plan, wideOf(plan.recipe.precision)))
    , m_attention(attentionCurve(plan))
    , m_fused_attention(plan.recipe.attention != Attention::Unfused)
    , m_learns_matrices(!trainsAdapters(plan))
    , m_dequantized(plan.workload.task == Task::Qlora ? m_constants[Constant::DequantizedBytes] : 0.0)
    , m_by_operator(keepsByOperator(plan))
    , m_every_second(intersects(recomputedModules(plan.recipe.recompute), RecomputeSet::Mlp))
    , m_key_share(keyShare(plan.model.architecture))
    , m_drops_adapters(plan.recipe.adapter && plan.recipe.adapter->dropout > 0.0)
    , m_element(elementBytes(plan))
    , m_peak(peakRate(plan.cluster.accelerator.tflops, wideOf(plan.recipe.precision)))
    , m_bandwidth(reachedBandwidth(plan))
    , m_traffic(trafficOf(plan))
    , m_small_head_loss(
          m_constants[plan.cluster.accelerator.generation == Generation::Blackwell ? Constant::SmallHeadLossBlackwell
                                                                                   : Constant::SmallHeadLoss])
    , m_scan_efficiency(m_constants[traits(plan.cluster.accelerator.generation).scan_efficiency])
    , m_score_passes(softmaxPasses(plan))
    , m_grouped_rows(plan.workload.task == Task::Inference ? Constant::ServedGroupedRows : Constant::GroupedRows)
    , m_fused_grouped(fusesGroupedProducts(plan))
    , m_expert_by_expert(multipliesExpertByExpert(plan))
    , m_dense_conversions(fusesConversions(plan) ? m_constants[Constant::ConversionsAlone] : 1.0)
{
}

KernelClock::Rate KernelClock::narrowRateOf(const Plan& plan, Precision precision)
{
    const Accelerator& card = plan.cluster.accelerator;
    Rate rate = rateOf(plan, widensWeights(plan, precision) ? wideOf(precision) : precision);
    const bool transforms =
        formatOf(precision) == MatrixFormat::Fp4 && plan.recipe.kernels == Kernels::TransformerEngine;
    if (transforms && card.matrix_curves.fp8)
        rate.curve.start = std::max(rate.curve.start, card.matrix_curves.fp8->start);
    return rate;
}

KernelClock::Rate KernelClock::rateOf(const Plan& plan, Precision precision)
{
    const Accelerator& card = plan.cluster.accelerator;
    return {efficiency(plan.constants, card.gemm_efficiency, precision) * peakRate(card.tflops, precision),
        curveOf(plan.constants, card.matrix_curves, precision)};
}

Seconds KernelClock::product(const MatrixProduct& product, double rows, double inner, double columns) const
{
    const Rate& rate = product.wide ? m_wide : product.expert ? m_experts : m_narrow;
    const double half_rows = product.expert ? std::max(m_constants[m_grouped_rows], rate.curve.rows) : rate.curve.rows;
    // Forward and in both backward products, the short dimension of a grouped product is the tokens of one expert.
    const double half_columns = conversionsAlone(product) * rate.curve.columns;
    const double shape = (1.0 + half_rows / rows) * (1.0 + rate.curve.inner / inner) * (1.0 + half_columns / columns);
    const double starts = m_expert_by_expert && product.expert ? product.copies : 1.0;
    return shape * (product.work() / rate.sustained) + starts * toSeconds(rate.curve.start);
}

double KernelClock::conversionsAlone(const MatrixProduct& product) const
{
    if (product.expert) return m_fused_grouped ? m_constants[Constant::ConversionsAlone] : 1.0;
    return product.wide ? 1.0 : m_dense_conversions;
}

KernelClock::Passes KernelClock::fusedAttention(const AttentionWork& work) const
{
    const double head = 1.0 - m_small_head_loss * std::max(0.0, 1.0 - work.head_size / kUsualHead);
    // Only the first kernel of a ring is causal; in the others every query sees every key, so each works like one over
    // twice as many. Their starts are half hidden behind the kernel before.
    const double keys = std::min(work.context, work.chunk * 2.0 / (1.0 + 1.0 / work.pieces));
    const double rate = m_attention.efficiency * head * keys / (keys + m_attention.context);
    const Seconds forward = work.visible / (rate * m_peak);
    const Seconds start = 0.5 * (1.0 + work.pieces) * toSeconds(m_attention.start);
    return {forward + start,
        (m_constants[Constant::AttentionBackwardWork] / m_constants[Constant::AttentionBackwardRate]) * forward
            + 2.0 * start};
}

KernelClock::Passes KernelClock::unfusedAttention(const AttentionWork& work) const
{
    const Seconds pass = roundToBytes(m_element * work.scores) / m_bandwidth;
    // Each product, two forward and four backward, reads or writes the scores.
    const Seconds product =
        std::max(work.whole / (2.0 * m_constants[Constant::BatchedProductEfficiency] * m_peak), pass);
    const Seconds start = toSeconds(m_wide.curve.start);
    return {2.0 * product + m_score_passes.forward * pass + m_constants[Constant::ScoreKernelsForward] * start,
        4.0 * product + m_score_passes.backward * pass + m_constants[Constant::ScoreKernelsBackward] * start};
}

KernelClock::Passes KernelClock::scan(const ScanWork& work) const
{
    const double share = work.chain > 0.0 ? m_constants[Constant::DeltaEfficiency] : m_scan_efficiency;
    const Teraflops rate = share * std::min(m_peak, Teraflops(m_constants[Constant::ScanPeak]));
    const Seconds wait = work.chain * Seconds(m_constants[Constant::ChunkWait]);
    return {std::max(wait, work.forward / rate + work.forward_moved / m_bandwidth),
        std::max(wait, work.backward / rate + work.backward_moved / m_bandwidth)};
}

double KernelClock::againByOperator(const Operator& step, const MatrixProduct& product) const
{
    if (product.expert) return 1.0; // grouped products are not on the list of what is kept
    if (product.wide || !m_every_second) return 0.0;
    if (step.id == "qkv") return m_key_share;
    if (step.id == "projection") return 1.0;
    return step.id.ends_with(".up") ? 0.5 : 0.0;
}

KernelClock::Passes KernelClock::adapters(const Operator& step) const
{
    // Bytes of a value of the input and of one of the output, forward: read; written, read twice and written to add it.
    // Backward: the input is read for the gradient of the first matrix, its own gradient written and added; the
    // output's gradient is read for both matrices. A mask of dropout has a byte.
    const double dropped = m_drops_adapters ? 2.0 * m_element + 1.0 : 0.0;
    const double forward = 0.5 * (m_element + dropped + 4.0 * m_element);
    const double backward = 0.5 * (5.0 * m_element + dropped + 2.0 * m_element);
    double values = 0.0;
    for (const Weight& weight : step.weights) {
        if (weight.adapter && !step.products.empty()) // as wide as input and output together
            values += step.products.front().rows * static_cast<double>(weight.columns * weight.copies);
    }
    return {roundToBytes(forward * values) / m_bandwidth, roundToBytes(backward * values) / m_bandwidth};
}

Seconds KernelClock::dequantization(const Operator& step) const
{
    double values = 0.0;
    for (const Weight& weight : step.weights) {
        if (weight.linear && !weight.adapter && !weight.output) values += static_cast<double>(weight.elements());
    }
    return roundToBytes(m_dequantized * values) / m_bandwidth;
}

KernelTimes KernelClock::of(const Operator& step, RecomputeSet again) const
{
    KernelTimes times;
    for (const MatrixProduct& one : step.products) {
        const Seconds forward = product(one, one.rows, one.inner, one.columns);
        times.forward += forward;
        times.input += product(one, one.rows, one.columns, one.inner);
        // Both factors of the weight gradient are already converted: the forward pass and the input gradient needed
        // them.
        if (m_learns_matrices) times.weight += product(one, one.rows, one.inner, kConverted);
        if (m_by_operator)
            times.again += againByOperator(step, one) * forward;
        else if (intersects(one.run_again_by, again))
            times.again += forward;
    }
    if (!m_learns_matrices) {
        const Passes added = adapters(step);
        const Seconds widened = dequantization(step);
        times.forward += added.forward + widened;
        times.input += added.backward + widened;
    }
    const double part =
        m_fused_grouped && step.id == "experts.activation" ? m_constants[Constant::FusedActivation] : 1.0;
    const Seconds moved = part * m_traffic * (step.moved / m_bandwidth);
    times.forward += moved;
    times.input += step.backward_traffic * moved;
    const bool runs_again = !m_by_operator && intersects(step.run_again_by, again);
    if (runs_again || m_by_operator) times.again += moved;
    if (step.scan.useful > Flops(0.0)) {
        const Passes scanned = scan(step.scan);
        times.forward += scanned.forward;
        times.input += scanned.backward;
        if (runs_again) times.again += scanned.forward;
    }
    for (const AttentionWork& work : step.attention) {
        const Passes passes = m_fused_attention ? fusedAttention(work) : unfusedAttention(work);
        times.forward += work.share * passes.forward;
        times.input += work.share * passes.backward;
        if (runs_again) times.again += work.share * passes.forward;
    }
    return times;
}

} // namespace cardfit
