// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cardfit {

/// What writers of JSON share: compound values and members, made of what Writer offers. That is value() of null, flags,
/// whole numbers, numbers and texts, plain(), name() of the value that follows, and object() and array().
template <class Writer> class JsonValues {
public:
    void value(const std::string& text) { writer().value(std::string_view(text)); }
    void value(const char* text) { writer().value(std::string_view(text)); }
    template <class Type> void value(const std::optional<Type>& maybe)
    {
        if (maybe)
            writer().value(*maybe);
        else
            writer().value(nullptr);
    }
    template <class First, class Second> void value(const std::pair<First, Second>& both)
    {
        writer().array([&] {
            writer().value(both.first);
            writer().value(both.second);
        });
    }
    template <class Type> void value(const std::vector<Type>& list)
    {
        writer().array([&] {
            for (const auto& item : list)
                writer().value(item);
        });
    }
    template <class Type> void member(std::string_view key, const Type& its_value)
    {
        writer().name(key);
        writer().value(its_value);
    }
    void plainMember(std::string_view key, std::optional<double> number)
    {
        writer().name(key);
        if (number)
            writer().plain(*number);
        else
            writer().value(nullptr);
    }
    template <std::invocable Inside> void object(std::string_view key, Inside inside)
    {
        writer().name(key);
        writer().object(inside);
    }
    template <std::invocable Inside> void array(std::string_view key, Inside inside)
    {
        writer().name(key);
        writer().array(inside);
    }

private:
    Writer& writer() { return static_cast<Writer&>(*this); }
};

/// Writes JSON from front to back, without a tree of values that is thrown away: the text is what indentedJson() and
/// compactJson() make of the same values.
class JsonStream : public JsonValues<JsonStream> {
public:
    using JsonValues::array;
    using JsonValues::object;
    using JsonValues::value;
    enum class Style : std::uint8_t { Indented, Compact };

    explicit JsonStream(Style style)
        : m_indented(style == Style::Indented)
    {
    }

    void value(std::nullptr_t /*null*/) { append("null"); }
    void value(bool flag) { append(flag ? "true" : "false"); }
    template <std::integral Whole> void value(Whole number) { whole(static_cast<std::int64_t>(number)); }
    void value(double number); ///< null if it is infinite or no number
    void value(std::string_view text);
    /// Without a decimal point if it is whole, as plainNumber() writes it.
    void plain(double number);

    /// `inside` calls member() and its like.
    template <std::invocable Inside> void object(Inside inside) { nested('{', inside, '}'); }
    /// `inside` calls value(), object() and array().
    template <std::invocable Inside> void array(Inside inside) { nested('[', inside, ']'); }

    void name(std::string_view key); ///< of the value that follows, in an object
    /// A member whose value is JSON already, as indentedJson() or compactJson() wrote it.
    void embed(std::string_view key, std::string_view json);

    [[nodiscard]] std::string take() && { return std::move(m_text); }

private:
    template <class Inside> void nested(char open, Inside& inside, char close)
    {
        begin();
        m_text += open;
        ++m_depth;
        m_first = true;
        inside();
        --m_depth;
        if (!m_first) newLine();
        m_text += close;
        m_first = false;
    }

    void begin(); ///< of a value: the comma and the line that it needs
    void newLine();
    void append(std::string_view text);
    void whole(std::int64_t number);
    void quoted(std::string_view text);

    std::string m_text;
    bool m_indented;
    bool m_first = true; ///< nothing is in the object or array yet
    bool m_named = false; ///< a name has been written, its value not yet
    int m_depth = 0;
};

} // namespace cardfit
