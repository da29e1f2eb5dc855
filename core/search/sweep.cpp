// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/sweep.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/enum_names.h"
#include "core/base/parallel.h"
#include "core/plan/field_table.h"
#include "core/rules/checks.h"

namespace cardfit {

namespace {

void setFound(const FoundPlan& found, SearchFigure figure, SweepCell& cell)
{
    cell.verdict = found.verdict;
    cell.figure = figureOf(found, figure);
    cell.over = std::max(Bytes(0), found.over);
    cell.found = found;
}

void planThere(const SearchSpace& space, SearchFigure figure, SweepCell& cell)
{
    const SpacePoint point(space);
    cell.rules = brokenRules(check(point.plan()));
    if (const auto found = rowOf(point.plan(), figure)) setFound(*found, figure, cell);
    cell.decided = true;
}

/// `first`: settings of the best plan of another cell, to try first; replaced by this cell's.
void bestThere(const SearchSpace& space, const SweepRequest& request, const std::stop_token& stop, SweepCell& cell,
    std::vector<PointSettings>& first)
{
    SearchRequest search;
    search.space = space;
    search.objective = request.figure;
    search.top = 1;
    search.pareto.clear();
    search.threads = request.threads;
    search.first = first;
    const SearchResult result = findPlans(search, {}, stop);
    if (!result.proven) return;
    if (!result.top.empty()) {
        setFound(result.top.front(), request.figure, cell);
        first = {settingsOf(space, result.top.front().number)};
    } else if (result.nearest) {
        setFound(*result.nearest, request.figure, cell);
    } else {
        for (const auto& [rule, count] : result.counts.rules)
            cell.rules.push_back(rule);
    }
    cell.decided = true;
}

/// Cells in the order in which they are decided, and where each round from coarse to fine ends.
struct Rounds {
    std::vector<std::size_t> order, ends;
};
Rounds coarseToFine(std::size_t columns, std::size_t rows)
{
    Rounds rounds;
    std::vector<bool> listed(columns * rows);
    for (const std::size_t stride : {8UL, 4UL, 2UL, 1UL}) {
        for (std::size_t y = 0; y < rows; y += stride) {
            for (std::size_t x = 0; x < columns; x += stride) {
                const std::size_t index = y * columns + x;
                if (listed[index]) continue;
                listed[index] = true;
                rounds.order.push_back(index);
            }
        }
        rounds.ends.push_back(rounds.order.size());
    }
    return rounds;
}

} // namespace

std::vector<SweepCell> sweep(const SweepRequest& request, const SweepProgress& progress, std::stop_token stop)
{
    const std::size_t columns = request.x.values.size();
    const std::size_t rows = request.y ? request.y->values.size() : 1;
    std::vector<SweepCell> cells(columns * rows);
    for (std::size_t index = 0; index < cells.size(); ++index) {
        cells[index].x = index % columns;
        cells[index].y = index / columns;
    }
    const auto spaceOf = [&](const SweepCell& cell) {
        SearchSpace space = request.space;
        const auto pin = [&](const SearchAxis& axis, std::size_t value) {
            SearchAxis pinned = axis;
            pinned.values = {axis.values[value]};
            space.put(std::move(pinned));
        };
        pin(request.x, cell.x);
        if (request.y) pin(*request.y, cell.y);
        return space;
    };
    const Rounds rounds = coarseToFine(columns, rows);
    std::vector<PointSettings> first;
    std::size_t from = 0;
    for (const std::size_t end : rounds.ends) {
        if (request.best) {
            // Each search uses all cores by itself.
            for (; from < end && !stop.stop_requested(); ++from) {
                SweepCell& cell = cells[rounds.order[from]];
                bestThere(spaceOf(cell), request, stop, cell, first);
                if (progress) progress(cells);
            }
        } else {
            forEachInParallel(end - from, request.threads, [&](std::size_t i) {
                SweepCell& cell = cells[rounds.order[from + i]];
                if (!stop.stop_requested()) planThere(spaceOf(cell), request.figure, cell);
            });
            if (progress && end > from) progress(cells);
            from = end;
        }
    }
    return cells;
}

SearchAxis sweptAxis(const Plan& plan, std::string_view pointer)
{
    SearchAxis axis{axisKind(pointer), std::string(pointer), {}};
    const AxisValue own = ownValue(plan, pointer);
    const auto* number = std::get_if<std::int64_t>(&own.value);
    const bool grows = axis.kind == AxisKind::Nodes || axis.kind == AxisKind::Field;
    if (grows && number != nullptr && *number >= 1) {
        // From an eighth to eight times the plan's own value.
        for (std::int64_t factor = 8; factor > 1; factor /= 2) {
            if (*number % factor == 0) axis.values.push_back(wholeValue(*number / factor));
        }
        for (std::int64_t factor = 1; factor <= 8; factor *= 2)
            axis.values.push_back(wholeValue(*number * factor));
        return axis;
    }
    axis.values = freeValues(plan, pointer, axis.kind != AxisKind::Schedule);
    if (!axis.values.empty()) addOwnValue(plan, axis);
    return axis;
}

SearchSpace spaceUpTo(const Plan& plan, std::int64_t nodes)
{
    Plan largest = plan;
    largest.cluster.nodes = std::max(nodes, plan.cluster.nodes);
    SearchSpace space = defaultSpace(largest);
    space.base = plan;
    return space;
}

SweepRequest clusterSweep(
    const Plan& plan, const std::vector<Cluster>& clusters, const std::vector<std::int64_t>& nodes)
{
    SweepRequest request;
    request.best = true;
    request.space = spaceUpTo(plan, nodes.empty() ? 1 : std::ranges::max(nodes));
    request.x = {AxisKind::Accelerator, "/cluster/accelerator", {}};
    for (const Cluster& cluster : clusters) {
        Plan there = plan;
        there.cluster = cluster;
        request.x.values.push_back(ownValue(there, request.x.pointer));
    }
    request.y = SearchAxis{AxisKind::Nodes, std::string(pointerOf<&Cluster::nodes>), {}};
    for (const std::int64_t count : nodes)
        request.y->values.push_back(wholeValue(count));
    return request;
}

std::optional<std::size_t> cheapestWithin(const std::vector<SweepCell>& cells, const RunLimits& limits)
{
    std::optional<std::size_t> cheapest;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const SweepCell& cell = cells[i];
        if (!isFit(cell.verdict) || !cell.found || !cell.found->days || !cell.found->cost_usd) continue;
        if (limits.days && *cell.found->days > *limits.days) continue;
        if (limits.cost_usd && *cell.found->cost_usd > *limits.cost_usd) continue;
        const auto figures = [&](std::size_t of) {
            return std::pair(*cells[of].found->cost_usd, *cells[of].found->days);
        };
        if (!cheapest || figures(i) < figures(*cheapest)) cheapest = i;
    }
    return cheapest;
}

} // namespace cardfit
