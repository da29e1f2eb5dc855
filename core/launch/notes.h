// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include "core/launch/launch.h"
#include "core/plan/choices.h"

/// Internal to the importers and exporters.
namespace cardfit {

/// Why settings of a launcher are not read.
inline constexpr Phrase kNoField = Sentence::tr("plans have no field for this");
inline constexpr Phrase kNoOptimizer = Sentence::tr("plans do not support it; adam is used");

/// The plan has the base's model, since the file names none.
[[nodiscard]] inline LaunchNote noModelNote(const Model& kept, Sentence why)
{
    return {"model", kept.name, std::move(why), true, ModelOfBase::NotNamed};
}
/// The same since the file's `name` is that of no shipped model.
[[nodiscard]] inline LaunchNote unknownModelNote(std::string_view key, std::string_view name, const Model& kept)
{
    return {std::string(key), std::string(name),
        Sentence::tr("unknown model; {} is kept. Select another with --model (a config.json or a preset)", {kept.name}),
        true, ModelOfBase::UnknownName};
}

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
    /// Notes an assumption about the plan.
    template <class Value> void addAssumed(std::string_view what, const Value& value, Sentence why)
    {
        add(what, value, std::move(why));
        m_notes.back().assumed = true;
    }
    void add(LaunchNote note) { m_notes.push_back(std::move(note)); }
    void add(std::string_view what, Sentence why) { m_notes.push_back({std::string(what), {}, std::move(why)}); }
    /// Notes a key that has no counterpart in a plan; `pointer` is its JSON pointer.
    void addUnknown(std::string_view pointer) { add(pointer.substr(pointer.starts_with('/') ? 1 : 0), kNoField); }

    /// Puts notes before all others.
    void prepend(Notes first)
    {
        m_notes.insert(m_notes.begin(), std::make_move_iterator(first.m_notes.begin()),
            std::make_move_iterator(first.m_notes.end()));
    }

    [[nodiscard]] std::vector<LaunchNote> take() && { return std::move(m_notes); }

private:
    std::vector<LaunchNote> m_notes;
};

} // namespace cardfit
