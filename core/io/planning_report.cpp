// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/planning_report.h"

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

Lines step(const Estimate& estimate)
{
    const StepEstimate& step = estimate.step;
    Lines text = "## Pipeline and step\n\n" + tableHead("Figure", "Value");
    row(text, "Schedule",
        fmt::format("{}, {} micro-batches", name(estimate.schedule), estimate.pipeline.micro_batches));
    row(text, "Idle time over makespan", fmt::format("{:.2f} %", 100.0 * estimate.pipeline.bubble_fraction));
    row(text, "Step", fmt::format("{:.3f} s", step.seconds.value()));
    row(text, "of which compute, bubble, optimizer",
        fmt::format("{:.3f} s, {:.3f} s, {:.3f} s", step.parts.compute.value(), step.parts.bubble.value(),
            step.parts.optimizer.value()));
    row(text, "Tokens per second",
        fmt::format("{:.0f}, {:.0f} per card", step.tokens_per_second, step.tokens_per_second_per_card));
    row(text, "Model FLOPs utilisation",
        fmt::format("{:.1f} % (with recomputation {:.1f} %)", 100.0 * step.mfu, 100.0 * step.hfu));
    return text + "\n";
}

Lines checks(const Estimate& estimate)
{
    if (estimate.checks.empty()) return {};
    Lines text = "## Rules\n\n";
    for (const Check& check : estimate.checks) {
        text += fmt::format(
            "* {} {}: {}\n", check.severity == Severity::Error ? "Broken:" : "Note:", check.id, check.message);
    }
    return text + "\n";
}

constexpr std::string_view kAssumptions =
    "## What the figures rest on\n\n"
    "* Allocated memory is what torch.cuda.max_memory_allocated reports at its peak; reserved adds what the caching "
    "allocator holds back; device adds communication libraries and the device context, and is compared with the "
    "capacity that the driver reports.\n"
    "* Activations follow the simulated timeline, not a factor. Balanced experts are assumed.\n"
    "* Step time is computation at the card's sustained rate, the bubble and the optimizer; communication is not in "
    "it.\n";

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
