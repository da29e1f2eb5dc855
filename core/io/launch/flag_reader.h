// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/io/launch/launch.h"
#include "core/io/launch/shell/command_line.h"
#include "core/plan/names.h"

namespace cardfit {

/// The whole number that a text is, from `least` to 2^40, which is beyond anything countable here; none for other
/// texts.
[[nodiscard]] std::optional<std::int64_t> countIn(std::string_view text, std::int64_t least = 1);

/// Typed access to flags. The last of equal flags counts, as in Python's argparse. The first value that is not
/// acceptable becomes the error; reading goes on, so that callers need no check per flag.
class FlagReader {
public:
    explicit FlagReader(std::vector<LaunchFlag> flags);

    [[nodiscard]] bool has(std::string_view name) const;
    /// Marks a flag as read and says whether it is there; for those that take no value.
    [[nodiscard]] bool flag(std::string_view name);
    /// Of at least `least`; stays as it is where the flag is not there.
    void read(std::string_view name, std::int64_t& value, std::int64_t least = 1);
    void read(std::string_view name, double& value, double least, double most);
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view name, std::int64_t least = 1);
    [[nodiscard]] std::optional<std::string> word(std::string_view name);
    [[nodiscard]] std::vector<std::string> words(std::string_view name);
    /// One of the words of an enumeration's names or of `allowed`; UnknownName for others.
    template <class Enum> void read(std::string_view name, Enum& value) requires std::is_enum_v<Enum>
    {
        readWord(name, value, names<Enum>());
    }
    template <class Enum>
    void read(std::string_view name, Enum& value, std::initializer_list<EnumName<std::type_identity_t<Enum>>> allowed)
    {
        readWord(name, value, std::span(allowed.begin(), allowed.size()));
    }
    /// Marks flags as read of which no value is needed.
    void skip(std::initializer_list<std::string_view> names);

    /// MissingKey, unless there is an error already.
    void miss(std::string_view names, Sentence why);
    /// "line 7, --num-layers: expected ..., found ..."
    void refuse(std::string_view name, ErrorCode code, Sentence expectation);

    /// Notes a flag as one that a plan cannot hold, with the value that it has.
    void note(std::string_view name, Sentence why);
    void note(std::string what, std::string value, Sentence why);

    /// Flags that nobody asked for.
    [[nodiscard]] std::vector<LaunchFlag> unread() const;

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] std::vector<LaunchNote>& notes() { return m_notes; }

private:
    struct Entry {
        LaunchFlag flag;
        bool read = false;
    };

    const LaunchFlag* find(std::string_view name);

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
    std::vector<LaunchNote> m_notes;
    std::optional<Error> m_error;
};

/// Sets nodes and cards to what torchrun or Slurm was told, before the program or behind it. What neither says stays as
/// it is, with a note in `program`.
void readCards(FlagReader& runner, FlagReader& program, Cluster& cluster);

} // namespace cardfit
