// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QDialog>

#include "app/document/latest_task.h"
#include "app/export/document_writer.h"
#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/plan/plan.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPrinter;
class QPushButton;
class QTextBrowser;

namespace cardfit::app {

class ExportMenu;
class PlanDocument;

/// Chooses what a planning document holds, shows it, and writes or prints it. Remembers the choices, but for the plans.
/// It is modal, so that the plan stays as it is.
class DocumentDialog : public QDialog {
    Q_OBJECT

public:
    DocumentDialog(PlanDocument& document, ExportMenu& exports, const Presets& presets, QWidget* window);
    ~DocumentDialog() override;

    void setTopic(DocumentTopic topic, bool on);
    /// A tab of the window other than the current one, by its index.
    void setBeside(int tab, bool on);
    void setAuthor(const QString& author);
    /// Whether everything that the document says has been computed.
    [[nodiscard]] bool isComplete() const { return !m_task.isRunning(); }
    [[nodiscard]] QString preview() const;
    /// Writes without asking.
    [[nodiscard]] Result<void> write(const QString& file) const;

private:
    void build();
    void fillLists();
    void gather();
    void refresh();
    void remember() const;
    void ask();
    void print();
    [[nodiscard]] DocumentTopics topics() const;
    [[nodiscard]] std::unique_ptr<DocumentWriter> writer() const;

    PlanDocument& m_document;
    ExportMenu& m_exports;
    const Presets& m_presets;
    QListWidget* m_topics;
    QListWidget* m_plans;
    QLineEdit* m_author;
    QComboBox* m_format;
    QTextBrowser* m_preview;
    QLabel* m_state;
    QPushButton* m_export;
    QPushButton* m_print;
    DocumentFindings m_findings;
    LatestTask<DocumentFindings> m_task;
};

} // namespace cardfit::app
