// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/traces/schedule_text.h"

#include <vector>

#include <fmt/format.h>

namespace cardfit {

namespace {

std::string operationText(const Operation& operation, bool chunks)
{
    const auto passText = [&](Pass pass) {
        return chunks ? fmt::format("{}c{}", pass.microbatch, pass.chunk) : fmt::format("{}", pass.microbatch);
    };
    std::string text = fmt::format("{}{}", operationLetters(operation.kind), passText(operation.forwardPass()));
    if (operation.kind == OperationKind::Overlapped) text += "&" + passText(operation.backwardPass());
    return text;
}

} // namespace

std::string idleText(const IdleTimes& idle)
{
    std::string text = fmt::format("{:g}", idle.total());
    std::string_view before = " = ";
    for (const IdleCause cause : kIdleCauses) {
        if (idle[cause] == 0.0) continue;
        text += fmt::format("{}{} {:g}", before, idleCauseWords(cause).english, idle[cause]);
        before = " + ";
    }
    return text;
}

std::string criticalPathText(const Dependencies& dependencies, const CriticalPath& path)
{
    const bool chunks = dependencies.chunks() > 1;
    std::string text;
    std::size_t rank = dependencies.timeline().ranks.size();
    for (const CriticalPath::Part& part : path.parts()) {
        for (std::size_t repeat = 0; repeat < part.repeats; ++repeat) {
            for (const CriticalPath::Step& step : part.steps) {
                const OperationId id = step.at(repeat);
                if (id.rank != rank) text += fmt::format("{}rank {}", text.empty() ? "" : ", ", id.rank);
                rank = id.rank;
                text += " " + operationText(dependencies.timeline().ranks[id.rank][id.index].operation, chunks);
            }
        }
    }
    return text;
}

std::string worthText(const Worth& worth, std::size_t rank)
{
    OperationWorth all;
    for (const OperationWorth& chunk : worth.operations[rank]) {
        all.forward += chunk.forward;
        all.backward_input += chunk.backward_input;
        all.backward_weight += chunk.backward_weight;
        all.overlapped += chunk.overlapped;
        all.update += chunk.update;
    }
    std::string text;
    const auto add = [&](std::int64_t count, std::string_view what) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, count);
    };
    add(all.forward, "forward passes");
    if (all.backward_input == all.backward_weight) {
        add(all.backward_input, "backward passes");
    } else {
        add(all.backward_input, "input gradients");
        add(all.backward_weight, "weight gradients");
    }
    add(all.overlapped, "overlapped blocks");
    add(all.update, "updates");
    return text.empty() ? "nothing" : text;
}

std::string timelineText(const Timeline& timeline)
{
    std::string text;
    const std::vector<IdleTimes> idle = idleTimes(timeline);
    for (std::size_t rank = 0; rank < idle.size(); ++rank)
        text += fmt::format("rank {:>3}, idle {}\n", rank, idleText(idle[rank]));
    text += fmt::format("all ranks, idle {}\n", idleText(sum(idle)));

    const Dependencies dependencies(timeline);
    const auto path = criticalPath(dependencies);
    if (!path) return text + path.error().message.english() + "\n";
    text += fmt::format("critical path: {}\n", criticalPathText(dependencies, *path));
    const Worth worth = cardfit::worth(dependencies, *path);
    text += "one unit more in every operation of a kind adds to the step\n";
    for (std::size_t rank = 0; rank < idle.size(); ++rank)
        text += fmt::format("rank {:>3}, {}\n", rank, worthText(worth, rank));
    if (worth.transfers > 0) text += fmt::format("transfers {}\n", worth.transfers);
    return text;
}

} // namespace cardfit
