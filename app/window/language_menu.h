// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "app/controls/language.h"

namespace cardfit::app {

/// Chooses the window's language and saves the choice; applying it is up to the receiver of chosen().
class LanguageMenu : public QMenu {
    Q_OBJECT

public:
    explicit LanguageMenu(QWidget* window);

signals:
    void chosen(cardfit::app::Language language); ///< already saved
};

} // namespace cardfit::app
