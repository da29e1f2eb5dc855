// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/search_answer.h"

#include <future>
#include <utility>

#include <fmt/format.h>

#include "core/traces/measured_cases.h"

namespace cardfit {

namespace {

std::string valueText(Unknown unknown, double value)
{
    switch (unknown) {
    case Unknown::Cards: break;
    case Unknown::Tokens: return fmt::format("{:.8g}", value);
    case Unknown::Parameters: return fmt::format("{:.4g} B", value / 1e9);
    }
    return fmt::format("{:.0f}", value);
}

/// "128: 27.90 days"
Sentence triedSentence(Unknown unknown, const TriedValue& tried)
{
    const std::string value = valueText(unknown, tried.value);
    if (!tried.days) return Sentence::verbatim(value);
    return Sentence::tr("{}: {} days", {value, fmt::format("{:.2f}", *tried.days)});
}

Sentence foundSentence(const Solved& solved)
{
    const Sentence found = triedSentence(solved.unknown, *solved.found);
    switch (solved.unknown) {
    case Unknown::Cards: break;
    case Unknown::Tokens: return Sentence::tr("the most tokens are {}", {found});
    case Unknown::Parameters: return Sentence::tr("the largest model has parameters {}", {found});
    }
    return Sentence::tr("the fewest cards are {}", {found});
}

} // namespace

Sentence solvedSentence(const Solved& solved)
{
    if (!solved.found)
        return solved.misses
            ? Sentence::tr("no {} that were tried keep every limit, the last {} ({} searches)",
                {name(solved.unknown), triedSentence(solved.unknown, *solved.misses), solved.searches})
            : Sentence::tr("no {} keep every limit ({} searches)", {name(solved.unknown), solved.searches});
    if (!solved.misses)
        return Sentence::tr(
            "{}; nothing beyond was left to try ({} searches)", {foundSentence(solved), solved.searches});
    return Sentence::tr("{}; the next that was tried misses: {} ({} searches)",
        {foundSentence(solved), triedSentence(solved.unknown, *solved.misses), solved.searches});
}

Result<AnsweredSearch> answerSearch(const Plan& plan, const SearchWords& words, const Presets& presets,
    const std::filesystem::path& measured,
    const std::function<void(const SearchRequest&, const SearchProgress&)>& progress, std::stop_token stop)
{
    AnsweredSearch answer;
    Plan asked = plan;
    SearchWords left = words;
    if (!words.solve.empty()) {
        const auto question = solveFrom(plan, words, presets);
        if (!question) return tl::unexpected<Error>(question.error());
        auto solved = solve(*question, stop);
        if (!solved) return tl::unexpected<Error>(std::move(solved.error()));
        asked = solved->plan;
        answer.solved = *std::move(solved);
        if (answer.solved->unknown == Unknown::Cards) left.space.cards.clear();
    }
    auto request = searchFrom(asked, left, presets);
    if (!request) return tl::unexpected<Error>(std::move(request.error()));
    answer.request = *std::move(request);

    auto reading = std::async([&] { return readMeasuredTime(measured, presets); });
    answer.result = findPlans(
        answer.request,
        [&](const SearchProgress& now) {
            if (progress) progress(answer.request, now);
        },
        stop);
    if (auto read = reading.get())
        answer.ground.emplace(std::move(read->cases));
    else
        answer.no_ground = describe(read.error());
    return answer;
}

} // namespace cardfit
