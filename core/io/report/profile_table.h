// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/io/report/reports.h"
#include "core/profiles.h"

namespace cardfit {

/// The fullest stage of a plan under one profile.
struct ProfileColumn {
    Profile profile = Profile::AsPlanned;
    Estimate estimate;
};

/// The plan under its own framework's profile and all others, in the order of kProfileNames.
[[nodiscard]] std::vector<ProfileColumn> profileColumns(const Plan& plan);

/// Side by side: a row per segment and total of the fullest stage, a column per profile. Plain text.
[[nodiscard]] std::string profileTable(const Plan& plan, ByteUnit unit);

} // namespace cardfit
