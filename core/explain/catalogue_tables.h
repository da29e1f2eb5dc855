// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "core/explain/catalogue.h"

/// The tables of the catalogue, and the sources that they share. Only for core/explain/catalogue*.cpp.
namespace cardfit::catalogue {

inline constexpr std::string_view kModules =
    "TransformerEngine, pytorch/module: LayerNormLinear, LayerNormMLP, Linear; per-stage peaks on B200 (SimuMax, "
    "commit 4dcaae5)";
inline constexpr std::string_view kKorthikanti = "Korthikanti et al. 2022, arXiv:2205.05198, section 4";
inline constexpr std::string_view kAutograd =
    "PyTorch autograd, checked with saved-tensor hooks; 56 T h per layer measured on Hugging Face's Llama "
    "(stas00/ml-engineering)";
inline constexpr std::string_view kFlash = "FlashAttention, arXiv:2205.14135; TransformerEngine, DotProductAttention";
inline constexpr std::string_view kMoeLayer =
    "Megatron-Core, transformer/moe/moe_layer.py and experts.py; DeepSeek peaks on B200 (SimuMax, commit 4dcaae5)";
inline constexpr std::string_view kBackward =
    "Liveness of PyTorch's autograd; per-stage peaks on B200 (SimuMax, commit 4dcaae5)";
inline constexpr std::string_view kWeightHalf =
    "arXiv:2401.10241, section 4; zero-bubble, tensor_parallel/layers.py; TransformerEngine, delay_wgrad_compute";
inline constexpr std::string_view kDelayed = "TransformerEngine, pytorch/module/linear.py, delay_wgrad_compute";
inline constexpr std::string_view kLora = "Hu et al. 2021, arXiv:2106.09685";
inline constexpr std::string_view kLatent = "DeepSeek-V2, arXiv:2405.04434";
inline constexpr std::string_view kZero = "Rajbhandari et al. 2020, arXiv:1910.02054";
inline constexpr std::string_view kMegatronOptimizer =
    "Megatron-LM, docs/source/api-guide/dist_optimizer.md; ZeRO, arXiv:1910.02054";
inline constexpr std::string_view kDeepSpeed = "DeepSpeed, docs/_pages/config-json.md; runtime/zero/stage_1_and_2.py";
inline constexpr std::string_view kFsdpStreams =
    "PyTorch, torch/distributed/fsdp/_fully_shard, _fsdp_collectives.py and _fsdp_param_group.py";
inline constexpr std::string_view kFsdp = "PyTorch FSDP2; torchtitan's published peaks";
inline constexpr std::string_view kArticle = "\"13B on 80 GB cards\" (Zhihu)";

[[nodiscard]] std::span<const CatalogueEntry> activationTerms();
/// Terms of layers other than attention with an MLP or experts.
[[nodiscard]] std::span<const CatalogueEntry> layerTerms();
[[nodiscard]] std::span<const CatalogueEntry> layerEvents();
[[nodiscard]] std::span<const CatalogueEntry> layerWeights();
[[nodiscard]] std::span<const CatalogueEntry> stateTermEntries();
[[nodiscard]] std::span<const CatalogueEntry> temporaryTerms();
[[nodiscard]] std::span<const CatalogueEntry> events();
[[nodiscard]] std::span<const CatalogueEntry> weights();
[[nodiscard]] std::span<const CatalogueEntry> figures();
[[nodiscard]] std::span<const CatalogueEntry, kSegmentCount> segments();
/// Figures and segments that have another meaning for a served model.
[[nodiscard]] std::span<const CatalogueEntry> served();

} // namespace cardfit::catalogue
