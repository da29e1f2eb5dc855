// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/serving_curve.h"
#include "widgets/chart/chart_widget.h"

namespace cardfit::ui {

class LoadCurves;

/// What users of a served plan wait for, against their number: the time between tokens with its error, the time to the
/// first token from alone to all at once, and the throughput on an axis of its own. Lines mark where the caches are
/// full, and the plan's limits; beyond the room curves are dashed. The plan's number of users and its limits are moved
/// by dragging.
class LoadChart : public ChartWidget {
    Q_OBJECT

public:
    explicit LoadChart(QWidget* parent = nullptr);

    /// None: the plan is not served, or its server holds no sequence.
    void setCurve(std::optional<ServingCurve> curve);

    /// What can be moved.
    enum class Grip { None, Users, TokenLimit, FirstTokenLimit };
    /// What a press at this position of the plot would move.
    [[nodiscard]] Grip gripAt(QPointF position) const;
    /// Where the plan's number of users is drawn, in pixels of the plot.
    [[nodiscard]] QPointF marker() const;

    [[nodiscard]] bool isEmpty() const override { return !m_curve; }
    [[nodiscard]] ChartTable table() const override;

signals:
    void usersDragged(qint64 users);
    void tokenLimitDragged(double milliseconds);
    void firstTokenLimitDragged(double seconds);
    void released();

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;

private:
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release();
    void dragTo(QPointF position);
    void hoverAt(QPointF position);
    void fitAxes();
    [[nodiscard]] QString roomText() const;

    LoadCurves* m_curves;
    std::optional<ServingCurve> m_curve;
    Grip m_grip = Grip::None;
};

} // namespace cardfit::ui
