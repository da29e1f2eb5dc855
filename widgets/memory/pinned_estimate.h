// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QChar>
#include <QString>

#include "core/estimate.h"

namespace cardfit::ui {

/// The estimate of a pinned plan, as charts draw it beside the plan's own.
struct PinnedEstimate {
    int slot = 0; ///< 0, 1, 2: decides how its outline is dashed
    QChar letter; ///< 'A', 'B', 'C'
    QString name; ///< of its plan
    std::shared_ptr<const Estimate> estimate; ///< complete, never null

    bool operator==(const PinnedEstimate&) const = default;
};

} // namespace cardfit::ui
