// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/serving/load_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QLocale>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr double kReach = 6.0; ///< pixels within which the pointer takes hold of a line

QColor tokenColour(const Theme& theme) { return theme[Segment::Weights].fill; }
QColor firstTokenColour(const Theme& theme) { return theme[Segment::Activations].fill; }
QColor rateColour(const Theme& theme) { return theme[Segment::Optimizer].fill; }

QString usersText(double users) { return QLocale().toString(std::llround(users)); }

/// "10", "300", "20 k": few characters on an axis of users or rates.
class CountTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override
    {
        constexpr double kInFull = 1000.0;
        return tick < kInFull ? locale.toString(std::llround(tick)) : tokenRateText(tick);
    }
};

/// "20 ms", "3 s"
class WaitTicker : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override
    {
        const TimeUnit unit = timeUnitFor(tick);
        return locale.toString(tick / unit.seconds, 'g', 3) + u' ' + unit.symbol;
    }
};

class RateTicker : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override
    {
        return tick == 0.0 ? locale.toString(0) : tokenRateText(tick);
    }
};

} // namespace

class LoadCurves : public ChartPlottable {
public:
    LoadCurves(QCPAxis* users, QCPAxis* waits, QCPAxis* rates, const Theme& theme)
        : ChartPlottable(users, waits, theme)
        , m_rates(rates)
    {
    }

    std::optional<ServingCurve> curve;
    QString room, token_limit, first_token_limit; ///< written beside their lines

    [[nodiscard]] double x(double users) const { return mKeyAxis->coordToPixel(users); }
    [[nodiscard]] double y(Seconds wait) const { return mValueAxis->coordToPixel(wait.value()); }
    [[nodiscard]] QPointF marker() const { return {x(curve->plan.users), y(curve->plan.tpot())}; }

protected:
    [[nodiscard]] bool isEmpty() const override { return !curve; }
    void paint(QCPPainter& painter) override
    {
        painter.setAntialiasing(true);
        painter.setClipRect(plotRect());
        if (curve->prompts_known) {
            fill(
                painter, firstTokenColour(theme()), [](const ServingPoint& at) { return at.ttft_alone; },
                [](const ServingPoint& at) { return at.ttft_burst; });
        }
        const double error = curve->error;
        fill(
            painter, tokenColour(theme()), [error](const ServingPoint& at) { return (1.0 - error) * at.tpot(); },
            [error](const ServingPoint& at) { return (1.0 + error) * at.tpot(); });
        line(painter, QPen(tokenColour(theme()), 2.0), [&](const ServingPoint& at) { return y(at.tpot()); });
        line(painter, QPen(rateColour(theme()), 2.0, Qt::DashDotLine),
            [&](const ServingPoint& at) { return m_rates->coordToPixel(at.output_tokens_per_second); });
        painter.setAntialiasing(false);
        drawRoom(painter);
        drawLimit(painter, curve->limits.tpot_ms, 1e-3, token_limit);
        if (curve->prompts_known) drawLimit(painter, curve->limits.ttft_s, 1.0, first_token_limit);
        drawMarker(painter);
    }

private:
    template <class Low, class High> void fill(QCPPainter& painter, QColor colour, Low low, High high) const
    {
        QPolygonF area;
        for (const ServingPoint& at : curve->points)
            area << QPointF(x(at.users), y(high(at)));
        for (std::size_t i = curve->points.size(); i-- > 0;)
            area << QPointF(x(curve->points[i].users), y(low(curve->points[i])));
        colour.setAlphaF(0.25F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(area);
        painter.setBrush(Qt::NoBrush);
    }

    /// Dotted beyond the room, where requests would have to wait.
    template <class Height> void line(QCPPainter& painter, QPen pen, Height height) const
    {
        QPolygonF within, beyond;
        for (const ServingPoint& at : curve->points) {
            const QPointF point(x(at.users), height(at));
            if (at.users <= curve->room) within << point;
            if (at.users >= curve->room || &at == &curve->points.back()) beyond << point;
        }
        if (!within.isEmpty()) beyond.prepend(within.last());
        painter.setPen(pen);
        painter.drawPolyline(within);
        pen.setStyle(Qt::DotLine);
        pen.setWidthF(1.0);
        painter.setPen(pen);
        painter.drawPolyline(beyond);
    }

    void drawRoom(QCPPainter& painter) const
    {
        const double at = std::round(x(curve->room));
        painter.setPen(QPen(theme().capacity, 1.5, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QPointF(at, plotRect().top()), QPointF(at, plotRect().bottom()));
        painter.setFont(chartFont(-1));
        painter.setPen(theme().muted_text);
        const int width = chartTextWidth(room, -1);
        const double left = at + 4 + width < plotRect().right() ? at + 4 : at - 4 - width;
        painter.drawText(QPointF(left, plotRect().top() + QFontMetrics(chartFont(-1)).ascent() + 1), room);
    }

    void drawLimit(QCPPainter& painter, std::optional<double> limit, double seconds, const QString& words) const
    {
        if (!limit) return;
        const double at = std::round(y(Seconds(*limit * seconds)));
        painter.setPen(QPen(theme().over, 1.5, Qt::DashLine, Qt::FlatCap));
        painter.drawLine(QPointF(plotRect().left(), at), QPointF(plotRect().right(), at));
        painter.setFont(chartFont(-1));
        painter.setPen(theme().over);
        painter.drawText(QPointF(plotRect().left() + 4, at - 3), words);
    }

    void drawMarker(QCPPainter& painter) const
    {
        constexpr double kRadius = 4.5;
        const QPointF at = marker();
        painter.setPen(QPen(theme().selection, 1.0));
        painter.drawLine(QPointF(at.x(), plotRect().top()), QPointF(at.x(), plotRect().bottom()));
        painter.setAntialiasing(true);
        painter.setPen(QPen(theme().background, 1.5));
        painter.setBrush(theme().selection);
        painter.drawEllipse(at, kRadius, kRadius);
        painter.setBrush(Qt::NoBrush);
    }

    QCPAxis* m_rates;
};

LoadChart::LoadChart(QWidget* parent)
    : ChartWidget(parent)
    , m_curves(new LoadCurves(plot()->xAxis, plot()->yAxis, plot()->yAxis2, drawnTheme()))
{
    for (QCPAxis* axis : {plot()->xAxis, plot()->yAxis})
        axis->setScaleType(QCPAxis::stLogarithmic);
    plot()->xAxis->setTicker(QSharedPointer<CountTicker>::create());
    plot()->yAxis->setTicker(QSharedPointer<WaitTicker>::create());
    plot()->yAxis2->setTicker(QSharedPointer<RateTicker>::create());
    plot()->yAxis2->setVisible(true);
    plot()->axisRect()->setMargins(QMargins(0, 6, 0, 0));
    connect(plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { press(*event); });
    connect(plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) { move(*event); });
    connect(plot(), &QCustomPlot::mouseRelease, this, [this] { release(); });
    finishSetUp();
}

void LoadChart::setCurve(std::optional<ServingCurve> curve)
{
    if (curve == m_curve) return;
    m_curve = std::move(curve);
    m_curves->curve = m_curve;
    if (m_curve) {
        m_curves->room = roomText();
        const auto limit = [&](std::optional<double> value, double seconds) {
            return value ? tr("limit %1").arg(timeText(*value * seconds)) : QString();
        };
        m_curves->token_limit = limit(m_curve->limits.tpot_ms, 1e-3);
        m_curves->first_token_limit = limit(m_curve->limits.ttft_s, 1.0);
        if (m_grip == Grip::None) fitAxes(); // while something is dragged the axes stay where they are
    }
    hideHover();
    contentChanged();
}

QString LoadChart::roomText() const
{
    //: marks the number of users from which on requests have to wait
    return m_curve->cache_binds ? tr("cache full: %1 users").arg(usersText(m_curve->room))
                                : tr("the engine admits %1 users").arg(usersText(m_curve->room));
}

void LoadChart::fitAxes()
{
    const auto& points = m_curve->points;
    double least = (1.0 - m_curve->error) * points.front().tpot().value();
    double most = (1.0 + m_curve->error) * points.back().tpot().value();
    double rate = 0.0;
    for (const ServingPoint& at : points) {
        rate = std::max(rate, at.output_tokens_per_second);
        if (!m_curve->prompts_known) continue;
        least = std::min(least, at.ttft_alone.value());
        most = std::max(most, at.ttft_burst.value());
    }
    if (m_curve->limits.tpot_ms) least = std::min(least, 1e-3 * *m_curve->limits.tpot_ms);
    if (m_curve->limits.ttft_s) most = std::max(most, *m_curve->limits.ttft_s);
    constexpr double kRoom = 1.25;
    plot()->xAxis->setRange(points.front().users / kRoom, std::max(points.back().users, points.front().users * 2.0));
    plot()->yAxis->setRange(least / kRoom, most * kRoom);
    plot()->yAxis2->setRange(0.0, rate * 1.1);
}

QPointF LoadChart::marker() const { return m_curve ? m_curves->marker() : QPointF(); }

LoadChart::Grip LoadChart::gripAt(QPointF position) const
{
    if (!m_curve || !plot()->axisRect()->rect().contains(position.toPoint())) return Grip::None;
    const auto isOn = [&](std::optional<double> limit, double seconds) {
        return limit && std::abs(m_curves->y(Seconds(*limit * seconds)) - position.y()) <= kReach;
    };
    if (std::abs(m_curves->marker().x() - position.x()) <= kReach) return Grip::Users;
    if (isOn(m_curve->limits.tpot_ms, 1e-3)) return Grip::TokenLimit;
    if (m_curve->prompts_known && isOn(m_curve->limits.ttft_s, 1.0)) return Grip::FirstTokenLimit;
    return Grip::None;
}

void LoadChart::press(const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton) return;
    m_grip = gripAt(event.position());
    if (m_grip == Grip::None) return;
    hideHover();
}

void LoadChart::move(const QMouseEvent& event)
{
    if (m_grip != Grip::None) return dragTo(event.position());
    const Grip under = gripAt(event.position());
    plot()->setCursor(under == Grip::None ? Qt::ArrowCursor
            : under == Grip::Users        ? Qt::SizeHorCursor
                                          : Qt::SizeVerCursor);
    hoverAt(event.position());
}

void LoadChart::release()
{
    if (m_grip == Grip::None) return;
    m_grip = Grip::None;
    emit released();
    if (m_curve) fitAxes();
    contentChanged();
}

void LoadChart::dragTo(QPointF position)
{
    if (!m_curve) return;
    const double seconds = plot()->yAxis->pixelToCoord(position.y());
    const auto digits = [](double value) { return QString::number(value, 'g', 2).toDouble(); };
    if (m_grip == Grip::Users) {
        const double users = plot()->xAxis->pixelToCoord(position.x());
        emit usersDragged(std::llround(std::clamp(users, m_curve->points.front().users, m_curve->room)));
    } else if (m_grip == Grip::TokenLimit) {
        emit tokenLimitDragged(digits(1e3 * seconds));
    } else {
        emit firstTokenLimitDragged(digits(seconds));
    }
}

void LoadChart::hoverAt(QPointF position)
{
    if (!m_curve || !plot()->axisRect()->rect().contains(position.toPoint())) return hideHover();
    const double users = plot()->xAxis->pixelToCoord(position.x());
    const auto& points = m_curve->points;
    const auto nearest = std::ranges::min_element(
        points, {}, [&](const ServingPoint& at) { return std::abs(std::log(at.users / users)); });
    HoverText text;
    text.title = nearest->users <= m_curve->room ? tr("%1 users").arg(usersText(nearest->users))
                                                 : tr("%1 users, of whom some wait").arg(usersText(nearest->users));
    text.add(sharedText("Time per token"), timeText(nearest->tpot().value()), {}, true);
    for (const DecodePart& part : kDecodeParts) {
        constexpr double kWorthSaying = 0.01;
        const Seconds time = nearest->parts.*part.time;
        if (time > kWorthSaying * nearest->tpot()) text.add(translated(Sentence(part.label)), timeText(time.value()));
    }
    if (m_curve->prompts_known)
        text.add(sharedText("First token"),
            tr("%1 to %2").arg(timeText(nearest->ttft_alone.value()), timeText(nearest->ttft_burst.value())));
    text.add(tr("Output tokens/s"), tokenRateText(nearest->output_tokens_per_second));
    showHover(text, QPointF(m_curves->x(nearest->users), m_curves->y(nearest->tpot())), {});
}

QString LoadChart::ownTitle() const { return sharedText("Users and their waits"); }

QString LoadChart::ownFacts() const
{
    if (isEmpty()) return tr("No server yet");
    const ServingPoint& at = m_curve->plan;
    QStringList facts{tr("%1 users: %2 per token (±%3)")
                          .arg(usersText(at.users), timeText(at.tpot().value()),
                              QString::number(std::lround(100.0 * m_curve->error)) + QStringLiteral(" %"))};
    if (m_curve->prompts_known)
        facts << tr("first token %1 to %2").arg(timeText(at.ttft_alone.value()), timeText(at.ttft_burst.value()));
    facts << tr("%1 output tokens/s").arg(tokenRateText(at.output_tokens_per_second));
    return facts.join(QStringLiteral(" · "));
}

QList<LegendEntry> LoadChart::legend() const
{
    if (isEmpty()) return {};
    QList<LegendEntry> entries{{tokenColour(drawnTheme()), {}, Pattern::Solid, {}, sharedText("Time per token")}};
    if (m_curve->prompts_known)
        entries.append(
            {firstTokenColour(drawnTheme()), {}, Pattern::Solid, {}, tr("First token, alone to all at once")});
    entries.append({rateColour(drawnTheme()), {}, Pattern::Solid, {}, tr("Output tokens/s"), true});
    return entries;
}

QString LoadChart::description() const
{
    if (isEmpty()) return tr("No server yet");
    return listText({ownFacts(), roomText()});
}

ChartTable LoadChart::table() const
{
    ChartTable table;
    if (isEmpty()) return table;
    table.title = ownTitle();
    table.columns = {sharedText("Users"), withUnit(sharedText("Time per token"), QStringLiteral("s")),
        withUnit(tr("First token alone"), QStringLiteral("s")),
        withUnit(tr("First token, all at once"), QStringLiteral("s")), tr("Output tokens/s")};
    for (const ServingPoint& at : m_curve->points) {
        const auto prompt = [&](Seconds time) {
            return m_curve->prompts_known ? secondsCell(time.value()) : QString();
        };
        table.rows.push_back({QString::number(at.users, 'g', 6), secondsCell(at.tpot().value()), prompt(at.ttft_alone),
            prompt(at.ttft_burst), QString::number(at.output_tokens_per_second, 'g', 6)});
    }
    table.note = roomText();
    return table;
}

void LoadChart::prepare(QSize)
{
    styleAxis(*plot()->yAxis2, drawnTheme());
    plot()->yAxis2->grid()->setVisible(false);
    plot()->xAxis->setLabel(tr("Users at once"));
    plot()->yAxis->setLabel(tr("Wait"));
    plot()->yAxis2->setLabel(tr("Output tokens/s"));
    plot()->axisRect()->setVisible(!isEmpty());
}

} // namespace cardfit::ui
