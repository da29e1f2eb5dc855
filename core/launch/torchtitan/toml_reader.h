// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#define TOML_EXCEPTIONS 0
// toml++ asserts conditions that a malformed file ("[#") violates; it reports the error afterwards anyway.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include "core/base/result.h"

/// Internal to the readers of TOML.
namespace cardfit {

/// Parses a text; error WrongFormat with line and column.
[[nodiscard]] Result<toml::table> readToml(std::string_view text);

/// Typed access to keys by their dotted path; the first unacceptable value becomes the error.
class TomlReader {
public:
    /// `lines`: line numbers of values that do not come from the parsed text.
    explicit TomlReader(const toml::table& table, std::map<std::string, int> lines = {})
        : m_table(table)
        , m_lines(std::move(lines))
    {
    }

    [[nodiscard]] bool has(std::string_view path) const { return static_cast<bool>(m_table.at_path(path)); }

    void read(const std::string& path, std::int64_t& value, std::int64_t least)
    {
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        std::int64_t number = value;
        if (!readExact(path, number, Sentence::tr("a whole number"))) return;
        if (number < least || number > kMost)
            refuse(path, ErrorCode::OutOfRange, Sentence::tr("a whole number of at least {}", {least}));
        else
            value = number;
    }
    void read(const std::string& path, bool& value) { readExact(path, value, Sentence::tr("true or false")); }
    void read(const std::string& path, std::string& value) { readExact(path, value, Sentence::tr("a text")); }
    void read(const std::string& path, std::vector<std::string>& value)
    {
        const auto node = find(path);
        if (!node) return;
        const toml::array* list = node.as_array();
        if (list == nullptr) return refuse(path, ErrorCode::WrongType, Sentence::tr("a list of texts"));
        value.clear();
        for (const toml::node& item : *list) {
            if (const auto text = item.value_exact<std::string>())
                value.push_back(*text);
            else
                refuse(path, ErrorCode::WrongType, Sentence::tr("a list of texts"));
        }
    }

    void read(const std::string& path, std::vector<std::vector<std::string>>& value)
    {
        const auto node = find(path);
        if (!node) return;
        const auto refused = [&] { refuse(path, ErrorCode::WrongType, Sentence::tr("a list of lists of texts")); };
        const toml::array* lists = node.as_array();
        if (lists == nullptr) return refused();
        value.clear();
        for (const toml::node& inner : *lists) {
            const toml::array* list = inner.as_array();
            if (list == nullptr) return refused();
            value.emplace_back();
            for (const toml::node& item : *list) {
                const auto text = item.value_exact<std::string>();
                if (!text) return refused();
                value.back().push_back(*text);
            }
        }
    }

    /// The value of a key, or `usual` if the key is absent.
    template <class Value> [[nodiscard]] Value get(const std::string& path, Value usual)
    {
        read(path, usual);
        return usual;
    }

    void refuse(const std::string& path, ErrorCode code, Sentence expectation)
    {
        if (m_error) return;
        const auto node = m_table.at_path(path);
        const auto given = m_lines.find(path);
        const auto line = given != m_lines.end() ? static_cast<toml::source_index>(given->second)
            : node                               ? node.node()->source().begin.line
                                                 : 0;
        m_error = Error{code, {}, Sentence::tr("line {}, {}", {line, path}),
            Sentence::tr("expected {}, found {}", {std::move(expectation), textAt(path)})};
    }

    [[nodiscard]] Sentence textAt(std::string_view path) const
    {
        const auto node = m_table.at_path(path);
        if (!node) return Sentence::tr("nothing");
        std::ostringstream text;
        text << toml::node_view<const toml::node>(node);
        return Sentence::verbatim(text.str());
    }

    /// Paths of values that have not been read.
    [[nodiscard]] std::vector<std::string> unread() const
    {
        std::vector<std::string> paths;
        collect(m_table, {}, paths);
        return paths;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    /// Whether there is a value of this type.
    template <class Value> bool readExact(const std::string& path, Value& value, Sentence expectation)
    {
        const auto node = find(path);
        if (!node) return false;
        const auto found = node.value_exact<Value>();
        if (found)
            value = *found;
        else
            refuse(path, ErrorCode::WrongType, std::move(expectation));
        return found.has_value();
    }

    toml::node_view<const toml::node> find(const std::string& path)
    {
        m_known.insert(path);
        return m_table.at_path(path);
    }

    void collect(const toml::table& table, const std::string& prefix, std::vector<std::string>& paths) const
    {
        for (const auto& [key, node] : table) {
            const std::string path = prefix.empty() ? std::string(key.str()) : fmt::format("{}.{}", prefix, key.str());
            if (m_known.contains(path)) continue;
            if (const toml::table* inner = node.as_table())
                collect(*inner, path, paths);
            else
                paths.push_back(path);
        }
    }

    const toml::table& m_table;
    std::map<std::string, int> m_lines;
    std::set<std::string> m_known;
    std::optional<Error> m_error;
};

} // namespace cardfit
