// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/launch_cards.h"

#include <initializer_list>

#include <fmt/format.h>

#include "core/plan/edits.h"

namespace cardfit {

void readCards(FlagReader& runner, FlagReader& program, Cluster& cluster)
{
    const auto count = [&](std::initializer_list<std::string_view> names,
                           FlagReader& from) -> std::optional<std::int64_t> {
        for (const std::string_view name : names) {
            // What follows is the flag's number, and perhaps the program that is run.
            const auto words = from.words(name);
            if (words.empty()) continue;
            if (const auto number = countIn(words.front())) return number;
            program.note(std::string(name), words.front(), Sentence::tr("not a number; the cluster's own is kept"));
        }
        return std::nullopt;
    };
    const auto either = [&](std::initializer_list<std::string_view> names) {
        const auto found = count(names, runner);
        return found ? found : count(names, program);
    };
    const auto cards = either({"--nproc-per-node", "--gpus-per-node", "--ntasks-per-node"});
    const auto nodes = either({"--nnodes", "--nodes", "-N"});
    if (cards && *cards != cluster.cards_per_node) {
        markAsOwn(cluster);
        cluster.cards_per_node = *cards;
    }
    if (nodes) cluster.nodes = *nodes;
    if (cards && !nodes) cluster.nodes = 1; // torchrun's default
    if (!cards && !nodes) {
        program.note("cards", fmt::format("{} x {}", cluster.nodes, cluster.cards_per_node),
            Sentence::tr("neither --nnodes nor --nproc-per-node is there; the cluster's own number is taken"));
    }
}

} // namespace cardfit
