// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <QRectF>
#include <QSizeF>

#include "core/cluster/cluster.h"

namespace cardfit::ui {

/// Where the cards of a cluster are drawn: squares in nodes, nodes in NVLink domains. The numbers of columns are those
/// that make the squares largest.
class ClusterLayout {
public:
    ClusterLayout() = default;
    /// Shows whole domains, or nodes of one domain; at most kMostCards cards.
    ClusterLayout(const Cluster& cluster, QSizeF room);

    static constexpr std::int64_t kMostCards = 4096;

    [[nodiscard]] std::int64_t cards() const { return m_shown * m_cards; } ///< number that is drawn
    [[nodiscard]] std::int64_t domains() const { return m_domains; }
    [[nodiscard]] std::int64_t nodes() const { return m_shown; }
    [[nodiscard]] std::int64_t columns() const { return m_columns; } ///< of cards within a node
    [[nodiscard]] bool hasDomains() const { return m_nodes > 1; } ///< whether domains consist of several nodes
    [[nodiscard]] double side() const { return m_side; } ///< side of a square plus the gap after it

    /// Coordinates start at the upper left corner of `room`.
    [[nodiscard]] QRectF card(std::int64_t card) const;
    [[nodiscard]] QRectF node(std::int64_t node) const;
    [[nodiscard]] QRectF domain(std::int64_t domain) const;
    /// The card at a place, or -1.
    [[nodiscard]] std::int64_t cardAt(QPointF place) const;

private:
    [[nodiscard]] QSizeF nodeSize(double side) const;
    [[nodiscard]] QSizeF domainSize(double side) const;

    std::int64_t m_domains = 0;
    std::int64_t m_nodes = 1; ///< per domain
    std::int64_t m_cards = 0; ///< per node
    std::int64_t m_shown = 0; ///< nodes that are drawn
    std::int64_t m_columns = 1, m_rows = 1; ///< of cards within a node
    std::int64_t m_nodes_across = 1; ///< columns of nodes within a domain
    std::int64_t m_across = 1; ///< columns of domains
    double m_side = 0.0;
};

} // namespace cardfit::ui
