// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

#include "app/recovery/edit_keeper.h"
#include "core/io/plan/presets.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class PlanDocument;
class PlanFiles;
class RecoveryDialog;

/// Offers the unsaved edits that other windows left behind, and says when those of this one cannot be kept.
class Recovery : public QObject {
    Q_OBJECT

public:
    /// Asks `files` before the open plan is given up. Dialogs belong to `window`.
    Recovery(EditKeeper& keeper, PlanDocument& document, const Presets& presets, PlanFiles& files, QWidget* window);

    void fill(QMenu* menu);
    /// Shows what was left behind, if anything was, without waiting for an answer. The dialog, or null.
    RecoveryDialog* offer();
    [[nodiscard]] EditKeeper& keeper() { return m_keeper; }

signals:
    void failed(const QString& what, const QString& why);

private:
    void offerOrSayNone();

    EditKeeper& m_keeper;
    PlanDocument& m_document;
    const Presets& m_presets;
    PlanFiles& m_files;
    QWidget* m_window;
    QPointer<RecoveryDialog> m_dialog;
};

} // namespace cardfit::app
