// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/sentence.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Ever larger models of one kind: the shapes of a family in sizes 1 % apart, from 10 million to 10 trillion
/// parameters, or a model's own width with more and more layers.
class ModelLadder {
public:
    /// Depths are multiples of the plan's pipeline x virtual pipeline.
    explicit ModelLadder(const Plan& plan);

    [[nodiscard]] std::int64_t count() const;
    /// The stop nearest to the plan's own model.
    [[nodiscard]] std::int64_t own() const;
    /// The plan's model at that stop. A shape that differs from its family's, because of the plan's vocabulary or
    /// depth, belongs to no family.
    [[nodiscard]] Model at(std::int64_t stop) const;
    /// Which models the ladder holds: "shapes of the llama-3 family, layers in steps of 4".
    [[nodiscard]] Sentence words() const;

private:
    Model m_model;
    std::int64_t m_layer_step = 1;
    std::string_view m_family; ///< empty: depth only
    bool m_is_member = false; ///< the family is the model's own, not just the nearest
};

} // namespace cardfit
