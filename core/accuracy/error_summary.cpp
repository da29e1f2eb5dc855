// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/error_summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cardfit {

namespace {

std::vector<std::string> groupsOf(const std::vector<ComparedCase>& cases)
{
    std::vector<std::string> groups;
    for (const ComparedCase& one : cases) {
        if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
    }
    return groups;
}

GroupSummary summarizeRows(const std::vector<ComparedCase>& cases, const std::string& group, bool experts,
    std::optional<Trust> trust, double close)
{
    GroupSummary summary{group, experts, trust, {}, 0};
    std::vector<double> errors;
    for (const ComparedCase& one : cases) {
        if (one.group != group || one.experts != experts) continue;
        if (trust && one.trust != *trust) continue;
        if (one.error)
            errors.push_back(*one.error);
        else
            ++summary.unanswered;
    }
    summary.errors = summarizeErrors(std::move(errors), close);
    return summary;
}

bool isEmpty(const GroupSummary& summary) { return summary.errors.cases + summary.unanswered == 0; }

} // namespace

double median(std::vector<double> values)
{
    if (values.empty()) return 0.0;
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

ErrorSummary summarizeErrors(std::vector<double> errors, double close_error)
{
    if (errors.empty()) return {};
    for (double& error : errors)
        error = std::abs(error);
    const auto close = std::ranges::count_if(errors, [&](double error) { return error <= close_error; });
    const auto near = std::ranges::count_if(errors, [](double error) { return error <= kNear; });
    return {static_cast<std::int64_t>(errors.size()), median(errors), std::ranges::max(errors), close, near};
}

std::vector<GroupSummary> summarizeGroups(const std::vector<ComparedCase>& cases, double close)
{
    std::vector<GroupSummary> summaries;
    for (const std::string& group : groupsOf(cases)) {
        for (const bool experts : {false, true}) {
            const GroupSummary all = summarizeRows(cases, group, experts, std::nullopt, close);
            if (isEmpty(all)) continue;
            std::vector<GroupSummary> by_trust;
            for (const auto& trust : kTrustNames) {
                by_trust.push_back(summarizeRows(cases, group, experts, trust.value, close));
                if (isEmpty(by_trust.back())) by_trust.pop_back();
            }
            summaries.push_back(all);
            if (by_trust.size() > 1) summaries.insert(summaries.end(), by_trust.begin(), by_trust.end());
        }
    }
    return summaries;
}

std::vector<ServingSummary> summarizeServing(std::span<const ServingComparison> comparisons)
{
    std::vector<ServingSummary> summaries;
    for (const ServingClass figure : {ServingClass::TokenTime, ServingClass::Throughput, ServingClass::FirstToken}) {
        for (const bool experts : {false, true}) {
            std::vector<double> errors;
            for (const ServingComparison& one : comparisons) {
                if (one.counts() && one.experts() == experts && classOf(one.measured.figure) == figure && one.error())
                    errors.push_back(*one.error());
            }
            if (!errors.empty())
                summaries.push_back({figure, experts, summarizeErrors(std::move(errors), kCloseServing)});
        }
    }
    return summaries;
}

} // namespace cardfit
