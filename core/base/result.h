// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "core/base/sentence.h"

namespace cardfit {

enum class ErrorCode {
    CannotRead, ///< the file is missing, unreadable, a directory, or too large to be a plan
    CannotWrite, ///< nothing was written; a file that was there is unchanged
    NotJson, ///< the text is not JSON, or nests deeper than any plan does
    WrongFormat, ///< JSON, but not the kind or version of file expected
    MissingKey,
    DuplicateKey,
    WrongType, ///< text where a number belongs, 1.7 where a count belongs
    OutOfRange, ///< a number beyond what the field can mean
    UnknownName, ///< a word that is none of the field's values, or a preset that does not exist
    Usage, ///< a command line that asks for something that does not exist
};

/// Why a value could not be had: which file, where in it, and what was expected there.
struct Error {
    ErrorCode code{};
    std::string file; ///< path as the user gave it; empty if there is none
    Sentence where; ///< JSON pointer ("/model/num_hidden_layers"), or line and column; empty for the whole file
    Sentence message; ///< what was found and what was expected

    bool operator==(const Error&) const = default;
};

/// "plans/a.json: /model/num_hidden_layers: expected a whole number, found 1.7"
[[nodiscard]] inline Sentence asSentence(const Error& error)
{
    Sentence sentence = Sentence::verbatim(error.file);
    for (const Sentence& part : {error.where, error.message}) {
        if (part.empty()) continue;
        sentence = sentence.empty() ? part : Sentence::tr("{}: {}", {std::move(sentence), part});
    }
    return sentence;
}
/// The same in English, for the command line.
[[nodiscard]] inline std::string describe(const Error& error) { return asSentence(error).english(); }

/// The same error of a file.
[[nodiscard]] inline Error inFile(Error error, std::string file)
{
    error.file = std::move(file);
    return error;
}

/// A value or the reason why there is none. Functions that return one are [[nodiscard]].
template <class T> using Result = tl::expected<T, Error>;

/// `where`: text, which is the same in every language, or a sentence.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, Argument where, Sentence message)
{
    return tl::unexpected<Error>(Error{code, {}, std::move(where).take(), std::move(message)});
}

} // namespace cardfit
