// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/amounts.h"
#include "core/base/sentence.h"
#include "core/estimate/estimate.h"

namespace cardfit {

/// "node 0, 8 cards: 606 of 2000 GB: optimizer 436, gradients 145, processes 24": the node that is nearest to its
/// limit; empty where nothing is offloaded and no checkpoint is read.
[[nodiscard]] Sentence hostSentence(const Estimate& estimate, ByteUnit unit);

} // namespace cardfit
