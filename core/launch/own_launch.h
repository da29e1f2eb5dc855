// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/launch/launch.h"
#include "core/report/planning_document.h"

/// What starts a plan, where nobody has chosen a launcher.
namespace cardfit {

/// The launcher whose files start a plan of the framework.
[[nodiscard]] Launcher launcherOf(Framework framework);

/// Of the framework's launcher, or of vLLM for a served plan. None if the launcher has no such task.
[[nodiscard]] std::optional<DocumentLaunch> launchOf(const Plan& plan);

} // namespace cardfit
