// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/pipeline/orders/orders.h"

namespace cardfit::orders {

namespace {

/// Whether [first, last) runs again, on micro-batches `step` higher, from `other` on.
bool runsAgain(Operations::const_iterator first, Operations::const_iterator last, Operations::const_iterator other,
    std::int64_t step)
{
    return std::equal(first, last, other, [&](const Operation& earlier, const Operation& later) {
        return earlier.shifted(static_cast<std::int32_t>(step)) == later;
    });
}

/// Folds an order, given for some micro-batches (`shorter`) and for one period more (`longer`): where the two first
/// differ, `longer` has one more repeat. Empty if it does not, that is, if what follows in `longer` is not the rest of
/// `shorter` shifted by `step`.
Program foldedRank(const Operations& shorter, const Operations& longer, std::int64_t more, std::int64_t step)
{
    const auto length = static_cast<std::ptrdiff_t>(longer.size() - shorter.size());
    const auto [parting, block] = std::mismatch(shorter.begin(), shorter.end(), longer.begin());
    if (!runsAgain(parting, shorter.end(), block + length, step)) return {};
    // The same block may also come before it, on earlier micro-batches.
    std::int64_t repeats = more;
    auto first = block;
    while (first - longer.begin() >= length && runsAgain(first - length, first, first, step)) {
        first -= length;
        ++repeats;
    }
    Operations end;
    end.reserve(static_cast<std::size_t>(shorter.end() - parting));
    for (auto next = parting; next != shorter.end(); ++next)
        end.push_back(next->shifted(static_cast<std::int32_t>(more * step)));
    return parts(ProgramPart{Operations(longer.begin(), first)},
        ProgramPart{Operations(first, first + length), repeats, step}, ProgramPart{std::move(end)});
}

std::vector<Program> writtenOut(std::vector<Operations> orders)
{
    std::vector<Program> programs;
    for (Operations& order : orders)
        programs.push_back(parts(ProgramPart{std::move(order)}));
    return programs;
}

} // namespace

std::vector<Program> folded(const std::function<std::vector<Operations>(std::int64_t)>& orders,
    std::int64_t microbatches, const FoldPeriod& period)
{
    if (microbatches < period.settled + 3 * period.microbatches) return writtenOut(orders(microbatches));
    const std::int64_t few = period.settled + (microbatches - period.settled) % period.microbatches;
    const std::int64_t more = (microbatches - few) / period.microbatches;
    const auto shorter = orders(few);
    const auto longer = orders(few + period.microbatches);
    std::vector<Program> programs;
    for (std::size_t rank = 0; rank < shorter.size(); ++rank) {
        programs.push_back(foldedRank(shorter[rank], longer[rank], more, period.step));
        if (programs.back().empty()) return writtenOut(orders(microbatches));
    }
    return programs;
}

} // namespace cardfit::orders
