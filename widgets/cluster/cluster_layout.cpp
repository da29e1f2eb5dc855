// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/cluster_layout.h"

#include <algorithm>
#include <cmath>

namespace cardfit::ui {

namespace {

constexpr double kNodeMargin = 2.0; ///< around the cards of a node
constexpr double kDomainMargin = 3.0; ///< around the nodes of a domain
constexpr double kDomainGap = 6.0;
constexpr double kLargest = 30.0;
constexpr double kLeast = 2.0;
constexpr std::int64_t kWidestNode = 18; ///< most cards side by side

/// The largest number of cards per row, at most kWidestNode, that fills every row of a node; up to 8 if there is none.
std::int64_t columnsOf(std::int64_t cards)
{
    for (std::int64_t columns = std::min(cards, kWidestNode); columns > 1; --columns) {
        if (cards % columns == 0 && (columns > 3 || columns == cards)) return columns;
    }
    return std::min<std::int64_t>(std::max<std::int64_t>(cards, 1), 8);
}

} // namespace

ClusterLayout::ClusterLayout(const Cluster& cluster, QSizeF room)
    : m_nodes(std::max<std::int64_t>(cluster.nodes_per_domain, 1))
    , m_cards(std::max<std::int64_t>(cluster.cards_per_node, 1))
{
    m_columns = columnsOf(m_cards);
    m_rows = (m_cards + m_columns - 1) / m_columns;
    const std::int64_t nodes = std::max<std::int64_t>(cluster.nodes, 1);
    m_nodes = std::min({m_nodes, nodes, std::max<std::int64_t>(kMostCards / m_cards, 1)});
    const std::int64_t shown = std::max<std::int64_t>(kMostCards / (m_nodes * m_cards), 1);
    m_domains = std::min((nodes + m_nodes - 1) / m_nodes, shown);
    m_shown = std::min(m_domains * m_nodes, nodes);
    const auto fits = [&](double side, std::int64_t across) {
        const QSizeF one = domainSize(side);
        const std::int64_t down = (m_domains + across - 1) / across;
        return static_cast<double>(across) * one.width() + static_cast<double>(across - 1) * kDomainGap <= room.width()
            && static_cast<double>(down) * one.height() + static_cast<double>(down - 1) * kDomainGap <= room.height();
    };
    m_side = kLeast;
    std::int64_t best = 1;
    bool found = false;
    for (std::int64_t inside = 1; inside <= m_nodes; ++inside) {
        if (m_nodes % inside != 0) continue;
        m_nodes_across = inside;
        for (std::int64_t across = 1; across <= m_domains; ++across) {
            double side = m_side;
            if (!fits(side, across)) continue;
            while (side < kLargest && fits(side + 1.0, across))
                side += 1.0;
            if (found && side <= m_side) continue;
            found = true;
            best = inside;
            m_side = side;
            m_across = across;
        }
    }
    m_nodes_across = best;
}

QSizeF ClusterLayout::nodeSize(double side) const
{
    return {static_cast<double>(m_columns) * side + 2.0 * kNodeMargin,
        static_cast<double>(m_rows) * side + 2.0 * kNodeMargin};
}

QSizeF ClusterLayout::domainSize(double side) const
{
    const QSizeF one = nodeSize(side);
    const double margin = hasDomains() ? kDomainMargin : 0.0;
    return {static_cast<double>(m_nodes_across) * one.width() + 2.0 * margin,
        static_cast<double>(m_nodes / m_nodes_across) * one.height() + 2.0 * margin};
}

QRectF ClusterLayout::domain(std::int64_t domain) const
{
    const QSizeF size = domainSize(m_side);
    const double x = static_cast<double>(domain % m_across) * (size.width() + kDomainGap);
    const double y = static_cast<double>(domain / m_across) * (size.height() + kDomainGap);
    return {QPointF(x, y), size};
}

QRectF ClusterLayout::node(std::int64_t node) const
{
    const double margin = hasDomains() ? kDomainMargin : 0.0;
    const QSizeF size = nodeSize(m_side);
    const std::int64_t within = node % m_nodes;
    const QPointF inside(margin + static_cast<double>(within % m_nodes_across) * size.width(),
        margin + static_cast<double>(within / m_nodes_across) * size.height());
    return {domain(node / m_nodes).topLeft() + inside, size};
}

QRectF ClusterLayout::card(std::int64_t card) const
{
    const std::int64_t within = card % m_cards;
    const QPointF inside(kNodeMargin + static_cast<double>(within % m_columns) * m_side,
        kNodeMargin + static_cast<double>(within / m_columns) * m_side);
    return {node(card / m_cards).topLeft() + inside, QSizeF(m_side - 1.0, m_side - 1.0)};
}

std::int64_t ClusterLayout::cardAt(QPointF place) const
{
    for (std::int64_t at = 0; at < m_domains; ++at) {
        if (!domain(at).contains(place)) continue;
        const std::int64_t end = std::min((at + 1) * m_nodes * m_cards, cards());
        for (std::int64_t one = at * m_nodes * m_cards; one < end; ++one) {
            if (card(one).adjusted(0.0, 0.0, 1.0, 1.0).contains(place)) return one;
        }
    }
    return -1;
}

} // namespace cardfit::ui
