// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QPoint>

#include "widgets/chart/estimate_chart.h"

namespace cardfit::ui {

/// A chart of columns, or of the parts of one bar. Pointer and keyboard select them in the same way: Left, Right, Home
/// and End move from column to column, Return chooses, Escape leaves.
class ColumnChart : public EstimateChart {
    Q_OBJECT

public:
    explicit ColumnChart(QWidget* parent = nullptr);

    /// While held, the value axis follows the values without jumps: it grows if it must, and shrinks only to twice
    /// what they need. When released it fits them again.
    void setHeld(bool held);

protected:
    /// A column and, if columns have segments and one is meant, a segment of it.
    struct Place {
        int column = 0;
        std::optional<Segment> segment;
    };

    [[nodiscard]] virtual int columns() const = 0;
    /// The keyboard skips columns without content.
    [[nodiscard]] virtual bool hasContent(int /*column*/) const { return true; }
    [[nodiscard]] virtual std::optional<Place> placeAt(QPointF position) const = 0;
    /// Where the hover card goes when the keyboard has moved to this place.
    [[nodiscard]] virtual QPointF anchorOf(const Place& place) const = 0;
    virtual void showCard(const Place& place, QPointF anchor) = 0;
    virtual void choose(const Place&) { }

    /// Sets the value axis to `low` … `high`, in the chart's unit; see setHeld().
    void settleValues(double low, double high);

    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    /// Where the keyboard is.
    [[nodiscard]] const std::optional<Place>& current() const { return m_current; }
    void goTo(const Place& place);

private:
    void leaveCurrent();
    [[nodiscard]] std::optional<int> columnFrom(int column, int by) const;

    std::optional<Place> m_current;
    QPoint m_pressed;
    bool m_held = false;
    ByteUnit m_axis_unit = ByteUnit::GB; ///< unit of the value axis' current range
};

} // namespace cardfit::ui
