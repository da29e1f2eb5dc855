// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/constants.h"
#include "core/base/enum_names.h"
#include "core/base/units.h"

namespace cardfit {

/// The generation of an accelerator's architecture: what software does differently from one card to the next.
enum class Generation : std::uint8_t {
    Unstated, ///< the accelerator's file does not say
    Volta,
    Turing,
    Ampere,
    Ada,
    Hopper,
    Blackwell,
    Cdna2,
    Cdna3,
    Cdna4,
    Davinci,
};

/// By how much a generation's kernels were slower at its launch, and when that was.
struct TunedSoftware {
    int year = 0, month = 0;
    Constant slower;
};

/// Everything that depends on the generation. A new accelerator of a known generation is one preset file, a new
/// generation one enumerator and one row here.
struct GenerationTraits {
    Generation generation;
    std::string_view word; ///< as preset and plan files spell it
    /// Workspace of TransformerEngine's matrix products: 32 MiB from Hopper on, 4 MiB before (TransformerEngine,
    /// get_cublas_workspace_size_bytes; the difference of Megatron-LM's golden memory values on A100 and H100).
    Mebibytes gemm_workspace;
    /// PyTorch's default cuBLAS workspace per thread and stream: 32 MiB on Hopper, 8.125 MiB elsewhere
    /// (aten/src/ATen/cuda/CublasHandlePool.cpp); on Blackwell until SoftwareChange::BlackwellCublas.
    Bytes cublas_workspace;
    /// Copies of an fp8 matrix that TransformerEngine keeps. Hopper's and Ada's fp8 units multiply in one layout only,
    /// so the backward pass needs a transposed copy (TransformerEngine, pytorch/tensor).
    double fp8_copies;
    /// The card's units are faster than FlashAttention-2, written for Ampere, can use.
    bool outruns_flash2;
    /// TransformerEngine prefers cuDNN's attention over FlashAttention.
    bool prefers_cudnn_attention;
    /// cuDNN's attention can give the same result twice.
    bool cudnn_attention_repeatable;
    /// cuDNN's attention kernels multiply in fp8 (TransformerEngine, attention/dot_product_attention/utils.py).
    bool fp8_attention;
    /// Kernels that send tokens to experts themselves are known to run: DeepEP and HybridEP (Megatron-Bridge,
    /// training/flex_dispatcher_backend.py), Primus-Turbo's DeepEP on AMD's.
    bool sends_tokens_itself;
    /// One kernel multiplies, activates and quantizes for all experts (TransformerEngine,
    /// ops/fused/forward_grouped_mlp.py).
    bool fuses_grouped_mlp;
    /// Rate of Mamba-2's Triton kernels over the 16-bit peak, H100's at most: see KernelClock for the measurements.
    Constant scan_efficiency;
    /// Bandwidth per card and direction between nodes, if the cluster does not state it: one 200 or 400 Gb/s port, as
    /// in most clusters of that time.
    Constant port;
    /// Start of a small all-reduce between the kernels of a serving engine, over the fast link.
    Constant reduce_start;
    /// Kernels became faster after the generation's launch, as far as published runs show; see softwareFactor().
    std::optional<TunedSoftware> tuned = std::nullopt;
};

namespace detail {
inline constexpr Bytes kCublas(8'519'680); // 8.125 MiB
inline constexpr Bytes kHopperCublas = toBytes(Mebibytes(32));
} // namespace detail

// For cards other than NVIDIA's, and unstated ones, only the port is known to matter; the rest follows NVIDIA's latest
// libraries.
inline constexpr auto kGenerations = std::to_array<GenerationTraits>({
    // word, gemm workspace, cuBLAS workspace, fp8 copies, outruns flash2, prefers cuDNN, repeatable, fp8 attention,
    // sends tokens itself, fuses grouped MLP, scan efficiency, port, start of an all-reduce
    {Generation::Unstated, "", Mebibytes(32), detail::kCublas, 1.0, false, true, true, true, true, true,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Volta, "volta", Mebibytes(4), detail::kCublas, 1.0, false, true, true, false, false, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Turing, "turing", Mebibytes(4), detail::kCublas, 1.0, false, true, true, false, false, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Ampere, "ampere", Mebibytes(4), detail::kCublas, 1.0, false, false, true, false, true, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Ada, "ada", Mebibytes(4), detail::kCublas, 2.0, false, true, true, false, false, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Hopper, "hopper", Mebibytes(32), detail::kHopperCublas, 2.0, true, true, true, true, true, false,
        Constant::MambaEfficiency, Constant::FastPort, Constant::AllReduceStartHopper},
    {Generation::Blackwell, "blackwell", Mebibytes(32), detail::kCublas, 1.0, true, true, false, true, true, true,
        Constant::MambaEfficiencyBlackwell, Constant::FastPort, Constant::AllReduceStartBlackwell,
        TunedSoftware{2024, 12, Constant::BlackwellSoftware}},
    {Generation::Cdna2, "cdna2", Mebibytes(32), detail::kCublas, 1.0, false, true, true, false, false, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Cdna3, "cdna3", Mebibytes(32), detail::kCublas, 1.0, false, true, true, false, true, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Cdna4, "cdna4", Mebibytes(32), detail::kCublas, 1.0, false, true, true, false, true, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
    {Generation::Davinci, "davinci", Mebibytes(32), detail::kCublas, 1.0, false, true, true, false, false, false,
        Constant::MambaEfficiency, Constant::SlowPort, Constant::AllReduceStartAmpere},
});
static_assert(isInOrder(kGenerations, &GenerationTraits::generation));

[[nodiscard]] constexpr const GenerationTraits& traits(Generation generation)
{
    return kGenerations[static_cast<std::size_t>(generation)];
}

} // namespace cardfit
