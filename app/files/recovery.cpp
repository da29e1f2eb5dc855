// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recovery.h"

#include <QDir>
#include <QMenu>
#include <QMessageBox>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/plan_files.h"
#include "app/files/recovery_dialog.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"

namespace cardfit::app {

Recovery::Recovery(
    RecoveryWriter& writer, PlanDocument& document, const Presets& presets, PlanFiles& files, QWidget* window)
    : QObject(window)
    , m_writer(writer)
    , m_document(document)
    , m_presets(presets)
    , m_files(files)
    , m_window(window)
{
    connect(&m_writer, &RecoveryWriter::failed, this,
        [this](const QString& why) { emit failed(tr("Unsaved edits cannot be kept for recovery"), why); });
}

void Recovery::fill(QMenu* menu) { menu->addAction(tr("Reco&ver edits…"), this, &Recovery::offerOrSayNone); }

RecoveryDialog* Recovery::offer()
{
    if (m_dialog != nullptr) {
        m_dialog->raise();
        return m_dialog;
    }
    auto left = leftPlans(recoveryDirectory(), m_presets);
    if (left.empty()) return nullptr;
    m_dialog = new RecoveryDialog(std::move(left), m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &RecoveryDialog::restoreAsked, this, [this](const UnsavedPlan& unsaved, bool& taken) {
        if (!m_files.mayGiveUp()) return;
        QString file = QString::fromStdString(unsaved.file);
        if (QDir::isRelativePath(file)) file.clear();
        const auto saved = file.isEmpty() ? Result<Plan>() : readPlan(toPath(file), m_presets);
        // Undo restores the file's plan or, without a file, the plan of a new window.
        m_document.recover(saved && !file.isEmpty() ? *saved : defaultPlan(m_presets), unsaved.plan, file);
        // After this the old recovery file may be removed.
        m_writer.writeNow();
        taken = true;
    });
    m_dialog->open();
    return m_dialog;
}

void Recovery::offerOrSayNone()
{
    if (offer() != nullptr) return;
    auto* box = new QMessageBox(
        QMessageBox::Information, tr("Cardfit"), tr("No unsaved edits were left behind."), QMessageBox::Ok, m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace cardfit::app
