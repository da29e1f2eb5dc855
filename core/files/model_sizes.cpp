// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_sizes.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/model/families.h"
#include "core/model/operators.h"

namespace cardfit {

namespace {

constexpr std::array kCommon{kSmallestModel, 1.4e9, 2.8e9, 6e9, 7e9, 13e9, 16e9, 34e9, 52e9, 56e9, 65e9, 70e9, 100e9,
    130e9, 170e9, 220e9, kLargestModel};

/// Cached, because every frame of a drag asks for the same sizes, and a shape is the best of many that are counted.
std::optional<Architecture> rememberedShape(std::string_view family, double parameters)
{
    if (std::ranges::find(kCommon, parameters) == kCommon.end()) return architectureOfSize(family, parameters);
    thread_local std::map<std::pair<std::string, double>, std::optional<Architecture>> remembered;
    const auto [entry, is_new] = remembered.try_emplace({std::string(family), parameters});
    if (is_new) entry->second = architectureOfSize(family, parameters);
    return entry->second;
}

/// Counted parameters of a shape with a commonly named size: 33.9 B for "34 B".
std::optional<double> countedSize(std::string_view family, double parameters)
{
    const auto shape = rememberedShape(family, parameters);
    return shape ? std::optional(static_cast<double>(parameterCount(*shape))) : std::nullopt;
}

bool isDenseMemberOf(const Model& model, std::string_view family)
{
    return namedFamily(model.id) == family && !model.architecture.moe && !model.architecture.mla;
}

} // namespace

std::vector<double> commonSizes(std::string_view family, const Presets& presets)
{
    std::vector<double> sizes;
    for (const double common : kCommon) {
        if (const auto counted = countedSize(family, common)) sizes.push_back(*counted);
    }
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
    // A stop of the rail stands for the named size that it was made from.
    const auto* common =
        std::ranges::find_if(kCommon, [&](double size) { return countedSize(family, size) == parameters; });
    if (common != kCommon.end()) parameters = *common;
    const auto shape = rememberedShape(family, parameters);
    if (!shape) return fallback;
    Model model;
    model.name = fmt::format("{} {:.4g}B", familyTitle(family), parameters / 1e9);
    model.family = family;
    model.parameters = parameters;
    model.architecture = *shape;
    return model;
}

} // namespace cardfit
