// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/megatron/megatron_settings.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/megatron/megatron.h"
#include "core/plan/plan.h"

namespace cardfit {

namespace {

struct OptionOfField {
    std::string_view field;
    std::string_view option;
};
constexpr auto kOptionsOfFields = std::to_array<OptionOfField>({
    {"--virtual-pipeline-model-parallel-size", "--num-virtual-stages-per-pipeline-rank"},
    {"--microbatch-group-size-per-vp-stage", "--microbatch-group-size-per-virtual-pipeline-stage"},
    {"--num-layers-in-first-pipeline-stage", "--decoder-first-pipeline-num-layers"},
    {"--num-layers-in-last-pipeline-stage", "--decoder-last-pipeline-num-layers"},
});

/// Fields that are true for Megatron-LM's command unless an option switches them off.
constexpr auto kSwitchedOff = std::to_array<OptionOfField>({
    {"--gradient-accumulation-fusion", "--no-gradient-accumulation-fusion"},
    {"--apply-rope-fusion", "--no-rope-fusion"},
    {"--bias-activation-fusion", "--no-bias-swiglu-fusion"},
    {"--overlap-p2p-comm", "--no-overlap-p2p-communication"},
});

std::string optionName(std::string_view name)
{
    std::string option = name.starts_with("--") ? std::string(name) : fmt::format("--{}", name);
    std::ranges::replace(option, '_', '-');
    return option;
}

} // namespace

void addSetting(std::vector<LaunchFlag>& settings, std::string_view name, std::string_view value)
{
    std::string option = optionName(name);
    if (std::ranges::find(settings, option, &LaunchFlag::name) != settings.end()) return;
    settings.push_back({std::move(option), {std::string(value)}, 0});
}

std::vector<LaunchFlag> megatronOptionsOf(std::vector<LaunchFlag> settings)
{
    std::vector<LaunchFlag> options;
    for (LaunchFlag& setting : settings) {
        setting.name = optionName(setting.name);
        const std::string word = setting.values.size() == 1 ? lowered(setting.values.front()) : std::string();
        const bool off = word == "false" || word == "none" || word == "null";
        if (word == "true") setting.values.clear();
        if (const auto* own = std::ranges::find(kSwitchedOff, setting.name, &OptionOfField::field);
            own != kSwitchedOff.end()) {
            if (off) options.push_back({std::string(own->option), {}, setting.line});
            continue;
        }
        if (off) continue;
        if (const auto* other = std::ranges::find(kOptionsOfFields, setting.name, &OptionOfField::field);
            other != kOptionsOfFields.end())
            setting.name = other->option;
        options.push_back(std::move(setting));
    }
    return options;
}

Result<ImportedPlan> importMegatronOptions(LaunchCommand command, const Plan& plan, const Presets& presets)
{
    command.runner = {{"--nproc-per-node", {std::to_string(plan.cluster.cards_per_node)}, 0},
        {"--nnodes", {std::to_string(plan.cluster.nodes)}, 0}};
    auto imported = importMegatronCommand(std::move(command), plan, presets);
    if (!imported) return imported;
    imported->plan.workload.task = plan.workload.task;
    imported->plan.recipe.adapter = plan.recipe.adapter;
    imported->plan.recipe.quantizer = plan.recipe.quantizer;
    std::erase_if(imported->notes, [](const LaunchNote& note) { return note.what == "model"; });
    return imported;
}

} // namespace cardfit
