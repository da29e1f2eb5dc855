// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launch/launch.h"

namespace cardfit {

/// Reads the exported text again, over a plan of the same model and cards, and notes every field that comes back
/// otherwise and of which nothing is noted yet: so the notes name everything that the launcher cannot say.
void noteWhatComesBackOtherwise(Launcher launcher, const Plan& plan, ExportedLaunch& exported);

} // namespace cardfit
