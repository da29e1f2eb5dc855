// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/sweep_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/foreign_text.h"
#include "core/plan/choices.h"
#include "core/report/columns.h"
#include "core/report/reports.h"
#include "core/report/search_rows.h"

namespace cardfit {

std::string sweepCsv(const SweepRequest& request, const std::vector<SweepCell>& cells)
{
    std::string text = csvCell(request.x.pointer) + "," + (request.y ? csvCell(request.y->pointer) + "," : "")
        + fmt::format("verdict,{},over_bytes,rules\n", name(request.figure));
    for (const SweepCell& cell : cells) {
        text += csvCell(request.x.values[cell.x].word) + ",";
        if (request.y) text += csvCell(request.y->values[cell.y].word) + ",";
        text += fmt::format("{},{},{},{}\n", verdictName(cell.verdict),
            cell.figure ? fmt::format("{}", *cell.figure) : std::string(), cell.over.value(),
            fmt::join(cell.rules, " "));
    }
    return text;
}

std::string sweepText(const SweepRequest& request, const std::vector<SweepCell>& cells)
{
    const Plan& base = request.space.base;
    std::vector<Row> rows;
    Row head{request.y ? fmt::format("{} \\ {}", axisWord(*request.y), axisWord(request.x)) : axisWord(request.x)};
    for (const AxisValue& value : request.x.values)
        head.push_back(value.word);
    rows.push_back(std::move(head));
    const std::size_t columns = request.x.values.size();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const SweepCell& cell = cells[i];
        if (i % columns == 0)
            rows.push_back({request.y ? request.y->values[cell.y].word : std::string(name(request.figure))});
        switch (cell.verdict) {
        case Verdict::Fits:
        case Verdict::Tight:
            rows.back().push_back(
                searchFigureText(request.figure, cell.found ? cell.found->plan : base, cell.figure.value_or(0.0)));
            break;
        case Verdict::Refused:
        case Verdict::Over: rows.back().push_back("over by " + formatBytes(cell.over, ByteUnit::GB)); break;
        case Verdict::Invalid: rows.back().push_back(cell.rules.empty() ? "-" : cell.rules.front()); break;
        }
    }
    return fmt::format("{}\n{} of {}\n\n{}", printable(base.name), name(request.figure),
        request.best ? "the best plan of each cell" : "the plan, all else as it is",
        aligned(rows, {.before = "  ", .left = 1}));
}

std::string sweepSvg(const SweepRequest& request, const std::vector<SweepCell>& cells)
{
    constexpr int kCell = 96;
    constexpr int kLine = 32;
    constexpr int kMargin = 120;
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const SweepCell& cell : cells) {
        if (!isFit(cell.verdict) || !cell.figure) continue;
        least = std::min(least, *cell.figure);
        most = std::max(most, *cell.figure);
    }
    const auto columns = static_cast<int>(request.x.values.size());
    const int rows = request.y ? static_cast<int>(request.y->values.size()) : 1;
    std::string svg = fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
                                  "font-family=\"sans-serif\" font-size=\"11\">\n",
        kMargin + columns * kCell + 10, 3 * kLine + rows * kLine);
    svg += "<defs><pattern id=\"over\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f3e0dc\"/><line x1=\"0\" y1=\"0\" "
           "x2=\"0\" y2=\"6\" stroke=\"#b5523b\" stroke-width=\"2\"/></pattern><pattern id=\"rules\" width=\"6\" "
           "height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#eeeeee\"/><circle "
           "cx=\"3\" cy=\"3\" r=\"1\" fill=\"#777777\"/></pattern></defs>\n";
    const auto write = [&](int x, int y, std::string_view anchor, std::string_view text) {
        svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" stroke=\"#ffffff\" stroke-width=\"3\" "
                           "paint-order=\"stroke\">{}</text>\n",
            x, y, anchor, xmlEscaped(text));
    };
    write(8, 20, "start",
        fmt::format("{}: {} over {}{}", printable(request.space.base.name), name(request.figure), request.x.pointer,
            request.y ? " and " + request.y->pointer : ""));
    for (int column = 0; column < columns; ++column) {
        write(kMargin + column * kCell + kCell / 2, 2 * kLine - 8, "middle",
            request.x.values[static_cast<std::size_t>(column)].word);
    }
    for (const SweepCell& cell : cells) {
        const int x = kMargin + static_cast<int>(cell.x) * kCell;
        const int y = 2 * kLine + static_cast<int>(cell.y) * kLine;
        if (cell.x == 0 && request.y) write(kMargin - 8, y + 20, "end", request.y->values[cell.y].word);
        std::string fill = "url(#rules)";
        std::string label = cell.rules.empty() ? std::string() : cell.rules.front();
        if (!isFit(cell.verdict) && cell.verdict != Verdict::Invalid) {
            fill = "url(#over)";
            label = "+" + formatBytes(cell.over, ByteUnit::GB);
        } else if (isFit(cell.verdict) && cell.figure) {
            const double place = most > least ? (*cell.figure - least) / (most - least) : 0.0;
            const auto mix = [&](double light, double dark) {
                return static_cast<int>(std::lround(light + place * (dark - light)));
            };
            fill = fmt::format("#{:02x}{:02x}{:02x}", mix(222, 33), mix(235, 102), mix(247, 172));
            label = searchFigureText(request.figure, cell.found ? cell.found->plan : request.space.base, *cell.figure);
        }
        svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#ffffff\"/>\n", x,
            y, kCell, kLine, fill);
        write(x + kCell / 2, y + 20, "middle", label);
    }
    return svg + "</svg>\n";
}

} // namespace cardfit
