// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/search_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/accuracy/memory_margin.h"
#include "core/base/read_number.h"
#include "core/files/json_reader.h"
#include "core/files/plan_file.h"
#include "core/plan/field_table.h"
#include "core/search/changes.h"

namespace cardfit {

namespace {

tl::unexpected<Error> refuse(std::string_view option, Sentence why)
{
    return fail(ErrorCode::Usage, option, std::move(why));
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(separator, from), text.size());
        parts.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return parts;
}

std::optional<std::int64_t> wholeIn(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "1..64": 1, 2, 4, … 64, including the end.
std::optional<std::vector<std::int64_t>> rangeIn(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto first = wholeIn(text.substr(0, dots));
    const auto last = wholeIn(text.substr(dots + 2));
    if (!first || !last || *first < 1 || *last < *first) return std::nullopt;
    std::vector<std::int64_t> values;
    values.push_back(*first);
    while (values.back() <= *last / 2)
        values.push_back(2 * values.back());
    if (values.back() != *last) values.push_back(*last);
    return values;
}

/// The words of a list; ranges are expanded.
std::vector<std::string> listed(std::string_view text)
{
    std::vector<std::string> words;
    for (const std::string& word : split(text, ',')) {
        const auto range = rangeIn(word);
        if (!range) {
            words.push_back(word);
            continue;
        }
        for (const std::int64_t value : *range)
            words.push_back(std::to_string(value));
    }
    return words;
}

/// All fields that a name or pointer refers to.
Result<std::vector<std::string>> pointersOf(std::string_view name, std::string_view option)
{
    std::vector<std::string> pointers;
    for (const AxisName& one : axisNames()) {
        if (one.name == name || one.pointer == name) pointers.emplace_back(one.pointer);
    }
    if (!pointers.empty()) return pointers;
    const Field* field = fieldAt(name);
    if (field != nullptr && field->type != FieldType::Group) return std::vector{std::string(name)};
    std::vector<std::string_view> known;
    for (const AxisName& one : axisNames())
        known.push_back(one.name);
    for (const Field& one : planFields()) {
        if (one.type != FieldType::Group) known.push_back(one.pointer);
    }
    return refuse(option, unknownNameMessage(Sentence::tr("field"), name, known));
}

/// "none", "selective", "full", "core_attn+mlp", "uniform:2", "block:8", "block:1/2"
Result<AxisValue> recomputeFrom(std::string_view word)
{
    const auto wrong = [&] {
        return refuse("recompute",
            Sentence::tr(
                "expected none, full, modules such as core_attn+mlp, uniform:2, block:8 or block:1/2, found {}",
                {word}));
    };
    AxisValue value;
    Recompute recompute;
    const std::size_t colon = word.find(':');
    if (const auto granularity = fromName<RecomputeGranularity>(word)) {
        recompute.granularity = *granularity;
    } else if (colon != std::string_view::npos) {
        const auto method = fromName<RecomputeMethod>(word.substr(0, colon));
        const std::string_view layers = word.substr(colon + 1);
        const std::size_t slash = layers.find('/');
        const auto number = wholeIn(layers.substr(0, slash));
        const auto parts =
            slash == std::string_view::npos ? std::optional<std::int64_t>(1) : wholeIn(layers.substr(slash + 1));
        if (!method || !number || !parts || *number < 1 || *parts < *number) return wrong();
        recompute.granularity = RecomputeGranularity::Full;
        recompute.method = *method;
        if (slash == std::string_view::npos)
            recompute.layers = *number;
        else
            value.block_share = static_cast<double>(*number) / static_cast<double>(*parts);
    } else {
        recompute.granularity = RecomputeGranularity::Selective;
        for (const std::string& part : split(word, '+')) {
            const auto module = fromName<RecomputeModule>(part);
            if (!module) return wrong();
            recompute.modules.push_back(*module);
        }
    }
    value.word = value.block_share > 0.0 ? fmt::format("full ({})", word) : recomputeWords(recompute);
    value.recompute = std::move(recompute);
    return value;
}

/// The cluster with another card: the card of an accelerator, or a cluster with its card and links. The plan's own card
/// leaves its cluster unchanged.
Result<AxisValue> cardFrom(const Plan& plan, const std::string& id, const Presets& presets)
{
    AxisValue value;
    value.word = id;
    Cluster cluster = plan.cluster;
    if (id != cluster.accelerator.id) {
        if (const Cluster* shipped = presets.cluster(id)) {
            cluster = *shipped;
        } else if (const Accelerator* card = presets.accelerator(id)) {
            cluster.accelerator = *card;
            cluster.intra_node.reset();
            cluster.intra_domain.reset();
            cluster.id.clear();
        } else {
            std::vector<std::string_view> known;
            for (const Accelerator& one : presets.accelerators)
                known.push_back(one.id);
            for (const Cluster& one : presets.clusters)
                known.push_back(one.id);
            return refuse("--accelerator", unknownNameMessage(Sentence::tr("accelerator"), id, known));
        }
    }
    value.cluster = std::move(cluster);
    return value;
}

Result<AxisValue> valueFrom(
    const Plan& plan, const std::string& pointer, const std::string& word, const Presets& presets)
{
    if (axisKind(pointer) == AxisKind::Recompute) return recomputeFrom(word);
    if (axisKind(pointer) == AxisKind::Accelerator) return cardFrom(plan, word, presets);
    if (pointer == pointerOf<&Parallelism::layers_per_stage>) {
        // "automatic" or a balancing goal is accepted as well as a list
        Plan changed = plan;
        changed.parallelism.layers_per_stage.reset();
        const auto balance = fromName<LayerBalance>(word);
        if (balance) changed.parallelism.layer_balance = *balance;
        if (balance || word == "automatic") return ownValue(changed, pointer);
    }
    return withSetting(plan, fmt::format("{}={}", pointer, word), presets).map([&](const Plan& changed) {
        AxisValue value = ownValue(changed, pointer);
        value.word = word;
        return value;
    });
}

Result<SearchAxis> axisOf(const Plan& plan, const std::string& pointer, std::string_view text, const Presets& presets)
{
    SearchAxis axis{axisKind(pointer), pointer, {}};
    const Field* field = fieldAt(pointer);
    const bool of_words = text.find_first_of("0123456789") == std::string_view::npos; // a balancing goal
    const bool is_list =
        field != nullptr && ((field->type == FieldType::Wholes && !of_words) || field->type == FieldType::Words);
    for (const std::string& word : is_list ? std::vector{std::string(text)} : listed(text)) {
        auto value = valueFrom(plan, pointer, word, presets);
        if (!value) return tl::unexpected<Error>(std::move(value.error()));
        const auto same = [&](const AxisValue& one) {
            return one.value == value->value && one.recompute == value->recompute && one.cluster == value->cluster
                && one.block_share == value->block_share && one.balance == value->balance;
        };
        if (std::ranges::any_of(axis.values, same)) return refuse(pointer, Sentence::tr("{} is listed twice", {word}));
        axis.values.push_back(*std::move(value));
    }
    return axis;
}

Result<SearchAxis> cardsAxis(const Plan& plan, const std::string& text)
{
    SearchAxis axis{AxisKind::Nodes, std::string(pointerOf<&Cluster::nodes>), {}};
    for (const std::string& word : listed(text)) {
        const auto cards = wholeIn(word);
        const std::int64_t per_node = plan.cluster.cards_per_node;
        if (!cards || *cards < 1)
            return refuse("--cards", Sentence::tr("expected 64,128 or 64..1024, found {}", {text}));
        if (per_node < 1 || *cards % per_node != 0)
            return refuse("--cards", Sentence::tr("{} cards are no whole nodes of {}", {*cards, per_node}));
        axis.values.push_back({std::to_string(*cards / per_node), *cards / per_node, {}, 0.0, {}});
    }
    return axis;
}

std::vector<SearchLimit> limitsFrom(const Plan& plan, const SearchWords& words)
{
    const bool given =
        std::ranges::any_of(words.limits, [](const std::string& text) { return text.starts_with("headroom"); });
    return usualLimits(plan, given ? words.margin.value_or(0.0) : words.margin, words.deadline, words.budget);
}

} // namespace

std::vector<SearchLimit> usualLimits(const Plan& plan, std::optional<double> margin,
    std::optional<double> deadline_days, std::optional<double> budget_usd)
{
    std::vector<SearchLimit> limits;
    if (deadline_days) limits.push_back({SearchFigure::Days, true, true, *deadline_days});
    if (budget_usd) limits.push_back({SearchFigure::Cost, true, true, *budget_usd});
    const double kept = margin.value_or(plan.workload.task == Task::Inference ? 0.0 : memoryMargin());
    if (kept > 0.0) limits.push_back({SearchFigure::Headroom, false, true, kept});
    return limits;
}

Result<SearchSpace> spaceFrom(const Plan& plan, const SpaceWords& words, const Presets& presets)
{
    std::vector<SearchAxis> given;
    const auto add = [&](SearchAxis axis) -> std::optional<Error> {
        if (std::ranges::find(given, axis.pointer, &SearchAxis::pointer) != given.end())
            return refuse(axis.pointer, Sentence::tr("is given twice")).value();
        given.push_back(std::move(axis));
        return std::nullopt;
    };
    const auto addAll = [&](std::string_view option, const std::vector<std::string>& texts,
                            bool pinned) -> std::optional<Error> {
        for (const std::string& text : texts) {
            const std::size_t equals = text.find('=');
            const auto pointers = pointersOf(std::string_view(text).substr(0, equals), option);
            if (!pointers) return pointers.error();
            if (!pinned && equals == std::string::npos)
                return refuse(option, Sentence::tr("expected NAME=VALUES, found {}", {text})).value();
            for (const std::string& pointer : *pointers) {
                if (equals == std::string::npos) {
                    if (auto error = add({axisKind(pointer), pointer, {pinnedValue(plan, pointer)}})) return error;
                    continue;
                }
                auto axis = axisOf(plan, pointer, std::string_view(text).substr(equals + 1), presets);
                if (!axis) return inFile(axis.error(), std::string(option)); // withSetting() says "--set"
                if (pinned && axis->values.size() != 1)
                    return refuse(option, Sentence::tr("expected one value, found {}; --values takes several", {text}))
                        .value();
                if (auto error = add(*std::move(axis))) return error;
                break; // with a value, a name of several fields means only the first one
            }
        }
        return std::nullopt;
    };
    if (auto error = addAll("--pin", words.pins, true)) return tl::unexpected<Error>(*std::move(error));
    if (auto error = addAll("--values", words.values, false)) return tl::unexpected<Error>(*std::move(error));
    if (!words.cards.empty()) {
        auto axis = cardsAxis(plan, words.cards);
        if (!axis) return tl::unexpected<Error>(std::move(axis.error()));
        if (auto error = add(*std::move(axis))) return tl::unexpected<Error>(*std::move(error));
    }
    if (!words.accelerators.empty()) {
        auto axis = axisOf(plan, std::string(pointerOf<&Cluster::accelerator>),
            fmt::format("{}", fmt::join(words.accelerators, ",")), presets);
        if (!axis) return tl::unexpected<Error>(std::move(axis.error()));
        if (auto error = add(*std::move(axis))) return tl::unexpected<Error>(*std::move(error));
    }

    // Degrees may be as high as the largest cluster of the space allows.
    Plan largest = plan;
    for (const SearchAxis& axis : given) {
        if (axis.kind != AxisKind::Nodes) continue;
        for (const AxisValue& value : axis.values)
            largest.cluster.nodes = std::max(largest.cluster.nodes, std::get<std::int64_t>(value.value));
    }
    for (const std::string& name : words.free) {
        const auto pointers = pointersOf(name, "--free");
        if (!pointers) return tl::unexpected<Error>(pointers.error());
        for (const std::string& pointer : *pointers) {
            if (isLeftToServer(plan, pointer))
                return refuse("--free", Sentence::tr("a served plan has no choice of {}", {name}));
            SearchAxis axis{axisKind(pointer), pointer, freeValues(largest, pointer, true)};
            if (axis.values.empty()) {
                return refuse(
                    "--free", Sentence::tr("{} has no list of values of its own: name some with --values", {name}));
            }
            addOwnValue(plan, axis);
            if (auto error = add(std::move(axis))) return tl::unexpected<Error>(*std::move(error));
        }
    }
    SearchSpace space = defaultSpace(largest);
    space.base = plan;
    for (SearchAxis& axis : given)
        space.put(std::move(axis));
    return space;
}

Result<SearchAxis> axisFrom(const Plan& plan, std::string_view text, std::string_view option, const Presets& presets)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return refuse(
            option, Sentence::tr("expected POINTER=VALUES, such as /parallelism/tensor=1,2,4, found {}", {text}));
    const auto pointers = pointersOf(text.substr(0, equals), option);
    if (!pointers) return tl::unexpected<Error>(pointers.error());
    auto axis = axisOf(plan, pointers->front(), text.substr(equals + 1), presets);
    if (!axis) return tl::unexpected<Error>(inFile(axis.error(), std::string(option))); // withSetting() says "--set"
    return axis;
}

Result<SearchFigure> figureNamed(std::string_view word)
{
    std::vector<std::string_view> known;
    for (const auto& entry : names<SearchFigure>()) {
        if (entry.value != SearchFigure::Headroom) known.push_back(entry.name);
    }
    const auto figure = fromName<SearchFigure>(word);
    if (figure && *figure != SearchFigure::Headroom) return *figure;
    return refuse("", unknownNameMessage(Sentence::tr("figure"), word, known));
}

Result<std::vector<SearchFigure>> frontNamed(std::string_view text)
{
    std::vector<SearchFigure> front;
    if (text == "none") return front;
    for (const std::string& word : split(text, ',')) {
        const auto figure = figureNamed(word);
        if (!figure) return tl::unexpected<Error>(inFile(figure.error(), "--pareto"));
        if (std::ranges::find(front, *figure) != front.end())
            return refuse("--pareto", Sentence::tr("{} is listed twice", {word}));
        front.push_back(*figure);
    }
    if (front.size() < 2 || front.size() > 3)
        return refuse("--pareto", Sentence::tr("expected two or three figures, or none, found {}", {text}));
    return front;
}

Result<SearchLimit> limitFrom(std::string_view text)
{
    const std::size_t sign = text.find_first_of("<>");
    const auto wrong = [&] {
        return refuse(
            "--limit", Sentence::tr("expected a figure, < or >, and a number, such as cost<2e6, found {}", {text}));
    };
    if (sign == std::string_view::npos) return wrong();
    SearchLimit limit;
    limit.below = text[sign] == '<';
    std::size_t from = sign + 1;
    limit.or_equal = from < text.size() && text[from] == '=';
    if (limit.or_equal) ++from;
    const auto figure = fromName<SearchFigure>(text.substr(0, sign));
    const char* end = text.data() + text.size();
    const auto [stopped, error] = readNumber(text.data() + from, end, limit.value);
    if (!figure || error != std::errc() || stopped != end || !std::isfinite(limit.value)) return wrong();
    limit.figure = *figure;
    return limit;
}

Result<SearchRequest> searchFrom(const Plan& plan, const SearchWords& words, const Presets& presets)
{
    SearchRequest request;
    auto space = spaceFrom(plan, words.space, presets);
    if (!space) return tl::unexpected<Error>(std::move(space.error()));
    request.space = *std::move(space);
    const auto objective = figureNamed(words.objective);
    if (!objective) return tl::unexpected<Error>(inFile(objective.error(), "--objective"));
    request.objective = *objective;
    request.limits = limitsFrom(plan, words);
    for (const std::string& text : words.limits) {
        const auto limit = limitFrom(text);
        if (!limit) return tl::unexpected<Error>(limit.error());
        request.limits.push_back(*limit);
    }
    auto front = frontNamed(words.pareto);
    if (!front) return tl::unexpected<Error>(std::move(front.error()));
    request.pareto = *std::move(front);
    if (words.top < 1 || std::cmp_greater(words.top, kMostRows))
        return refuse(
            "--top", Sentence::tr("expected a whole number from {} to {}, found {}", {1, kMostRows, words.top}));
    if (std::cmp_greater(words.threads, kMostThreads))
        return refuse("--threads",
            Sentence::tr("expected a whole number from {} to {}, found {}", {0, kMostThreads, words.threads}));
    request.top = words.top;
    request.why = words.why;
    request.threads = words.threads;
    if (auto refused = refusal(request)) return tl::unexpected<Error>(*std::move(refused));
    return request;
}

Result<SolveRequest> solveFrom(const Plan& plan, const SearchWords& words, const Presets& presets)
{
    const auto unknown = fromName<Unknown>(words.solve);
    if (!unknown) {
        std::vector<std::string_view> known;
        for (const auto& entry : names<Unknown>())
            known.push_back(entry.name);
        return refuse("--solve", unknownNameMessage(Sentence::tr("unknown"), words.solve, known));
    }
    SolveRequest request{plan, *unknown, {}, {}};
    SearchWords asked = words;
    if (*unknown == Unknown::Cards && !words.space.cards.empty()) {
        const auto axis = cardsAxis(plan, words.space.cards);
        if (!axis) return tl::unexpected<Error>(axis.error());
        for (const AxisValue& value : axis->values)
            request.nodes.push_back(std::get<std::int64_t>(value.value));
        std::ranges::sort(request.nodes);
        asked.space.cards.clear();
    }
    // Any number will do for the check of the words.
    if (*unknown == Unknown::Tokens) request.plan.workload.tokens = plan.workload.tokens.value_or(1e12);
    request.search = [asked, &presets](const Plan& changed) { return searchFrom(changed, asked, presets); };
    const auto first = request.search(request.plan);
    if (!first) return tl::unexpected<Error>(first.error());
    if (auto refused = refusal(request, *first)) return tl::unexpected<Error>(*std::move(refused));
    return request;
}

Result<SweepRequest> sweepFrom(const Plan& plan, const SweepWords& words, const Presets& presets)
{
    SweepRequest request;
    request.best = words.best;
    auto x = axisFrom(plan, words.x, "--x", presets);
    if (!x) return tl::unexpected<Error>(std::move(x.error()));
    request.x = *std::move(x);
    if (!words.y.empty()) {
        auto y = axisFrom(plan, words.y, "--y", presets);
        if (!y) return tl::unexpected<Error>(std::move(y.error()));
        if (y->pointer == request.x.pointer) return refuse("--y", Sentence::tr("is the same field as --x"));
        request.y = *std::move(y);
    }
    const auto figure = figureNamed(words.figure);
    if (!figure) return tl::unexpected<Error>(inFile(figure.error(), "--figure"));
    request.figure = *figure;
    if (words.best)
        request.space = defaultSpace(plan);
    else
        request.space.base = plan;

    SearchRequest asked;
    asked.space = request.space;
    asked.objective = request.figure;
    asked.pareto.clear();
    if (auto refused = refusal(asked)) return tl::unexpected<Error>(*std::move(refused));
    return request;
}

} // namespace cardfit
