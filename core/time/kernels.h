// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operators.h"
#include "core/plan/tables.h"

namespace cardfit {

/// The card's dense peak in the 16-bit format that utilisation is measured against, whatever the products use.
[[nodiscard]] Teraflops referencePeak(const Plan& plan);

/// Memory bandwidth that kernels reach: 80 % of the data sheet's (aiconfigurator's mem_bw_empirical_scaling_factor;
/// llm-analysis suggests 90 %).
[[nodiscard]] GigabytesPerSecond reachedBandwidth(const Accelerator& accelerator);

/// How often the scores are read or written in memory between the two products of unfused attention.
struct ScorePasses {
    double forward = 0.0, backward = 0.0;

    friend ScorePasses operator+(ScorePasses passes, double more)
    {
        return {passes.forward + more, passes.backward + more};
    }
};

/// Seconds of one operator on one card for one micro-batch, without communication.
struct KernelTimes {
    Seconds forward;
    Seconds input; ///< backward pass: gradients of the inputs
    Seconds weight; ///< backward pass: gradients of the weights
    Seconds again; ///< what selective recomputation runs a second time

    KernelTimes& operator+=(const KernelTimes& other);
    friend KernelTimes operator*(double factor, const KernelTimes& times)
    {
        return {factor * times.forward, factor * times.input, factor * times.weight, factor * times.again};
    }
};

/// Times of a plan's kernels on its accelerator. Error against published steps: see core/accuracy.
///
/// A matrix product takes 2 M N K / (peak x gemm_efficiency) times its MatrixCurve. The curves are fitted to kernels
/// measured in isolation (ai-dynamo/aiconfigurator, commit 095f58a51; 784 to 3,332 shapes per card and format, 3 to 9 %
/// mean error); the efficiency is fitted to whole training steps, where power, clocks and memory layouts cost speed. A
/// card without a curve uses that of its generation. The gradients of inputs and weights are products with the same
/// work and the dimensions in the two other orders. Grouped products of experts reach half their rate at 200 rows per
/// expert (SimuMax's and aiconfigurator's grouped kernels: 140 to 250). TransformerEngine converts and multiplies
/// expert by expert (common/gemm/cublaslt_gemm.cu, multi_stream_cublas_gemm; pytorch/csrc/extensions/cast.cpp,
/// multi_tensor_quantize_impl), so each expert's product has the start of a product measured alone. A fused grouped
/// MLP has one for all, and converts what its two products hand on inside them; its input and the gradient of its
/// output are converted by kernels of their own (pytorch/ops/fused/grouped_mlp.py). Fused attention follows
/// AttentionCurve forward; backward it does 2.5 times the work at 0.8 of the rate, because it recomputes the scores
/// (Dao 2023, arXiv:2307.08691; cuDNN's training kernels at 4k tokens: 0.82 on GB200, 0.73 on GB300, 0.80 on H200,
/// NVIDIA/cudnn-frontend, benchmark/sdpa_benchmark_training); in fp8 it is 1.4 to 1.7 times as fast (GB200, same
/// source). With 64 values per head Blackwell's kernels are bound by exponentials, whose number does not fall with the
/// head size. PyTorch's own kernel is FlashAttention-2, which from Hopper on is slower than the measured kernels: 191
/// TFLOP/s at 512 tokens, 298 at 2k and 335 at 16k on H100 (forward, causal, in isolation; Shah et al. 2024,
/// arXiv:2407.08608, figure 5), so it has its own curve. Plain modules (Eager) with no kernel named use
/// FlashAttention-1, like PyTorch until 2.1 and Triton: 1.3 times as slow, the least of 1.3 to 2.5 in Dao 2023
/// (llm-foundry's runs with it: 1.3 on A100 and 1.5 on H100). Unfused attention computes the whole score matrix. Each
/// of its two products forward and four backward reads or writes the matrix, which takes as long as its arithmetic or
/// longer; mask, softmax and dropout add traffic (ScorePasses).
///
/// Fp8 and fp4 products convert their factors; `columns` of the curve is the cost, measured with separate conversion
/// kernels. TransformerEngine and compilers fuse half of the conversions into the norm or activation before them:
/// LayerNormLinear and LayerNormMLP (NVIDIA/TransformerEngine), torchao's float8 under torch.compile. Nothing before
/// experts' products can do it: their rows come from other cards or from an activation that weights them
/// (GroupedLinear, pytorch/module/grouped_linear.py, quantizes its inputs in kernels of their own). Conversions to
/// fp4 are not fused: the Hadamard transform needs the output's largest value first (NVIDIA/TransformerEngine,
/// pytorch/csrc/extensions/normalization.cpp and activation.cpp, Impl::UNFUSED). They run more kernels than those to
/// fp8, so TransformerEngine's fp4 products start no sooner than fp8's; the measured ones are inference's, whose scales
/// are known.
///
/// Chunked recurrences stream their memory and multiply at a share of H100's peak, on Blackwell too: their Triton
/// kernels hold small products in registers, which Blackwell's larger units do not speed up. Mamba-2 reaches 0.15 on
/// Hopper: 8,192 tokens with 128 heads of 64, one group and a state of 128 take 0.65 ms on H100
/// (vllm-project/vllm, pull request 27299, original kernels). On Blackwell it reaches 0.102: the kernels of Nemotron 3
/// Nano take 0.37 ms (64 heads, 8 groups, 8,192 tokens; NVIDIA/Megatron-LM, pull request 5829), of which memory takes
/// 0.14 ms. Delta rules reach 0.25: 131,072 tokens with 2 and 8 heads take 1.71 ms on B200 (flashinfer-ai/flashinfer,
/// pull request 3902, flash-linear-attention's kernels); each chunk waits 1.8 us for the one before it (65,536 tokens
/// in one sequence: 1.86 ms).
///
/// Everything else is bound by memory and moves 1.4 times as much as fused kernels would; plain modules move twice as
/// much if PyTorch has no single kernel for the model's norm or activation.
class KernelClock {
public:
    explicit KernelClock(const Plan& plan);

    /// `again`: the modules that are recomputed.
    [[nodiscard]] KernelTimes of(const Operator& step, RecomputeSet again) const;

private:
    struct Rate {
        Teraflops sustained;
        MatrixCurve curve;
    };
    struct Passes {
        Seconds forward, backward;
    };

    [[nodiscard]] static Rate narrowRateOf(const Plan& plan);
    [[nodiscard]] static Rate rateOf(const Accelerator& accelerator, Precision precision);
    [[nodiscard]] Seconds product(const MatrixProduct& product, double rows, double inner, double columns) const;
    /// The share of a product's conversions that no neighbouring kernel makes.
    [[nodiscard]] double conversionsAlone(const MatrixProduct& product) const;
    [[nodiscard]] Passes fusedAttention(const AttentionWork& work) const;
    [[nodiscard]] Passes unfusedAttention(const AttentionWork& work) const;
    [[nodiscard]] Passes scan(const ScanWork& work) const;

    Rate m_narrow; ///< rate of the layers' products in the recipe's format
    Rate m_wide; ///< rate of products that stay in 16 bits
    AttentionCurve m_attention;
    bool m_fused_attention;
    bool m_learns_matrices; ///< frozen weights have no gradients; adapters' work, a thousandth, is not counted
    double m_element;
    Teraflops m_peak; ///< of attention
    GigabytesPerSecond m_bandwidth;
    double m_traffic; ///< memory traffic over that of fused kernels
    double m_small_head_loss; ///< loss of attention's rate, extrapolated to a head size of 0
    double m_scan_efficiency; ///< of Mamba-2, as a share of kScanPeak
    ScorePasses m_score_passes;
    bool m_fused_grouped; ///< experts' products include half of the conversions and the activation
    bool m_expert_by_expert; ///< each expert's product has a start of its own
    double m_dense_conversions; ///< as conversionsAlone(), of dense products in the narrow format
};

} // namespace cardfit
