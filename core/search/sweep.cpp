// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/sweep.h"

#include <algorithm>
#include <array>

#include "core/parallel.h"
#include "core/plan/checks.h"

namespace cardfit {

namespace {

using Verdict = SweepCell::Verdict;

void setFound(const FoundPlan& found, SearchFigure figure, SweepCell& cell)
{
    cell.verdict = found.over > Bytes(0) ? Verdict::OverMemory : Verdict::Fits;
    cell.figure = figureOf(found, figure);
    cell.over = std::max(Bytes(0), found.over);
    cell.plan = found.plan;
}

void planThere(const SearchSpace& space, SearchFigure figure, SweepCell& cell)
{
    const SpacePoint point(space);
    for (const Check& broken : check(point.plan())) {
        const bool is_new = std::ranges::find(cell.rules, broken.id) == cell.rules.end();
        if (broken.severity == Severity::Error && is_new) cell.rules.push_back(broken.id);
    }
    if (const auto found = rowOf(point.plan(), figure)) setFound(*found, figure, cell);
    if (!cell.rules.empty()) cell.verdict = Verdict::Rules;
}

void bestThere(const SearchSpace& space, const SweepRequest& request, const std::stop_token& stop, SweepCell& cell)
{
    SearchRequest search;
    search.space = space;
    search.objective = request.figure;
    search.top = 1;
    search.pareto.clear();
    search.threads = request.threads;
    const SearchResult result = findPlans(search, {}, stop);
    if (!result.top.empty()) {
        setFound(result.top.front(), request.figure, cell);
    } else if (result.nearest) {
        setFound(*result.nearest, request.figure, cell);
    } else {
        for (const auto& [rule, count] : result.counts.rules)
            cell.rules.push_back(rule);
    }
}

} // namespace

std::vector<SweepCell> sweep(const SweepRequest& request, std::stop_token stop)
{
    const std::size_t columns = request.x.values.size();
    const std::size_t rows = request.y ? request.y->values.size() : 1;
    std::vector<SweepCell> cells(columns * rows);
    const auto fill = [&](std::size_t index) {
        if (stop.stop_requested()) return;
        SweepCell& cell = cells[index];
        cell.x = index % columns;
        cell.y = index / columns;
        SearchSpace space = request.space;
        const auto pin = [&](const SearchAxis& axis, std::size_t value) {
            SearchAxis pinned = axis;
            pinned.values = {axis.values[value]};
            space.put(std::move(pinned));
        };
        pin(request.x, cell.x);
        if (request.y) pin(*request.y, cell.y);
        if (request.best)
            bestThere(space, request, stop, cell);
        else
            planThere(space, request.figure, cell);
    };
    if (request.best) {
        // Each search uses all cores by itself.
        for (std::size_t index = 0; index < cells.size(); ++index)
            fill(index);
    } else {
        forEachInParallel(cells.size(), request.threads, fill);
    }
    if (stop.stop_requested()) cells.clear();
    return cells;
}

std::string_view verdictName(SweepCell::Verdict verdict)
{
    constexpr std::array<std::string_view, 3> kNames{"fits", "over_memory", "rules"};
    return kNames[static_cast<std::size_t>(verdict)];
}

} // namespace cardfit
