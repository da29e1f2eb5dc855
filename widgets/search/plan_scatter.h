// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "widgets/chart/chart_widget.h"
#include "widgets/chart/hover_card.h"

namespace cardfit::ui {

class ScatterPoints;

/// A plan as a point given by two of its figures, in the units of the axes.
struct PlanPoint {
    double x = 0.0;
    double y = 0.0;
    bool front = false; ///< no plan is better in both figures
    QString letter = {}; ///< letter of its series; empty: a point without a letter
    int series = 0; ///< its index selects the colour
    std::optional<double> shade = {}; ///< for a point without a letter: 0 to 1 on the scale of Shades
    QString name = {}; ///< written beside a point with a letter
    bool misses = false; ///< does not fit: drawn as an outline without a colour
    HoverText card = {}; ///< text of the hover card; its title names the plan

    bool operator==(const PlanPoint&) const = default;
};

/// Plans of a search by two figures (the smaller, the better), with the line of the best ones and the plan that the
/// window shows. A click, or Left, Right and Return, choose a plan; dragging a rectangle selects several, until Escape
/// or a click beside all points.
class PlanScatter : public ChartWidget {
    Q_OBJECT

public:
    explicit PlanScatter(QWidget* parent = nullptr);

    /// "Worst card (GB)"
    void setAxes(const QString& x, const QString& y);
    /// The points keep their indices until the next call.
    void setPoints(std::vector<PlanPoint> points);
    [[nodiscard]] const std::vector<PlanPoint>& points() const;
    /// The current plan; nullopt if it has no figures.
    void setPresent(const std::optional<PlanPoint>& point);
    /// An upper limit of an axis' values, drawn as a line.
    struct Limit {
        double value = 0.0;
        QString name; ///< "Capacity"

        bool operator==(const Limit&) const = default;
    };
    void setLimits(std::optional<Limit> x, std::optional<Limit> y = std::nullopt);
    /// A third figure, shown by the colour of points: the darker, the more.
    struct Shades {
        QString figure; ///< "Cost (k$)"
        QString least, most;

        bool operator==(const Shades&) const = default;
    };
    void setShades(std::optional<Shades> shades);
    /// Replaces the chart's title, "Plans found".
    void setHeading(const QString& heading);
    /// The point that another view highlights; -1 for none.
    void setMarked(int point);
    void setFacts(const QString& facts);

    /// Whether a point lies in the rectangle that the user has drawn; true for every point if there is no rectangle.
    [[nodiscard]] bool isBrushed(int point) const;
    [[nodiscard]] bool hasBrush() const;
    void clearBrush();

    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {380, 240}; }

signals:
    void pointHovered(int point); ///< -1: none
    void pointChosen(int point);
    /// The rectangle was changed or removed.
    void brushChanged();

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override { return m_facts; }
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void pointerLeft() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void hover(int point, QPointF anchor);
    void rescale();
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);

    ScatterPoints* m_points;
    QString m_x_label, m_y_label, m_facts, m_heading;
    std::optional<Limit> m_x_limit, m_y_limit;
    std::optional<Shades> m_shades;
    std::optional<QPointF> m_pressed; ///< where the button was pressed; a rectangle may start there
    bool m_brushing = false;
    int m_hovered = -1;
};

} // namespace cardfit::ui
