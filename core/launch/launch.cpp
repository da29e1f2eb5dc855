// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launch.h"

#include <algorithm>

#include "core/files/foreign_text.h"
#include "core/launch/import_rules.h"
#include "core/launch/round_trip.h"
#include "core/plan/fields.h"
#include <fmt/format.h>

namespace cardfit {

namespace {

/// Refuses a plan that no plan file could hold: sizes that importers derive from acceptable numbers (a multiple of a
/// width, a share of it) may be none themselves. What comes from `base` is not the text's fault.
std::optional<Error> beyondPlans(const Plan& plan, const Plan& base)
{
    for (const Field& field : planFields()) {
        if (field.get == nullptr) continue; // measured curves
        const FieldValue value = field.get(plan);
        if (const auto number = outOfRange(field, value); number && value != field.get(base))
            return Error{ErrorCode::OutOfRange, {}, Sentence::verbatim(std::string(field.pointer)),
                Sentence::tr("follows from the file as {}; a plan holds numbers from {} to {}",
                    {fmt::format("{}", *number), fmt::format("{}", field.range.least),
                        fmt::format("{}", field.range.most)})};
    }
    return std::nullopt;
}

} // namespace

const LauncherTraits& traitsOf(Launcher launcher)
{
    return *std::ranges::find(launchers(), launcher, &LauncherTraits::value);
}

std::optional<Launcher> launcherNamed(std::string_view word)
{
    const auto found = std::ranges::find(launchers(), word, &LauncherTraits::word);
    return found == launchers().end() ? std::nullopt : std::optional(found->value);
}

Sentence asSentence(const LaunchNote& note)
{
    return note.value.empty() ? Sentence::tr("{}: {}", {note.what, note.why})
                              : Sentence::tr("{} {}: {}", {note.what, note.value, note.why});
}

std::string describe(const LaunchNote& note) { return asSentence(note).english(); }

Result<ImportedPlan> importLaunch(
    Launcher launcher, const LaunchText& text, const Plan& base, const Presets& presets, BaseModel model)
{
    const LauncherTraits& traits = traitsOf(launcher);
    if (auto error = nulByteIn(text.text)) return tl::unexpected<Error>(*std::move(error));
    if (auto error = ofAnotherProgram(traits, text.text)) return tl::unexpected<Error>(*std::move(error));
    // Without presets no name is known, so that the chosen model remains.
    auto imported = traits.import(text, base, model == BaseModel::Chosen ? Presets() : presets);
    if (!imported) return imported;
    if (auto error = beyondPlans(imported->plan, base)) return tl::unexpected<Error>(*std::move(error));
    if (model == BaseModel::Placeholder) {
        if (auto error = withoutModel(imported->notes, presets)) return tl::unexpected<Error>(*std::move(error));
    }
    if (model == BaseModel::Chosen) compareWithName(base.model, imported->notes);
    // What a reader must know comes first.
    std::stable_partition(
        imported->notes.begin(), imported->notes.end(), [](const LaunchNote& note) { return note.assumed; });
    for (const LaunchNote& note : imported->notes) {
        if (note.assumed) assume(imported->plan, describe(note));
    }
    return imported;
}

Result<ExportedLaunch> exportLaunch(Launcher launcher, const Plan& plan)
{
    const LauncherTraits& traits = traitsOf(launcher);
    if (traits.write == nullptr)
        return fail(ErrorCode::Usage, {}, Sentence::tr("files of {} can only be read", {traits.label}));
    const bool served = plan.workload.task == Task::Inference;
    if (served != traits.serves)
        return fail(ErrorCode::OutOfRange, "/workload/task",
            served ? Sentence::tr("expected a training task; inference has other launchers")
                   : Sentence::tr("expected an inference task; {} does not support training", {traits.label}));
    ExportedLaunch exported = traits.write(plan);
    noteRoundTripLosses(launcher, plan, Presets{}, exported);
    return exported;
}

std::optional<Launcher> detectLauncher(std::string_view text)
{
    text = withoutLeadingBlanks(text);
    if (text.empty()) return std::nullopt;
    if (text.starts_with('{') && text.find("\"cardfit/") != std::string_view::npos)
        return std::nullopt; // a plan or preset of Cardfit
    // Last row first: a torchtitan job may contain options of Megatron-LM and a model keys of DeepSpeed, but not vice
    // versa.
    const auto all = launchers();
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [&](const LauncherTraits& traits) { return traits.recognises(text); });
    return found == all.rend() ? std::nullopt : std::optional(found->value);
}

} // namespace cardfit
