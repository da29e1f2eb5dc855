// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// For programs that use the library: a plan, and what is known about it.
#include "core/estimate/estimate.h"
