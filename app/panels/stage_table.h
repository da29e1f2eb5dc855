// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QAbstractTableModel>

#include "core/estimate.h"
#include "core/io/report/reports.h"

namespace cardfit::app {

/// The numbers behind the memory bars: one column per stage, one row per segment and total. The same for eyes, for the
/// clipboard and for screen readers.
class StageTable : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit StageTable(QObject* parent = nullptr);

    /// Null or incomplete: an empty table.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setUnit(ByteUnit unit);

    /// The figure that a cell shows, as core/explain names it: "stage0.activations"; empty where there is none.
    [[nodiscard]] QString figureAt(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(std::size_t row, const StageMemory& stage) const;
    [[nodiscard]] QString bytes(Bytes amount) const;

    std::shared_ptr<const Estimate> m_estimate;
    ByteUnit m_unit = ByteUnit::GB;
};

} // namespace cardfit::app
