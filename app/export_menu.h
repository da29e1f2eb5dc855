// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include "core/io/reports.h"
#include "core/result.h"

namespace cardfit::ui {
class ChartWidget;
}

namespace cardfit::app {

class PlanDocument;

/// Charts, the table and the timeline as files, and charts on the clipboard.
class ExportMenu : public QMenu {
    Q_OBJECT

public:
    ExportMenu(PlanDocument& document, ui::ChartWidget& memory, ui::ChartWidget& timeline, QWidget* window);

    void setUnit(ByteUnit unit) { m_unit = unit; }
    /// Writes .png, .svg or .pdf, by the file's ending.
    [[nodiscard]] Result<void> exportChart(ui::ChartWidget& chart, const QString& file) const;
    void copyChart(ui::ChartWidget& chart) const;
    /// Writes .csv or .md, by the file's ending.
    [[nodiscard]] Result<void> exportTable(const QString& file) const;
    /// Writes .pdf or .md, by the file's ending.
    [[nodiscard]] Result<void> exportReport(const QString& file) const;
    /// Writes the timeline as Perfetto and chrome://tracing read it.
    [[nodiscard]] Result<void> exportTrace(const QString& file) const;
    /// Writes the order of the pipeline's operations as PyTorch reads it.
    [[nodiscard]] Result<void> exportSchedule(const QString& file) const;
    [[nodiscard]] QAction* copyMemoryAction() const { return m_copy_memory; }

signals:
    void failed(const QString& what, const QString& why);

private:
    void addChart(const QString& text, const QString& name, ui::ChartWidget& chart);
    /// Asks for a file and hands it to `write`.
    template <class Write> void addFile(const QString& text, const QString& name, const QString& filter, Write write);
    /// What the plan comes to; error OutOfRange if a broken rule prevents it.
    [[nodiscard]] Result<const Estimate*> completeEstimate() const;
    [[nodiscard]] QString proposedFile(const QString& name) const;

    PlanDocument& m_document;
    QWidget* m_window;
    QAction* m_copy_memory = nullptr;
    ByteUnit m_unit = ByteUnit::GB;
};

} // namespace cardfit::app
