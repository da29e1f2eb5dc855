// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/base/result.h"

/// The short formulas by which articles on training memory reckon, each under its own name. They stand beside the
/// detailed figures and never feed them. core/articles/articles.h compares them with what the articles print.
namespace cardfit {

/// Symbols: n parameters, w bytes of a value, Q bits of a value, s tokens, b samples, h hidden size, f width of the
/// MLP, a heads, L layers, V vocabulary, p pipeline stages, i the stage counted from 1, v chunks per stage, d
/// data-parallel replicas, m micro-batches per replica and step, k cards, A bytes of one micro-batch's activations in
/// all layers, S bytes of model states, R tokens per second, F peak FLOP/s.
struct Rule {
    std::string_view name;
    std::string_view formula; ///< see Formula; may use other rules by their names
    std::string_view source;
};
[[nodiscard]] std::span<const Rule> rulesOfThumb();

/// The value of a formula over symbols and rules: reckon("zero1 n / p", "n = 13e9, p = 4, d = 2"). `given`: symbols
/// with their formulas, the first of a name counts. Error UnknownName: a symbol that is neither given nor a rule;
/// otherwise the errors of Formula.
[[nodiscard]] Result<double> reckon(std::string_view formula, std::string_view given = {});

} // namespace cardfit
