// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/app_theme.h"

#include <QApplication>
#include <QSettings>
#include <QVariant>

#include "widgets/chart/theme.h"

namespace cardfit::app {

namespace {

const char* const kDesktopIsDark = "cardfit.desktopIsDark";
const QString kKey = QStringLiteral("theme");

} // namespace

void setUpTheme(QApplication& application)
{
    // Qt 6.4 cannot tell whether the desktop is dark; the palette shows it until it is replaced.
    application.setProperty(kDesktopIsDark, ui::themeFor(QApplication::palette()).dark);
    QApplication::setStyle(QStringLiteral("fusion"));
}

void applyTheme(ThemeChoice choice)
{
    const bool dark =
        choice == ThemeChoice::Dark || (choice == ThemeChoice::System && qApp->property(kDesktopIsDark).toBool());
    QApplication::setPalette(ui::applicationPalette(dark));
}

ThemeChoice savedTheme()
{
    const int saved = QSettings().value(kKey).toInt();
    return saved == 1 ? ThemeChoice::Light : saved == 2 ? ThemeChoice::Dark : ThemeChoice::System;
}

void saveTheme(ThemeChoice choice) { QSettings().setValue(kKey, static_cast<int>(choice)); }

} // namespace cardfit::app
