// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/serving/decode_bars.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr std::size_t kParts = kDecodeParts.size();

std::size_t stageOf(int column) { return static_cast<std::size_t>(column) / kParts; }
std::size_t decodePartOf(int column) { return static_cast<std::size_t>(column) % kParts; }

QString labelOf(std::size_t part) { return translated(Sentence(kDecodeParts[part].label)); }

bool holdsRequests(const Estimate& estimate) { return estimate.server && estimate.server->pace; }

} // namespace

class DecodeBlocks : public ChartPlottable {
public:
    using ChartPlottable::ChartPlottable;

    std::vector<DecodeParts> cards; ///< of each stage
    std::vector<PinnedEstimate> pins; ///< those that are served

    [[nodiscard]] QRectF rect(std::size_t stage, std::size_t part) const
    {
        constexpr double kGap = 2.0;
        double start = 0.0;
        for (std::size_t i = 0; i < part; ++i)
            start += (cards[stage].*kDecodeParts[i].time).value();
        const double end = start + (cards[stage].*kDecodeParts[part].time).value();
        const double left = std::round(mKeyAxis->coordToPixel(start));
        const double right = std::round(mKeyAxis->coordToPixel(end));
        const QRectF area(plotRect());
        const double pitch = area.height() / static_cast<double>(cards.size());
        const double top = std::round(area.top() + static_cast<double>(stage) * pitch);
        const double bottom = std::round(area.top() + static_cast<double>(stage + 1) * pitch);
        return {left, top, right - left, bottom - top - (cards.size() > 1 && pitch > 3.0 * kGap ? kGap : 0.0)};
    }

protected:
    [[nodiscard]] bool isEmpty() const override { return cards.empty(); }
    void paint(QCPPainter& painter) override
    {
        painter.setFont(chartFont(-1));
        for (std::size_t stage = 0; stage < cards.size(); ++stage) {
            for (std::size_t part = 0; part < kParts; ++part)
                drawPart(painter, stage, part);
            painter.setPen(theme().outline);
            painter.drawRect(rect(stage, 0).united(rect(stage, kParts - 1)).adjusted(0, 0, -1, -1));
        }
        for (const PinnedEstimate& pin : pins)
            drawPin(painter, pin);
    }

private:
    void drawPart(QCPPainter& painter, std::size_t stage, std::size_t part) const
    {
        const double time = (cards[stage].*kDecodeParts[part].time).value();
        drawTimePart(painter, rect(stage, part), theme().decode_parts[part], timeText(time), theme().background);
    }

    void drawPin(QCPPainter& painter, const PinnedEstimate& pin) const
    {
        const auto at = [this](Seconds time) { return std::round(mKeyAxis->coordToPixel(time.value())); };
        drawPinEnd(
            painter, plotRect(), at(cards.front().total()), at(pin.estimate->server->pace->pace.tpot()), pin, theme());
    }
};

DecodeBars::DecodeBars(QWidget* parent)
    : ColumnChart(parent)
    , m_blocks(new DecodeBlocks(plot()->xAxis, plot()->yAxis, drawnTheme()))
    , m_ticker(QSharedPointer<TimeTicker>::create())
{
    setUpTimeAxes(*plot()->axisRect());
    plot()->xAxis->setTicker(m_ticker);
    plot()->yAxis->setVisible(false);
    plot()->yAxis->setRange(0.0, 1.0);
    plot()->axisRect()->setAutoMargins(QCP::msBottom);
    // Aligned with the charts above.
    plot()->axisRect()->setMargins(QMargins(kLeastLeftMargin, 4, 18, 0));
    header().setLowestWithLegend(minimumSizeHint().height());
    finishSetUp();
}

bool DecodeBars::isEmpty() const { return ColumnChart::isEmpty() || !holdsRequests(*estimate()); }

void DecodeBars::rebuild()
{
    m_blocks->cards = isEmpty() ? std::vector<DecodeParts>() : pace().cards;
    m_blocks->pins.clear();
    double seconds = isEmpty() ? 0.0 : pace().pace.tpot().value();
    for (const PinnedEstimate& pin : pins()) {
        if (!holdsRequests(*pin.estimate)) continue;
        m_blocks->pins.push_back(pin);
        seconds = std::max(seconds, pin.estimate->server->pace->pace.tpot().value());
    }
    plot()->xAxis->setRange(0.0, seconds > 0.0 ? seconds : 1.0);
    m_ticker->setUnit(timeUnitFor(seconds).seconds);
    contentChanged();
}

QRectF DecodeBars::rect(std::size_t stage, std::size_t part) const { return m_blocks->rect(stage, part); }

Seconds DecodeBars::timeAt(int column) const
{
    return m_blocks->cards[stageOf(column)].*kDecodeParts[decodePartOf(column)].time;
}

QString DecodeBars::cardsOf(std::size_t stage) const
{
    return m_blocks->cards.size() > 1 ? tr("A card of stage %1").arg(stage) : tr("Every card");
}

QString DecodeBars::ownTitle() const { return sharedText("From one token to the next"); }

QString DecodeBars::ownFacts() const
{
    if (isEmpty()) return tr("No server yet");
    const QString error = QString::number(std::lround(100.0 * pace().error)) + QStringLiteral(" %");
    return tr("%1 (±%2) with %3 users", "time per token, its error, users at once")
        .arg(timeText(pace().pace.tpot().value()), error, QLocale().toString(std::llround(pace().concurrency)));
}

QList<LegendEntry> DecodeBars::legend() const
{
    QList<LegendEntry> entries;
    for (std::size_t part = 0; part < kParts && !isEmpty(); ++part) {
        const bool drawn = std::ranges::any_of(
            m_blocks->cards, [&](const DecodeParts& card) { return card.*kDecodeParts[part].time > Seconds(0.0); });
        if (drawn) entries.append(LegendEntry::of(drawnTheme().decode_parts[part], labelOf(part)));
    }
    for (const PinnedEstimate& pin : m_blocks->pins)
        entries.append(pinEntry(pin, drawnTheme()));
    return entries;
}

ChartTable DecodeBars::table() const
{
    if (isEmpty()) return {};
    ChartTable table;
    table.title = ownTitle();
    table.columns = {sharedText("Part")};
    for (std::size_t stage = 0; stage < m_blocks->cards.size(); ++stage)
        table.columns.append(withUnit(cardsOf(stage), QStringLiteral("ms")));
    const auto row = [&](const QString& label, auto time) {
        QStringList cells{label};
        for (const DecodeParts& card : m_blocks->cards)
            cells << QString::number(1e3 * time(card).value(), 'f', 3);
        table.rows.push_back(cells);
    };
    for (const DecodePart& part : kDecodeParts)
        row(translated(Sentence(part.label)), [&](const DecodeParts& card) { return card.*part.time; });
    row(sharedText("Time per token"), [](const DecodeParts& card) { return card.total(); });
    return table;
}

QString DecodeBars::description() const
{
    if (isEmpty()) return tr("No server yet");
    QStringList texts{ownFacts()};
    for (int column = 0; column < columns(); ++column) {
        if (!hasContent(column)) continue;
        const QString part = labelOf(decodePartOf(column)) + u' ' + timeText(timeAt(column).value());
        texts << (decodePartOf(column) == 0 ? cardsOf(stageOf(column)) + QStringLiteral(": ") + part : part);
    }
    return listText(texts);
}

int DecodeBars::columns() const { return static_cast<int>(m_blocks->cards.size() * kParts); }

bool DecodeBars::hasContent(int column) const { return timeAt(column) > Seconds(0.0); }

std::optional<ColumnChart::Place> DecodeBars::placeAt(QPointF position) const
{
    for (int column = 0; column < columns(); ++column) {
        if (rect(stageOf(column), decodePartOf(column)).contains(position)) return Place{column, std::nullopt};
    }
    return std::nullopt;
}

QPointF DecodeBars::anchorOf(const Place& place) const
{
    return rect(stageOf(place.column), decodePartOf(place.column)).center();
}

void DecodeBars::showCard(const Place& place, QPointF anchor)
{
    const std::size_t part = decodePartOf(place.column);
    const Seconds time = timeAt(place.column);
    HoverText text;
    text.title = labelOf(part);
    if (m_blocks->cards.size() > 1) text.add(cardsOf(stageOf(place.column)), {});
    text.add(sharedText("Time"), timeText(time.value()), {}, true);
    text.add(tr("Share of the time per token"), percentText(time / pace().pace.tpot()));
    for (const PinnedEstimate& pin : m_blocks->pins) {
        const double pinned = (pin.estimate->server->pace->pace.parts.*kDecodeParts[part].time).value();
        text.add(pinTitle(pin), timeText(pinned), tr("plan %1").arg(signedTimeText(time.value() - pinned)));
    }
    showHover(text, anchor, rect(stageOf(place.column), part));
}

void DecodeBars::choose(const Place& place)
{
    emit figureClicked(QStringLiteral("server.tpot.") + verbatim(kDecodeParts[decodePartOf(place.column)].name));
}

} // namespace cardfit::ui
