// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/planning_report.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "core/files/foreign_text.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/choices.h"
#include "core/report/goodput_text.h"
#include "core/report/host_text.h"
#include "core/report/server_text.h"
#include "core/time/stated_utilization.h"
#include "core/time/step.h"

namespace cardfit {

namespace {

using Lines = std::string;

Lines picture(std::string_view caption, const std::string& file)
{
    return file.empty() ? Lines() : fmt::format("![{}]({})\n\n", caption, file);
}

std::string percent(double fraction, int decimals) { return fmt::format("{:.{}f} %", 100.0 * fraction, decimals); }

/// The contents of the report, in one language.
class Report {
public:
    Report(const Plan& plan, const Estimate& estimate, ByteUnit unit, const Translation& translation)
        : m_plan(plan)
        , m_estimate(estimate)
        , m_unit(unit)
        , m_translation(translation)
    {
    }

    [[nodiscard]] Lines write(const ReportPictures& pictures) const
    {
        Lines text = fmt::format("# {}\n\n", markdownText(m_plan.name));
        if (m_estimate.complete()) {
            text += fmt::format("**{}**\n\n", verdictLine(m_estimate, m_unit, m_translation)) + warnings();
            text += picture(say(Sentence::tr("Memory per card")), pictures.memory);
            text += picture(say(Sentence::tr("Pipeline timeline")), pictures.timeline);
        } else {
            text += warnings();
        }
        text += checks() + assumed() + inputs();
        if (m_estimate.complete()) {
            text += heading(Sentence::tr("Memory per card")) + memoryMarkdown(m_estimate, m_unit, m_translation) + "\n";
            if (const Sentence host = hostSentence(m_estimate, m_unit); !host.empty())
                text += say(Sentence::tr("Host memory: {}.", {host})) + "\n\n";
            text += server() + step();
        }
        return text + assumptions();
    }

private:
    static constexpr Phrase kRestOn = Sentence::tr("What the figures rest on");

    [[nodiscard]] std::string say(const Sentence& sentence) const { return sentence.in(m_translation); }

    [[nodiscard]] Lines warnings() const
    {
        Lines text;
        for (const Sentence& warning : planWarnings(m_estimate))
            text += fmt::format("**{}**\n\n", say(warning));
        return text;
    }

    [[nodiscard]] Lines heading(Phrase title) const { return fmt::format("## {}\n\n", say(title)); }

    [[nodiscard]] Lines tableHead(Phrase first, Phrase second) const
    {
        return fmt::format("| {} | {} |\n|---|---|\n", say(first), say(second));
    }

    [[nodiscard]] Lines row(Phrase name, const Sentence& value) const
    {
        return fmt::format("| {} | {} |\n", say(name), say(value));
    }

    [[nodiscard]] Lines inputs() const
    {
        const auto& model = m_plan.model.architecture;
        const auto& degrees = m_plan.parallelism;
        const auto& work = m_plan.workload;
        const auto& recipe = m_plan.recipe;
        const Cluster& cluster = m_plan.cluster;
        Lines text = heading(Sentence::tr("Inputs")) + tableHead(Sentence::tr("Input"), Sentence::tr("Value"));
        text += row(Sentence::tr("Model"),
            Sentence::tr("{}: {} B parameters, hidden {}, {} layers, {} heads ({} key/value), MLP {}, vocabulary {}",
                {markdownText(m_plan.model.name),
                    fmt::format("{:.2f}", static_cast<double>(m_estimate.parameters.total) / 1e9), model.hidden_size,
                    model.num_hidden_layers, model.num_attention_heads, model.num_key_value_heads,
                    model.intermediate_size, model.vocab_size}));
        const std::string card = markdownText(cluster.accelerator.name);
        const Sentence size = memorySentence(cluster.accelerator);
        text += row(Sentence::tr("Cluster"),
            cluster.nodes == 1
                ? Sentence::tr("{} node x {} {} of {}", {cluster.nodes, cluster.cards_per_node, card, size})
                : Sentence::tr("{} nodes x {} {} of {}", {cluster.nodes, cluster.cards_per_node, card, size}));
        const std::int64_t replicas = dataParallel(m_plan);
        text += row(Sentence::tr("Parallelism"),
            degrees.sequence ? Sentence::tr(
                "tensor {} with sequence, pipeline {} x {} chunks, context {}, expert {}, data {}",
                {degrees.tensor, degrees.pipeline, degrees.virtual_pipeline, degrees.context, degrees.expert, replicas})
                             : Sentence::tr("tensor {}, pipeline {} x {} chunks, context {}, expert {}, data {}",
                                 {degrees.tensor, degrees.pipeline, degrees.virtual_pipeline, degrees.context,
                                     degrees.expert, replicas}));
        if (work.task == Task::Inference) {
            text += row(Sentence::tr("Batch"),
                Sentence::tr("{} tokens x {} sequences at once, prompts of {} in a forward pass, {} per replica",
                    {work.sequence_length, work.global_batch_size, work.micro_batch_size, microBatches(m_plan)}));
            text += row(Sentence::tr("Recipe"),
                Sentence::tr("inference, weights {}, KV cache {}, attention {}",
                    {name(recipe.precision), name(recipe.kv_cache_precision.value_or(Precision::Bf16)),
                        name(recipe.attention)}));
            return text + "\n";
        }
        text += row(Sentence::tr("Batch"),
            Sentence::tr("{} tokens x {} sequences per step, micro-batches of {}, {} per replica",
                {work.sequence_length, work.global_batch_size, work.micro_batch_size, microBatches(m_plan)}));
        text += row(Sentence::tr("Recipe"),
            Sentence::tr("{}, {}, optimizer {}, sharding {}, schedule {}, attention {}, loss {}, recompute {}",
                {name(recipe.framework), name(recipe.precision), name(recipe.optimizer), name(recipe.sharding),
                    traits(recipe.schedule).label, name(recipe.attention), name(recipe.loss),
                    name(recipe.recompute.granularity)}));
        return text + "\n";
    }

    /// "71.0 % of the fp8 peak, 142.0 % of the bf16 peak".
    [[nodiscard]] static Sentence narrowUtilization(const StepEstimate& step)
    {
        const Utilization own = ownPeakFirst(step.utilization).front();
        return Sentence::tr("{} of the {} peak, {} of the {} peak",
            {percent(own.mfu.value_or(0.0), 1), own.peak.format, percent(step.mfu, 1),
                step.utilization.front().peak.format});
    }

    /// What the rows of the table count, in words.
    [[nodiscard]] Lines conventions() const
    {
        const StepEstimate& step = m_estimate.step;
        Lines text;
        for (const WorkDefinitionText& counted : workDefinitions()) {
            const auto defined = [&](const Utilization& made) {
                return made.definition == counted.definition && (made.mfu || made.hfu);
            };
            if (!std::ranges::any_of(step.utilization, defined)) continue;
            text += "* "
                + say(Sentence::tr("{}: {} per token of training. {} ({})",
                    {counted.title, counted.formula, counted.sentence, counted.source}))
                + "\n";
        }
        return text + "\n";
    }

    [[nodiscard]] Lines server() const
    {
        if (!m_estimate.server) return {};
        Lines text =
            heading(Sentence::tr("Cache of one replica")) + tableHead(Sentence::tr("Question"), Sentence::tr("Answer"));
        for (const ServerRow& one : serverRows(*m_estimate.server, m_unit))
            text += row(one.question, one.answer);
        if (!m_estimate.server->pace) return text + "\n";
        for (const ServerRow& one : paceRows(*m_estimate.server->pace))
            text += row(one.question, one.answer);
        return text + "\n";
    }

    [[nodiscard]] Lines step() const
    {
        const StepEstimate& step = m_estimate.step;
        const auto verbatim = [](const std::string& text) { return Sentence::verbatim(text); };
        const bool served = m_estimate.isServed();
        Lines text = heading(served ? Sentence::tr("Prefill of the prompts") : Sentence::tr("Pipeline and step"));
        text += tableHead(Sentence::tr("Figure"), Sentence::tr("Value"));
        if (!served) {
            text += row(Sentence::tr("Schedule"),
                Sentence::tr(
                    "{}, {} micro-batches", {traits(m_estimate.schedule).label, m_estimate.pipeline.micro_batches}));
        }
        const Timeline& timeline = *m_estimate.timeline;
        if (timeline.ranks.size() > 1) {
            text += row(Sentence::tr("Bubble"),
                Sentence::tr("{} on stage {}, the busiest, {} of all card time",
                    {percent(busiestBubble(step.parts, timeline), 1), busiestRank(timeline),
                        percent(m_estimate.pipeline.bubble_fraction, 1)}));
        }
        text += row(served ? Sentence::tr("Prefill") : Sentence::tr("Step"),
            verbatim(fmt::format("{:.3f} s", step.seconds.value())));
        const auto part = [&](Phrase name, Seconds time) {
            if (time == Seconds(0.0)) return;
            text += row(name, verbatim(fmt::format("{:.3f} s, {}", time.value(), percent(time / step.seconds, 1))));
        };
        const StepParts& parts = step.parts;
        part(Sentence::tr("of which compute"), parts.compute);
        part(Sentence::tr("tensor parallelism"), parts.tensor);
        part(Sentence::tr("pipeline transfers"), parts.pipeline);
        part(Sentence::tr("other waits of the busiest stage"), parts.bubble);
        part(Sentence::tr("data parallelism"), parts.data);
        part(Sentence::tr("expert parallelism"), parts.expert);
        part(Sentence::tr("context parallelism"), parts.context);
        part(Sentence::tr("optimizer"), parts.optimizer);
        text += row(served ? Sentence::tr("Prompt tokens per second") : Sentence::tr("Tokens per second"),
            Sentence::tr("{}, {} per card",
                {fmt::format("{:.0f}", step.tokens_per_second),
                    fmt::format("{:.0f}", step.tokens_per_second_per_card)}));
        text += row(served ? Sentence::tr("Prompt tokens per day") : Sentence::tr("Tokens per day"),
            Sentence::tr("{} billion", {fmt::format("{:.4g}", tokensPerDay(step.tokens_per_second) / 1e9)}));
        text += row(Sentence::tr("Model FLOPs utilisation"),
            hasNarrowPeak(step.utilization) ? narrowUtilization(step)
                : served                    ? verbatim(percent(step.mfu, 1))
                         : Sentence::tr("{} (with recomputation {})", {percent(step.mfu, 1), percent(step.hfu, 1)}));
        if (step.run) text += row(Sentence::tr("Whole run"), runSentence(*step.run));
        text += "\n" + goodput();
        if (step.utilization.empty()) return text;
        text += heading(Sentence::tr("Utilisation by convention"));
        return text + utilizationMarkdown(step.utilization, m_translation) + "\n" + conventions();
    }

    [[nodiscard]] Lines goodput() const
    {
        const auto said = goodputSentences(m_plan, m_estimate);
        if (said.empty()) return {};
        Lines text = heading(Sentence::tr("Checkpoints and failures"));
        for (const Sentence& sentence : said)
            text += "* " + say(sentence) + "\n";
        return text + "\n";
    }

    [[nodiscard]] Lines checks() const
    {
        if (m_estimate.checks.empty()) return {};
        Lines text = heading(Sentence::tr("Rules"));
        for (const Check& check : m_estimate.checks) {
            const Sentence what = check.severity == Severity::Error
                ? Sentence::tr("Broken: {}: {}", {check.id, check.message})
                : Sentence::tr("Note: {}: {}", {check.id, check.message});
            text += "* " + markdownText(say(what)) + "\n";
        }
        return text + "\n";
    }

    [[nodiscard]] Lines assumed() const
    {
        if (m_plan.assumed.empty()) return {};
        Lines text = heading(Sentence::tr("What the import assumed"));
        for (const std::string& sentence : m_plan.assumed)
            text += "* " + markdownText(sentence) + "\n";
        return text + "\n";
    }

    [[nodiscard]] Lines listOf(Phrase title, std::span<const Phrase> points) const
    {
        Lines text = heading(title);
        for (const Phrase point : points)
            text += "* " + say(point) + "\n";
        return text;
    }

    [[nodiscard]] Lines servingAssumptions() const
    {
        constexpr std::array kAssumptions{
            Sentence::tr("Memory is that of the end, when every sequence has its full length in the cache; device adds "
                         "communication libraries and the device context, and is compared with what CUDA gives of the "
                         "card."),
            Sentence::tr("Times and throughput of the prefill are those of the prompts' forward passes. Decoding, the "
                         "tokens that follow a prompt one by one, is timed in the steady state, when prompts arrive as "
                         "fast as answers end."),
        };
        return listOf(kRestOn, kAssumptions);
    }

    [[nodiscard]] Lines assumptions() const
    {
        if (m_plan.workload.task == Task::Inference) return servingAssumptions();
        constexpr std::array kAssumptions{
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
        };
        return listOf(kRestOn, kAssumptions);
    }

    const Plan& m_plan;
    const Estimate& m_estimate;
    ByteUnit m_unit;
    const Translation& m_translation;
};

} // namespace

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

std::string planningReport(const Plan& plan, const Estimate& estimate, ByteUnit unit, const ReportPictures& pictures,
    const Translation& translation)
{
    return Report(plan, estimate, unit, translation).write(pictures);
}

} // namespace cardfit
