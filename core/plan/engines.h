// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core/base/enum_names.h"
#include "core/plan/plan.h"

namespace cardfit {

/// What an engine decides, whatever its kernels: how many sequences it runs at once and how it feeds prompts.
struct EngineTraits {
    Engine engine;
    /// Most sequences at once, if the recipe does not say; 0: as vLLM chooses by the card (profiledSequences()).
    std::int64_t most_sequences;
    /// Whether the cache gets a share of what weights and activations leave, instead of what they leave of a share of
    /// the card.
    bool shares_what_is_left;
};

/// Sources: vllm/engine/arg_utils.py; sglang/srt/server_args.py (max_running_requests by the cache,
/// chunked_prefill_size 8,192 on cards of 60 GB and more); TensorRT-LLM, trtllm-bench's tuner (max_batch_size 2,048 to
/// 4,096: assumed, and max_num_tokens 8,192) and KvCacheConfig.free_gpu_memory_fraction.
inline constexpr auto kEngines = std::to_array<EngineTraits>({
    {Engine::Vllm, 0, false},
    {Engine::Sglang, 0, false},
    {Engine::TensorRtLlm, 2048, true},
});
static_assert(isInOrder(kEngines, &EngineTraits::engine));

[[nodiscard]] constexpr const EngineTraits& traits(Engine engine) { return kEngines[static_cast<std::size_t>(engine)]; }

} // namespace cardfit
