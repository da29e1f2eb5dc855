// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QStringView>

namespace cardfit::app {

/// How well a text matches a query. Each word of the query must occur in the text, or else its letters in order; a
/// match at the start of a word scores best. Higher is better; nullopt if a word does not match. An empty query matches
/// everything.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView query, QStringView text);

} // namespace cardfit::app
