// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>

#include "core/base/text_cursor.h"
#include "core/files/json_reader.h"
#include "core/launch/option_edits.h"

namespace cardfit {

namespace {

/// Position of an object's member in the text.
struct Member {
    std::string pointer;
    std::size_t begin = 0; ///< start of its key
    std::size_t value_begin = 0;
    std::size_t end = 0; ///< end of its value
    bool is_object = false;
};

/// Finds the members of a text that is known to be JSON.
class MemberFinder {
public:
    explicit MemberFinder(std::string_view text)
        : m_cursor(text)
    {
        value({});
    }

    std::vector<Member> members; ///< an object before its members

private:
    void blanks()
    {
        m_cursor.takeWhile([](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
    }

    std::string string()
    {
        std::string text;
        m_cursor.take(); // the quote
        while (!m_cursor.atEnd() && m_cursor.peek() != '"') {
            if (m_cursor.peek() == '\\') text += m_cursor.take();
            text += m_cursor.take();
        }
        m_cursor.take();
        return text;
    }

    void value(const std::string& pointer)
    {
        blanks();
        const char first = m_cursor.peek();
        if (first == '{') {
            m_cursor.take();
            for (blanks(); !m_cursor.atEnd() && !m_cursor.takeIf('}'); blanks()) {
                if (m_cursor.takeIf(',')) continue;
                const std::size_t at = members.size();
                members.push_back({{}, m_cursor.position(), 0, 0, false});
                const std::string key = pointer + '/' + string();
                blanks();
                m_cursor.take(); // the colon
                blanks();
                members[at].pointer = key;
                members[at].value_begin = m_cursor.position();
                members[at].is_object = m_cursor.peek() == '{';
                value(key);
                members[at].end = m_cursor.position();
            }
        } else if (first == '[') {
            m_cursor.take();
            for (blanks(); !m_cursor.atEnd() && !m_cursor.takeIf(']'); blanks()) {
                if (!m_cursor.takeIf(',')) value(pointer + "/[]");
            }
        } else if (first == '"') {
            string();
        } else {
            m_cursor.takeWhile([](char c) {
                return c != ',' && c != '}' && c != ']' && std::isspace(static_cast<unsigned char>(c)) == 0;
            });
        }
    }

    TextCursor m_cursor;
};

bool isOption(const Member& member) { return !member.is_object && member.pointer.find("/[]") == std::string::npos; }

/// Whether the object around a member has no other member.
bool isAlone(const std::vector<Member>& members, const Member& member)
{
    const std::string around = member.pointer.substr(0, member.pointer.rfind('/') + 1);
    return std::ranges::none_of(members, [&](const Member& other) {
        return other.pointer.starts_with(around) && !other.pointer.starts_with(member.pointer);
    });
}

/// Inserts a member after the last one of an object, with the same indentation, or into an empty object.
std::string withMember(
    std::string_view text, const std::vector<Member>& members, const std::string& parent, const std::string& said)
{
    const Member* last = nullptr;
    for (const Member& member : members) {
        const bool inside = member.pointer.size() > parent.size() && member.pointer.starts_with(parent + '/');
        if (inside && member.pointer.find('/', parent.size() + 1) == std::string::npos) last = &member;
    }
    if (last == nullptr) {
        const auto outer = std::ranges::find(members, parent, &Member::pointer);
        const std::size_t open = outer == members.end() ? text.find('{') : outer->value_begin;
        return spliced(text, open + 1, open + 1, said);
    }
    const std::size_t first = lineBegin(text, last->begin);
    const bool own_line = text.find_first_not_of(" \t", first) == last->begin;
    const std::string between = own_line ? ",\n" + std::string(indentAt(text, last->begin)) : ", ";
    return spliced(text, last->end, last->end, between + said);
}

} // namespace

LaunchOptions jsonOptions(std::string_view text)
{
    LaunchOptions options;
    if (!parseJson(text)) return options;
    for (const Member& member : MemberFinder(text).members) {
        if (isOption(member))
            options.push_back(
                {member.pointer, std::string(text.substr(member.value_begin, member.end - member.value_begin))});
    }
    return options;
}

std::vector<std::string> jsonEdits(std::string_view text, const OptionEdit& edit)
{
    const std::vector<Member> members = MemberFinder(text).members;
    auto there = std::ranges::find(members, edit.name, &Member::pointer);
    if (there != members.end()) {
        // An object that would become empty is removed as a whole.
        while (!edit.value && there->pointer.rfind('/') > 0 && isAlone(members, *there))
            there = std::ranges::find(members, there->pointer.substr(0, there->pointer.rfind('/')), &Member::pointer);
        if (edit.value) return {spliced(text, there->value_begin, there->end, *edit.value)};
        // Also removes the comma after it, or else the one before it, and its line if nothing else is on it.
        std::size_t begin = there->begin;
        std::size_t end = std::min(text.find_first_not_of(" \t\r\n", there->end), text.size());
        if (end < text.size() && text[end] == ',') {
            ++end;
            const bool own_line = text.find_first_not_of(" \t", lineBegin(text, begin)) == begin;
            if (own_line && text.find_first_not_of(" \t\r", end) == lineEnd(text, end)) {
                begin = lineBegin(text, begin);
                end = std::min(lineEnd(text, end) + 1, text.size());
            }
        } else {
            end = there->end;
            const std::size_t before = text.find_last_not_of(" \t\r\n", begin - 1);
            if (before != std::string_view::npos && text[before] == ',') begin = before;
        }
        return {spliced(text, begin, end, {})};
    }
    if (!edit.value) return {};
    // Inserted into the innermost existing parent object; missing objects within it are created.
    std::string parent = edit.name.substr(0, edit.name.rfind('/'));
    std::string said = '"' + edit.name.substr(parent.size() + 1) + "\": " + *edit.value;
    while (!parent.empty() && std::ranges::find(members, parent, &Member::pointer) == members.end()) {
        const std::string outer = parent.substr(0, parent.rfind('/'));
        said = '"' + parent.substr(outer.size() + 1) + "\": {" + said + '}';
        parent = outer;
    }
    return {withMember(text, members, parent, said)};
}

} // namespace cardfit
