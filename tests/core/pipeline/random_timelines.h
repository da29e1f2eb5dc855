// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <rapidcheck.h>

#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"

/// Random schedules of every kind, for properties that all of them have.
namespace cardfit::random_timelines {

using StageDurations = std::vector<std::vector<Durations>>;

/// What there is to simulate; prints itself in a counterexample.
struct Case {
    ScheduleRequest request;
    StageDurations durations;
    Transfers transfers;

    [[nodiscard]] Timeline folded() const { return taken(simulate(request, durations, transfers)); }
    /// The same with every operation stored.
    [[nodiscard]] Timeline unfolded() const
    {
        Timeline timeline = folded();
        for (RankTimeline& rank : timeline.ranks)
            rank = std::vector<TimedOperation>(rank.begin(), rank.end());
        return timeline;
    }
    /// Ranks that hand over one value after the other may wait for each other.
    [[nodiscard]] Timeline taken(Result<Timeline> timeline) const
    {
        if (timeline) return *std::move(timeline);
        if (transfers.model == TransferModel::Latency) RC_FAIL(timeline.error().message.english());
        RC_DISCARD(timeline.error().message.english());
        return {};
    }
};

inline void showValue(const Case& value, std::ostream& out)
{
    const ScheduleRequest& request = value.request;
    out << name(request.schedule) << ", " << request.stages << " stages, " << request.microbatches << " micro-batches, "
        << request.chunks << " chunks" << (request.paired ? ", paired" : "")
        << (request.forward_only ? ", forward only" : "") << ", " << name(value.transfers.model) << " "
        << value.transfers.time << ";";
    for (const auto& rank : value.durations) {
        for (const Durations& times : rank) {
            out << " " << times.forward << "/" << times.backward_input << "/" << times.backward_weight << "/"
                << times.update;
            if (times.overlapped) out << "/" << *times.overlapped;
        }
    }
}

/// An accepted request with about `most` micro-batches at most.
inline ScheduleRequest anyRequest(TransferModel model, std::int64_t most_stages, std::int64_t most)
{
    std::vector<Schedule> schedules;
    for (const auto& each : names<Schedule>()) {
        if (model == TransferModel::Latency || canBlock(each.value)) schedules.push_back(each.value);
    }
    ScheduleRequest request;
    request.schedule = *rc::gen::elementOf(schedules);
    request.stages = *rc::gen::inRange<std::int64_t>(1, most_stages + 1);
    request.microbatches = *rc::gen::inRange<std::int64_t>(1, most + 1);
    request.chunks = fixedChunks(request.schedule).value_or(*rc::gen::inRange<std::int64_t>(2, 4));
    request.paired = (request.schedule == Schedule::OneFOneB || request.schedule == Schedule::InterleavedOneFOneB)
        && *rc::gen::inRange(0, 3) == 0;
    const bool served = request.chunks == 1 || request.schedule == Schedule::InterleavedOneFOneB
        || request.schedule == Schedule::LoopedBfs;
    request.forward_only = served && *rc::gen::inRange(0, 8) == 7;
    // What is refused is asked for again with the nearest numbers that are not.
    for (int tries = 0; tries < 4; ++tries) {
        const auto refused = refusal(request);
        if (!refused) return request;
        RC_PRE(!refused->valid.empty());
        switch (refused->field) {
        case ScheduleRefusal::Field::Stages: request.stages = refused->valid.back(); break;
        case ScheduleRefusal::Field::Microbatches: request.microbatches = refused->valid.back(); break;
        case ScheduleRefusal::Field::Chunks: request.chunks = refused->valid.back(); break;
        case ScheduleRefusal::Field::Group: request.group = refused->valid.back(); break;
        case ScheduleRefusal::Field::Schedule: RC_DISCARD("no such schedule with these numbers");
        }
    }
    RC_DISCARD("no accepted numbers");
    return request;
}

/// Whole numbers, so that sums are exact.
inline Durations anyDurations(bool overlapped = false)
{
    const auto any = [] { return static_cast<double>(*rc::gen::inRange(1, 6)); };
    Durations times{any(), any(), any(), std::nullopt, any()};
    if (overlapped) times.overlapped = times.forward + any();
    return times;
}

inline Case anyCase(TransferModel model, std::int64_t most_stages = 5, std::int64_t most = 40)
{
    Case made{anyRequest(model, most_stages, most), {}, {model, 0.0}};
    made.transfers.time = *rc::gen::inRange(model == TransferModel::Latency ? 0 : 1, 4);
    const bool equal = *rc::gen::inRange(0, 2) == 0;
    const bool overlapped = *rc::gen::inRange(0, 2) == 0;
    const Durations one = anyDurations(overlapped);
    made.durations.resize(static_cast<std::size_t>(made.request.stages));
    for (auto& rank : made.durations) {
        for (std::int64_t chunk = 0; chunk < made.request.chunks; ++chunk)
            rank.push_back(equal ? one : anyDurations(overlapped));
    }
    return made;
}

} // namespace cardfit::random_timelines
