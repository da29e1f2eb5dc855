// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/explain/catalogue_tables.h"

namespace cardfit::catalogue {

namespace {

constexpr std::string_view kServed = "published fp8, int8 and nvfp4 checkpoints keep embeddings and norms in 16 bits";

constexpr auto kEntries = std::to_array<CatalogueEntry>({
    {"weights", "Weights",
        "The weights that the passes multiply with: 2 bytes each in mixed precision, 4 in fp32 and under FSDP, whose "
        "sharded fp32 weights are the master copy.",
        kMegatronOptimizer},
    {"weights.experts", "Experts' weights",
        "Weights of this card's experts; they are replicated over fewer cards than the rest, so sharding divides them "
        "less.",
        kMegatronOptimizer},
    {"weights.quantized", "Quantized copies of the weights",
        "Between micro-batches TransformerEngine keeps each matrix in fp8 or narrower: once for the forward product, "
        "and transposed for the backward product on Hopper and Ada; block-scaled formats need both everywhere.",
        "TransformerEngine, pytorch/tensor"},
    {"weights.experts.quantized", "Quantized copies of the experts' weights",
        "The experts' matrices are kept quantized like all others.", "TransformerEngine, pytorch/tensor"},
    {"weights.stashed", "Stashed weight versions",
        "An asynchronous pipeline keeps the version of the weights that each micro-batch in flight has seen.",
        "PipeDream, arXiv:1806.03377, section 3.3"},
    {"weights.experts.stashed", "Stashed versions of the experts' weights",
        "Older versions of the experts' weights, for micro-batches that are still in flight.",
        "PipeDream, arXiv:1806.03377, section 3.3"},
    {"weights.frozen", "Frozen weights",
        "The model beside the adapters: 2 bytes a value, and in QLoRA 0.516 bytes for the layers' matrices, 4 bits and "
        "double-quantized scales.",
        "LoRA, arXiv:2106.09685; QLoRA, arXiv:2305.14314, section 3"},
    {"weights.experts.frozen", "Frozen experts", "The experts' frozen weights, stored like the rest of the model.",
        "LoRA, arXiv:2106.09685; QLoRA, arXiv:2305.14314, section 3"},
    {"weights.adapter", "Adapter weights", "The two small matrices beside every adapted product, in 16 bits.", kLora},
    {"weights.served", "Served weights",
        "Matrices of layers in the served format, scales included; embeddings, norms and the output layer in 16 bits.",
        kServed},
    {"weights.experts.served", "Served experts", "The experts' matrices in the served format.", kServed},
    {"gradients", "Gradients",
        "One gradient per weight, kept through all micro-batches of a step: fp32 in Megatron's main-gradient buffer, 2 "
        "bytes in DeepSpeed, fp32 and sharded under FSDP.",
        kMegatronOptimizer},
    {"gradients.experts", "Experts' gradients", "Gradients of this card's experts.", kMegatronOptimizer},
    {"gradients.adapter", "Adapter gradients", "2 bytes for every learned parameter; frozen weights have none.", kLora},
    {"optimizer.master", "Master weights",
        "Mixed precision updates an fp32 copy of the weights, because a step is too small for 16 bits.",
        "Mixed precision training, arXiv:1710.03740; Megatron-LM, optimizer/distrib_optimizer.py"},
    {"optimizer.experts.master", "Experts' master weights", "The fp32 copy of the experts' weights.",
        kMegatronOptimizer},
    {"optimizer.moments", "Optimizer moments",
        "Running averages that the optimizer keeps: 8 bytes per parameter for Adam, 4 for momentum, Lion and Muon's "
        "matrices, 2 for 8-bit Adam, rows and columns only for Adafactor.",
        "Adam, arXiv:1412.6980; 8-bit, arXiv:2110.02861; Adafactor, arXiv:1804.04235; Lion, arXiv:2302.06675; Muon, "
        "kellerjordan.github.io/posts/muon",
        "Moments are made in the first optimizer step; until then a run needs less."},
    {"optimizer.experts.moments", "Experts' moments", "Running averages for the experts' weights.", kMegatronOptimizer,
        "Moments are made in the first optimizer step; until then a run needs less."},
    {"optimizer.adapter", "Adapter optimizer states",
        "12 bytes for every learned parameter: an fp32 copy and Adam's two moments; every rank keeps its adapters "
        "whole.",
        kLora},
    {"optimizer.gradient_copy", "fp32 copy of the gradients",
        "An optimizer that updates fp32 weights first turns 16-bit gradients into fp32; the activations are gone by "
        "then.",
        "DeepSpeed, runtime/zero/stage_1_and_2.py; Megatron-LM, dist_optimizer.md"},
    {"optimizer.experts.gradient_copy", "fp32 copy of the experts' gradients",
        "16-bit gradients of the experts, turned into fp32 for the update.",
        "DeepSpeed, runtime/zero/stage_1_and_2.py; Megatron-LM, dist_optimizer.md"},
    {"optimizer.newton_schulz", "Newton-Schulz iteration",
        "Muon orthogonalizes one matrix at a time in 16 bits and holds three copies of it.",
        "Jordan et al. 2024, kellerjordan.github.io/posts/muon"},
    {"article.weights", "Weights by the article's rule", "2 bytes per parameter, divided by the pipeline.", kArticle},
    {"article.gradients", "Gradients by the article's rule", "4 bytes per parameter, divided by the pipeline.",
        kArticle},
    {"article.optimizer", "Optimizer by the article's rule",
        "12 bytes per parameter (fp32 copy and Adam's moments), divided by the pipeline and, with ZeRO-1, by the "
        "replicas.",
        kArticle},
});

} // namespace

std::span<const CatalogueEntry> stateTermEntries() { return kEntries; }

} // namespace cardfit::catalogue
