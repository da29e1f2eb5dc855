// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/own_launch.h"

namespace cardfit {

Launcher launcherOf(Framework framework)
{
    switch (framework) {
    case Framework::Megatron: return Launcher::Megatron;
    case Framework::DeepSpeed: return Launcher::DeepSpeed;
    case Framework::Fsdp: break;
    }
    return Launcher::Torchtitan;
}

std::optional<DocumentLaunch> launchOf(const Plan& plan)
{
    const Launcher own = plan.workload.task == Task::Inference ? Launcher::Vllm : launcherOf(plan.recipe.framework);
    const auto exported = exportLaunch(own, plan);
    if (!exported) return std::nullopt;
    DocumentLaunch command{traitsOf(own).writes, exported->text, {}};
    for (const LaunchNote& note : exported->notes)
        command.not_written.push_back(asSentence(note));
    return command;
}

} // namespace cardfit
