// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/kernels.h"

#include <algorithm>
#include <limits>

namespace cardfit {

namespace {

constexpr double kReachedBandwidth = 0.8;
constexpr double kUsualEfficiency = 0.6; ///< the middle of the published 0.42 to 0.75
constexpr MatrixCurve kUsualCurve{40.0, 60.0, 30.0, Microseconds(4.0)}; ///< the middle of the measured ones
constexpr double kConversionColumns = 1900.0; ///< of fp8 and fp4 products; 1,700 to 2,200 on all measured cards
constexpr double kConversionsAlone = 0.5; ///< share of conversions that no norm, activation or product includes
constexpr double kConverted = std::numeric_limits<double>::infinity(); ///< columns of a product that converts nothing
constexpr double kGroupedRows = 200.0;

constexpr double kDeltaEfficiency = 0.25;
constexpr Teraflops kScanPeak{989.5}; ///< of H100
constexpr Seconds kChunkWait{1.8e-6};
constexpr double kAttentionOverProducts = 0.85; ///< rate of attention over that of products: 0.75 to 1 where measured
constexpr double kUsualAttentionContext = 600.0;
constexpr Microseconds kAttentionStart{20.0};
constexpr double kFusedActivation = 0.3; ///< traffic of an activation inside the grouped product before it

constexpr double kFlash2OverFlash3 = 0.5; ///< rates at long sequences on Hopper: 0.346 and 0.7 of the peak
constexpr double kFlash2OverFlash1 = 1.3; ///< the least of the published 1.3 to 2.5
constexpr double kUsualHead = 128.0;
constexpr double kSmallHeadLoss = 0.2; ///< a tenth at 64 values per head
constexpr double kSmallHeadLossBlackwell = 0.8; ///< two fifths: exponentials take as long as with 128 values
constexpr double kFlash2Context = 300.0; ///< half-length of FlashAttention-2 on H100
constexpr double kNarrowAttention = 1.45; ///< rate in fp8 over that in 16 bits
constexpr double kAttentionBackwardWork = 2.5;
constexpr double kAttentionBackwardRate = 0.8;

constexpr double kBatchedProductEfficiency = 0.45; ///< of scores as products of their own
constexpr double kDropoutPasses = 2.5; ///< reads, writes and the mask, a byte a score, in each direction
constexpr double kScoreKernelsForward = 4.0;
constexpr double kScoreKernelsBackward = 6.0;

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

double efficiency(const SustainedEfficiency& sustained, Precision precision)
{
    return narrowValue(sustained, precision).value_or(sustained.bf16.value_or(kUsualEfficiency));
}

MatrixCurve curveOf(const MatrixCurves& curves, Precision precision)
{
    if (!isNarrow(precision)) return curves.bf16.value_or(kUsualCurve);
    MatrixCurve converting = kUsualCurve;
    converting.columns = kConversionColumns;
    return narrowValue(curves, precision).value_or(converting);
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
    constexpr double kOneKernelEach = 1.4;
    constexpr double kRowsOfKernels = 2.0;
    if (plan.recipe.kernels != Kernels::Eager) return kOneKernelEach;
    const Architecture& model = plan.model.architecture;
    return model.norm == Norm::LayerNorm && !model.gated_mlp ? kOneKernelEach : kRowsOfKernels;
}

/// How often the scores are read or written between the products of unfused attention, in 16-bit values. Megatron's
/// causal kernel reads the lower triangle and writes the whole square; backward it reads two triangles and writes the
/// square. It accepts 16 to 4,096 keys and a multiple of four score matrices (core/fusions/fused_softmax.py); otherwise
/// PyTorch masks and normalises. PyTorch's layers scale, mask, normalise in fp32 and round (transformers,
/// eager_attention_forward).
ScorePasses softmaxPasses(const Plan& plan)
{
    constexpr ScorePasses kFused{1.5, 2.0};
    constexpr ScorePasses kMaskAndSoftmax{4.0, 5.0};
    constexpr ScorePasses kScaleMaskSoftmaxAndRound{10.0, 10.0};
    const double dropped = plan.recipe.dropout.attention > 0.0 ? kDropoutPasses : 0.0;
    if (operatorOptions(plan).scores_in_fp32) return kScaleMaskSoftmaxAndRound + dropped;
    const std::int64_t heads = plan.model.architecture.num_attention_heads / plan.parallelism.tensor;
    const bool taken = plan.workload.sequence_length <= 4096 && heads * plan.workload.micro_batch_size % 4 == 0;
    return (taken ? kFused : kMaskAndSoftmax) + dropped;
}

/// Whether attention runs no faster than FlashAttention-2 can on this card.
bool limitedByFlash2(const Plan& plan)
{
    const bool pytorch = plan.recipe.kernels == Kernels::Eager || plan.recipe.kernels == Kernels::Compiled;
    return traits(plan.cluster.accelerator.generation).outruns_flash2
        && (pytorch || plan.recipe.attention == Attention::Flash2);
}

/// Servers widen stored weights if the card cannot multiply in their format (vLLM's Marlin kernels).
bool widensWeights(const Plan& plan)
{
    return plan.workload.task == Task::Inference && !hasMatrixUnits(plan.cluster.accelerator, plan.recipe.precision);
}

/// Whether norms and activations convert their output for the dense product behind them.
bool fusesConversions(const Plan& plan)
{
    const Kernels kernels = plan.recipe.kernels;
    const bool fuses = kernels == Kernels::TransformerEngine || kernels == Kernels::Compiled;
    return fuses && formatOf(plan.recipe.precision) == MatrixFormat::Fp8 && !widensWeights(plan);
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

AttentionCurve attentionCurve(const Plan& plan)
{
    const Accelerator& accelerator = plan.cluster.accelerator;
    AttentionCurve curve = accelerator.attention_curve.value_or(
        AttentionCurve{kAttentionOverProducts * efficiency(accelerator.gemm_efficiency, Precision::Bf16),
            kUsualAttentionContext, kAttentionStart});
    if (limitedByFlash2(plan)) {
        curve.efficiency *= kFlash2OverFlash3;
        curve.context = kFlash2Context;
    }
    if (plan.recipe.fp8_attention) curve.efficiency *= kNarrowAttention;
    if (plan.recipe.kernels == Kernels::Eager && plan.recipe.attention == Attention::Fused)
        curve.efficiency /= kFlash2OverFlash1;
    return curve;
}

} // namespace

Teraflops referencePeak(const Plan& plan) { return peakRate(plan.cluster.accelerator.tflops, Precision::Bf16); }

GigabytesPerSecond reachedBandwidth(const Accelerator& accelerator)
{
    return kReachedBandwidth * accelerator.memory_bandwidth;
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
    : m_narrow(narrowRateOf(plan))
    , m_wide(rateOf(plan.cluster.accelerator, wideOf(plan.recipe.precision)))
    , m_attention(attentionCurve(plan))
    , m_fused_attention(plan.recipe.attention != Attention::Unfused)
    , m_learns_matrices(!trainsAdapters(plan))
    , m_element(elementBytes(plan))
    , m_peak(peakRate(plan.cluster.accelerator.tflops, wideOf(plan.recipe.precision)))
    , m_bandwidth(reachedBandwidth(plan.cluster.accelerator))
    , m_traffic(trafficOf(plan))
    , m_small_head_loss(
          plan.cluster.accelerator.generation == Generation::Blackwell ? kSmallHeadLossBlackwell : kSmallHeadLoss)
    , m_scan_efficiency(traits(plan.cluster.accelerator.generation).scan_efficiency)
    , m_score_passes(softmaxPasses(plan))
    , m_fused_grouped(fusesGroupedProducts(plan))
    , m_expert_by_expert(multipliesExpertByExpert(plan))
    , m_dense_conversions(fusesConversions(plan) ? kConversionsAlone : 1.0)
{
}

KernelClock::Rate KernelClock::narrowRateOf(const Plan& plan)
{
    const Precision precision = plan.recipe.precision;
    const Accelerator& card = plan.cluster.accelerator;
    Rate rate = rateOf(card, widensWeights(plan) ? wideOf(precision) : precision);
    const bool transforms =
        formatOf(precision) == MatrixFormat::Fp4 && plan.recipe.kernels == Kernels::TransformerEngine;
    if (transforms && card.matrix_curves.fp8)
        rate.curve.start = std::max(rate.curve.start, card.matrix_curves.fp8->start);
    return rate;
}

KernelClock::Rate KernelClock::rateOf(const Accelerator& accelerator, Precision precision)
{
    return {efficiency(accelerator.gemm_efficiency, precision) * peakRate(accelerator.tflops, precision),
        curveOf(accelerator.matrix_curves, precision)};
}

Seconds KernelClock::product(const MatrixProduct& product, double rows, double inner, double columns) const
{
    const Rate& rate = product.wide ? m_wide : m_narrow;
    const double half_rows = product.expert ? std::max(kGroupedRows, rate.curve.rows) : rate.curve.rows;
    // Forward and in both backward products, the short dimension of a grouped product is the tokens of one expert.
    const double half_columns = conversionsAlone(product) * rate.curve.columns;
    const double shape = (1.0 + half_rows / rows) * (1.0 + rate.curve.inner / inner) * (1.0 + half_columns / columns);
    const double starts = m_expert_by_expert && product.expert ? product.copies : 1.0;
    return shape * (product.work() / rate.sustained) + starts * toSeconds(rate.curve.start);
}

double KernelClock::conversionsAlone(const MatrixProduct& product) const
{
    if (product.expert) return m_fused_grouped ? kConversionsAlone : 1.0;
    return product.wide ? 1.0 : m_dense_conversions;
}

KernelClock::Passes KernelClock::fusedAttention(const AttentionWork& work) const
{
    const double head = 1.0 - m_small_head_loss * std::max(0.0, 1.0 - work.head_size / kUsualHead);
    const double rate = m_attention.efficiency * head * work.context / (work.context + m_attention.context);
    const Seconds forward = work.visible / (rate * m_peak);
    const Seconds start = toSeconds(m_attention.start);
    return {forward + start, (kAttentionBackwardWork / kAttentionBackwardRate) * forward + 2.0 * start};
}

KernelClock::Passes KernelClock::unfusedAttention(const AttentionWork& work) const
{
    const Seconds pass = roundToBytes(m_element * work.scores) / m_bandwidth;
    // Each product, two forward and four backward, reads or writes the scores.
    const Seconds product = std::max(work.whole / (2.0 * kBatchedProductEfficiency * m_peak), pass);
    const Seconds start = toSeconds(m_wide.curve.start);
    return {2.0 * product + m_score_passes.forward * pass + kScoreKernelsForward * start,
        4.0 * product + m_score_passes.backward * pass + kScoreKernelsBackward * start};
}

KernelClock::Passes KernelClock::scan(const ScanWork& work) const
{
    const double share = work.chain > 0.0 ? kDeltaEfficiency : m_scan_efficiency;
    const Teraflops rate = share * std::min(m_peak, kScanPeak);
    const Seconds wait = work.chain * kChunkWait;
    return {std::max(wait, work.forward / rate + work.forward_moved / m_bandwidth),
        std::max(wait, work.backward / rate + work.backward_moved / m_bandwidth)};
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
        if (intersects(one.run_again_by, again)) times.again += forward;
    }
    const double part = m_fused_grouped && step.id == "experts.activation" ? kFusedActivation : 1.0;
    const Seconds moved = part * m_traffic * (step.moved / m_bandwidth);
    times.forward += moved;
    times.input += step.backward_traffic * moved;
    const bool runs_again = intersects(step.run_again_by, again);
    if (runs_again) times.again += moved;
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
