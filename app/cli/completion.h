// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace CLI {
class App;
}

/// Shell completion scripts, the man page and a part of the reference, generated from the same table as --help.
namespace cardfit::app {

/// `shell`: bash, zsh or fish. Completes commands, options, the words of options, files, and the ids of plans, for
/// which the script runs `<program> presets plans`.
[[nodiscard]] std::string completionScript(const CLI::App& commands, std::string_view shell);

/// Every command with its options, as Markdown.
[[nodiscard]] std::string commandReference(const CLI::App& commands);

/// A page for man(1), in roff.
[[nodiscard]] std::string manualPage(const CLI::App& commands, std::string_view version);

} // namespace cardfit::app
