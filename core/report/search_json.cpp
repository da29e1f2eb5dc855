// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/files/field_json.h"
#include "core/files/json_reader.h"
#include "core/files/plan_json.h"
#include "core/plan/field_table.h"
#include "core/report/goodput_json.h"
#include "core/report/search_rows.h"
#include "core/report/search_text.h"
#include "core/report/sweep_text.h"

namespace cardfit {

namespace {

/// Fields derived from the axes; see SpacePoint.
constexpr std::array kFollowing{pointerOf<&Parallelism::data>, pointerOf<&Parallelism::sequence>,
    pointerOf<&Parallelism::layers_per_stage>, pointerOf<&Parallelism::layer_balance>};

void setRecompute(const Recompute& recompute, Json& set)
{
    set[std::string(pointerOf<&Recompute::granularity>)] = name(recompute.granularity);
    Json modules = Json::array();
    for (const RecomputeModule module : recompute.modules)
        modules.push_back(name(module));
    if (recompute.granularity == RecomputeGranularity::Selective)
        set[std::string(pointerOf<&Recompute::modules>)] = std::move(modules);
    if (recompute.granularity != RecomputeGranularity::Full) return;
    set[std::string(pointerOf<&Recompute::method>)] = name(recompute.method);
    set[std::string(pointerOf<&Recompute::layers>)] = recompute.layers;
}

/// The --set values that turn the search's base plan into this one.
Json setJson(const SearchSpace& space, const Plan& plan, bool degrees_only)
{
    Json set = Json::object();
    for (const SearchAxis& axis : space.axes) {
        if (degrees_only && !isDegree(axis.kind)) continue;
        if (axis.kind == AxisKind::Recompute) {
            setRecompute(plan.recipe.recompute, set);
        } else if (axis.kind == AxisKind::Accelerator) {
            set["/cluster/accelerator/preset"] = plan.cluster.accelerator.id;
        } else {
            const Field& field = *fieldAt(axis.pointer);
            set[axis.pointer] = fieldJson(field, field.get(plan));
        }
    }
    const auto follow = [&](std::string_view pointer) {
        const Field* field = fieldAt(pointer);
        const FieldValue value = field->get(plan);
        if (!degrees_only && value != field->get(space.base)) set[std::string(pointer)] = fieldJson(*field, value);
    };
    for (const std::string_view pointer : kFollowing)
        follow(pointer);
    for (const RecipeFlag& flag : recipeFlags())
        follow(flag.pointer);
    return set;
}

Json rowJson(const SearchSpace& space, const FoundPlan& found, const Reliability& known)
{
    Json json = {{"set", setJson(space, found.plan, false)}, {"plan", planJson(found.plan)},
        {"verdict", verdictName(found.verdict)}, {"fits", found.fits}, {"tie", found.tie},
        {"step_seconds", found.step.value()}, {"tokens_per_second", found.tokens_per_second},
        {"days", found.days ? Json(*found.days) : Json(nullptr)},
        {"cost_usd", found.cost_usd ? Json(*found.cost_usd) : Json(nullptr)},
        {"energy_kwh", found.energy_kwh ? Json(*found.energy_kwh) : Json(nullptr)}, {"cards", found.cards},
        {"worst_device_bytes", found.worst_device.value()}, {"bubble_fraction", found.bubble_fraction}};
    if (found.copies > 0) json["copies"] = found.copies;
    if (found.served) {
        const ServedLoad& load = found.served->load;
        json["sequences"] = found.served->sequences;
        json["users"] = load.users;
        json["within_limits"] = load.kept;
        json["output_tokens_per_second"] = load.output_tokens_per_second;
        json["tpot_seconds"] = load.tpot.value();
    }
    if (known != Reliability()) json["goodput"] = goodputJson(found.plan, found.days, known);
    return json;
}

Json rowsJson(const SearchSpace& space, const std::vector<FoundPlan>& rows, const Reliability& known)
{
    Json array = Json::array();
    for (const FoundPlan& found : rows)
        array.push_back(rowJson(space, found, known));
    return array;
}

Json evidenceJson(const Evidence& evidence)
{
    Json nearest = Json::array();
    for (const NearRun& found : evidence.nearest) {
        Json axes = Json::object();
        for (const auto& [axis, steps] : found.axes)
            axes[std::string(evidenceAxisName(axis))] = steps;
        nearest.push_back({{"id", found.run->id}, {"distance", found.distance},
            {"error", found.error ? Json(*found.error) : Json(nullptr)}, {"axes", std::move(axes)}});
    }
    return {{"nearest", std::move(nearest)}, {"measured", evidence.measured}, {"unvaried", evidence.unvaried}};
}

Json givenJson(const SearchRequest& request, const SearchResult& result)
{
    const auto given = result.top.empty() ? std::nullopt : givenPlan(request.space.base, result.top.front());
    if (!given) return nullptr;
    Json parts = Json::array();
    for (const PartDifference& one : given->differences)
        parts.push_back({{"part", stepPartName(one.part)}, {"given_seconds", one.given.value()},
            {"best_seconds", one.best.value()}, {"more_seconds", one.more().value()}});
    const StepEstimate& step = given->estimate.step;
    return {{"step_seconds", step.seconds.value()}, {"fits", given->estimate.fits()}, {"ratio", given->ratio},
        {"beaten", given->beaten}, {"differences", std::move(parts)}};
}

Json triedJson(const std::optional<TriedValue>& tried)
{
    if (!tried) return nullptr;
    return {{"value", tried->value}, {"days", tried->days ? Json(*tried->days) : Json(nullptr)}};
}

/// `set`: the --set values that turn the given plan into the solved one; a model is in the rows' plans.
Json solvedJson(const Solved& solved)
{
    Json set = Json::object();
    if (solved.found && solved.unknown == Unknown::Cards)
        set[std::string(pointerOf<&Cluster::nodes>)] = solved.plan.cluster.nodes;
    if (solved.found && solved.unknown == Unknown::Tokens)
        set[std::string(pointerOf<&Workload::tokens>)] = *solved.plan.workload.tokens;
    return {{"for", name(solved.unknown)}, {"value", solved.found ? Json(solved.found->value) : Json(nullptr)},
        {"days", solved.found && solved.found->days ? Json(*solved.found->days) : Json(nullptr)},
        {"set", std::move(set)}, {"misses", triedJson(solved.misses)}, {"searches", solved.searches},
        {"proven", solved.proven}};
}

Json limitsJson(const std::vector<SearchLimit>& limits)
{
    Json words = Json::array();
    for (const SearchLimit& limit : limits)
        words.push_back(limitText(limit));
    return words;
}

Json fateJson(const SearchRequest& request, const SearchResult& result, const DegreesFate& fate)
{
    SpacePoint point(request.space);
    point.moveTo(fate.number);
    Json json = {{"set", setJson(request.space, point.plan(), true)}, {"tuples", fate.tuples}};
    if (fate.plans > 0) json["plans"] = fate.plans;
    switch (fate.kind) {
    case DegreesFate::Kind::Rule:
        json["rule"] = {{"id", fate.rule->id}, {"message", fate.rule->message.english()}, {"field", fate.rule->field},
            {"valid", fate.rule->valid}};
        break;
    case DegreesFate::Kind::Memory: json["memory"] = {{"stage", fate.stage}, {"over_bytes", fate.over.value()}}; break;
    case DegreesFate::Kind::Limited: json["limited"] = {{"figure", fate.objective}}; break;
    case DegreesFate::Kind::Best:
    case DegreesFate::Kind::Slower: {
        const FoundPlan& best = result.top.front();
        json["slower"] = {{"figure", fate.objective}, {"by", fate.objective - best.objective},
            {"ratio", fate.objective / best.objective}, {"at_least", fate.at_least},
            {"better", setJson(request.space, best.plan, false)}};
        break;
    }
    }
    return json;
}

Json axisJson(const SearchAxis& axis)
{
    Json values = Json::array();
    const Field* field = fieldAt(axis.pointer);
    for (const AxisValue& value : axis.values) {
        const bool plain = !value.recompute && !value.cluster && value.balance != LayerBalance::Memory;
        values.push_back(plain ? fieldJson(*field, value.value) : Json(value.word));
    }
    return {{"pointer", axis.pointer}, {"values", std::move(values)}};
}

} // namespace

std::string searchJson(
    const SearchRequest& request, const SearchResult& result, const Reliability& known, const SearchContext& context)
{
    const SearchCounts& counts = result.counts;
    Json rules = Json::object();
    for (const auto& [rule, count] : counts.rules)
        rules[rule] = count;
    Json top = rowsJson(request.space, result.top, known);
    Json best_measured = nullptr;
    for (std::size_t i = 0; i < result.top.size(); ++i) {
        top[i]["evidence"] = nullptr;
        if (context.ground == nullptr) continue;
        const Evidence evidence = context.ground->of(result.top[i].plan, request.space);
        top[i]["evidence"] = evidenceJson(evidence);
        if (evidence.measured && best_measured.is_null()) best_measured = i;
    }
    Json figures = Json::array();
    for (const SearchFigure figure : request.pareto)
        figures.push_back(name(figure));
    Json json = {{"format", "cardfit/search"}, {"version", 1}, {"plan", request.space.base.name},
        {"framework", name(request.space.base.recipe.framework)}, {"objective", name(request.objective)},
        {"limits", limitsJson(request.limits)}, {"proven", result.proven},
        {"space", {{"degrees", result.degrees}, {"plans", result.plans}}},
        {"decided",
            {{"evaluated", counts.evaluated}, {"over_memory", counts.over_memory}, {"slower", counts.slower},
                {"limited", counts.limited}, {"undecided", counts.undecided}, {"rules", std::move(rules)}}},
        {"seconds", result.seconds}, {"top", std::move(top)}, {"best_measured", std::move(best_measured)},
        {"given", givenJson(request, result)}, {"robust", result.robust ? Json(*result.robust) : Json(nullptr)},
        {"pareto", {{"figures", std::move(figures)}, {"plans", rowsJson(request.space, result.pareto, known)}}}};
    if (context.solved) json["solved"] = solvedJson(*context.solved);
    if (result.nearest) {
        Json row = rowJson(request.space, *result.nearest, known);
        row["over_bytes"] = result.nearest->over.value();
        row["stage"] = result.nearest->worst_stage;
        json["nearest"] = std::move(row);
    }
    if (request.why) {
        Json why = Json::array();
        for (const DegreesFate& fate : result.why)
            why.push_back(fateJson(request, result, fate));
        json["why"] = std::move(why);
    }
    return indentedJson(json);
}

std::string sweepJson(const SweepRequest& request, const std::vector<SweepCell>& cells)
{
    Json json = {{"format", "cardfit/sweep"}, {"version", 1}, {"plan", request.space.base.name},
        {"figure", name(request.figure)}, {"best", request.best}, {"x", axisJson(request.x)},
        {"y", request.y ? axisJson(*request.y) : Json(nullptr)}};
    const Json xs = json["x"]["values"];
    const Json ys = request.y ? json["y"]["values"] : Json();
    Json array = Json::array();
    for (const SweepCell& cell : cells) {
        array.push_back({{"x", xs[cell.x]}, {"y", request.y ? ys[cell.y] : Json(nullptr)},
            {"verdict", verdictName(cell.verdict)}, {"figure", cell.figure ? Json(*cell.figure) : Json(nullptr)},
            {"over_bytes", cell.over.value()}, {"rules", cell.rules}});
    }
    json["cells"] = std::move(array);
    return indentedJson(json);
}

} // namespace cardfit
