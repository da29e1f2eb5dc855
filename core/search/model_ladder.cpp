// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/model_ladder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/model/families.h"
#include "core/model/layer_lists.h"
#include "core/model/operators.h"
#include "core/plan/model_size.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

constexpr double kSmallest = 1e7;
constexpr double kLargest = 1e13;
constexpr double kRatio = 1.01; ///< between neighbouring sizes
constexpr std::int64_t kMostLayers = 1 << 14;

/// Rounded to three digits, as sizes are usually quoted.
double sizeAt(std::int64_t stop)
{
    const double size = kSmallest * std::pow(kRatio, static_cast<double>(stop));
    const double unit = std::pow(10.0, std::floor(std::log10(size)) - 2.0);
    return std::round(size / unit) * unit;
}
double stopOf(double parameters) { return std::log(parameters / kSmallest) / std::log(kRatio); }

/// `model` with the width, depth and heads of `shape`; vocabulary, positions and kinds of layers stay the model's.
Architecture inShapeOf(const Architecture& model, const Architecture& shape)
{
    Architecture result = model;
    result.hidden_size = shape.hidden_size;
    result.num_hidden_layers = shape.num_hidden_layers;
    result.num_attention_heads = shape.num_attention_heads;
    result.num_key_value_heads = shape.num_key_value_heads;
    result.head_dim = shape.head_dim;
    result.intermediate_size = shape.intermediate_size;
    return result;
}

} // namespace

ModelLadder::ModelLadder(const Plan& plan)
    : m_model(plan.model)
    , m_layer_step(std::max<std::int64_t>(1, stagesInPipe(plan)))
{
    const Architecture& shape = m_model.architecture;
    if (shape.moe || shape.mla || listsLayers(shape)) return; // the families are dense, with layers that are all alike
    m_family = familyOf(m_model);
    m_is_member = isOfFamily(m_model);
}

std::int64_t ModelLadder::count() const
{
    if (m_family.empty()) return std::max<std::int64_t>(1, kMostLayers / m_layer_step);
    return static_cast<std::int64_t>(stopOf(kLargest));
}

std::int64_t ModelLadder::own() const
{
    const Architecture& shape = m_model.architecture;
    if (m_family.empty()) return shape.num_hidden_layers / m_layer_step - 1;
    return std::llround(stopOf(std::max(kSmallest, static_cast<double>(parameterCount(shape)))));
}

Model ModelLadder::at(std::int64_t stop) const
{
    Model model = m_model;
    model.id.clear();
    model.source.clear();
    model.family.clear();
    model.parameters.reset();
    model.reported_parameters.reset();
    Architecture& shape = model.architecture;
    if (m_family.empty()) {
        shape = withLayers(shape, (stop + 1) * m_layer_step);
        model.name = fmt::format("{}, {} layers", m_model.name, shape.num_hidden_layers);
        return model;
    }
    const double size = sizeAt(stop);
    const Architecture of_family = architectureOfSize(m_family, size).value_or(shape);
    shape = inShapeOf(shape, of_family);
    const std::int64_t steps = (shape.num_hidden_layers + m_layer_step / 2) / m_layer_step;
    shape.num_hidden_layers = std::max<std::int64_t>(1, steps) * m_layer_step;
    if (shape == of_family) {
        model.family = m_family;
        model.parameters = size;
    }
    model.name = fmt::format("{} {:.4g}B", familyTitle(m_family), static_cast<double>(parameterCount(shape)) / 1e9);
    return model;
}

Sentence ModelLadder::words() const
{
    if (m_family.empty()) {
        return Sentence::tr(
            "more or fewer layers in steps of {}, the width stays: no family has experts or latent attention",
            {m_layer_step});
    }
    Sentence words = m_is_member
        ? Sentence::tr("shapes of the {} family", {m_family})
        : Sentence::tr("shapes of the {} family, the nearest: the model belongs to none", {m_family});
    if (m_layer_step == 1) return words;
    return Sentence::tr("{}; layers in steps of {}", {std::move(words), m_layer_step});
}

} // namespace cardfit
