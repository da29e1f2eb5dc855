// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace cardfit::app {

/// Asks where to save a file, as QFileDialog::getSaveFileName() does. A proposed name without a folder is proposed in
/// the folder of the last file that one of these functions returned. A name without a suffix gets that of the chosen
/// file type; the file dialog does not know that name, so this function asks whether to overwrite it. Returns an empty
/// string if cancelled.
[[nodiscard]] QString askWhereToSave(
    QWidget* window, const QString& title, const QString& proposed, const QString& filter);

/// Asks for a file to open, in the folder of the last one. Empty if cancelled.
[[nodiscard]] QString askWhatToOpen(QWidget* window, const QString& title, const QString& filter);

/// askWhatToOpen() for several files.
[[nodiscard]] QStringList askWhichToOpen(QWidget* window, const QString& title, const QString& filter);

} // namespace cardfit::app
