// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <QString>

#include "core/result.h"
#include "core/sentence.h"

namespace cardfit::ui {

/// What core says, in the language of the translators that are installed now; in English where they have none, or one
/// that lacks a number. Texts of the context "Sentence" are in resources/translations/core_*.ts.
[[nodiscard]] QString translated(const Sentence& sentence);

/// What is wrong, with its file and place.
[[nodiscard]] QString translated(const Error& error);

/// A name or word of core as it is; what core says in sentences goes through translated().
[[nodiscard]] inline QString verbatim(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A text that is in the window's language already, where core wants a sentence.
[[nodiscard]] Sentence sentence(const QString& text);

/// The same language for texts that core puts together.
[[nodiscard]] Translation installedTranslation();

} // namespace cardfit::ui
