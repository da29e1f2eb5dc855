// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/find.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>
#include <utility>

#include "core/base/parallel.h"
#include "core/estimate/estimate.h"
#include "core/layers/layer_balance.h"
#include "core/layers/layer_split.h"
#include "core/search/bounds.h"
#include "core/search/findings.h"
#include "core/search/first_points.h"
#include "core/search/legal_points.h"
#include "core/search/tie_order.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

using Clock = std::chrono::steady_clock;
using Bucket = DecidedPoint::Bucket;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Most branches held at once, some 90 bytes each; larger spaces are walked in pieces.
constexpr std::size_t kMostBranches = std::size_t{1} << 21;
/// Branches bounded per round, and evaluated. Fixed numbers, so that the answer and the counts do not depend on
/// threads.
constexpr std::size_t kFirstBounded = 64;
constexpr std::size_t kMostBounded = 4096;
constexpr std::size_t kFirstRound = 8;
constexpr std::size_t kLargestRound = 256;
/// Bound of branches that are known to be over memory: they come last.
constexpr Merit kLast{std::numeric_limits<double>::infinity(), 0.0};

/// Whether a figure that is at least `bound` (headroom: at most) can still keep the limit.
bool mayKeep(const SearchLimit& limit, double bound)
{
    const bool is_least = limit.figure != SearchFigure::Headroom;
    return limit.below != is_least || keeps(limit, bound);
}

/// Points that differ in their recomputation only.
struct Branch {
    std::uint64_t number = 0;
    const LegalPoints::Leaves* leaves = nullptr;
    Merit bound{}; ///< lower bound on that of its points
    bool bounded = false; ///< by BranchBounds; else by SpreadBounds
    bool apart = false; ///< the split of layers depends on recomputation: bound each point separately
    bool limited = false; ///< misses a limit
    BranchBounds::Deficit lasting{}; ///< by states and buffers; not set if `apart`, nor are `front` and `served`
    std::array<double, 3> front{}; ///< lower bounds on the figures of the front
    ServedFigures served{}; ///< of all its points
};

/// What became of a branch in a round.
struct Outcome {
    std::optional<DecidedPoint> together; ///< the first of its points, if all of them ended alike
    std::vector<DecidedPoint> points; ///< otherwise; none if the branch is still undecided
};

/// One search. Takes branches in rounds, least bound first; a round discards only by what was known before it began.
/// All branches have a first bound, by which most are discarded; the others are bounded more closely, and those that
/// are left evaluated, as soon as no first bound is less.
class PlanSearch {
public:
    PlanSearch(const SearchRequest& request, const std::function<void(const SearchProgress&)>& progress,
        const std::stop_token& stop, bool deficits, std::size_t rows)
        : m_request(request)
        , m_space(request.space)
        , m_progress(progress)
        , m_stop(stop)
        , m_deficits(deficits)
        , m_serves(!deficits && request.space.base.workload.task == Task::Inference)
        , m_lists(listsReasons(request))
        , m_legal(request.space)
        , m_shared(request.space)
        , m_found(request, deficits, rows)
    {
        for (const SearchAxis& axis : m_space.axes) {
            if (axis.kind == AxisKind::Recompute) m_recomputes = &axis;
        }
    }

    /// None if it has to be repeated with more rows: see SearchFindings::isExact().
    std::optional<SearchResult> run()
    {
        if (!m_deficits) seed();
        std::vector<Branch> branches;
        const bool walked = m_legal.walk(
            [&](std::uint64_t branch, const LegalPoints::Leaves& leaves) {
                branches.push_back({branch, &leaves});
                if (branches.size() == kMostBranches) decide(branches);
            },
            m_stop);
        decide(branches);
        if (!m_stop.stop_requested() && !m_found.isExact()) return std::nullopt;
        m_found.addRules(m_legal.rules(), m_legal.examples());

        SearchResult result;
        result.plans = m_space.plans();
        result.degrees = m_space.degrees();
        result.counts = m_found.counts();
        result.counts.undecided = result.plans - result.counts.decided();
        result.proven = walked && result.counts.undecided == 0;
        result.examples = m_found.examples();
        result.first_seconds = m_first_seconds;
        result.top = m_found.topRows();
        result.pareto = m_found.frontRows();
        result.over = m_found.overRows(m_stop);
        if (m_request.why) result.why = m_found.reasons(m_stop);
        return result;
    }

private:
    /// Evaluates the first points, so that something is known early. They are counted when the search meets them.
    void seed()
    {
        SpacePoint first(m_space);
        for (const std::uint64_t number : firstPoints(m_space, m_request.first)) {
            if (m_stop.stop_requested()) return;
            first.moveTo(number);
            (void)tryFirst(first);
        }
        if (m_found.empty())
            dividedPoints(m_space,
                [&](const SpacePoint& point) { return m_stop.stop_requested() ? FirstTry::Fits : tryFirst(point); });
        tell();
    }

    FirstTry tryFirst(const SpacePoint& point)
    {
        const Plan& plan = point.plan();
        for (std::size_t group = 0; group < kRuleGroupCount; ++group) {
            if (firstError(plan, static_cast<RuleGroup>(group))) return FirstTry::Refused;
        }
        if (BranchBounds(point, m_shared).lasting().over > Bytes(0)) return FirstTry::Misses;
        DecidedPoint decided;
        decided.number = point.number();
        decideExactly(point, servedOf(plan, m_shared.known(point)), decided);
        if (decided.bucket != Bucket::Evaluated) return FirstTry::Misses;
        m_found.offer(decided.found);
        noteFirst();
        return FirstTry::Fits;
    }

    void noteFirst()
    {
        if (m_first_seconds == 0.0 && !m_found.empty()) m_first_seconds = secondsSince(m_start);
    }

    void decide(std::vector<Branch>& branches)
    {
        constexpr std::size_t kPiece = 64;
        forEachInParallel((branches.size() + kPiece - 1) / kPiece, m_request.threads, [&](std::size_t piece) {
            SpacePoint point(m_space);
            const std::size_t end = std::min(branches.size(), (piece + 1) * kPiece);
            for (std::size_t i = piece * kPiece; i < end && !m_stop.stop_requested(); ++i) {
                moveToLightest(point, branches[i]);
                m_deficits ? boundOne(point, branches[i]) : spreadOne(point, branches[i]);
            }
        });
        std::ranges::sort(branches, isBefore);
        std::vector<Branch> waiting; // bounded, the least bound last
        std::size_t bounded = kFirstBounded;
        std::size_t evaluated = kFirstRound;
        for (std::size_t from = 0; !m_stop.stop_requested() && (from < branches.size() || !waiting.empty());) {
            const std::size_t count = std::min(bounded, branches.size() - from);
            boundRound(std::span(branches).subspan(from, count), waiting);
            from += count;
            bounded = std::min(2 * bounded, kMostBounded);
            const auto isNext = [&](const Branch& one) {
                return from == branches.size() || !isBefore(branches[from], one);
            };
            while (!waiting.empty() && isNext(waiting.back()) && !m_stop.stop_requested()) {
                std::vector<Branch> round;
                while (round.size() < evaluated && !waiting.empty() && isNext(waiting.back())) {
                    round.push_back(waiting.back());
                    waiting.pop_back();
                }
                takeRound(round, [this](Branch& branch) { return evaluate(branch); });
                noteFirst();
                evaluated = std::min(2 * evaluated, kLargestRound);
                tell();
            }
            tell();
        }
        branches.clear();
    }

    static bool isBefore(const Branch& a, const Branch& b)
    {
        return a.bound != b.bound ? a.bound < b.bound : a.number < b.number;
    }

    /// Bounds branches more closely and adds those that are still undecided to `waiting`.
    void boundRound(std::span<Branch> branches, std::vector<Branch>& waiting)
    {
        const std::vector<bool> undecided = takeRound(branches, [this](Branch& branch) {
            Outcome outcome = together(branch);
            if (outcome.together || branch.bounded) return outcome;
            SpacePoint point(m_space);
            moveToLightest(point, branch);
            boundOne(point, branch);
            return together(branch);
        });
        for (std::size_t i = 0; i < branches.size(); ++i) {
            if (undecided[i]) waiting.push_back(branches[i]);
        }
        std::ranges::sort(waiting, [](const Branch& a, const Branch& b) { return isBefore(b, a); });
    }

    /// Works on branches in parallel and takes what was decided, in their order. Returns which are undecided.
    template <class Branches, class Work> std::vector<bool> takeRound(Branches&& branches, const Work& work)
    {
        m_found.startRound();
        std::vector<Outcome> outcomes(branches.size());
        forEachInParallel(branches.size(), m_request.threads, [&](std::size_t i) {
            if (!m_stop.stop_requested()) outcomes[i] = work(branches[i]);
        });
        std::vector<bool> undecided;
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            if (outcomes[i].together) m_found.takeAlike(*outcomes[i].together, branches[i].leaves->size());
            m_found.take(outcomes[i].points);
            undecided.push_back(!outcomes[i].together && outcomes[i].points.empty());
        }
        return undecided;
    }

    void moveToLightest(SpacePoint& point, const Branch& branch) const
    {
        point.moveTo(branch.number * m_legal.leaves() + lightestLeaf(branch));
    }

    /// The first bound of a branch.
    void spreadOne(SpacePoint& point, Branch& branch)
    {
        const Plan& plan = point.plan();
        if (plan.workload.task == Task::Inference || splitReadsRecomputation(plan)) return boundOne(point, branch);
        const auto [passes, device] = m_shared.spread(point, lightestIsLeast(plan, branch));
        branch.lasting = {device - usableMemory(plan.cluster.accelerator), device, 0};
        setBound(plan, passes, branch);
    }

    void setBound(const Plan& plan, Seconds passes, Branch& branch) const
    {
        const Measures bound{std::max(passes, Seconds(1e-12)), branch.lasting.device, branch.served};
        branch.front = frontOf(plan, bound);
        branch.limited = isLimited(plan, bound, mayKeep);
        branch.bound = branch.limited || isOverMemory(branch) ? kLast : meritOf(plan, bound);
    }

    /// The leaf that takes the least time: the one that recomputes nothing.
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
        // With offloading, more recomputation means less to offload, so it may be faster.
        return branch.leaves->size() == 1
            || (plan.recipe.recompute.granularity == RecomputeGranularity::None
                && plan.recipe.offload.activations == 0.0);
    }

    void boundOne(SpacePoint& point, Branch& branch)
    {
        const Plan& plan = point.plan();
        branch.bounded = true;
        branch.apart = splitReadsRecomputation(plan);
        branch.bound = {};
        if (branch.apart) return;
        const BranchBounds bounds(point, m_shared);
        branch.lasting = bounds.lasting();
        if (m_deficits) {
            branch.bound.objective = static_cast<double>(branch.lasting.over.value());
            return;
        }
        const bool timed = lightestIsLeast(plan, branch) && !isOverMemory(branch);
        if (!isOverMemory(branch)) branch.served = servedOf(plan, m_shared.known(point));
        setBound(plan, timed ? bounds.passes(plan, m_shared.parts(point)) : Seconds(0.0), branch);
    }

    /// Whether all points of a bounded branch are known to be over memory. If each tuple of degrees gets a reason of
    /// its own, each point needs its own deficit.
    [[nodiscard]] bool isOverMemory(const Branch& branch) const
    {
        return !m_deficits && !m_lists && branch.lasting.over > Bytes(0);
    }

    [[nodiscard]] ServedFigures servedOf(const Plan& plan, const KnownCosts& known) const
    {
        return m_serves ? servedFigures(planContext(plan, known)) : ServedFigures();
    }

    /// Whether a limit or the load of a served plan rules it out. `may` says whether a figure may keep a limit.
    template <class May> [[nodiscard]] bool isLimited(const Plan& plan, const Measures& measures, May may) const
    {
        if (m_serves && m_request.keep_load && !measures.served.load.kept) return true;
        return std::ranges::any_of(m_request.limits,
            [&](const SearchLimit& limit) { return !may(limit, figureFrom(limit.figure, plan, measures)); });
    }

    [[nodiscard]] Merit meritOf(const Plan& plan, const Measures& measures) const
    {
        return {figureFrom(m_request.objective, plan, measures), measures.step.value() / tokensPerStep(plan)};
    }

    [[nodiscard]] std::array<double, 3> frontOf(const Plan& plan, const Measures& measures) const
    {
        std::array<double, 3> figures{};
        for (std::size_t i = 0; i < m_request.pareto.size(); ++i)
            figures[i] = figureFrom(m_request.pareto[i], plan, measures);
        return figures;
    }

    /// The bucket of all points of a branch, if its bounds decide it.
    [[nodiscard]] std::optional<Bucket> decidedTogether(const Branch& branch) const
    {
        if (branch.apart) return std::nullopt;
        if (isOverMemory(branch)) {
            // Near misses are shown by the closer bound.
            if (branch.bounded || !m_found.mayBeNear(branch.lasting.over)) return Bucket::OverMemory;
            return std::nullopt;
        }
        if (branch.limited) return Bucket::Limited;
        const bool beaten = m_deficits
            ? branch.bound.objective > m_found.threshold().objective
            : m_found.isBeaten(m_space.degreesOf(branch.number * m_legal.leaves()), branch.bound, branch.front);
        return beaten ? std::optional(Bucket::Slower) : std::nullopt;
    }

    [[nodiscard]] Outcome together(const Branch& branch) const
    {
        const auto bucket = decidedTogether(branch);
        if (!bucket) return {};
        DecidedPoint first;
        first.number = branch.number * m_legal.leaves() + branch.leaves->front();
        first.bucket = *bucket;
        first.deficit = branch.lasting;
        first.bound = branch.bound.objective;
        return {first, {}};
    }

    Outcome evaluate(const Branch& branch)
    {
        if (Outcome all = together(branch); all.together) return all;
        const std::uint64_t first = branch.number * m_legal.leaves();
        Outcome outcome;
        outcome.points.resize(branch.leaves->size());
        SpacePoint point(m_space);
        moveToLightest(point, branch);
        std::optional<BranchBounds> bounds;
        for (std::size_t i = 0; i < outcome.points.size(); ++i) {
            if (m_stop.stop_requested()) return {};
            DecidedPoint& one = outcome.points[i];
            one.number = first + (*branch.leaves)[i];
            point.moveTo(one.number);
            if (!bounds || branch.apart) bounds.emplace(point, m_shared);
            decideOne(point, *bounds, branch, one);
        }
        return outcome;
    }

    void decideOne(const SpacePoint& point, const BranchBounds& bounds, const Branch& branch, DecidedPoint& decided)
    {
        const Plan& plan = point.plan();
        ServedFigures served = branch.served;
        decided.deficit = bounds.held(point);
        if (m_deficits) {
            decided.bucket = Bucket::Slower;
            if (static_cast<double>(decided.deficit.over.value()) > m_found.threshold().objective) return;
        } else {
            decided.bucket = Bucket::OverMemory;
            if (decided.deficit.over > Bytes(0)) return;
            if (branch.apart) served = servedOf(plan, m_shared.known(point));
            const Measures least{bounds.step(plan, m_shared.parts(point)), decided.deficit.device, served};
            decided.bucket = Bucket::Limited;
            if (isLimited(plan, least, mayKeep)) return;
            decided.bucket = Bucket::Slower;
            const std::uint64_t degrees = m_space.degreesOf(decided.number);
            const Merit merit = meritOf(plan, least);
            decided.bound = merit.objective;
            if (m_found.isBeaten(degrees, merit, frontOf(plan, least))) return;
        }
        decideExactly(point, served, decided);
    }

    void decideExactly(const SpacePoint& point, const ServedFigures& served, DecidedPoint& decided)
    {
        const Plan& plan = point.plan();
        const KnownCosts known = m_shared.known(point);
        const Estimate result = figuresOf(plan, known);
        if (!result.complete() || breaksRule(result.checks)) {
            decided.bucket = Bucket::Rule;
            decided.rule = firstErrorOf(result.checks)->id;
            return;
        }
        const std::size_t worst = result.worstStage();
        const StageMemory& stage = result.stages[worst];
        const std::size_t most_over = mostOverStage(result);
        decided.deficit = {overBy(result.stages[most_over]), stage.device(), most_over};
        decided.bucket = Bucket::OverMemory;
        if (!m_deficits && decided.deficit.over > Bytes(0)) return;
        decided.bucket = Bucket::Limited;
        const Measures exact{result.step.seconds, stage.device(), served};
        if (!m_deficits && isLimited(plan, exact, keeps)) return;
        decided.bucket = Bucket::Evaluated;
        decided.found.number = decided.number;
        decided.found.objective = m_deficits ? static_cast<double>(decided.deficit.over.value())
                                             : figureFrom(m_request.objective, plan, exact);
        decided.found.front = frontOf(plan, exact);
        decided.found.tie = tieOrder(plan, result, known);
    }

    void tell()
    {
        constexpr double kBetween = 0.05;
        const bool first = !m_told_first && !m_found.empty();
        if (!m_progress || (!first && secondsSince(m_told) < kBetween)) return;
        m_told_first = m_told_first || first;
        m_told = Clock::now();
        SearchCounts counts = m_found.counts();
        for (const auto& [rule, count] : m_legal.rules())
            counts.rules[rule] += count;
        m_progress({counts, m_space.plans(), m_found.topRows(), m_found.frontRows()});
    }

    const SearchRequest& m_request;
    const SearchSpace& m_space;
    const std::function<void(const SearchProgress&)>& m_progress;
    std::stop_token m_stop;
    bool m_deficits; ///< looks for the least deficit instead of the objective
    bool m_serves; ///< plans are compared as servers
    bool m_lists; ///< see listsReasons()
    LegalPoints m_legal;
    SharedCosts m_shared;
    SearchFindings m_found;
    const SearchAxis* m_recomputes = nullptr;
    Clock::time_point m_start = Clock::now();
    Clock::time_point m_told = m_start;
    bool m_told_first = false;
    double m_first_seconds = 0.0;
};

SearchResult searchOnce(const SearchRequest& request, const std::function<void(const SearchProgress&)>& progress,
    const std::stop_token& stop, bool deficits)
{
    for (std::size_t rows = request.top;; rows *= 2) {
        if (auto result = PlanSearch(request, progress, stop, deficits, rows).run()) return *std::move(result);
    }
}

} // namespace

std::uint64_t SearchCounts::broken() const
{
    std::uint64_t sum = 0;
    for (const auto& [rule, count] : rules)
        sum += count;
    return sum;
}

bool listsReasons(const SearchRequest& request)
{
    constexpr std::uint64_t kMostListed = 4096;
    return request.why && request.space.degrees() <= kMostListed;
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
    const auto served = std::ranges::find_if(asked, isServedFigure);
    if (served != asked.end() && request.space.base.workload.task != Task::Inference)
        return refuse(Sentence::tr("a plan that trains has no {}: that is of servers", {name(*served)}));
    // Without a budget these figures are those of one token, and nobody who sets a limit means that.
    for (const SearchLimit& limit : request.limits) {
        const bool of_run = limit.figure == SearchFigure::Days || limit.figure == SearchFigure::Cost
            || limit.figure == SearchFigure::Energy;
        const Plan& plan = request.space.base;
        if (of_run && plan.workload.task == Task::Inference)
            return refuse(Sentence::tr("a served model has no run whose {} could be limited", {name(limit.figure)}));
        if (of_run && !hasBudget(plan))
            return refuse(Sentence::tr(
                "a limit on {} needs the number of tokens of the run: set /workload/tokens", {name(limit.figure)}));
    }
    return std::nullopt;
}

SearchResult findPlans(
    const SearchRequest& request, const std::function<void(const SearchProgress&)>& progress, std::stop_token stop)
{
    const auto start = Clock::now();
    SearchResult result = searchOnce(request, progress, stop, false);
    for (FoundPlan& one : result.top)
        one.tie = &one != result.top.data() && isTie(one, result.top.front(), request.objective);
    for (FoundPlan& one : result.pareto)
        one.tie = !result.top.empty() && one.number != result.top.front().number
            && isTie(one, result.top.front(), request.objective);
    result.robust = robustOf(result.top, request.objective);
    if (result.top.empty() && result.proven) {
        SearchRequest nearest = request;
        nearest.top = 1;
        nearest.why = false;
        // If plans fit and miss a limit, the best of them; otherwise the one that misses the memory by the least.
        // What a limit ruled out by a bound need not fit. What memory has to stay free is given up last.
        SearchResult least;
        const bool serves = request.space.base.workload.task == Task::Inference;
        nearest.keep_load = false;
        const std::size_t limits = nearest.limits.size();
        std::erase_if(nearest.limits, [](const SearchLimit& limit) { return limit.figure != SearchFigure::Headroom; });
        if (result.counts.limited > 0 && (serves || nearest.limits.size() < limits))
            least = searchOnce(nearest, {}, stop, false);
        const bool keeps_headroom = !nearest.limits.empty();
        nearest.limits.clear();
        if (result.counts.limited > 0 && least.top.empty() && keeps_headroom)
            least = searchOnce(nearest, {}, stop, false);
        if (least.top.empty()) least = searchOnce(nearest, {}, stop, true);
        if (!least.top.empty()) result.nearest = std::move(least.top.front());
    }
    result.seconds = secondsSince(start);
    return result;
}

} // namespace cardfit
