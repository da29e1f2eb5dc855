// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/layers/layer_split.h"
#include "core/plan/field_table.h"
#include "core/serving/server_time.h"

namespace cardfit {

namespace {

struct WorkText {
    DecodeWork work;
    std::string_view id;
    Phrase title;
};

constexpr auto kWorks = std::to_array<WorkText>({
    {DecodeWork::Mixer, "mixer", Sentence::tr("Attention and what stands in its place")},
    {DecodeWork::Mlp, "mlp", Sentence::tr("MLP")},
    {DecodeWork::Experts, "experts", Sentence::tr("Experts")},
    {DecodeWork::Head, "head", Sentence::tr("Output layer")},
    {DecodeWork::Cache, "cache", Sentence::tr("Keys, values and states")},
    {DecodeWork::DecodedScores, "decoded_scores", Sentence::tr("Attention of new tokens")},
    {DecodeWork::PromptScores, "prompt_scores", Sentence::tr("Attention inside prompts")},
    {DecodeWork::Sums, "all_reduce", Sentence::tr("All-reduces")},
    {DecodeWork::Exchanges, "all_to_all", Sentence::tr("Exchanges with experts")},
    {DecodeWork::Launches, "launches", Sentence::tr("Launches and small kernels")},
    {DecodeWork::ExpertLaunches, "expert_launches", Sentence::tr("Routing to experts")},
    {DecodeWork::RecurrentLaunches, "recurrent_launches", Sentence::tr("Recurrent layers")},
    {DecodeWork::IndexerLaunches, "indexer_launches", Sentence::tr("Indexer of sparse attention")},
    {DecodeWork::Sequences, "sequences", Sentence::tr("Sampling and scheduling")},
});

const WorkText& textOf(DecodeWork work) { return *std::ranges::find(kWorks, work, &WorkText::work); }

std::string count(double value) { return fmt::format("{:.6g}", value); }

std::string gigabytes(double bytes) { return fmt::format("{:.3f} GB", bytes / 1e9); }

/// "80 layers of attention and MLP: 4.414 GB at 2,680 GB/s."
Sentence sentenceOf(const DecodeTerm& term)
{
    const std::string rate = fmt::format("{:.0f} GB/s", term.bytes / 1e9 / term.time.value());
    const bool reads = term.bytes > 0.0;
    switch (term.work) {
    case DecodeWork::Mixer:
    case DecodeWork::Mlp:
    case DecodeWork::Experts:
        return reads ? Sentence::tr("{} layers of {}: {} at {}.",
                   {count(term.count), Sentence(wordsOf(term.kind)), gigabytes(term.bytes), rate})
                     : Sentence::tr("{} layers of {}: what reading the weights does not hide.",
                         {count(term.count), Sentence(wordsOf(term.kind))});
    case DecodeWork::Head:
        return reads ? Sentence::tr("{} at {}.", {gigabytes(term.bytes), rate})
                     : Sentence::tr("What reading the weights does not hide.");
    case DecodeWork::Cache:
        return Sentence::tr("Of {} sequences: {} at {}.", {count(term.count), gigabytes(term.bytes), rate});
    case DecodeWork::DecodedScores: return Sentence::tr("What reading the cache does not hide.");
    case DecodeWork::Sums:
    case DecodeWork::Exchanges:
        return Sentence::tr("Over {} cards, {} kB each.", {term.ranks, fmt::format("{:.1f}", term.bytes / 1e3)});
    default: break;
    }
    return {};
}

/// For formulas: enough digits for a kernel, and no exponent.
std::string plainSeconds(double time) { return fmt::format("{:.12f}", time); }

} // namespace

std::vector<ExplanationRow> decodeRows(const Plan& plan, const ServerPace& pace, const DecodePart& part)
{
    const PlanContext context = planContext(plan);
    const ServerClock clock(context, pace.lengths);
    const DecodeLoad load = clock.decoding(pace.sequences);
    std::vector<ExplanationRow> rows;
    const auto add = [&](std::string id, Sentence title, std::string formula, Seconds time) {
        ExplanationRow row;
        row.id = std::move(id);
        row.title = std::move(title);
        row.formula = std::move(formula);
        row.value = timeValue(time);
        rows.push_back(std::move(row));
    };
    if (part.time == &DecodeParts::prompts) {
        add("prompts", Sentence::tr("Iterations that take prompts along"), "(1 - w_f) f_m (Z_m - Z_d)",
            pace.pace.parts.prompts);
        return rows;
    }
    Seconds stages;
    for (std::size_t stage = 0; stage < context.stages.size(); ++stage) {
        for (const DecodeTerm& term : clock.decoding().terms(stage, load)) {
            stages += term.time;
            if (term.part != part.time) continue;
            const WorkText& text = textOf(term.work);
            const bool whole = term.count >= 1.0 && term.count == std::floor(term.count) && term.bytes <= 0.0;
            const bool exchanges = term.work == DecodeWork::Sums || term.work == DecodeWork::Exchanges;
            const bool read = term.bytes > 0.0 && !exchanges;
            const double times = (whole && term.part != &DecodeParts::products) || exchanges ? term.count : 1.0;
            add(std::string(text.id), text.title,
                read ? fmt::format("{:.0f} / {:.0f}", term.bytes, term.bytes / term.time.value())
                     : plainSeconds(term.time.value() / times),
                term.time);
            rows.back().count = static_cast<std::int64_t>(times);
            rows.back().sentence = sentenceOf(term);
            if (context.stages.size() > 1) rows.back().title = Sentence::tr("Stage {}: {}", {stage, text.title});
        }
    }
    if (part.time == &DecodeParts::pipeline && pace.pace.parts.pipeline > Seconds(0.0))
        add("pipeline", Sentence::tr("Waiting for the slowest stage, and transfers"),
            fmt::format(
                "{} - {}", plainSeconds((stages + pace.pace.parts.pipeline).value()), plainSeconds(stages.value())),
            pace.pace.parts.pipeline);
    std::ranges::stable_sort(rows, std::ranges::greater{}, [](const ExplanationRow& row) { return row.value.number; });
    return rows;
}

std::vector<Symbol> decodeSymbols(const Plan& plan, const ServerPace& pace)
{
    const PlanContext context = planContext(plan);
    const ServerClock clock(context, pace.lengths);
    const ServerClock::Interference with = clock.interference(pace.sequences);
    const ServerClock::Prefill alone = clock.prefill(1.0);
    const ServerClock::Prefill burst = clock.prefill(0.5 * (pace.sequences + 1.0));
    return {
        {"w_f", with.before_first_token, Sentence::tr("share of that wait before a request's first token"), "derived"},
        {"f_m", with.share, Sentence::tr("share of iterations that take prompts of others along"), "estimate"},
        {"Z_m", with.mixed.value(), Sentence::tr("seconds of such an iteration"), "estimate"},
        {"Z_d", with.decoding.value(), Sentence::tr("seconds of an iteration that only decodes"), "estimate"},
        {"n_a", alone.passes, Sentence::tr("passes of a prompt"), pointerOf<&Recipe::max_num_batched_tokens>},
        {"Z_a", alone.pass.value(), Sentence::tr("seconds of such a pass"), "estimate"},
        {"n_q", burst.passes, Sentence::tr("passes until half of the requests have their first token"), "estimate"},
        {"Z_q", burst.pass.value(), Sentence::tr("seconds of such a pass, with prompts of others"), "estimate"},
        {"Z_h", burst.host.value(), Sentence::tr("seconds of the host before them"), "estimate"},
        {"B", pace.sequences, Sentence::tr("sequences at once in a replica"), "estimate"},
        {"N_d", static_cast<double>(std::max<std::int64_t>(dataParallel(plan), 1)), Sentence::tr("replicas"),
            pointerOf<&Parallelism::data>},
        {"C", static_cast<double>(cardsUsed(plan)), Sentence::tr("cards"), "derived"},
        {"Z_i", pace.pace.iteration.value(), Sentence::tr("seconds of an iteration, in the mean"), "estimate"},
    };
}

} // namespace cardfit
