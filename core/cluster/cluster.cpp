// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/cluster.h"

namespace cardfit {

Sentence memorySentence(const Accelerator& card)
{
    if (!card.usable)
        return Sentence::tr("{} MiB, all counted as usable (the card does not say)", {card.memory.value()});
    return Sentence::tr("{} MiB, {} usable", {card.memory.value(), card.usable->value()});
}

} // namespace cardfit
