// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/pipeline/dependencies.h"

/// From one operation of a timeline to another: what the keyboard does.
namespace cardfit::ui {

/// An operation that is looked at: an overlapped block by one of its halves, any other one whole.
struct Selection {
    OperationId operation;
    bool backward = false; ///< the half that is a backward pass; true for every B, I, W and U

    bool operator==(const Selection&) const = default;
};

/// `lower`: the lower half, where it is an overlapped block.
[[nodiscard]] Selection selectionOf(const Timeline& timeline, OperationId operation, bool lower);

[[nodiscard]] Pass passOf(const Timeline& timeline, const Selection& selection);

/// The operation whose result this one takes: the same micro-batch in the stage before it, or its own forward or input
/// gradient where it has none. None for what begins the step.
[[nodiscard]] std::optional<Selection> predecessor(const Dependencies& dependencies, const Selection& selection);
/// The operation that takes this one's result. None for the last of a micro-batch.
[[nodiscard]] std::optional<Selection> successor(const Dependencies& dependencies, const Selection& selection);

/// The next (`by` 1) or previous (-1) operation of the rank; none past its ends.
[[nodiscard]] std::optional<Selection> neighbour(const Timeline& timeline, const Selection& selection, int by);

} // namespace cardfit::ui
