// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/sentence.h"
#include "core/pipeline/analysis/dependencies.h"
#include "core/pipeline/timeline/timeline.h"

namespace cardfit {

/// Why a rank does nothing.
enum class IdleCause : std::uint8_t {
    Fill, ///< before its first operation, whose input has not been sent yet
    Activations, ///< waits for the forward pass of the stage before
    Gradient, ///< waits for the gradient of the stage after
    Receiver, ///< blocking transfers only: has a result to send to a rank that is still busy
    Transfer, ///< what it waits for is being transferred; also at the end of the fill
    Drain, ///< has run its last operation; others have not
};
inline constexpr std::size_t kIdleCauseCount = enumeratorCount<IdleCause>();

/// "fill", "activations", "gradient", "receiver", "transfer", "drain".
[[nodiscard]] std::string_view idleCauseName(IdleCause cause);
/// In words that follow "idle:" and a time: "waiting for gradients".
[[nodiscard]] Phrase idleCauseWords(IdleCause cause);
inline constexpr std::array<IdleCause, kIdleCauseCount> kIdleCauses{IdleCause::Fill, IdleCause::Activations,
    IdleCause::Gradient, IdleCause::Receiver, IdleCause::Transfer, IdleCause::Drain};

/// Idle time by its cause, in the timeline's unit.
struct IdleTimes {
    std::array<double, kIdleCauseCount> by_cause{};

    [[nodiscard]] double operator[](IdleCause cause) const { return by_cause[static_cast<std::size_t>(cause)]; }
    [[nodiscard]] double& operator[](IdleCause cause) { return by_cause[static_cast<std::size_t>(cause)]; }
    [[nodiscard]] double total() const;
    IdleTimes& operator+=(const IdleTimes& other);

    bool operator==(const IdleTimes&) const = default;
};

/// Idle times of every rank. A rank's times add up to makespan - busyTime(), exactly if sums of the timeline's times
/// are exact. Takes time for the stored operations only.
///
/// With TransferModel::Latency the last `transfers.time` of a wait counts as Transfer, or all of a shorter wait. With
/// Batched a transfer starts when both ranks are ready for it (see BlockingTransfers); the rest of the gap has the
/// cause of the transfer that starts last. With Serialized transfers follow each other (see SerializedTransfers), and
/// the wait before each has that transfer's cause.
[[nodiscard]] std::vector<IdleTimes> idleTimes(const Timeline& timeline);

/// idleTimes() of one rank, for transfers that do not block.
[[nodiscard]] IdleTimes idleTimesOf(const Timeline& timeline, std::size_t rank);

/// Idle times of every rank between two instants. `to` may be after the makespan: until then ranks count as draining.
/// Takes time for the operations in between.
[[nodiscard]] std::vector<IdleTimes> idleTimesWithin(const Timeline& timeline, double from, double to);

/// A measured timeline with what its operations waited for: of the inputs that an operation needs by the placement of
/// `planned`, the one that arrived last, if the rank was free before that. Transfers are not measured, so they take as
/// long as planned. If a rank was idle although it had its inputs, the cause stays unknown. nullopt if the two differ
/// in ranks or chunks.
[[nodiscard]] std::optional<Timeline> withWaits(Timeline measured, const Timeline& planned);

/// Sum over the ranks.
[[nodiscard]] IdleTimes sum(const std::vector<IdleTimes>& ranks);

/// A part of the time between two operations of a rank, with one cause.
struct IdleGap {
    double from = 0.0;
    double to = 0.0;
    IdleCause cause = IdleCause::Fill;
    /// The operation whose result the rank waits for; Receiver: the one that keeps the other rank busy. nullopt in the
    /// drain, and if the rank waits for nothing.
    std::optional<OperationId> awaited;
};

/// The parts of the idle time before an operation, in order of time; for an index past the last one, of the drain. No
/// part is empty.
[[nodiscard]] std::vector<IdleGap> idleBefore(const Dependencies& dependencies, std::size_t rank, std::size_t index);

/// The part that contains an instant from 0 to the makespan, its start included; nullopt while the rank is busy.
[[nodiscard]] std::optional<IdleGap> idleGapAt(const Dependencies& dependencies, std::size_t rank, double instant);

} // namespace cardfit
