// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <type_traits>

#include <fmt/format.h>

#include "core/launch/launch.h"
#include "core/plan/choices.h"

/// Internal to the importers and exporters.
namespace cardfit {

/// Why settings of a launcher are not read.
inline constexpr Phrase kNoField = Sentence::tr("plans have no field for this");
inline constexpr Phrase kNoOptimizer = Sentence::tr("plans do not support it; adam is used");

/// Collects notes; numbers, flags and enumerations are written as in a plan file.
class Notes {
public:
    explicit Notes(std::vector<LaunchNote> notes = {})
        : m_notes(std::move(notes))
    {
    }

    template <class Value> void add(std::string_view what, const Value& value, Sentence why)
    {
        std::string text;
        if constexpr (std::is_enum_v<Value>)
            text = name(value);
        else
            text = fmt::format("{}", value);
        m_notes.push_back({std::string(what), std::move(text), std::move(why)});
    }
    void add(std::string_view what, Sentence why) { m_notes.push_back({std::string(what), {}, std::move(why)}); }
    /// Notes a key that has no counterpart in a plan; `pointer` is its JSON pointer.
    void addUnknown(std::string_view pointer) { add(pointer.substr(pointer.starts_with('/') ? 1 : 0), kNoField); }

    [[nodiscard]] std::vector<LaunchNote> take() && { return std::move(m_notes); }

private:
    std::vector<LaunchNote> m_notes;
};

} // namespace cardfit
