// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guarded_application.h"

#include <exception>

#include <QMessageBox>
#include <QPointer>

namespace cardfit::app {

namespace {

void report(const QString& what)
{
    // One message at a time: an error may repeat with every frame.
    static QPointer<QMessageBox> shown;
    if (shown != nullptr) return;
    shown = new QMessageBox(QMessageBox::Critical, GuardedApplication::tr("Cardfit"),
        GuardedApplication::tr("An unexpected error occurred in Cardfit."), QMessageBox::Ok,
        QApplication::activeWindow());
    shown->setInformativeText(GuardedApplication::tr(
        "The plan is as it was, and unsaved edits are kept. What is shown may be out of date until the next edit."));
    shown->setDetailedText(what);
    shown->setAttribute(Qt::WA_DeleteOnClose);
    shown->open();
}

} // namespace

bool deliverGuarded(const std::function<bool()>& deliver)
{
    try {
        return deliver();
    } catch (const std::exception& escaped) {
        report(QString::fromLocal8Bit(escaped.what()));
    } catch (...) {
        report(GuardedApplication::tr("The error gives no details."));
    }
    return false;
}

} // namespace cardfit::app
