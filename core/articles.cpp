// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/articles.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "core/articles/rows.h"
#include "core/pipeline/residency.h"
#include "core/pipeline/simulator.h"

namespace cardfit {

namespace articles {

void append(std::vector<ArticleRow>& rows, std::vector<ArticleRow> more)
{
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::vector<ArticleRow> from(std::string_view article, std::vector<ArticleRow> rows)
{
    for (auto& row : rows)
        row.article = article;
    return rows;
}

double inGb(Bytes bytes) { return static_cast<double>(bytes.value()) / 1e9; }

double inMb(Bytes bytes) { return static_cast<double>(bytes.value()) / 1e6; }

std::string number(double value, int decimals)
{
    auto text = fmt::format("{:.{}f}", value, decimals);
    if (decimals == 0) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string gb(Bytes bytes, int decimals) { return number(inGb(bytes), decimals) + " GB"; }

std::string gib(Bytes bytes, int decimals)
{
    return number(static_cast<double>(bytes.value()) / (1 << 30), decimals) + " GiB";
}

std::string mb(Bytes bytes, int decimals) { return number(inMb(bytes), decimals) + " MB"; }

std::string gbRange(Bytes low, Bytes high) { return fmt::format("{} to {}", number(inGb(low)), gb(high)); }

std::string percent(double fraction) { return number(100.0 * fraction) + " %"; }

std::string grouped(std::int64_t value)
{
    auto text = std::to_string(value);
    for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3) {
        text.insert(static_cast<std::size_t>(place), 1, ',');
    }
    return text;
}

std::string list(const std::vector<std::int64_t>& values) { return fmt::format("{}", fmt::join(values, ", ")); }

std::vector<std::int64_t> simulatedInFlight(const ScheduleRequest& request)
{
    const std::vector<std::vector<Durations>> equal_stages(
        static_cast<std::size_t>(request.stages), std::vector<Durations>(static_cast<std::size_t>(request.chunks)));
    const auto timeline = simulate(programs(request), placementOf(request.schedule), equal_stages);
    if (!timeline) return {};

    std::vector<std::int64_t> held;
    for (const auto& operations : timeline->ranks)
        held.push_back(peakInFlight(operations));
    return held;
}

} // namespace articles

std::vector<ArticleRow> articleRows()
{
    auto rows = articles::thirteenBillionRows();
    articles::append(rows, articles::bimantRows());
    articles::append(rows, articles::parametersToMemoryRows());
    articles::append(rows, articles::interviewSheetRows());
    return rows;
}

std::string_view verdictName(ArticleRow::Verdict verdict)
{
    switch (verdict) {
    case ArticleRow::Verdict::Agrees: return "agrees";
    case ArticleRow::Verdict::Slip: return "slip";
    case ArticleRow::Verdict::Flag: return "flag";
    }
    return {};
}

} // namespace cardfit
