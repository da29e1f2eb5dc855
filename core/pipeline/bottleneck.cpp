// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/bottleneck.h"

namespace cardfit {

BottleneckWindow bottleneckWindow(const std::vector<std::vector<Durations>>& durations, double transfer_time)
{
    BottleneckWindow found;
    std::size_t length = 0;
    for (std::size_t first = 0; first < durations.size(); ++first) {
        double work = 0.0;
        for (std::size_t last = first; last < durations.size(); ++last) {
            const Durations& times = durations[last].front();
            work += times.forward + times.backward();
            const std::size_t ranks = last - first + 1;
            const double travelling = 2.0 * static_cast<double>(ranks - 1) * transfer_time;
            const double period = (work + travelling) / static_cast<double>(ranks);
            if (length > 0 && (period < found.period || (period == found.period && ranks >= length))) continue;
            found = {first, last, period};
            length = ranks;
        }
    }
    return found;
}

} // namespace cardfit
