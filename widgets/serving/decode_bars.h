// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSharedPointer>

#include "widgets/chart/column_chart.h"

namespace cardfit::ui {

class DecodeBlocks;
class TimeTicker;

/// What a served plan's cards do from one token to the next: a stacked bar over time for each pipeline stage. All bars
/// are as long as the time per token; where stages differ, the rest of it is waiting. Its columns are the parts of all
/// stages, one stage after the other.
class DecodeBars : public ColumnChart {
    Q_OBJECT

public:
    explicit DecodeBars(QWidget* parent = nullptr);

    /// Where the part is drawn, in pixels of the plot; empty if it takes no time.
    [[nodiscard]] QRectF rect(std::size_t stage, std::size_t part) const;

    /// A plan that is not served, or whose server holds no request, has no such bars.
    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {720, 112}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 104}; }

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize) override { }
    void rebuild() override;
    [[nodiscard]] int columns() const override;
    [[nodiscard]] bool hasContent(int column) const override;
    [[nodiscard]] std::optional<Place> placeAt(QPointF position) const override;
    [[nodiscard]] QPointF anchorOf(const Place& place) const override;
    void showCard(const Place& place, QPointF anchor) override;
    void choose(const Place& place) override;

private:
    [[nodiscard]] const ServerPace& pace() const { return *estimate()->server->pace; }
    [[nodiscard]] Seconds timeAt(int column) const;
    [[nodiscard]] QString cardsOf(std::size_t stage) const;

    DecodeBlocks* m_blocks;
    QSharedPointer<TimeTicker> m_ticker;
};

} // namespace cardfit::ui
