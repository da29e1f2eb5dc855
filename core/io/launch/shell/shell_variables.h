// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/launch/shell/shell_words.h"

namespace cardfit::shell {

/// A word after expansion.
struct Value {
    std::string text;
    int line = 0;
};
using Values = std::vector<Value>;

/// The words of a text that begins on `line`.
[[nodiscard]] Values splitAtBlanks(std::string_view text, int line);
/// The values as one text with blanks between them.
[[nodiscard]] std::string joined(const Values& values);

/// Values of variables, and expansion of the words that use them.
class Variables {
public:
    void set(const std::string& name, Values values) { m_values[name] = std::move(values); }
    void add(const std::string& name, const Values& values);

    [[nodiscard]] Values expanded(const Word& word);
    /// The word as one text, as an assignment takes it.
    [[nodiscard]] Value whole(const Word& word);

    [[nodiscard]] const std::map<std::string, Values>& all() const { return m_values; }
    /// Variables that are used without being set.
    [[nodiscard]] const std::vector<std::string>& unset() const { return m_unset; }
    /// Some variables were not expanded because the text would have become too long.
    [[nodiscard]] bool exhausted() const { return m_expanded > kMostExpanded; }

private:
    /// What "$NAME", "${NAME:-default}", "${NAME[@]}" or "$((...))" expands to; the text itself if that is not known.
    Values valuesOf(const std::string& text, int line);
    /// False once the limit on expanded text is reached: a variable that doubles itself line by line must not fill the
    /// memory.
    bool affords(const Values& values);
    std::string sumOf(const std::string& text, int line);
    /// A default value without its quotes, expanded if it is a variable itself.
    std::string plain(std::string text, int line);

    static constexpr std::size_t kMostExpanded = std::size_t(1) << 20;

    std::map<std::string, Values> m_values;
    std::vector<std::string> m_unset;
    int m_steps = 0;
    std::size_t m_expanded = 0; ///< characters
};

} // namespace cardfit::shell
