// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/units.h"
#include "core/plan/plan.h"

/// Published runs, compared with Cardfit's predictions.
namespace cardfit {

/// How completely a source describes its run.
enum class Trust {
    High, ///< the whole recipe and the number of cards
    Medium, ///< something that matters had to be inferred
    Low, ///< several things, or the figure itself is doubtful
};

/// The words in files and tables.
inline constexpr auto kTrustNames =
    std::to_array<EnumName<Trust>>({{Trust::High, "high"}, {Trust::Medium, "medium"}, {Trust::Low, "low"}});
static_assert(isInOrder(kTrustNames));

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

    [[nodiscard]] bool experts() const { return plan.model.architecture.moe.has_value(); }
    bool operator==(const MeasuredCase&) const = default;
};

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

/// What a published peak was read from.
enum class MemoryMeter {
    Allocated, ///< torch.cuda.max_memory_allocated
    Reserved, ///< torch.cuda.max_memory_reserved
    Device, ///< the driver
};

/// Peak memory of one pipeline stage of a published run.
struct MeasuredMemory : MeasuredCase {
    std::int64_t stage = 0; ///< from 0
    Bytes peak; ///< of the stage's ranks
    MemoryMeter meter = MemoryMeter::Allocated;
    std::optional<Bytes> reserved; ///< besides an allocated peak, where it is published

    bool operator==(const MeasuredMemory&) const = default;
};

/// A measured peak beside the predicted one.
struct MemoryComparison {
    MeasuredMemory measured;
    std::optional<Bytes> predicted; ///< what the same meter would show; none if the plan could not be estimated
    std::string refusal; ///< why there is no prediction, one sentence

    /// predicted / measured - 1: above 0 where Cardfit expects more memory than the run used.
    [[nodiscard]] std::optional<double> error() const;
    [[nodiscard]] bool experts() const { return measured.experts(); }
};

[[nodiscard]] MemoryComparison compareMemory(const MeasuredMemory& measured);
/// One comparison per case, in the order of the cases.
[[nodiscard]] std::vector<MemoryComparison> compareMemory(std::span<const MeasuredMemory> cases);

/// Throughput of whole optimizer steps of a published run.
struct MeasuredTime : MeasuredCase {
    double tokens_per_second_per_card = 0.0;
    std::optional<std::string> year_hint; ///< the software's release or year, where it is known
    std::string axis; ///< what the runs of its group vary, if the group is a family of runs; see families.h

    bool operator==(const MeasuredTime&) const = default;
};

/// A measured throughput beside the predicted one.
struct TimeComparison {
    MeasuredTime measured;
    std::optional<double> predicted; ///< tokens per second and card; none if the plan could not be estimated
    std::string refusal; ///< why there is no prediction, one sentence

    /// Predicted over measured time of a step - 1: above 0 where Cardfit expects a slower step than the run's.
    [[nodiscard]] std::optional<double> error() const;
    [[nodiscard]] bool experts() const { return measured.experts(); }
};

[[nodiscard]] TimeComparison compareTime(const MeasuredTime& measured);
/// One comparison per case, in the order of the cases.
[[nodiscard]] std::vector<TimeComparison> compareTime(std::span<const MeasuredTime> cases);

/// How a published run ended.
enum class Outcome : std::uint8_t {
    Died, ///< of GPU memory
    Refused, ///< a server that did not start, because its cache was too small
    Ran,
};
inline constexpr auto kOutcomeNames =
    std::to_array<EnumName<Outcome>>({{Outcome::Died, "died"}, {Outcome::Refused, "refused"}, {Outcome::Ran, "ran"}});
static_assert(isInOrder(kOutcomeNames));

/// Whether a run died of memory, or ran beside one that did.
struct MeasuredOutcome : MeasuredCase {
    Outcome outcome = Outcome::Ran;
    /// Id of the run on the other side of the limit, which differs in one setting: the first that died beside the last
    /// that ran. Empty: none was published.
    std::string beside;

    bool operator==(const MeasuredOutcome&) const = default;
};

/// What was measured of a server.
enum class ServingFigure {
    TokenTime, ///< milliseconds between the tokens of one user
    UserSpeed, ///< tokens a second of one user
    Throughput, ///< output tokens a second of all cards
    FirstToken, ///< milliseconds to the first token of a request alone
};

/// A published figure of a server.
struct MeasuredServing : MeasuredCase {
    ServingFigure figure = ServingFigure::TokenTime;
    double value = 0.0;
    std::string apart; ///< why the run is shown, but not counted; empty: it is counted

    bool operator==(const MeasuredServing&) const = default;
};

/// A measured figure beside the predicted one.
struct ServingComparison {
    MeasuredServing measured;
    std::optional<double> predicted; ///< none if the plan could not be estimated, or the server holds no request
    std::string refusal; ///< why there is no prediction, one sentence

    /// Predicted over measured time - 1: above 0 where Cardfit expects a slower server.
    [[nodiscard]] std::optional<double> error() const;
    [[nodiscard]] bool experts() const { return measured.experts(); }
    [[nodiscard]] bool counts() const { return measured.apart.empty(); }
};

[[nodiscard]] ServingComparison compareServing(const MeasuredServing& measured);
/// One comparison per case, in the order of the cases.
[[nodiscard]] std::vector<ServingComparison> compareServing(std::span<const MeasuredServing> cases);

} // namespace cardfit
