// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/estimate/profiles.h"

namespace cardfit {

/// A plan that was tried, and the memory of its fullest stage.
struct Trial {
    std::int64_t value = 0; ///< of the quantity that was varied; 0 if there is none
    Plan plan;
    StageMemory worst; ///< the stage with the least free memory
    Seconds step;
    bool hosts_hold = true; ///< the nodes have the memory for what is offloaded
    std::vector<Check> warnings; ///< rules of severity Warning that the plan breaks and the original does not

    [[nodiscard]] Bytes free() const { return worst.free(); } ///< negative: missing memory
    [[nodiscard]] bool fits() const { return hosts_hold && isFit(verdict(worst)); }

    bool operator==(const Trial&) const = default;
};

/// Tries variants of one plan, and refuses those that break a rule that the plan itself keeps.
class Trials {
public:
    /// Keeps a copy of the plan's checks; estimates use the profile.
    explicit Trials(const Plan& original, Profile profile = Profile::AsPlanned);

    /// The rules that refuse a variant: errors of kinds that the original does not have, and any that prevents an
    /// estimate. Empty: the variant counts.
    [[nodiscard]] std::vector<Check> refusals(const Plan& variant) const;
    [[nodiscard]] bool accepts(const Plan& variant) const { return refusals(variant).empty(); }

    /// None if the variant does not count.
    [[nodiscard]] std::optional<Trial> run(const Plan& variant, std::int64_t value = 0);

    [[nodiscard]] Profile profile() const { return m_profile; }
    /// Estimates made so far.
    [[nodiscard]] std::int64_t estimates() const { return m_estimates; }

private:
    [[nodiscard]] bool isKnown(const Check& check) const;

    Profile m_profile;
    std::vector<Check> m_known; ///< what the original breaks
    std::int64_t m_estimates = 0;
};

} // namespace cardfit
