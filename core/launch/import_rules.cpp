// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/import_rules.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/launch/checkpoint_names.h"
#include "core/launch/other_programs.h"
#include "core/plan/model_size.h"

namespace cardfit {

std::optional<Error> ofAnotherProgram(const LauncherTraits& traits, std::string_view text)
{
    text = withoutLeadingBlanks(text);
    if (traits.recognises(text)) return std::nullopt;
    const auto refusal = [&](const Argument& found) {
        return Error{
            ErrorCode::WrongFormat, {}, {}, Sentence::tr("looks like a file of {}, not of {}", {found, traits.label})};
    };
    if (const std::string_view other = otherProgramOf(text); !other.empty()) return refusal(std::string(other));
    if (const auto other = detectLauncher(text)) return refusal(traitsOf(*other).label);
    return std::nullopt;
}

std::optional<Error> withoutModel(const std::vector<LaunchNote>& notes, const Presets& presets)
{
    for (const LaunchNote& note : notes) {
        switch (note.model) {
        case ModelOfBase::No: break;
        case ModelOfBase::NotNamed:
            return Error{ErrorCode::MissingKey, {}, Sentence::verbatim("model"),
                Sentence::tr("the file has none: give --model config.json or a shipped one")};
        case ModelOfBase::UnknownName:
            return Error{ErrorCode::UnknownName, {}, Sentence::verbatim(note.what),
                Sentence::tr("model {} is not among the shipped ones: give --model config.json or one of: {}",
                    {note.value, fmt::format("{}", fmt::join(nearestModels(note.value, presets), ", "))})};
        }
    }
    return std::nullopt;
}

void compareWithName(const Model& chosen, std::vector<LaunchNote>& notes)
{
    constexpr double kMostApart = 0.2;
    for (LaunchNote& note : notes) {
        const auto named = note.model == ModelOfBase::UnknownName ? parametersInName(note.value) : std::nullopt;
        const double size = modelSize(chosen);
        if (named && std::abs(size / *named - 1.0) > kMostApart) {
            note.why = Sentence::tr("the name says {} billion parameters; {}, which was chosen, has {}",
                {fmt::format("{:.3g}", *named / 1e9), chosen.name, fmt::format("{:.3g}", size / 1e9)});
            note.model = ModelOfBase::No;
        }
    }
    std::erase_if(notes, [](const LaunchNote& note) { return note.model == ModelOfBase::UnknownName; });
}

} // namespace cardfit
