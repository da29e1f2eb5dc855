// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/cluster/accelerator.h"
#include "core/count_product.h"

namespace cardfit {

/// What one card can send, per direction.
struct Link {
    GigabytesPerSecond bandwidth;
    Microseconds latency;

    bool operator==(const Link&) const = default;
};

/// Equal nodes of equal cards.
struct Cluster {
    std::string id;
    std::string name;
    Accelerator accelerator;
    std::int64_t nodes = 1;
    std::int64_t cards_per_node = 8;
    std::optional<Link> intra_node; ///< none: the accelerator's own link
    std::optional<Link> inter_node; ///< none: unknown
    std::string source;

    bool operator==(const Cluster&) const = default;
};

[[nodiscard]] constexpr std::int64_t cardCount(const Cluster& cluster)
{
    return product(cluster.nodes, cluster.cards_per_node);
}

} // namespace cardfit
