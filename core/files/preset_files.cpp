// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/preset_files.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/amounts.h"
#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/files/plan_file.h"
#include "core/files/preset_json.h"
#include "core/model/operators.h"
#include "core/model/specialties.h"

namespace cardfit {

namespace {

namespace fs = std::filesystem;

struct KindNames {
    PresetKind kind;
    std::string_view folder;
    std::string_view format;
};
constexpr std::array<KindNames, 4> kNames{{
    {PresetKind::Model, "models", "cardfit/model"},
    {PresetKind::Accelerator, "accelerators", "cardfit/accelerator"},
    {PresetKind::Cluster, "clusters", "cardfit/cluster"},
    {PresetKind::Plan, "plans", "cardfit/plan"},
}};

/// The model's size and shape in a few numbers.
Sentence sizeOf(const Model& model)
{
    const Architecture& shape = model.architecture;
    const auto billions = inDigits(static_cast<double>(parameterCount(shape)) * 1e-9, 3);
    if (shape.moe) {
        return Sentence::tr("{} B parameters, {} layers, hidden {}, {} experts",
            {billions, shape.num_hidden_layers, shape.hidden_size, shape.moe->num_experts});
    }
    return Sentence::tr(
        "{} B parameters, {} layers, hidden {}", {billions, shape.num_hidden_layers, shape.hidden_size});
}

Sentence figures(const Model& model)
{
    Sentence said = sizeOf(model);
    for (Sentence& fact : specialties(model.architecture))
        said = Sentence::tr("{}; {}", {std::move(said), std::move(fact)});
    return said;
}

Sentence figures(const Accelerator& card)
{
    // Units are not translated.
    std::string text;
    if (card.tflops.bf16) text += fmt::format(", {:.4g} TFLOPS bf16", card.tflops.bf16->value());
    text += fmt::format(", {:.4g} GB/s", card.memory_bandwidth.value());
    return Sentence::tr("{}{}", {memorySentence(card), text});
}

Sentence figures(const Cluster& cluster)
{
    return Sentence::verbatim(
        fmt::format("{} x {} {}", cluster.nodes, cluster.cards_per_node, cluster.accelerator.name));
}

Sentence figures(const Plan& plan) { return Sentence::tr("{}, {} cards", {plan.model.name, cardCount(plan.cluster)}); }

/// What to do with keys that this version does not know.
enum class UnknownKeysAre { Refused, LeftAlone };

tl::unexpected<Error> unknownKeys(const std::vector<std::string>& paths)
{
    return fail(ErrorCode::WrongFormat, paths.front(),
        paths.size() == 1 ? Sentence(Sentence::tr("a preset has no such key"))
                          : Sentence::tr("a preset has no such key; nor {}",
                              {fmt::format("{}", fmt::join(std::span(paths).subspan(1), ", "))}));
}

template <class Value, class ReadFields>
Result<PresetHeading> readValue(
    const Json& document, const KindNames& names, UnknownKeysAre unknown, ReadFields read_fields)
{
    Findings findings;
    Value value;
    {
        ObjectReader json(document, findings);
        readHeader(json, names.format);
        json.require("id", Sentence::tr("a preset needs one"));
        read_fields(json, value);
        json.collectUnknown();
    }
    if (findings.error) return tl::unexpected<Error>(*findings.error);
    if (unknown == UnknownKeysAre::Refused && !findings.unknown_paths.empty())
        return unknownKeys(findings.unknown_paths);
    return PresetHeading{names.kind, value.id, value.name, figures(value), value.source};
}

Result<PresetHeading> readPlanPreset(std::string_view text, const Presets& presets, UnknownKeysAre unknown)
{
    const auto plan = parsePlan(text, presets);
    if (!plan) return tl::unexpected<Error>(plan.error());
    if (unknown == UnknownKeysAre::Refused && !plan->unknown.paths.empty()) return unknownKeys(plan->unknown.paths);
    return PresetHeading{PresetKind::Plan, {}, plan->name, figures(*plan), plan->source};
}

Result<PresetHeading> readHeading(std::string_view text, const Presets& presets, UnknownKeysAre unknown)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());
    std::string format;
    if (const auto found = document->find("format"); found != document->end() && found->is_string())
        format = found->get<std::string>();
    const auto names = std::ranges::find(kNames, format, &KindNames::format);
    if (names == kNames.end()) {
        return fail(ErrorCode::WrongFormat, "/format",
            Sentence::tr(
                "expected \"cardfit/model\", \"cardfit/accelerator\", \"cardfit/cluster\" or \"cardfit/plan\""));
    }
    switch (names->kind) {
    case PresetKind::Model:
        return readValue<Model>(
            *document, *names, unknown, [](ObjectReader& json, Model& value) { readModel(json, Presets{}, value); });
    case PresetKind::Accelerator:
        return readValue<Accelerator>(*document, *names, unknown,
            [](ObjectReader& json, Accelerator& value) { readAccelerator(json, Presets{}, value); });
    case PresetKind::Cluster: {
        Presets accelerators;
        accelerators.accelerators = presets.accelerators;
        return readValue<Cluster>(*document, *names, unknown,
            [&](ObjectReader& json, Cluster& value) { readCluster(json, accelerators, value); });
    }
    case PresetKind::Plan: break;
    }
    return readPlanPreset(text, presets, unknown);
}

/// Parses a JSON pointer; nullopt if it is invalid.
std::optional<Json::json_pointer> placeOf(const std::string& pointer)
{
    try {
        return Json::json_pointer(pointer);
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

Result<std::string> withValue(std::string_view text, const std::string& pointer, Json value)
{
    auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());
    const auto place = placeOf(pointer);
    if (!place) return fail(ErrorCode::NotJson, pointer, Sentence::tr("not a JSON pointer"));
    try {
        // operator[] turns null into the objects that the pointer needs.
        (*document)[*place] = std::move(value);
    } catch (const Json::exception&) {
        return fail(
            ErrorCode::NotJson, pointer, Sentence::tr("the value that contains it is neither an object nor null"));
    }
    return indentedJson(*document) + "\n";
}

std::vector<fs::path> jsonFilesOf(const fs::path& folder, std::error_code& problem)
{
    std::vector<fs::path> files;
    for (const fs::path& file : entriesOf(folder, problem)) {
        if (file.extension() == ".json") files.push_back(file);
    }
    return files;
}

} // namespace

std::string_view presetFolder(PresetKind kind) { return std::ranges::find(kNames, kind, &KindNames::kind)->folder; }

Result<PresetHeading> readPresetText(std::string_view text, const Presets& presets)
{
    return readHeading(text, presets, UnknownKeysAre::Refused);
}

/// The format that the text states.
static std::optional<PresetKind> kindOf(std::string_view text)
{
    const auto names =
        std::ranges::find(kNames, presetValue(text, "/format").value_or(std::string()), &KindNames::format);
    return names == kNames.end() ? std::nullopt : std::optional(names->kind);
}

/// A cluster's text with its card as an object.
static Result<std::string> withCardEmbedded(std::string_view text, const Presets& presets)
{
    auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());
    Findings findings;
    Cluster cluster;
    {
        ObjectReader json(*document, findings);
        readCluster(json, presets, cluster);
    }
    if (findings.error) return tl::unexpected<Error>(*findings.error);
    Json card = Json::object();
    if (!cluster.accelerator.id.empty()) card["preset"] = cluster.accelerator.id;
    writeAccelerator(card, cluster.accelerator);
    (*document)["accelerator"] = std::move(card);
    return indentedJson(*document) + "\n";
}

Result<std::string> withPresetsEmbedded(std::string_view text, const Presets& presets)
{
    const auto kind = kindOf(text);
    if (kind == PresetKind::Cluster) return withCardEmbedded(text, presets);
    if (kind == PresetKind::Plan) return parsePlan(text, presets).map(planText);
    return std::string(text);
}

bool dependsOn(std::string_view text, const Presets& with, const Presets& without)
{
    const auto here = withPresetsEmbedded(text, with);
    return here && here != withPresetsEmbedded(text, without);
}

std::optional<MissingCard> missingCard(std::string_view text, const Presets& presets)
{
    const auto kind = kindOf(text);
    if (kind != PresetKind::Cluster && kind != PresetKind::Plan) return std::nullopt;
    const auto read = readPresetText(text, presets);
    if (read || read.error().code != ErrorCode::UnknownName) return std::nullopt;
    const std::string pointer = read.error().where.english();
    const std::string card = kind == PresetKind::Plan ? "/cluster/accelerator" : "/accelerator";
    if (pointer != card && pointer != card + "/preset") return std::nullopt;
    return MissingCard{presetValue(text, pointer).value_or(std::string()), pointer};
}

std::optional<std::string> withoutStaleCount(std::string_view before, std::string_view changed)
{
    const auto count = presetValue(changed, "/reported_parameters");
    if (!count || count != presetValue(before, "/reported_parameters")) return std::nullopt;
    const auto shapeOf = [](std::string_view text) -> std::optional<Architecture> {
        const auto document = parseJson(text);
        if (!document) return std::nullopt;
        Findings findings;
        Model model;
        ObjectReader json(*document, findings);
        readModel(json, Presets{}, model);
        return findings.error ? std::nullopt : std::optional(model.architecture);
    };
    const auto from = shapeOf(before);
    const auto to = shapeOf(changed);
    if (!from || !to || from == to) return std::nullopt;
    auto text = withPresetNumber(changed, "/reported_parameters", std::nullopt);
    return text ? std::optional(*std::move(text)) : std::nullopt;
}

std::vector<PresetFile> listPresetFiles(std::span<const fs::path> directories, const Presets& presets)
{
    std::vector<PresetFile> list;
    for (const PresetKind kind : kPresetKinds) {
        const auto begin = static_cast<std::ptrdiff_t>(list.size());
        for (std::size_t directory = 0; directory < directories.size(); ++directory) {
            const fs::path folder = directories[directory] / presetFolder(kind);
            std::error_code unread;
            const auto addUnreadable = [&](const fs::path& path, std::string name, Error problem) {
                list.push_back({{kind, name, name, {}, {}}, path, directory, false, false, std::move(problem)});
            };
            for (const fs::path& file : jsonFilesOf(folder, unread)) {
                auto heading = readFile(file).and_then(
                    [&](const std::string& text) { return readHeading(text, presets, UnknownKeysAre::LeftAlone); });
                if (heading && heading->kind != kind)
                    heading = fail(ErrorCode::WrongFormat, "/format",
                        Sentence::tr("a preset of another kind; this folder holds \"{}\"",
                            {std::ranges::find(kNames, kind, &KindNames::kind)->format}));
                if (!heading) {
                    addUnreadable(file, file.stem().string(), heading.error());
                    continue;
                }
                if (kind == PresetKind::Plan) heading->id = file.stem().string();
                list.push_back({*std::move(heading), file, directory, false, false, std::nullopt});
            }
            if (unread && unread != std::errc::no_such_file_or_directory)
                addUnreadable(folder, folder.string(),
                    {ErrorCode::CannotRead, {}, {}, Sentence::tr("cannot be read: {}", {reasonOf(unread)})});
        }
        // Stable: of several files with one id, the one from the earlier directory comes first.
        std::stable_sort(list.begin() + begin, list.end(), [](const PresetFile& a, const PresetFile& b) {
            return std::pair(!a.problem, a.heading.id) < std::pair(!b.problem, b.heading.id);
        });
        for (auto file = list.begin() + begin; file != list.end(); ++file) {
            if (file->problem || file == list.begin() + begin) continue;
            if (std::prev(file)->problem || std::prev(file)->heading.id != file->heading.id) continue;
            file->hidden = true;
            if (!std::prev(file)->hidden) std::prev(file)->hides = true;
        }
    }
    return list;
}

std::optional<std::string> presetValue(std::string_view text, const std::string& pointer)
{
    const auto document = parseJson(text);
    const auto place = placeOf(pointer);
    if (!document || !place || !document->contains(*place)) return std::nullopt;
    const Json& found = document->at(*place);
    const bool names = found.is_object() && found.contains("preset");
    const Json& value = names ? found.at("preset") : found;
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_number()) return std::nullopt;
    return compactJson(value);
}

Result<std::string> withPresetNumber(std::string_view text, const std::string& pointer, std::optional<double> value)
{
    return withValue(text, pointer, plainNumber(value));
}

Result<std::string> withPresetWord(std::string_view text, const std::string& pointer, std::string_view value)
{
    return withValue(text, pointer, std::string(value));
}

} // namespace cardfit
