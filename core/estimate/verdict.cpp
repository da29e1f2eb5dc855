// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/verdict.h"

#include <algorithm>

#include "core/base/enum_names.h"
#include "core/estimate/estimate.h"
#include "core/memory/overheads.h"

namespace cardfit {

std::string_view verdictName(Verdict verdict)
{
    constexpr auto kNames = textFor<Verdict>({"fits", "tight", "refused", "over", "invalid"});
    return kNames[static_cast<std::size_t>(verdict)];
}

Bytes countedReserve(Bytes reserve, Bytes allocated)
{
    const Bytes most = roundToBytes(kCountedReserve * static_cast<double>(allocated.value()));
    return std::clamp(reserve, Bytes(0), std::max(Bytes(0), most));
}

NeededMemory neededMemory(const StageMemory& stage)
{
    Bytes held;
    Band reserve;
    Band others;
    for (const Term& term : stage.terms) {
        const bool given_back = term.segment == Segment::Reserve && !isBetweenBlocks(term);
        Band& sum = given_back ? reserve : others;
        if (given_back) held += term.bytes;
        sum.below += term.band.below;
        sum.above += term.band.above;
    }
    const Bytes allocated = stage.allocated();
    const Bytes rest = stage.device() - held;
    return {rest - others.below + countedReserve(held - reserve.below, allocated),
        rest + others.above + countedReserve(held + reserve.above, allocated)};
}

Bytes overBy(const StageMemory& stage)
{
    const Bytes over = neededMemory(stage).least - stage.capacity;
    return stage.server_lacks > Bytes(0) ? std::max(over, stage.server_lacks) : over;
}

Verdict verdict(const StageMemory& stage)
{
    const NeededMemory needed = neededMemory(stage);
    if (needed.least > stage.capacity) return Verdict::Over;
    if (stage.server_lacks > Bytes(0)) return Verdict::Refused;
    return needed.most / stage.capacity > kTightFrom ? Verdict::Tight : Verdict::Fits;
}

Verdict verdict(const Estimate& estimate)
{
    if (!estimate.complete() || breaksRule(estimate.checks)) return Verdict::Invalid;
    Verdict worst = Verdict::Fits;
    for (const StageMemory& stage : estimate.stages)
        worst = std::max(worst, verdict(stage));
    return worst;
}

} // namespace cardfit
