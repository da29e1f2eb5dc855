// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "core/articles/articles.h"

namespace cardfit::articles {

/// A row of an article as data. `ours` and `remark` hold formulas in braces, "{megatron n | GB}", with the form in
/// which their value is written:
///
///     nothing, "3"         two digits after the point, or so many; no zeros at the end
///     "GB", "MB", "GiB"    of a value in bytes; "GB 3" for three digits
///     "%"                  of a fraction
///     "up", "down"         to a whole number
///     ","                  to the nearest one, in groups of three digits
///     "fits : exceeds"     the first where the value is not above 0, else the second
///     "in flight"          micro-batches that each rank of the named schedule holds, p stages and m micro-batches
///     "weight versions"    that each of its ranks keeps
///
/// Where there is a unit, the row's figure is the value of the formula that begins with "=", else of the first one.
struct Example {
    std::string_view id;
    std::string_view statement;
    std::string_view theirs;
    std::optional<double> article_value;
    std::string_view ours;
    std::string_view unit = {};
    ArticleRow::Verdict verdict = ArticleRow::Verdict::Agrees;
    std::string_view remark = {};
    std::string_view given = {}; ///< symbols that differ from the article's, see reckon()
};

struct Article {
    std::string_view name;
    std::string_view given;
    std::span<const Example> examples;
};
[[nodiscard]] std::array<Article, 4> all();

} // namespace cardfit::articles
