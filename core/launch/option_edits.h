// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Finds the options in a launcher's text and changes one of them. Internal to core/launch; other code uses
/// exportInto().
namespace cardfit {

/// "--num-layers" with "32", "training.seq_len" with "4096", "/zero_optimization/stage" with "2": the value as written;
/// empty for a switch.
struct LaunchOption {
    std::string name;
    std::string value;

    bool operator==(const LaunchOption&) const = default;
};
using LaunchOptions = std::vector<LaunchOption>; ///< each name once, in the order of the text

/// A new value for one option; nullopt removes it.
struct OptionEdit {
    std::string name;
    std::optional<std::string> value;
    std::vector<std::string> neighbours; ///< options in the text next to which a new one may be inserted, best first
};

/// Two spellings of the same setting: if `option` is written, `other` has to be removed.
struct OtherSpelling {
    std::string_view option;
    std::string_view other;
};

/// The options of a shell script, a command or a Megatron-LM test case; empty if it cannot be read.
[[nodiscard]] LaunchOptions shellOptions(std::string_view text);
[[nodiscard]] LaunchOptions tomlOptions(std::string_view text);
[[nodiscard]] LaunchOptions jsonOptions(std::string_view text);

/// Candidate texts with the edit applied, best first. The caller reads each again and takes the first in which only
/// this option has changed.
[[nodiscard]] std::vector<std::string> shellEdits(std::string_view text, const OptionEdit& edit);
[[nodiscard]] std::vector<std::string> tomlEdits(std::string_view text, const OptionEdit& edit);
[[nodiscard]] std::vector<std::string> jsonEdits(std::string_view text, const OptionEdit& edit);

/// The text with the range [begin, end) replaced.
[[nodiscard]] std::string spliced(
    std::string_view text, std::size_t begin, std::size_t end, std::string_view replacement);
/// Start and end of the line that contains `at`; the end is its line break or the end of the text.
[[nodiscard]] std::size_t lineBegin(std::string_view text, std::size_t at);
[[nodiscard]] std::size_t lineEnd(std::string_view text, std::size_t at);
/// The white space at the beginning of the line that contains `at`.
[[nodiscard]] std::string_view indentAt(std::string_view text, std::size_t at);

} // namespace cardfit
