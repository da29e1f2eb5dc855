// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/plan/preset_files.h"
#include "core/io/plan/presets.h"
#include "core/result.h"

/// Where presets are looked for and saved; window, command line and other programs read the same ones.
namespace cardfit {

/// The plan that a new window shows.
inline constexpr std::string_view kDefaultPlan = "llama-3-70b-64-h100";

/// In the order in which they count: $CARDFIT_PRESETS, the user's own, those beside the program (`../share/cardfit` of
/// an installation, `share/cardfit` of a build tree), $XDG_DATA_DIRS. Only directories that exist.
[[nodiscard]] std::vector<std::filesystem::path> presetDirectories();

/// What presetDirectories() hold. If the default plan is not among it, `problems` begin with where shipped presets were
/// looked for.
[[nodiscard]] Presets allPresets();

/// $XDG_DATA_HOME/cardfit/presets, which need not exist yet.
[[nodiscard]] std::filesystem::path userPresetDirectory();

/// $XDG_DATA_HOME/cardfit/pins, which need not exist yet.
[[nodiscard]] std::filesystem::path pinDirectory();

/// A file of published measurements, "memory.json": in $CARDFIT_VALIDATION, then where shipped presets are looked for,
/// in `validation` instead of `presets`. The bare name if it is found nowhere; reading it then fails with that name.
[[nodiscard]] std::filesystem::path measuredCasesFile(std::string_view name);

/// The shipped default, or an empty plan where no presets were found.
[[nodiscard]] Plan defaultPlan(const Presets& presets);

/// The plan preset that a command line names by its id; null where it names a file, or one that cannot be looked at.
[[nodiscard]] const Plan* presetNotFile(const Presets& presets, const std::string& name);

/// A preset id made from a name: "My cluster, 8 x H100" gives "my-cluster-8-x-h100". Never empty.
[[nodiscard]] std::string presetId(std::string_view name);

/// Writes the cluster below userPresetDirectory(), replacing one of the same id. The file's path, or CannotWrite.
[[nodiscard]] Result<std::filesystem::path> saveClusterPreset(const Cluster& cluster);

/// Whether a preset's file is the user's own and not one that ships.
[[nodiscard]] bool isOwnPreset(const std::filesystem::path& file);

/// Writes a preset below userPresetDirectory() in one step, in the place of the own file `replaced` if there is one; a
/// file whose id has changed gets that id's name. The file's path; OutOfRange for an id that is no presetId(),
/// DuplicateKey if another own preset has the id, unless `overwrites`; CannotWrite.
[[nodiscard]] Result<std::filesystem::path> saveOwnPreset(PresetKind kind, std::string_view id, std::string_view text,
    const std::optional<std::filesystem::path>& replaced = std::nullopt, bool overwrites = false);

/// CannotWrite for a file that is not the user's own, and for one that cannot be removed.
[[nodiscard]] Result<void> deleteOwnPreset(const std::filesystem::path& file);

/// presetId(name), with a number behind it if a listed preset of the kind has that id.
[[nodiscard]] std::string freePresetId(PresetKind kind, std::string_view name, const std::vector<PresetFile>& listed);

} // namespace cardfit
