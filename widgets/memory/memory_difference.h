// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QSharedPointer>

#include "widgets/chart/column_chart.h"

namespace cardfit::ui {

class DifferenceBars;
class StageTicker;

/// The memory bars as differences to a pinned plan, the first of pins(): what each stage's segments gained and lost,
/// stacked from zero. Only stages of the plan can be chosen.
class MemoryDifference : public ColumnChart {
    Q_OBJECT

public:
    explicit MemoryDifference(QWidget* parent = nullptr);

    [[nodiscard]] bool isEmpty() const override { return !pin() || !estimate(); }
    [[nodiscard]] ChartTable table() const override;

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    [[nodiscard]] int columns() const override;
    [[nodiscard]] std::optional<Place> placeAt(QPointF position) const override;
    [[nodiscard]] QPointF anchorOf(const Place& place) const override;
    void showCard(const Place& place, QPointF anchor) override;
    void choose(const Place& place) override;

private:
    DifferenceBars* m_bars;
    QSharedPointer<StageTicker> m_ticker;
};

} // namespace cardfit::ui
