// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace cardfit {

/// What runs a training job: Megatron-Core, DeepSpeed, or PyTorch with FSDP and its pipelining.
enum class Framework { Megatron, DeepSpeed, Fsdp };

inline constexpr std::array kFrameworks{Framework::Megatron, Framework::DeepSpeed, Framework::Fsdp};

/// As its project writes it.
[[nodiscard]] constexpr std::string_view projectOf(Framework framework)
{
    switch (framework) {
    case Framework::Megatron: return "Megatron-Core";
    case Framework::DeepSpeed: return "DeepSpeed";
    case Framework::Fsdp: return "PyTorch";
    }
    return {};
}

} // namespace cardfit
