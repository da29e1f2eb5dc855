// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/ask_for_files.h"
#include "widgets/text/tool_tip.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSettings>

namespace cardfit::app {

namespace {

struct SavePlace {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::SavePlace)
};

constexpr auto kFolderKey = "files/folder";

QString lastFolder() { return QSettings().value(kFolderKey).toString(); }
void rememberFolderOf(const QString& file) { QSettings().setValue(kFolderKey, QFileInfo(file).absolutePath()); }

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
    const bool has_folder = proposed.contains(u'/');
    for (QString place = has_folder ? proposed : QDir(lastFolder()).filePath(proposed);;) {
        QString chosen = filter.section(QStringLiteral(";;"), 0, 0);
        const QString file = QFileDialog::getSaveFileName(window, title, place, filter, &chosen);
        if (file.isEmpty()) return {};
        rememberFolderOf(file);
        place = withEnding(file, chosen);
        if (place == file || !QFileInfo::exists(place)) return place;
        const auto answer = QMessageBox::question(window, title,
            ui::asPlain(SavePlace::tr("%1 exists already. Replace it?").arg(QFileInfo(place).fileName())),
            QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer == QMessageBox::Yes) return place;
    }
}

QString askWhatToOpen(QWidget* window, const QString& title, const QString& filter)
{
    const QString file = QFileDialog::getOpenFileName(window, title, lastFolder(), filter);
    if (!file.isEmpty()) rememberFolderOf(file);
    return file;
}

QStringList askWhichToOpen(QWidget* window, const QString& title, const QString& filter)
{
    const QStringList files = QFileDialog::getOpenFileNames(window, title, lastFolder(), filter);
    if (!files.isEmpty()) rememberFolderOf(files.front());
    return files;
}

} // namespace cardfit::app
