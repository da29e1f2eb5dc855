// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/orders/placement.h"

namespace cardfit {

namespace {

/// Appends a chunk of every rank: of ranks 0 to p - 1, or in reverse if `back`.
void visit(Pipe& pipe, std::size_t ranks, std::size_t chunk, bool back)
{
    for (std::size_t i = 0; i < ranks; ++i)
        pipe.push_back({back ? ranks - 1 - i : i, chunk});
}

} // namespace

std::vector<Pipe> pipes(Placement placement, std::size_t ranks, std::size_t chunks)
{
    std::vector<Pipe> all(placement == Placement::Bidirectional ? chunks : 1);
    for (Pipe& pipe : all)
        pipe.reserve(ranks * chunks / all.size());
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        const bool back = placement != Placement::Loop && chunk % 2 == 1;
        visit(placement == Placement::Bidirectional ? all[chunk] : all.front(), ranks, chunk, back);
    }
    return all;
}

std::size_t stageAt(Placement placement, std::size_t ranks, StagePlace place)
{
    const bool back = placement != Placement::Loop && place.chunk % 2 == 1;
    const std::size_t in_chunk = back ? ranks - 1 - place.rank : place.rank;
    return placement == Placement::Bidirectional ? in_chunk : place.chunk * ranks + in_chunk;
}

} // namespace cardfit
