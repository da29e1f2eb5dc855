// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/language_menu.h"

#include <QActionGroup>

#include "app/controls/menu_text.h"

namespace cardfit::app {

LanguageMenu::LanguageMenu(QWidget* window)
    : QMenu(tr("Lan&guage"), window)
{
    auto* languages = new QActionGroup(this);
    for (const auto language : {Language::System, Language::English, Language::Chinese}) {
        QAction* action = languages->addAction(languageName(language));
        action->setCheckable(true);
        action->setChecked(language == savedLanguage());
        action->setData(static_cast<int>(language));
        // Each language's name is in that language, so that users find their own.
        if (language == Language::Chinese)
            action->setProperty(kPaletteKeywords, QStringLiteral("Simplified Chinese"));
        else if (language == Language::English)
            action->setProperty(kPaletteKeywords, QStringLiteral("英语"));
        addAction(action);
        connect(action, &QAction::triggered, this, [this, language] {
            saveLanguage(language);
            emit chosen(language);
        });
    }
}

} // namespace cardfit::app
