// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search/plan_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/painting.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr double kHatch = 6.0; ///< pixels between the lines of a hatch, and between dots

} // namespace

QColor mapColour(double place)
{
    static const std::array<QColor, 5> kViridis{QColor(0x44, 0x01, 0x54), QColor(0x3b, 0x52, 0x8b),
        QColor(0x21, 0x91, 0x8c), QColor(0x5e, 0xc9, 0x62), QColor(0xfd, 0xe7, 0x25)};
    const double at = std::clamp(place, 0.0, 1.0) * (kViridis.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), kViridis.size() - 2);
    return mixed(kViridis[below], kViridis[below + 1], at - static_cast<double>(below));
}

QString mapNumber(double value)
{
    const double size = std::abs(value);
    if (size < 0.1) return QString::number(value, 'g', 3);
    return QString::number(value, 'f', size >= 100.0 ? 0 : size >= 10.0 ? 1 : 2);
}

/// Labels an axis with words at 0, 1, 2 …; only every second or fourth word where there is no room for all.
class WordTicker : public QCPAxisTicker {
public:
    QStringList words;
    double room = 0.0; ///< length of the axis in pixels
    bool upright = false; ///< for a vertical axis, where words lie one above the other

    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* sub_ticks,
        QVector<QString>* labels) override
    {
        ticks.clear();
        if (sub_ticks != nullptr) sub_ticks->clear();
        if (labels != nullptr) labels->clear();
        double widest = 0.0;
        for (const QString& word : words)
            widest = std::max(widest, upright ? 14.0 : chartTextWidth(word) + 10.0);
        int step = 1;
        while (step < words.size() && room > 0.0 && widest * static_cast<double>(words.size()) / step > room)
            step *= 2;
        for (int i = 0; i < words.size(); i += step) {
            ticks.append(i);
            if (labels != nullptr) labels->append(words[i]);
        }
    }
};

class MapCells : public ChartPlottable {
public:
    using ChartPlottable::ChartPlottable;

    std::vector<MapCell> cells;
    int columns = 0;
    int rows = 0;
    int present = -1;
    int hovered = -1;
    double least = 0.0, most = 0.0;

    void setCells(std::vector<MapCell> all, int of_a_row)
    {
        cells = std::move(all);
        columns = of_a_row;
        rows = columns == 0 ? 0 : static_cast<int>(cells.size()) / columns;
        least = std::numeric_limits<double>::infinity();
        most = -least;
        for (const MapCell& cell : cells) {
            if (cell.kind != MapCell::Kind::Fits) continue;
            least = std::min(least, cell.figure);
            most = std::max(most, cell.figure);
        }
    }
    [[nodiscard]] bool hasScale() const { return least <= most; }
    [[nodiscard]] QRectF rectOf(int cell, int wide = 1) const
    {
        const int x = cell % columns;
        const int y = cell / columns;
        const int right = std::min(columns, x + wide);
        const int top = std::min(rows, y + wide);
        const QPointF from(mKeyAxis->coordToPixel(x - 0.5), mValueAxis->coordToPixel(y - 0.5));
        const QPointF to(mKeyAxis->coordToPixel(right - 0.5), mValueAxis->coordToPixel(top - 0.5));
        return QRectF(from, to).normalized();
    }
    [[nodiscard]] int at(QPointF position) const
    {
        if (cells.empty() || !plotRect().contains(position.toPoint())) return -1;
        const int x = static_cast<int>(std::floor(mKeyAxis->pixelToCoord(position.x()) + 0.5));
        const int y = static_cast<int>(std::floor(mValueAxis->pixelToCoord(position.y()) + 0.5));
        return x < 0 || y < 0 || x >= columns || y >= rows ? -1 : y * columns + x;
    }
    /// Logarithmic, so that small differences between good plans are visible.
    [[nodiscard]] double placeOf(double figure) const
    {
        if (!(most > least)) return 0.0;
        return least > 0.0 ? std::log(figure / least) / std::log(most / least) : (figure - least) / (most - least);
    }

protected:
    [[nodiscard]] bool isEmpty() const override { return cells.empty(); }
    void paint(QCPPainter& painter) override
    {
        painter.setClipRect(plotRect());
        for (int i = 0; i < static_cast<int>(cells.size()); ++i)
            paintGround(painter, rectOf(i), cells[known(i)]);
        painter.setFont(chartFont());
        for (int i = 0; i < static_cast<int>(cells.size()); ++i)
            paintLabel(painter, rectOf(i), cells[static_cast<std::size_t>(i)]);
        const auto frame = [&](int cell, const QColor& colour, double width) {
            if (cell < 0 || cell >= static_cast<int>(cells.size())) return;
            const double inside = 0.5 * width + 0.5;
            painter.setBrush(Qt::NoBrush);
            // The background-coloured frame below makes the frame visible on every fill.
            painter.setPen(QPen(theme().background, width + 2.0));
            painter.drawRect(rectOf(cell).adjusted(inside, inside, -inside, -inside));
            painter.setPen(QPen(colour, width));
            painter.drawRect(rectOf(cell).adjusted(inside, inside, -inside, -inside));
        };
        frame(present, theme().over, 2.0);
        frame(hovered, theme().selection, 2.5);
    }

private:
    /// The index of the cell itself or, if it is unknown, of the nearest coarser cell below and to the left that is
    /// known.
    [[nodiscard]] std::size_t known(int cell) const
    {
        for (int stride = 1; stride <= 8; stride *= 2) {
            const int x = cell % columns / stride * stride;
            const int y = cell / columns / stride * stride;
            const auto other = static_cast<std::size_t>(y * columns + x);
            if (cells[other].kind != MapCell::Kind::Unknown) return other;
        }
        return static_cast<std::size_t>(cell);
    }
    void paintGround(QCPPainter& painter, const QRectF& rect, const MapCell& cell) const
    {
        const QRectF inside = rect.adjusted(0.5, 0.5, -0.5, -0.5);
        switch (cell.kind) {
        case MapCell::Kind::Unknown: painter.fillRect(inside, mixed(theme().background, theme().grid, 0.5)); break;
        case MapCell::Kind::Fits: painter.fillRect(inside, mapColour(placeOf(cell.figure))); break;
        case MapCell::Kind::Over:
            painter.fillRect(inside, mixed(theme().background, theme().over, 0.12));
            drawHatch(painter, inside, Pattern::Rising, kHatch, mixed(theme().background, theme().over, 0.45));
            break;
        case MapCell::Kind::Broken:
            painter.fillRect(inside, mixed(theme().background, theme().grid, 0.7));
            painter.setPen(Qt::NoPen);
            painter.setBrush(mixed(theme().background, theme().muted_text, 0.7));
            for (double y = std::ceil(inside.top() / kHatch) * kHatch; y < inside.bottom(); y += kHatch) {
                for (double x = std::ceil(inside.left() / kHatch) * kHatch; x < inside.right(); x += kHatch)
                    painter.drawRect(QRectF(x, y, 1.2, 1.2));
            }
            break;
        }
    }
    void paintLabel(QCPPainter& painter, const QRectF& rect, const MapCell& cell) const
    {
        if (cell.label.isEmpty()) return;
        constexpr double kMargin = 4.0;
        const QFontMetricsF metrics(painter.font());
        const double width = chartTextWidth(cell.label);
        if (width + kMargin > rect.width() || metrics.height() > rect.height()) return;
        if (cell.kind == MapCell::Kind::Fits) {
            painter.setPen(inkOn(mapColour(placeOf(cell.figure))));
        } else {
            // A plate keeps hatch and dots off the letters.
            const QRectF plate(rect.center().x() - 0.5 * width - 2.0, rect.center().y() - 0.5 * metrics.height(),
                width + 4.0, metrics.height());
            painter.fillRect(plate, mixed(theme().background, theme().grid, 0.3));
            painter.setPen(cell.kind == MapCell::Kind::Over ? theme().over : theme().text);
        }
        painter.drawText(rect, Qt::AlignCenter, cell.label);
    }
};

PlanMap::PlanMap(QWidget* parent)
    : ChartWidget(parent)
    , m_cells(new MapCells(plot()->xAxis, plot()->yAxis, drawnTheme()))
    , m_x_ticker(QSharedPointer<WordTicker>::create())
    , m_y_ticker(QSharedPointer<WordTicker>::create())
{
    plot()->axisRect()->setMargins(QMargins(0, 6, 14, 0));
    m_y_ticker->upright = true;
    plot()->xAxis->setTicker(m_x_ticker);
    plot()->yAxis->setTicker(m_y_ticker);
    for (QCPAxis* axis : {plot()->xAxis, plot()->yAxis}) {
        axis->grid()->setVisible(false);
        axis->setTickLength(0, 0);
        axis->setSubTicks(false);
    }
    connect(
        plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { hover(m_cells->at(event->position())); });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) {
        const int cell = m_cells->at(event->position());
        if (event->button() == Qt::LeftButton && cell >= 0) emit cellChosen(cell);
    });
    finishSetUp();
}

const std::vector<MapCell>& PlanMap::cells() const { return m_cells->cells; }

bool PlanMap::isEmpty() const { return m_cells->cells.empty(); }

void PlanMap::setMap(const Axis& x, const Axis& y, std::vector<MapCell> cells)
{
    const bool same = x == m_x && y == m_y;
    m_x = x;
    m_y = y;
    m_cells->setCells(std::move(cells), static_cast<int>(x.values.size()));
    m_x_ticker->words = x.values;
    m_y_ticker->words = y.values;
    plot()->xAxis->setRange(-0.5, std::max<double>(1.0, static_cast<double>(x.values.size())) - 0.5);
    plot()->yAxis->setRange(-0.5, std::max<double>(1.0, static_cast<double>(y.values.size())) - 0.5);
    if (!same) hover(-1);
    contentChanged();
}

void PlanMap::setFigure(const QString& figure, const QString& facts, const QString& over_unit)
{
    m_figure = figure;
    m_facts = facts;
    m_over_unit = over_unit;
    contentChanged();
}

void PlanMap::setPresent(int cell)
{
    m_cells->present = cell;
    contentChanged();
}

QString PlanMap::ownTitle() const { return m_figure.isEmpty() ? tr("Map") : tr("Map: %1").arg(m_figure); }

QList<LegendEntry> PlanMap::legend() const
{
    if (isEmpty()) return {};
    QList<LegendEntry> entries;
    if (m_cells->hasScale()) {
        entries.append({mapColour(0.0), {}, Pattern::Solid, {}, tr("least: %1").arg(mapNumber(m_cells->least))});
        if (m_cells->most > m_cells->least)
            entries.append({mapColour(1.0), {}, Pattern::Solid, {}, tr("most: %1").arg(mapNumber(m_cells->most))});
    }
    const auto has = [&](MapCell::Kind kind) {
        return std::ranges::find(cells(), kind, &MapCell::kind) != cells().end();
    };
    if (has(MapCell::Kind::Over))
        entries.append({mixed(drawnTheme().background, drawnTheme().over, 0.2), {}, Pattern::Rising, {},
            tr("+ over memory by, in %1").arg(m_over_unit)});
    if (has(MapCell::Kind::Broken))
        entries.append({drawnTheme().grid, {}, Pattern::Solid, QStringLiteral("⁘"), tr("breaks a rule")});
    return entries;
}

QString PlanMap::description() const
{
    if (isEmpty()) return tr("No map to show");
    const auto least = std::ranges::min_element(cells(), [](const MapCell& a, const MapCell& b) {
        return std::pair(a.kind != MapCell::Kind::Fits, a.figure) < std::pair(b.kind != MapCell::Kind::Fits, b.figure);
    });
    QString text = tr("%1 over %2 and %3, %4 cells").arg(m_figure, m_x.name, m_y.name).arg(cells().size());
    if (least->kind == MapCell::Kind::Fits) text += QStringLiteral("; ") + tr("the best: %1").arg(least->card.plain());
    return text;
}

ChartTable PlanMap::table() const
{
    ChartTable table;
    table.title = ownTitle();
    table.columns = {m_x.name, m_y.name, sharedText("Verdict"), m_figure};
    table.text_columns = 3;
    for (std::size_t i = 0; i < cells().size(); ++i) {
        const MapCell& cell = cells()[i];
        const auto column = static_cast<qsizetype>(i) % m_x.values.size();
        const auto row = static_cast<qsizetype>(i) / m_x.values.size();
        const bool fits = cell.kind == MapCell::Kind::Fits;
        table.rows.push_back({m_x.values[column], m_y.values.value(row), fits ? sharedText("fits") : cell.label,
            fits ? QString::number(cell.figure, 'g', 10) : QString()});
    }
    return table;
}

void PlanMap::prepare(QSize canvas)
{
    plot()->xAxis->setLabel(m_x.name);
    plot()->yAxis->setLabel(m_y.name);
    m_x_ticker->room = canvas.width() - 90.0;
    m_y_ticker->room = canvas.height() - 95.0;
    plot()->axisRect()->setVisible(!isEmpty());
}

void PlanMap::pointerLeft() { hover(-1); }

void PlanMap::hover(int cell)
{
    if (cell >= static_cast<int>(cells().size())) cell = -1;
    if (cell >= 0) {
        const QRectF rect = m_cells->rectOf(cell);
        showHover(cells()[static_cast<std::size_t>(cell)].card, rect.center(), rect);
    } else {
        hideHover();
    }
    if (cell == m_hovered) return;
    m_hovered = cell;
    emit cellHovered(cell);
}

void PlanMap::keyPressEvent(QKeyEvent* event)
{
    const int columns = m_cells->columns;
    if (columns == 0) return ChartWidget::keyPressEvent(event);
    const int from = m_hovered >= 0 ? m_hovered : std::max(0, m_cells->present);
    const auto go = [&](int x, int y) {
        const bool first = m_hovered < 0; // the first key press only shows the current cell
        if (first) return hover(from);
        const int column = std::clamp(from % columns + x, 0, columns - 1);
        const int row = std::clamp(from / columns + y, 0, m_cells->rows - 1);
        hover(row * columns + column);
    };
    switch (event->key()) {
    case Qt::Key_Left: return go(-1, 0);
    case Qt::Key_Right: return go(1, 0);
    case Qt::Key_Up: return go(0, 1);
    case Qt::Key_Down: return go(0, -1);
    case Qt::Key_Home: return go(-columns, 0);
    case Qt::Key_End: return go(columns, 0);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hovered >= 0) emit cellChosen(m_hovered);
        return;
    case Qt::Key_Escape:
        if (m_hovered >= 0) return hover(-1);
        break;
    default: break;
    }
    ChartWidget::keyPressEvent(event);
}

} // namespace cardfit::ui
