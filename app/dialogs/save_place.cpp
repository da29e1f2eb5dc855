// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/save_place.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>

namespace cardfit::app {

namespace {

struct SavePlace {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::SavePlace)
};

/// Digits after a point are part of a name, not a suffix: "llama-3.1".
QString withEnding(const QString& file, const QString& filter)
{
    static const QRegularExpression kEnding(QStringLiteral("\\.[A-Za-z][A-Za-z0-9]*$"));
    static const QRegularExpression kFirstPattern(QStringLiteral("\\*(\\.[A-Za-z0-9]+)"));
    if (kEnding.match(QFileInfo(file).fileName()).hasMatch()) return file;
    return file + kFirstPattern.match(filter).captured(1);
}

} // namespace

QString askWhereToSave(QWidget* window, const QString& title, const QString& proposed, const QString& filter)
{
    for (QString place = proposed;;) {
        QString chosen = filter.section(QStringLiteral(";;"), 0, 0);
        const QString file = QFileDialog::getSaveFileName(window, title, place, filter, &chosen);
        if (file.isEmpty()) return {};
        place = withEnding(file, chosen);
        if (place == file || !QFileInfo::exists(place)) return place;
        const auto answer = QMessageBox::question(window, title,
            SavePlace::tr("%1 exists already. Replace it?").arg(QFileInfo(place).fileName()),
            QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer == QMessageBox::Yes) return place;
    }
}

} // namespace cardfit::app
