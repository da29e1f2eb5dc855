// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rules/check_list.h"

/// Parts of check() that need no other rule.
namespace cardfit {

/// Tokens of images, and how the vision tower is divided.
void checkVision(const Plan& plan, CheckList& checks);

/// Settings of the recipe that do not fit its task.
void checkTask(const Plan& plan, CheckList& checks);

/// When gradients are reduced and used.
void checkGradients(const Plan& plan, CheckList& checks);

/// What the framework can keep in host memory.
void checkOffload(const Plan& plan, CheckList& checks);

} // namespace cardfit
