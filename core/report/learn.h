// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/estimate/estimate.h"
#include "core/files/presets.h"

/// What four articles on training memory teach, on a plan's own numbers, and the terms that they use.
namespace cardfit {

/// A rule of thumb beside the exact figure of a plan.
struct RuleOnPlan {
    enum class Unit { Bytes, BytesPerParameter, Count, Share };

    std::string_view id; ///< "states"; stable
    Phrase name; ///< what it reckons
    /// "(6 + 12 / d) n / (p t)", in the symbols of core/articles/rules_of_thumb.h; besides, t are tensor and c context
    /// ranks.
    std::string formula;
    std::string_view source;
    Unit unit = Unit::Count;
    double by_rule = 0.0;
    double exact = 0.0;
    std::vector<Phrase> why; ///< what the rule leaves out of this plan; empty if the two agree
};

/// The rules that say something about the plan. Memory is that of a card of the fullest stage. `estimate`: of the plan,
/// complete.
[[nodiscard]] std::vector<RuleOnPlan> rulesOnPlan(const Plan& plan, const Estimate& estimate);

/// A worked example of an article that is a plan: a shipped one with a few settings changed.
struct WorkedExample {
    std::string_view id; ///< of its first row in core/articles/articles.h: "S0-16"
    Phrase name;
    std::string_view theirs; ///< the article's figures
    Phrase remark; ///< why the exact figures differ
    std::string_view preset; ///< id of a plan
    std::string_view settings; ///< as for withSetting(), separated by spaces
};
[[nodiscard]] std::span<const WorkedExample> workedExamples();

/// The example as a plan. Errors of withSetting(); UnknownName: `presets` lack its preset.
[[nodiscard]] Result<Plan> examplePlan(const WorkedExample& example, const Presets& presets);

/// A term of training at scale, in one sentence.
struct GlossaryTerm {
    Phrase term;
    Phrase meaning;
};
/// In the order in which they explain each other.
[[nodiscard]] std::span<const GlossaryTerm> glossary();

} // namespace cardfit
