// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/findings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"
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
    for (const DecidedPoint& point : points) {
        if (point.bucket == DecidedPoint::Bucket::Evaluated) offer(point.found);
        count(point, 1);
    }
}

void SearchFindings::takeAlike(const DecidedPoint& first, std::uint64_t points) { count(first, points); }

void SearchFindings::count(const DecidedPoint& point, std::uint64_t points)
{
    using Bucket = DecidedPoint::Bucket;
    switch (point.bucket) {
    case Bucket::Evaluated: m_counts.evaluated += points; break;
    case Bucket::OverMemory:
        m_counts.over_memory += points;
        keepNear(point);
        if (m_examples.over_memory && point.deficit.over >= m_least_over) break;
        m_examples.over_memory = point.number;
        m_least_over = point.deficit.over;
        break;
    case Bucket::Slower:
        m_counts.slower += points;
        if (!m_examples.slower) m_examples.slower = point.number;
        break;
    case Bucket::Limited:
        m_counts.limited += points;
        if (!m_examples.limited) m_examples.limited = point.number;
        break;
    case Bucket::Rule:
        m_counts.rules[point.rule] += points;
        m_examples.rules.try_emplace(point.rule, point.number);
        break;
    }
    if (m_request.why) note(point);
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
    if (!of_degrees && (listsReasons(m_request) || !(merit > m_threshold))) return false;
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

/// A point as a row. Flags that change none of its figures are as in the plan that the search began with.
std::optional<FoundPlan> SearchFindings::rowAt(std::uint64_t number) const
{
    SpacePoint point(m_space);
    point.moveTo(number);
    auto found = rowOf(point.plan(), m_request.objective);
    for (std::size_t i = kRecipeFlags; found && i-- > 0;) {
        const Field& field = *fieldAt(recipeFlags()[i].pointer);
        const FieldValue own = field.get(m_space.base);
        if (!m_space.flags[i] || field.get(found->plan) == own) continue;
        Plan plainer = found->plan;
        field.set(plainer, own);
        auto other = rowOf(plainer, m_request.objective);
        const auto figures = [](const FoundPlan& row) { return std::tuple(row.step, row.worst_device, row.verdict); };
        if (other && figures(*other) == figures(*found)) found = std::move(other);
    }
    if (found) found->number = number;
    return found;
}

const FoundPlan& SearchFindings::row(const Candidate& one)
{
    const auto [place, is_new] = m_rows.try_emplace(one.number);
    if (is_new) {
        place->second = *rowAt(one.number);
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
        if (auto found = rowAt(miss.number)) rows.push_back(*std::move(found));
    }
    return rows;
}

bool SearchFindings::mayBeNear(Bytes over) const
{
    if (m_deficits || m_request.over == 0) return false;
    return m_near.size() < m_request.over || over < m_near.back().over;
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
    using Bucket = DecidedPoint::Bucket;
    if (point.bucket == Bucket::Evaluated || point.bucket == Bucket::Rule) return;
    Note& kept = m_notes[m_space.degreesOf(point.number)];
    if (point.bucket == Bucket::Slower && (!kept.slower || point.bound < *kept.slower)) {
        kept.slower = point.bound;
        kept.slower_number = point.number;
    }
    if (point.bucket == Bucket::Limited && !kept.limited) kept.limited = point.number;
    if (point.bucket == Bucket::OverMemory && (!kept.over || point.deficit.over < kept.over->over)) {
        kept.over = point.deficit;
        kept.over_number = point.number;
    }
}

/// The reason of degrees none of whose plans was evaluated.
DegreesFate SearchFindings::fateOf(const Note& note)
{
    DegreesFate fate;
    if (note.slower) {
        fate.kind = DegreesFate::Kind::Slower;
        fate.number = note.slower_number;
        fate.objective = *note.slower;
        fate.at_least = true;
    } else if (note.limited) {
        fate.kind = DegreesFate::Kind::Limited;
        fate.number = *note.limited;
    } else {
        fate.kind = DegreesFate::Kind::Memory;
        fate.number = note.over_number;
        fate.over = note.over->over;
        fate.stage = note.over->stage;
    }
    return fate;
}

/// None: all plans with these degrees break rules.
std::optional<DegreesFate> SearchFindings::fateOf(std::uint64_t tuple, std::uint64_t best) const
{
    const auto found = m_best.find(tuple);
    const auto noted = m_notes.find(tuple);
    if (found == m_best.end()) return noted == m_notes.end() ? std::nullopt : std::optional(fateOf(noted->second));
    const Candidate& candidate = found->second;
    const bool is_best = candidate.number == best;
    const bool closer = noted != m_notes.end() && noted->second.slower && *noted->second.slower < candidate.objective;
    if (!is_best && closer) return fateOf(noted->second);
    DegreesFate fate;
    fate.kind = is_best ? DegreesFate::Kind::Best : DegreesFate::Kind::Slower;
    fate.number = candidate.number;
    fate.objective = candidate.objective;
    return fate;
}

/// Replaces bounds of memory and limits by the plan's figures.
void SearchFindings::makeExact(DegreesFate& fate) const
{
    if (fate.kind != DegreesFate::Kind::Limited && fate.kind != DegreesFate::Kind::Memory) return;
    SpacePoint point(m_space);
    point.moveTo(fate.number);
    const auto made = rowOf(point.plan(), m_request.objective);
    if (!made) return;
    fate.over = made->over;
    fate.stage = made->worst_stage;
    fate.objective = made->objective;
}

std::vector<DegreesFate> SearchFindings::reasons(const std::stop_token& stop) const
{
    const auto leading = best();
    const std::uint64_t best = leading.empty() ? m_space.plans() : leading.front().plan.number;
    if (!listsReasons(m_request)) return groupedReasons(best);
    std::vector<DegreesFate> fates(static_cast<std::size_t>(m_space.degrees()));
    forEachInParallel(fates.size(), m_request.threads, [&](std::size_t tuple) {
        if (stop.stop_requested()) return;
        DegreesFate& fate = fates[tuple];
        if (const auto known = fateOf(tuple, best)) {
            fate = *known;
            return makeExact(fate);
        }
        fate.kind = DegreesFate::Kind::Rule;
        std::tie(fate.rule, fate.number) = furthestRule(m_space, tuple);
    });
    if (stop.stop_requested()) fates.clear();
    return fates;
}

/// The best, slower tuples by how much, limited and over-memory ones, then the rules by the plans that break them.
std::vector<DegreesFate> SearchFindings::groupedReasons(std::uint64_t best) const
{
    using enum DegreesFate::Kind;
    constexpr std::array kSlower{1.1, 1.5, 2.0}; // times the best
    std::array<std::optional<DegreesFate>, kSlower.size() + 4> groups;
    const auto leading = m_best.find(m_space.degreesOf(best));
    const auto add = [&](const DegreesFate& fate) {
        std::size_t group = 0;
        if (fate.kind == Slower) {
            const double ratio = fate.objective / leading->second.objective;
            group = 1 + static_cast<std::size_t>(std::ranges::upper_bound(kSlower, ratio) - kSlower.begin());
        } else if (fate.kind == Limited) {
            group = kSlower.size() + 2;
        } else if (fate.kind == Memory) {
            group = kSlower.size() + 3;
        }
        auto& kept = groups[group];
        const std::uint64_t tuples = kept ? kept->tuples + 1 : 1;
        const auto order = [](const DegreesFate& one) {
            return std::tuple(one.kind == Memory ? static_cast<double>(one.over.value()) : one.objective, one.number);
        };
        if (!kept || order(fate) < order(*kept)) kept = fate;
        kept->tuples = tuples;
    };
    for (const auto& [tuple, candidate] : m_best)
        add(*fateOf(tuple, best));
    for (const auto& [tuple, noted] : m_notes) {
        if (!m_best.contains(tuple)) add(fateOf(noted));
    }
    std::vector<DegreesFate> reasons;
    for (auto& group : groups) {
        if (!group) continue;
        makeExact(*group);
        reasons.push_back(*group);
    }
    const auto first_rule = static_cast<std::ptrdiff_t>(reasons.size());
    for (const auto& [rule, plans] : m_counts.rules) {
        DegreesFate fate;
        fate.kind = Rule;
        fate.number = m_examples.rules.at(rule);
        fate.tuples = 0;
        fate.plans = plans;
        SpacePoint point(m_space);
        point.moveTo(fate.number);
        fate.rule = brokenRule(point.plan());
        reasons.push_back(std::move(fate));
    }
    std::stable_sort(reasons.begin() + first_rule, reasons.end(),
        [](const DegreesFate& a, const DegreesFate& b) { return a.plans > b.plans; });
    return reasons;
}

} // namespace cardfit
