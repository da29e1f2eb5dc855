// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/estimate/estimate.h"

namespace cardfit {

/// The least and most that a card holds over a stretch of time.
struct MemorySpan {
    Bytes lowest, highest;

    bool operator==(const MemorySpan&) const = default;
};

/// What one card of a stage holds over time, as the driver would show it if the allocator held back nothing but its
/// reserve: what lasts the whole step, what forward passes have saved, and the transient memory of the running
/// operation.
///
/// For an operation's transient memory only the worst instant is known, not its course: while it runs, the card holds
/// between what has been saved and that worst instant. A forward pass's activations count from its start. The
/// optimizer's step follows the last operation; it is shown, at the end of the step, only if it is the stage's peak. So
/// the maximum of the curve equals the stage's device(), to the byte.
///
/// Made once per estimate, in the time of the stored operations; then every look-up takes the time of a bisection,
/// whatever the number of operations it spans.
class MemoryCurve {
public:
    /// Requires a complete estimate, whose timeline it shares.
    MemoryCurve(const Estimate& estimate, std::size_t stage);

    /// `columns` equal stretches of [from, to], ends included; seconds.
    [[nodiscard]] std::vector<MemorySpan> over(double from, double to, int columns) const;
    /// Both are the same while the card waits; they differ while an operation runs, and where one ends.
    [[nodiscard]] MemorySpan at(double instant) const { return during(instant, instant); }
    [[nodiscard]] MemorySpan during(double from, double to) const;

private:
    /// What the card holds because of one operation and those before it, without what lasts the whole step.
    struct Held {
        Bytes during; ///< while it runs
        Bytes need; ///< in addition, at its worst instant
        Bytes after; ///< once it is over

        /// What piles up or is freed from one repeat to the next.
        struct Shift {
            Bytes change;
        };
        [[nodiscard]] Held shifted(const Shift& shift, std::size_t repeats) const
        {
            const Bytes more = static_cast<std::int64_t>(repeats) * shift.change;
            return {during + more, need, after + more};
        }
    };
    using Series = FoldedSeries<Held>;
    /// Extremes of any stretch of a row: whole blocks are looked up (level k holds the extremes of 2^k neighbouring
    /// blocks), the ends are walked.
    class Extremes {
    public:
        void build(std::vector<MemorySpan> row);
        /// `count`: at least 1.
        [[nodiscard]] MemorySpan of(std::size_t first, std::size_t count) const;

    private:
        std::vector<MemorySpan> m_row;
        std::vector<std::vector<MemorySpan>> m_levels;
    };

    /// Operations that an instant divides a rank into.
    struct Edge {
        std::size_t ended = 0; ///< before the instant
        std::size_t started = 0; ///< at the instant or before
    };
    [[nodiscard]] const RankTimeline& rank() const { return m_timeline->ranks[m_stage]; }
    [[nodiscard]] Bytes after(std::size_t count) const;
    [[nodiscard]] MemorySpan running(std::size_t index) const;
    [[nodiscard]] Edge edgeAt(double instant) const;
    [[nodiscard]] MemorySpan between(double from, double to, std::size_t first, std::size_t end) const;
    void include(const Series::Segment& segment, std::size_t first, std::size_t count, MemorySpan& span) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::size_t m_stage = 0;
    Bytes m_lasting;
    Bytes m_update;
    Series m_held; ///< by operation
    Extremes m_extremes; ///< by stored operation: while it runs and right after
};

} // namespace cardfit
