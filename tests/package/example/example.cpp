// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates a plan that ships, and searches for a faster one on the same cards.
#include <filesystem>
#include <iostream>
#include <vector>

#include <cardfit/estimate/estimate.h>
#include <cardfit/files/presets.h>
#include <cardfit/search/find.h>

int main()
{
    const cardfit::Presets presets = cardfit::loadPresets(std::vector<std::filesystem::path>{PRESETS});
    const cardfit::Plan* plan = presets.plan("llama-3-8b-8-h100");
    if (plan == nullptr) {
        std::cerr << "no such plan in " << PRESETS << '\n';
        return 1;
    }
    const cardfit::Estimate estimate = cardfit::estimate(*plan);
    if (!estimate.complete()) {
        for (const cardfit::Check& check : estimate.checks)
            std::cerr << check.id << ": " << check.message.english() << '\n';
        return 1;
    }
    const cardfit::StageMemory& worst = estimate.stages[estimate.worstStage()];
    std::cout << plan->name << ": " << worst.device().value() << " of " << worst.capacity.value() << " bytes, "
              << estimate.step.seconds.value() << " s a step, " << 100.0 * estimate.step.mfu << " % MFU\n";

    const cardfit::SearchResult found = cardfit::findPlans({.space = cardfit::defaultSpace(*plan), .top = 3});
    for (const cardfit::FoundPlan& better : found.top)
        std::cout << "tensor " << better.plan.parallelism.tensor << ", pipeline " << better.plan.parallelism.pipeline
                  << ": " << better.step.value() << " s a step\n";
    return found.top.empty() ? 1 : 0;
}
