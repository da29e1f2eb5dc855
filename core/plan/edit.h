// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/sentence.h"

namespace cardfit {

/// One value of a plan before and after, in the words of the plan file.
struct Edit {
    std::string field; ///< JSON pointer: "/parallelism/tensor"
    std::string from, to; ///< "8", "16"; "none", "full (uniform, 1)"

    bool operator==(const Edit&) const = default;
};

/// A value of an Edit in words. Those that are not text in the file ("none", "on", "automatic") are translated.
[[nodiscard]] Sentence valueWords(std::string_view value);

/// A field in words: its label, or its key if it has none.
[[nodiscard]] Sentence fieldWords(std::string_view pointer);

} // namespace cardfit
