// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QMenu>

#include "app/dialogs/file_export.h"
#include "core/estimate.h"
#include "core/result.h"

class QPagedPaintDevice;
class QPrinter;

namespace cardfit::ui {
class ChartWidget;
}

namespace cardfit::app {

class PlanDocument;
class ViewState;

/// A chart that can leave the window.
struct ExportedChart {
    QString export_text, copy_text; ///< of its actions
    QString file; ///< that is proposed, after the plan's name: "memory.png"
    ui::ChartWidget* chart = nullptr;
    std::function<bool()> prepare; ///< brings the picture up to date as the menu opens; false: there is none
    bool in_report = false; ///< a page of the planning report, where there is a picture
};

/// Charts, the table and the timeline as files, and charts on the clipboard.
class ExportMenu : public QMenu {
    Q_OBJECT

public:
    /// The first chart is the one that has a shortcut. Charts must outlive the menu.
    ExportMenu(PlanDocument& document, const ViewState& state, std::vector<ExportedChart> charts, QWidget* window);

    /// Writes .png, .svg or .pdf, by the file's ending.
    [[nodiscard]] Result<void> exportChart(ui::ChartWidget& chart, const QString& file) const;
    void copyChart(ui::ChartWidget& chart) const;
    /// Writes .csv or .md, by the file's ending.
    [[nodiscard]] Result<void> exportTable(const QString& file) const;
    /// Writes .pdf or .md, by the file's ending.
    [[nodiscard]] Result<void> exportReport(const QString& file) const;
    /// The report on paper.
    void print(QPrinter& printer) const;
    /// Its pages, on a device of kReportDotsPerInch.
    void paint(QPagedPaintDevice& device) const;
    /// Writes the timeline as Perfetto and chrome://tracing read it.
    [[nodiscard]] Result<void> exportTrace(const QString& file) const;
    /// Writes the order of the pipeline's operations as PyTorch reads it.
    [[nodiscard]] Result<void> exportSchedule(const QString& file) const;
    [[nodiscard]] QAction* copyMemoryAction() const { return m_copy_memory; }

private:
    /// Asks for a file and hands it to `write`.
    QAction* addFile(const QString& text, const QString& name, const QString& filter, const FileExport::Write& write);
    void prepareCharts();
    void askAndPrint();
    /// Charts that are pages of the report, as far as they have a picture.
    [[nodiscard]] std::vector<ui::ChartWidget*> reportPages() const;
    /// What the plan comes to; error OutOfRange if a broken rule prevents it.
    [[nodiscard]] Result<const Estimate*> completeEstimate() const;
    [[nodiscard]] QString proposedFile(const QString& name) const;

    PlanDocument& m_document;
    const ViewState& m_state;
    QWidget* m_window;
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
