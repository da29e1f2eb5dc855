// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/pipeline/timeline/timeline.h"

namespace cardfit::samples {

/// Forward passes of three ranks, with serialized transfers of 1. Rank 2 receives the second value when it has finished
/// the first one, at 8; until then ranks 0 and 1 are blocked, as rank 0 sends the third value only after that. It sends
/// the fourth one at 30.
inline Timeline heldUpTransfers()
{
    Timeline timeline;
    timeline.makespan = 37.0;
    timeline.transfers = {TransferModel::Serialized, 1.0};
    const auto forward = [](std::int32_t microbatch) { return Operation{OperationKind::Forward, 0, microbatch}; };
    timeline.ranks.push_back(
        {{forward(0), 0.0, 1.0}, {forward(1), 2.0, 3.0}, {forward(2), 5.0, 6.0}, {forward(3), 10.0, 30.0}});
    timeline.ranks.push_back(
        {{forward(0), 2.0, 3.0}, {forward(1), 5.0, 6.0}, {forward(2), 10.0, 11.0}, {forward(3), 31.0, 32.0}});
    timeline.ranks.push_back(
        {{forward(0), 4.0, 8.0}, {forward(1), 9.0, 13.0}, {forward(2), 14.0, 18.0}, {forward(3), 33.0, 37.0}});
    return timeline;
}

} // namespace cardfit::samples
