// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/search_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/accuracy/memory_margin.h"
#include "core/files/foreign_text.h"
#include "core/plan/choices.h"
#include "core/report/columns.h"
#include "core/report/search_answer.h"
#include "core/report/search_rows.h"
#include "core/search/changes.h"
#include "core/search/suggestions.h"

namespace cardfit {

namespace {

constexpr Columns kIndented{.before = "  ", .left = 1};

/// "1,093,224"
std::string grouped(std::uint64_t number)
{
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3; place -= 3)
        text.insert(place - 3, ",");
    return text;
}

std::string share(std::uint64_t part, std::uint64_t all)
{
    const double percent = all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
    return fmt::format("{:.1f} %", percent);
}

bool isServed(const Plan& plan) { return plan.workload.task == Task::Inference; }

std::string dashOr(const std::optional<double>& value, const char* format)
{
    return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

std::string rowsText(
    const SearchRequest& request, const std::vector<FoundPlan>& found, ByteUnit unit, std::optional<std::size_t> robust)
{
    Row head{"#"};
    std::vector<std::size_t> shown;
    const auto all = found.empty() ? std::vector<WordOf>() : pointWords(request.space, found.front().number);
    for (std::size_t i = 0; i < all.size(); ++i) {
        shown.push_back(i);
        head.push_back(all[i].first);
    }
    const bool served = isServed(request.space.base);
    const auto titles = served
        ? std::vector{"worst card", "prefill", "sequences", "users", "ms/token", "tokens/s/card", "cards", ""}
        : std::vector{"worst card", "step", "days", "cost", "cards", "bubble", ""};
    head.insert(head.end(), titles.begin(), titles.end());
    std::vector<Row> rows{head};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const FoundPlan& one = found[i];
        Row row{std::to_string(i + 1)};
        const auto words = pointWords(request.space, one.number);
        for (const std::size_t column : shown)
            row.push_back(words[column].second);
        row.push_back(formatBytes(one.worst_device, unit));
        row.push_back(fmt::format("{:.3f} s", one.step.value()));
        if (served) {
            const ServedFigures& figures = *one.served;
            row.push_back(fmt::format("{:.1f}", figures.sequences));
            row.push_back(fmt::format("{:.0f}", std::floor(figures.load.users)));
            row.push_back(fmt::format("{:.1f}", 1e3 * figures.load.tpot.value()));
            row.push_back(
                fmt::format("{:.0f}", figures.load.output_tokens_per_second / static_cast<double>(one.cards)));
        } else {
            row.push_back(dashOr(one.days, "{:.2f}"));
            row.push_back(dashOr(one.cost_usd, "{:.0f} USD"));
        }
        row.push_back(std::to_string(one.cards));
        if (!served) row.push_back(fmt::format("{:.1f} %", 100.0 * one.bubble_fraction));
        std::vector<std::string> remarks;
        if (one.tie) remarks.emplace_back("tie");
        if (robust == i) remarks.emplace_back("robust");
        if (one.copies > 0) remarks.push_back(fmt::format("+{}", one.copies));
        row.push_back(fmt::format("{}", fmt::join(remarks, ", ")));
        rows.push_back(std::move(row));
    }
    return aligned(rows, kIndented);
}

/// The plan that the search started from, compared with the best one.
std::string givenText(const SearchRequest& request, const FoundPlan& best)
{
    const auto given = givenPlan(request.space.base, best);
    if (!given) return {};
    std::string text = fmt::format("The plan as given: step {:.3f} s{}, {:.1f} % {} than the best.\n",
        given->estimate.step.seconds.value(), given->estimate.fits() ? "" : ", over capacity",
        100.0 * std::abs(given->ratio - 1.0), given->ratio < 1.0 ? "faster" : "slower");
    if (!request.space.base.source.empty())
        text += fmt::format("Its recipe: {}.\n", printable(request.space.base.source));
    const Sentence suspicion = suspicionSentence(*given);
    return suspicion.empty() ? text : text + suspicion.english() + "\n";
}

/// At most `most` of them, both ends included.
std::vector<FoundPlan> spread(const std::vector<FoundPlan>& all, std::size_t most)
{
    if (all.size() <= most) return all;
    std::vector<FoundPlan> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return some;
}

std::string reasonsText(const SearchResult& result)
{
    std::vector<Row> rows;
    const auto add = [&](std::string what, std::uint64_t count) {
        if (count > 0) rows.push_back({std::move(what), grouped(count), share(count, result.plans)});
    };
    const SearchCounts& counts = result.counts;
    add("fit and were compared", counts.evaluated);
    add("over memory", counts.over_memory);
    add("slower", counts.slower);
    add("miss a limit", counts.limited);
    add("undecided", counts.undecided);
    std::vector<std::pair<std::string, std::uint64_t>> rules(counts.rules.begin(), counts.rules.end());
    std::ranges::stable_sort(rules, [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [rule, count] : rules)
        add("break " + rule, count);
    return aligned(rows, kIndented);
}

std::string nearestText(const SearchRequest& request, const FoundPlan& nearest, ByteUnit unit)
{
    std::string text = fmt::format("Nothing fits. The least deficit is {} on stage {}, with {}.\n",
        formatBytes(nearest.over, unit), nearest.worst_stage, pointText(request.space, nearest.number));
    // Changes that make it fit come first, then those that free most.
    std::vector<Suggestion> changes = suggest(nearest.plan);
    const bool any_fits = !changes.empty() && changes.front().fits;
    std::erase_if(
        changes, [&](const Suggestion& change) { return change.fits != any_fits || change.freed <= Bytes(0); });
    constexpr std::size_t kEnough = 3;
    changes.resize(std::min(kEnough, changes.size()), Suggestion{});
    if (changes.empty()) return text + "No single change of that plan frees memory.\n";
    text += any_fits ? "What would help:\n" : "No single change of that plan makes it fit. What frees most:\n";
    for (const Suggestion& change : changes) {
        const Edit& edit = change.change.edit;
        const std::string left = formatBytes(-1 * change.trial.free(), unit);
        text += fmt::format("  {} {} -> {}: {}, step {:+.1f} %\n", edit.field, edit.from, edit.to,
            change.fits ? "fits" : left + " over", 100.0 * (change.step_ratio - 1.0));
    }
    return text;
}

std::string whyText(const SearchRequest& request, const SearchResult& result, ByteUnit unit)
{
    std::vector<Row> rows;
    const std::string best = result.top.empty() ? std::string() : pointText(request.space, result.top.front().number);
    bool groups = false;
    for (const DegreesFate& fate : result.why) {
        const bool plans = fate.tuples == 0;
        groups = groups || fate.tuples != 1;
        rows.push_back({fmt::format("{} {}", grouped(plans ? fate.plans : fate.tuples), plans ? "plans" : "tuples"),
            pointText(request.space, fate.number, !plans),
            fateSentence(request, result, request.space, fate, unit, best).english()});
    }
    if (groups)
        return aligned(rows, {.before = "  ", .left = 3})
            + "  Tuples of degrees by reason, each with the one that misses by the least; --pin its degrees for the\n"
              "  exact reason of any other.\n";
    for (Row& row : rows)
        row.erase(row.begin());
    return aligned(rows, {.before = "  ", .left = 2});
}

/// The nearest measured run of every plan.
std::string evidenceText(const SearchRequest& request, const SearchResult& result, const SearchContext& context)
{
    if (context.ground == nullptr)
        return context.no_ground.empty() ? std::string()
                                         : fmt::format("No evidence: no measured runs: {}\n\n", context.no_ground);
    std::vector<Row> rows{{"#", "distance", "nearest measured run", "predicted", "differs in", ""}};
    std::optional<std::size_t> first;
    std::set<std::string> unvaried;
    for (std::size_t i = 0; i < result.top.size(); ++i) {
        const Evidence evidence = context.ground->of(result.top[i].plan, request.space);
        if (evidence.nearest.empty()) return "No evidence: runs of this task were not measured.\n\n";
        if (evidence.measured && !first) first = i;
        unvaried.insert(evidence.unvaried.begin(), evidence.unvaried.end());
        const NearRun& nearest = evidence.nearest.front();
        std::vector<std::string> axes;
        for (const auto& [axis, steps] : nearest.axes)
            axes.push_back(fmt::format("{} {:.2g}", evidenceAxisName(axis), steps));
        constexpr std::size_t kMostAxes = 4;
        if (axes.size() > kMostAxes) {
            axes.resize(kMostAxes);
            axes.emplace_back("...");
        }
        rows.push_back({std::to_string(i + 1), fmt::format("{:.1f}", nearest.distance), nearest.run->id,
            nearest.error ? fmt::format("{:+.1f} %", 100.0 * *nearest.error) : "-",
            fmt::format("{}", fmt::join(axes, ", ")), evidence.measured ? "measured" : ""});
    }
    std::string text =
        fmt::format("Evidence, of {} measured runs:\n{}", context.ground->size(), aligned(rows, kIndented));
    text += "  distance: doublings and other words on all axes; predicted: that run's step, against the measured one\n";
    text += first ? fmt::format("Best within what was measured: {}.\n", *first + 1)
                  : fmt::format("None of these is within what was measured: a run of its framework and card generation "
                                "at most {:g} away.\n",
                      kMeasuredDistance);
    if (!unvaried.empty())
        text += fmt::format("Searched, but never varied in measured runs: {}.\n", fmt::join(unvaried, ", "));
    return text + "\n";
}

std::string limitsText(const SearchRequest& request)
{
    if (request.limits.empty()) return {};
    std::vector<std::string> words;
    bool margin = false;
    for (const SearchLimit& limit : request.limits) {
        words.push_back(limitText(limit));
        margin = margin || (limit.figure == SearchFigure::Headroom && limit.value == memoryMargin());
    }
    return fmt::format("Limits: {}{}\n", fmt::join(words, ", "),
        margin ? " (nine of ten measured peaks are within it; --margin 0 for all that fit)" : "");
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : std::string(); }

/// Which of the plans need which flags of the recipe.
std::string flagsText(const SearchRequest& request, const std::vector<FoundPlan>& found)
{
    std::vector<std::pair<std::string, std::vector<std::size_t>>> sets;
    for (std::size_t i = 0; i < found.size(); ++i) {
        std::vector<std::string> flags;
        for (const auto& [name, word] : flagWords(request.space, found[i].plan))
            flags.push_back(fmt::format("{} {}", name, word));
        if (flags.empty()) continue;
        const std::string set = fmt::format("{}", fmt::join(flags, ", "));
        const auto same = std::ranges::find(sets, set, &std::pair<std::string, std::vector<std::size_t>>::first);
        if (same == sets.end())
            sets.push_back({set, {i + 1}});
        else
            same->second.push_back(i + 1);
    }
    std::string text;
    for (const auto& [set, ranks] : sets)
        text += fmt::format("  {} with {}\n", fmt::join(ranks, ", "), set);
    return text.empty() ? text : text + "  --pin FIELD=VALUE keeps a flag as it is\n";
}

} // namespace

std::string searchProgressText(const SearchRequest& request, const SearchProgress& progress)
{
    std::string text = fmt::format("{} decided, {} plans fit", share(progress.counts.decided(), progress.plans),
        grouped(progress.counts.evaluated));
    if (progress.top.empty()) return text;
    const FoundPlan& best = progress.top.front();
    return text + "; best " + searchFigureText(request.objective, best.plan, best.objective);
}

std::string searchText(
    const SearchRequest& request, const SearchResult& result, ByteUnit unit, const SearchContext& context)
{
    const Plan& base = request.space.base;
    std::string text = fmt::format("{}\n{} plans with {} tuples of degrees, {}; {} in {:.2f} s\n\n",
        printable(base.name), grouped(result.plans), grouped(result.degrees),
        isServed(base) ? std::string("served") : fmt::format("for {}", name(base.recipe.framework)),
        result.proven ? "all decided" : "stopped: not all decided", result.seconds);
    if (context.solved) text += "Solved: " + solvedSentence(*context.solved).english() + ".\n";
    const std::string limits = limitsText(request);
    text += limits.empty() && !context.solved ? limits : limits + "\n";
    if (!result.top.empty()) {
        const bool holds = isServed(base) && request.objective == SearchFigure::Days;
        text += fmt::format("Best by {}:\n", holds ? "sequences held per card" : name(request.objective));
        text += rowsText(request, result.top, unit, result.robust);
        text += flagsText(request, result.top);
        if (std::ranges::any_of(result.top, &FoundPlan::tie))
            text +=
                "  tie: within the error band of the best; robust: stays nearest to the best where kernels are slower "
                "or faster\n";
        if (std::ranges::any_of(result.top, [](const FoundPlan& one) { return one.copies > 0; }))
            text += "  +2: two other tuples of degrees take the same time\n";
        text += givenText(request, result.top.front()) + "\n";
        text += evidenceText(request, result, context);
    } else if (result.nearest && result.nearest->over > Bytes(0)) {
        text += nearestText(request, *result.nearest, unit) + "\n";
    } else if (result.counts.limited > 0) {
        text += "No plan that fits keeps every limit.\n";
        if (result.nearest) text += "Best without the limits:\n" + rowsText(request, {*result.nearest}, unit, {});
        text += "\n";
    } else if (result.proven) {
        text += "Every plan of the space breaks a rule.\n\n";
    }
    if (result.pareto.size() > 1) {
        std::string figures;
        for (const SearchFigure figure : request.pareto)
            figures += fmt::format("{}{}", figures.empty() ? "" : " against ", name(figure));
        constexpr std::size_t kMostRows = 10;
        const auto shown = spread(result.pareto, kMostRows);
        const std::string of = shown.size() == result.pareto.size()
            ? std::string()
            : fmt::format(" ({} of its {} plans; --json has all)", shown.size(), result.pareto.size());
        text += fmt::format("Pareto front, {}{}:\n{}\n", figures, of, rowsText(request, shown, unit, {}));
    }
    text += "Plans that\n" + reasonsText(result);
    if (!result.why.empty()) text += "\nWhy not:\n" + whyText(request, result, unit);
    return text;
}

std::string searchCsv(const SearchRequest& request, const SearchResult& result)
{
    std::string text = "rank";
    for (const SearchAxis& axis : request.space.axes) {
        if (axis.values.size() > 1) text += "," + csvCell(axis.pointer);
    }
    text += ",step_seconds,tokens_per_second,days,cost_usd,cards,worst_device_bytes,bubble_fraction,fits,tie\n";
    std::size_t rank = 0;
    for (const FoundPlan& one : result.top) {
        text += std::to_string(++rank);
        for (const auto& [name, word] : pointWords(request.space, one.number))
            text += "," + csvCell(word);
        text += fmt::format(",{},{},{},{},{},{},{},{},{}\n", one.step.value(), one.tokens_per_second, number(one.days),
            number(one.cost_usd), one.cards, one.worst_device.value(), one.bubble_fraction, one.fits, one.tie);
    }
    return text;
}

} // namespace cardfit
