// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/choice_words.h"

#include "core/plan/edit.h"
#include "core/plan/field_table.h"

namespace cardfit::app {

namespace {

/// "Whole layers (block, 1/2)" for "full (block, 1/2)".
QString recomputeLabel(const std::string& words)
{
    const std::string granularity = words.substr(0, words.find(' '));
    return valueLabel(std::string(pointerOf<&Recompute::granularity>), granularity)
        + ui::verbatim(words.substr(granularity.size()));
}

} // namespace

QString valueLabel(const std::string& field, const std::string& value)
{
    if (field == pointerOf<&Recipe::recompute>) return recomputeLabel(value);
    const Field* row = fieldAt(field);
    const Phrase label = row != nullptr && row->text_of != nullptr ? row->text_of(value).label : Phrase{};
    return ui::translated(label.empty() ? valueWords(value) : Sentence(label));
}

} // namespace cardfit::app
