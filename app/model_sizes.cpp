// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model_sizes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include "core/model/families.h"
#include "core/model/parameters.h"

namespace cardfit::app {

namespace {

constexpr std::array kLadder{
    1.4e9, 2.8e9, 6e9, 7e9, 13e9, 16e9, 34e9, 52e9, 56e9, 65e9, 70e9, 100e9, 130e9, 170e9, 220e9};

/// "llama-3" names "llama-3-8b" and "llama-3.1-8b", but not "llama-33b".
bool namesFamily(std::string_view id, std::string_view family)
{
    if (!id.starts_with(family) || id.size() == family.size()) return false;
    return std::isdigit(static_cast<unsigned char>(id[family.size()])) == 0;
}

std::string_view familyOfId(std::string_view id)
{
    std::string_view best;
    for (const auto family : familyNames()) {
        if (namesFamily(id, family) && family.size() > best.size()) best = family;
    }
    return best;
}

/// Sizes are asked for again with every frame of a drag, and a shape is the best of many that are counted.
std::optional<Architecture> rememberedShape(std::string_view family, double parameters)
{
    const bool is_common = std::ranges::find(kLadder, parameters) != kLadder.end();
    if (!is_common && parameters != kSmallestModel && parameters != kLargestModel)
        return architectureOfSize(family, parameters);
    thread_local std::map<std::pair<std::string, double>, std::optional<Architecture>> remembered;
    const auto [entry, is_new] = remembered.try_emplace({std::string(family), parameters});
    if (is_new) entry->second = architectureOfSize(family, parameters);
    return entry->second;
}

bool isDenseMemberOf(const Model& model, std::string_view family)
{
    return familyOfId(model.id) == family && !model.architecture.moe && !model.architecture.mla;
}

} // namespace

double modelSize(const Model& model)
{
    if (model.parameters) return *model.parameters;
    if (model.reported_parameters) return *model.reported_parameters;
    return static_cast<double>(parameterCount(model.architecture));
}

std::string_view familyOf(const Model& model)
{
    const auto families = familyNames();
    const auto own = std::ranges::find(families, model.family);
    if (own != families.end()) return *own;
    if (const auto named = familyOfId(model.id); !named.empty()) return named;
    const Architecture& shape = model.architecture;
    if (!shape.gated_mlp) return "gpt";
    if (shape.attention_bias) return "qwen2.5";
    return shape.num_key_value_heads < shape.num_attention_heads ? "llama-3" : "llama";
}

bool isOfFamily(const Model& model)
{
    const auto families = familyNames();
    return std::ranges::find(families, model.family) != families.end() || !familyOfId(model.id).empty();
}

std::vector<double> commonSizes(std::string_view family, const Presets& presets)
{
    std::vector<double> sizes(kLadder.begin(), kLadder.end());
    sizes.push_back(kSmallestModel);
    sizes.push_back(kLargestModel);
    for (const Model& model : presets.models) {
        if (isDenseMemberOf(model, family)) sizes.push_back(modelSize(model));
    }
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

Model modelOfSize(std::string_view family, double parameters, const Presets& presets, const Model& fallback)
{
    const auto shipped = std::ranges::find_if(presets.models,
        [&](const Model& model) { return isDenseMemberOf(model, family) && modelSize(model) == parameters; });
    if (shipped != presets.models.end()) return *shipped;
    const auto shape = rememberedShape(family, parameters);
    if (!shape) return fallback;
    Model model;
    model.name = fmt::format("{} {:.4g}B", family, parameters / 1e9);
    model.family = family;
    model.parameters = parameters;
    model.architecture = *shape;
    return model;
}

} // namespace cardfit::app
