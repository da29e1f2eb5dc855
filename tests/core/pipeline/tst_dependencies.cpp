// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <functional>

#include "core/pipeline/analysis/blocking_transfers.h"
#include "core/pipeline/analysis/dependencies.h"
#include "core/pipeline/analysis/serialized_transfers.h"
#include "tests/core/pipeline/random_timelines.h"
#include "tests/test_program.h"

namespace cardfit::tst_dependencies {

using random_timelines::anyCase;
using random_timelines::Case;

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

/// The operation of a rank that `is` true for, looked for one by one.
std::optional<OperationId> searched(
    const Timeline& timeline, std::size_t rank, const std::function<bool(const Operation&)>& is)
{
    for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i) {
        if (is(timeline.ranks[rank][i].operation)) return OperationId{rank, i};
    }
    return std::nullopt;
}

/// The stage `by` places after a chunk of a rank.
std::optional<StagePlace> neighbour(const Timeline& timeline, std::size_t chunks, StagePlace place, int by)
{
    for (const Pipe& pipe : pipes(timeline.placement, timeline.ranks.size(), chunks)) {
        const auto here = std::ranges::find(pipe, place);
        if (here == pipe.end()) continue;
        const auto there = (here - pipe.begin()) + by;
        if (there < 0 || there >= static_cast<std::ptrdiff_t>(pipe.size())) return std::nullopt;
        return pipe[static_cast<std::size_t>(there)];
    }
    return std::nullopt;
}

Counterparts searchedInputs(const Timeline& timeline, std::size_t chunks, OperationId id)
{
    const Operation operation = timeline.ranks[id.rank][id.index].operation;
    const auto forwardOf = [](Pass pass) {
        return [pass](const Operation& each) { return runsForward(each.kind) && each.forwardPass() == pass; };
    };
    const auto gradientOf = [](Pass pass) {
        return [pass](const Operation& each) { return makesInputGradient(each.kind) && each.backwardPass() == pass; };
    };
    const Pass back = operation.backwardPass();
    Counterparts from;
    if (runsForward(operation.kind)) {
        if (const auto place = neighbour(timeline, chunks, {id.rank, operation.chunk}, -1)) {
            from.activations = searched(
                timeline, place->rank, forwardOf({static_cast<std::uint8_t>(place->chunk), operation.microbatch}));
        }
    }
    if (makesInputGradient(operation.kind)) {
        if (const auto place = neighbour(timeline, chunks, {id.rank, back.chunk}, 1)) {
            from.gradient =
                searched(timeline, place->rank, gradientOf({static_cast<std::uint8_t>(place->chunk), back.microbatch}));
        }
        from.kept = searched(timeline, id.rank, forwardOf(back));
    }
    if (operation.kind == OperationKind::BackwardWeight || operation.kind == OperationKind::Update) {
        from.kept = searched(timeline, id.rank, gradientOf(back));
    }
    return from;
}

class TestDependencies : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261401 max_success=150"); }

    void inputsAreThoseOfTheModel()
    {
        holds("a look-up finds what a search of all operations finds", [] {
            const Case made = anyCase(TransferModel::Latency, 4, 24);
            const Timeline timeline = made.folded();
            const Dependencies dependencies(timeline);
            const auto chunks = static_cast<std::size_t>(made.request.chunks);
            RC_ASSERT(dependencies.chunks() == chunks);
            const auto rank = *rc::gen::inRange<std::size_t>(0, timeline.ranks.size());
            for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i)
                RC_ASSERT(dependencies.inputs({rank, i}) == searchedInputs(timeline, chunks, {rank, i}));
        });
    }

    void foldedOrNot()
    {
        holds("the same in a timeline that is not folded", [] {
            const Case made = anyCase(TransferModel::Latency, 6, 80);
            const Timeline folded = made.folded();
            const Timeline unfolded = made.unfolded();
            const Dependencies a(folded);
            const Dependencies b(unfolded);
            for (std::size_t rank = 0; rank < folded.ranks.size(); ++rank) {
                for (std::size_t i = 0; i < folded.ranks[rank].size(); ++i) {
                    RC_ASSERT(a.inputs({rank, i}) == b.inputs({rank, i}));
                    RC_ASSERT(a.outputs({rank, i}) == b.outputs({rank, i}));
                }
            }
        });
    }

    void whatOneTakesTheOtherGives()
    {
        holds("outputs are inputs seen from the other side", [] {
            const Timeline timeline = anyCase(TransferModel::Latency).folded();
            const Dependencies dependencies(timeline);
            std::size_t given = 0;
            std::size_t taken = 0;
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i) {
                    const OperationId id{rank, i};
                    const Counterparts from = dependencies.inputs(id);
                    const Counterparts to = dependencies.outputs(id);
                    taken += from.activations.has_value() + from.gradient.has_value() + from.kept.has_value();
                    given += to.activations.has_value() + to.gradient.has_value() + to.kept.has_value();
                    if (to.activations) RC_ASSERT(dependencies.inputs(*to.activations).activations == id);
                    if (to.gradient) RC_ASSERT(dependencies.inputs(*to.gradient).gradient == id);
                    if (to.kept) RC_ASSERT(dependencies.inputs(*to.kept).kept == id);
                }
            }
            RC_ASSERT(given == taken);
        });
    }

    // Nothing holds an operation back but its predecessors, and each of them does.
    void operationsStartAfterTheirPredecessors()
    {
        holds("an operation starts when the last of its predecessors is done", [] {
            const TransferModel model = *rc::gen::element(TransferModel::Latency, TransferModel::Batched);
            const Timeline timeline = anyCase(model, 6, 60).folded();
            const Dependencies dependencies(timeline);
            const BlockingTransfers transfers(dependencies);
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i) {
                    double ready = 0.0;
                    for (const Predecessor& before : transfers.predecessors({rank, i})) {
                        ready = std::max(ready,
                            timeline.ranks[before.operation.rank][before.operation.index].end
                                + static_cast<double>(before.transfers) * timeline.transfers.time);
                    }
                    RC_ASSERT(timeline.ranks[rank][i].start == ready);
                }
            }
        });
    }

    void operationsStartAfterSerializedTransfers()
    {
        holds("an operation starts when the chain of transfers before it ends", [] {
            const Timeline timeline = anyCase(TransferModel::Serialized, 6, 60).folded();
            const Dependencies dependencies(timeline);
            const BlockingTransfers transfers(dependencies);
            SerializedTransfers in_order(transfers);
            for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
                for (std::size_t i = 0; i < timeline.ranks[rank].size(); ++i) {
                    const auto chain = in_order.chainTo({rank, i});
                    RC_ASSERT(chain.has_value());
                    RC_ASSERT(timeline.ranks[rank][i].start == chain->end);
                    double end = static_cast<double>(chain->transfers) * timeline.transfers.time;
                    if (chain->after) end += timeline.ranks[chain->after->rank][chain->after->index].end;
                    RC_ASSERT(end == chain->end);
                }
            }
        });
    }
};

CARDFIT_TEST(TestDependencies)

} // namespace cardfit::tst_dependencies
#include "tst_dependencies.moc"
