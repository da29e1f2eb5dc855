// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
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

/// What a program does about the reference model of a run.
enum class ReferencePlace : std::uint8_t {
    Usual, ///< a copy on the cards; adapters do without one: they are switched off (trl/trainer/dpo_trainer.py)
    Named, ///< the file names it, so that adapters need a copy, too
    Host, ///< in host memory but for its own forward pass
    None, ///< the run needs none
};

/// Sets Recipe::reference_model, or notes why there is no copy on the cards. The batch and the sharding are set.
void setReference(Plan& plan, std::string_view key, std::string_view value, ReferencePlace place, Notes& notes);

/// Makes of a fine-tuning plan, whose batch and sharding are set, what of the method a plan can hold: pairs are twice
/// the sequences, and the frozen reference model is Recipe::reference_model. That the generation of sequences is left
/// out is noted as assumed, before all other notes.
void applyRewardMethod(Plan& plan, std::string_view key, const RewardMethod& method, Notes& notes,
    ReferencePlace place = ReferencePlace::Usual);

} // namespace cardfit
