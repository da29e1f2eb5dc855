// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/patch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace cardfit::app {

namespace {

using Lines = std::vector<std::string_view>;

/// Every line with its end, which the last one may lack.
Lines linesOf(std::string_view text)
{
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

/// A line of both texts (' '), of the first ('-') or of the second ('+').
struct PatchLine {
    char of;
    std::string_view line;
};

/// By the longest common subsequence of what is between the common beginning and end. Where that is too long to be
/// compared line by line, all of it is replaced.
std::vector<PatchLine> compared(const Lines& before, const Lines& after)
{
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head])
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    const std::size_t rows = before.size() - head - tail;
    const std::size_t columns = after.size() - head - tail;
    constexpr std::size_t kMostPairs = 1U << 24;
    const bool pairwise = rows * columns <= kMostPairs;
    // common[i][j]: length of what rows from i on and columns from j on have in common.
    std::vector<std::uint32_t> common(pairwise ? (rows + 1) * (columns + 1) : 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return common[i * (columns + 1) + j]; };
    for (std::size_t i = pairwise ? rows : 0; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;)
            at(i, j) =
                before[head + i] == after[head + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    }
    std::vector<PatchLine> lines;
    for (std::size_t i = 0; i < head; ++i)
        lines.push_back({' ', before[i]});
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        if (pairwise && i < rows && j < columns && before[head + i] == after[head + j]) {
            lines.push_back({' ', before[head + i]});
            ++i, ++j;
        } else if (i < rows && (!pairwise || j == columns || at(i + 1, j) >= at(i, j + 1))) {
            lines.push_back({'-', before[head + i++]});
        } else {
            lines.push_back({'+', after[head + j++]});
        }
    }
    for (std::size_t i = before.size() - tail; i < before.size(); ++i)
        lines.push_back({' ', before[i]});
    return lines;
}

} // namespace

std::string unifiedPatch(std::string_view before, std::string_view after, std::string_view name)
{
    constexpr std::size_t kContext = 3;
    const std::vector<PatchLine> lines = compared(linesOf(before), linesOf(after));
    std::string text;
    std::size_t old_line = 1; // of the next line in each text
    std::size_t new_line = 1;
    for (std::size_t next = 0; next < lines.size();) {
        // A hunk: changes with no more than two contexts between them, and one around all.
        std::size_t first = next;
        while (first < lines.size() && lines[first].of == ' ')
            ++first;
        if (first == lines.size()) break;
        const std::size_t begin = std::max(next, first - std::min(first, kContext));
        std::size_t last = first;
        for (std::size_t i = first; i < lines.size() && i <= last + 2 * kContext + 1; ++i) {
            if (lines[i].of != ' ') last = i;
        }
        const std::size_t end = std::min(last + 1 + kContext, lines.size());
        old_line += begin - next;
        new_line += begin - next;
        std::size_t old_count = 0;
        std::size_t new_count = 0;
        std::string hunk;
        for (std::size_t i = begin; i < end; ++i) {
            old_count += lines[i].of != '+' ? 1 : 0;
            new_count += lines[i].of != '-' ? 1 : 0;
            hunk += lines[i].of;
            hunk += lines[i].line;
            if (!lines[i].line.ends_with('\n')) hunk += "\n\\ No newline at end of file\n";
        }
        if (text.empty()) text = fmt::format("--- {0}\n+++ {0}\n", name);
        text += fmt::format("@@ -{},{} +{},{} @@\n{}", old_count == 0 ? old_line - 1 : old_line, old_count,
            new_count == 0 ? new_line - 1 : new_line, new_count, hunk);
        old_line += old_count;
        new_line += new_count;
        next = end;
    }
    return text;
}

} // namespace cardfit::app
