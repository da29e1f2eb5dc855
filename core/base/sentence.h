// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// What core says to people, as values: core knows no language, and whoever shows a sentence picks its own. Every
/// English text stands in a call of Sentence::tr(), where lupdate finds it and files it under "Sentence";
/// widgets/text/translated.h looks its translation up. Numbers and names are arguments, formatted where they are known.
namespace cardfit {

/// An English text that stands by itself, for tables. Static: made by Sentence::tr().
struct Phrase {
    std::string_view english;
    std::string_view about = {}; ///< context for translators where English has one word for two things; or empty

    [[nodiscard]] constexpr bool empty() const { return english.empty(); }
    bool operator==(const Phrase&) const = default;
};

/// An English text with `count` places "{}" for arguments. Does not compile with another number of them, nor with
/// anything else in braces: what is to be formatted comes as text.
template <std::size_t count> struct Pattern {
    consteval Pattern(const char* text) // NOLINT: literals are patterns
        : english(text)
    {
        std::size_t places = 0;
        for (std::size_t i = 0; i < english.size(); ++i) {
            if (english[i] == '}') throw "a brace that closes nothing";
            if (english[i] != '{') continue;
            if (i + 1 == english.size() || english[i + 1] != '}') throw "a place that is not {}";
            ++places;
            ++i;
        }
        if (places != count) throw "as many places as arguments";
    }
    std::string_view english;
};

/// The text of another language for an English one; the English one itself where it has none. `about`: see Phrase.
using Translation = std::function<std::string(std::string_view english, std::string_view about)>;

/// The translation that changes nothing.
[[nodiscard]] inline std::string inEnglish(std::string_view english, std::string_view /*about*/)
{
    return std::string(english);
}

class Argument;

/// Something to say: a pattern and what is put into it, or a name or number that is the same in every language.
class Sentence {
public:
    Sentence() = default; ///< says nothing
    Sentence(Phrase phrase) // NOLINT: a sentence without arguments
        : m_pattern(phrase.english)
        , m_about(phrase.about)
    {
    }

    /// Sentence::tr("no pipeline")
    [[nodiscard]] static consteval Phrase tr(Pattern<0> text) { return {text.english}; }
    /// Sentence::tr("context", "of the device"): another word than "context" elsewhere, for translators.
    /// A template, so that the braces of arguments are never taken for it.
    template <class About>
    requires std::convertible_to<const About&, const char*>
    [[nodiscard]] static consteval Phrase tr(Pattern<0> text, const About& about) { return {text.english, about}; }
    /// Sentence::tr("{} heads / {} leave {}", {heads, tensor, rest}). In braces, because lupdate takes a literal that
    /// follows the text for a comment.
    template <std::size_t count>
    [[nodiscard]] static Sentence tr(std::type_identity_t<Pattern<count>> pattern, Argument (&&arguments)[count]);

    /// Text as it is: a name, a number, a list of numbers.
    [[nodiscard]] static Sentence verbatim(std::string text);

    [[nodiscard]] bool empty() const { return m_pattern.empty() && m_text.empty(); }
    [[nodiscard]] std::string english() const { return in(inEnglish); }
    /// The same with a small first letter, where a language writes one in the middle of a sentence: "end of a pass" of
    /// "End of a pass", but "MLP" of "MLP".
    [[nodiscard]] Sentence withinAnother() const;

    /// Every pattern as the translation has it; in English where that lacks an argument or names one that is not there.
    [[nodiscard]] std::string in(const Translation& translation) const;

    bool operator==(const Sentence&) const = default;

private:
    [[nodiscard]] std::string inPlace(const Translation& translation) const;

    std::string_view m_pattern; ///< static; empty: m_text
    std::string_view m_about; ///< static
    std::string m_text;
    std::vector<Sentence> m_arguments;
    bool m_within_another = false;
};

/// What a pattern takes: text and whole numbers as they are, and sentences. Other numbers must be formatted first.
class Argument {
public:
    Argument() = default; ///< nothing
    Argument(Sentence sentence) // NOLINT: and so below; calls read as those of fmt::format()
        : m_sentence(std::move(sentence))
    {
    }
    Argument(Phrase phrase)
        : m_sentence(phrase)
    {
    }
    Argument(std::string text)
        : m_sentence(Sentence::verbatim(std::move(text)))
    {
    }
    Argument(std::string_view text)
        : m_sentence(Sentence::verbatim(std::string(text)))
    {
    }
    Argument(const char* text)
        : Argument(std::string_view(text))
    {
    }
    template <std::integral Number>
    requires(sizeof(Number) > 1) Argument(Number number)
        : m_sentence(Sentence::verbatim(std::to_string(number)))
    {
    }

    [[nodiscard]] Sentence take() && { return std::move(m_sentence); }

private:
    Sentence m_sentence;
};

template <std::size_t count>
Sentence Sentence::tr(std::type_identity_t<Pattern<count>> pattern, Argument (&&arguments)[count])
{
    Sentence sentence;
    sentence.m_pattern = pattern.english;
    sentence.m_arguments.reserve(count);
    for (Argument& argument : arguments)
        sentence.m_arguments.push_back(std::move(argument).take());
    return sentence;
}

/// "one, two, three"; empty for no words.
[[nodiscard]] Sentence listed(const std::vector<Sentence>& words);

/// One sentence after the other, with a space between them where the language has one.
[[nodiscard]] Sentence joined(Sentence first, Sentence second);

/// A pattern with its arguments in place: "{}" takes the next one, "{1}" the second. None if an argument is left over
/// or missing, or the braces are not such a place.
[[nodiscard]] std::optional<std::string> filled(std::string_view pattern, const std::vector<std::string>& arguments);

} // namespace cardfit
