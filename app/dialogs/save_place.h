// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace cardfit::app {

/// Asks where to save a file, as QFileDialog::getSaveFileName() does. A name without a suffix gets that of the chosen
/// file type; the file dialog does not know that name, so this function asks whether to overwrite it. Returns an empty
/// string if cancelled.
[[nodiscard]] QString askWhereToSave(
    QWidget* window, const QString& title, const QString& proposed, const QString& filter);

} // namespace cardfit::app
