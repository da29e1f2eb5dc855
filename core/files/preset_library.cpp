// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/preset_library.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <system_error>

#include "core/files/file.h"
#include "core/files/files_inside.h"
#include "core/files/program_folder.h"
#include "core/files/user_folder.h"

namespace cardfit {

namespace {

namespace fs = std::filesystem;

/// Paths of an environment variable, separated by colons, in its order; empty parts are skipped.
std::vector<fs::path> pathList(const char* variable, std::string_view fallback = {})
{
    const char* value = std::getenv(variable);
    std::string_view rest = value != nullptr && *value != '\0' ? std::string_view(value) : fallback;
    std::vector<fs::path> paths;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        if (end > 0) paths.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return paths;
}

fs::path dataFolder(const char* name)
{
    return userFolder("XDG_DATA_HOME", ".local/share", fs::path("cardfit") / name);
}

/// Where shipped files of one kind are: beside the program (bin/ and share/ of an installation, or the build tree), in
/// the system's data directories, and inside the program.
std::vector<fs::path> shippedDirectories(const char* kind)
{
    std::vector<fs::path> directories;
    if (const fs::path folder = programFolder(); !folder.empty()) {
        directories.push_back(folder.parent_path() / "share/cardfit" / kind);
        directories.push_back(folder / "share/cardfit" / kind);
    }
    for (const fs::path& directory : pathList("XDG_DATA_DIRS", "/usr/local/share:/usr/share")) {
        if (directory.is_absolute()) directories.push_back(directory / "cardfit" / kind);
    }
    if (fs::path inside = fs::path(kFilesInside) / kind; isFolderInside(inside))
        directories.push_back(std::move(inside));
    return directories;
}

std::vector<fs::path> existing(std::vector<fs::path> directories)
{
    std::erase_if(directories, [](const fs::path& directory) {
        std::error_code missing;
        return !isFolderInside(directory) && !fs::is_directory(directory, missing);
    });
    return directories;
}

} // namespace

fs::path userPresetDirectory() { return dataFolder("presets"); }

fs::path pinDirectory() { return dataFolder("pins"); }

std::vector<fs::path> presetDirectories()
{
    std::vector<fs::path> candidates = pathList("CARDFIT_PRESETS");
    candidates.push_back(userPresetDirectory());
    for (const fs::path& directory : shippedDirectories("presets"))
        candidates.push_back(directory);
    return existing(std::move(candidates));
}

Presets installedPresets() { return loadPresets(existing(shippedDirectories("presets"))); }

Presets allPresets()
{
    Presets presets = loadPresets(presetDirectories());
    if (presets.plan(kDefaultPlan) != nullptr) return presets;
    std::string places;
    for (const fs::path& directory : shippedDirectories("presets"))
        places += (places.empty() ? "" : ", ") + directory.string();
    presets.problems.insert(presets.problems.begin(),
        {ErrorCode::CannotRead, {}, {},
            Sentence::tr(
                "the presets that ship with Cardfit are missing. They were looked for in {}; CARDFIT_PRESETS may "
                "name another folder",
                {places})});
    return presets;
}

fs::path measuredCasesFile(std::string_view name)
{
    std::vector<fs::path> candidates = pathList("CARDFIT_VALIDATION");
    for (const fs::path& directory : shippedDirectories("validation"))
        candidates.push_back(directory);
    for (const fs::path& directory : candidates) {
        std::error_code missing;
        if (isFolderInside(directory) || fs::is_regular_file(directory / name, missing)) return directory / name;
    }
    return name;
}

Plan defaultPlan(const Presets& presets)
{
    const Plan* plan = presets.plan(kDefaultPlan);
    return plan != nullptr ? *plan : Plan{};
}

const Plan* presetNotFile(const Presets& presets, const std::string& name)
{
    std::error_code unknown; // if the file cannot be examined, reading it reports the reason
    return fs::exists(name, unknown) || unknown ? nullptr : presets.plan(name);
}

std::string presetId(std::string_view name)
{
    // Words joined by single hyphens or points, so that an id can neither leave its folder nor name a hidden file.
    std::string id;
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (const char c : name) {
        if (isWord(c))
            id.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
        else if (!id.empty() && isWord(id.back()))
            id.push_back(c == '.' ? '.' : '-');
    }
    if (!id.empty() && !isWord(id.back())) id.pop_back();
    return id.empty() ? "preset" : id;
}

bool isOwnPreset(const fs::path& file)
{
    std::error_code failed;
    const fs::path own = userPresetDirectory().lexically_normal();
    if (own.empty()) return false;
    const fs::path place = fs::absolute(file, failed).lexically_normal().parent_path().parent_path();
    return !failed && place == own;
}

Result<fs::path> saveOwnPreset(PresetKind kind, std::string_view id, std::string_view text,
    const std::optional<fs::path>& replaced, bool overwrites)
{
    if (presetId(id) != id) {
        return tl::unexpected(Error{ErrorCode::OutOfRange, {}, Sentence::verbatim("/id"),
            Sentence::tr("expected lower-case letters and digits, joined by single hyphens or points, such as "
                         "\"my-cluster-2\"")});
    }
    if (userPresetDirectory().empty())
        return tl::unexpected(Error{ErrorCode::CannotWrite, {}, Sentence::verbatim("$HOME"),
            Sentence::tr("not set, and the system knows no home folder of yours: presets cannot be kept")});
    const fs::path folder = userPresetDirectory() / presetFolder(kind);
    const fs::path named = folder / (std::string(id) + ".json");
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return tl::unexpected(Error{ErrorCode::CannotWrite, folder.string(), {}, reasonOf(failed)});
    // User presets may have file names other than their ids, except plans, whose id is the file name.
    const bool keeps_name =
        replaced && kind != PresetKind::Plan && presetValue(readFile(*replaced).value_or(std::string()), "/id") == id;
    const fs::path file = keeps_name ? *replaced : named;
    if (!overwrites && file != replaced && fs::exists(file, failed))
        return tl::unexpected(Error{ErrorCode::DuplicateKey, file.string(), Sentence::verbatim("/id"),
            Sentence::tr("another preset of yours has this id")});
    const auto written = writeFile(file, text);
    if (!written) return tl::unexpected(written.error());
    if (replaced && file != *replaced) {
        if (const auto removed = deleteOwnPreset(*replaced); !removed) return tl::unexpected(removed.error());
    }
    return file;
}

Result<void> deleteOwnPreset(const fs::path& file)
{
    if (!isOwnPreset(file))
        return tl::unexpected(
            Error{ErrorCode::CannotWrite, file.string(), {}, Sentence::tr("only presets of your own are deleted")});
    std::error_code failed;
    if (!fs::remove(file, failed)) {
        return tl::unexpected(Error{ErrorCode::CannotWrite, file.string(), {},
            failed ? reasonOf(failed) : reasonOf(std::make_error_code(std::errc::no_such_file_or_directory))});
    }
    return {};
}

std::vector<PresetFile> ownPresetsThatNeed(
    const PresetFile& preset, const std::vector<PresetFile>& listed, const Presets& presets)
{
    Presets without = presets;
    const auto erase = [&](auto& values) {
        std::erase_if(values, [&](const auto& value) { return value.id == preset.heading.id; });
    };
    switch (preset.heading.kind) {
    case PresetKind::Model: erase(without.models); break;
    case PresetKind::Accelerator: erase(without.accelerators); break;
    case PresetKind::Cluster: erase(without.clusters); break;
    case PresetKind::Plan: break; // no preset starts from a plan
    }
    std::vector<PresetFile> needing;
    if (preset.problem || preset.hidden) return needing; // nothing reads it
    for (const PresetFile& file : listed) {
        if (file.problem || file.file == preset.file || !isOwnPreset(file.file)) continue;
        const auto text = readFile(file.file);
        if (text && dependsOn(*text, presets, without)) needing.push_back(file);
    }
    return needing;
}

Result<void> embedAndDelete(const PresetFile& preset, const std::vector<PresetFile>& listed, const Presets& presets)
{
    for (const PresetFile& file : ownPresetsThatNeed(preset, listed, presets)) {
        const auto written = readFile(file.file)
                                 .and_then([&](const std::string& text) { return withPresetsEmbedded(text, presets); })
                                 .and_then([&](const std::string& text) { return writeFile(file.file, text); });
        if (!written) return tl::unexpected(written.error());
    }
    return deleteOwnPreset(preset.file);
}

std::string freePresetId(PresetKind kind, std::string_view name, const std::vector<PresetFile>& listed)
{
    const std::string wanted = presetId(name);
    std::string id = wanted;
    const auto isTaken = [&](const PresetFile& file) { return file.heading.kind == kind && file.heading.id == id; };
    for (int number = 2; std::ranges::any_of(listed, isTaken); ++number)
        id = wanted + "-" + std::to_string(number);
    return id;
}

Result<fs::path> saveClusterPreset(const Cluster& cluster, bool overwrites)
{
    return saveOwnPreset(PresetKind::Cluster, cluster.id, clusterPresetText(cluster), std::nullopt, overwrites);
}

} // namespace cardfit
