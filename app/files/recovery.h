// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include "app/files/recovery_writer.h"
#include "core/files/presets.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class PlanDocument;
class PlanFiles;
class RecoveryDialog;

/// Offers unsaved edits that earlier processes left behind, and reports if those of this window cannot be written.
class Recovery : public QObject {
    Q_OBJECT

public:
    /// Asks `files` before the open plan is replaced. Dialogs have `window` as their parent.
    Recovery(RecoveryWriter& writer, PlanDocument& document, const Presets& presets, PlanFiles& files, QWidget* window);

    void fill(QMenu* menu);
    /// Opens a dialog with what was left behind, without waiting for an answer. Returns the dialog, or null if there is
    /// nothing to offer.
    RecoveryDialog* offer();
    [[nodiscard]] RecoveryWriter& writer() { return m_writer; }

signals:
    void failed(const QString& what, const QString& why);

private:
    void offerOrSayNone();

    RecoveryWriter& m_writer;
    PlanDocument& m_document;
    const Presets& m_presets;
    PlanFiles& m_files;
    QWidget* m_window;
    QPointer<RecoveryDialog> m_dialog;
};

} // namespace cardfit::app
