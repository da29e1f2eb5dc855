// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "core/launch/launch.h"

/// What importLaunch() holds every launcher to.
namespace cardfit {

[[nodiscard]] inline std::string_view withoutLeadingBlanks(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// Refuses a text that looks like a file of another program and not like one of this launcher.
[[nodiscard]] std::optional<Error> ofAnotherProgram(const LauncherTraits& traits, std::string_view text);

/// Refuses a plan whose model is that of a base which only stands in for it.
[[nodiscard]] std::optional<Error> withoutModel(const std::vector<LaunchNote>& notes, const Presets& presets);

/// Drops the notes that a name in the file is unknown, since a model was chosen; one stays if the name has another
/// size.
void compareWithName(const Model& chosen, std::vector<LaunchNote>& notes);

} // namespace cardfit
