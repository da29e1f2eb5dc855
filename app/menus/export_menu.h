// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QMenu>

#include "app/export/document_writer.h"
#include "app/files/file_export.h"
#include "core/base/result.h"
#include "core/estimate/estimate.h"

namespace cardfit::ui {
class ChartWidget;
}

namespace cardfit::app {

class PlanDocument;
class ViewState;

/// A chart that can be exported.
struct ExportedChart {
    QString export_text, copy_text; ///< texts of its actions
    QString file; ///< proposed file name, appended to the plan's name: "memory.png"
    ui::ChartWidget* chart = nullptr;
    std::function<bool()> prepare; ///< updates the picture when the menu opens; false: there is no picture
    bool in_report = false; ///< a figure of the planning document, if there is a picture
};

/// Exports charts, the table and the timeline as files, and copies charts to the clipboard.
class ExportMenu : public QMenu {
    Q_OBJECT

public:
    /// The first chart's action has a shortcut. Charts must outlive the menu.
    ExportMenu(PlanDocument& document, const ViewState& state, std::vector<ExportedChart> charts, QWidget* window);

    /// Writes .png, .svg or .pdf, by the file's suffix.
    [[nodiscard]] Result<void> exportChart(ui::ChartWidget& chart, const QString& file) const;
    void copyChart(ui::ChartWidget& chart) const;
    /// Writes .csv or .md, by the file's suffix.
    [[nodiscard]] Result<void> exportTable(const QString& file) const;
    /// The planning document of the plan as it is; refers to the plan and its estimate. Without findings, author and
    /// other plans.
    [[nodiscard]] DocumentRequest documentRequest() const;
    /// Charts of the window that are figures of it.
    [[nodiscard]] DocumentWriter::MoreCharts documentCharts() const;
    /// Asks where to write; proposes a file beside the plan's, "<plan>-<name>".
    void ask(const QString& title, const QString& name, const QString& filter, const FileExport::Write& write);
    /// Writes the timeline in the format of Perfetto and chrome://tracing.
    [[nodiscard]] Result<void> exportTrace(const QString& file) const;
    /// Writes the order of the pipeline's operations in PyTorch's format.
    [[nodiscard]] Result<void> exportSchedule(const QString& file) const;
    [[nodiscard]] QAction* copyMemoryAction() const { return m_copy_memory; }

signals:
    void documentAsked();

private:
    /// Adds an action that asks for a file and passes it to `write`.
    QAction* addFile(const QString& text, const QString& name, const QString& filter, const FileExport::Write& write);
    void prepareCharts();
    /// The estimate; error OutOfRange if a broken rule prevents it.
    [[nodiscard]] Result<const Estimate*> completeEstimate() const;
    [[nodiscard]] QString proposedFile(const QString& name) const;

    PlanDocument& m_document;
    const ViewState& m_state;
    FileExport* m_export;
    struct Entry {
        ExportedChart chart;
        QAction* to_file = nullptr;
        QAction* copy = nullptr;
    };
    std::vector<Entry> m_charts;
    QAction* m_copy_memory = nullptr;
};

} // namespace cardfit::app
