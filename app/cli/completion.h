// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

/// What shells and man(1) know of the commands, made from the table that --help is made from.
namespace cardfit::app {

/// `shell`: bash, zsh or fish. Completes commands, options, the words that options take, files, and the ids of plans,
/// for which the script asks `<program> presets plans`.
[[nodiscard]] std::string completionScript(const CLI::App& commands, std::string_view shell);

/// A page for man(1), in roff.
[[nodiscard]] std::string manualPage(const CLI::App& commands, std::string_view version);

} // namespace cardfit::app
