// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/planning_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/formula.h"
#include "core/explain/catalogue.h"
#include "core/files/foreign_text.h"
#include "core/layers/layer_balance.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/choices.h"
#include "core/plan/engines.h"
#include "core/report/calibration_text.h"
#include "core/report/document_outlook.h"
#include "core/report/document_words.h"
#include "core/report/goodput_text.h"
#include "core/report/host_text.h"
#include "core/report/reports.h"
#include "core/report/server_text.h"
#include "core/report/utilization_rows.h"
#include "core/time/placement.h"
#include "core/time/stated_utilization.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

constexpr auto kTopics = std::to_array<DocumentTopicRow>({
    {DocumentTopic::Figures, "figures", Sentence::tr("Figures")},
    {DocumentTopic::Plan, "plan", Sentence::tr("Plan and network")},
    {DocumentTopic::Memory, "memory", Sentence::tr("Memory per card")},
    {DocumentTopic::Timeline, "timeline", Sentence::tr("Pipeline timeline")},
    {DocumentTopic::Step, "step", Sentence::tr("Time of a step")},
    {DocumentTopic::Alternatives, "alternatives", Sentence::tr("Alternatives")},
    {DocumentTopic::Risks, "risks", Sentence::tr("Risks and evidence")},
    {DocumentTopic::Sensitivity, "sensitivity", Sentence::tr("What moves the figures")},
    {DocumentTopic::Assumptions, "assumptions", Sentence::tr("Assumptions")},
    {DocumentTopic::Launch, "launch", Sentence::tr("Launch command")},
});
static_assert(isInOrder(kTopics));

/// A choice as the window names it.
template <class Choice> Sentence labelOf(Choice value)
{
    const auto word = words(value);
    return word.label.empty() ? Sentence::verbatim(std::string(word.name)) : Sentence(word.label);
}

Phrase segmentTitle(Segment segment, bool served)
{
    switch (segment) {
    case Segment::Weights: return Sentence::tr("weights");
    case Segment::Gradients: return Sentence::tr("gradients");
    case Segment::Optimizer: return Sentence::tr("optimizer");
    case Segment::Activations: return served ? Sentence::tr("KV cache") : Sentence::tr("activations");
    case Segment::Temporary: return Sentence::tr("temporary");
    case Segment::Communication: return Sentence::tr("communication");
    case Segment::DeviceContext: return Sentence::tr("context", "of the device");
    case Segment::Reserve: return Sentence::tr("reserve");
    }
    return {};
}

struct StepPartText {
    StepPart value;
    Phrase title;
};
constexpr auto kStepPartTexts = std::to_array<StepPartText>({
    {StepPart::Compute, Sentence::tr("compute")},
    {StepPart::Tensor, Sentence::tr("tensor parallelism")},
    {StepPart::Context, Sentence::tr("context parallelism")},
    {StepPart::Expert, Sentence::tr("expert parallelism")},
    {StepPart::Pipeline, Sentence::tr("pipeline transfers")},
    {StepPart::Bubble, Sentence::tr("other waits of the busiest stage")},
    {StepPart::Data, Sentence::tr("data parallelism")},
    {StepPart::Optimizer, Sentence::tr("optimizer")},
});
static_assert(isInOrder(kStepPartTexts));

constexpr Phrase kFigure = Sentence::tr("Figure");
constexpr Phrase kValue = Sentence::tr("Value");

/// "50.0 GB/s each way, 5 us"
Sentence linkSentence(const Link& link)
{
    return Sentence::tr("{} GB/s each way per card, {} microseconds",
        {inDigits(link.bandwidth.value(), 4), inDigits(link.latency.value(), 3)});
}

/// The contents of the document, in one language.
class PlanningDocument {
public:
    PlanningDocument(const DocumentRequest& request, const Translation& translation)
        : m_request(request)
        , m_plan(request.plan)
        , m_estimate(request.estimate)
        , m_translation(translation)
        , m_served(request.plan.workload.task == Task::Inference)
    {
    }

    [[nodiscard]] Document write() const
    {
        Document document;
        document.title = m_plan.name.empty() ? say(Sentence::tr("Plan without a name")) : m_plan.name;
        document.language = m_request.language;
        document.author = m_request.author;
        for (const std::string& fact : {m_request.date, m_request.author}) {
            if (!fact.empty()) document.facts.push_back(fact);
        }
        if (!m_request.version.empty()) document.facts.push_back("Cardfit " + m_request.version);
        document.lead = lead();
        for (const DocumentTopicRow& topic : kTopics) {
            if (!m_request.topics.has(topic.value)) continue;
            auto parts = partsOf(topic.value);
            if (!parts.empty())
                document.sections.push_back({std::string(topic.word), say(titleOf(topic)), std::move(parts)});
        }
        return document;
    }

private:
    using Parts = std::vector<DocumentPart>;

    [[nodiscard]] std::string say(const Sentence& sentence) const { return sentence.in(m_translation); }
    [[nodiscard]] std::string amount(Bytes bytes) const { return formatBytes(bytes, m_request.unit); }

    [[nodiscard]] Phrase titleOf(const DocumentTopicRow& topic) const
    {
        if (m_served && topic.value == DocumentTopic::Step) return Sentence::tr("Times of the server");
        return pace() != nullptr && topic.value == DocumentTopic::Timeline ? Sentence::tr("Users and their waits")
                                                                           : topic.title;
    }

    [[nodiscard]] Parts partsOf(DocumentTopic topic) const
    {
        const bool complete = m_estimate.complete();
        const Outlook outlook(m_request, m_translation);
        switch (topic) {
        case DocumentTopic::Figures: return complete ? figures() : Parts();
        case DocumentTopic::Plan: return inputs();
        case DocumentTopic::Memory: return complete ? memory() : Parts();
        case DocumentTopic::Timeline: return complete ? timeline() : Parts();
        case DocumentTopic::Step: return complete ? step() : Parts();
        case DocumentTopic::Alternatives: return outlook.alternatives();
        case DocumentTopic::Risks: return complete ? outlook.risks() : Parts();
        case DocumentTopic::Sensitivity: return complete ? outlook.sensitivity() : Parts();
        case DocumentTopic::Assumptions: return assumptions();
        case DocumentTopic::Launch: return launch();
        }
        return {};
    }

    // ---- For who reads no further

    [[nodiscard]] Parts lead() const
    {
        Parts parts;
        if (m_estimate.complete()) {
            const Verdict given = verdict(m_estimate);
            parts.push_back(DocumentText{verdictLine(m_estimate, m_request.unit, m_translation),
                given == Verdict::Fits        ? Tone::Good
                    : given == Verdict::Tight ? Tone::Caution
                                              : Tone::Bad});
        }
        for (const Sentence& warning : planWarnings(m_estimate))
            parts.push_back(DocumentText{say(warning), Tone::Bad});
        DocumentList broken;
        for (const Check& check : m_estimate.checks) {
            if (check.severity == Severity::Error)
                broken.items.push_back(say(Sentence::tr("Broken: {}: {}", {check.id, check.message})));
        }
        if (!broken.items.empty()) parts.push_back(std::move(broken));
        if (m_estimate.complete()) parts.push_back(DocumentText{say(summary())});
        return parts;
    }

    /// What it costs and how long it takes, in a sentence or two.
    [[nodiscard]] Sentence summary() const
    {
        const StepEstimate& step = m_estimate.step;
        const std::string cards = cardsOf(m_plan);
        if (m_served) {
            if (!m_estimate.server || !m_estimate.server->pace)
                return Sentence::tr("{} is served on {}.", {m_plan.model.name, cards});
            const ServerPace& pace = *m_estimate.server->pace;
            return Sentence::tr("{} is served on {}: {} sequences at once, {} for each token of a user, {} output "
                                "tokens per second.",
                {m_plan.model.name, cards, inDigits(std::floor(pace.concurrency), 6), shortTime(pace.pace.tpot()),
                    groupedNumber(std::round(pace.output_tokens_per_second))});
        }
        if (!step.run)
            return Sentence::tr("{} is trained on {} with {} per step, {} tokens per second.",
                {m_plan.model.name, cards, stepTimeText(step.seconds),
                    groupedNumber(std::round(step.tokens_per_second))});
        const Sentence run = Sentence::tr("{} is trained on {} tokens with {} in {}",
            {m_plan.model.name, largeNumberText(step.run->tokens), cards, durationText(step.run->days)});
        if (!step.run->cost_usd) return Sentence::tr("{}; the card has no price.", {run});
        return Sentence::tr("{}, for {}.", {run, moneyText(*step.run->cost_usd)});
    }

    [[nodiscard]] Parts figures() const
    {
        const StepEstimate& step = m_estimate.step;
        const StageMemory& worst = m_estimate.stages[m_estimate.worstStage()];
        DocumentTable table{{say(kFigure), say(kValue), say(Sentence::tr("Range"))}, {}, 3};
        const auto add = [&](Phrase name, const Sentence& value, const Sentence& range = {}) {
            table.rows.push_back({say(name), say(value), say(range)});
        };
        const auto plain = [](std::string text) { return Sentence::verbatim(std::move(text)); };
        // Of what follows the time of a step: larger the longer it takes.
        const ErrorBand& band = step.band;
        const auto slower = [&](auto&& text) {
            return band.cases == 0 ? Sentence()
                                   : Sentence::tr("{} to {}", {text(1.0 + band.below), text(1.0 + band.above)});
        };
        const auto faster = [&](auto&& text) {
            return band.cases == 0
                ? Sentence()
                : Sentence::tr("{} to {}", {text(1.0 / (1.0 + band.above)), text(1.0 / (1.0 + band.below))});
        };
        add(Sentence::tr("Cards"), plain(cardsOf(m_plan)));
        add(Sentence::tr("Fullest card"),
            Sentence::tr("{} of {}, stage {}", {amount(worst.device()), amount(worst.capacity), worst.stage}),
            worst.band() == Band{}
                ? Sentence()
                : Sentence::tr("{} to {}",
                    {amount(worst.device() - worst.band().below), amount(worst.device() + worst.band().above)}));
        add(worst.free() < Bytes(0) ? Sentence::tr("Missing on it") : Sentence::tr("Free on it"),
            plain(amount(worst.free() < Bytes(0) ? Bytes(0) - worst.free() : worst.free())));
        if (m_served) {
            if (!m_estimate.server || !m_estimate.server->pace) return {std::move(table)};
            serverFigures(table, *m_estimate.server->pace);
            Parts parts{std::move(table)};
            parts.push_back(DocumentText{say(serverBandSentence(m_estimate)), Tone::Note});
            return parts;
        }
        add(Sentence::tr("Step"), plain(stepTimeText(step.seconds)),
            slower([&](double factor) { return stepTimeText(factor * step.seconds); }));
        add(Sentence::tr("Tokens per second"),
            Sentence::tr("{}, {} per card",
                {groupedNumber(std::round(step.tokens_per_second)),
                    groupedNumber(std::round(step.tokens_per_second_per_card))}),
            faster([&](double factor) { return groupedNumber(std::round(factor * step.tokens_per_second)); }));
        add(Sentence::tr("Model FLOPs utilisation"), plain(shareText(step.mfu)),
            faster([&](double factor) { return shareText(factor * step.mfu); }));
        if (const auto& run = step.run) {
            add(Sentence::tr("Tokens of the run"), plain(largeNumberText(run->tokens)));
            add(Sentence::tr("Duration"), durationText(run->days),
                slower([&](double factor) { return durationText(factor * run->days); }));
            add(Sentence::tr("Card-hours"), plain(groupedNumber(std::round(run->card_hours))),
                slower([&](double factor) { return groupedNumber(std::round(factor * run->card_hours)); }));
            if (run->cost_usd)
                add(Sentence::tr("Cost"),
                    Sentence::tr("{} at {} per card and hour",
                        {moneyText(*run->cost_usd), moneyText(*m_plan.cluster.accelerator.price_per_hour_usd)}),
                    slower([&](double factor) { return moneyText(factor * *run->cost_usd); }));
            else
                add(Sentence::tr("Cost"), Sentence::tr("cost unknown (the card has no price)"));
            if (run->energy_kwh)
                add(Sentence::tr("Energy of the cards"), plain(energyText(*run->energy_kwh)),
                    slower([&](double factor) { return energyText(factor * *run->energy_kwh); }));
        }
        Parts parts{std::move(table)};
        parts.push_back(DocumentText{say(bandSentence(m_estimate)), Tone::Note});
        return parts;
    }

    void serverFigures(DocumentTable& table, const ServerPace& pace) const
    {
        const auto add = [&](Phrase name, std::string value, const Sentence& range = {}) {
            table.rows.push_back({say(name), std::move(value), say(range)});
        };
        const auto rate = [](double tokens) { return groupedNumber(std::round(tokens)); };
        const Seconds wait = pace.pace.tpot();
        const double output = pace.output_tokens_per_second;
        add(Sentence::tr("Sequences at once"), groupedNumber(std::floor(pace.concurrency)));
        add(Sentence::tr("Time per token"), shortTime(wait),
            Sentence::tr("{} to {}", {shortTime((1.0 - pace.error) * wait), shortTime((1.0 + pace.error) * wait)}));
        add(Sentence::tr("Output tokens per second"),
            say(Sentence::tr("{}, {} per card", {rate(output), rate(pace.output_tokens_per_second_per_card)})),
            Sentence::tr("{} to {}", {rate(output / (1.0 + pace.error)), rate(output / (1.0 - pace.error))}));
        add(Sentence::tr("Users within the limits"), groupedNumber(static_cast<double>(pace.users.users)));
        if (pace.usd_per_million_tokens)
            add(Sentence::tr("Cost"),
                say(Sentence::tr("{} per million output tokens", {moneyText(*pace.usd_per_million_tokens)})),
                Sentence::tr("{} to {}",
                    {moneyText((1.0 - pace.error) * *pace.usd_per_million_tokens),
                        moneyText((1.0 + pace.error) * *pace.usd_per_million_tokens)}));
    }

    // ---- Inputs

    [[nodiscard]] Parts inputs() const
    {
        DocumentTable table{{say(Sentence::tr("Input")), say(kValue)}, {}, 2};
        const auto add = [&](Phrase name, const Sentence& value) {
            if (!value.empty()) table.rows.push_back({say(name), say(value)});
        };
        addModel(add);
        addCluster(add);
        addParallelism(add);
        addWork(add);
        m_served ? addServing(add) : addRecipe(add);
        return {std::move(table)};
    }

    template <class Add> void addModel(const Add& add) const
    {
        const Architecture& shape = m_plan.model.architecture;
        const ParameterCount& count = m_estimate.parameters;
        add(Sentence::tr("Model"), Sentence::verbatim(m_plan.model.name));
        if (count.total > 0) {
            const std::string total = largeNumberText(static_cast<double>(count.total));
            add(Sentence::tr("Parameters"),
                count.active != count.total ? Sentence::tr(
                    "{}, {} active for a token", {total, largeNumberText(static_cast<double>(count.active))})
                                            : Sentence::verbatim(total));
            if (count.trainable > 0 && count.trainable != count.total)
                add(Sentence::tr("Trained parameters"),
                    Sentence::verbatim(largeNumberText(static_cast<double>(count.trainable))));
        }
        add(Sentence::tr("Shape"),
            Sentence::tr("hidden {}, {} layers, {} heads ({} key/value), MLP {}, vocabulary {}",
                {shape.hidden_size, shape.num_hidden_layers, shape.num_attention_heads, shape.num_key_value_heads,
                    shape.intermediate_size, shape.vocab_size}));
        if (shape.moe)
            add(Sentence::tr("Experts"),
                Sentence::tr("{} of width {}, {} for each token, {} shared",
                    {shape.moe->num_experts, shape.moe->moe_intermediate_size, shape.moe->num_experts_per_tok,
                        shape.moe->num_shared_experts}));
    }

    template <class Add> void addCluster(const Add& add) const
    {
        const Cluster& cluster = m_plan.cluster;
        const std::string card = cluster.accelerator.name.empty() ? cluster.accelerator.id : cluster.accelerator.name;
        const Sentence size = memorySentence(cluster.accelerator);
        add(Sentence::tr("Cluster"),
            cluster.nodes == 1
                ? Sentence::tr("{} node x {} {} of {}", {cluster.nodes, cluster.cards_per_node, card, size})
                : Sentence::tr("{} nodes x {} {} of {}", {cluster.nodes, cluster.cards_per_node, card, size}));
        if (cluster.cards_per_node > 1) {
            const auto& own = cluster.accelerator.link ? cluster.accelerator.link : cluster.accelerator.pcie;
            add(Sentence::tr("Link inside a node"),
                cluster.intra_node ? linkSentence(*cluster.intra_node)
                    : own          ? cluster.accelerator.link
                                 ? Sentence::tr("the card's own link, {} GB/s each way", {inDigits(own->value(), 4)})
                                 : Sentence::tr("PCIe, {} GB/s each way", {inDigits(own->value(), 4)})
                                   : Sentence(Sentence::tr("unknown")));
        }
        if (cluster.nodes_per_domain > 1)
            add(Sentence::tr("Fast domain"),
                cluster.intra_domain
                    ? Sentence::tr("{} nodes: {}", {cluster.nodes_per_domain, linkSentence(*cluster.intra_domain)})
                    : Sentence::tr("{} nodes on the link inside a node", {cluster.nodes_per_domain}));
        if (cluster.nodes > cluster.nodes_per_domain)
            add(Sentence::tr("Network"),
                cluster.inter_node ? linkSentence(*cluster.inter_node) : Sentence(Sentence::tr("unknown")));
    }

    template <class Add> void addParallelism(const Add& add) const
    {
        const Parallelism& degrees = m_plan.parallelism;
        std::vector<Sentence> split;
        const auto degree = [&](Sentence words, bool shown) {
            if (shown) split.push_back(std::move(words));
        };
        degree(degrees.sequence ? Sentence::tr("tensor {} with sequence parallelism", {degrees.tensor})
                                : Sentence::tr("tensor {}", {degrees.tensor}),
            degrees.tensor > 1);
        degree(degrees.virtual_pipeline > 1
                ? Sentence::tr("pipeline {} of {} chunks each", {degrees.pipeline, degrees.virtual_pipeline})
                : Sentence::tr("pipeline {}", {degrees.pipeline}),
            degrees.pipeline > 1);
        degree(Sentence::tr("context {}", {degrees.context}), degrees.context > 1);
        degree(Sentence::tr("expert {}", {degrees.expert}), degrees.expert > 1);
        degree(Sentence::tr("data {}", {dataParallel(m_plan)}), true);
        add(Sentence::tr("Parallelism"), listed(split));
        const SplitRule rule = splitRule(m_plan);
        const auto layers = layerSplit(m_plan);
        constexpr std::size_t kMostListed = 32;
        if (rule != SplitRule::Even && layers && layers->size() <= kMostListed)
            add(Sentence::tr("Layers of the stages"),
                Sentence::tr("{} ({})", {fmt::format("{}", fmt::join(*layers, " ")), splitWords(rule)}));
    }

    template <class Add> void addWork(const Add& add) const
    {
        const Workload& work = m_plan.workload;
        add(Sentence::tr("Task"), labelOf(work.task));
        add(Sentence::tr("Batch"),
            m_served ? Sentence::tr("{} tokens x {} sequences at once, prompts of {} in a forward pass, {} per replica",
                {work.sequence_length, work.global_batch_size, work.micro_batch_size, microBatches(m_plan)})
                     : Sentence::tr("{} tokens x {} sequences per step, micro-batches of {}, {} per replica",
                         {work.sequence_length, work.global_batch_size, work.micro_batch_size, microBatches(m_plan)}));
        if (work.tokens) add(Sentence::tr("Tokens of the run"), Sentence::verbatim(largeNumberText(*work.tokens)));
        if (m_served && work.input_tokens && work.output_tokens)
            add(Sentence::tr("Requests"),
                Sentence::tr("{} tokens in and {} out in the mean", {*work.input_tokens, *work.output_tokens}));
    }

    template <class Add> void addServing(const Add& add) const
    {
        const Recipe& recipe = m_plan.recipe;
        add(Sentence::tr("Engine"), labelOf(engineOf(m_plan)));
        add(Sentence::tr("Weights"), labelOf(recipe.precision));
        add(Sentence::tr("KV cache"), labelOf(recipe.kv_cache_precision.value_or(Precision::Bf16)));
    }

    template <class Add> void addRecipe(const Add& add) const
    {
        const Recipe& recipe = m_plan.recipe;
        add(Sentence::tr("Framework"), labelOf(recipe.framework));
        add(Sentence::tr("Precision"), labelOf(recipe.precision));
        add(Sentence::tr("Optimizer"), labelOf(recipe.optimizer));
        add(Sentence::tr("Sharding"), labelOf(recipe.sharding));
        if (m_plan.parallelism.pipeline > 1) add(Sentence::tr("Schedule"), traits(recipe.schedule).label);
        add(Sentence::tr("Attention"), labelOf(recipe.attention));
        add(Sentence::tr("Recompute"), labelOf(recipe.recompute.granularity));
        if (const auto adapter = adapterOf(m_plan); adapter && trainsAdapters(m_plan))
            add(Sentence::tr("Adapter"), Sentence::tr("rank {}", {adapter->rank}));
        if (!recipe.software.empty()) add(Sentence::tr("Software"), Sentence::verbatim(recipe.software));
    }

    // ---- Memory

    [[nodiscard]] Parts memory() const
    {
        const std::size_t fullest = m_estimate.worstStage();
        const StageMemory& stage = m_estimate.stages[fullest];
        Parts parts{figure("memory", Sentence::tr("Memory per card"))};
        parts.push_back(DocumentHeading{say(Sentence::tr("Where the bytes of the fullest card go"))});
        DocumentTable table{{say(Sentence::tr("Segment")), say(Sentence::tr("Largest part of it")),
                                std::string(unitName(m_request.unit)), say(Sentence::tr("Share"))},
            {}, 2};
        for (std::size_t i = 0; i < kSegmentCount; ++i) {
            if (stage.bytes[i] == Bytes(0)) continue;
            const auto segment = static_cast<Segment>(i);
            const Phrase title = describeSegment(segment, m_estimate.task).title;
            const Sentence largest = largestTerm(stage, segment);
            table.rows.push_back({say(title), largest == Sentence(title) ? "" : say(largest),
                amountText(stage.bytes[i], m_request.unit), shareText(stage.bytes[i] / stage.capacity)});
        }
        table.rows.push_back({say(Sentence::tr("Device")), "", amountText(stage.device(), m_request.unit),
            shareText(stage.device() / stage.capacity)});
        table.rows.push_back(
            {say(Sentence::tr("Capacity")), "", amountText(stage.capacity, m_request.unit), shareText(1.0)});
        parts.push_back(std::move(table));
        if (m_estimate.stages.size() > 1) {
            parts.push_back(
                DocumentHeading{say(Sentence::tr("A card of each stage ({})", {unitName(m_request.unit)}))});
            parts.push_back(stageTable());
        }
        if (const Sentence host = hostSentence(m_estimate, m_request.unit); !host.empty())
            parts.push_back(DocumentText{say(Sentence::tr("Host memory: {}.", {host}))});
        if (m_estimate.server) {
            parts.push_back(DocumentHeading{say(Sentence::tr("Cache of one replica"))});
            parts.push_back(answers(serverRows(*m_estimate.server, m_request.unit)));
        }
        return parts;
    }

    [[nodiscard]] DocumentPart answers(const std::vector<ServerRow>& rows) const
    {
        DocumentTable table{{say(Sentence::tr("Question")), say(Sentence::tr("Answer"))}, {}, 2};
        for (const ServerRow& row : rows)
            table.rows.push_back({say(row.question), say(row.answer)});
        return table;
    }

    [[nodiscard]] DocumentPart figure(const char* name, const Sentence& caption) const
    {
        return DocumentFigure{name, say(caption)};
    }

    [[nodiscard]] static Sentence largestTerm(const StageMemory& stage, Segment segment)
    {
        const Term* largest = nullptr;
        for (const Term& term : stage.terms) {
            if (term.segment == segment && (largest == nullptr || term.bytes > largest->bytes)) largest = &term;
        }
        if (largest == nullptr || stage[segment] <= Bytes(0)) return {};
        const CatalogueEntry* entry = describeTerm(largest->id);
        const Sentence name = entry != nullptr ? Sentence(entry->title) : Sentence::verbatim(std::string(largest->id));
        constexpr double kWhole = 0.9995;
        const double share = largest->bytes / stage[segment];
        return share < kWhole ? Sentence::tr("{}, {}", {name, shareText(share)}) : name;
    }

    /// Segments that some stage has, and the total.
    [[nodiscard]] DocumentPart stageTable() const
    {
        DocumentTable table{{say(Sentence::tr("stage")), say(Sentence::tr("layers")),
                                say(m_served ? Sentence::tr("in the cache") : Sentence::tr("in flight"))},
            {}, 1};
        std::vector<std::size_t> segments;
        for (std::size_t i = 0; i < kSegmentCount; ++i) {
            if (std::ranges::all_of(
                    m_estimate.stages, [&](const StageMemory& one) { return one.bytes[i] == Bytes(0); }))
                continue;
            segments.push_back(i);
            table.header.push_back(say(segmentTitle(static_cast<Segment>(i), m_served)));
        }
        table.header.push_back(say(Sentence::tr("device")));
        table.header.push_back(say(Sentence::tr("free")));
        for (const StageMemory& stage : m_estimate.stages) {
            std::int64_t layers = 0;
            for (const auto& [first, end] : stage.chunks)
                layers += end - first;
            Row row{std::to_string(stage.stage), std::to_string(layers), fmt::format("{:g}", stage.in_flight)};
            for (const std::size_t segment : segments)
                row.push_back(amountText(stage.bytes[segment], m_request.unit));
            row.push_back(amountText(stage.device(), m_request.unit));
            row.push_back(amountText(stage.free(), m_request.unit));
            table.rows.push_back(std::move(row));
        }
        return table;
    }

    // ---- Time

    /// Null for a plan that trains, or whose server has room for no request.
    [[nodiscard]] const ServerPace* pace() const
    {
        return m_estimate.server && m_estimate.server->pace ? &*m_estimate.server->pace : nullptr;
    }

    [[nodiscard]] Parts timeline() const
    {
        if (const ServerPace* served = pace())
            return {figure("timeline", Sentence::tr("Users and their waits")), answers(paceRows(*served))};
        Parts parts{figure("timeline", Sentence::tr("Pipeline timeline"))};
        const Timeline& timeline = *m_estimate.timeline;
        if (m_served) {
            parts.push_back(DocumentText{
                say(Sentence::tr("The prefill of all prompts takes {}.", {shortTime(m_estimate.step.seconds)}))});
            return parts;
        }
        if (timeline.ranks.size() > 1) {
            parts.push_back(DocumentText{
                say(Sentence::tr("{}, {} micro-batches. Bubble: {} on stage {}, the busiest, {} of all card time.",
                    {traits(m_estimate.schedule).label, m_estimate.pipeline.micro_batches,
                        shareText(busiestBubble(m_estimate.step.parts, timeline)), busiestRank(timeline),
                        shareText(m_estimate.pipeline.bubble_fraction)}))});
        } else {
            parts.push_back(DocumentText{say(Sentence::tr(
                "No pipeline: {} micro-batches one after the other.", {m_estimate.pipeline.micro_batches}))});
        }
        return parts;
    }

    [[nodiscard]] Parts step() const
    {
        const StepEstimate& step = m_estimate.step;
        const std::vector<std::string> header{
            say(Sentence::tr("Part")), say(Sentence::tr("Time")), say(Sentence::tr("Share"))};
        Parts parts;
        if (const ServerPace* served = pace()) {
            parts.push_back(figure("step", Sentence::tr("From one token to the next")));
            DocumentTable token{header, {}, 1};
            for (const DecodePart& part : kDecodeParts) {
                const Seconds time = served->pace.parts.*part.time;
                if (time != Seconds(0.0))
                    token.rows.push_back({say(part.label), shortTime(time), shareText(time / served->pace.tpot())});
            }
            token.rows.push_back({say(Sentence::tr("Time per token")), shortTime(served->pace.tpot()), shareText(1.0)});
            parts.push_back(std::move(token));
        } else {
            parts.push_back(figure("step", Sentence::tr("Time of a step")));
        }
        DocumentTable table{header, {}, 1};
        for (const StepPartText& part : kStepPartTexts) {
            const Seconds time = step.parts[part.value];
            if (time != Seconds(0.0))
                table.rows.push_back({say(part.title), stepTimeText(time), shareText(time / step.seconds)});
        }
        table.rows.push_back({say(m_served ? Sentence::tr("Prefill of the prompts") : Sentence::tr("Step")),
            stepTimeText(step.seconds), shareText(1.0)});
        parts.push_back(std::move(table));
        addUtilization(parts);
        return parts;
    }

    void addUtilization(Parts& parts) const
    {
        std::vector<Row> rows = utilizationRows(m_estimate.step.utilization, m_translation);
        if (rows.size() < 2) return;
        parts.push_back(DocumentHeading{say(Sentence::tr("Utilisation by convention"))});
        DocumentTable table{rows.front(), {rows.begin() + 1, rows.end()}, 2};
        parts.push_back(std::move(table));
        DocumentList counted;
        for (const WorkDefinitionText& convention : workDefinitions()) {
            const auto defined = [&](const Utilization& made) {
                return made.definition == convention.definition && (made.mfu || made.hfu);
            };
            if (std::ranges::any_of(m_estimate.step.utilization, defined))
                counted.items.push_back(say(Sentence::tr("{}: {} per token of training. {} ({})",
                    {convention.title, convention.formula, convention.sentence, convention.source})));
        }
        parts.push_back(std::move(counted));
    }

    // ---- What the figures rest on, and what to start

    [[nodiscard]] Parts assumptions() const
    {
        Parts parts;
        DocumentList notes;
        for (const Check& check : m_estimate.checks) {
            if (check.severity != Severity::Error)
                notes.items.push_back(say(Sentence::tr("Note: {}: {}", {check.id, check.message})));
        }
        if (!notes.items.empty()) {
            parts.push_back(DocumentHeading{say(Sentence::tr("Rules"))});
            parts.push_back(std::move(notes));
        }
        if (!m_plan.assumed.empty()) {
            parts.push_back(DocumentHeading{say(Sentence::tr("What the import assumed"))});
            parts.push_back(DocumentList{m_plan.assumed});
        }
        parts.push_back(DocumentHeading{say(Sentence::tr("What the figures rest on"))});
        DocumentList rest;
        for (const Phrase point : m_served ? std::span<const Phrase>(kServing) : std::span<const Phrase>(kTraining))
            rest.items.push_back(say(point));
        if (m_plan.calibration)
            rest.items.push_back(say(Sentence::tr("Calibrated: {}.", {calibrationLine(*m_plan.calibration)})));
        if (!m_plan.cluster.accelerator.source.empty())
            rest.items.push_back(say(Sentence::tr(
                "The card's figures, its price among them, are from: {}", {m_plan.cluster.accelerator.source})));
        parts.push_back(std::move(rest));
        return parts;
    }

    static constexpr auto kServing = std::to_array<Phrase>({
        Sentence::tr("Memory is that of the end, when every sequence has its full length in the cache; device adds "
                     "communication libraries and the device context, and is compared with what CUDA gives of the "
                     "card."),
        Sentence::tr("Times and throughput of the prefill are those of the prompts' forward passes. Decoding, the "
                     "tokens that follow a prompt one by one, is timed in the steady state, when prompts arrive as "
                     "fast as answers end."),
    });
    static constexpr auto kTraining = std::to_array<Phrase>({
        Sentence::tr("Allocated memory is what torch.cuda.max_memory_allocated reports at its peak; reserved adds "
                     "what the caching allocator holds back; device adds communication libraries and the device "
                     "context, and is compared with what CUDA gives of the card."),
        Sentence::tr("Activations follow the simulated timeline, not a factor. Balanced experts are assumed unless "
                     "the plan says otherwise."),
        Sentence::tr("Step time is the simulated schedule of kernels at measured rates, with the collectives on "
                     "the links that they cross and what overlaps them, and the optimizer. Not in it: data "
                     "loading, checkpoints, failures and stragglers, packing of sequences of varying length, power "
                     "caps, and an uneven load of experts unless the plan gives one."),
        Sentence::tr("Days, card-hours, cost and energy follow from the step alone, without failures, restarts and "
                     "evaluations; energy is that of the cards at their rated power."),
    });

    [[nodiscard]] Parts launch() const
    {
        if (!m_request.launch) return {};
        Parts parts{DocumentText{say(m_request.launch->title)}, DocumentCode{m_request.launch->text}};
        if (m_request.launch->not_written.empty()) return parts;
        parts.push_back(DocumentText{say(Sentence::tr("Not in it:"))});
        DocumentList missing;
        for (const Sentence& note : m_request.launch->not_written)
            missing.items.push_back(say(note));
        parts.push_back(std::move(missing));
        return parts;
    }

    const DocumentRequest& m_request;
    const Plan& m_plan;
    const Estimate& m_estimate;
    const Translation& m_translation;
    bool m_served;
};

} // namespace

std::span<const DocumentTopicRow> documentTopics() { return kTopics; }

std::optional<DocumentTopic> documentTopicNamed(std::string_view word)
{
    const auto found = std::ranges::find(kTopics, word, &DocumentTopicRow::word);
    return found == kTopics.end() ? std::nullopt : std::optional(found->value);
}

Document planningDocument(const DocumentRequest& request, const Translation& translation)
{
    return PlanningDocument(request, translation).write();
}

std::vector<Sentence> planWarnings(const Estimate& estimate)
{
    std::vector<Sentence> warnings;
    if (!estimate.complete())
        warnings.push_back(Sentence::tr("The plan breaks a rule; there are no figures for it."));
    else if (breaksRule(estimate.checks))
        warnings.push_back(Sentence::tr("The plan breaks a rule: as it is, it cannot run."));
    const auto over = [](const StageMemory& stage) { return !isFit(verdict(stage)); };
    if (std::ranges::any_of(estimate.stages, over))
        warnings.push_back(Sentence::tr("The plan does not fit its cards."));
    return warnings;
}

} // namespace cardfit
