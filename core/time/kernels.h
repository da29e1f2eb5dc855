// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operators.h"
#include "core/plan/tables.h"

namespace cardfit {

/// The card's dense peak in the 16-bit format that utilisation is measured against, whatever the products use.
[[nodiscard]] Teraflops referencePeak(const Plan& plan);

/// Memory bandwidth that kernels reach.
[[nodiscard]] GigabytesPerSecond reachedBandwidth(const Plan& plan);

/// How often the scores are read or written in memory between the two products of unfused attention.
struct ScorePasses {
    double forward = 0.0, backward = 0.0;
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
/// work and the dimensions in the two other orders. Grouped products of experts have half their rate at a few rows per
/// expert. TransformerEngine converts and multiplies
/// expert by expert (common/gemm/cublaslt_gemm.cu, multi_stream_cublas_gemm; pytorch/csrc/extensions/cast.cpp,
/// multi_tensor_quantize_impl), so each expert's product has the start of a product measured alone. A fused grouped
/// MLP has one for all, and converts what its two products hand on inside them; its input and the gradient of its
/// output are converted by kernels of their own (pytorch/ops/fused/grouped_mlp.py). Fused attention follows
/// AttentionCurve forward; backward it does more work at a lower rate, because it recomputes the scores; in fp8 it is
/// faster. With 64 values per head Blackwell's kernels are bound by exponentials, whose number does not fall with the
/// head size. PyTorch's own kernel is FlashAttention-2, which from Hopper on is slower than the measured kernels: 191
/// TFLOP/s at 512 tokens, 298 at 2k and 335 at 16k on H100 (forward, causal, in isolation; Shah et al. 2024,
/// arXiv:2407.08608, figure 5), so it has its own curve; FlashAttention-3, written for Hopper, reaches 0.85 of cuDNN's
/// rate. Which kernel PyTorch takes where the recipe names none depends on card and software: until 2.1
/// FlashAttention-1 (llm-foundry's runs with Triton's: 1.3 times as slow on A100, 1.5 on H100). Unfused attention
/// computes the whole score matrix. Each of its two products forward and four backward reads or writes the matrix,
/// which takes as long as its arithmetic or longer; mask, softmax and dropout add traffic (ScorePasses).
///
/// Fp8 and fp4 products convert their factors; `columns` of the curve is the cost, measured with separate conversion
/// kernels. TransformerEngine and compilers fuse more than half of the conversions into the norm or activation before
/// them: LayerNormLinear and LayerNormMLP (NVIDIA/TransformerEngine), torchao's float8 under torch.compile. Nothing
/// before experts' products can do it: their rows come from other cards or from an activation that weights them
/// (GroupedLinear, pytorch/module/grouped_linear.py, quantizes its inputs in kernels of their own). Conversions to
/// fp4 are not fused: the Hadamard transform needs the output's largest value first (NVIDIA/TransformerEngine,
/// pytorch/csrc/extensions/normalization.cpp and activation.cpp, Impl::UNFUSED). They run more kernels than those to
/// fp8, so TransformerEngine's fp4 products start no sooner than fp8's; the measured ones are inference's, whose scales
/// are known.
///
/// Adapters (Hu et al. 2021, arXiv:2106.09685) multiply by thin matrices, bound by memory: they read the 16-bit input
/// once more, through dropout if there is any, and add their output to the product's, each in kernels of their own;
/// backward the same with gradients. Weights stored in 4 bits are widened before every product, forward and for the
/// gradient of the input (bitsandbytes, functional.py, dequantize_4bit; Dettmers et al. 2023, arXiv:2305.14314).
///
/// A ring of c context ranks computes attention in c kernels over a c-th of the keys, each with half a start and the
/// rate of its length: within 8 % of the kernels of a ring measured alone on H100 (tests/validation/measurements/own,
/// 32 heads). It merges their outputs; TransformerEngine does that beside the next step.
///
/// PyTorch's selective checkpointing (keepsByOperator()) rebuilds everything but the outputs of attention and of
/// products; with the module mlp only every second product's output is kept (torchtitan,
/// distributed/activation_checkpoint.py): those of keys, of attention's output and of the gate's other half run again.
///
/// Chunked recurrences stream their memory and multiply at a share of H100's peak, on Blackwell too: their Triton
/// kernels hold small products in registers, which Blackwell's larger units do not speed up. Each chunk of a delta rule
/// waits for the one before it.
///
/// Everything else is bound by memory and moves more than fused kernels would; plain modules more yet if PyTorch has no
/// single kernel for the model's norm or activation. All rates and factors are rows of Constant.
class KernelClock {
public:
    explicit KernelClock(const Plan& plan);

    /// `again`: the modules that are recomputed.
    [[nodiscard]] KernelTimes of(const Operator& step, RecomputeSet again) const;

    struct Rate {
        Teraflops sustained;
        MatrixCurve curve;
    };
    /// Of products in a format, or in the one used instead where the card has no units for it.
    [[nodiscard]] static Rate narrowRateOf(const Plan& plan, Precision precision);
    [[nodiscard]] static Rate rateOf(const Plan& plan, Precision precision);

private:
    struct Passes {
        Seconds forward, backward;
    };

    [[nodiscard]] Seconds product(const MatrixProduct& product, double rows, double inner, double columns) const;
    /// The share of a product's conversions that no neighbouring kernel makes.
    [[nodiscard]] double conversionsAlone(const MatrixProduct& product) const;
    [[nodiscard]] Passes fusedAttention(const AttentionWork& work) const;
    [[nodiscard]] Passes unfusedAttention(const AttentionWork& work) const;
    [[nodiscard]] Passes scan(const ScanWork& work) const;
    [[nodiscard]] Passes adapters(const Operator& step) const;
    [[nodiscard]] Seconds dequantization(const Operator& step) const;
    /// The share of an operator's product that PyTorch's selective checkpointing runs again.
    [[nodiscard]] double againByOperator(const Operator& step, const MatrixProduct& product) const;

    Constants m_constants; ///< the plan's
    Rate m_narrow; ///< rate of the layers' products in the recipe's format
    Rate m_experts; ///< the same of experts' products, which served weights may have in another format
    Rate m_wide; ///< rate of products that stay in 16 bits
    AttentionCurve m_attention;
    bool m_fused_attention;
    bool m_learns_matrices; ///< frozen weights have no gradients
    double m_dequantized; ///< bytes per value that widening a frozen weight moves; 0 if it is stored as it multiplies
    bool m_by_operator; ///< selective recomputation works by operators
    bool m_every_second; ///< it keeps every second product
    double m_key_share; ///< of the product that makes queries, keys and values
    bool m_drops_adapters; ///< adapters read their input through dropout
    double m_element;
    Teraflops m_peak; ///< of attention
    GigabytesPerSecond m_bandwidth;
    double m_traffic; ///< memory traffic over that of fused kernels
    double m_small_head_loss; ///< loss of attention's rate, extrapolated to a head size of 0
    double m_scan_efficiency; ///< of Mamba-2, as a share of Constant::ScanPeak
    ScorePasses m_score_passes;
    Constant m_grouped_rows; ///< rows per expert with half the rate: a server's kernels need fewer
    bool m_fused_grouped; ///< experts' products include half of the conversions and the activation
    bool m_expert_by_expert; ///< each expert's product has a start of its own
    double m_dense_conversions; ///< as conversionsAlone(), of dense products in the narrow format
};

} // namespace cardfit
