// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/sentence.h"
#include "core/model/architecture.h"

namespace cardfit {

/// How a model differs from one whose layers are all attention with an MLP or experts, one fact each: its kinds of
/// layers and how many there are of each, the width of a token for its experts, what chooses the tokens attended to.
[[nodiscard]] std::vector<Sentence> specialties(const Architecture& model);

} // namespace cardfit
