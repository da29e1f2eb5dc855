// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QStringView>

namespace cardfit::app {

/// How well a text matches a query: each word of the query must occur in the text, best at the start of a word, or else
/// its letters in order. Higher is better; none if a word does not match. An empty query matches everything.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView query, QStringView text);

} // namespace cardfit::app
