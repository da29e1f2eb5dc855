// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/launch.h"

/// Reads a plan from whatever describes one: the same for every command, and for other programs.
namespace cardfit {

/// What the user says about a plan beside its file.
struct PlanWords {
    std::optional<Launcher> from; ///< whose file it is, if it is no plan; none: its content tells
    std::string
        model; ///< Hugging Face config.json or model preset as a file, or id of a model; empty: as the file says
    std::string on; ///< "dgx-h100", or "dgx-h100:8" for that many nodes; empty: as the file says
    std::string part = {}; ///< which of the configurations of a file in Python; also behind its name: "FILE.py:NAME"
};

struct ReadPlan {
    Plan plan;
    std::optional<Launcher> launcher; ///< none: it was a plan already
    std::vector<LaunchNote> notes; ///< of the launcher's file
    std::vector<Sentence> remarks; ///< what PlanWords changed beside what they name, or did not change
    std::optional<Precision> checkpoint; ///< format of the weights that a model's file describes
    WeightsPrecision checkpoint_parts{}; ///< formats of its parts that differ
};

/// The plan that a text describes: a plan file, a launcher's file, or a Hugging Face config.json. What a launcher's
/// file does not say is the default plan's (core/files/preset_library.h), and a config.json is estimated with the
/// default plan's run, changed where it breaks a rule with this model or these cards, which Plan::assumed says. So it
/// does where a launcher's file runs on the default plan's cards because PlanWords::on is not given. A plan keeps its
/// number of cards on another cluster, unless nodes are given; data parallelism follows. `name`: of the file,
/// for the plan's name; "-" if it has none. Errors as of parsePlan() and importLaunch(); Usage for words that name
/// nothing; CannotRead without the shipped presets.
[[nodiscard]] Result<ReadPlan> planFromText(
    std::string_view text, const std::string& name, const PlanWords& words, const Presets& presets);

/// The same for the id of a shipped plan or model (as of a config.json), a file (an exported picture of a plan, too),
/// or "-" for standard input. Errors name the file.
[[nodiscard]] Result<ReadPlan> readAnyPlan(const std::string& name, const PlanWords& words, const Presets& presets);

/// A model by PlanWords::model.
[[nodiscard]] Result<ReadPlan> readModelOf(const std::string& name, const Presets& presets);

/// Name for a plan that comes from this file: the file's name, or its folder's if all models use the same file name.
[[nodiscard]] std::string planNameFrom(const std::filesystem::path& file);

} // namespace cardfit
