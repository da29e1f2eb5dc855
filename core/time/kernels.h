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

/// How often scores pass through memory between the products of unfused attention.
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
    Seconds weight; ///< and of the weights
    Seconds again; ///< what selective recomputation runs a second time

    KernelTimes& operator+=(const KernelTimes& other);
    friend KernelTimes operator*(double factor, const KernelTimes& times)
    {
        return {factor * times.forward, factor * times.input, factor * times.weight, factor * times.again};
    }
};

/// Times of a plan's kernels on its accelerator. Error against published steps: see core/validation.
///
/// A matrix product takes 2 M N K / (peak x gemm_efficiency) times its MatrixCurve: the curves are fitted on kernels
/// measured alone (ai-dynamo/aiconfigurator, commit 095f58a51; 784 to 3,332 shapes per card and format, 3 to 9 % mean
/// error), the efficiency on whole training steps, where power, clocks and memory layouts leave less. Where
/// a card has no curve of its own, that of its generation. The gradients of inputs and weights are products of the same
/// work in the two other orders. Grouped products of experts have half their rate at 200 rows per expert (SimuMax's and
/// aiconfigurator's grouped kernels: 140 to 250); a fused grouped MLP quantizes inside the kernels around them.
/// Fused attention: AttentionCurve forward, 2.5 times the work at 0.8 of the rate backward, which computes the scores
/// again (Dao 2023, arXiv:2307.08691; cuDNN's training kernels at 4k tokens: 0.82 on GB200, 0.73 on GB300, 0.80 on
/// H200, NVIDIA/cudnn-frontend, benchmark/sdpa_benchmark_training); in fp8 1.4 to 1.7 times as fast (GB200, the same).
/// With 64 values per head Blackwell's kernels wait for exponentials, of which there are as many. PyTorch's own kernel
/// is FlashAttention-2, which from Hopper on is slower than the measured kernels: forward, causal and alone 191 TFLOP/s
/// at 512 tokens, 298 at 2k and 335 at 16k on H100 (Shah et al. 2024, arXiv:2407.08608, figure 5), a curve of its own;
/// with plain modules (Eager) and no kernel named it is FlashAttention-1, as PyTorch's was until 2.1 and Triton's: 1.3
/// times as slow, the least of 1.3 to 2.5 in Dao 2023 (llm-foundry's runs with it have 1.3 on A100 and 1.5 on H100).
/// Without fusion the whole score matrix is computed. Each of the two products forward and four backward reads or
/// writes it, for which it takes as long as for its arithmetic or longer; mask, softmax and dropout move it besides
/// (ScorePasses).
///
/// Fp8 and fp4 products convert their factors, at the cost of `columns` of the curve, which was measured with
/// conversions of their own. TransformerEngine and a compiler fuse those of a norm's or an activation's output with it,
/// half of them: LayerNormLinear and LayerNormMLP (NVIDIA/TransformerEngine), torchao's float8 under torch.compile. Not
/// those to fp4, whose Hadamard transform wants the output's largest value first (NVIDIA/TransformerEngine,
/// pytorch/csrc/extensions/normalization.cpp and activation.cpp, Impl::UNFUSED).
///
/// Chunked recurrences stream their memory and multiply at a share of H100's peak, on Blackwell too: their kernels,
/// Triton's, hold small products in registers, which its larger units do not serve. Mamba-2: 0.15, 8,192 tokens of 128
/// heads of 64, one group and a state of 128 in 0.65 ms on H100 (vllm-project/vllm, pull request 27299, original
/// kernels); so Nemotron 3 Nano's take 0.29 ms on Blackwell, measured were 0.37 (NVIDIA/Megatron-LM, pull request 5829,
/// up to 8,192 tokens). Delta rules: 0.25, 131,072 tokens of 2 and 8 heads in 1.71 ms on B200
/// (flashinfer-ai/flashinfer, pull request 3902, flash-linear-attention's kernels); there a chunk waits 1.8 us for the
/// one before it (65,536 tokens in one sequence: 1.86 ms).
///
/// Everything else moves memory, 1.4 times what fused kernels would; plain modules twice, where the model's norm or
/// activation is not one kernel of PyTorch's.
class KernelClock {
public:
    explicit KernelClock(const Plan& plan);

    /// `again`: modules that recomputation runs again.
    [[nodiscard]] KernelTimes of(const Operator& step, RecomputeSet again) const;

private:
    struct Rate {
        Teraflops sustained;
        MatrixCurve curve;
    };
    struct Passes {
        Seconds forward, backward;
    };

    [[nodiscard]] static Rate fusedRateOf(const Plan& plan);
    [[nodiscard]] static Rate rateOf(const Accelerator& accelerator, Precision precision);
    [[nodiscard]] Seconds product(const MatrixProduct& product, double rows, double inner, double columns) const;
    [[nodiscard]] Passes fusedAttention(const AttentionWork& work) const;
    [[nodiscard]] Passes unfusedAttention(const AttentionWork& work) const;
    [[nodiscard]] Passes scan(const ScanWork& work) const;

    Rate m_narrow; ///< of the layers' products
    Rate m_wide; ///< of those that stay in 16 bits
    AttentionCurve m_attention;
    bool m_fused_attention;
    bool m_learns_matrices; ///< frozen ones have no gradients; what adapters add is a thousandth and not counted
    double m_element;
    Teraflops m_peak; ///< of attention
    GigabytesPerSecond m_bandwidth;
    double m_traffic; ///< memory traffic over that of fused kernels
    double m_small_head_loss; ///< of attention's rate, at no values per head
    ScorePasses m_score_passes;
    bool m_fused_grouped; ///< experts' products convert nothing and take the activation with them
};

} // namespace cardfit
