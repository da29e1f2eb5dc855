// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/planning_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/plan/names.h"

namespace cardfit {

namespace {

using Lines = std::string;

void row(Lines& text, std::string_view name, std::string_view value)
{
    text += fmt::format("| {} | {} |\n", name, value);
}

Lines tableHead(std::string_view first, std::string_view second)
{
    return fmt::format("| {} | {} |\n|---|---|\n", first, second);
}

Lines picture(std::string_view caption, const std::string& file)
{
    return file.empty() ? Lines() : fmt::format("![{}]({})\n\n", caption, file);
}

Lines inputs(const Plan& plan, const Estimate& estimate)
{
    const auto& model = plan.model.architecture;
    const auto& degrees = plan.parallelism;
    const auto& work = plan.workload;
    const auto& recipe = plan.recipe;
    Lines text = "## Inputs\n\n" + tableHead("Input", "Value");
    row(text, "Model",
        fmt::format("{}: {:.2f} B parameters, hidden {}, {} layers, {} heads ({} key/value), MLP {}, vocabulary {}",
            plan.model.name, static_cast<double>(estimate.parameters.total) / 1e9, model.hidden_size,
            model.num_hidden_layers, model.num_attention_heads, model.num_key_value_heads, model.intermediate_size,
            model.vocab_size));
    row(text, "Cluster",
        fmt::format("{} {} x {} {}, {} MiB each", plan.cluster.nodes, plan.cluster.nodes == 1 ? "node" : "nodes",
            plan.cluster.cards_per_node, plan.cluster.accelerator.name, plan.cluster.accelerator.memory.value()));
    row(text, "Parallelism",
        fmt::format("tensor {}{}, pipeline {} x {} chunks, context {}, expert {}, data {}", degrees.tensor,
            degrees.sequence ? " with sequence" : "", degrees.pipeline, degrees.virtual_pipeline, degrees.context,
            degrees.expert, dataParallel(plan)));
    row(text, "Batch",
        fmt::format("{} tokens x {} sequences per step, micro-batches of {}, {} per replica", work.sequence_length,
            work.global_batch_size, work.micro_batch_size, microBatches(plan)));
    row(text, "Recipe",
        fmt::format("{}, {}, optimizer {}, sharding {}, schedule {}, attention {}, loss {}, recompute {}",
            name(recipe.framework), name(recipe.precision), name(recipe.optimizer), name(recipe.sharding),
            name(recipe.schedule), name(recipe.attention), name(recipe.loss), name(recipe.recompute.granularity)));
    return text + "\n";
}

/// What the rows of the table count, in words.
Lines conventions(const StepEstimate& step)
{
    Lines text;
    for (const WorkDefinitionText& counted : workDefinitions()) {
        const auto defined = [&](const Utilization& made) {
            return made.definition == counted.definition && (made.mfu || made.hfu);
        };
        if (!std::ranges::any_of(step.utilization, defined)) continue;
        text += fmt::format("* {}: {} per token of training. {} ({})\n", counted.title.english, counted.formula,
            counted.sentence.english, counted.source);
    }
    return text + "\n";
}

Lines step(const Estimate& estimate)
{
    const StepEstimate& step = estimate.step;
    Lines text = "## Pipeline and step\n\n" + tableHead("Figure", "Value");
    row(text, "Schedule",
        fmt::format("{}, {} micro-batches", name(estimate.schedule), estimate.pipeline.micro_batches));
    row(text, "Idle time over makespan", fmt::format("{:.2f} %", 100.0 * estimate.pipeline.bubble_fraction));
    row(text, "Step", fmt::format("{:.3f} s", step.seconds.value()));
    const auto part = [&](std::string_view name, Seconds time) {
        if (time == Seconds(0.0)) return;
        row(text, name, fmt::format("{:.3f} s, {:.1f} %", time.value(), 100.0 * (time / step.seconds)));
    };
    const StepParts& parts = step.parts;
    part("of which compute", parts.compute);
    part("tensor parallelism", parts.tensor);
    part("pipeline transfers", parts.pipeline);
    part("bubble", parts.bubble);
    part("data parallelism", parts.data);
    part("expert parallelism", parts.expert);
    part("context parallelism", parts.context);
    part("optimizer", parts.optimizer);
    row(text, "Tokens per second",
        fmt::format("{:.0f}, {:.0f} per card", step.tokens_per_second, step.tokens_per_second_per_card));
    row(text, "Tokens per day", fmt::format("{:.4g} billion", tokensPerDay(step.tokens_per_second) / 1e9));
    row(text, "Model FLOPs utilisation",
        fmt::format("{:.1f} % (with recomputation {:.1f} %)", 100.0 * step.mfu, 100.0 * step.hfu));
    if (step.run) row(text, "Whole run", runText(*step.run));
    text += "\n";
    if (step.utilization.empty()) return text;
    return text + "## Utilisation by convention\n\n" + utilizationMarkdown(step) + "\n" + conventions(step);
}

Lines checks(const Estimate& estimate)
{
    if (estimate.checks.empty()) return {};
    Lines text = "## Rules\n\n";
    for (const Check& check : estimate.checks) {
        text += fmt::format("* {} {}: {}\n", check.severity == Severity::Error ? "Broken:" : "Note:", check.id,
            check.message.english());
    }
    return text + "\n";
}

constexpr std::string_view kAssumptions =
    "## What the figures rest on\n\n"
    "* Allocated memory is what torch.cuda.max_memory_allocated reports at its peak; reserved adds what the caching "
    "allocator holds back; device adds communication libraries and the device context, and is compared with the "
    "capacity that the driver reports.\n"
    "* Activations follow the simulated timeline, not a factor. Balanced experts are assumed unless the plan says "
    "otherwise.\n"
    "* Step time is the simulated schedule of kernels at measured rates, with the collectives on the links that they "
    "cross and what overlaps them, and the optimizer. Not in it: data loading, checkpoints, failures and stragglers, "
    "packing of sequences of varying length, power caps, and an uneven load of experts unless the plan gives one.\n"
    "* Days, card-hours, cost and energy follow from the step alone, without failures, restarts and evaluations; "
    "energy "
    "is that of the cards at their rated power.\n";

} // namespace

std::string planningReport(const Plan& plan, const Estimate& estimate, ByteUnit unit, const ReportPictures& pictures)
{
    Lines text = fmt::format("# {}\n\n", plan.name);
    if (estimate.complete) {
        text += fmt::format("**{}**\n\n", verdictLine(estimate, unit));
        text += picture("Memory per card", pictures.memory) + picture("Pipeline timeline", pictures.timeline);
    } else {
        text += "**The plan breaks a rule; there are no figures for it.**\n\n";
    }
    text += checks(estimate) + inputs(plan, estimate);
    if (estimate.complete) {
        text += fmt::format("## Memory per card\n\n{}\n", memoryMarkdown(estimate, unit)) + step(estimate);
    }
    return text + std::string(kAssumptions);
}

} // namespace cardfit
