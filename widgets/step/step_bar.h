// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QSharedPointer>

#include "widgets/chart/column_chart.h"
#include "widgets/text/utilization_text.h"

namespace cardfit::ui {

class StepBlocks;
class TimeTicker;

/// The time of one step as one stacked bar over its seconds. Its columns are the parts of the busiest stage's step; the
/// last column is the time that the average card waits for the busiest stage.
class StepBar : public ColumnChart {
    Q_OBJECT

public:
    explicit StepBar(QWidget* parent = nullptr);

    void setUtilization(const UtilizationChoice& choice);
    /// Where the part is drawn, in pixels of the plot; empty if it takes no time.
    [[nodiscard]] QRectF rect(StepPart part) const;
    /// Where the average card's wait for the busiest stage is drawn; empty if stages are even.
    [[nodiscard]] QRectF waitRect() const;

    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {720, 112}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 104}; }

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    [[nodiscard]] int columns() const override;
    [[nodiscard]] bool isWait(int column) const { return column == static_cast<int>(kStepPartCount); }
    [[nodiscard]] QString waitLabel() const;
    void showWaitCard(QPointF anchor);
    [[nodiscard]] bool hasContent(int column) const override;
    [[nodiscard]] std::optional<Place> placeAt(QPointF position) const override;
    [[nodiscard]] QPointF anchorOf(const Place& place) const override;
    void showCard(const Place& place, QPointF anchor) override;
    void choose(const Place& place) override;

private:
    [[nodiscard]] bool isServed() const;

    StepBlocks* m_blocks;
    QSharedPointer<TimeTicker> m_ticker;
    UtilizationChoice m_utilization;
};

} // namespace cardfit::ui
