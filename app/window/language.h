// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QLocale;

namespace cardfit::app {

enum class Language {
    System, ///< as the desktop's, English where Cardfit does not speak it
    English,
    Chinese,
};

/// Its own name for itself, in every language the same; System is named in the language that is shown.
[[nodiscard]] QString languageName(Language language);
/// English or Chinese, as a desktop that speaks `locale` wants it.
[[nodiscard]] Language languageFor(const QLocale& locale);
/// The language that is shown for `language` on this desktop: English or Chinese, never System.
[[nodiscard]] Language shownLanguage(Language language);

/// What the user chose; System until then.
[[nodiscard]] Language savedLanguage();
void saveLanguage(Language language);

/// Texts that are made from now on are in `language`; what is shown already stays as it is. Requires an application.
void applyLanguage(Language language);
/// The one that was applied last; English before.
[[nodiscard]] Language appliedLanguage();

} // namespace cardfit::app
