// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <QString>

#include "core/base/result.h"
#include "core/base/sentence.h"

namespace cardfit::ui {

/// Translates a sentence of core with the installed translators; English if they have no translation or one that lacks
/// a number. Texts of the context "Sentence" are in resources/translations/core_*.ts.
[[nodiscard]] QString translated(const Sentence& sentence);

/// The error's message, with its file and position.
[[nodiscard]] QString translated(const Error& error);

/// The translation of a text that core has too, so that it is translated once: sharedText("Bubble").
[[nodiscard]] QString sharedText(const char* english);

/// A name or word of core, untranslated; sentences of core go through translated().
[[nodiscard]] inline QString verbatim(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Wraps a text that is already in the window's language where core requires a Sentence.
[[nodiscard]] Sentence sentence(const QString& text);

/// The same translation as a function, for texts that core composes.
[[nodiscard]] Translation installedTranslation();

} // namespace cardfit::ui
