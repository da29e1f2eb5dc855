// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/edit.h"

#include <algorithm>
#include <array>

#include "core/plan/fields.h"

namespace cardfit {

Sentence valueWords(std::string_view value)
{
    constexpr std::array kWords{Sentence::tr("none"), Sentence::tr("on"), Sentence::tr("off"), Sentence::tr("empty"),
        Sentence::tr("not given"), Sentence::tr("automatic")};
    const auto word = std::ranges::find(kWords, value, &Phrase::english);
    return word != kWords.end() ? Sentence(*word) : Sentence::verbatim(std::string(value));
}

Sentence fieldWords(std::string_view pointer)
{
    const Field* field = fieldAt(pointer);
    if (field != nullptr && !field->label.empty()) return field->label;
    std::string key(keyOf(pointer));
    std::ranges::replace(key, '_', ' ');
    return Sentence::verbatim(std::move(key));
}

} // namespace cardfit
