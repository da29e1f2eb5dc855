// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/difference_picture.h"

#include <algorithm>

namespace cardfit::ui {

Bytes StageDifference::total() const { return grown() + shrunk(); }

Bytes StageDifference::grown() const
{
    Bytes sum;
    for (const Bytes part : parts)
        sum += std::max(part, Bytes(0));
    return sum;
}

Bytes StageDifference::shrunk() const
{
    Bytes sum;
    for (const Bytes part : parts)
        sum += std::min(part, Bytes(0));
    return sum;
}

DifferencePicture differencePicture(const Estimate& plan, const Estimate& pin)
{
    DifferencePicture picture;
    picture.stages.resize(std::max(plan.stages.size(), pin.stages.size()));
    for (std::size_t i = 0; i < picture.stages.size(); ++i) {
        StageDifference& stage = picture.stages[i];
        stage.in_plan = i < plan.stages.size();
        stage.in_pin = i < pin.stages.size();
        if (!stage.compared()) continue;
        for (std::size_t part = 0; part < kSegmentCount; ++part)
            stage.parts[part] = plan.stages[i].bytes[part] - pin.stages[i].bytes[part];
        picture.highest = std::max(picture.highest, stage.grown());
        picture.lowest = std::min(picture.lowest, stage.shrunk());
    }
    return picture;
}

} // namespace cardfit::ui
