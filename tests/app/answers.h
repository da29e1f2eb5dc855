// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QTimer>

/// Simulated answers to modal dialogs. To be prepared before the dialog opens.
namespace cardfit::test {

/// Calls `act` once a modal dialog of this class is shown.
template <class Dialog> void whenShown(std::function<void(Dialog&)> act)
{
    auto* look = new QTimer(qApp);
    QObject::connect(look, &QTimer::timeout, qApp, [look, act = std::move(act)] {
        auto* dialog = qobject_cast<Dialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return;
        look->stop();
        look->deleteLater();
        act(*dialog);
    });
    look->start(10);
}

/// Presses the button with this text, without mnemonics, in the next message box.
inline void answer(const QString& button)
{
    whenShown<QMessageBox>([button](QMessageBox& box) {
        for (QAbstractButton* one : box.buttons()) {
            if (one->text().remove(u'&') == button) return one->click();
        }
        qCritical("no button %s", qPrintable(button));
        box.reject();
    });
}

/// Types a file name into the next file dialog and accepts it.
inline void typeFileName(const QString& name)
{
    whenShown<QFileDialog>([name](QFileDialog& dialog) {
        dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(name);
        QMetaObject::invokeMethod(&dialog, "accept", Qt::QueuedConnection);
    });
}

} // namespace cardfit::test
