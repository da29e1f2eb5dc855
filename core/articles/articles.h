// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Worked examples of four articles on training memory beside Cardfit's answer to each.
namespace cardfit {

/// One statement of an article, and the exact result.
struct ArticleRow {
    enum class Verdict {
        Agrees, ///< right for what it assumes, rounding included
        Slip, ///< wrong, cut off or misnamed; `remark` says how
        Flag, ///< rightly reckoned from a premise that deserves a second look
    };

    std::string_view id; ///< "S0-12": article and place in it; stable
    std::string_view article; ///< its name
    std::string_view statement;
    std::string_view theirs; ///< what the article says
    std::string
        ours; ///< computed by core/articles/rules_of_thumb.h or the simulator; words where there is nothing to compute
    Verdict verdict = Verdict::Agrees;
    std::string remark; ///< why the two differ, or what to bear in mind; may be empty
    std::optional<double> value; ///< our figure in `unit`, the upper end of a range; none: `ours` is several or words
    std::optional<double> article_value; ///< theirs in the same unit; none: theirs is not a number
    std::string_view unit; ///< "GB" is 10^9 bytes
};

/// Every row, in the order of the articles. Pure: same rows every time.
[[nodiscard]] std::vector<ArticleRow> articleRows();

/// "agrees", "slip" or "flag".
[[nodiscard]] std::string_view verdictName(ArticleRow::Verdict verdict);

} // namespace cardfit
