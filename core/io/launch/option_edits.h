// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Options as they stand in a launcher's text, and how one of them is changed there. Internal to core/io/launch:
/// exportInto() is for others.
namespace cardfit {

/// "--num-layers" with "32", "training.seq_len" with "4096", "/zero_optimization/stage" with "2": the value as it is
/// written; empty for a switch.
struct LaunchOption {
    std::string name;
    std::string value;

    bool operator==(const LaunchOption&) const = default;
};
using LaunchOptions = std::vector<LaunchOption>; ///< each name once, in the order of the text

/// One option that is to have another value, or none: to go.
struct OptionEdit {
    std::string name;
    std::optional<std::string> value;
    std::vector<std::string> neighbours; ///< options of the text beside which a new one may stand, the best first
};

/// An option that says what another one says too: where one is written the other has to go.
struct OtherSpelling {
    std::string_view option;
    std::string_view other;
};

/// Options of a shell script, a command or a Megatron-LM test case; none if it cannot be read.
[[nodiscard]] LaunchOptions shellOptions(std::string_view text);
[[nodiscard]] LaunchOptions tomlOptions(std::string_view text);
[[nodiscard]] LaunchOptions jsonOptions(std::string_view text);

/// Texts that may hold the edit and leave everything else as it stands, the best first. They are proposals: the caller
/// reads them again and takes the first in which nothing but the option has changed.
[[nodiscard]] std::vector<std::string> shellEdits(std::string_view text, const OptionEdit& edit);
[[nodiscard]] std::vector<std::string> tomlEdits(std::string_view text, const OptionEdit& edit);
[[nodiscard]] std::vector<std::string> jsonEdits(std::string_view text, const OptionEdit& edit);

/// The text with what stands from `begin` to `end` replaced.
[[nodiscard]] std::string spliced(
    std::string_view text, std::size_t begin, std::size_t end, std::string_view replacement);
/// Where the line of a position begins, and where it ends: at its line break or at the end of the text.
[[nodiscard]] std::size_t lineBegin(std::string_view text, std::size_t at);
[[nodiscard]] std::size_t lineEnd(std::string_view text, std::size_t at);
/// Blanks at the beginning of the line of a position.
[[nodiscard]] std::string_view indentAt(std::string_view text, std::size_t at);

} // namespace cardfit
