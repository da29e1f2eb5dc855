// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/check_list.h"

/// Settings of a recipe that only some frameworks, formats and cards have.
namespace cardfit {

/// What is wrong with them: at most one check for each setting.
void checkSettings(const Plan& plan, CheckList& checks);

} // namespace cardfit
