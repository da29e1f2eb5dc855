// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/shell/shell_words.h"

namespace cardfit::shell {

/// A word after expansion.
struct Value {
    std::string text;
    int line = 0;
};
using Values = std::vector<Value>;

/// The words of a text that begins on `line`.
[[nodiscard]] Values splitAtBlanks(std::string_view text, int line);
/// The values joined with blanks.
[[nodiscard]] std::string joined(const Values& values);

/// Whether the text holds nothing that is not known: an unset variable, or what a command writes.
[[nodiscard]] bool isKnown(std::string_view text);
/// The text as in a run where nothing is set besides: unset variables are empty. nullopt if a command writes it.
[[nodiscard]] std::optional<std::string> withoutUnset(std::string_view text);
/// Whether the text is one that the pattern of `case` describes, with "*", "?" and "[a-z]".
[[nodiscard]] bool matches(std::string_view text, std::string_view pattern);

/// Stores variables and expands the words that use them.
class Variables {
public:
    void set(const std::string& name, Values values) { m_values[name] = std::move(values); }
    void add(const std::string& name, const Values& values);
    void remove(const std::string& name) { m_values.erase(name); }
    [[nodiscard]] bool isSet(const std::string& name) const { return m_values.contains(name); }
    /// The value of an arithmetic expression; nullopt if it is not known.
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view expression, int line);
    void restore(std::map<std::string, Values> values) { m_values = std::move(values); }

    [[nodiscard]] Values expanded(const Word& word);
    /// The word as a single text, as on the right of an assignment.
    [[nodiscard]] Value whole(const Word& word);

    [[nodiscard]] const std::map<std::string, Values>& all() const { return m_values; }
    /// Variables that are used without being set.
    [[nodiscard]] const std::vector<std::string>& unset() const { return m_unset; }
    /// Those among them without which the script ends: ${NAME:?why}.
    [[nodiscard]] const std::vector<std::string>& required() const { return m_required; }
    /// Whether variables were left unexpanded because the text would have become too long.
    [[nodiscard]] bool exhausted() const { return m_expanded > kMostExpanded; }

private:
    /// The expansion of "$NAME", "${NAME:-default}", "${NAME[@]}" or "$((...))"; the text itself if it is unknown.
    Values valuesOf(const std::string& text, int line);
    /// The same for what stands between "${" and "}".
    Values inBraces(const std::string& text, std::string_view inside, int line);
    /// What "${NAME…}" says besides the name, for a variable that is set: "%%.sh", "/a/b", ":0:3", "^^".
    static void modify(Values& values, std::string_view operation);
    Values unsetValue(const std::string& name, int line);
    /// False once the limit on expanded text is reached: a variable that doubles itself in every line must not exhaust
    /// the memory.
    bool affords(const Values& values);
    std::string sumOf(const std::string& text, int line);
    /// A default value without its quotes, with its variables expanded.
    std::string plain(std::string text, int line);

    static constexpr std::size_t kMostExpanded = std::size_t(1) << 20;

    std::map<std::string, Values> m_values;
    std::vector<std::string> m_unset;
    std::set<std::string> m_known_unset; ///< the same
    std::vector<std::string> m_required;
    std::set<std::string> m_known_required; ///< the same
    int m_steps = 0;
    std::size_t m_expanded = 0; ///< characters
};

} // namespace cardfit::shell
