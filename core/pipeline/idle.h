// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/pipeline/dependencies.h"
#include "core/pipeline/timeline.h"
#include "core/sentence.h"

namespace cardfit {

/// Why a rank does nothing.
enum class IdleCause : std::uint8_t {
    Fill, ///< before its first operation, whose input has not been sent yet
    Activations, ///< waits for the forward pass of the stage before
    Gradient, ///< waits for the gradient of the stage after
    Receiver, ///< blocking transfers only: has a value to give to a rank that is still busy
    Transfer, ///< what it waits for is travelling; also at the end of the fill
    Drain, ///< has run its last operation; others have not
};
inline constexpr std::size_t kIdleCauseCount = 6;

/// "fill", "activations", "gradient", "receiver", "transfer", "drain".
[[nodiscard]] std::string_view idleCauseName(IdleCause cause);
/// The same to be read after "idle:" and a time: "waiting for gradients".
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

/// Of every rank. A rank's times add up to makespan - busyTime(), exactly where sums of the timeline's times are.
/// Takes as long as the stored operations.
///
/// With TransferModel::Latency the last `transfers.time` of a wait is transfer, or all of a shorter wait. With Batched
/// a transfer goes on from the instant when both ranks stand still for it (see Exchanges), and the rest of the wait is
/// put down to the transfer that begins last. With Serialized transfers go one after the other (see Turns), and the
/// wait before each is put down to it.
[[nodiscard]] std::vector<IdleTimes> idleTimes(const Timeline& timeline);

/// The same of one rank, where transfers do not block.
[[nodiscard]] IdleTimes idleTimesOf(const Timeline& timeline, std::size_t rank);

/// Sum over the ranks.
[[nodiscard]] IdleTimes sum(const std::vector<IdleTimes>& ranks);

/// A part of the time between two operations of a rank that has one cause.
struct IdleGap {
    double from = 0.0;
    double to = 0.0;
    IdleCause cause = IdleCause::Fill;
    /// Which operation makes the value that the rank waits for; Receiver: which one keeps the other rank busy. None in
    /// the drain, and where nothing is awaited.
    std::optional<OperationId> awaited;
};

/// Before an operation, in order; for an index past the last one, the drain. No part is empty.
[[nodiscard]] std::vector<IdleGap> idleBefore(const Dependencies& dependencies, std::size_t rank, std::size_t index);

/// The part that an instant from 0 to the makespan falls into, its start included; none while the rank works.
[[nodiscard]] std::optional<IdleGap> idleGapAt(const Dependencies& dependencies, std::size_t rank, double instant);

} // namespace cardfit
