// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace cardfit::app {

/// Asks where to save a file, as QFileDialog::getSaveFileName() does. A name typed without an ending gets that of the
/// chosen kind of file, of which the dialog knows nothing: what then exists under that name is asked about here.
/// Empty: nowhere.
[[nodiscard]] QString askWhereToSave(
    QWidget* window, const QString& title, const QString& proposed, const QString& filter);

} // namespace cardfit::app
