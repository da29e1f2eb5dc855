// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/plan/plan.h"

/// torchtitan's names.
namespace cardfit {

/// Limit on the parts of a key; "training.seq_len" has two. torchtitan's keys have at most four.
inline constexpr std::size_t kMostKeyParts = 64;

/// The key that lists the modules of each stage, and the prefix of its layers there.
inline constexpr std::string_view kModuleLists = "parallelism.module_fqns_per_model_part";
inline constexpr std::string_view kLayerModules = "layers.";

/// A model's name and flavor in torchtitan, and the shipped preset.
struct TorchtitanFlavor {
    std::string_view name;
    std::string_view flavor;
    std::string_view preset;
};

inline constexpr std::array<TorchtitanFlavor, 22> kTorchtitanFlavors{
    {{"llama3", "8B", "llama-3-8b"}, {"llama3", "70B", "llama-3-70b"}, {"llama3", "405B", "llama-3.1-405b"},
        {"llama4", "17bx16e", "llama-4-scout"}, {"llama4", "17bx128e", "llama-4-maverick"},
        {"deepseek_v3", "16B", "deepseek-v2-lite"}, {"deepseek_v3", "236B", "deepseek-v2"},
        {"deepseek_v3", "671B", "deepseek-v3"}, {"qwen3", "0.6B", "qwen3-0.6b"}, {"qwen3", "1.7B", "qwen3-1.7b"},
        {"qwen3", "4B", "qwen3-4b"}, {"qwen3", "8B", "qwen3-8b"}, {"qwen3", "14B", "qwen3-14b"},
        {"qwen3", "32B", "qwen3-32b"}, {"qwen3", "30B-A3B", "qwen3-30b-a3b"}, {"qwen3", "235B-A22B", "qwen3-235b-a22b"},
        {"qwen3_5", "27B", "qwen3.5-27b"}, {"qwen3_5", "35B-A3B", "qwen3.5-35b-a3b"},
        {"qwen3_5", "122B-A10B", "qwen3.5-122b-a10b"}, {"qwen3_5", "397B-A17B", "qwen3.5-397b-a17b"},
        {"gpt_oss", "20b", "gpt-oss-20b"}, {"gpt_oss", "120b", "gpt-oss-120b"}}};

struct TorchtitanSchedule {
    std::string_view word; ///< name in torch.distributed.pipelining
    Schedule schedule;
    std::int64_t chunks; ///< model chunks per rank, unless given otherwise
};
inline constexpr std::array<TorchtitanSchedule, 7> kTorchtitanSchedules{{{"1F1B", Schedule::OneFOneB, 1},
    {"GPipe", Schedule::GPipe, 1}, {"Interleaved1F1B", Schedule::InterleavedOneFOneB, 2},
    {"LoopedBFS", Schedule::LoopedBfs, 2}, {"InterleavedZeroBubble", Schedule::InterleavedZb, 2},
    {"ZBVZeroBubble", Schedule::ZbV, 2}, {"DualPipeV", Schedule::DualPipeV, 2}}};

} // namespace cardfit
