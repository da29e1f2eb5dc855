// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document_outlook.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/formula.h"
#include "core/files/plan_differences.h"
#include "core/report/constants_text.h"
#include "core/report/document_words.h"
#include "core/report/goodput_text.h"
#include "core/report/limits_text.h"
#include "core/report/reports.h"
#include "core/report/server_text.h"
#include "core/time/placement.h"

namespace cardfit {

namespace {

constexpr std::size_t kMostShown = 8; ///< changes and constants: the rest moves less

struct EvidenceAxisText {
    EvidenceAxis value;
    Phrase title;
};
constexpr auto kEvidenceAxes = std::to_array<EvidenceAxisText>({
    {EvidenceAxis::ModelSize, Sentence::tr("model size")},
    {EvidenceAxis::SequenceLength, Sentence::tr("sequence length")},
    {EvidenceAxis::MicroBatch, Sentence::tr("micro-batch")},
    {EvidenceAxis::Tensor, Sentence::tr("tensor")},
    {EvidenceAxis::Pipeline, Sentence::tr("pipeline")},
    {EvidenceAxis::VirtualPipeline, Sentence::tr("virtual pipeline")},
    {EvidenceAxis::Context, Sentence::tr("context")},
    {EvidenceAxis::Expert, Sentence::tr("expert")},
    {EvidenceAxis::Data, Sentence::tr("data")},
    {EvidenceAxis::Layers, Sentence::tr("dense or experts")},
    {EvidenceAxis::Precision, Sentence::tr("precision")},
    {EvidenceAxis::Framework, Sentence::tr("framework")},
    {EvidenceAxis::Card, Sentence::tr("card")},
    {EvidenceAxis::Recompute, Sentence::tr("recompute")},
    {EvidenceAxis::Sharding, Sentence::tr("sharding")},
    {EvidenceAxis::Schedule, Sentence::tr("schedule")},
});
static_assert(isInOrder(kEvidenceAxes));

struct CardGroupText {
    CardGroup value;
    Phrase title;
};
constexpr auto kCardGroupTexts = std::to_array<CardGroupText>({
    {CardGroup::Tensor, Sentence::tr("tensor parallelism")},
    {CardGroup::Context, Sentence::tr("context parallelism")},
    {CardGroup::Expert, Sentence::tr("expert parallelism")},
    {CardGroup::Data, Sentence::tr("data parallelism")},
    {CardGroup::Pipeline, Sentence::tr("pipeline parallelism")},
});
static_assert(isInOrder(kCardGroupTexts));

const StageMemory& worstStage(const Estimate& estimate) { return estimate.stages[estimate.worstStage()]; }

Phrase verdictPhrase(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Fits: return Sentence::tr("fits");
    case Verdict::Tight: return Sentence::tr("tight");
    case Verdict::Refused: return Sentence::tr("refused");
    case Verdict::Over: return Sentence::tr("over");
    case Verdict::Invalid: return Sentence::tr("invalid");
    }
    return {};
}

/// What decides: days of a run, else seconds of a step, or of a token of a served model; none for a server without
/// times.
std::optional<double> waitOf(const Estimate& estimate)
{
    if (estimate.server)
        return estimate.server->pace ? std::optional(estimate.server->pace->pace.tpot().value()) : std::nullopt;
    return estimate.step.run ? estimate.step.run->days : estimate.step.seconds.value();
}

/// How many times as long as `before`.
std::optional<double> waitRatio(const Estimate& after, const Estimate& before)
{
    const auto then = waitOf(after);
    const auto now = waitOf(before);
    return then && now ? std::optional(*then / *now) : std::nullopt;
}

std::optional<double> costOfRun(const Estimate& estimate)
{
    return estimate.step.run ? estimate.step.run->cost_usd : std::nullopt;
}

std::string wholePercent(double fraction) { return fmt::format("{:+.0f} %", std::round(100.0 * fraction) + 0.0); }

/// Those that move the time most, then those that move memory most; what moves neither noticeably is left out.
std::vector<ChangedConstant> mostMoving(std::vector<ChangedConstant> constants)
{
    constexpr double kShownShare = 0.0005;
    constexpr Bytes kShownBytes(5'000'000);
    constexpr std::size_t kMostOfMemory = 4;
    std::vector<ChangedConstant> shown;
    const auto size = [](const ChangedConstant& one) { return std::abs(one.device.value()); };
    for (const ChangedConstant& one : constants) {
        if (std::abs(one.step_ratio - 1.0) >= kShownShare && shown.size() < kMostShown) shown.push_back(one);
    }
    std::ranges::stable_sort(constants, std::greater<>(), size);
    std::size_t of_memory = 0;
    for (const ChangedConstant& one : constants) {
        if (Bytes(size(one)) < kShownBytes || ++of_memory > kMostOfMemory) break;
        if (std::ranges::find(shown, one.constant, &ChangedConstant::constant) == shown.end()) shown.push_back(one);
    }
    return shown;
}

/// Whether the range of the prediction holds another time, too.
bool isWithinBand(const ErrorBand& band, double ratio)
{
    return band.cases > 0 && ratio >= 1.0 + band.below && ratio <= 1.0 + band.above;
}

} // namespace

Sentence bandSentence(const Estimate& estimate)
{
    const ErrorBand& band = estimate.step.band;
    if (band.cases == 0) return Sentence::tr("No run like this was measured, so times have no range.");
    return Sentence::tr("Ranges are those that eight in ten of {} measured runs of {} kept: {} to {} of the time that "
                        "was predicted for them.",
        {band.cases, Phrase{band.of}, wholePercent(band.below), wholePercent(band.above)});
}

Sentence serverBandSentence(const Estimate& estimate)
{
    return Sentence::tr("Ranges of a server's times hold half of the published ones: within {} %.",
        {std::llround(100.0 * estimate.server->pace->error)});
}

Outlook::Outlook(const DocumentRequest& request, const Translation& translation)
    : m_request(request)
    , m_translation(translation)
{
}

std::string Outlook::amount(Bytes bytes) const { return formatBytes(bytes, m_request.unit); }

std::string Outlook::signedAmount(Bytes bytes) const
{
    const Bytes magnitude = bytes < Bytes(0) ? Bytes(0) - bytes : bytes;
    return signedText(static_cast<double>(bytes.value()), amount(magnitude));
}

/// In days where the run takes days.
std::string Outlook::days(double difference) const
{
    const auto& run = m_request.estimate.step.run;
    if (!run || run->days < 2.0) return signedText(difference, say(durationText(std::abs(difference))));
    constexpr double kShown = 0.05;
    if (std::abs(difference) < kShown) difference = 0.0;
    return say(Sentence::tr("{} days", {signedText(difference, fmt::format("{:.1f}", std::abs(difference)))}));
}

// ---- Alternatives

std::vector<DocumentPart> Outlook::alternatives() const
{
    std::vector<DocumentPart> parts;
    if (!m_request.alternatives.empty()) {
        parts.push_back(beside());
        parts.push_back(DocumentHeading{say(Sentence::tr("Why not"))});
        DocumentList why;
        for (const Alternative& other : m_request.alternatives)
            why.items.push_back(
                say(joined(Sentence::tr("{}: {}.", {other.plan.name, whyNot(other)}), whatDiffers(other))));
        parts.push_back(std::move(why));
    }
    for (const DocumentFigure& figure : m_request.more_figures)
        parts.push_back(figure);
    if (!m_request.findings.changes.empty()) {
        parts.push_back(DocumentHeading{
            say(m_request.estimate.fits() ? Sentence::tr("Single changes that free memory or shorten the step")
                                          : Sentence::tr("Single changes that help it fit"))});
        parts.push_back(singleChanges());
    }
    return parts;
}

DocumentPart Outlook::beside() const
{
    std::vector<std::pair<const Plan*, const Estimate*>> plans{{&m_request.plan, &m_request.estimate}};
    for (const Alternative& other : m_request.alternatives)
        plans.emplace_back(&other.plan, other.estimate.get());
    DocumentTable table{{""}, {}, 1};
    for (const auto& [plan, estimate] : plans)
        table.header.push_back(plan->name);
    const auto row = [&](Phrase name, const std::function<Sentence(const Plan&, const Estimate&)>& cell) {
        Row cells{say(name)};
        bool any = false;
        for (const auto& [plan, estimate] : plans) {
            const Sentence said = estimate->complete() ? cell(*plan, *estimate) : Sentence();
            any = any || !said.empty();
            cells.push_back(said.empty() ? "-" : say(said));
        }
        if (any) table.rows.push_back(std::move(cells));
    };
    const auto plain = [](std::string text) { return Sentence::verbatim(std::move(text)); };
    Row verdicts{say(Sentence::tr("Verdict"))};
    for (const auto& [plan, estimate] : plans)
        verdicts.push_back(say(verdictPhrase(verdict(*estimate))));
    table.rows.push_back(std::move(verdicts));
    row(Sentence::tr("Cards"), [&](const Plan& plan, const Estimate&) { return plain(cardsOf(plan)); });
    row(Sentence::tr("Fullest card"),
        [&](const Plan&, const Estimate& estimate) { return plain(amount(worstStage(estimate).device())); });
    row(Sentence::tr("Free on it"),
        [&](const Plan&, const Estimate& estimate) { return plain(amount(worstStage(estimate).free())); });
    row(m_request.estimate.isServed() ? Sentence::tr("Prefill of the prompts") : Sentence::tr("Step"),
        [&](const Plan&, const Estimate& estimate) { return plain(stepTimeText(estimate.step.seconds)); });
    row(Sentence::tr("Time per token"), [&](const Plan&, const Estimate& estimate) {
        return estimate.server && estimate.server->pace ? plain(shortTime(estimate.server->pace->pace.tpot()))
                                                        : Sentence();
    });
    row(Sentence::tr("Output tokens per second"), [&](const Plan&, const Estimate& estimate) {
        return estimate.server && estimate.server->pace
            ? plain(groupedNumber(std::round(estimate.server->pace->output_tokens_per_second)))
            : Sentence();
    });
    row(Sentence::tr("Tokens per second"), [&](const Plan&, const Estimate& estimate) {
        return estimate.isServed() ? Sentence() : plain(groupedNumber(std::round(estimate.step.tokens_per_second)));
    });
    row(Sentence::tr("Model FLOPs utilisation"),
        [&](const Plan&, const Estimate& estimate) { return plain(shareText(estimate.step.mfu)); });
    row(Sentence::tr("Duration"), [&](const Plan&, const Estimate& estimate) {
        return estimate.step.run ? durationText(estimate.step.run->days) : Sentence();
    });
    row(Sentence::tr("Cost"), [&](const Plan&, const Estimate& estimate) {
        const auto cost = costOfRun(estimate);
        return cost ? plain(moneyText(*cost)) : Sentence();
    });
    row(Sentence::tr("Energy of the cards"), [&](const Plan&, const Estimate& estimate) {
        return estimate.step.run && estimate.step.run->energy_kwh ? plain(energyText(*estimate.step.run->energy_kwh))
                                                                  : Sentence();
    });
    return table;
}

Sentence Outlook::whyNot(const Alternative& other) const
{
    const Estimate& theirs = *other.estimate;
    const Estimate& ours = m_request.estimate;
    if (const Check* broken = firstErrorOf(theirs.checks))
        return Sentence::tr("breaks a rule, {}: {}", {broken->id, broken->message});
    if (!theirs.complete()) return Sentence::tr("there are no figures for it");
    std::vector<Sentence> reasons;
    if (!theirs.fits()) {
        const StageMemory& stage = worstStage(theirs);
        reasons.push_back(stage.free() < Bytes(0) ? Sentence::tr("does not fit, {} too much on a card of stage {}",
                              {amount(Bytes(0) - stage.free()), stage.stage})
                                                  : Sentence(Sentence::tr("does not fit")));
    }
    if (!ours.complete()) return reasons.empty() ? Sentence::tr("fits") : listed(reasons);
    const std::int64_t more_cards = cardsUsed(other.plan) - cardsUsed(m_request.plan);
    if (more_cards > 0) reasons.push_back(Sentence::tr("needs {} cards more", {more_cards}));
    if (more_cards < 0) reasons.push_back(Sentence::tr("needs {} cards fewer", {-more_cards}));
    constexpr double kSame = 0.001;
    const auto ratio = waitRatio(theirs, ours);
    if (ratio) {
        const std::string by = shareText(std::abs(*ratio - 1.0));
        if (std::abs(*ratio - 1.0) < kSame)
            reasons.push_back(Sentence::tr("takes as long"));
        else
            reasons.push_back(
                *ratio > 1.0 ? Sentence::tr("takes {} longer", {by}) : Sentence::tr("takes {} less time", {by}));
    }
    const auto their_cost = costOfRun(theirs);
    const auto our_cost = costOfRun(ours);
    if (their_cost && our_cost && std::abs(*their_cost - *our_cost) >= kSame * *our_cost) {
        const std::string difference = moneyText(std::abs(*their_cost - *our_cost));
        reasons.push_back(*their_cost > *our_cost ? Sentence::tr("costs {} more", {difference})
                                                  : Sentence::tr("costs {} less", {difference}));
    }
    Sentence said = listed(reasons);
    if (ratio && std::abs(*ratio - 1.0) >= kSame && isWithinBand(ours.step.band, *ratio))
        return Sentence::tr(
            "{} (a difference within the range of the prediction: measure before choosing by it)", {said});
    return said;
}

Sentence Outlook::whatDiffers(const Alternative& other) const
{
    const Plan& ours = m_request.plan;
    std::vector<Sentence> edits;
    // What has another name is another model or card: one word says it.
    const auto other_name = [&](Phrase what, const std::string& from, const std::string& to) {
        if (from != to) edits.push_back(Sentence::tr("{} {} -> {}", {what, from, to}));
        return from != to;
    };
    const bool model = other_name(Sentence::tr("model"), ours.model.name, other.plan.model.name);
    const bool card =
        other_name(Sentence::tr("card"), ours.cluster.accelerator.name, other.plan.cluster.accelerator.name);
    std::size_t left = 0;
    for (const Edit& edit : planDifferences(ours, other.plan)) {
        const std::string_view field = edit.field;
        const std::string_view key = field.substr(field.rfind('/') + 1);
        const bool said = key == "name" || key == "source" || key == "id" || key == "preset"
            || field.starts_with("/assumed") || (model && field.starts_with("/model/"))
            || (card && field.starts_with("/cluster/accelerator/"));
        if (said) continue;
        if (edits.size() >= kMostShown)
            ++left;
        else
            edits.push_back(
                Sentence::tr("{} {} -> {}", {fieldWords(edit.field), valueWords(edit.from), valueWords(edit.to)}));
    }
    if (edits.empty()) return Sentence::tr("No input differs.");
    if (left > 0) edits.push_back(Sentence::tr("{} more", {left}));
    return Sentence::tr("It differs in: {}.", {listed(edits)});
}

DocumentPart Outlook::singleChanges() const
{
    const Estimate& ours = m_request.estimate;
    DocumentTable table{{say(Sentence::tr("Change")), say(Sentence::tr("Then")), say(Sentence::tr("Free on it")),
                            say(Sentence::tr("Step"))},
        {}, 2};
    const bool has_run = ours.step.run.has_value();
    const auto cost = costOfRun(ours);
    if (has_run) table.header.push_back(say(Sentence::tr("Duration")));
    if (cost) table.header.push_back(say(Sentence::tr("Cost")));
    const auto& changes = m_request.findings.changes;
    for (const Suggestion& one : std::span(changes).first(std::min(kMostShown, changes.size()))) {
        Row row{say(changeText(one.change)), say(one.fits ? Sentence::tr("fits") : Sentence::tr("over")),
            amount(one.trial.free()),
            one.costs_uncounted_time ? say(Sentence::tr("not counted")) : signedShareText(one.step_ratio - 1.0)};
        const double more = one.step_ratio - 1.0;
        if (has_run) row.push_back(one.costs_uncounted_time ? "-" : days(more * ours.step.run->days));
        if (cost)
            row.push_back(one.costs_uncounted_time ? "-" : signedText(more * *cost, moneyText(std::abs(more * *cost))));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// ---- Risks

std::vector<DocumentPart> Outlook::risks() const
{
    const Estimate& estimate = m_request.estimate;
    std::vector<DocumentPart> parts;
    DocumentList points;
    const auto add = [&](const Sentence& point) { points.items.push_back(say(point)); };
    const StageMemory& worst = worstStage(estimate);
    if (const Band band = worst.band(); band != Band{})
        add(Sentence::tr(
            "Memory: a card of stage {} takes {} to {} where what no formula gives (device context, communication "
            "libraries, fragmentation, load of experts) is at its published extremes; it has {}.",
            {worst.stage, amount(worst.device() - band.below), amount(worst.device() + band.above),
                amount(worst.capacity)}));
    if (estimate.isServed()) {
        if (estimate.server && estimate.server->pace) add(serverBandSentence(estimate));
    } else {
        add(bandSentence(estimate));
    }
    for (const Sentence& point : dependences())
        add(point);
    parts.push_back(std::move(points));
    const Evidence& evidence = m_request.findings.evidence;
    if (m_request.findings.ground == nullptr || estimate.isServed()) return parts;
    parts.push_back(DocumentHeading{say(Sentence::tr("Measured runs nearest to this plan"))});
    if (evidence.nearest.empty()) {
        parts.push_back(DocumentText{
            say(Sentence::tr("Not validated: no step times of such runs were published.")), Tone::Caution});
        return parts;
    }
    parts.push_back(evidence.measured
            ? DocumentText{say(
                Sentence::tr("A run near this plan was measured, with its framework and its kind of card."))}
            : DocumentText{
                say(Sentence::tr("Not validated: no run with its framework and its kind of card is near enough to "
                                 "count as measured.")),
                Tone::Caution});
    parts.push_back(nearestRuns());
    DocumentList sources;
    for (const NearRun& near : evidence.nearest)
        sources.items.push_back(fmt::format("{}: {}", near.run->id, near.run->source));
    parts.push_back(std::move(sources));
    parts.push_back(DocumentText{
        say(Sentence::tr("Away: steps between the two, each a doubling of a number or another word; up to {} "
                         "count as measured.",
            {fmt::format("{:g}", kMeasuredDistance)})),
        Tone::Note});
    return parts;
}

DocumentPart Outlook::nearestRuns() const
{
    DocumentTable table{{say(Sentence::tr("Measured run")), say(Sentence::tr("Differs in")), say(Sentence::tr("Away")),
                            say(Sentence::tr("Predicted"))},
        {}, 2};
    for (const NearRun& near : m_request.findings.evidence.nearest) {
        std::vector<Sentence> axes;
        for (const AxisSteps& axis : near.axes)
            axes.emplace_back(kEvidenceAxes[static_cast<std::size_t>(axis.axis)].title);
        table.rows.push_back({near.run->id, axes.empty() ? say(Sentence::tr("nothing")) : say(listed(axes)),
            fmt::format("{:.1f}", near.distance), near.error ? signedShareText(*near.error) : "-"});
    }
    return table;
}

/// What the run depends on, and what is not known.
std::vector<Sentence> Outlook::dependences() const
{
    const Plan& plan = m_request.plan;
    const Estimate& estimate = m_request.estimate;
    std::vector<Sentence> said;
    if (const StageMemory& worst = worstStage(estimate); isFit(verdict(worst)) && worst.free() < Bytes(0)) {
        said.push_back(
            Sentence::tr("The fullest card holds more than it can by these figures; only its band leaves hope."));
    } else if (verdict(worst) == Verdict::Tight) {
        said.push_back(Sentence::tr("It is tight: run its largest step on few cards before booking many."));
    }
    for (const GroupPlacement& placed : estimate.placement) {
        if (placed.level != NetworkLevel::Network || placed.group == CardGroup::Data
            || placed.group == CardGroup::Pipeline)
            continue;
        const Phrase group = kCardGroupTexts[static_cast<std::size_t>(placed.group)].title;
        said.push_back(placed.price
                ? Sentence::tr(
                    "Groups of {} of {} span nodes and depend on the network between them: {} of a step is lost to it.",
                    {placed.ranks, group, stepTimeText(*placed.price)})
                : Sentence::tr(
                    "Groups of {} of {} span nodes and depend on the network between them.", {placed.ranks, group}));
    }
    const Cluster& cluster = plan.cluster;
    if (cluster.nodes > cluster.nodes_per_domain && !cluster.inter_node)
        said.push_back(Sentence::tr("The network between nodes is unknown; its speed is assumed."));
    if (!estimate.isServed() && cluster.nodes > 1) {
        const std::int64_t spare = (cardCount(cluster) - cardsUsed(plan)) / cluster.cards_per_node;
        said.push_back(spare > 0
                ? Sentence::tr("One node that fails stops all of them; {} of the cluster are spare.", {spare})
                : Sentence::tr("One node that fails stops all of them, and no node of the cluster is spare."));
    }
    for (Sentence& stop : goodputSentences(plan, estimate))
        said.push_back(std::move(stop));
    return said;
}

// ---- Sensitivity

std::vector<DocumentPart> Outlook::sensitivity() const
{
    const Estimate& ours = m_request.estimate;
    const DocumentFindings& found = m_request.findings;
    const bool has_run = ours.step.run.has_value();
    const auto cost = costOfRun(ours);
    const auto header = [&](Row row) {
        row.push_back(say(Sentence::tr("Fullest card")));
        row.push_back(say(ours.isServed() ? Sentence::tr("Time per token") : Sentence::tr("Step")));
        if (has_run) row.push_back(say(Sentence::tr("Duration")));
        if (cost) row.push_back(say(Sentence::tr("Cost")));
        return row;
    };
    std::vector<DocumentPart> parts;
    if (!found.inputs.empty()) {
        parts.push_back(DocumentHeading{say(Sentence::tr("Inputs"))});
        DocumentTable table{header({say(Sentence::tr("Change")), say(Sentence::tr("Then"))}), {}, 2};
        for (const ChangedInput& one : found.inputs) {
            const Estimate& after = one.estimate;
            const auto ratio = ours.isServed() || !has_run ? waitRatio(after, ours)
                                                           : std::optional(after.step.seconds / ours.step.seconds);
            Row row{say(one.change), say(after.fits() ? Sentence::tr("fits") : Sentence::tr("over")),
                signedAmount(worstStage(after).device() - worstStage(ours).device()),
                ratio ? signedShareText(*ratio - 1.0) : "-"};
            if (has_run) row.push_back(after.step.run ? days(after.step.run->days - ours.step.run->days) : "-");
            if (cost) {
                const auto then = costOfRun(after);
                row.push_back(then ? signedText(*then - *cost, moneyText(std::abs(*then - *cost))) : "-");
            }
            table.rows.push_back(std::move(row));
        }
        parts.push_back(std::move(table));
    }
    if (!found.constants.empty()) {
        parts.push_back(DocumentHeading{say(
            Sentence::tr("Assumptions of the models, each {} higher", {fmt::format("{:.0f} %", 100.0 * kRaisedBy)}))});
        DocumentTable table{header({say(Sentence::tr("Constant")), say(Sentence::tr("Value"))}), {}, 2};
        for (const ChangedConstant& one : mostMoving(found.constants)) {
            const ConstantRow& constant = row(one.constant);
            const double more = one.step_ratio - 1.0;
            Row cells{say(constant.title),
                say(Sentence::tr("{} ({})",
                    {fmt::format("{:.4g} {}", m_request.plan.constants[one.constant], constant.unit),
                        tierName(constant.tier)})),
                signedAmount(one.device), signedShareText(more)};
            if (has_run) cells.push_back(days(more * ours.step.run->days));
            if (cost) cells.push_back(signedText(more * *cost, moneyText(std::abs(more * *cost))));
            table.rows.push_back(std::move(cells));
        }
        parts.push_back(std::move(table));
    }
    return parts;
}

// ---- What has to be computed

DocumentFindings documentFindings(const Plan& plan, const Estimate& estimate, DocumentTopics topics,
    std::shared_ptr<const MeasuredGround> ground, const std::function<bool()>& is_cancelled)
{
    DocumentFindings found;
    if (!estimate.complete()) return found;
    const auto goes_on = [&] { return !is_cancelled || !is_cancelled(); };
    if (topics.has(DocumentTopic::Risks) && ground != nullptr) {
        found.ground = std::move(ground);
        found.evidence = found.ground->of(plan, {});
    }
    if (topics.has(DocumentTopic::Alternatives) && goes_on()) found.changes = suggest(plan);
    if (topics.has(DocumentTopic::Sensitivity)) {
        if (goes_on()) found.inputs = changedInputs(plan, estimate);
        if (goes_on()) found.constants = changedConstants(plan, estimate);
    }
    return found;
}

} // namespace cardfit
