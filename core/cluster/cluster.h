// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/count_product.h"
#include "core/base/sentence.h"
#include "core/base/units.h"
#include "core/cluster/generation.h"

namespace cardfit {

/// Dense (not sparse) peak rates by number format; none where the card has no such unit.
struct PeakRates {
    std::optional<Teraflops> bf16, fp16, fp8, fp4, tf32, fp32, int8;

    bool operator==(const PeakRates&) const = default;
};

/// Share of the dense peak that matrix products sustain inside a training step, by format.
struct SustainedEfficiency {
    std::optional<double> bf16, fp8, fp4;

    bool operator==(const SustainedEfficiency&) const = default;
};

/// Time of a matrix product relative to its work at the sustained rate, with M rows, K inner features and N columns: (1
/// + rows / M) (1 + inner / K) (1 + columns / N), plus the start. In narrow formats the last factor is the conversion
/// of the input, whose share falls with the columns that use it.
struct MatrixCurve {
    double rows = 0.0;
    double inner = 0.0;
    double columns = 0.0;
    Microseconds start;

    bool operator==(const MatrixCurve&) const = default;
};

struct MatrixCurves {
    std::optional<MatrixCurve> bf16, fp8, fp4;

    bool operator==(const MatrixCurves&) const = default;
};

/// Forward pass of a fused attention kernel over s tokens: efficiency x s / (s + context) of the 16-bit peak inside a
/// training step, and the start.
struct AttentionCurve {
    double efficiency = 0.0;
    double context = 0.0;
    Microseconds start;

    bool operator==(const AttentionCurve&) const = default;
};

/// Time of a collective among cards that share the fast link: start + bytes on the link / bandwidth + root x
/// sqrt(bytes), where the bytes on the link are (n-1)/n of the message, twice for an all-reduce.
struct CollectiveCurve {
    std::int64_t ranks = 2;
    GigabytesPerSecond bandwidth;
    Microseconds start;
    double root_ns = 0.0; ///< nanoseconds per root of a byte of the message

    bool operator==(const CollectiveCurve&) const = default;
};

/// By ascending ranks; empty where nothing is measured.
struct CollectiveCurves {
    std::vector<CollectiveCurve> all_reduce, all_gather, reduce_scatter, all_to_all;

    bool operator==(const CollectiveCurves&) const = default;
};

/// One card, as its driver and its data sheet describe it.
struct Accelerator {
    std::string id;
    std::string name;
    std::string vendor;
    Generation generation = Generation::Unstated; ///< "architecture" in files
    Mebibytes memory; ///< total that nvidia-smi prints, with what the driver keeps for itself
    std::optional<Mebibytes> usable; ///< what CUDA gives to processes; none: not known
    GigabytesPerSecond memory_bandwidth;
    PeakRates tflops;
    std::optional<GigabytesPerSecond> link; ///< per direction, between cards of one node; none: PCIe only
    std::optional<GigabytesPerSecond> pcie; ///< per direction
    SustainedEfficiency gemm_efficiency;
    MatrixCurves matrix_curves;
    std::optional<AttentionCurve> attention_curve;
    CollectiveCurves collective_curves;
    std::optional<double> power_w;
    std::optional<double> price_per_hour_usd;
    std::string source;

    bool operator==(const Accelerator&) const = default;
};

/// What processes can fill of a card: its capacity, wherever one is compared with it. A card that does not say what
/// CUDA gives counts whole.
[[nodiscard]] constexpr Bytes usableMemory(const Accelerator& card)
{
    return toBytes(card.usable.value_or(card.memory));
}

/// "81559 MiB, 80998 usable", or that all of the memory counts as usable because the card does not say.
[[nodiscard]] Sentence memorySentence(const Accelerator& card);

/// What one card can send, per direction.
struct Link {
    GigabytesPerSecond bandwidth;
    Microseconds latency;

    bool operator==(const Link&) const = default;
};

/// Equal nodes of equal cards, in up to three levels: node (tray), domain of nodes on one fast network (NVL72), and the
/// network between domains. Without domains of several nodes there are two, and the node is the domain.
struct Cluster {
    std::string id;
    std::string name;
    Accelerator accelerator;
    std::int64_t nodes = 1;
    std::int64_t cards_per_node = 8;
    std::int64_t nodes_per_domain = 1; ///< those that a run uses: 16 trays of 4 use 64 of an NVL72's 72 cards
    std::optional<Link> intra_node; ///< none: the accelerator's own link
    std::optional<Link> intra_domain; ///< between nodes of one domain; none: the link inside a node reaches them
    std::optional<Link> inter_node; ///< between domains; none: unknown
    std::optional<double> host_memory_gb; ///< of one node, in 10^9 bytes; none: not known
    std::string source;

    bool operator==(const Cluster&) const = default;
};

[[nodiscard]] constexpr std::int64_t cardCount(const Cluster& cluster)
{
    return product(cluster.nodes, cluster.cards_per_node);
}

/// Cards that reach each other without the slow network.
[[nodiscard]] constexpr std::int64_t cardsPerDomain(const Cluster& cluster)
{
    return product(cluster.nodes_per_domain, cluster.cards_per_node);
}

/// The network that connects cards, fastest first; `Network` connects domains.
enum class NetworkLevel : std::uint8_t { Node, Domain, Network };

} // namespace cardfit
