// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

#include "core/base/enum_names.h"
#include "core/estimate/estimate.h"

namespace cardfit {

/// The framework or article by whose rules a plan is estimated.
enum class Profile { AsPlanned, Megatron, DeepSpeed, Fsdp, Article };

/// The words of the command line.
inline constexpr auto kProfileNames = std::to_array<EnumName<Profile>>({
    {Profile::AsPlanned, "plan"},
    {Profile::Megatron, "megatron"},
    {Profile::DeepSpeed, "deepspeed"},
    {Profile::Fsdp, "fsdp"},
    {Profile::Article, "article"},
});
static_assert(isComplete(kProfileNames));

/// The plan as that framework would run it: the framework replaced, and a sharding stage that it does not offer by the
/// one it does (Megatron-Core: zero1; FSDP: zero3). Article and AsPlanned leave the plan as it is.
[[nodiscard]] Plan planUnder(const Plan& plan, Profile profile);

/// estimate(planUnder(plan, profile)). The article's profile keeps the timeline and replaces memory by the arithmetic
/// of "13B on 80 GB cards": 18 bytes per parameter (6 + 12/d with ZeRO-1) and 40 s b h L bytes of activations per
/// micro-batch, both divided by the pipeline, times the micro-batches in flight; nothing else.
[[nodiscard]] Estimate estimateUnder(const Plan& plan, Profile profile);

} // namespace cardfit
