// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/base/sentence.h"

/// Files that people have beside those of the launchers, so that a refusal can say what a file is.
namespace cardfit {

/// The program, format or language that a text looks like, as "SGLang"; empty if it looks like none of those known.
/// `text`: without leading white space.
[[nodiscard]] std::string_view otherProgramOf(std::string_view text);

/// A program or command of a launcher's project that no plan describes, by its name or a part of it.
struct OtherJob {
    std::string_view part;
    Phrase what;
};
/// The first whose part is in the name; null if there is none.
[[nodiscard]] const OtherJob* jobOf(std::span<const OtherJob> jobs, std::string_view name);

} // namespace cardfit
