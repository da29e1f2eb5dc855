// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/files/presets.h"

/// Single preset files, for programs that show and change them; core/files/presets.h has the resulting set of
/// presets.
namespace cardfit {

enum class PresetKind : std::uint8_t { Model, Accelerator, Cluster, Plan };
inline constexpr PresetKind kPresetKinds[] = {
    PresetKind::Model, PresetKind::Accelerator, PresetKind::Cluster, PresetKind::Plan};

/// "models", "accelerators", "clusters", "plans": the subfolder of a preset directory.
[[nodiscard]] std::string_view presetFolder(PresetKind kind);

/// The identification of a preset file.
struct PresetHeading {
    PresetKind kind = PresetKind::Model;
    std::string id; ///< empty for a plan, whose id is its file's name
    std::string name;
    Sentence figures; ///< distinguishing figures: "70.6 B parameters, 80 layers, hidden 8192"
    std::string source;

    bool operator==(const PresetHeading&) const = default;
};

/// Reads a text as a preset of the kind that its "format" names, as strictly as loadPresets() does, and also refuses
/// unknown keys: WrongFormat, with their JSON pointers. `presets` are those that it may refer to.
[[nodiscard]] Result<PresetHeading> readPresetText(std::string_view text, const Presets& presets);

/// A file of a preset directory.
struct PresetFile {
    PresetHeading heading; ///< with the id in effect
    std::filesystem::path file;
    std::size_t directory = 0; ///< index of the directory that it was found in
    bool hidden = false; ///< an earlier directory has a file with the same id, which takes precedence
    bool hides = false; ///< takes precedence over a file in a later directory
    std::optional<Error> problem; ///< why it cannot be read; id and name are then the file's name
};

/// Every file of the directories, sorted by kind and id; of equal ids the one in effect comes first. Those that cannot
/// be read come first of their kind.
[[nodiscard]] std::vector<PresetFile> listPresetFiles(
    std::span<const std::filesystem::path> directories, const Presets& presets);

/// A cluster's or plan's text that means the same without any presets: their values are in it, their ids stay to say
/// where the values are from. Other texts stay as they are.
[[nodiscard]] Result<std::string> withPresetsEmbedded(std::string_view text, const Presets& presets);

/// Whether the text means something else, or nothing, with the other presets.
[[nodiscard]] bool dependsOn(std::string_view text, const Presets& with, const Presets& without);

/// A card that the text of a cluster or plan names and the presets lack.
struct MissingCard {
    std::string id;
    std::string pointer; ///< of the name
};
[[nodiscard]] std::optional<MissingCard> missingCard(std::string_view text, const Presets& presets);

/// The changed text of a model without the `reported_parameters` of the one that it was made from: other shapes have
/// other counts. None if there is nothing to leave out.
[[nodiscard]] std::optional<std::string> withoutStaleCount(std::string_view before, std::string_view changed);

/// The number or text at a JSON pointer, "64" or "DGX H100", or the preset that an object there is from; nullopt if
/// there is null or nothing, or if the text cannot be parsed.
[[nodiscard]] std::optional<std::string> presetValue(std::string_view text, const std::string& pointer);

/// The text with a value set; nullopt sets null. NotJson if the text is no JSON object, or if a value
/// above the pointer is neither an object nor null.
[[nodiscard]] Result<std::string> withPresetNumber(
    std::string_view text, const std::string& pointer, std::optional<double> value);
[[nodiscard]] Result<std::string> withPresetWord(
    std::string_view text, const std::string& pointer, std::string_view value);

} // namespace cardfit
