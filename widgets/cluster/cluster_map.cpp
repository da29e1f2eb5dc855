// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/cluster_map.h"

#include <algorithm>
#include <array>

#include <QKeyEvent>
#include <QMouseEvent>

#include <qcustomplot.h>

#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/painting.h"

namespace cardfit::ui {

namespace {

constexpr double kNumbered = 13.0; ///< pixels of a square from which it shows its group's number
constexpr std::array kGroupPatterns{
    Pattern::Solid, Pattern::Rising, Pattern::Falling, Pattern::Level, Pattern::Upright};
constexpr double kGroupHatch = 4.0;

/// The first seven of the fills of memory segments, which any colour vision tells apart.
constexpr std::int64_t kGroupColours = 7;

SegmentStyle groupStyle(const Theme& theme, std::int64_t group)
{
    SegmentStyle style = theme.segments[static_cast<std::size_t>(group % kGroupColours)];
    style.pattern = kGroupPatterns[static_cast<std::size_t>(group / kGroupColours) % kGroupPatterns.size()];
    return style;
}

} // namespace

QString cardGroupLabel(CardGroup group)
{
    switch (group) {
    case CardGroup::Tensor: return ClusterMap::tr("Tensor groups");
    case CardGroup::Context: return ClusterMap::tr("Context groups");
    case CardGroup::Expert: return ClusterMap::tr("Expert groups");
    case CardGroup::Data: return ClusterMap::tr("Data groups");
    case CardGroup::Pipeline: break;
    }
    return ClusterMap::tr("Pipelines");
}

QString placementLabel(const Cluster& cluster, const GroupPlacement& placed)
{
    const QString cards = ClusterMap::tr("%1 cards").arg(placed.ranks);
    const bool domains = cluster.nodes_per_domain > 1;
    switch (placed.level) {
    case NetworkLevel::Node: return ClusterMap::tr("%1, within a node").arg(cards);
    case NetworkLevel::Domain:
        return ClusterMap::tr("%1, %2 in a node, within a domain").arg(cards).arg(placed.in_node);
    case NetworkLevel::Network: break;
    }
    const QString across = (domains ? ClusterMap::tr("%1, %2 in a domain, across the network")
                                    : ClusterMap::tr("%1, %2 in a node, across the network"))
                               .arg(cards)
                               .arg(placed.in_domain);
    return placed.price ? ClusterMap::tr("%1: %2 of a step").arg(across, timeText(placed.price->value())) : across;
}

class ClusterCells : public ChartPlottable {
public:
    using ChartPlottable::ChartPlottable;

    Cluster cluster;
    ClusterLayout layout; ///< for the size that was drawn last
    std::vector<std::int64_t> groups;
    std::int64_t outlined = -1; ///< index of a group

    [[nodiscard]] QPointF corner() const { return plotRect().topLeft(); }
    [[nodiscard]] bool isEmpty() const override { return groups.empty(); }

protected:
    void paint(QCPPainter& painter) override
    {
        layout = ClusterLayout(cluster, plotRect().size());
        const QPointF from = corner();
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().outline, 1.5));
        if (layout.hasDomains()) {
            for (std::int64_t domain = 0; domain < layout.domains(); ++domain)
                painter.drawRect(layout.domain(domain).translated(from));
        }
        painter.setPen(QPen(mixed(theme().background, theme().muted_text, 0.6), 1.0));
        for (std::int64_t node = 0; node < layout.nodes(); ++node)
            painter.drawRect(layout.node(node).translated(from).adjusted(0.5, 0.5, -1.5, -1.5));
        painter.setFont(chartFont(-2));
        for (std::size_t card = 0; card < groups.size(); ++card) {
            const QRectF rect = layout.card(static_cast<std::int64_t>(card)).translated(from);
            const SegmentStyle style = groupStyle(theme(), groups[card]);
            painter.fillRect(rect, style.fill);
            if (style.pattern != Pattern::Solid)
                drawHatch(painter, rect, style.pattern, kGroupHatch, mixed(style.fill, inkOn(style.fill), 0.45));
        }
        for (std::size_t card = 0; card < groups.size(); ++card)
            paintNumber(painter, layout.card(static_cast<std::int64_t>(card)).translated(from), groups[card]);
        if (outlined < 0) return;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().selection, 2.0));
        for (std::size_t card = 0; card < groups.size(); ++card) {
            if (groups[card] == outlined)
                painter.drawRect(layout.card(static_cast<std::int64_t>(card)).translated(from));
        }
    }

private:
    void paintNumber(QCPPainter& painter, const QRectF& rect, std::int64_t group) const
    {
        const QString number = QString::number(group);
        if (rect.width() < kNumbered || chartTextWidth(number, -2) + 2 > rect.width()) return;
        const SegmentStyle style = groupStyle(theme(), group);
        if (style.pattern != Pattern::Solid) {
            // A plate keeps the hatch off the digits.
            const double width = chartTextWidth(number, -2) + 2.0;
            const double height = painter.fontMetrics().ascent();
            painter.fillRect(
                QRectF(rect.center().x() - 0.5 * width, rect.center().y() - 0.5 * height, width, height), style.fill);
        }
        painter.setPen(inkOn(style.fill));
        painter.drawText(rect, Qt::AlignCenter, number);
    }
};

ClusterMap::ClusterMap(QWidget* parent)
    : ChartWidget(parent)
    , m_cells(new ClusterCells(plot()->xAxis, plot()->yAxis, drawnTheme()))
{
    plot()->axisRect()->setMargins(QMargins(8, 4, 8, 6));
    plot()->axisRect()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : plot()->axisRect()->axes())
        axis->setVisible(false);
    for (QCPAxis* axis : {plot()->xAxis, plot()->yAxis})
        axis->grid()->setVisible(false);
    connect(plot(), &QCustomPlot::mouseMove, this,
        [this](QMouseEvent* event) { hover(m_cells->layout.cardAt(event->position() - m_cells->corner())); });
    finishSetUp();
}

const std::vector<std::int64_t>& ClusterMap::groups() const { return m_cells->groups; }

QRectF ClusterMap::cardRect(std::int64_t card) const
{
    return m_cells->layout.card(card).translated(m_cells->corner());
}

bool ClusterMap::isEmpty() const { return m_cells->groups.empty(); }

void ClusterMap::setPlan(const Plan& plan, std::vector<GroupPlacement> placements)
{
    m_plan = plan;
    m_placements = std::move(placements);
    hover(-1);
    refresh();
}

void ClusterMap::setGroup(CardGroup group)
{
    m_group = group;
    m_cells->outlined = -1;
    refresh();
}

void ClusterMap::refresh()
{
    m_cells->cluster = m_plan.cluster;
    m_cells->layout = ClusterLayout(m_plan.cluster, plot()->axisRect()->size());
    m_cells->groups.clear();
    for (std::int64_t card = 0; card < m_cells->layout.cards(); ++card)
        m_cells->groups.push_back(groupOfCard(m_plan, m_group, card));
    contentChanged();
}

QString ClusterMap::ownTitle() const { return tr("Cluster: %1").arg(cardGroupLabel(m_group)); }

QString ClusterMap::ownFacts() const
{
    QStringList facts;
    const auto placed = std::ranges::find(m_placements, m_group, &GroupPlacement::group);
    facts << (placed == m_placements.end() ? tr("every card is alone") : placementLabel(m_plan.cluster, *placed));
    const std::int64_t all = cardCount(m_plan.cluster);
    if (m_cells->layout.cards() < all) facts << tr("the first %1 of %2 cards").arg(m_cells->layout.cards()).arg(all);
    return facts.join(QStringLiteral(" · "));
}

QList<LegendEntry> ClusterMap::legend() const
{
    QList<LegendEntry> entries;
    entries.append({drawnTheme().background, {}, Pattern::Solid, {}, tr("thin frame: a node")});
    if (m_cells->layout.hasDomains())
        entries.append({drawnTheme().outline, {}, Pattern::Solid, {}, tr("thick frame: an NVLink domain")});
    return entries;
}

QString ClusterMap::description() const
{
    if (isEmpty()) return tr("No cluster to show");
    QStringList all{tr("%1 cards in %2 nodes").arg(cardCount(m_plan.cluster)).arg(m_plan.cluster.nodes)};
    for (const GroupPlacement& placed : m_placements)
        all << tr("%1: %2").arg(cardGroupLabel(placed.group), placementLabel(m_plan.cluster, placed));
    return all.join(QStringLiteral("; "));
}

ChartTable ClusterMap::table() const
{
    ChartTable table;
    table.title = tr("Cards of the cluster");
    table.columns = {tr("Card"), tr("Domain"), tr("Node")};
    for (const CardGroup group : kCardGroups)
        table.columns << cardGroupLabel(group);
    table.text_columns = 0;
    const std::int64_t per_node = std::max<std::int64_t>(m_plan.cluster.cards_per_node, 1);
    const std::int64_t per_domain = std::max<std::int64_t>(m_plan.cluster.nodes_per_domain, 1);
    for (std::int64_t card = 0; card < std::ssize(groups()); ++card) {
        const std::int64_t node = card / per_node;
        QStringList row{QString::number(card), QString::number(node / per_domain), QString::number(node)};
        for (const CardGroup group : kCardGroups)
            row << QString::number(groupOfCard(m_plan, group, card));
        table.rows.push_back(row);
    }
    if (const std::int64_t all = cardCount(m_plan.cluster); std::ssize(groups()) < all)
        table.note = tr("the first %1 of %2 cards").arg(std::ssize(groups())).arg(all);
    return table;
}

void ClusterMap::prepare(QSize canvas) { Q_UNUSED(canvas) }

void ClusterMap::pointerLeft() { hover(-1); }

void ClusterMap::hover(std::int64_t card)
{
    if (card >= std::ssize(groups())) card = -1;
    const std::int64_t outlined = card < 0 ? -1 : groups()[static_cast<std::size_t>(card)];
    if (outlined != m_cells->outlined) {
        m_cells->outlined = outlined;
        replotSoon();
    }
    m_hovered = card;
    if (card < 0) return hideHover();
    const std::int64_t node = card / std::max<std::int64_t>(m_plan.cluster.cards_per_node, 1);
    HoverText text;
    text.title = m_cells->layout.hasDomains()
        ? tr("Card %1: node %2, domain %3").arg(card).arg(node).arg(node / m_plan.cluster.nodes_per_domain)
        : tr("Card %1: node %2").arg(card).arg(node);
    for (const GroupPlacement& placed : m_placements)
        text.add(cardGroupLabel(placed.group), QString::number(groupOfCard(m_plan, placed.group, card)),
            placementLabel(m_plan.cluster, placed), placed.group == m_group);
    const QRectF rect = cardRect(card);
    showHover(text, rect.center(), rect);
}

void ClusterMap::keyPressEvent(QKeyEvent* event)
{
    if (isEmpty()) return ChartWidget::keyPressEvent(event);
    const auto go = [&](std::int64_t by) {
        // The first key press selects the first card.
        hover(m_hovered < 0 ? 0 : std::clamp<std::int64_t>(m_hovered + by, 0, std::ssize(groups()) - 1));
    };
    const std::int64_t row = m_cells->layout.columns();
    switch (event->key()) {
    case Qt::Key_Left: return go(-1);
    case Qt::Key_Right: return go(1);
    case Qt::Key_Up: return go(-row);
    case Qt::Key_Down: return go(row);
    case Qt::Key_Home: return hover(0);
    case Qt::Key_End: return hover(std::ssize(groups()) - 1);
    case Qt::Key_Escape:
        if (m_hovered >= 0) return hover(-1);
        break;
    default: break;
    }
    ChartWidget::keyPressEvent(event);
}

} // namespace cardfit::ui
