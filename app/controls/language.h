// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLocale;

namespace cardfit::app {

enum class Language {
    System, ///< the desktop's language; English if Cardfit is not translated into it
    English,
    Chinese,
};

/// The language's name in that language; System's name is in the language that is shown.
[[nodiscard]] QString languageName(Language language);
/// English or Chinese, whichever fits the desktop's `locale`.
[[nodiscard]] Language languageFor(const QLocale& locale);
/// The language that `language` means on this desktop: English or Chinese, never System.
[[nodiscard]] Language shownLanguage(Language language);

/// The user's choice; System before the first one.
[[nodiscard]] Language savedLanguage();
void saveLanguage(Language language);

/// Makes new texts appear in `language`; visible texts do not change. Requires an application.
void applyLanguage(Language language);
/// The language that was applied last; English before the first call.
[[nodiscard]] Language appliedLanguage();

/// Whether some installed font has all characters of `text`; what none has is painted as boxes. Requires a
/// QGuiApplication.
[[nodiscard]] bool hasFontFor(const QString& text);
/// Why the words of a picture or .pdf just written are boxes; empty if they are not, or if `file` is of another kind.
[[nodiscard]] QString missingFontWarning(const QString& file);

} // namespace cardfit::app
