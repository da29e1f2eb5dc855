// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/search_words.h"
#include "app/document/choice_words.h"

#include <algorithm>

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "app/document/field_labels.h"
#include "core/search/why_not.h"
#include "core/time/utilization.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

struct SearchWords {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::SearchWords)
};

} // namespace

QString objectiveLabel(SearchFigure figure, const Plan& plan)
{
    switch (figure) {
    case SearchFigure::Days:
        return plan.workload.task == Task::Inference ? SearchWords::tr("Most sequences") : SearchWords::tr("Fastest");
    case SearchFigure::Cost: return SearchWords::tr("Cheapest");
    case SearchFigure::Memory: return SearchWords::tr("Least memory");
    case SearchFigure::Energy: return SearchWords::tr("Least energy");
    case SearchFigure::Cards: return SearchWords::tr("Fewest cards");
    case SearchFigure::Tokens: return SearchWords::tr("Most tokens per card");
    case SearchFigure::Tpot: return SearchWords::tr("Shortest time per token");
    case SearchFigure::Step:
    case SearchFigure::Headroom: break;
    }
    return {};
}

QString figureLabel(SearchFigure figure, const Plan& plan)
{
    const bool budget = hasBudget(plan);
    switch (figure) {
    case SearchFigure::Days:
        if (plan.workload.task == Task::Inference) return SearchWords::tr("Cards for a sequence");
        return budget ? SearchWords::tr("Days") : SearchWords::tr("Step (s)");
    case SearchFigure::Step: return SearchWords::tr("Step (s)");
    case SearchFigure::Cost: return budget ? SearchWords::tr("Cost (k$)") : SearchWords::tr("Cost ($ for 10⁶ tokens)");
    case SearchFigure::Memory: return SearchWords::tr("Fullest card (GB)");
    case SearchFigure::Cards: return ui::sharedText("Cards");
    case SearchFigure::Energy:
        return budget ? SearchWords::tr("Energy (MWh)") : SearchWords::tr("Energy (kWh for 10⁶ tokens)");
    case SearchFigure::Tokens: return SearchWords::tr("Card time per token (ms)");
    case SearchFigure::Tpot: return SearchWords::tr("Time per token (ms)");
    case SearchFigure::Headroom: break;
    }
    return SearchWords::tr("Free memory (%)");
}

double figureNumber(SearchFigure figure, const FoundPlan& found)
{
    const bool budget = hasBudget(found.plan);
    const double value = figureOf(found, figure);
    switch (figure) {
    case SearchFigure::Days: return budget || found.plan.workload.task == Task::Inference ? value : found.step.value();
    case SearchFigure::Cost: return budget ? value / 1e3 : value * 1e6;
    case SearchFigure::Energy: return budget ? value / 1e3 : value * 1e6;
    case SearchFigure::Memory: return value / 1e9;
    case SearchFigure::Tokens:
    case SearchFigure::Tpot: return value * 1e3;
    case SearchFigure::Step:
    case SearchFigure::Cards:
    case SearchFigure::Headroom: break;
    }
    return value;
}

QString axisLabel(std::string_view pointer)
{
    if (axisKind(pointer) == AxisKind::Recompute) return ui::sharedText("Recomputation");
    if (axisKind(pointer) == AxisKind::Accelerator) return SearchWords::tr("Card type");
    return shortFieldLabel(std::string(pointer));
}

QString settingText(const SearchSpace& space, std::uint64_t number, std::size_t axis)
{
    for (std::size_t i = space.axes.size(); i-- > axis + 1;)
        number /= space.axes[i].values.size();
    const auto& [kind, pointer, values] = space.axes[axis];
    return valueLabel(pointer, values[static_cast<std::size_t>(number % values.size())].word);
}

QString flagsText(const SearchSpace& space, const Plan& plan)
{
    QStringList words;
    for (const auto& [pointer, word] : changedFlags(space, plan))
        words << axisLabel(pointer) + u' ' + valueLabel(pointer, word);
    return words.join(QStringLiteral(", "));
}

QString settingsText(const SearchSpace& space, std::uint64_t number, bool degrees_only)
{
    QStringList words;
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
        if (space.axes[axis].values.size() < 2 && !degrees_only) continue;
        if (degrees_only && !isDegree(space.axes[axis].kind)) continue;
        words << axisLabel(space.axes[axis].pointer) + u' ' + settingText(space, number, axis);
    }
    return words.join(QStringLiteral(", "));
}

std::vector<std::size_t> differingAxes(const SearchSpace& space, const std::vector<FoundPlan>& rows)
{
    std::vector<std::size_t> differing;
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
        const auto differs = [&](const FoundPlan& row) {
            return settingText(space, row.number, axis) != settingText(space, rows.front().number, axis);
        };
        if (std::ranges::any_of(rows, differs)) differing.push_back(axis);
    }
    return differing;
}

QString countText(std::uint64_t number) { return QLocale(QLocale::English).toString(static_cast<qulonglong>(number)); }

bool sharesSpace(const SearchSpace& space, const Plan& plan)
{
    SearchSpace there = only(space, plan);
    there.base = space.base;
    Plan same = SpacePoint(there).plan();
    same.name = plan.name;
    same.parallelism.data = plan.parallelism.data;
    same.parallelism.sequence = plan.parallelism.sequence;
    same.parallelism.layers_per_stage = plan.parallelism.layers_per_stage;
    for (std::size_t i = 0; i < kRecipeFlags; ++i) {
        const Field& field = *fieldAt(recipeFlags()[i].pointer);
        if (space.flags[i]) field.set(same, field.get(plan));
    }
    return same == plan;
}

} // namespace cardfit::app
