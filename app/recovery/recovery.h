// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include "app/recovery/recovery_writer.h"
#include "core/io/plan/presets.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class PlanDocument;
class PlanFiles;
class RecoveryDialog;

/// Offers the unsaved edits that ended programs left behind, and reports when those of this window cannot be written.
class Recovery : public QObject {
    Q_OBJECT

public:
    /// Asks `files` before the open plan is replaced. Dialogs belong to `window`.
    Recovery(RecoveryWriter& writer, PlanDocument& document, const Presets& presets, PlanFiles& files, QWidget* window);

    void fill(QMenu* menu);
    /// Shows what was left behind, if anything was, without waiting for an answer. The dialog, or null.
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
