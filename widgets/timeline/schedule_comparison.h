// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/search/schedules_compared.h"
#include "widgets/timeline/time_chart.h"

class QCPAxis;
class QCPAxisRect;
class QCPItemStraightLine;

namespace cardfit::ui {

class StageTicker;
class StripHeader;
class TimelineBlocks;

/// "ZB-V, 2 chunks": a schedule and what the plan had to change for it.
[[nodiscard]] QString variantLabel(const ScheduleVariant& variant);

/// Pipelines of one plan under several schedules, one above the other on one time axis, each with its gains and costs
/// relative to the plan's own schedule. The wheel zooms, a drag pans all of them, Shift and a drag measure time.
class ScheduleComparison : public TimeChart {
    Q_OBJECT

public:
    explicit ScheduleComparison(QWidget* parent = nullptr);

    /// `own`: the plan under its own schedule, with which the others are compared; it need not be among them. If `own`
    /// has no estimate, the last picture stays, greyed, with the reason.
    void setOutcomes(const ScheduleOutcome& own, std::vector<ScheduleOutcome> outcomes);
    /// Shows nothing.
    void clear();

    /// The texts above a strip: its title, then its figures.
    [[nodiscard]] QStringList headerOf(std::size_t strip) const;
    [[nodiscard]] std::size_t strips() const { return m_strips.size(); }
    /// The strip's blocks; null if its schedule is refused.
    [[nodiscard]] TimelineBlocks* blocksOf(std::size_t strip) const { return m_strips[strip].blocks; }
    [[nodiscard]] bool isEmpty() const override { return m_outcomes.empty(); }
    [[nodiscard]] ChartTable table() const override;

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void rebuild() override;
    void hoverAt(QPointF position) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Strip {
        StripHeader* header = nullptr;
        QCPAxisRect* area = nullptr; ///< null if the schedule is refused
        TimelineBlocks* blocks = nullptr;
        QCPItemStraightLine* own_end = nullptr;
        QSharedPointer<StageTicker> ticker;
    };

    using TimeChart::setEstimate; // private: this chart is given outcomes instead
    void makeStrips(const std::vector<bool>& drawn);
    void addArea(Strip& strip);
    void fill(bool fits);
    void shareHeight(QSize canvas);
    [[nodiscard]] QCPAxis* timeAxis() const;
    [[nodiscard]] double longest() const;

    std::vector<Strip> m_strips;
    ScheduleOutcome m_own;
    std::vector<ScheduleOutcome> m_outcomes;
};

} // namespace cardfit::ui
