// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/plan/plan.h"
#include "core/result.h"

namespace cardfit {

/// A shipped or saved plan and the id by which it is asked for.
struct PlanPreset {
    std::string id;
    Plan plan;
};

/// Every preset that was found, as values, each kind sorted by id.
struct Presets {
    std::vector<Accelerator> accelerators;
    std::vector<Cluster> clusters;
    std::vector<Model> models;
    std::vector<PlanPreset> plans;
    std::vector<Error> problems; ///< preset files that could not be read; the others are still there

    [[nodiscard]] const Accelerator* accelerator(std::string_view id) const;
    [[nodiscard]] const Cluster* cluster(std::string_view id) const;
    [[nodiscard]] const Model* model(std::string_view id) const;
    [[nodiscard]] const Plan* plan(std::string_view id) const;
};

/// Reads `accelerators/`, `clusters/`, `models/` and `plans/` below each directory. Where an id stands in several
/// directories the first one counts, so a user's directory goes first.
[[nodiscard]] Presets loadPresets(std::span<const std::filesystem::path> directories);

/// Preset files as text, in the format of files-and-cli (UTF-8 JSON, two-space indent, trailing newline).
[[nodiscard]] std::string clusterPresetText(const Cluster& cluster);
[[nodiscard]] std::string modelPresetText(const Model& model);
[[nodiscard]] std::string acceleratorPresetText(const Accelerator& accelerator);

} // namespace cardfit
