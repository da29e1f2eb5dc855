// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/simulation/simulator.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "core/pipeline/simulation/simulation.h"

namespace cardfit {

namespace {

/// The first operation that waits for a later one of its own rank: a backward pass before its own forward pass, or a
/// weight half before its input half. Null if there is none, as Simulation requires.
const Operation* waitsForItself(const std::vector<Operation>& program, std::int64_t chunks)
{
    enum class Done : std::uint8_t { Nothing, Forward, Gradient };
    std::vector<std::vector<Done>> done(static_cast<std::size_t>(chunks));
    const auto place = [&](Pass pass) -> Done& {
        std::vector<Done>& passes = done[pass.chunk];
        const auto microbatch = static_cast<std::size_t>(pass.microbatch);
        if (microbatch >= passes.size()) passes.resize(2 * microbatch + 1, Done::Nothing);
        return passes[microbatch];
    };
    for (const Operation& operation : program) {
        Done& backward = place(operation.backwardPass());
        if (operation.kind == OperationKind::BackwardWeight && backward != Done::Gradient) return &operation;
        if (makesInputGradient(operation.kind)) {
            if (backward == Done::Nothing) return &operation;
            backward = Done::Gradient;
        }
        if (runsForward(operation.kind)) place(operation.forwardPass()) = Done::Forward;
    }
    return nullptr;
}

} // namespace

Result<Timeline> simulate(
    const ScheduleRequest& request, const std::vector<std::vector<Durations>>& durations, Transfers transfers)
{
    assert(!refusal(request));
    assert(durations.size() == static_cast<std::size_t>(request.stages));
    assert(std::ranges::all_of(durations, [&](const auto& rank) { return std::ssize(rank) == request.chunks; }));
    const auto programs = foldedPrograms(request);
    std::vector<ProgramView> views;
    views.reserve(programs.size());
    for (const auto& program : programs) {
        ProgramView& view = views.emplace_back();
        view.reserve(program.size());
        for (const ProgramPart& part : program) {
            if (part.repeats > 0 && !part.operations.empty())
                view.push_back(
                    {part.operations, part.repeats, part.step, static_cast<std::size_t>(part.exchange_every)});
        }
    }
    return Simulation(std::move(views), placementOf(request.schedule), durations, transfers)
        .run(2 * kMostForwardPasses);
}

Result<Timeline> simulate(const std::vector<std::vector<Operation>>& programs, Placement placement,
    const std::vector<std::vector<Durations>>& durations, Transfers transfers)
{
    assert(!programs.empty() && programs.size() == durations.size());
    const auto chunks = std::ssize(durations.front());
    assert(std::ranges::all_of(durations, [&](const auto& rank) { return std::ssize(rank) == chunks; }));
    std::vector<ProgramView> views;
    views.reserve(programs.size());
    for (const auto& program : programs) {
        assert(std::ranges::all_of(program,
            [&](const Operation& operation) { return operation.chunk < chunks && operation.backward_chunk < chunks; }));
        if (const Operation* operation = waitsForItself(program, chunks)) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("the schedule deadlocks: rank {} waits for itself before the backward pass of micro-batch "
                             "{} in chunk {}",
                    {views.size(), operation->microbatch, static_cast<int>(operation->chunk)}));
        }
        ProgramView& view = views.emplace_back();
        if (!program.empty()) view.push_back({program, 1, 0, 1});
    }
    return Simulation(std::move(views), placement, durations, transfers).run(std::numeric_limits<std::size_t>::max());
}

std::optional<RefusedRun> simulateRefused(const ScheduleRequest& request)
{
    constexpr std::int64_t kMostPasses = 1 << 16;
    const bool sensible = request.schedule == Schedule::InterleavedOneFOneB && request.stages >= 1
        && request.chunks >= 1 && request.microbatches >= 1 && request.group.value_or(1) >= 1;
    if (!sensible || request.stages > kMostPasses || request.chunks > 255
        || request.microbatches > kMostPasses / (request.stages * request.chunks)) {
        return std::nullopt;
    }
    const Durations each{1.0, 1.0, 1.0};
    const std::vector durations(
        static_cast<std::size_t>(request.stages), std::vector(static_cast<std::size_t>(request.chunks), each));
    RefusedRun outcome;
    outcome.without_extra_bubble =
        3.0 * static_cast<double>(request.microbatches * request.chunks + request.stages - 1);
    const auto timeline = simulate(programs(request), placementOf(request.schedule), durations);
    if (timeline)
        outcome.makespan = timeline->makespan;
    else
        outcome.deadlock = timeline.error().message.english();
    return outcome;
}

} // namespace cardfit
