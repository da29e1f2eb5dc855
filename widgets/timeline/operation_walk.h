// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/pipeline/analysis/dependencies.h"

/// Steps from one operation of a timeline to another, for the keyboard.
namespace cardfit::ui {

/// The operation that is selected; of an overlapped block, one of its halves.
struct Selection {
    OperationId operation;
    bool backward = false; ///< the backward half; true for every B, I, W and U

    bool operator==(const Selection&) const = default;
};

/// `lower`: choose the lower half of an overlapped block.
[[nodiscard]] Selection selectionOf(const Timeline& timeline, OperationId operation, bool lower);

[[nodiscard]] Pass passOf(const Timeline& timeline, const Selection& selection);

/// The operation whose result this one uses: the same micro-batch in the previous stage or, without one, its own
/// forward pass or input gradient. nullopt for an operation that needs no other.
[[nodiscard]] std::optional<Selection> predecessor(const Dependencies& dependencies, const Selection& selection);
/// The operation that uses this one's result; nullopt for the last one of a micro-batch.
[[nodiscard]] std::optional<Selection> successor(const Dependencies& dependencies, const Selection& selection);

/// The rank's next (`by` 1) or previous (-1) operation; nullopt beyond its ends.
[[nodiscard]] std::optional<Selection> neighbour(const Timeline& timeline, const Selection& selection, int by);

} // namespace cardfit::ui
