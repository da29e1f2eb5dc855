// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/articles/articles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/articles/examples.h"
#include "core/articles/rules_of_thumb.h"
#include "core/base/formula.h"
#include "core/base/trimmed.h"
#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"

namespace cardfit {

namespace {

double value(std::string_view formula, std::string_view given)
{
    return reckon(formula, given).value_or(std::numeric_limits<double>::quiet_NaN());
}

/// At most `decimals` digits after the point, no zeros at the end.
std::string number(double value, int decimals)
{
    auto text = fmt::format("{:.{}f}", value, decimals);
    if (decimals == 0) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

/// Most micro-batches that each rank holds at once when the schedule is run with equal stages; empty if it does not
/// run.
std::vector<std::int64_t> simulatedInFlight(const ScheduleRequest& request)
{
    const std::vector<std::vector<Durations>> equal_stages(
        static_cast<std::size_t>(request.stages), std::vector<Durations>(static_cast<std::size_t>(request.chunks)));
    const auto timeline = simulate(programs(request), placementOf(request.schedule), equal_stages);
    std::vector<std::int64_t> held;
    if (timeline) std::ranges::transform(timeline->ranks, std::back_inserter(held), peakInFlight);
    return held;
}

std::vector<std::int64_t> weightCopies(const ScheduleRequest& request)
{
    std::vector<std::int64_t> copies;
    for (std::int64_t rank = 0; rank < request.stages; ++rank)
        copies.push_back(weightVersions(request, rank));
    return copies;
}

/// A formula in braces and the form of its value.
struct Place {
    std::string_view formula;
    std::string_view form;
};

Place placeOf(std::string_view inner)
{
    const std::size_t bar = inner.find('|');
    if (bar == std::string_view::npos) return {trimmed(inner), {}};
    return {trimmed(inner.substr(0, bar)), trimmed(inner.substr(bar + 1))};
}

struct WrittenNumber {
    std::string text;
    double value = 0.0; ///< in the unit of the text
};

WrittenNumber written(const Place& place, std::string_view given)
{
    auto [formula, form] = place;
    if (form == "in flight" || form == "weight versions") {
        const auto count = [&](std::string_view symbol) { return std::llround(value(symbol, given)); };
        const ScheduleRequest request{fromName<Schedule>(formula).value(), count("p"), count("m"), 1, {}};
        const auto counts = form == "in flight" ? simulatedInFlight(request) : weightCopies(request);
        return {fmt::format("{}", fmt::join(counts, ", "))};
    }
    const double exact = value(formula, given);
    if (const std::size_t colon = form.find(" : "); colon != std::string_view::npos)
        return {std::string(exact <= 0.0 ? form.substr(0, colon) : form.substr(colon + 3))};
    if (form == ",") return {groupedNumber(std::round(exact)), exact};
    if (form == "up") return {number(std::ceil(exact), 0), std::ceil(exact)};
    if (form == "down") return {number(std::floor(exact), 0), std::floor(exact)};
    int decimals = 2;
    if (!form.empty() && form.back() >= '0' && form.back() <= '9') {
        decimals = form.back() - '0';
        form = trimmed(form.substr(0, form.size() - 1));
    }
    if (form.empty()) return {number(exact, decimals), exact};
    const double scaled = form == "%" ? 100.0 * exact
        : form == "GB"                ? std::round(exact) / 1e9
        : form == "MB"                ? std::round(exact) / 1e6
                                      : std::round(exact) / 0x1p30;
    return {fmt::format("{} {}", number(scaled, decimals), form), scaled};
}

/// The text with every formula's value in its place; `figure`: see articles::Example.
std::string filledIn(std::string_view text, std::string_view given, std::optional<double>* figure)
{
    std::string result;
    bool marked = false;
    for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
        const std::size_t close = text.find('}', open);
        std::string_view inner = text.substr(open + 1, close - open - 1);
        const bool marks = inner.starts_with('=');
        if (marks) inner.remove_prefix(1);
        const WrittenNumber place = written(placeOf(inner), given);
        if (figure != nullptr && !marked && (marks || !figure->has_value())) *figure = place.value;
        marked = marked || marks;
        result += text.substr(0, open);
        result += place.text;
        text.remove_prefix(close + 1);
    }
    result += text;
    return result;
}

ArticleRow rowOf(const articles::Article& article, const articles::Example& example)
{
    const std::string given = fmt::format("{}, {}", example.given, article.given);
    ArticleRow row;
    row.id = example.id;
    row.article = article.name;
    row.statement = example.statement;
    row.theirs = example.theirs;
    row.ours = filledIn(example.ours, given, example.unit.empty() ? nullptr : &row.value);
    row.verdict = example.verdict;
    row.remark = filledIn(example.remark, given, nullptr);
    row.article_value = example.article_value;
    row.unit = example.unit;
    return row;
}

} // namespace

std::vector<ArticleRow> articleRows()
{
    std::vector<ArticleRow> rows;
    for (const articles::Article& article : articles::all()) {
        for (const articles::Example& example : article.examples)
            rows.push_back(rowOf(article, example));
    }
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
