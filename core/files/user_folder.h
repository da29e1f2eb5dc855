// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string_view>

namespace cardfit {

/// $HOME, or, where that is missing or relative, the home folder that the system knows of the user; empty if there is
/// none.
[[nodiscard]] std::filesystem::path homeFolder();

/// A folder of the user's: `below` the XDG base directory that the variable names, by default (also for a relative
/// path, which the specification says to ignore) below `usual` in the home folder. Empty without a home folder: the
/// working folder never stands in for it. It need not exist yet.
[[nodiscard]] std::filesystem::path userFolder(
    const char* variable, std::string_view usual, const std::filesystem::path& below);

} // namespace cardfit
