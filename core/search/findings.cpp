// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/findings.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/parallel.h"
#include "core/estimate/estimate.h"
#include "core/search/why_not.h"

namespace cardfit {

namespace {

constexpr Merit kNever{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

} // namespace

SearchFindings::SearchFindings(const SearchRequest& request, bool deficits, std::size_t rows)
    : m_request(request)
    , m_space(request.space)
    , m_deficits(deficits)
    , m_rows_kept(rows)
    , m_threshold(kNever)
    , m_least_threshold(kNever)
{
}

bool SearchFindings::isLess(const Candidate& a, const Candidate& b) const
{
    if (a.objective != b.objective) return a.objective < b.objective;
    if (a.tie != b.tie) return a.tie < b.tie;
    return a.number != b.number && comesBefore(m_space, a.number, b.number);
}

void SearchFindings::take(const std::vector<DecidedPoint>& points)
{
    using Bucket = DecidedPoint::Bucket;
    for (const DecidedPoint& point : points) {
        switch (point.bucket) {
        case Bucket::Evaluated:
            ++m_counts.evaluated;
            offer(point.found);
            break;
        case Bucket::OverMemory:
            ++m_counts.over_memory;
            keepNear(point);
            if (m_examples.over_memory && point.deficit.over >= m_least_over) break;
            m_examples.over_memory = point.number;
            m_least_over = point.deficit.over;
            break;
        case Bucket::Slower:
            ++m_counts.slower;
            if (!m_examples.slower) m_examples.slower = point.number;
            break;
        case Bucket::Limited:
            ++m_counts.limited;
            if (!m_examples.limited) m_examples.limited = point.number;
            break;
        case Bucket::Rule:
            ++m_counts.rules[point.rule];
            m_examples.rules.try_emplace(point.rule, point.number);
            break;
        }
        if (m_request.why) note(point);
    }
}

void SearchFindings::offer(const Candidate& found)
{
    const auto [place, is_new] = m_best.try_emplace(m_space.degreesOf(found.number), found);
    if (!is_new && isLess(found, place->second)) place->second = found;
    if (!hasFront()) return;
    const auto covers = [&](const Candidate& a, const Candidate& b) {
        for (std::size_t i = 0; i < m_request.pareto.size(); ++i) {
            if (a.front[i] > b.front[i]) return false;
        }
        return a.front != b.front || a.number == b.number || isLess(a, b);
    };
    if (std::ranges::any_of(m_front, [&](const Candidate& one) { return covers(one, found); })) return;
    std::erase_if(m_front, [&](const Candidate& one) { return covers(found, one); });
    m_front.push_back(found);
}

/// The worst plan that is still offered, or the last of the rows kept, whichever is worse.
Merit SearchFindings::thresholdNow() const
{
    const auto leading = best();
    if (leading.size() < m_request.top) return kNever;
    const Merit last = leading.back().plan.merit();
    std::size_t better = 0;
    for (const auto& [degrees, candidate] : m_best)
        better += candidate.merit() <= last ? 1 : 0;
    if (better >= m_rows_kept) return last;
    if (m_best.size() < m_rows_kept) return kNever;
    std::vector<Merit> merits;
    for (const auto& [degrees, candidate] : m_best)
        merits.push_back(candidate.merit());
    const auto kept = merits.begin() + static_cast<std::ptrdiff_t>(m_rows_kept) - 1;
    std::ranges::nth_element(merits, kept);
    return *kept;
}

void SearchFindings::startRound()
{
    m_threshold = thresholdNow();
    m_least_threshold = std::min(m_least_threshold, m_threshold);
}

bool SearchFindings::isExact() const
{
    const auto leading = best();
    return leading.size() < m_request.top ? m_least_threshold == kNever
                                          : leading.back().plan.merit() <= m_least_threshold;
}

/// Whether a plan with at least these figures cannot be on the front.
bool SearchFindings::isDominated(const std::array<double, 3>& least) const
{
    return std::ranges::any_of(m_front, [&](const Candidate& one) {
        bool less = false;
        for (std::size_t i = 0; i < m_request.pareto.size(); ++i) {
            if (one.front[i] > least[i]) return false;
            less = less || one.front[i] < least[i];
        }
        return less;
    });
}

bool SearchFindings::isBeaten(std::uint64_t degrees, const Merit& merit, const std::array<double, 3>& least) const
{
    const auto own = m_best.find(degrees);
    const bool of_degrees = own != m_best.end() && merit > own->second.merit();
    if (!of_degrees && (m_request.why || !(merit > m_threshold))) return false;
    return !hasFront() || isDominated(least);
}

void SearchFindings::addRules(
    const std::map<std::string, std::uint64_t>& counts, std::map<std::string, std::uint64_t> examples)
{
    for (const auto& [rule, count] : counts)
        m_counts.rules[rule] += count;
    m_examples.rules.merge(std::move(examples));
}

/// Best first, each with different degrees and the first of its copies.
std::vector<SearchFindings::Best> SearchFindings::best() const
{
    std::vector<const Candidate*> all;
    all.reserve(m_best.size());
    for (const auto& [degrees, candidate] : m_best)
        all.push_back(&candidate);
    const auto less = [&](const Candidate* a, const Candidate* b) { return isLess(*a, *b); };
    std::vector<Best> leading;
    // Copies follow each other. One more than is offered, so that all copies of the last are counted.
    for (std::size_t sorted = 0; sorted < all.size() && leading.size() <= m_request.top;) {
        const std::size_t next = std::min(all.size(), std::max(2 * sorted, m_request.top + 1));
        std::ranges::partial_sort(all.begin() + static_cast<std::ptrdiff_t>(sorted),
            all.begin() + static_cast<std::ptrdiff_t>(next), all.end(), less);
        for (; sorted < next; ++sorted) {
            if (!leading.empty() && leading.back().plan.merit() == all[sorted]->merit())
                ++leading.back().copies;
            else
                leading.push_back({*all[sorted], 0});
        }
    }
    leading.resize(std::min(m_request.top, leading.size()));
    return leading;
}

const FoundPlan& SearchFindings::row(const Candidate& one)
{
    const auto [place, is_new] = m_rows.try_emplace(one.number);
    if (is_new) {
        SpacePoint point(m_space);
        point.moveTo(one.number);
        place->second = *rowOf(point.plan(), m_request.objective);
        place->second.number = one.number;
    }
    return place->second;
}

std::vector<FoundPlan> SearchFindings::topRows()
{
    std::vector<FoundPlan> rows;
    for (const auto& [plan, copies] : best()) {
        rows.push_back(row(plan));
        rows.back().copies = copies;
    }
    return rows;
}

std::vector<FoundPlan> SearchFindings::frontRows()
{
    std::ranges::sort(m_front,
        [&](const Candidate& a, const Candidate& b) { return a.front != b.front ? a.front < b.front : isLess(a, b); });
    std::vector<FoundPlan> rows;
    for (const Candidate& one : m_front)
        rows.push_back(row(one));
    return rows;
}

std::vector<FoundPlan> SearchFindings::overRows(const std::stop_token& stop) const
{
    std::vector<FoundPlan> rows;
    for (const NearMiss& miss : m_near) {
        if (stop.stop_requested()) break;
        SpacePoint point(m_space);
        point.moveTo(miss.number);
        if (auto found = rowOf(point.plan(), m_request.objective)) {
            found->number = miss.number;
            rows.push_back(*std::move(found));
        }
    }
    return rows;
}

/// Keeps the plans over memory that miss by the least, each with different degrees.
void SearchFindings::keepNear(const DecidedPoint& point)
{
    if (m_deficits || m_request.over == 0) return;
    const bool full = m_near.size() == m_request.over;
    if (full && point.deficit.over >= m_near.back().over) return;
    const NearMiss miss{point.deficit.over, point.number, m_space.degreesOf(point.number)};
    const auto same = std::ranges::find(m_near, miss.degrees, &NearMiss::degrees);
    if (same != m_near.end() && same->over <= miss.over) return;
    if (same != m_near.end())
        m_near.erase(same);
    else if (full)
        m_near.pop_back();
    m_near.insert(std::ranges::upper_bound(m_near, miss.over, {}, &NearMiss::over), miss);
}

void SearchFindings::note(const DecidedPoint& point)
{
    Note& kept = m_notes[m_space.degreesOf(point.number)];
    if (point.bucket == DecidedPoint::Bucket::Limited && !kept.limited) kept.limited = point.number;
    if (point.bucket == DecidedPoint::Bucket::OverMemory && (!kept.over || point.deficit.over < *kept.over)) {
        kept.over = point.deficit.over;
        kept.over_number = point.number;
    }
}

std::vector<DegreesFate> SearchFindings::reasons(const std::stop_token& stop) const
{
    const auto leading = best();
    std::vector<DegreesFate> fates(static_cast<std::size_t>(m_space.degrees()));
    forEachInParallel(fates.size(), m_request.threads, [&](std::size_t tuple) {
        if (stop.stop_requested()) return;
        DegreesFate& fate = fates[tuple];
        SpacePoint point(m_space);
        if (const auto found = m_best.find(tuple); found != m_best.end()) {
            const bool is_best = !leading.empty() && leading.front().plan.number == found->second.number;
            fate.kind = is_best ? DegreesFate::Kind::Best : DegreesFate::Kind::Slower;
            fate.number = found->second.number;
            fate.objective = found->second.objective;
            return;
        }
        if (const auto noted = m_notes.find(tuple); noted != m_notes.end()) {
            const Note& kept = noted->second;
            fate.kind = kept.limited ? DegreesFate::Kind::Limited : DegreesFate::Kind::Memory;
            fate.number = kept.limited.value_or(kept.over_number);
            point.moveTo(fate.number);
            if (const auto made = rowOf(point.plan(), m_request.objective)) {
                fate.over = made->over;
                fate.stage = made->worst_stage;
                fate.objective = made->objective;
                return;
            }
        }
        const auto [rule, number] = furthestRule(m_space, tuple);
        fate.kind = DegreesFate::Kind::Rule;
        fate.rule = rule;
        fate.number = number;
        if (fate.rule) return;
        // Its figures break a rule: a schedule deadlocks, or a node's memory is too small.
        point.moveTo(number);
        const Estimate made = estimate(point.plan());
        const Check* broken = firstErrorOf(made.checks);
        if (broken != nullptr) fate.rule = *broken;
    });
    if (stop.stop_requested()) fates.clear();
    return fates;
}

} // namespace cardfit
