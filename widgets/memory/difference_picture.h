// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QRectF>

#include "core/estimate.h"

/// From two estimates to the segments' differences around zero, without painting.
namespace cardfit::ui {

/// One stage of either plan.
struct StageDifference {
    bool in_plan = false; ///< whether each plan has the stage; nothing is compared unless both have it
    bool in_pin = false;
    std::array<Bytes, kSegmentCount> parts{}; ///< plan minus pin

    [[nodiscard]] bool compared() const { return in_plan && in_pin; }
    [[nodiscard]] Bytes total() const;
    [[nodiscard]] Bytes grown() const; ///< sum of the parts above zero
    [[nodiscard]] Bytes shrunk() const; ///< sum of the parts below zero; not positive
    bool operator==(const StageDifference&) const = default;
};

struct DifferencePicture {
    std::vector<StageDifference> stages; ///< as many as the plan with more of them has
    Bytes highest, lowest; ///< what has to be in view: the largest grown() and the least shrunk()

    bool operator==(const DifferencePicture&) const = default;
};

/// Of complete estimates.
[[nodiscard]] DifferencePicture differencePicture(const Estimate& plan, const Estimate& pin);

} // namespace cardfit::ui
