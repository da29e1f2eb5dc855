// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/find.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/estimate.h"
#include "core/parallel.h"
#include "core/plan/names.h"
#include "core/search/bounds.h"
#include "core/search/first_points.h"
#include "core/search/legal_points.h"
#include "core/search/tie_order.h"
#include "core/search/why_not.h"
#include "core/time/layer_balance.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Branches that are held at once; a space with more is walked in pieces.
constexpr std::size_t kMostBranches = std::size_t{1} << 22;
/// Branches evaluated between two looks at what has been found. Fixed numbers: with them the answer and the counts do
/// not depend on threads.
constexpr std::size_t kFirstRound = 8;
constexpr std::size_t kLargestRound = 256;

/// Whether a figure that is at least `bound` (headroom: at most) can still keep the limit.
bool mayKeep(const SearchLimit& limit, double bound)
{
    const bool is_least = limit.figure != SearchFigure::Headroom;
    return limit.below != is_least || keeps(limit, bound);
}

/// What is remembered of an evaluated plan.
struct Candidate {
    std::uint64_t number = 0;
    double objective = 0.0;
    std::array<double, 3> front{}; ///< the figures of the Pareto front
    TieOrder tie;
};

bool isLess(const SearchSpace& space, const Candidate& a, const Candidate& b)
{
    if (a.objective != b.objective) return a.objective < b.objective;
    if (a.tie != b.tie) return a.tie < b.tie;
    return a.number != b.number && comesBefore(space, a.number, b.number);
}

enum class Bucket : std::uint8_t { Evaluated, OverMemory, Slower, Limited, Rule };

struct Leaf {
    std::uint64_t number = 0;
    Bucket bucket = Bucket::Slower;
    Candidate found; ///< if evaluated
    BranchBounds::Deficit deficit; ///< if over memory: a bound, or exact
    std::string rule;
};

struct Branch {
    std::uint64_t number = 0;
    const LegalPoints::Leaves* leaves = nullptr;
    double bound = 0.0; ///< of the objective of its points
    double seconds = 0.0; ///< of a step
};

/// One search. Rounds of branches, those with the least bound first; what a round may discard was known before it.
class PlanSearch {
public:
    PlanSearch(const SearchRequest& request, const std::function<void(const SearchProgress&)>& progress,
        const std::stop_token& stop, bool deficits)
        : m_request(request)
        , m_space(request.space)
        , m_progress(progress)
        , m_stop(stop)
        , m_deficits(deficits)
        , m_legal(request.space)
        , m_shared(request.space)
    {
        for (const SearchAxis& axis : m_space.axes) {
            if (axis.kind == AxisKind::Recompute) m_recomputes = &axis;
        }
    }

    SearchResult run()
    {
        const std::uint64_t plans = m_space.plans();
        if (!m_deficits) seed();
        std::vector<Branch> branches;
        const bool walked = m_legal.walk(
            [&](std::uint64_t branch, const LegalPoints::Leaves& leaves) {
                branches.push_back({branch, &leaves});
                if (branches.size() == kMostBranches) decide(branches);
            },
            m_stop);
        decide(branches);
        m_counts.rules.merge(std::map(m_legal.rules()));
        m_examples.rules.merge(std::map(m_legal.examples()));
        for (const auto& [rule, count] : m_late_rules)
            m_counts.rules[rule] += count;
        m_counts.undecided = plans - m_counts.decided();

        SearchResult result;
        result.proven = walked && m_counts.undecided == 0;
        result.plans = plans;
        result.degrees = m_space.degrees();
        result.counts = m_counts;
        result.examples = m_examples;
        result.first_seconds = m_first_seconds;
        for (const Candidate& one : best(m_request.top))
            result.top.push_back(row(one));
        result.pareto = frontRows();
        for (const NearMiss& miss : m_near) {
            if (m_stop.stop_requested()) break;
            SpacePoint point(m_space);
            point.moveTo(miss.number);
            if (auto found = rowOf(point.plan(), m_request.objective)) {
                found->number = miss.number;
                result.over.push_back(*std::move(found));
            }
        }
        if (m_request.why) result.why = reasons();
        return result;
    }

private:
    [[nodiscard]] bool hasFront() const { return !m_deficits && !m_request.pareto.empty(); }

    /// Plans that may be offered before anything else is known; they are counted where the search meets them.
    void seed()
    {
        SpacePoint first(m_space);
        for (const std::uint64_t number : firstPoints(m_space, m_request.first)) {
            if (m_stop.stop_requested()) return;
            first.moveTo(number);
            (void)tryFirst(first);
        }
        if (m_best.empty())
            dividedPoints(m_space, [&](const SpacePoint& point) { return m_stop.stop_requested() || tryFirst(point); });
        tell();
    }

    bool tryFirst(const SpacePoint& point)
    {
        const Plan& plan = point.plan();
        for (std::size_t group = 0; group < kRuleGroupCount; ++group) {
            if (firstError(plan, static_cast<RuleGroup>(group))) return false;
        }
        if (BranchBounds(point, m_shared).lasting().over > Bytes(0)) return false;
        Leaf leaf;
        leaf.number = point.number();
        decideExactly(point, leaf);
        if (leaf.bucket == Bucket::Evaluated) offer(leaf.found);
        return leaf.bucket == Bucket::Evaluated;
    }

    [[nodiscard]] const FoundPlan& row(const Candidate& one)
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

    [[nodiscard]] std::vector<FoundPlan> frontRows()
    {
        std::ranges::sort(m_front, [&](const Candidate& a, const Candidate& b) {
            return a.front != b.front ? a.front < b.front : isLess(m_space, a, b);
        });
        std::vector<FoundPlan> rows;
        for (const Candidate& one : m_front)
            rows.push_back(row(one));
        return rows;
    }

    /// Best first, each with other degrees.
    [[nodiscard]] std::vector<Candidate> best(std::size_t count) const
    {
        std::vector<Candidate> all;
        all.reserve(m_best.size());
        for (const auto& [degrees, candidate] : m_best)
            all.push_back(candidate);
        const auto less = [&](const Candidate& a, const Candidate& b) { return isLess(m_space, a, b); };
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()));
        std::ranges::partial_sort(all, end, less);
        all.erase(end, all.end());
        return all;
    }

    void decide(std::vector<Branch>& branches)
    {
        boundAll(branches);
        std::ranges::sort(branches, [](const Branch& a, const Branch& b) {
            return a.bound != b.bound ? a.bound < b.bound : a.number < b.number;
        });
        std::size_t size = kFirstRound;
        std::vector<std::vector<Leaf>> outcomes;
        for (std::size_t from = 0; from < branches.size() && !m_stop.stop_requested(); from += outcomes.size()) {
            const std::size_t count = std::min(size, branches.size() - from);
            const auto leading = best(m_request.top);
            m_threshold = leading.size() < m_request.top ? kNever : leading.back().objective;
            outcomes.assign(count, {});
            forEachInParallel(count, m_request.threads, [&](std::size_t i) {
                if (!m_stop.stop_requested()) outcomes[i] = evaluate(branches[from + i]);
            });
            for (const auto& outcome : outcomes)
                take(outcome);
            size = std::min(2 * size, kLargestRound);
            tell();
        }
        branches.clear();
    }

    /// The least of every branch: that of its lightest leaf.
    void boundAll(std::vector<Branch>& branches)
    {
        constexpr std::size_t kPiece = 64;
        const std::size_t pieces = (branches.size() + kPiece - 1) / kPiece;
        forEachInParallel(pieces, m_request.threads, [&](std::size_t piece) {
            if (m_stop.stop_requested()) return;
            SpacePoint point(m_space);
            const std::size_t end = std::min(branches.size(), (piece + 1) * kPiece);
            for (std::size_t i = piece * kPiece; i < end; ++i) {
                point.moveTo(branches[i].number * m_legal.leaves() + lightestLeaf(branches[i]));
                boundOne(point, branches[i]);
            }
        });
    }

    /// Recomputing nothing takes the least time.
    [[nodiscard]] std::uint64_t lightestLeaf(const Branch& branch) const
    {
        if (m_recomputes == nullptr) return 0;
        const auto none = std::ranges::find_if(*branch.leaves, [&](std::uint64_t leaf) {
            const AxisValue& value = m_recomputes->values[static_cast<std::size_t>(leaf)];
            return value.recompute->granularity == RecomputeGranularity::None;
        });
        return none == branch.leaves->end() ? branch.leaves->front() : *none;
    }
    [[nodiscard]] bool lightestIsLeast(const Plan& plan, const Branch& branch) const
    {
        // Offloaded activations are fewer where more is recomputed.
        return branch.leaves->size() == 1
            || (plan.recipe.recompute.granularity == RecomputeGranularity::None
                && plan.recipe.offload.activations == 0.0);
    }

    void boundOne(SpacePoint& point, Branch& branch)
    {
        const Plan& plan = point.plan();
        if (splitReadsRecomputation(plan)) return; // no two points of the branch have the same stages
        if (lightestIsLeast(plan, branch)) branch.seconds = leastTime(plan, m_shared.timed(point)).value();
        if (m_deficits) {
            branch.bound = static_cast<double>(BranchBounds(point, m_shared).lasting().over.value());
        } else if (m_request.objective == SearchFigure::Memory) {
            const Bytes device = BranchBounds(point, m_shared).lasting().device;
            branch.bound = figureFrom(SearchFigure::Memory, plan, Seconds(1.0), device);
        } else if (m_request.objective == SearchFigure::Cards || branch.seconds > 0.0) {
            branch.bound = figureFrom(m_request.objective, plan, Seconds(std::max(branch.seconds, 1e-12)), Bytes(0));
        }
    }

    /// Whether a plan with at least these figures cannot be on the front.
    [[nodiscard]] bool isDominated(const std::array<double, 3>& least) const
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

    [[nodiscard]] std::array<double, 3> frontOf(const Plan& plan, Seconds step, Bytes device) const
    {
        std::array<double, 3> figures{};
        for (std::size_t i = 0; i < m_request.pareto.size(); ++i)
            figures[i] = figureFrom(m_request.pareto[i], plan, step, device);
        return figures;
    }

    /// Whether nothing that takes at least so much would be offered.
    [[nodiscard]] bool isBeaten(
        const Plan& plan, std::uint64_t degrees, double objective, Seconds step, Bytes device) const
    {
        const auto own = m_best.find(degrees);
        const bool of_degrees = own != m_best.end() && objective > own->second.objective;
        if (!of_degrees && (m_request.why || !(objective > m_threshold))) return false;
        return !hasFront() || isDominated(frontOf(plan, step, device));
    }

    std::vector<Leaf> evaluate(const Branch& branch)
    {
        SpacePoint point(m_space);
        const std::uint64_t first = branch.number * m_legal.leaves();
        point.moveTo(first + lightestLeaf(branch));
        std::vector<Leaf> leaves(branch.leaves->size());
        for (std::size_t i = 0; i < leaves.size(); ++i)
            leaves[i].number = first + (*branch.leaves)[i];
        const bool apart = splitReadsRecomputation(point.plan());
        const BranchBounds bounds(point, m_shared);
        const auto lasting = bounds.lasting();
        const std::uint64_t degrees = m_space.degreesOf(first);
        const auto all = [&](Bucket bucket) {
            for (Leaf& leaf : leaves) {
                leaf.bucket = bucket;
                leaf.deficit = lasting;
            }
            return std::move(leaves);
        };
        if (apart) {
            // Every point is bounded by itself.
        } else if (m_deficits) {
            if (branch.bound > m_threshold) return all(Bucket::Slower);
        } else {
            if (lasting.over > Bytes(0) && !m_request.why) return all(Bucket::OverMemory);
            const Seconds least(std::max(branch.seconds, 1e-12));
            if (isBeaten(point.plan(), degrees, branch.bound, least, lasting.device)) return all(Bucket::Slower);
        }
        for (Leaf& leaf : leaves) {
            if (m_stop.stop_requested()) return {};
            point.moveTo(leaf.number);
            if (apart)
                decideLeaf(point, BranchBounds(point, m_shared), degrees, leaf);
            else
                decideLeaf(point, bounds, degrees, leaf);
        }
        return leaves;
    }

    void decideLeaf(const SpacePoint& point, const BranchBounds& bounds, std::uint64_t degrees, Leaf& leaf)
    {
        const Plan& plan = point.plan();
        leaf.deficit = bounds.held(plan);
        if (m_deficits) {
            leaf.bucket = Bucket::Slower;
            if (static_cast<double>(leaf.deficit.over.value()) > m_threshold) return;
        } else {
            leaf.bucket = Bucket::OverMemory;
            if (leaf.deficit.over > Bytes(0)) return;
            const Seconds least = bounds.step(plan, m_shared.parts(point));
            leaf.bucket = Bucket::Limited;
            for (const SearchLimit& limit : m_request.limits) {
                if (!mayKeep(limit, figureFrom(limit.figure, plan, least, leaf.deficit.device))) return;
            }
            leaf.bucket = Bucket::Slower;
            const double objective = figureFrom(m_request.objective, plan, least, leaf.deficit.device);
            if (isBeaten(plan, degrees, objective, least, leaf.deficit.device)) return;
        }
        decideExactly(point, leaf);
    }

    void decideExactly(const SpacePoint& point, Leaf& leaf)
    {
        const Plan& plan = point.plan();
        const KnownCosts known = m_shared.known(point);
        const Estimate result = figuresOf(plan, known);
        if (!result.complete()) {
            leaf.bucket = Bucket::Rule;
            const auto broken = std::ranges::find(result.checks, Severity::Error, &Check::severity);
            leaf.rule = broken->id;
            return;
        }
        const std::size_t worst = result.worstStage();
        const StageMemory& stage = result.stages[worst];
        leaf.deficit = {stage.device() - stage.capacity, stage.device(), worst};
        leaf.bucket = Bucket::OverMemory;
        if (!m_deficits && leaf.deficit.over > Bytes(0)) return;
        leaf.bucket = Bucket::Limited;
        for (const SearchLimit& limit : m_request.limits) {
            if (!m_deficits && !keeps(limit, figureFrom(limit.figure, plan, result.step.seconds, stage.device())))
                return;
        }
        leaf.bucket = Bucket::Evaluated;
        leaf.found.number = leaf.number;
        leaf.found.objective = m_deficits ? static_cast<double>(leaf.deficit.over.value())
                                          : figureFrom(m_request.objective, plan, result.step.seconds, stage.device());
        leaf.found.front = frontOf(plan, result.step.seconds, stage.device());
        leaf.found.tie = tieOrder(plan, result, known);
    }

    void take(const std::vector<Leaf>& leaves)
    {
        for (const Leaf& leaf : leaves) {
            switch (leaf.bucket) {
            case Bucket::Evaluated: ++m_counts.evaluated; break;
            case Bucket::OverMemory:
                ++m_counts.over_memory;
                keepNear(leaf);
                if (m_examples.over_memory && leaf.deficit.over >= m_least_over) break;
                m_examples.over_memory = leaf.number;
                m_least_over = leaf.deficit.over;
                break;
            case Bucket::Slower:
                ++m_counts.slower;
                if (!m_examples.slower) m_examples.slower = leaf.number;
                break;
            case Bucket::Limited:
                ++m_counts.limited;
                if (!m_examples.limited) m_examples.limited = leaf.number;
                break;
            case Bucket::Rule:
                ++m_late_rules[leaf.rule];
                m_examples.rules.try_emplace(leaf.rule, leaf.number);
                break;
            }
            if (leaf.bucket == Bucket::Evaluated) offer(leaf.found);
            if (m_request.why) note(leaf);
        }
    }

    /// Of plans over memory, some of those that miss least, each with other degrees.
    void keepNear(const Leaf& leaf)
    {
        if (m_deficits || m_request.over == 0) return;
        const bool full = m_near.size() == m_request.over;
        if (full && leaf.deficit.over >= m_near.back().over) return;
        const NearMiss miss{leaf.deficit.over, leaf.number, m_space.degreesOf(leaf.number)};
        const auto same = std::ranges::find(m_near, miss.degrees, &NearMiss::degrees);
        if (same != m_near.end() && same->over <= miss.over) return;
        if (same != m_near.end())
            m_near.erase(same);
        else if (full)
            m_near.pop_back();
        m_near.insert(std::ranges::upper_bound(m_near, miss.over, {}, &NearMiss::over), miss);
    }

    void offer(const Candidate& found)
    {
        if (m_first_seconds == 0.0) m_first_seconds = secondsSince(m_start);
        const auto [place, is_new] = m_best.try_emplace(m_space.degreesOf(found.number), found);
        if (!is_new && isLess(m_space, found, place->second)) place->second = found;
        if (!hasFront()) return;
        const auto covers = [&](const Candidate& a, const Candidate& b) {
            for (std::size_t i = 0; i < m_request.pareto.size(); ++i) {
                if (a.front[i] > b.front[i]) return false;
            }
            return a.front != b.front || a.number == b.number || isLess(m_space, a, b);
        };
        if (std::ranges::any_of(m_front, [&](const Candidate& one) { return covers(one, found); })) return;
        std::erase_if(m_front, [&](const Candidate& one) { return covers(found, one); });
        m_front.push_back(found);
    }

    void tell()
    {
        constexpr double kBetween = 0.05;
        const bool first = !m_told_first && !m_best.empty();
        if (!m_progress || (!first && secondsSince(m_told) < kBetween)) return;
        m_told_first = m_told_first || first;
        m_told = Clock::now();
        SearchCounts counts = m_counts;
        counts.rules = m_legal.rules();
        SearchProgress progress{counts, m_space.plans(), {}, frontRows()};
        for (const Candidate& one : best(m_request.top))
            progress.top.push_back(row(one));
        m_progress(progress);
    }

    struct NearMiss {
        Bytes over; ///< at least
        std::uint64_t number = 0;
        std::uint64_t degrees = 0;
    };

    /// The least deficit, or that a limit is missed, of degrees of which nothing is offered.
    struct Note {
        std::uint64_t over_number = 0;
        std::optional<Bytes> over;
        std::optional<std::uint64_t> limited;
    };

    void note(const Leaf& leaf)
    {
        Note& kept = m_notes[m_space.degreesOf(leaf.number)];
        if (leaf.bucket == Bucket::Limited && !kept.limited) kept.limited = leaf.number;
        if (leaf.bucket == Bucket::OverMemory && (!kept.over || leaf.deficit.over < *kept.over)) {
            kept.over = leaf.deficit.over;
            kept.over_number = leaf.number;
        }
    }

    [[nodiscard]] std::vector<DegreesFate> reasons()
    {
        const auto leading = best(m_request.top);
        std::vector<DegreesFate> fates(static_cast<std::size_t>(m_space.degrees()));
        forEachInParallel(fates.size(), m_request.threads, [&](std::size_t tuple) {
            DegreesFate& fate = fates[tuple];
            SpacePoint point(m_space);
            if (const auto found = m_best.find(tuple); found != m_best.end()) {
                const bool is_best = !leading.empty() && leading.front().number == found->second.number;
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
        });
        return fates;
    }

    const SearchRequest& m_request;
    const SearchSpace& m_space;
    const std::function<void(const SearchProgress&)>& m_progress;
    std::stop_token m_stop;
    bool m_deficits; ///< looks for the least deficit instead of the objective
    LegalPoints m_legal;
    SharedCosts m_shared;
    const SearchAxis* m_recomputes = nullptr;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_told = m_start;
    bool m_told_first = false;
    double m_first_seconds = 0.0;
    double m_threshold = kNever; ///< the worst objective that is still offered
    SearchCounts m_counts;
    SearchExamples m_examples;
    Bytes m_least_over; ///< of the example that is over memory
    std::map<std::string, std::uint64_t> m_late_rules; ///< schedules that deadlock only with their durations
    std::unordered_map<std::uint64_t, Candidate> m_best; ///< by degrees
    std::vector<Candidate> m_front;
    std::vector<NearMiss> m_near; ///< least first
    std::unordered_map<std::uint64_t, FoundPlan> m_rows; ///< that were shown
    std::unordered_map<std::uint64_t, Note> m_notes; ///< by degrees
};

} // namespace

std::uint64_t SearchCounts::broken() const
{
    std::uint64_t sum = 0;
    for (const auto& [rule, count] : rules)
        sum += count;
    return sum;
}

std::optional<Error> refusal(const SearchRequest& request)
{
    const auto refuse = [](Sentence why) { return Error{ErrorCode::Usage, {}, {}, std::move(why)}; };
    const auto none =
        std::ranges::find_if(request.space.axes, [](const SearchAxis& axis) { return axis.values.empty(); });
    if (none != request.space.axes.end())
        return refuse(Sentence::tr("{} has no values: name some with --values", {none->pointer}));
    constexpr std::uint64_t kMostPlans = std::uint64_t{1} << 40;
    if (request.space.plans() > kMostPlans)
        return refuse(Sentence::tr("the space has more than 2^40 plans: pin a field or list fewer values"));
    std::vector<SearchFigure> asked{request.objective};
    asked.insert(asked.end(), request.pareto.begin(), request.pareto.end());
    for (const SearchLimit& limit : request.limits)
        asked.push_back(limit.figure);
    const auto lacks = [&](SearchFigure figure, auto member) {
        if (std::ranges::find(asked, figure) == asked.end()) return false;
        const SearchAxis* cards = request.space.axis("/cluster/accelerator");
        if (cards == nullptr) return !(request.space.base.cluster.accelerator.*member).has_value();
        return std::ranges::any_of(
            cards->values, [&](const AxisValue& value) { return !(value.cluster->accelerator.*member).has_value(); });
    };
    if (lacks(SearchFigure::Cost, &Accelerator::price_per_hour_usd))
        return refuse(Sentence::tr("the card has no price: set /cluster/accelerator/price_per_hour_usd"));
    if (lacks(SearchFigure::Energy, &Accelerator::power_w))
        return refuse(Sentence::tr("the card's power is not known: set /cluster/accelerator/power_w"));
    return std::nullopt;
}

SearchResult findPlans(
    const SearchRequest& request, const std::function<void(const SearchProgress&)>& progress, std::stop_token stop)
{
    const auto start = Clock::now();
    SearchResult result = PlanSearch(request, progress, stop, false).run();
    for (FoundPlan& one : result.top)
        one.tie = &one != result.top.data() && isTie(one, result.top.front(), request.objective);
    for (FoundPlan& one : result.pareto)
        one.tie = !result.top.empty() && one.number != result.top.front().number
            && isTie(one, result.top.front(), request.objective);
    result.robust = robustOf(result.top, request.objective);
    if (result.top.empty() && result.proven) {
        SearchRequest nearest = request;
        nearest.limits.clear();
        nearest.top = 1;
        nearest.why = false;
        SearchResult least = PlanSearch(nearest, {}, stop, true).run();
        if (!least.top.empty()) result.nearest = std::move(least.top.front());
    }
    result.seconds = secondsSince(start);
    return result;
}

} // namespace cardfit
