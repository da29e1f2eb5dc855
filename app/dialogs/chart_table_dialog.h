// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

#include "widgets/chart/chart_table.h"

class QComboBox;
class QLabel;

namespace cardfit::ui {
class ChartWidget;
class TableView;
} // namespace cardfit::ui

namespace cardfit::app {

class FileExport;
class PlanDocument;

/// The table behind a chart, to read, copy and save. Follows the plan while it is open.
class ChartTableDialog : public QDialog {
    Q_OBJECT

public:
    /// Charts must outlive the dialog. `prepare` updates charts that are not visible.
    ChartTableDialog(
        PlanDocument& document, std::vector<ui::ChartWidget*> charts, std::function<void()> prepare, QWidget* window);

    /// Opens with the chart that has the focus, or else with the one that was shown last.
    void popUp();
    void showChart(const ui::ChartWidget* chart);
    /// Index of the chart that is shown, in the order of the constructor.
    [[nodiscard]] int chart() const;
    void setChart(int index);

    [[nodiscard]] const ui::ChartTable& table() const;
    /// Call it when something besides the plan has changed: updates the table if the dialog is open.
    void follow();

private:
    void refresh();
    void askAndSave();

    std::vector<ui::ChartWidget*> m_charts;
    std::function<void()> m_prepare;
    QComboBox* m_chart;
    ui::TableView* m_view;
    QLabel* m_note;
    FileExport* m_export;
};

} // namespace cardfit::app
