// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/term.h"

namespace cardfit {

Bytes sum(const std::vector<NamedBytes>& parts)
{
    Bytes total;
    for (const NamedBytes& part : parts)
        total += part.bytes;
    return total;
}

} // namespace cardfit
