// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/constants.h"
#include "core/base/formula.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/estimate/estimate.h"
#include "core/estimate/profiles.h"
#include "core/explain/figures.h"
#include "core/explain/symbols.h"

namespace cardfit {

/// One addend of a figure.
struct ExplanationRow {
    std::string figure; ///< which figure explains it further; empty if none does
    std::string id;
    Sentence title;
    Sentence sentence;
    std::int64_t count = 1; ///< number of equal parts; `formula` is for one of them
    Sentence count_meaning; ///< "20 layers x 4 micro-batches in flight"; empty if it needs no words
    std::string formula; ///< of one part, in symbols or in numbers; empty for a sum of other figures
    FigureValue value;
    Band band;
};

/// How much a figure changes if one input changes.
struct Sensitivity {
    Sentence change; ///< "sequence length x 2"
    FigureValue difference;
};

/// The explanation of a figure.
struct Explanation {
    std::string figure; ///< its full name, with `worst` replaced by the stage
    std::string parent; ///< the figure of which it is an addend; empty if there is none
    Sentence title;
    Sentence sentence;
    std::vector<ExplanationRow> rows; ///< largest first; for memory they add up to `total` to the byte
    FigureValue total;
    Band band; ///< of memory; sum of the rows'
    std::vector<Symbol> symbols; ///< those that the rows' formulas use
    std::vector<std::string> sources; ///< citations, in English
    std::vector<Sentence> left_out;
    std::vector<Sensitivity> sensitivity;
    std::vector<Constant> constants; ///< that it depends on
};

/// Explains one figure of an estimate of `plan`. Figures: "stage0.activations" (any segment), "stage0.mlp.up_output"
/// (any term, "stage0.weights.weights" where a segment has the same name), "stage0.allocated", reserved, device,
/// capacity, in_flight, peak; "parameters.total", active, trainable; "pipeline.bubble_fraction", micro_batches;
/// "server.cache", cache_tokens, sequences, longest_context of a served plan;
/// "step.seconds" and its other figures, "step.mfu.palm" and the other conventions of core/time/utilization.h; "worst"
/// instead of a stage for the one with the least free memory. Sensitivity and constants are left empty: sensitivity()
/// and constantsBehind() compute them. Requires a complete estimate. Error Usage: there is no such figure; the message
/// names the nearest ones.
[[nodiscard]] Result<Explanation> explain(const Plan& plan, const Estimate& estimate, std::string_view figure);

/// How doubling an input, or full recomputation, would change a figure; takes about six estimates. Omits changes that
/// would break a rule that the plan keeps. Doubling tensor or pipeline halves data parallelism if that is even,
/// otherwise it doubles the cluster; the global batch is kept. `profile`: the one with which `estimate` was made.
[[nodiscard]] std::vector<Sensitivity> sensitivity(
    const Plan& plan, const Estimate& estimate, std::string_view figure, Profile profile = Profile::AsPlanned);

/// The constants of the models on which a figure depends: those that change it if they are 1 % larger. Takes an
/// estimate for each constant. `profile`: the one with which `estimate` was made.
[[nodiscard]] std::vector<Constant> constantsBehind(
    const Plan& plan, const Estimate& estimate, std::string_view figure, Profile profile = Profile::AsPlanned);

/// A row's formula for one of its parts; empty if it has none, or none in symbols.
[[nodiscard]] std::string inSymbols(const ExplanationRow& row, Notation notation);
[[nodiscard]] std::string inNumbers(const Explanation& explanation, const ExplanationRow& row, Notation notation);

} // namespace cardfit
