// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "widgets/timeline/time_chart.h"

class QCPAxisTicker;

namespace cardfit::ui {

class MemoryCurves;
class StageTicker;

/// What cards hold while the pipeline runs: the fullest stage, the first and the last against the capacity, or every
/// stage in a row of its own; R switches between the two. Mouse and keys as in the pipeline's chart. Range and cursor
/// keep their position relative to the step while the number of stages stays the same; otherwise the whole step is
/// shown.
class MemoryOverTime : public TimeChart {
    Q_OBJECT

public:
    explicit MemoryOverTime(QWidget* parent = nullptr);

    void setHighlight(std::optional<int> stage) override;
    /// Shows this stage too, until the number of stages changes.
    void setChosen(std::optional<int> stage);
    void setAllStages(bool all);
    [[nodiscard]] bool allStages() const;
    /// In order of importance; in rows from top to bottom.
    [[nodiscard]] std::vector<int> shownStages() const;

    [[nodiscard]] ChartTable table() const override;

signals:
    void allStagesChanged(bool all);

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    void estimateChanged(const Estimate* before) override;
    void hoverAt(QPointF position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    [[nodiscard]] QString lastingLabel() const;
    void showCurves();
    void settleValues(QSize canvas);
    [[nodiscard]] std::vector<std::size_t> stagesToShow() const;

    MemoryCurves* m_curves;
    QSharedPointer<QCPAxisTicker> m_value_ticker;
    QSharedPointer<StageTicker> m_stage_ticker;
    std::optional<std::size_t> m_chosen;
};

} // namespace cardfit::ui
