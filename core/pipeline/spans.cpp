// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/spans.h"

#include <algorithm>

namespace cardfit {

double stepSpan(const Timeline& timeline) { return timeline.makespan; }

double rankSpan(const Timeline& timeline)
{
    double longest = 0.0;
    for (const RankTimeline& operations : timeline.ranks) {
        if (!operations.empty()) longest = std::max(longest, operations.back().end - operations.front().start);
    }
    return longest;
}

} // namespace cardfit
