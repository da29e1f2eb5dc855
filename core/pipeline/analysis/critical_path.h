// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/analysis/dependencies.h"

namespace cardfit {

/// A longest chain of operations from the start of the step to its end: each starts right after the one before it has
/// ended and its transfers are done. If there are several, it is one of them: at each step a rank's own operation goes
/// before a value that arrives at the same instant, and lower ranks go first. In a long step the path repeats as the
/// timeline does, and repeats are stored once.
class CriticalPath {
public:
    struct Step {
        OperationId first; ///< in the first repeat of its part
        std::size_t stride = 0; ///< by how much its index is higher in each repeat
        std::size_t transfers = 0; ///< between the step before and this one

        [[nodiscard]] OperationId at(std::size_t repeat) const { return {first.rank, first.index + repeat * stride}; }
        bool operator==(const Step&) const = default;
    };
    /// Steps that are taken `repeats` times in a row.
    struct Part {
        std::vector<Step> steps;
        std::size_t repeats = 1;

        bool operator==(const Part&) const = default;
    };

    CriticalPath() = default;
    /// Parts in order of time.
    explicit CriticalPath(std::vector<Part> parts);

    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    /// Number of operations on the path.
    [[nodiscard]] std::size_t size() const;
    /// A look-up, not a walk: a drawing asks about each operation that it shows.
    [[nodiscard]] bool contains(OperationId id) const;

private:
    /// The operations of one rank in a part.
    struct Share {
        std::size_t first = 0; ///< index of its first operation
        std::size_t last = 0;
        std::size_t stride = 0; ///< 0: the part is taken once
        std::vector<std::size_t> offsets; ///< of one repeat, from the first one; ascending
    };

    std::vector<Part> m_parts;
    std::vector<std::vector<Share>> m_shares; ///< of each rank, ascending
};

/// Takes time for the path until it recurs. With serialized transfers a step may go over several of them in a row, also
/// of ranks that have no operation on the path. Error OutOfRange: the timeline does not tell what an operation waits
/// for; for example, blocking transfers that take no time leave no gaps by which to find them.
[[nodiscard]] Result<CriticalPath> criticalPath(const Dependencies& dependencies);

/// How many operations of one chunk of one rank are on a path. The step takes this many units longer if each of them
/// takes one unit longer. Exact for small changes, while no other path becomes the longest. For any change it is a
/// bound: if they take longer, the step takes at least that much longer; if they take less time, it gets shorter by at
/// most that much.
struct OperationWorth {
    std::int64_t forward = 0;
    std::int64_t backward_input = 0; ///< whole backward passes count in both halves
    std::int64_t backward_weight = 0;
    std::int64_t overlapped = 0; ///< blocks whose forward half is of this chunk
    /// Blocks whose backward half is of this chunk. Blocks without a time of their own take as long as a forward and a
    /// backward pass: for these, add `overlapped` to `forward`, and this to both backward halves.
    std::int64_t overlapped_backward = 0;
    std::int64_t update = 0;

    bool operator==(const OperationWorth&) const = default;
};

struct Worth {
    std::vector<std::vector<OperationWorth>> operations; ///< [rank][chunk]
    std::vector<std::int64_t> on_rank; ///< operations of each rank on the path, whatever they are
    std::vector<double> time_on_rank; ///< that the path spends on each rank: how much its speed matters
    std::int64_t transfers = 0;

    bool operator==(const Worth&) const = default;
};

[[nodiscard]] Worth worth(const Dependencies& dependencies, const CriticalPath& path);

/// Most operations for which slack is computed: that takes about a hundred megabytes, and twice as much with serialized
/// transfers.
inline constexpr std::size_t kMostSlackOperations = std::size_t{1} << 20;

/// By how much each operation may end later before the step takes longer, if all others start as soon as they can; in
/// the timeline's unit, 0 on every critical path. `[rank][operation]`, not folded: operations near the ends of the step
/// have more slack than the same ones in its middle. Blocking transfers keep their order, which follows from the ranks'
/// programs. Error OutOfRange: the timeline has more than kMostSlackOperations, or transfers that criticalPath()
/// refuses as well.
[[nodiscard]] Result<std::vector<std::vector<double>>> slack(const Dependencies& dependencies);

} // namespace cardfit
