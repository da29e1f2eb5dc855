// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/palette/fuzzy_match.h"

#include <algorithm>

#include <QList>
#include <QRegularExpression>
#include <QString>

namespace cardfit::app {

namespace {

constexpr qsizetype kFarthest = 40; ///< a word farther from the start does not score lower

bool startsWord(QStringView text, qsizetype at) { return at == 0 || !text[at - 1].isLetterOrNumber(); }

/// The number of other letters between the word's first and last letter in the text; nullopt if its letters do not
/// occur in order.
std::optional<qsizetype> lettersBetween(QStringView word, QStringView text)
{
    const qsizetype first = text.indexOf(word.front(), 0, Qt::CaseInsensitive);
    if (first < 0) return std::nullopt;
    qsizetype at = first;
    for (const QChar letter : word.sliced(1)) {
        at = text.indexOf(letter, at + 1, Qt::CaseInsensitive);
        if (at < 0) return std::nullopt;
    }
    return at + 1 - first - word.size();
}

std::optional<int> wordScore(QStringView word, QStringView text)
{
    constexpr int kStart = 200, kInside = 120, kScattered = 60;
    qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
    const qsizetype anywhere = at;
    while (at >= 0 && !startsWord(text, at))
        at = text.indexOf(word, at + 1, Qt::CaseInsensitive);
    if (at >= 0) return kStart - static_cast<int>(std::min(at, kFarthest));
    if (anywhere >= 0) return kInside - static_cast<int>(std::min(anywhere, kFarthest));
    const auto between = lettersBetween(word, text);
    // Letters scattered over a long text do not count as a match.
    if (!between || *between > 3 * word.size()) return std::nullopt;
    return kScattered - static_cast<int>(std::min(*between, kFarthest));
}

} // namespace

std::optional<int> fuzzyScore(QStringView query, QStringView text)
{
    int score = 0;
    // Names are written with hyphens in one place and with blanks in another.
    static const QRegularExpression gaps(QStringLiteral("[\\s-]+"));
    for (const QStringView word : query.split(gaps, Qt::SkipEmptyParts)) {
        const auto found = wordScore(word, text);
        if (!found) return std::nullopt;
        score += *found;
    }
    // Of two equal matches the shorter text comes first.
    return score * 100 - static_cast<int>(std::min<qsizetype>(text.size(), 99));
}

} // namespace cardfit::app
