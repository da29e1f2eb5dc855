// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/reward_methods.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/model/operators.h"

namespace cardfit {

namespace {

constexpr auto kRewardMethods = std::to_array<RewardMethod>({
    {.word = "dpo", .pairs = true, .reference = true},
    {.word = "ipo", .pairs = true, .reference = true},
    {.word = "rso", .pairs = true, .reference = true},
    {.word = "kto", .reference = true},
    {.word = "orpo", .pairs = true},
    {.word = "simpo", .pairs = true},
    {.word = "cpo", .pairs = true},
    {.word = "reward", .pairs = true},
    {.word = "rm", .pairs = true},
    {.word = "ppo", .reference = true, .samples = true},
    {.word = "grpo", .samples = true},
    {.word = "gdpo", .samples = true},
    {.word = "rloo", .samples = true},
    {.word = "ebft", .samples = true},
    {.word = "gkd", .samples = true},
    {.word = "online_dpo", .pairs = true, .reference = true, .samples = true},
    {.word = "xpo", .pairs = true, .reference = true, .samples = true},
    {.word = "nash_md", .pairs = true, .reference = true, .samples = true},
});

} // namespace

std::optional<RewardMethod> rewardMethod(std::string_view word)
{
    const std::string lower = lowered(std::string(word));
    const auto* found = std::ranges::find(kRewardMethods, std::string_view(lower), &RewardMethod::word);
    return found == kRewardMethods.end() ? std::nullopt : std::optional(*found);
}

void setReference(Plan& plan, std::string_view key, std::string_view value, ReferencePlace place, Notes& notes)
{
    constexpr double kBytes = 2.0;
    constexpr double kGiga = 1e9;
    const std::string size =
        fmt::format("{:.1f}", kBytes * static_cast<double>(parameterCount(plan.model.architecture)) / kGiga);
    switch (place) {
    case ReferencePlace::None: return;
    case ReferencePlace::Host:
        return notes.addAssumed(key, value,
            Sentence::tr(
                "the frozen reference model is in host memory while the model trains, {} GB in 16 bits", {size}));
    case ReferencePlace::Usual:
        if (!trainsAdapters(plan)) break;
        return notes.add(key, value,
            Sentence::tr("the reference model is the frozen one without its adapters, so there is no second copy"));
    case ReferencePlace::Named: break;
    }
    plan.recipe.reference_model = true;
    notes.addAssumed(key, value,
        Sentence::tr(
            "the frozen reference model is a second copy on the cards, {} GB in 16 bits divided as the weights "
            "are; its forward pass is not in the step's time",
            {size}));
}

void applyRewardMethod(Plan& plan, std::string_view key, const RewardMethod& method, Notes& notes, ReferencePlace place)
{
    Notes first;
    if (method.samples)
        first.addAssumed(key, method.word,
            Sentence::tr("only the training of the model is planned, not the generation of sequences and their "
                         "rewards, which may share the cards"));
    if (method.reference) setReference(plan, key, method.word, place, first);
    if (method.pairs) {
        // 2^41 at most, which importLaunch() refuses.
        plan.workload.micro_batch_size *= 2;
        plan.workload.global_batch_size *= 2;
        first.addAssumed(key, method.word,
            Sentence::tr("the chosen and the rejected sequence run together: {} sequences a micro-batch",
                {plan.workload.micro_batch_size}));
    }
    notes.prepend(std::move(first));
}

} // namespace cardfit
