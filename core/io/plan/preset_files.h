// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/plan/presets.h"
#include "core/result.h"
#include "core/sentence.h"

/// Preset files one by one, for whoever shows and changes them; core/io/plan/presets.h gives what they add up to.
namespace cardfit {

enum class PresetKind : std::uint8_t { Model, Accelerator, Cluster, Plan };
inline constexpr PresetKind kPresetKinds[] = {
    PresetKind::Model, PresetKind::Accelerator, PresetKind::Cluster, PresetKind::Plan};

/// "models", "accelerators", "clusters", "plans": the folder below a preset directory.
[[nodiscard]] std::string_view presetFolder(PresetKind kind);

/// What a file says about itself.
struct PresetHeading {
    PresetKind kind = PresetKind::Model;
    std::string id; ///< empty for a plan: its file's name is its id
    std::string name;
    Sentence figures; ///< what tells it from others: "70.6 B parameters, 80 layers, hidden 8192"
    std::string source;

    bool operator==(const PresetHeading&) const = default;
};

/// Reads a text as a preset of the kind that its "format" names, as strictly as loadPresets() does, and refuses keys
/// that are unknown besides: WrongFormat, with their JSON pointers. `presets` are those that it may refer to.
[[nodiscard]] Result<PresetHeading> readPresetText(std::string_view text, const Presets& presets);

/// A file of a preset directory.
struct PresetFile {
    PresetHeading heading; ///< with the id that it goes by
    std::filesystem::path file;
    std::size_t directory = 0; ///< which of the directories it was found in
    bool hidden = false; ///< an earlier directory has the same id, which counts instead
    bool hides = false; ///< it counts instead of one in a later directory
};

/// Every file of the directories that can be read, sorted by kind and id, those that count first. Files that cannot be
/// read stand in `presets.problems`.
[[nodiscard]] std::vector<PresetFile> listPresetFiles(
    std::span<const std::filesystem::path> directories, const Presets& presets);

/// The number or text at a JSON pointer, "64" or "DGX H100"; none where there is null or nothing. An error of
/// parseJson() counts as nothing.
[[nodiscard]] std::optional<std::string> presetValue(std::string_view text, const std::string& pointer);

/// The text with a value set; none makes it null. NotJson if the text is no JSON object, or nothing can stand there.
[[nodiscard]] Result<std::string> withPresetNumber(
    std::string_view text, const std::string& pointer, std::optional<double> value);
[[nodiscard]] Result<std::string> withPresetWord(
    std::string_view text, const std::string& pointer, std::string_view value);

} // namespace cardfit
