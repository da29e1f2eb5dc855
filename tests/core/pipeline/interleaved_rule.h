// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/pipeline/orders/operation.h"

namespace cardfit::samples {

/// Interleaved 1F1B written down from Megatron-LM's rule alone, for any numbers: also those that the schedule refuses
/// because ranks would wait for each other. `group` micro-batches visit a chunk before the next chunk's turn.
inline std::vector<std::vector<Operation>> interleavedByRule(
    std::int64_t stages, std::int64_t microbatches, std::int64_t chunks, std::int64_t group)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> table; // micro-batch, chunk
    for (std::int64_t first = 0; first < microbatches; first += group) {
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
            for (std::int64_t i = first; i < std::min(first + group, microbatches); ++i)
                table.emplace_back(i, chunk);
        }
    }
    const auto at = [&](OperationKind kind, std::size_t position) {
        const auto [microbatch, chunk] = table[position];
        const std::int64_t of = kind == OperationKind::Forward ? chunk : chunks - 1 - chunk;
        return Operation{kind, static_cast<std::uint8_t>(of), static_cast<std::int32_t>(microbatch)};
    };
    std::vector<std::vector<Operation>> ranks;
    for (std::int64_t rank = 0; rank < stages; ++rank) {
        const auto warm_up =
            std::min(table.size(), static_cast<std::size_t>(2 * (stages - 1 - rank) + (chunks - 1) * group));
        auto& order = ranks.emplace_back();
        for (std::size_t i = 0; i < warm_up; ++i)
            order.push_back(at(OperationKind::Forward, i));
        for (std::size_t i = 0; i < table.size(); ++i) {
            if (warm_up + i < table.size()) order.push_back(at(OperationKind::Forward, warm_up + i));
            order.push_back(at(OperationKind::Backward, i));
        }
    }
    return ranks;
}

} // namespace cardfit::samples
