// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/rank_order.h"
#include "core/base/enum_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace cardfit {

namespace {

constexpr std::array kDegrees{VariedDegree::Tensor, VariedDegree::Pipeline, VariedDegree::VirtualPipeline,
    VariedDegree::Context, VariedDegree::Expert, VariedDegree::Data, VariedDegree::MicroBatch,
    VariedDegree::GlobalBatch, VariedDegree::SequenceLength};
constexpr std::size_t kFewestValues = 3;

/// How data parallelism grows: with the batch, or dividing it.
enum class Scaling { Weak, Strong };

/// Takes the degree, and what follows it, out of a plan; returns the degree's value.
std::int64_t takeOut(VariedDegree degree, Scaling scaling, Plan& plan)
{
    Parallelism& degrees = plan.parallelism;
    const auto taken = [](std::int64_t& from) { return std::exchange(from, 1); };
    const auto beside_data = [&](std::int64_t& from) {
        degrees.data.reset();
        return taken(from);
    };
    switch (degree) {
    case VariedDegree::Tensor: degrees.sequence = false; return beside_data(degrees.tensor);
    case VariedDegree::Pipeline: return beside_data(degrees.pipeline);
    case VariedDegree::Context: return beside_data(degrees.context);
    case VariedDegree::Expert: return beside_data(degrees.expert);
    case VariedDegree::VirtualPipeline: plan.recipe.schedule = {}; return taken(degrees.virtual_pipeline);
    case VariedDegree::MicroBatch: return taken(plan.workload.micro_batch_size);
    case VariedDegree::GlobalBatch: return taken(plan.workload.global_batch_size);
    case VariedDegree::SequenceLength: return taken(plan.workload.sequence_length);
    case VariedDegree::Data: break;
    }
    const std::int64_t data = dataParallel(plan);
    if (scaling == Scaling::Weak && data > 0) plan.workload.global_batch_size /= data;
    degrees.data.reset();
    plan.cluster.nodes = 1;
    plan.cluster.cards_per_node = 1;
    return data;
}

/// Runs of one source that differ in one degree only.
struct Alike {
    std::string group;
    Plan rest; ///< what they have in common
    std::map<std::int64_t, std::vector<const TimeComparison*>> runs; ///< by the degree's value
};

std::vector<Alike> alikeBut(VariedDegree degree, Scaling scaling, std::span<const TimeComparison> comparisons)
{
    std::vector<Alike> all;
    for (const TimeComparison& one : comparisons) {
        if (!one.predicted) continue;
        Plan rest = one.measured.plan;
        rest.name.clear();
        const std::int64_t value = takeOut(degree, scaling, rest);
        auto found = std::ranges::find_if(
            all, [&](const Alike& alike) { return alike.group == one.measured.group && alike.rest == rest; });
        if (found == all.end()) found = all.insert(all.end(), {one.measured.group, std::move(rest), {}});
        found->runs[value].push_back(&one);
    }
    return all;
}

void addOrders(VariedDegree degree, Scaling scaling, std::span<const TimeComparison> comparisons,
    std::vector<DegreeRanking>& orders)
{
    for (const Alike& alike : alikeBut(degree, scaling, comparisons)) {
        if (alike.runs.size() < kFewestValues) continue;
        DegreeRanking order{alike.group, degree, {}};
        for (const auto& [value, runs] : alike.runs) {
            RankPoint point{value, 0.0, 0.0};
            for (const TimeComparison* run : runs) {
                point.measured += run->measured.tokens_per_second_per_card / static_cast<double>(runs.size());
                point.predicted += *run->predicted / static_cast<double>(runs.size());
            }
            order.points.push_back(point);
        }
        orders.push_back(std::move(order));
    }
}

/// Position of each value in their order, equal ones at their mean.
std::vector<double> ranksOf(std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = 0.5 * static_cast<double>(first + end - 1);
        first = end;
    }
    return ranks;
}

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

std::string_view variedName(VariedDegree degree)
{
    constexpr auto kNames = textFor<VariedDegree>({"tensor", "pipeline", "virtual_pipeline", "context", "expert",
        "data", "micro_batch_size", "global_batch_size", "sequence_length"});
    return kNames[static_cast<std::size_t>(degree)];
}

double spearmanCorrelation(std::span<const double> a, std::span<const double> b)
{
    const std::vector<double> ranks_a = ranksOf(a);
    const std::vector<double> ranks_b = ranksOf(b);
    const double mean_a = meanOf(ranks_a);
    const double mean_b = meanOf(ranks_b);
    double both = 0.0;
    double only_a = 0.0;
    double only_b = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (ranks_a[i] - mean_a) * (ranks_b[i] - mean_b);
        only_a += (ranks_a[i] - mean_a) * (ranks_a[i] - mean_a);
        only_b += (ranks_b[i] - mean_b) * (ranks_b[i] - mean_b);
    }
    return only_a > 0.0 && only_b > 0.0 ? both / std::sqrt(only_a * only_b) : 0.0;
}

double DegreeRanking::spearman() const
{
    std::vector<double> measured;
    std::vector<double> predicted;
    for (const RankPoint& point : points) {
        measured.push_back(point.measured);
        predicted.push_back(point.predicted);
    }
    return spearmanCorrelation(measured, predicted);
}

double DegreeRanking::spread() const
{
    const auto [least, most] = std::ranges::minmax(points, {}, &RankPoint::measured);
    return most.measured / least.measured - 1.0;
}

std::vector<DegreeRanking> rankOrders(std::span<const TimeComparison> comparisons)
{
    std::vector<DegreeRanking> orders;
    for (const VariedDegree degree : kDegrees) {
        addOrders(degree, Scaling::Weak, comparisons, orders);
        if (degree == VariedDegree::Data) addOrders(degree, Scaling::Strong, comparisons, orders);
    }
    return orders;
}

RankSummary summarizeRanks(std::span<const DegreeRanking> orders, double least_spread)
{
    RankSummary summary;
    double sum = 0.0;
    for (const DegreeRanking& order : orders) {
        if (order.spread() < least_spread) continue;
        ++summary.groups;
        sum += order.spearman();
    }
    if (summary.groups > 0) summary.mean = sum / static_cast<double>(summary.groups);
    return summary;
}

} // namespace cardfit
