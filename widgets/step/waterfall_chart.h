// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QSharedPointer>

#include "widgets/chart/column_chart.h"
#include "widgets/step/waterfall.h"

namespace cardfit::ui {

class StageTicker;
class TimeTicker;
class WaterfallColumns;

/// How a pinned plan, the first of pins(), differs from the plan, part by part: the fullest card's memory by segment,
/// or a step's time by part.
class WaterfallChart : public ColumnChart {
    Q_OBJECT

public:
    explicit WaterfallChart(Waterfall::Of of, QWidget* parent = nullptr);

    /// Either may be absent or incomplete: then nothing is drawn, and the header says so.
    void setCompared(const std::optional<PinnedEstimate>& pin, const std::shared_ptr<const Estimate>& plan);

    [[nodiscard]] bool isEmpty() const override { return !pin() || !estimate(); }
    [[nodiscard]] const Waterfall& waterfall() const;
    [[nodiscard]] ChartTable table() const override;

    [[nodiscard]] QSize sizeHint() const override { return {720, 180}; }

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    [[nodiscard]] int columns() const override;
    [[nodiscard]] std::optional<Place> placeAt(QPointF position) const override;
    [[nodiscard]] QPointF anchorOf(const Place& place) const override;
    void showCard(const Place& place, QPointF anchor) override;

private:
    [[nodiscard]] QString columnName(int column) const;
    [[nodiscard]] QString partName(std::size_t part) const;
    [[nodiscard]] QString tickLabel(int column, double pitch) const;

    const Waterfall::Of m_of;
    WaterfallColumns* m_columns;
    QSharedPointer<StageTicker> m_ticker;
    QSharedPointer<TimeTicker> m_time_ticker; ///< of seconds
};

} // namespace cardfit::ui
