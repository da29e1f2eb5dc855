// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan/plan.h"

/// Published runs that predictions are held against.
namespace cardfit {

struct Estimate;

/// How much of a run its source tells.
enum class Trust {
    High, ///< the whole recipe and the number of cards
    Medium, ///< something that matters had to be inferred
    Low, ///< several things, or the figure itself is doubtful
};

struct TrustName {
    Trust value;
    std::string_view name; ///< the word in files and tables
};
inline constexpr std::array<TrustName, 3> kTrustNames{
    {{Trust::High, "high"}, {Trust::Medium, "medium"}, {Trust::Low, "low"}}};

[[nodiscard]] constexpr std::string_view trustName(Trust trust)
{
    return kTrustNames[static_cast<std::size_t>(trust)].name;
}

/// What every published run has, whatever was measured of it.
struct MeasuredCase {
    std::string id; ///< unique in its file
    std::string group; ///< runs of one origin, which share their habits
    Trust trust = Trust::Low;
    std::string source; ///< where the figure is published
    std::string notes;
    Plan plan; ///< the run as a plan

    bool operator==(const MeasuredCase&) const = default;
};

/// Why an estimate that is not complete is not, one sentence.
[[nodiscard]] std::string refusalOf(const Estimate& estimate);

/// A group's name for people; a group without one is called by its id.
struct MeasuredGroup {
    std::string id;
    std::string name;

    bool operator==(const MeasuredGroup&) const = default;
};

[[nodiscard]] inline std::string_view groupName(const std::vector<MeasuredGroup>& groups, std::string_view id)
{
    for (const MeasuredGroup& group : groups) {
        if (group.id == id) return group.name;
    }
    return id;
}

} // namespace cardfit
