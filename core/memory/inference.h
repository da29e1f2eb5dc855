// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/memory/activations.h"
#include "core/memory/states.h"
#include "core/memory/term.h"
#include "core/plan/tables.h"

namespace cardfit {

enum class WeightPart { Experts, Attention, Rest };
/// Format of a part of the served layers' matrices: Recipe::weights_precision, else the precision. mxfp4 checkpoints of
/// models with experts quantize these alone: attention, router, embeddings and output layer stay in 16 bits
/// (arXiv:2508.10925, 2.1; config.json of gpt-oss, modules_to_not_convert).
[[nodiscard]] Precision servedFormat(const Plan& plan, WeightPart part);
/// Its bytes per value, scales included: bytesPerValue(), or for nf4 normalFloatBytes().
[[nodiscard]] double servedMatrixBytes(const Plan& plan, WeightPart part);

/// Size of the experts' matrices in mxfp4 over their own: vLLM's Marlin kernels pad the hidden size to a multiple of
/// 256 and an expert's width on a card to one of 128 (vllm/model_executor/layers/quantization/mxfp4.py,
/// create_weights); gpt-oss-120b's 60.9 GiB of a log without become 65.97 (vllm issue 23278). Triton's kernels pad one
/// of the two (64.4).
[[nodiscard]] double servedExpertPadding(const Plan& plan);

/// Weights of a served model: layers' matrices in servedFormat(), everything else in 16 bits (4 bytes with
/// fp32). That is how published fp8, int8, nvfp4 and mxfp4 checkpoints are stored, and what bitsandbytes quantizes when
/// a model is loaded (transformers, integrations/bitsandbytes.py: linear layers but the output layer).
[[nodiscard]] std::vector<Term> servedWeights(const Plan& plan, const StageParameters& parameters);

/// Keys and values of every sequence that one replica serves at once (global_batch_size / data), at full length. Per
/// token and layer: 2 k d / t values with at least one head per card; k_l + d_r with latent attention, which tensor
/// parallelism does not divide. A sliding window limits the length to its size. 2 bytes per value unless
/// `recipe.kv_cache_precision` says otherwise. Sources: arXiv:1911.02150, arXiv:2305.13245, arXiv:2405.04434.
[[nodiscard]] std::vector<Term> keyValueCache(const Plan& plan, const StageLayers& stage);

/// What the forward pass of one prompt holds at its largest operator: two residual streams and the widest intermediate
/// result. Servers feed long prompts in pieces: at most max_num_batched_tokens count (vLLM: 8,192 on H100).
/// A server with compiled kernels (vLLM) profiles itself with a batch of as many sequences as it admits and samples a
/// token for each. That takes 38 bytes per logit: the logit in 16 and in 32 bits, the sorted copy with its 8-byte
/// index, and during PyTorch's sort two 8-byte index pairs and the keys (vllm/v1/worker/gpu_model_runner.py,
/// profile_run and _dummy_sampler_run; vllm/v1/sample/ops/topk_topp_sampler.py; aten/src/ATen/native/cuda/Sort.cu). A
/// loop that decodes one token after another needs none of this. Each pass adds its sequences' share of
/// keyValueCache(), which nothing frees: the cache grows until the end.
[[nodiscard]] std::vector<ChunkActivations> prefillActivations(const Plan& plan, const StageLayers& stage);

/// Layers of a stage that keep keys and values: those with attention.
[[nodiscard]] double cachingLayers(const Plan& plan, const StageLayers& stage);

/// Layers of a stage whose attention compresses in this way.
[[nodiscard]] double compressedLayers(const Plan& plan, const StageLayers& stage, TokenMixer mixer);

/// Bytes per sequence and card that the recurrent layers of a stage keep instead of keys and values: states in fp32
/// (vLLM's mamba_ssm_cache_dtype for these models), and the inputs that their convolutions still need.
[[nodiscard]] double recurrentBytes(const Plan& plan, const StageLayers& stage);

/// Values that one token leaves in the cache of one layer on one card.
[[nodiscard]] double cachedValues(const Plan& plan, TokenMixer mixer = TokenMixer::Attention);

/// Layers of a stage whose attention is limited to a window.
[[nodiscard]] double windowedLayers(const Plan& plan, const StageLayers& stage);

/// Tokens of a prompt in one forward pass.
[[nodiscard]] double prefillTokens(const Plan& plan);

/// Sequences for which vLLM's profile run samples (max_num_seqs): unless the recipe says otherwise 1,024 on cards of 70
/// GiB and more except the A100, else 256 (vllm/engine/arg_utils.py). 0 if kernels are not compiled, or the engine
/// does not profile itself so.
[[nodiscard]] std::int64_t profiledSequences(const Plan& plan);
/// Most sequences that the plan's engine runs at once; 0: no bound is known.
[[nodiscard]] std::int64_t admittedSequences(const Plan& plan);

/// Sequences that one replica serves at once.
[[nodiscard]] double servedSequences(const Plan& plan);

} // namespace cardfit
