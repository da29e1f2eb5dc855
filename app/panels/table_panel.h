// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QWidget>

#include "core/estimate.h"
#include "core/io/report/reports.h"

class QLabel;
class QTableView;

namespace cardfit::app {

class StageTable;

/// The per-stage table, to read, select and copy.
class TablePanel : public QWidget {
    Q_OBJECT

public:
    explicit TablePanel(QWidget* parent = nullptr);

    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setUnit(ByteUnit unit);
    [[nodiscard]] StageTable* model() const { return m_model; }

    /// The selection, or everything if nothing is selected, as text with tabs: what a spreadsheet pastes.
    [[nodiscard]] QString selectedText() const;
    void copy() const;

signals:
    /// A cell was clicked, or Enter pressed on it.
    void figureChosen(const QString& figure);

private:
    QLabel* m_title;
    QTableView* m_view;
    StageTable* m_model;
};

} // namespace cardfit::app
