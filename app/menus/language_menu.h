// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "app/window/language.h"

namespace cardfit::app {

/// Which language the window speaks. A choice is kept; showing it is up to who listens.
class LanguageMenu : public QMenu {
    Q_OBJECT

public:
    explicit LanguageMenu(QWidget* window);

signals:
    void chosen(cardfit::app::Language language); ///< and saved already
};

} // namespace cardfit::app
