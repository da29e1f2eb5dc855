// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/report/profile_table.h"

#include <functional>

#include <fmt/format.h>

namespace cardfit {

std::vector<ProfileColumn> profileColumns(const Plan& plan)
{
    std::vector<ProfileColumn> columns;
    for (const ProfileName& entry : kProfileNames)
        columns.push_back({entry.value, estimateUnder(plan, entry.value)});
    return columns;
}

std::string profileTable(const Plan& plan, ByteUnit unit)
{
    const auto columns = profileColumns(plan);
    const auto worst = [](const Estimate& estimate) -> const StageMemory& {
        return estimate.stages[estimate.worstStage()];
    };
    std::string text;
    const auto row = [&](std::string_view name, const std::function<std::string(const Estimate&)>& cell) {
        text += fmt::format("{:<16}", name);
        for (const ProfileColumn& column : columns) {
            text += fmt::format("{:>14}", column.estimate.complete ? cell(column.estimate) : "-");
        }
        text += '\n';
    };
    const auto bytes = [&](std::string_view name, const std::function<Bytes(const StageMemory&)>& part) {
        row(name, [&](const Estimate& estimate) { return formatBytes(part(worst(estimate)), unit); });
    };

    text += fmt::format("{:<16}", "fullest stage");
    for (const ProfileName& entry : kProfileNames)
        text += fmt::format("{:>14}", entry.name);
    text += '\n';
    row("stage", [](const Estimate& estimate) { return std::to_string(estimate.worstStage()); });
    for (std::size_t segment = 0; segment < kSegmentCount; ++segment) {
        bytes(kSegmentNames[segment], [segment](const StageMemory& stage) { return stage.bytes[segment]; });
    }
    bytes("allocated", [](const StageMemory& stage) { return stage.allocated(); });
    bytes("reserved", [](const StageMemory& stage) { return stage.reserved(); });
    bytes("device", [](const StageMemory& stage) { return stage.device(); });
    row("verdict", [&](const Estimate& estimate) { return std::string(verdictWord(verdict(worst(estimate)))); });
    return text;
}

} // namespace cardfit
