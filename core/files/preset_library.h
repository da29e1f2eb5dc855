// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/files/preset_files.h"
#include "core/files/presets.h"

/// Where presets are found and saved; the same for the window, the command line and other programs.
namespace cardfit {

/// The plan that a new window shows.
inline constexpr std::string_view kDefaultPlan = "llama-3-70b-64-h100";

/// In order of precedence: $CARDFIT_PRESETS, the user's directory, those beside the program (`../share/cardfit` of an
/// installation, `share/cardfit` of a build tree), $XDG_DATA_DIRS. Only existing directories.
[[nodiscard]] std::vector<std::filesystem::path> presetDirectories();

/// All presets in presetDirectories(). If the default plan is missing, `problems` begins with the directories in which
/// shipped presets were looked for.
[[nodiscard]] Presets allPresets();

/// What every installation has: the presets without $CARDFIT_PRESETS and the user's.
[[nodiscard]] Presets installedPresets();

/// $XDG_DATA_HOME/cardfit/presets; see userFolder().
[[nodiscard]] std::filesystem::path userPresetDirectory();

/// $XDG_DATA_HOME/cardfit/pins; see userFolder().
[[nodiscard]] std::filesystem::path pinDirectory();

/// A file of published measurements, "memory.json": looked for in $CARDFIT_VALIDATION, then where shipped presets are,
/// in `validation` instead of `presets`. Returns the bare name if it is not found; reading it then fails with that
/// name.
[[nodiscard]] std::filesystem::path measuredCasesFile(std::string_view name);

/// The shipped default plan, or an empty plan if no presets were found.
[[nodiscard]] Plan defaultPlan(const Presets& presets);

/// The plan preset with this id; null if `name` is an existing file, or one that cannot be examined.
[[nodiscard]] const Plan* presetNotFile(const Presets& presets, const std::string& name);

/// A preset id made from a name: "My cluster, 8 x H100" becomes "my-cluster-8-x-h100". Never empty.
[[nodiscard]] std::string presetId(std::string_view name);

/// Whether a preset's file belongs to the user and is not a shipped one.
[[nodiscard]] bool isOwnPreset(const std::filesystem::path& file);

/// Writes a preset below userPresetDirectory() atomically. It takes the place of the user's file `replaced`, if given;
/// if the id has changed, the file is named after the new id and the old one is removed after that. Returns the file's
/// path; OutOfRange for an id that is no presetId(), DuplicateKey if another user preset has the id, unless
/// `overwrites`; CannotWrite.
[[nodiscard]] Result<std::filesystem::path> saveOwnPreset(PresetKind kind, std::string_view id, std::string_view text,
    const std::optional<std::filesystem::path>& replaced = std::nullopt, bool overwrites = false);

/// saveOwnPreset() of a cluster.
[[nodiscard]] Result<std::filesystem::path> saveClusterPreset(const Cluster& cluster, bool overwrites = false);

/// The user's other clusters and plans that mean something else without this preset of the user's.
[[nodiscard]] std::vector<PresetFile> ownPresetsThatNeed(
    const PresetFile& preset, const std::vector<PresetFile>& listed, const Presets& presets);

/// Deletes a user's preset, after embedding its values into those that need it. Errors as of deleteOwnPreset(); of an
/// embedding that fails, and then nothing is deleted.
[[nodiscard]] Result<void> embedAndDelete(
    const PresetFile& preset, const std::vector<PresetFile>& listed, const Presets& presets);

/// Deletes a user's preset. CannotWrite for a file that is not the user's, or that cannot be removed.
[[nodiscard]] Result<void> deleteOwnPreset(const std::filesystem::path& file);

/// presetId(name), with a number appended if a listed preset of the kind already has that id.
[[nodiscard]] std::string freePresetId(PresetKind kind, std::string_view name, const std::vector<PresetFile>& listed);

} // namespace cardfit
