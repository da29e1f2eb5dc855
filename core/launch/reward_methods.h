// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/launch/notes.h"
#include "core/plan/plan.h"

/// Training from preferences and rewards, shared by the importers of fine-tuning programs.
namespace cardfit {

/// How a method differs from fine-tuning on single sequences.
struct RewardMethod {
    std::string_view word; ///< as programs spell it, in lower case
    bool pairs = false; ///< a chosen and a rejected sequence run in one forward pass
    bool reference = false; ///< log probabilities are compared with those of a frozen copy of the model
    bool samples = false; ///< the model generates the sequences itself
};

/// DPO and IPO (arXiv:2305.18290), KTO (2402.01306), ORPO (2403.07691), SimPO (2405.14734), CPO (2401.08417), reward
/// models (Bradley-Terry), and those that generate: PPO, GRPO, RLOO … nullopt for other words.
[[nodiscard]] std::optional<RewardMethod> rewardMethod(std::string_view word);

/// Makes of a fine-tuning plan, whose batch and sharding are set, what of the method a plan can hold: pairs are twice
/// the sequences. What it cannot hold is noted as assumed, before all other notes and with its size: the frozen
/// reference model, which adapters do without (trl/trainer/dpo_trainer.py: they are switched off), and the generation
/// of sequences.
void applyRewardMethod(Plan& plan, std::string_view key, const RewardMethod& method, Notes& notes);

} // namespace cardfit
