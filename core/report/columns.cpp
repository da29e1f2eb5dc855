// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/columns.h"

#include <algorithm>

#include <fmt/format.h>

namespace cardfit {

std::string aligned(const std::vector<Row>& rows, const Columns& columns)
{
    std::vector<std::size_t> widths;
    for (const Row& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line(columns.before);
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) line += columns.between;
            line +=
                i < columns.left ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]);
        }
        line += columns.after;
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string csvCell(std::string_view text)
{
    if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text)
        quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return quoted + "\"";
}

} // namespace cardfit
