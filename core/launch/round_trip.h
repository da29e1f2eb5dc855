// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/launch.h"

namespace cardfit {

/// Imports the exported text again, over a plan with the same model and cards (`presets`: the models that it may name),
/// and adds a note for every field whose value differs and that has no note yet, with the launcher's reason if it has
/// one. So the notes name everything that the file cannot hold.
void noteRoundTripLosses(Launcher launcher, const Plan& plan, const Presets& presets, ExportedLaunch& exported);

} // namespace cardfit
