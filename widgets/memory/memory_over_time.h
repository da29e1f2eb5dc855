// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/timeline/timeline_geometry.h"

class QCPAxisTicker;

namespace cardfit::ui {

class MemoryCurves;
class StageTicker;
class TimeCursor;
class TimeNavigator;
class TimeSpan;
class TimeTicker;

/// What cards hold while the pipeline runs: the fullest stage, the first and the last against the capacity, or every
/// stage in a row of its own. Mouse and keys as in the pipeline's chart; R switches between the two.
class MemoryOverTime : public ChartWidget {
    Q_OBJECT

public:
    explicit MemoryOverTime(QWidget* parent = nullptr);
    ~MemoryOverTime() override;

    /// An incomplete estimate leaves the last picture, greyed, with the broken rules as the reason; none clears it.
    /// Range and cursor keep their place in the step while the number of stages stays, else all of it is shown.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setUnit(ByteUnit unit);
    void setHighlight(std::optional<int> stage);
    /// Shows this stage besides, until there is another number of stages.
    void setChosen(std::optional<int> stage);
    void setAllStages(bool all);
    [[nodiscard]] bool allStages() const;
    /// In the order of their importance; in rows from the top.
    [[nodiscard]] std::vector<int> shownStages() const;

    [[nodiscard]] TimeRange visibleRange() const;
    void setVisibleRange(TimeRange range);
    [[nodiscard]] std::optional<double> cursorTime() const;
    void setCursorTime(std::optional<double> seconds);
    void fit();
    /// Pixels to the left of the time axis, or more where the values need it: in line with a chart above or below.
    void setLeftMargin(int pixels);
    [[nodiscard]] bool isEmpty() const override { return !m_estimate; }
    [[nodiscard]] ChartTable table() const override;

signals:
    void visibleRangeChanged();
    void cursorMoved(double seconds);
    void cursorCleared();
    void stageHovered(int stage); ///< -1: none any more
    void allStagesChanged(bool all);

protected:
    [[nodiscard]] QString ownTitle() const override;
    void applyTheme(const Theme& theme) override;
    void refreshTexts(QSize canvas) override;
    void pointerLeft() override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void setUpAxes();
    void rebuild();
    void settleAxes(QSize canvas);
    void updateLegend();
    void updateAccessibleText();
    void followCursor();
    void hoverAt(QPointF position);
    void setHoveredStage(int stage);
    [[nodiscard]] std::vector<std::size_t> stagesToShow() const;

    MemoryCurves* m_curves;
    TimeNavigator* m_navigator;
    TimeCursor* m_cursor;
    TimeSpan* m_span;
    QSharedPointer<TimeTicker> m_time_ticker;
    QSharedPointer<QCPAxisTicker> m_value_ticker;
    QSharedPointer<StageTicker> m_stage_ticker;
    std::shared_ptr<const Estimate> m_estimate;
    std::optional<std::size_t> m_chosen;
    ByteUnit m_unit = ByteUnit::GB;
    int m_hovered = -1;
};

} // namespace cardfit::ui
