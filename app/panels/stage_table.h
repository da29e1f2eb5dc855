// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/estimate/estimate.h"
#include "core/report/reports.h"
#include "widgets/controls/table_view.h"

namespace cardfit::app {

/// The numbers behind the memory bars: one column per stage, one row per segment and total. A served plan has no rows
/// for gradients and optimizer.
class StageTable : public ui::TableModel {
    Q_OBJECT

public:
    explicit StageTable(QObject* parent = nullptr)
        : ui::TableModel(true, parent)
    {
    }

    /// Null or incomplete: the table is empty.
    void setEstimate(const Estimate* estimate, ByteUnit unit);
    /// The figure in a cell, as core/explain names it: "stage0.activations"; empty if there is none.
    [[nodiscard]] QString figureAt(const QModelIndex& index) const;

    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<std::size_t> m_rows; ///< which of all rows are shown
};

} // namespace cardfit::app
