// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/launch/launch.h"
#include "core/launch/shell/command_line.h"
#include "core/plan/choices.h"

namespace cardfit {

/// The text as a whole number from `least` to 2^40 (larger than any count here); nullopt for anything else.
[[nodiscard]] std::optional<std::int64_t> countIn(std::string_view text, std::int64_t least = 1);

/// Typed access to flags. If a flag is repeated, the last one counts, as in Python's argparse. The first unacceptable
/// value becomes the error; reading continues, so that callers need no check per flag.
class FlagReader {
public:
    explicit FlagReader(std::vector<LaunchFlag> flags);

    [[nodiscard]] bool has(std::string_view name) const;
    /// Whether the importer has asked for an option of this name, so that a plan depends on it.
    [[nodiscard]] bool knows(std::string_view name) const { return m_known.contains(name); }
    /// Marks a flag as read and returns whether it is present; for flags without a value.
    [[nodiscard]] bool flag(std::string_view name);
    /// A number of at least `least`; `value` is unchanged if the flag is absent.
    void read(std::string_view name, std::int64_t& value, std::int64_t least = 1);
    void read(std::string_view name, double& value, double least, double most);
    /// Whether the switch is there.
    void read(std::string_view name, bool& value) { value = flag(name); }
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name, std::int64_t least = 1);
    [[nodiscard]] std::optional<std::string> word(std::string_view name);
    [[nodiscard]] std::vector<std::string> words(std::string_view name);
    /// One of the enumeration's names, or of `allowed`; error UnknownName for others.
    template <class Enum> void read(std::string_view name, Enum& value) requires std::is_enum_v<Enum>
    {
        readWord(name, value, names<Enum>());
    }
    template <class Enum>
    void read(std::string_view name, Enum& value, std::initializer_list<EnumName<std::type_identity_t<Enum>>> allowed)
    {
        readWord(name, value, std::span(allowed.begin(), allowed.size()));
    }
    /// Marks flags as read whose values are not needed.
    void skip(std::initializer_list<std::string_view> names);

    /// Reports MissingKey, unless there is an error already.
    void miss(std::string_view names, Sentence why);
    /// Reports an error such as "line 7, --num-layers: expected ..., found ...".
    void refuse(std::string_view name, ErrorCode code, Sentence expectation);

    /// Notes a flag that a plan cannot hold, with its value.
    void note(std::string_view name, Sentence why);
    void note(std::string what, std::string value, Sentence why);
    /// The same for an assumption about the plan.
    void noteAssumed(std::string_view name, Sentence why);
    void noteAssumed(std::string what, std::string value, Sentence why);

    /// Flags that have not been read.
    [[nodiscard]] std::vector<LaunchFlag> unread() const;

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] std::vector<LaunchNote>& notes() { return m_notes; }

private:
    struct Entry {
        LaunchFlag flag;
        bool read = false;
    };

    /// Marks the flag as read, and as one that was asked for.
    const LaunchFlag* find(std::string_view name);
    /// Marks the flag as read.
    const LaunchFlag* taken(std::string_view name);

    template <class Enum> void readWord(std::string_view name, Enum& value, std::span<const EnumName<Enum>> allowed)
    {
        const auto said = word(name);
        if (!said) return;
        std::string words;
        for (const EnumName<Enum>& one : allowed) {
            if (one.name == *said) {
                value = one.value;
                return;
            }
            words += (words.empty() ? "" : ", ") + std::string(one.name);
        }
        refuse(name, ErrorCode::UnknownName, Sentence::tr("one of {}", {std::move(words)}));
    }

    std::vector<Entry> m_flags;
    std::map<std::string, std::size_t, std::less<>> m_places; ///< in m_flags, by name
    mutable std::set<std::string, std::less<>> m_known; ///< names that were asked for
    std::vector<LaunchNote> m_notes;
    std::optional<Error> m_error;
};

/// Another number makes it another cluster.
void setCardsPerNode(Cluster& cluster, std::int64_t cards);

/// Sets nodes and cards to what torchrun or Slurm was given, as arguments of the runner or of the program. If neither
/// is given, `cluster` stays unchanged and `program` gets a note.
void readCards(FlagReader& runner, FlagReader& program, Cluster& cluster);

/// Puts first among the notes what the text leaves open and the command hangs on: variables that are not set, files
/// that cannot be read, conditions that are not known, and loops. Called when `program` has been read: of options only
/// those count that were asked for.
void noteUnknown(const LaunchCommand& command, FlagReader& program);

/// Notes that the text has other commands like the one that was read.
void noteOtherCommands(const LaunchCommand& command, FlagReader& program);

} // namespace cardfit
