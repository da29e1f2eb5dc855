// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/presets.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/files/plan_file.h"
#include "core/files/preset_json.h"

namespace cardfit {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kVersion = 1;

template <class Value> const Value* find(const std::vector<Value>& values, std::string_view id)
{
    const auto found = std::ranges::find(values, id, &Value::id);
    return found == values.end() ? nullptr : &*found;
}

/// The JSON files of a directory, sorted by name; empty if it does not exist.
std::vector<fs::path> jsonFiles(const fs::path& directory, std::vector<Error>& problems)
{
    std::vector<fs::path> files;
    std::error_code problem;
    for (const fs::path& file : entriesOf(directory, problem)) {
        if (file.extension() == ".json") files.push_back(file);
    }
    if (problem && problem != std::errc::no_such_file_or_directory) {
        problems.push_back(
            {ErrorCode::CannotRead, directory.string(), {}, Sentence::tr("cannot be read: {}", {reasonOf(problem)})});
    }
    return files;
}

/// Parses a preset file; `read_fields(ObjectReader&, Value&)` reads what follows the header.
template <class Value, class ReadFields>
Result<Value> parsePreset(std::string_view text, std::string_view format, ReadFields read_fields)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());
    Findings findings; // unknown keys are ignored: a newer version of the library may have them
    ObjectReader json(*document, findings);
    Value value;
    readHeader(json, format);
    json.require("id", Sentence::tr("a preset needs one"));
    read_fields(json, value);
    if (findings.error) return tl::unexpected<Error>(*findings.error);
    return value;
}

/// Adds all files of one kind, `parse(text, file) -> Result<Value>`. If several have the same id, the first one is
/// kept.
template <class Value, class Parse>
void loadKind(std::span<const fs::path> directories, const char* kind, std::vector<Value>& values,
    std::vector<Error>& problems, Parse parse)
{
    for (const fs::path& directory : directories) {
        std::vector<std::string> ids_here;
        for (const fs::path& file : jsonFiles(directory / kind, problems)) {
            auto value = readFile(file).and_then([&](const std::string& text) { return parse(text, file); });
            if (!value) {
                problems.push_back(value.error());
                problems.back().file = file.string();
            } else if (std::ranges::find(ids_here, value->id) != ids_here.end()) {
                problems.push_back({ErrorCode::DuplicateKey, file.string(), Sentence::verbatim("/id"),
                    Sentence::tr("another file of this directory has the id \"{}\" too", {value->id})});
            } else {
                ids_here.push_back(value->id);
                if (find(values, value->id) == nullptr) values.push_back(*std::move(value));
            }
        }
    }
    std::ranges::sort(values, {}, &Value::id);
}

Json header(std::string_view format, std::string_view id)
{
    Json json = Json::object();
    json["format"] = format;
    json["version"] = kVersion;
    json["id"] = id;
    return json;
}

} // namespace

const Accelerator* Presets::accelerator(std::string_view id) const { return find(accelerators, id); }
const Cluster* Presets::cluster(std::string_view id) const { return find(clusters, id); }
const Model* Presets::model(std::string_view id) const { return find(models, id); }

const Plan* Presets::plan(std::string_view id) const
{
    const PlanPreset* preset = find(plans, id);
    return preset == nullptr ? nullptr : &preset->plan;
}

Presets loadPresets(std::span<const fs::path> directories)
{
    // Each kind may refer to the kinds before it, in any directory.
    Presets found;
    loadKind(
        directories, "accelerators", found.accelerators, found.problems, [](const std::string& text, const fs::path&) {
            return parsePreset<Accelerator>(text, "cardfit/accelerator",
                [](ObjectReader& json, Accelerator& value) { readAccelerator(json, Presets{}, value); });
        });
    Presets accelerators;
    accelerators.accelerators = found.accelerators;
    loadKind(directories, "clusters", found.clusters, found.problems, [&](const std::string& text, const fs::path&) {
        return parsePreset<Cluster>(text, "cardfit/cluster",
            [&](ObjectReader& json, Cluster& value) { readCluster(json, accelerators, value); });
    });
    loadKind(directories, "models", found.models, found.problems, [](const std::string& text, const fs::path&) {
        return parsePreset<Model>(
            text, "cardfit/model", [](ObjectReader& json, Model& value) { readModel(json, Presets{}, value); });
    });
    loadKind(directories, "plans", found.plans, found.problems, [&](const std::string& text, const fs::path& file) {
        return parsePlan(text, found).map([&](Plan plan) { return PlanPreset{file.stem().string(), std::move(plan)}; });
    });
    return found;
}

std::string clusterPresetText(const Cluster& cluster)
{
    Json json = header("cardfit/cluster", cluster.id);
    writeCluster(json, cluster);
    return indentedJson(json) + "\n";
}

std::string modelPresetText(const Model& model)
{
    Json json = header("cardfit/model", model.id);
    writeModel(json, model);
    return indentedJson(json) + "\n";
}

std::string acceleratorPresetText(const Accelerator& accelerator)
{
    Json json = header("cardfit/accelerator", accelerator.id);
    writeAccelerator(json, accelerator);
    return indentedJson(json) + "\n";
}

} // namespace cardfit
