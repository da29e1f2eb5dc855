// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/reduced_motion.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QStyle>

namespace cardfit::app {

namespace {

struct ReducedMotion {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::ReducedMotion)
};

const QString kMotionKey = QStringLiteral("reducedMotion");

/// Platform themes report the desktop's setting as the duration of animations.
bool desktopReducesMotion(const QMainWindow& window)
{
    return window.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &window) == 0;
}

void reduceMotion(QMainWindow& window, bool reduced)
{
    window.setAnimated(!reduced);
    if (!reduced) return;
    for (const auto effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip,
             Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
        QApplication::setEffectEnabled(effect, false);
}

} // namespace

void addReducedMotion(QMenu& menu, QMainWindow& window)
{
    const bool reduced = QSettings().value(kMotionKey, desktopReducesMotion(window)).toBool();
    auto* action = menu.addAction(ReducedMotion::tr("Reduce m&otion"));
    action->setCheckable(true);
    action->setChecked(reduced);
    reduceMotion(window, reduced);
    QObject::connect(action, &QAction::toggled, &window, [&window](bool on) {
        QSettings().setValue(kMotionKey, on);
        reduceMotion(window, on);
    });
}

} // namespace cardfit::app
