// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>
#include <vector>

#include "core/pipeline/analysis/residency.h"
#include "core/pipeline/orders/schedules.h"
#include "core/pipeline/simulation/simulator.h"
#include "tests/core/pipeline/asked_schedules.h"
#include "tests/core/pipeline/order_text.h"

/// Pipeline schedules as others state, draw, ran or measured them: schedules.json. `source` and `how` of an entry say
/// where it is from; those of the kind "order" are the programs of all ranks.
namespace cardfit::oracles {

using Programs = std::vector<std::vector<Operation>>;

/// By their ids: those of the kind "order", or the others. Empty if the file is not there.
inline std::map<QString, QJsonObject> oracles(bool orders)
{
    std::map<QString, QJsonObject> found;
    QFile file(QStringLiteral(CARDFIT_CASES "/schedules.json"));
    if (!file.open(QIODevice::ReadOnly)) return found;
    for (const QJsonValue& oracle : QJsonDocument::fromJson(file.readAll())["oracles"].toArray()) {
        if ((oracle["kind"] == QLatin1String("order")) == orders)
            found.insert_or_assign(oracle["id"].toString(), oracle.toObject());
    }
    return found;
}

inline std::vector<double> numbers(const QJsonValue& list)
{
    std::vector<double> all;
    for (const QJsonValue& each : list.toArray())
        all.push_back(each.toDouble());
    return all;
}

/// Orders as recorded; empty if one of the words is no operation.
inline Programs readOrders(const QJsonArray& ranks)
{
    Programs orders;
    for (const QJsonValue& rank : ranks) {
        auto& order = orders.emplace_back();
        for (const QJsonValue& word : rank.toArray()) {
            const auto operation = samples::readOperation(word.toString().toStdString());
            if (!operation) return {};
            order.push_back(*operation);
        }
    }
    return orders;
}

inline Placement placementNamed(const QString& name)
{
    if (name == QLatin1String("v")) return Placement::V;
    return name == QLatin1String("bidir") ? Placement::Bidirectional : Placement::Loop;
}

/// What the recorded schedule is called here.
inline ScheduleRequest requestOf(const QJsonObject& oracle)
{
    static const std::map<QString, Schedule> kSchedules = {
        {"1f1b", Schedule::OneFOneB},
        {"1f1b_paired_overlap", Schedule::OneFOneB},
        {"interleaved_1f1b", Schedule::InterleavedOneFOneB},
        {"interleaved_1f1b_flex", Schedule::InterleavedOneFOneB},
        {"interleaved_zero_bubble", Schedule::InterleavedZb},
        {"eager_1f1b", Schedule::EagerOneFOneB},
        {"gpipe", Schedule::GPipeLifo}, // torchgpipe: automatic differentiation runs the last micro-batch first
        {"zb_h1", Schedule::ZbH1},
        {"zb_h2", Schedule::ZbH2},
        {"zb_v", Schedule::ZbV},
        {"v_greedy", Schedule::ZbV},
        {"v_half", Schedule::VHalf},
        {"v_min", Schedule::VMin},
        {"dualpipe", Schedule::DualPipe},
        {"dualpipev", Schedule::DualPipeV},
    };
    const QString name = oracle["schedule"].toString();
    ScheduleRequest request;
    request.schedule = kSchedules.at(name);
    request.stages = oracle["p"].toInteger();
    request.microbatches = oracle["m"].toInteger();
    request.chunks = oracle["v"].toInteger();
    request.paired = name == QLatin1String("1f1b_paired_overlap");
    if (oracle.contains("microbatch_group_size")) request.group = oracle["microbatch_group_size"].toInteger();
    if (name == QLatin1String("interleaved_1f1b_flex")) {
        request.group = request.microbatches / std::max<std::int64_t>(1, request.microbatches / request.stages);
    }
    return request;
}

/// A whole backward pass of `backward`.
inline Durations wholeBackward(double forward, double backward) { return {forward, 0.5 * backward, 0.5 * backward}; }

inline Timeline run(const ScheduleRequest& request, const Durations& each)
{
    const auto timeline =
        simulate(programs(request), placementOf(request.schedule), samples::equalStages(request, each));
    if (!timeline) qFatal("%s", timeline.error().message.english().c_str());
    return *timeline;
}

/// Passes of chunks that a rank holds at most, each until its weight half has run.
inline std::int64_t peakUntilWeights(const RankTimeline& rank, std::int64_t chunks)
{
    ChunkMemory each;
    each.holding = {Bytes(1), Bytes(1)};
    return memoryPeak(rank, std::vector(static_cast<std::size_t>(chunks), each), Bytes(0)).bytes.value();
}

inline std::vector<double> peaksInFlight(const Timeline& timeline)
{
    std::vector<double> peaks;
    for (const RankTimeline& rank : timeline.ranks)
        peaks.push_back(static_cast<double>(peakInFlight(rank)));
    return peaks;
}

inline std::vector<double> peaksUntilWeights(const Timeline& timeline, std::int64_t chunks)
{
    std::vector<double> peaks;
    for (const RankTimeline& rank : timeline.ranks)
        peaks.push_back(static_cast<double>(peakUntilWeights(rank, chunks)));
    return peaks;
}

/// The longest that a rank is at work, with all its waits: the step where the next one need not wait for all ranks.
inline double longestSpan(const Timeline& timeline)
{
    double longest = 0.0;
    for (const RankTimeline& rank : timeline.ranks)
        longest = std::max(longest, rank.back().end - rank.front().start);
    return longest;
}

} // namespace cardfit::oracles
