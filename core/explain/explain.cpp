// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/explain.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/edit_distance.h"
#include "core/explain/catalogue.h"
#include "core/explain/counts.h"
#include "core/explain/figure_names.h"
#include "core/explain/rows.h"
#include "core/layers/layer_balance.h"
#include "core/pipeline/analysis/idle.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/choices.h"
#include "core/plan/engines.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

void addOnce(std::vector<std::string>& texts, std::string_view text)
{
    if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.emplace_back(text);
}
void addOnce(std::vector<Sentence>& texts, Sentence text)
{
    if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
}

std::vector<std::string> nearest(std::vector<std::string> names, std::string_view wanted)
{
    constexpr std::size_t kShown = 4;
    std::ranges::stable_sort(names, {}, [&](const std::string& name) { return editDistance(name, wanted); });
    names.resize(std::min(names.size(), kShown));
    return names;
}

/// Builds the explanation of one figure.
class Explainer {
public:
    Explainer(const Plan& plan, const Estimate& estimate)
        : m_plan(plan)
        , m_estimate(estimate)
    {
    }

    Explanation stageFigure(std::size_t index, std::string_view name, FigureValue value)
    {
        const StageMemory& stage = m_estimate.stages[index];
        m_result.figure = fmt::format("stage{}.{}", index, name);
        m_result.total = value;
        m_prefix = fmt::format("stage{}.", index);
        if (const auto segment = segmentNamed(name)) {
            explainSegment(stage, *segment);
        } else if (namesTotal(name)) {
            describe(*describeFigure(name, m_plan.workload.task));
            explainTotal(stage, name);
        } else {
            explainTerm(stage, name);
        }
        m_result.title = Sentence::tr("Stage {}: {}", {index, m_result.title});
        useSymbols(symbols(m_plan, m_estimate, index));
        return finish();
    }

    Explanation wholeFigure(std::string_view figure, FigureValue value)
    {
        m_result.figure = figure;
        m_result.total = value;
        if (const auto utilization = utilizationNamed(m_estimate.step, figure)) {
            explainUtilization(*utilization);
            return finish();
        }
        describe(*describeFigure(figure, m_plan.workload.task));
        const FigureName name = splitName(figure);
        if (name.scope == "parameters") explainParameters(name.rest);
        if (figure == "pipeline.bubble_fraction") explainBubble();
        if (figure == "step.seconds") explainStep();
        if (name.scope == "step" && stepPartNamed(name.rest)) {
            m_result.parent = "step.seconds";
            m_result.rows = stepRows(m_plan, m_estimate, name.rest);
        }
        if (figure == "server.cache") explainCache();
        if (figure == "host.memory") explainHost();
        if (name.scope == "server") explainServer(figure);
        if (figure == "step.mfu" || figure == "step.hfu") nameOtherConventions(figure == "step.hfu");
        addFormula(figure);
        return finish();
    }

private:
    void describe(const CatalogueEntry& entry)
    {
        m_result.title = entry.title;
        m_result.sentence = entry.sentence;
        cite(entry);
    }
    void cite(const CatalogueEntry& entry)
    {
        addOnce(m_result.sources, entry.source);
        addOnce(m_result.left_out, entry.left_out);
    }

    /// A row that other figures explain.
    void addSum(std::string figure, const CatalogueEntry& entry, FigureValue value, Band band = {})
    {
        ExplanationRow row;
        row.figure = std::move(figure);
        row.id = entry.id;
        row.title = entry.title;
        row.sentence = entry.sentence;
        row.value = value;
        row.band = band;
        m_result.rows.push_back(std::move(row));
    }
    void addSegment(const StageMemory& stage, Segment segment)
    {
        if (stage[segment] == Bytes(0)) return;
        Band band;
        for (const Term& term : stage.terms) {
            if (term.segment != segment) continue;
            band.below += term.band.below;
            band.above += term.band.above;
        }
        const CatalogueEntry& entry = describeSegment(segment, m_plan.workload.task);
        addSum(m_prefix + std::string(nameOf(segment)), entry, memoryValue(stage[segment]), band);
        cite(entry);
    }
    void addTerm(const Term& term, const CountMeaning& counts)
    {
        ExplanationRow row;
        row.figure = m_prefix + termFigure(term);
        row.id = term.id;
        row.title = Sentence::verbatim(std::string(term.id));
        if (const auto* entry = describeTerm(term.id)) {
            row.title = entry->title;
            row.sentence = entry->sentence;
            cite(*entry);
        }
        row.count = term.count;
        row.count_meaning = counts.of(term);
        row.formula = term.formula;
        row.value = memoryValue(term.bytes);
        row.band = term.band;
        m_result.rows.push_back(std::move(row));
    }
    void addNumbers(std::string_view id, Sentence title, std::string formula, double value)
    {
        ExplanationRow row;
        row.id = id;
        row.title = std::move(title);
        row.formula = std::move(formula);
        row.value = {m_result.total.unit, {}, value};
        if (row.value.unit == FigureUnit::Memory) row.value = m_result.total;
        m_result.rows.push_back(std::move(row));
    }

    void explainSegment(const StageMemory& stage, Segment segment)
    {
        describe(describeSegment(segment, m_plan.workload.task));
        m_result.parent = m_prefix + "device";
        const CountMeaning counts(m_plan, stage);
        for (const Term& term : stage.terms) {
            if (term.segment == segment) addTerm(term, counts);
        }
        largestFirst();
        if (segment == Segment::Activations || segment == Segment::Temporary)
            m_result.sentence = joined(m_result.sentence, when(stage));
    }

    void explainTerm(const StageMemory& stage, std::string_view name)
    {
        const auto terms = termsNamed(stage, name);
        if (const auto* entry = describeTerm(terms.front().id)) describe(*entry);
        m_result.parent = m_prefix + std::string(nameOf(terms.front().segment));
        const CountMeaning counts(m_plan, stage);
        for (const Term& term : terms) {
            addTerm(term, counts);
            m_result.rows.back().figure.clear(); // it is the figure that is explained
        }
    }

    void explainTotal(const StageMemory& stage, std::string_view name)
    {
        if (name == "capacity") {
            const Accelerator& card = m_plan.cluster.accelerator;
            const Mebibytes size = card.usable.value_or(card.memory);
            addNumbers("capacity",
                Sentence::verbatim(fmt::format("{} MiB", groupedNumber(static_cast<double>(size.value())))),
                fmt::format("{} {}", size.value(), 1 << 20), 0.0);
            addOnce(m_result.sources, card.source);
            m_result.sentence = joined(m_result.sentence,
                card.usable
                    ? Sentence::tr("nvidia-smi prints a total of {} MiB, with what the driver keeps for itself.",
                        {groupedNumber(static_cast<double>(card.memory.value()))})
                    : Sentence::tr("The card does not say what CUDA gives (usable_mib): its total counts."));
            return;
        }
        if (name == "in_flight") {
            explainInFlight(stage);
            return;
        }
        for (const Segment segment : {Segment::Weights, Segment::Gradients, Segment::Optimizer, Segment::Activations}) {
            addSegment(stage, segment);
        }
        if (name == "peak") {
            explainPeak(stage);
        } else {
            addSegment(stage, Segment::Temporary);
        }
        if (name == "reserved" || name == "device") addSegment(stage, Segment::Reserve);
        if (name == "device") {
            addSegment(stage, Segment::Communication);
            addSegment(stage, Segment::DeviceContext);
        }
        largestFirst();
        if (name != "device") return;
        m_result.sentence = joined(m_result.sentence, standing(stage));
        const SplitRule rule = splitRule(m_plan);
        if (rule != SplitRule::Even && rule != SplitRule::Listed)
            m_result.sentence = joined(m_result.sentence, Sentence::tr("Layers are split {}.", {splitWords(rule)}));
    }

    void explainPeak(const StageMemory& stage)
    {
        const CountMeaning counts(m_plan, stage);
        for (const Term& term : stage.terms) {
            if (term.segment == Segment::Temporary) addTerm(term, counts);
        }
        const auto* event = describeEvent(stage.peak_event);
        if (event != nullptr) {
            m_result.title = Sentence::tr("Peak: {}", {event->title});
            cite(*event);
        }
        m_result.sentence = when(stage);
        if (event != nullptr) m_result.sentence = joined(m_result.sentence, event->sentence);
    }

    void explainInFlight(const StageMemory& stage)
    {
        const std::int64_t chunks = chunksInPipe(m_plan);
        const Sentence held = stage.chunks.size() > 1
            ? Sentence::tr("{} passes of {} chunks", {stage.peak_chunks, stage.chunks.size()})
            : Sentence::tr("{} of {}", {stage.peak_chunks, m_estimate.pipeline.micro_batches});
        m_result.sentence = joined(m_result.sentence,
            Sentence::tr(
                "Schedule {}: {} at most on stage {}.", {traits(m_estimate.schedule).label, held, stage.stage}));
        addNumbers("passes", Sentence::tr("Forward passes held"),
            chunks > 1 ? fmt::format("{} / {}", stage.peak_chunks, chunks) : std::to_string(stage.peak_chunks),
            stage.in_flight);
    }

    /// "Stage 0 holds most at 1.25 s, in the backward pass of micro-batch 3: mlp.down.backward."
    [[nodiscard]] Sentence when(const StageMemory& stage) const
    {
        const auto* event = describeEvent(stage.peak_event);
        const Sentence doing = event != nullptr ? event->title : Sentence::verbatim(std::string(stage.peak_event));
        const auto& operations = m_estimate.timeline->ranks[static_cast<std::size_t>(stage.stage)];
        if (stage.peak_event == "backward.last_reduction") {
            return Sentence::tr("Stage {} holds most at the end of the backward pass, when the gradients of the last "
                                "unit are reduced.",
                {stage.stage});
        }
        if (stage.peak_event == "optimizer.step" || stage.peak_operation >= operations.size()) {
            return Sentence::tr(
                "Stage {} holds most in the optimizer step, after all activations are freed.", {stage.stage});
        }
        if (m_estimate.isServed()) {
            return Sentence::tr("Stage {} holds most at the end, in the {} ({}): {} s into the prefill if each prompt "
                                "has its full length.",
                {stage.stage, passes(operations[stage.peak_operation].operation), doing.withinAnother(),
                    fmt::format("{:.3f}", stage.peak_time)});
        }
        return Sentence::tr("Stage {} holds most {} s into the step, in the {} ({}).",
            {stage.stage, fmt::format("{:.3f}", stage.peak_time), passes(operations[stage.peak_operation].operation),
                doing.withinAnother()});
    }

    /// "backward pass of micro-batch 3".
    [[nodiscard]] static Sentence passes(const Operation& operation)
    {
        const std::int32_t backward = operation.backwardPass().microbatch;
        switch (operation.kind) {
        case OperationKind::Forward: return Sentence::tr("forward pass of micro-batch {}", {operation.microbatch});
        case OperationKind::Overlapped:
            return Sentence::tr("forward pass of micro-batch {} together with the backward pass of micro-batch {}",
                {operation.microbatch, backward});
        case OperationKind::BackwardInput:
            return Sentence::tr("input half of the backward pass of micro-batch {}", {backward});
        default: return Sentence::tr("backward pass of micro-batch {}", {backward});
        }
    }

    [[nodiscard]] static Sentence standing(const StageMemory& stage)
    {
        const std::string share = fmt::format("{:.1f}", 100.0 * (stage.device() / stage.capacity));
        if (verdict(stage) == Verdict::Refused)
            return Sentence::tr("Stage {} takes {} % of the card, but the server does not start: its cache does not "
                                "hold one sequence.",
                {stage.stage, share});
        return isFit(verdict(stage))
            ? Sentence::tr("Stage {} takes {} % of the card.", {stage.stage, share})
            : Sentence::tr("Stage {} takes {} % of the card: it does not fit.", {stage.stage, share});
    }

    void explainParameters(std::string_view which)
    {
        if (which == "total") m_result.rows = parameterRows(m_plan, CountedParameters::Total);
        if (which == "active") m_result.rows = parameterRows(m_plan, CountedParameters::Active);
        if (which == "trainable" && m_result.total.number > 0.0) {
            m_result.rows = parameterRows(m_plan,
                trainsAdapters(m_plan)     ? CountedParameters::Adapters
                    : trainsVision(m_plan) ? CountedParameters::Total
                                           : CountedParameters::Learned);
        }
        if (which != "total") m_result.parent = "parameters.total";
    }

    /// "fill 0.250000 s, drain 0.500000 s"; empty if there is no idle time.
    static Sentence causes(const IdleTimes& idle, double factor, int digits, std::string_view unit)
    {
        std::vector<Sentence> words;
        for (const IdleCause cause : kIdleCauses) {
            if (idle[cause] <= 0.0) continue;
            words.push_back(Sentence::tr(
                "{} {} {}", {idleCauseWords(cause), fmt::format("{:.{}f}", factor * idle[cause], digits), unit}));
        }
        return listed(words);
    }

    void explainBubble()
    {
        const Timeline& timeline = *m_estimate.timeline;
        const auto ranks = static_cast<double>(timeline.ranks.size());
        const double p = ranks;
        const auto m = static_cast<double>(m_estimate.pipeline.micro_batches);
        m_result.sentence = joined(m_result.sentence,
            Sentence::tr("That formula gives {} % here; relative to the work, idle time is {} %.",
                {fmt::format("{:.2f}", 100.0 * (p - 1.0) / (m + p - 1.0)),
                    fmt::format("{:.2f}", 100.0 * m_estimate.pipeline.bubble_over_ideal)}));
        const std::vector<IdleTimes> idle = idleTimes(timeline);
        const IdleTimes all = sum(idle);
        if (const Sentence why = causes(all, 100.0 / all.total(), 1, "%"); !why.empty())
            m_result.sentence = joined(m_result.sentence, Sentence::tr("Idle time by cause: {}.", {why}));
        for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
            const double busy = busyTime(timeline, rank);
            addNumbers(fmt::format("stage{}", rank), Sentence::tr("Idle time of stage {}", {rank}),
                fmt::format("({:.6f} - {:.6f}) / ({:.6f} {})", timeline.makespan, busy, timeline.makespan, ranks),
                (timeline.makespan - busy) / (timeline.makespan * ranks));
            if (const Sentence why = causes(idle[rank], 1.0, 6, "s"); !why.empty())
                m_result.rows.back().sentence = Sentence::tr("Of it: {}.", {why});
        }
    }

    void explainStep()
    {
        const StepParts& parts = m_estimate.step.parts;
        for (std::size_t i = 0; i < kStepPartCount; ++i) {
            const auto part = static_cast<StepPart>(i);
            const Seconds value = parts[part];
            const std::string figure = fmt::format("step.{}", stepPartName(part));
            if (value.value() == 0.0) continue;
            addSum(figure, *describeFigure(figure, m_plan.workload.task), timeValue(value));
        }
    }

    /// What the fullest node holds while it runs.
    void explainHost()
    {
        if (m_estimate.hosts.empty()) return;
        const HostMemory& host = m_estimate.hosts[m_estimate.fullestHost()];
        const auto add = [&](HostPart part, Sentence title) {
            const Bytes bytes = host[part];
            if (bytes == Bytes(0)) return;
            ExplanationRow row;
            row.id = hostPartName(part);
            row.title = std::move(title);
            row.formula = fmt::format("{}", bytes.value());
            row.value = memoryValue(bytes);
            m_result.rows.push_back(std::move(row));
        };
        add(HostPart::Weights, Sentence::tr("Offloaded weights"));
        add(HostPart::Gradients, Sentence::tr("Offloaded gradients, and copies for the optimizer"));
        add(HostPart::Optimizer, Sentence::tr("Offloaded optimizer states"));
        add(HostPart::Activations, Sentence::tr("Offloaded activations"));
        add(HostPart::Processes,
            m_estimate.isServed() ? Sentence::tr("Processes") : Sentence::tr("Processes and data loaders"));
        m_result.sentence = joined(m_result.sentence,
            host.capacity
                ? Sentence::tr(
                    "Node {}, {} cards of the plan, has {} bytes.", {host.node, host.cards, host.capacity->value()})
                : Sentence::tr("Node {}, {} cards of the plan; its memory is not known.", {host.node, host.cards}));
    }

    /// The parts into which a server divides its share of a card.
    void explainCache()
    {
        const ServerCapacity& server = m_estimate.server->capacity;
        const auto add = [&](std::string_view id, Sentence title, std::string formula, Bytes bytes) {
            ExplanationRow row;
            row.id = id;
            row.title = std::move(title);
            row.formula = std::move(formula);
            row.value = memoryValue(bytes);
            m_result.rows.push_back(std::move(row));
        };
        const auto taken = [&](std::string_view id, Sentence title, Bytes bytes) {
            if (bytes != Bytes(0)) add(id, std::move(title), fmt::format("-{}", bytes.value()), Bytes(0) - bytes);
        };
        add("budget", Sentence::tr("The server's share of the card"), "u_g C", server.budget);
        taken("weights", Sentence::tr("Weights"), server.weights);
        taken("activations", Sentence::tr("The largest forward pass, and buffers"), server.activations);
        taken("outside", Sentence::tr("Outside the allocator"), server.outside);
        if (const Bytes over = Bytes(0) - server.rest(); over > Bytes(0))
            add("missing", Sentence::tr("More than the share: missing"), fmt::format("{}", over.value()), over);
        useSymbols({
            // Of what weights leave, TensorRT-LLM is told a share; then this one follows.
            {"u_g", server.utilization, Sentence::tr("share of a card that the server fills"),
                traits(engineOf(m_plan)).shares_what_is_left ? std::string_view("estimate")
                                                             : pointerOf<&Recipe::gpu_memory_utilization>},
            {"C", static_cast<double>(usableMemory(m_plan.cluster.accelerator).value()),
                Sentence::tr("bytes of a card"), pointerOf<&Accelerator::usable>},
        });
        m_result.sentence = joined(m_result.sentence,
            Sentence::tr("Stage {} has the least room: {} tokens.", {server.stage, server.tokens()}));
    }

    /// How fast the server answers, and where its figures lead.
    void explainServer(std::string_view figure)
    {
        if (!isPaceFigure(figure)) {
            if (figure != "server.cache") m_result.parent = "server.cache";
            return;
        }
        const ServerPace& pace = *m_estimate.server->pace;
        if (figure != kTokenTimeFigure) m_result.parent = kTokenTimeFigure;
        if (const DecodePart* part = decodePartNamed(figure)) {
            m_result.rows = decodeRows(m_plan, pace, *part);
            return useSymbols(decodeSymbols(m_plan, pace));
        }
        if (figure == kTokenTimeFigure) {
            for (const DecodePart& part : kDecodeParts) {
                const Seconds time = pace.pace.parts.*part.time;
                std::string name = fmt::format("{}.{}", kTokenTimeFigure, part.name);
                if (time == Seconds(0.0)) continue;
                const CatalogueEntry& entry = *describeFigure(name, m_plan.workload.task);
                addSum(std::move(name), entry, timeValue(time));
            }
            m_result.sentence = joined(m_result.sentence,
                Sentence::tr("With {} sequences at once in each replica.", {fmt::format("{:.6g}", pace.sequences)}));
        }
        if (figure == "server.users_within_limits") {
            m_result.sentence = joined(m_result.sentence, Sentence::tr("What binds: {}.", {bindingWords(pace)}));
        }
        if (pace.queue > 0.0 && figure.starts_with("server.output"))
            m_result.sentence = joined(m_result.sentence,
                Sentence::tr("The queue of {} requests takes full waves and one of the rest.",
                    {fmt::format("{:.6g}", pace.queue)}));
    }
    [[nodiscard]] static Phrase bindingWords(const ServerPace& pace)
    {
        switch (pace.users.binds) {
        case ServingBound::Tpot: return Sentence::tr("the limit of the time per token");
        case ServingBound::Ttft: return Sentence::tr("the limit of the time to the first token");
        case ServingBound::Cache: return Sentence::tr("the cache");
        case ServingBound::Engine: break;
        }
        return Sentence::tr("how many sequences the engine admits");
    }

    void explainUtilization(const UtilizationFigure& figure)
    {
        const Utilization& made = *figure.made;
        const WorkDefinitionText& counted = describeWork(made.definition);
        m_result.title = figure.hardware ? Sentence::tr("Hardware FLOPs utilization, {}", {counted.title})
                                         : Sentence::tr("Model FLOPs utilization, {}", {counted.title});
        m_result.sentence = joined(
            Sentence::tr("Of the dense {} peak, by {} per token of training.", {made.peak.format, counted.formula}),
            counted.sentence);
        addOnce(m_result.sources, counted.source);
        m_result.parent = figure.hardware ? "step.hfu" : "step.mfu";
        const Teraflops rate = figure.hardware ? *made.hardware_tflops_per_card : *made.model_tflops_per_card;
        const double speed = m_estimate.step.tokens_per_second_per_card;
        addNumbers(counted.name, counted.title, "X_t S / Y", m_result.total.number);
        useSymbols({
            {"X_t", rate.value() / speed, Sentence::tr("work of a token by this convention, 10^12 FLOP"), "estimate"},
            {"S", speed, Sentence::tr("tokens per second and card"), "estimate"},
            {"Y", made.peak.rate.value(), Sentence::tr("dense peak of the card, 10^12 FLOP/s"),
                pointerOf<&Accelerator::tflops>},
        });
    }

    /// "By other conventions: Full attention (bf16 peak) 47.1 %, PaLM (bf16 peak) 49.5 %."
    void nameOtherConventions(bool hardware)
    {
        std::vector<Sentence> others;
        for (const UtilizationFigure& figure : utilizationFigures(m_estimate.step)) {
            if (figure.hardware != hardware) continue;
            others.push_back(Sentence::tr("{} ({} peak) {} %",
                {describeWork(figure.made->definition).title, figure.made->peak.format,
                    fmt::format("{:.1f}", 100.0 * figure.value())}));
        }
        if (others.empty()) return;
        m_result.sentence = joined(m_result.sentence, Sentence::tr("By other conventions: {}.", {listed(others)}));
    }

    void useServerSymbols(const ServerAnswers& answers)
    {
        if (answers.pace && isPaceFigure(m_result.figure)) return useSymbols(decodeSymbols(m_plan, *answers.pace));
        const ServerCapacity& server = answers.capacity;
        useSymbols({
            {"p_b", static_cast<double>(kCacheBlock), Sentence::tr("tokens of a block of the cache"), "vLLM"},
            {"n_b", static_cast<double>(server.blocks),
                Sentence::tr("blocks in the cache, of sequences at the plan's length"), "estimate"},
            {"n_l", static_cast<double>(server.longest_blocks),
                Sentence::tr("blocks of one sequence that has all of the cache"), "estimate"},
            {"C_a", static_cast<double>(server.cache.value()), Sentence::tr("bytes of the cache"), "estimate"},
            {"C_s", static_cast<double>(server.per_sequence.value()),
                Sentence::tr("bytes that a sequence of the plan's length takes, in whole blocks"),
                pointerOf<&Workload::sequence_length>},
        });
    }

    /// Explains figures that are quotients of a few numbers.
    void addFormula(std::string_view figure)
    {
        const StepEstimate& step = m_estimate.step;
        const double per_card = step.model_tflops_per_card.value();
        const auto& work = m_plan.workload;
        const std::int64_t cards = cardsUsed(m_plan);
        const WholeFigure* whole = wholeFigureNamed(figure);
        if (whole == nullptr || whole->formula.empty()) return;
        if (figure == "server.sequences" && m_estimate.server->capacity.per_sequence == Bytes(0)) return;
        const bool in_waves = m_estimate.server && m_estimate.server->pace && m_estimate.server->pace->queue > 0.0;
        if (in_waves && figure.starts_with("server.output")) return;
        addNumbers(splitName(figure).rest, m_result.title, std::string(whole->formula), m_result.total.number);
        if (m_estimate.server && figure.starts_with("server.")) return useServerSymbols(*m_estimate.server);
        const double peak = step.mfu > 0.0 ? per_card / step.mfu : 0.0;
        const double time = step.seconds.value();
        useSymbols({
            {"G", static_cast<double>(work.global_batch_size), Sentence::tr("sequences per step"),
                pointerOf<&Workload::global_batch_size>},
            {"b", static_cast<double>(work.micro_batch_size), Sentence::tr("sequences of a micro-batch"),
                pointerOf<&Workload::micro_batch_size>},
            {"s", static_cast<double>(work.sequence_length), Sentence::tr("tokens of a sequence"),
                pointerOf<&Workload::sequence_length>},
            {"m", static_cast<double>(m_estimate.pipeline.micro_batches),
                Sentence::tr("micro-batches per step and replica"), "derived"},
            {"N_d", static_cast<double>(dataParallel(m_plan)), Sentence::tr("data-parallel replicas"),
                pointerOf<&Parallelism::data>},
            {"C", static_cast<double>(cards), Sentence::tr("cards"), "derived"},
            {"Z", time, Sentence::tr("seconds of a step"), "estimate"},
            {"X", per_card * time, Sentence::tr("useful work of one card in a step, 10^12 FLOP"), "estimate"},
            {"X_e", step.hfu * peak * time, Sentence::tr("executed work of one card in a step, 10^12 FLOP"),
                "estimate"},
            {"Y", peak, Sentence::tr("dense 16-bit peak of the card, 10^12 FLOP/s"), pointerOf<&Accelerator::tflops>},
        });
    }

    void largestFirst()
    {
        std::ranges::stable_sort(
            m_result.rows, std::ranges::greater{}, [](const ExplanationRow& row) { return row.value.bytes; });
    }

    /// Keeps the symbols of the rows' formulas, in the order in which these use them.
    void useSymbols(const std::vector<Symbol>& known)
    {
        std::vector<std::string> used;
        for (const ExplanationRow& row : m_result.rows) {
            const auto formula = Formula::parse(row.formula);
            if (!formula) continue;
            for (const std::string& name : formula->symbols())
                addOnce(used, name);
        }
        for (const std::string& name : used) {
            const auto symbol = std::ranges::find(known, name, &Symbol::name);
            if (symbol != known.end()) m_result.symbols.push_back(*symbol);
        }
    }

    Explanation finish()
    {
        for (const ExplanationRow& row : m_result.rows) {
            m_result.band.below += row.band.below;
            m_result.band.above += row.band.above;
        }
        for (const Check& check : m_estimate.checks) {
            if (check.severity != Severity::Error) continue;
            addOnce(m_result.left_out,
                Sentence::tr("The plan breaks {}, so a framework would refuse it: {}.", {check.id, check.message}));
        }
        return std::move(m_result);
    }

    const Plan& m_plan;
    const Estimate& m_estimate;
    std::string m_prefix; ///< "stage0."
    Explanation m_result;
};

} // namespace

Result<Explanation> explain(const Plan& plan, const Estimate& estimate, std::string_view figure)
{
    if (!estimate.complete()) {
        return fail(ErrorCode::OutOfRange, std::string(figure),
            Sentence::tr("the plan breaks a rule that prevents its estimate"));
    }
    if (const auto value = figureValue(estimate, figure)) {
        const FigureName name = splitName(figure);
        const auto stage = stageNamed(name.scope, estimate);
        if (!stage) return Explainer(plan, estimate).wholeFigure(figure, *value);
        return Explainer(plan, estimate).stageFigure(*stage, name.rest.empty() ? "device" : name.rest, *value);
    }
    if (isPaceFigure(figure) && estimate.server && !estimate.server->pace)
        return fail(ErrorCode::OutOfRange, std::string(figure),
            Sentence::tr("the server does not start, or holds no sequence: it has no times"));
    return fail(ErrorCode::Usage, std::string(figure),
        Sentence::tr("there is no such figure; the nearest are {}",
            {fmt::format("{}", fmt::join(nearest(figures(estimate), figure), ", "))}));
}

std::string inSymbols(const ExplanationRow& row, Notation notation)
{
    const auto formula = Formula::parse(row.formula);
    if (!formula || formula->symbols().empty()) return {};
    return formula->inSymbols(notation);
}

std::string inNumbers(const Explanation& explanation, const ExplanationRow& row, Notation notation)
{
    const auto formula = Formula::parse(row.formula);
    if (!formula) return {};
    return formula->inNumbers(notation, valuesOf(explanation.symbols)).value_or(std::string());
}

} // namespace cardfit
