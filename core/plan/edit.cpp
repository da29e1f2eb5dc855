// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/edit.h"

#include <algorithm>
#include <array>

namespace cardfit {

Sentence valueWords(std::string_view value)
{
    constexpr std::array kWords{Sentence::tr("none"), Sentence::tr("on"), Sentence::tr("off"), Sentence::tr("empty"),
        Sentence::tr("not given")};
    const auto word = std::ranges::find(kWords, value, &Phrase::english);
    return word != kWords.end() ? Sentence(*word) : Sentence::verbatim(std::string(value));
}

} // namespace cardfit
