// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/constant_words.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/read_number.h"
#include "core/files/json_reader.h"

namespace cardfit {

Result<Constants> withConstant(const Constants& constants, std::string_view assignment)
{
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
        return fail(ErrorCode::Usage, "--constant",
            Sentence::tr("expected WORD=VALUE, such as links.share=0.75, found {}", {assignment}));
    }
    const std::string_view word = assignment.substr(0, equals);
    const std::string_view text = assignment.substr(equals + 1);
    const auto known = std::ranges::find(constantRows(), word, &ConstantRow::word);
    if (known == constantRows().end()) {
        std::vector<std::string_view> words;
        for (const ConstantRow& one : constantRows())
            words.push_back(one.word);
        return fail(ErrorCode::Usage, "--constant", unknownNameMessage(Sentence::tr("constant"), word, words));
    }
    double value = 0.0;
    const auto [end, failed] = readNumber(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || value <= 0.0) {
        return fail(
            ErrorCode::Usage, "--constant", Sentence::tr("{}: expected a number above 0, found {}", {word, text}));
    }
    Constants changed = constants;
    changed.set(known->value, value);
    return changed;
}

} // namespace cardfit
