// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QSharedPointer>

#include "widgets/chart/column_chart.h"
#include "widgets/memory/bar_geometry.h"

namespace cardfit::ui {

class HostBar;
class StageBars;
class StageTicker;

/// Memory per card: one stacked bar per pipeline stage, against the capacity, and a bar for what is offloaded. Up and
/// Down go from segment to segment.
class MemoryBars : public ColumnChart {
    Q_OBJECT

public:
    explicit MemoryBars(QWidget* parent = nullptr);

    /// Shows what each card holds at one instant instead of its peak; nullopt shows the peak. Ignored unless there is
    /// one entry per stage.
    void setInstant(std::optional<InstantMemory> instant);
    void setHighlight(std::optional<int> stage) override;

    [[nodiscard]] std::optional<int> highlight() const;
    /// Upper end of the value axis, in the chart's unit.
    [[nodiscard]] double axisTop() const;
    [[nodiscard]] ChartTable table() const override;
    /// What the row of the host's memory says; empty if there is none.
    [[nodiscard]] QString hostText() const;

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    void estimateChanged(const Estimate* before) override;
    [[nodiscard]] int columns() const override;
    [[nodiscard]] std::optional<Place> placeAt(QPointF position) const override;
    [[nodiscard]] QPointF anchorOf(const Place& place) const override;
    void showCard(const Place& place, QPointF anchor) override;
    void choose(const Place& place) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QString missingStagesText() const;
    void addPinRows(HoverText& text, const Place& place) const;
    /// Estimated width of the plot area of a picture of this size; ticks are made before the layout knows it.
    [[nodiscard]] double plotWidth(QSize canvas) const;
    [[nodiscard]] QString stageTickLabel(int stage, double pitch) const;

    StageBars* m_bars;
    HostBar* m_host; ///< below the bars
    QSharedPointer<StageTicker> m_ticker;
    std::optional<InstantMemory> m_instant;
};

} // namespace cardfit::ui
