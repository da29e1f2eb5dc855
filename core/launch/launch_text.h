// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cardfit {

/// Gives a file that a launcher's file names, relative to its folder; nullopt if it cannot be read. May be empty.
using NeighbourFiles = std::function<std::optional<std::string>(const std::string& path)>;

/// A launcher's file. The core reads no files by itself: who knows the file's folder gives its neighbours.
struct LaunchText {
    std::string_view text;
    NeighbourFiles files = {};
    std::string part = {}; ///< which of a file's configurations is meant, where it has several; empty: its only one

    template <class Text>
    LaunchText(const Text& a_text) // NOLINT: a text alone is one
        : text(a_text)
    {
    }
    LaunchText(std::string_view a_text, NeighbourFiles a_files)
        : text(a_text)
        , files(std::move(a_files))
    {
    }
};

} // namespace cardfit
