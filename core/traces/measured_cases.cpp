// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/traces/measured_cases.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/files/plan_file.h"

namespace cardfit {

namespace {

/// Thousands of plans, each as large as a plan can be.
constexpr std::size_t kMostBytes = 64U << 20;

void refuseUnknownKey(ObjectReader& json, const std::string& place)
{
    json.fail(ErrorCode::UnknownName, place, Sentence::tr("this key is not known here"));
}

template <class Word, std::size_t count>
void readWord(ObjectReader& json, std::string_view key, const std::array<EnumName<Word>, count>& words,
    const Sentence& expected, Word& value)
{
    std::string word;
    json.read(key, word);
    for (const auto& entry : words) {
        if (entry.name != word) continue;
        value = entry.value;
        return;
    }
    json.refuse(key, ErrorCode::UnknownName, expected);
}

void readPlanOf(ObjectReader& json, const Presets& presets, Plan& plan)
{
    json.require("plan", Sentence::tr("a run is compared by its plan"));
    const Json* value = json.present("plan");
    if (value == nullptr) return;
    auto parsed = parsePlan(compactJson(*value), presets);
    if (!parsed) {
        json.fail(parsed.error().code, json.pointer("plan") + parsed.error().where.english(), parsed.error().message);
    } else if (!parsed->unknown.paths.empty()) {
        refuseUnknownKey(json, json.pointer("plan") + parsed->unknown.paths.front());
    } else {
        plan = *std::move(parsed);
    }
}

void readCase(ObjectReader& json, const Presets& presets, MeasuredCase& one)
{
    for (const auto key : {"id", "group", "trust", "source", "measured"})
        json.require(key, Sentence::tr("every case needs it"));
    json.read("id", one.id);
    json.read("group", one.group);
    readWord(json, "trust", kTrustNames, Sentence::tr("one of high, medium, low"), one.trust);
    json.read("source", one.source);
    json.read("notes", one.notes);
    readPlanOf(json, presets, one.plan);
}

void readMore(ObjectReader& /*json*/, MeasuredCase& /*one*/) { }
void readMore(ObjectReader& json, MeasuredTime& one) { json.read("axis", one.axis); }

void readMeasured(ObjectReader& json, MeasuredMemory& one)
{
    json.require("stage", Sentence::tr("a measured peak needs it"));
    json.read("stage", one.stage, kCountOrZero);
    if (json.present("device_bytes") != nullptr) {
        one.meter = MemoryMeter::Device;
        json.read("device_bytes", one.peak, kCount);
    } else if (json.present("allocated_bytes") == nullptr && json.present("reserved_bytes") != nullptr) {
        one.meter = MemoryMeter::Reserved;
        json.read("reserved_bytes", one.peak, kCount);
    } else {
        json.require("allocated_bytes", Sentence::tr("a measured peak needs it, or reserved_bytes, or device_bytes"));
        json.read("allocated_bytes", one.peak, kCount);
        json.read("reserved_bytes", one.reserved, kCount);
    }
}

void readMeasured(ObjectReader& json, MeasuredTime& one)
{
    json.require("tokens_per_second_per_card", Sentence::tr("a measured throughput needs it"));
    json.read("tokens_per_second_per_card", one.tokens_per_second_per_card, kPositive);
    json.read("year_hint", one.year_hint);
}

void readMeasured(ObjectReader& json, MeasuredOutcome& one)
{
    json.require("outcome", Sentence::tr("how the run ended"));
    readWord(json, "outcome", kOutcomeNames, Sentence::tr("one of died, refused, ran"), one.outcome);
    json.read("beside", one.beside);
}

void readMeasured(ObjectReader& json, MeasuredServing& one)
{
    using Figure = std::pair<std::string_view, ServingFigure>;
    constexpr std::array kFigures{Figure{"tpot_ms", ServingFigure::TokenTime},
        Figure{"tokens_per_second_per_user", ServingFigure::UserSpeed},
        Figure{"output_tokens_per_second", ServingFigure::Throughput}, Figure{"ttft_ms", ServingFigure::FirstToken}};
    const auto found =
        std::ranges::find_if(kFigures, [&](const Figure& figure) { return json.present(figure.first) != nullptr; });
    if (found == kFigures.end()) {
        json.require("tpot_ms",
            Sentence::tr("a measured server needs it, or tokens_per_second_per_user, or output_tokens_per_second, or "
                         "ttft_ms"));
        return;
    }
    one.figure = found->second;
    json.read(found->first, one.value, kPositive);
    json.read("apart", one.apart);
}

void readGroup(ObjectReader& json, MeasuredGroup& group)
{
    for (const auto key : {"id", "name"})
        json.require(key, Sentence::tr("a group's name needs it"));
    json.read("id", group.id);
    json.read("name", group.name);
}

template <class Case> Result<MeasuredCases<Case>> parseCases(std::string_view text, const Presets& presets)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());

    Findings findings;
    ObjectReader json(*document, findings);
    MeasuredCases<Case> result;
    std::string units;
    json.read("units", units);
    json.readObjects("groups", [&](ObjectReader& inner) { readGroup(inner, result.groups.emplace_back()); });
    json.require("cases", Sentence::tr("a file of measurements lists them"));
    std::set<std::string> ids;
    json.readObjects("cases", [&](ObjectReader& inner) {
        Case& one = result.cases.emplace_back();
        readCase(inner, presets, one);
        readMore(inner, one);
        inner.readObject("measured", [&](ObjectReader& measured) { readMeasured(measured, one); });
        if (!ids.insert(one.id).second) {
            inner.fail(
                ErrorCode::DuplicateKey, inner.pointer("id"), Sentence::tr("another case is called \"{}\"", {one.id}));
        }
    });
    json.collectUnknown();
    if (!findings.unknown_paths.empty()) refuseUnknownKey(json, findings.unknown_paths.front());
    if (result.cases.empty()) json.refuse("cases", ErrorCode::OutOfRange, Sentence::tr("at least one case"));
    if (findings.error) return tl::unexpected<Error>(*std::move(findings.error));
    return result;
}

template <class Case>
Result<MeasuredCases<Case>> readCases(const std::filesystem::path& file, const Presets& presets,
    Result<MeasuredCases<Case>> (*parse)(std::string_view, const Presets&))
{
    return readFile(file, kMostBytes)
        .and_then([&](const std::string& text) { return parse(text, presets); })
        .map_error([&](Error error) {
            error.file = file.string();
            return error;
        });
}

} // namespace

Result<MeasuredCases<MeasuredMemory>> parseMeasuredMemory(std::string_view text, const Presets& presets)
{
    return parseCases<MeasuredMemory>(text, presets);
}

Result<MeasuredCases<MeasuredTime>> parseMeasuredTime(std::string_view text, const Presets& presets)
{
    return parseCases<MeasuredTime>(text, presets);
}

Result<MeasuredCases<MeasuredOutcome>> parseMeasuredOutcomes(std::string_view text, const Presets& presets)
{
    auto read = parseCases<MeasuredOutcome>(text, presets);
    if (!read) return read;
    for (std::size_t i = 0; i < read->cases.size(); ++i) {
        const std::string& beside = read->cases[i].beside;
        if (!beside.empty() && std::ranges::find(read->cases, beside, &MeasuredOutcome::id) == read->cases.end())
            return tl::unexpected(
                Error{ErrorCode::UnknownName, {}, Sentence::verbatim(fmt::format("/cases/{}/measured/beside", i)),
                    Sentence::tr("no case is called \"{}\"", {beside})});
    }
    return read;
}

Result<MeasuredCases<MeasuredServing>> parseMeasuredServing(std::string_view text, const Presets& presets)
{
    return parseCases<MeasuredServing>(text, presets);
}

Result<MeasuredCases<MeasuredServing>> readMeasuredServing(const std::filesystem::path& file, const Presets& presets)
{
    return readCases<MeasuredServing>(file, presets, parseMeasuredServing);
}

Result<MeasuredCases<MeasuredMemory>> readMeasuredMemory(const std::filesystem::path& file, const Presets& presets)
{
    return readCases<MeasuredMemory>(file, presets, parseMeasuredMemory);
}

Result<MeasuredCases<MeasuredTime>> readMeasuredTime(const std::filesystem::path& file, const Presets& presets)
{
    return readCases<MeasuredTime>(file, presets, parseMeasuredTime);
}

Result<MeasuredCases<MeasuredOutcome>> readMeasuredOutcomes(const std::filesystem::path& file, const Presets& presets)
{
    return readCases<MeasuredOutcome>(file, presets, parseMeasuredOutcomes);
}

} // namespace cardfit
