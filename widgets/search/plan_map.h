// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QStringList>

#include "widgets/chart/chart_widget.h"
#include "widgets/chart/hover_card.h"

namespace cardfit::ui {

class MapCells;
class WordTicker;

/// What the map shows for one pair of values of its two fields.
struct MapCell {
    enum class Kind { Unknown, Fits, Over, Broken } kind = Kind::Unknown;
    double figure = 0.0; ///< Fits: what the colour stands for
    QString label; ///< "21.3", "+6.6", "TP-HEADS"
    HoverText card;

    bool operator==(const MapCell&) const = default;
};

/// A grid of cells over the values of two fields: the smaller the figure, the darker the cell. Cells over capacity are
/// hatched and labelled with the missing memory; cells that break a rule are dotted and labelled with the rule. An
/// unknown cell has the colour of its coarser neighbour. A click, or the arrow keys and Return, choose a cell.
class PlanMap : public ChartWidget {
    Q_OBJECT

public:
    explicit PlanMap(QWidget* parent = nullptr);

    struct Axis {
        QString name;
        QStringList values;

        bool operator==(const Axis&) const = default;
    };
    /// `cells`: row by row, x changes fastest; the bottom row first.
    void setMap(const Axis& x, const Axis& y, std::vector<MapCell> cells);
    /// `figure`: what the colour stands for, such as "Days". `facts`: what else was set. `over_unit`: unit of the
    /// missing memory in cells over capacity.
    void setFigure(const QString& figure, const QString& facts, const QString& over_unit);
    /// The cell of the current plan; -1 for none.
    void setPresent(int cell);
    [[nodiscard]] const std::vector<MapCell>& cells() const;

    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {380, 240}; }

signals:
    void cellHovered(int cell); ///< -1: none
    void cellChosen(int cell);

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override { return m_facts; }
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void pointerLeft() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void hover(int cell);

    MapCells* m_cells;
    Axis m_x, m_y;
    QString m_figure, m_facts, m_over_unit;
    QSharedPointer<WordTicker> m_x_ticker, m_y_ticker;
    int m_hovered = -1;
};

/// Three significant digits without an exponent: "0.85", "21.3", "1390".
[[nodiscard]] QString mapNumber(double value);

/// Colour of a position from least (0) to most (1), readable with any colour vision and in grey: five colours of
/// viridis (Smith and van der Walt 2015), the darkest for the least.
[[nodiscard]] QColor mapColour(double place);

} // namespace cardfit::ui
