// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QStringView>

namespace cardfit::app {

/// How well a text answers what was typed: every word of the query stands in it, best at the start of a word, or else
/// its letters do, in order. Higher is better; none if a word is not in it. An empty query is answered by everything.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView query, QStringView text);

} // namespace cardfit::app
