// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search/plan_scatter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/labels.h"
#include "widgets/search/label_places.h"

namespace cardfit::ui {

namespace {

QColor seriesColour(const Theme& theme, int series)
{
    constexpr std::array kSeries{Segment::Weights, Segment::Activations, Segment::Optimizer, Segment::Communication,
        Segment::Gradients, Segment::Temporary};
    return theme[kSeries[static_cast<std::size_t>(series) % kSeries.size()]].fill;
}

/// The colour at a share of the scale. Even the lowest differs from the background.
QColor shaded(const Theme& theme, double share)
{
    return mixed(theme.background, theme[Segment::Weights].fill, 0.12 + 0.88 * share);
}

constexpr double kRadius = 4.0; ///< of a point, in pixels
constexpr double kReach = 10.0; ///< pixels within which the pointer finds a point

} // namespace

class ScatterPoints : public ChartPlottable {
public:
    using ChartPlottable::ChartPlottable;

    std::vector<PlanPoint> points;
    std::vector<std::size_t> front; ///< indices of the points that are on the front, ordered by x
    std::optional<PlanPoint> present;
    std::optional<double> x_limit, y_limit;
    std::optional<QRectF> brush; ///< the selected rectangle, in the units of the axes
    int marked = -1;

    void setPoints(std::vector<PlanPoint> all)
    {
        points = std::move(all);
        front.clear();
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (points[i].front) front.push_back(i);
        }
        std::ranges::sort(front, {}, [this](std::size_t i) { return std::pair(points[i].x, -points[i].y); });
    }
    [[nodiscard]] QPointF at(const PlanPoint& point) const
    {
        return {mKeyAxis->coordToPixel(point.x), mValueAxis->coordToPixel(point.y)};
    }
    [[nodiscard]] QRectF around(const PlanPoint& point) const
    {
        return QRectF(-kRadius - 2, -kRadius - 2, 2 * kRadius + 4, 2 * kRadius + 4).translated(at(point));
    }
    [[nodiscard]] QPointF valuesAt(QPointF position) const
    {
        return {mKeyAxis->pixelToCoord(position.x()), mValueAxis->pixelToCoord(position.y())};
    }
    [[nodiscard]] bool isBrushed(const PlanPoint& point) const
    {
        return !brush
            || (point.x >= brush->left() && point.x <= brush->right() && point.y >= brush->top()
                && point.y <= brush->bottom());
    }
    /// The nearest point within kReach of a position; -1 if there is none.
    [[nodiscard]] int nearest(QPointF position) const
    {
        int found = -1;
        double least = kReach;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const QPointF away = at(points[i]) - position;
            const double distance = std::hypot(away.x(), away.y());
            if (distance < least) {
                least = distance;
                found = static_cast<int>(i);
            }
        }
        return found;
    }

protected:
    [[nodiscard]] bool isEmpty() const override { return points.empty() && !present; }
    void paint(QCPPainter& painter) override
    {
        painter.setAntialiasing(true);
        painter.setClipRect(plotRect());
        painter.setPen(QPen(theme().capacity, 1.5, Qt::DashLine, Qt::FlatCap));
        if (x_limit) {
            const double x = mKeyAxis->coordToPixel(*x_limit);
            painter.drawLine(QPointF(x, plotRect().top()), QPointF(x, plotRect().bottom()));
        }
        if (y_limit) {
            const double y = mValueAxis->coordToPixel(*y_limit);
            painter.drawLine(QPointF(plotRect().left(), y), QPointF(plotRect().right(), y));
        }
        drawBrush(painter);
        for (const PlanPoint& point : points) {
            if (point.front || !point.letter.isEmpty()) continue;
            painter.setPen(point.misses ? QPen(theme().muted_text, 1.0)
                                        : QPen(mixed(theme().background, theme()[Segment::Weights].fill, 0.6), 1.0));
            painter.setBrush(point.misses ? QBrush(Qt::NoBrush) : QBrush(shaded(theme(), point.shade.value_or(0.35))));
            painter.drawEllipse(at(point), kRadius - 1, kRadius - 1);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().text, 1.5));
        // No plan lies between two of the best ones, so the line has steps, not slopes.
        QPolygonF line;
        for (const std::size_t i : front) {
            const QPointF next = at(points[i]);
            if (!line.isEmpty()) line << QPointF(next.x(), line.last().y());
            line << next;
        }
        painter.drawPolyline(line);
        painter.setPen(QPen(theme().text, 1.0));
        for (const std::size_t i : front) {
            if (!points[i].letter.isEmpty()) continue;
            painter.setBrush(shaded(theme(), points[i].shade.value_or(1.0)));
            painter.drawEllipse(at(points[i]), kRadius, kRadius);
        }
        drawLettered(painter);
        if (marked >= 0) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme().selection, 2.5));
            painter.drawEllipse(at(points[static_cast<std::size_t>(marked)]), kRadius + 3, kRadius + 3);
        }
        if (present) {
            const QPointF middle = at(*present);
            const double half = kRadius + 1.5;
            painter.setBrush(theme().background);
            painter.setPen(QPen(theme().over, 2.0));
            painter.drawPolygon(QPolygonF({middle + QPointF(0, -half), middle + QPointF(half, 0),
                middle + QPointF(0, half), middle + QPointF(-half, 0)}));
        }
        painter.setBrush(Qt::NoBrush);
    }

private:
    void drawBrush(QCPPainter& painter) const
    {
        if (!brush) return;
        const QPointF first(mKeyAxis->coordToPixel(brush->left()), mValueAxis->coordToPixel(brush->top()));
        const QPointF second(mKeyAxis->coordToPixel(brush->right()), mValueAxis->coordToPixel(brush->bottom()));
        painter.setPen(QPen(theme().selection, 1.0));
        painter.setBrush(mixed(theme().background, theme().selection, 0.12));
        painter.drawRect(QRectF(first, second).normalized());
    }
    /// Draws letters in the colours of their series, and names beside them where these cover nothing.
    void drawLettered(QCPPainter& painter) const
    {
        constexpr double kLettered = 7.5;
        std::vector<const PlanPoint*> lettered;
        std::vector<NamedSpot> spots;
        for (const bool best : {true, false}) { // names of the best ones first
            for (const PlanPoint& point : points) {
                if (point.letter.isEmpty() || point.front != best) continue;
                const QRectF disc(at(point) - QPointF(kLettered, kLettered), QSizeF(2 * kLettered, 2 * kLettered));
                lettered.push_back(&point);
                spots.push_back({disc, QSizeF(chartTextWidth(point.name, -1) + 2.0, disc.height())});
            }
        }
        for (std::size_t i = spots.size(); i-- > 0;)
            drawLetter(painter, *lettered[i], spots[i].mark);
        painter.setPen(theme().muted_text);
        painter.setFont(chartFont(-1));
        const auto places = labelPlaces(spots, plotRect());
        for (std::size_t i = 0; i < spots.size(); ++i) {
            if (places[i]) painter.drawText(*places[i], Qt::AlignCenter, lettered[i]->name);
        }
    }
    void drawLetter(QCPPainter& painter, const PlanPoint& point, const QRectF& disc) const
    {
        const QColor colour = seriesColour(theme(), point.series);
        painter.setPen(
            QPen(point.front ? theme().text : mixed(theme().background, colour, 0.6), point.front ? 1.5 : 1.0));
        painter.setBrush(colour);
        painter.drawEllipse(disc);
        painter.setPen(inkOn(colour));
        painter.setFont(chartFont(-1, true));
        painter.drawText(disc, Qt::AlignCenter, point.letter);
    }
};

PlanScatter::PlanScatter(QWidget* parent)
    : ChartWidget(parent)
    , m_points(new ScatterPoints(plot()->xAxis, plot()->yAxis, drawnTheme()))
{
    plot()->axisRect()->setMargins(QMargins(0, 6, 14, 0));
    connect(plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { press(*event); });
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { move(*event); });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this](QMouseEvent* event) { release(*event); });
    finishSetUp();
}

const std::vector<PlanPoint>& PlanScatter::points() const { return m_points->points; }

bool PlanScatter::isEmpty() const { return m_points->points.empty(); }

void PlanScatter::setAxes(const QString& x, const QString& y)
{
    if (x == m_x_label && y == m_y_label) return;
    clearBrush(); // the rectangle is in the units of the old axes
    m_x_label = x;
    m_y_label = y;
    replotSoon();
}

void PlanScatter::setPoints(std::vector<PlanPoint> points)
{
    hideHover();
    m_hovered = -1;
    m_points->marked = -1;
    m_points->setPoints(std::move(points));
    rescale();
}

void PlanScatter::setPresent(const std::optional<PlanPoint>& point)
{
    m_points->present = point;
    rescale();
}

void PlanScatter::setLimits(std::optional<Limit> x, std::optional<Limit> y)
{
    const auto value = [](const std::optional<Limit>& limit) {
        return limit ? std::optional(limit->value) : std::nullopt;
    };
    m_points->x_limit = value(x);
    m_points->y_limit = value(y);
    m_x_limit = std::move(x);
    m_y_limit = std::move(y);
    rescale();
}

void PlanScatter::setShades(std::optional<Shades> shades)
{
    if (shades == m_shades) return;
    m_shades = std::move(shades);
    contentChanged();
}

bool PlanScatter::hasBrush() const { return m_points->brush.has_value(); }

bool PlanScatter::isBrushed(int point) const
{
    return m_points->isBrushed(m_points->points[static_cast<std::size_t>(point)]);
}

void PlanScatter::clearBrush()
{
    if (!m_points->brush) return;
    m_points->brush.reset();
    contentChanged();
    emit brushChanged();
}

void PlanScatter::press(const QMouseEvent& event)
{
    m_brushing = false;
    if (event.button() == Qt::LeftButton && plot()->axisRect()->rect().contains(event.pos()))
        m_pressed = event.position();
}

void PlanScatter::move(const QMouseEvent& event)
{
    if (!m_pressed) return hover(m_points->nearest(event.position()), event.position());
    m_brushing = m_brushing || (event.position() - *m_pressed).manhattanLength() >= QApplication::startDragDistance();
    if (!m_brushing) return;
    hover(-1, {});
    m_points->brush = QRectF(m_points->valuesAt(*m_pressed), m_points->valuesAt(event.position())).normalized();
    contentChanged();
    emit brushChanged();
}

void PlanScatter::release(const QMouseEvent& event)
{
    const bool clicked = m_pressed && !m_brushing;
    m_pressed.reset();
    m_brushing = false;
    if (!clicked || event.button() != Qt::LeftButton) return;
    const int point = m_points->nearest(event.position());
    if (point >= 0)
        emit pointChosen(point);
    else
        clearBrush();
}

void PlanScatter::setHeading(const QString& heading)
{
    m_heading = heading;
    setAccessibleName(ownTitle());
    contentChanged();
}

void PlanScatter::setMarked(int point)
{
    if (point >= static_cast<int>(m_points->points.size())) point = -1;
    if (point == m_points->marked) return;
    m_points->marked = point;
    contentChanged();
}

void PlanScatter::setFacts(const QString& facts)
{
    m_facts = facts;
    contentChanged();
}

/// Fits the axes to all points. They start at the smallest value, not at 0, so that differences between good plans are
/// visible.
void PlanScatter::rescale()
{
    constexpr double kAlways = std::numeric_limits<double>::infinity();
    QCPRange x, y; // default-constructed, because its other constructor would swap the ends
    x.lower = y.lower = kAlways;
    x.upper = y.upper = -kAlways;
    const auto expand = [](QCPRange& range, double value) {
        range.lower = std::min(range.lower, value);
        range.upper = std::max(range.upper, value);
    };
    for (const PlanPoint& point : m_points->points) {
        expand(x, point.x);
        expand(y, point.y);
    }
    if (m_points->present) {
        expand(x, m_points->present->x);
        expand(y, m_points->present->y);
    }
    if (m_points->x_limit) expand(x, *m_points->x_limit);
    if (m_points->y_limit) expand(y, *m_points->y_limit);
    const auto show = [](QCPAxis& axis, const QCPRange& range) {
        if (range.lower > range.upper) return axis.setRange(0.0, 1.0);
        const double room = range.size() > 0.0 ? 0.06 * range.size() : std::max(0.05 * std::abs(range.lower), 1e-9);
        axis.setRange(range.lower - room, range.upper + room);
    };
    show(*plot()->xAxis, x);
    show(*plot()->yAxis, y);
    contentChanged();
}

QString PlanScatter::ownTitle() const { return m_heading.isEmpty() ? tr("Plans found") : m_heading; }

QList<LegendEntry> PlanScatter::legend() const
{
    if (m_points->points.empty()) return {};
    QList<LegendEntry> entries;
    if (m_points->points.front().letter.isEmpty() && !m_shades)
        entries.append({drawnTheme()[Segment::Weights].fill, {}, Pattern::Solid, {}, tr("Best trade-offs")});
    if (m_shades) {
        entries.append(
            {shaded(drawnTheme(), 0.0), {}, Pattern::Solid, {}, tr("%1: %2").arg(m_shades->figure, m_shades->least)});
        if (m_shades->most != m_shades->least)
            entries.append({shaded(drawnTheme(), 1.0), {}, Pattern::Solid, {}, m_shades->most});
    }
    QStringList letters; // one entry for each series, named like the hover cards of its points
    for (const PlanPoint& point : m_points->points) {
        if (point.letter.isEmpty() || letters.contains(point.letter)) continue;
        letters << point.letter;
        entries.append({seriesColour(drawnTheme(), point.series), {}, Pattern::Solid, point.letter, point.card.title});
    }
    if (std::ranges::any_of(m_points->points, &PlanPoint::misses))
        entries.append({drawnTheme().muted_text, {}, Pattern::Solid, {}, tr("Does not fit")});
    if (m_points->present) entries.append({drawnTheme().over, {}, Pattern::Solid, {}, tr("This plan")});
    for (const auto& limit : {m_x_limit, m_y_limit}) {
        if (limit) entries.append({drawnTheme().capacity, {}, Pattern::Solid, {}, limit->name, true});
    }
    return entries;
}

QString PlanScatter::description() const
{
    if (isEmpty()) return tr("No plans to show");
    QStringList front;
    for (const std::size_t i : m_points->front)
        front << m_points->points[i].card.title;
    const auto fitting = std::ranges::count(m_points->points, false, &PlanPoint::misses);
    return tr("%1 plans; the best trade-offs: %2").arg(fitting).arg(front.join(QStringLiteral("; ")));
}

ChartTable PlanScatter::table() const
{
    ChartTable table;
    table.title = ownTitle();
    table.columns = {tr("Plan"), tr("Among the best trade-offs"), m_x_label, m_y_label};
    table.text_columns = 2;
    for (const PlanPoint& point : m_points->points) {
        table.rows.push_back({point.card.title, point.front ? tr("yes") : QString(), QString::number(point.x, 'g', 10),
            QString::number(point.y, 'g', 10)});
    }
    return table;
}

void PlanScatter::prepare(QSize)
{
    plot()->xAxis->setLabel(m_x_label);
    plot()->yAxis->setLabel(m_y_label);
    // Axes without points would look like plans that cost nothing.
    plot()->axisRect()->setVisible(!isEmpty());
}

void PlanScatter::pointerLeft() { hover(-1, {}); }

void PlanScatter::hover(int point, QPointF anchor)
{
    if (point >= 0)
        showHover(m_points->points[static_cast<std::size_t>(point)].card, anchor,
            m_points->around(m_points->points[static_cast<std::size_t>(point)]));
    else
        hideHover();
    if (point == m_hovered) return;
    m_hovered = point;
    emit pointHovered(point);
}

/// Keys move along the front, from which one chooses.
void PlanScatter::keyPressEvent(QKeyEvent* event)
{
    const auto& front = m_points->front;
    const auto now = std::ranges::find(front, static_cast<std::size_t>(m_hovered));
    const auto go = [this](
                        std::size_t point) { hover(static_cast<int>(point), m_points->at(m_points->points[point])); };
    switch (front.empty() ? 0 : event->key()) {
    case Qt::Key_Left:
        if (now != front.begin()) go(now == front.end() ? front.front() : *(now - 1));
        return;
    case Qt::Key_Right:
        if (now == front.end())
            go(front.front());
        else if (now + 1 != front.end())
            go(*(now + 1));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hovered >= 0) emit pointChosen(m_hovered);
        return;
    case Qt::Key_Escape:
        if (m_hovered >= 0) return hover(-1, {});
        if (hasBrush()) return clearBrush();
        break;
    default: break;
    }
    ChartWidget::keyPressEvent(event);
}

} // namespace cardfit::ui
