// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/plan/plan.h"

namespace cardfit {

/// A shipped or saved plan and its id.
struct PlanPreset {
    std::string id;
    Plan plan;
};

/// All presets that were found, each kind sorted by id.
struct Presets {
    std::vector<Accelerator> accelerators;
    std::vector<Cluster> clusters;
    std::vector<Model> models;
    std::vector<PlanPreset> plans;
    std::vector<Error> problems; ///< preset files that could not be read; the others are loaded

    [[nodiscard]] const Accelerator* accelerator(std::string_view id) const;
    [[nodiscard]] const Cluster* cluster(std::string_view id) const;
    [[nodiscard]] const Model* model(std::string_view id) const;
    [[nodiscard]] const Plan* plan(std::string_view id) const;
};

/// Reads `accelerators/`, `clusters/`, `models/` and `plans/` below each directory. If an id occurs in several
/// directories the first one takes precedence, so a user's directory comes first.
[[nodiscard]] Presets loadPresets(std::span<const std::filesystem::path> directories);

/// A preset file as text, in the format of files-and-cli (UTF-8 JSON, two-space indent, trailing newline).
[[nodiscard]] std::string clusterPresetText(const Cluster& cluster);
[[nodiscard]] std::string modelPresetText(const Model& model);
[[nodiscard]] std::string acceleratorPresetText(const Accelerator& accelerator);

} // namespace cardfit
