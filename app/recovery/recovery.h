// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include "app/recovery/edit_keeper.h"
#include "core/io/presets.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class PlanDocument;
class PlanFiles;
class RecoveryDialog;

/// Keeps this window's unsaved edits, and offers those that other windows left behind.
class Recovery : public QObject {
    Q_OBJECT

public:
    /// Asks `files` before the open plan is given up. Dialogs belong to `window`.
    Recovery(PlanDocument& document, const Presets& presets, PlanFiles& files, QWidget* window);

    void fill(QMenu* menu);
    /// Shows what was left behind, if anything was, without waiting for an answer. The dialog, or null.
    RecoveryDialog* offer();
    [[nodiscard]] EditKeeper& keeper() { return m_keeper; }

signals:
    void failed(const QString& what, const QString& why);

private:
    void offerOrSayNone();

    PlanDocument& m_document;
    const Presets& m_presets;
    PlanFiles& m_files;
    QWidget* m_window;
    EditKeeper m_keeper;
    QPointer<RecoveryDialog> m_dialog;
};

} // namespace cardfit::app
