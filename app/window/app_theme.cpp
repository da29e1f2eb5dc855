// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/app_theme.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QSettings>
#include <QStyleOption>
#include <QVariant>

#include "widgets/chart/theme.h"

namespace cardfit::app {

namespace {

const char* const kDesktopIsDark = "cardfit.desktopIsDark";
const QString kKey = QStringLiteral("theme");

/// Fusion frames check boxes darker than the window, which nobody sees in the dark theme.
class FramedBoxes : public QProxyStyle {
public:
    FramedBoxes()
        : QProxyStyle(QStringLiteral("fusion"))
    {
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget = nullptr) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool box = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
        if (!box) return;
        const ui::Theme theme = ui::themeFor(option->palette);
        if (!theme.dark) return;
        painter->save();
        painter->setPen(theme.outline);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
    }
};

} // namespace

void setUpTheme(QApplication& application)
{
    // Qt 6.4 cannot tell whether the desktop is dark; the palette shows it until it is replaced.
    application.setProperty(kDesktopIsDark, ui::themeFor(QApplication::palette()).dark);
    QApplication::setStyle(new FramedBoxes);
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
