// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/solve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/plan/edits.h"
#include "core/search/model_ladder.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

constexpr std::int64_t kMostSolvedCards = std::int64_t{1} << 17;
constexpr std::string_view kNodes = "/cluster/nodes";

bool boundsRun(const SearchLimit& limit)
{
    return limit.below
        && (limit.figure == SearchFigure::Days || limit.figure == SearchFigure::Cost
            || limit.figure == SearchFigure::Energy);
}

/// The values of a degree in a space.
std::vector<std::int64_t> degreeValues(const SearchSpace& space, std::string_view pointer)
{
    std::vector<std::int64_t> values;
    const SearchAxis* axis = space.axis(pointer);
    for (const AxisValue& value : axis == nullptr ? std::vector{pinnedValue(space.base, pointer)} : axis->values) {
        if (const auto* number = std::get_if<std::int64_t>(&value.value)) values.push_back(*number);
    }
    return values;
}

/// Whether some degrees divide the cards, and their replicas the global batch.
bool dividesSomehow(const SearchSpace& space)
{
    const std::int64_t cards = cardCount(space.base.cluster);
    for (const std::int64_t tensor : degreeValues(space, "/parallelism/tensor")) {
        for (const std::int64_t pipeline : degreeValues(space, "/parallelism/pipeline")) {
            for (const std::int64_t context : degreeValues(space, "/parallelism/context")) {
                const std::int64_t replica = tensor * pipeline * context;
                if (replica > 0 && cards % replica == 0
                    && space.base.workload.global_batch_size % (cards / replica) == 0)
                    return true;
            }
        }
    }
    return false;
}

/// One question. Every search is counted.
class Solver {
public:
    Solver(const SolveRequest& request, std::stop_token stop)
        : m_request(request)
        , m_stop(std::move(stop))
    {
        m_solved.unknown = request.unknown;
        m_solved.plan = request.plan;
    }

    Result<Solved> run()
    {
        switch (m_request.unknown) {
        case Unknown::Cards: cards(); break;
        case Unknown::Tokens: tokens(); break;
        case Unknown::Parameters: parameters(); break;
        }
        if (m_error) return tl::unexpected<Error>(*std::move(m_error));
        m_solved.proven = !m_stop.stop_requested();
        return std::move(m_solved);
    }

private:
    struct Attempt {
        TriedValue tried;
        Plan plan;
        bool keeps = false;
    };

    [[nodiscard]] bool over() const { return m_error || m_stop.stop_requested(); }

    /// The search of a changed plan for the best by one figure; none after an error.
    std::optional<SearchRequest> searchOf(const Plan& plan, SearchFigure objective)
    {
        auto search = m_request.search(plan);
        if (!search) {
            m_error = search.error();
            return std::nullopt;
        }
        search->objective = objective;
        search->top = 1;
        search->pareto.clear();
        search->why = false;
        search->over = 0;
        return *std::move(search);
    }

    std::optional<FoundPlan> best(const SearchRequest& search)
    {
        ++m_solved.searches;
        SearchResult result = findPlans(search, {}, m_stop);
        if (result.top.empty()) return std::nullopt;
        return std::move(result.top.front());
    }

    /// The fastest plan that keeps all other limits decides whether one keeps those on days.
    Attempt attempt(double value, const Plan& plan)
    {
        Attempt made{{value, std::nullopt}, plan, false};
        auto search = searchOf(plan, SearchFigure::Days);
        if (!search) return made;
        std::vector<SearchLimit> of_days;
        std::erase_if(search->limits, [&](const SearchLimit& limit) {
            const bool dropped = limit.figure == SearchFigure::Days && limit.below;
            if (dropped) of_days.push_back(limit);
            return dropped;
        });
        if (const auto fastest = best(*search)) {
            made.tried.days = fastest->days;
            made.keeps = std::ranges::all_of(of_days,
                [&](const SearchLimit& limit) { return keeps(limit, figureOf(*fastest, SearchFigure::Days)); });
        }
        return made;
    }

    void take(Attempt made)
    {
        m_solved.found = made.tried;
        m_solved.plan = std::move(made.plan);
    }

    /// A number of cards on which no plan is legal says nothing of the deadline.
    void miss(const TriedValue& tried)
    {
        if (tried.days || !m_solved.misses) m_solved.misses = tried;
    }

    Attempt onNodes(std::int64_t nodes)
    {
        Plan plan = m_request.plan;
        plan.cluster.nodes = nodes;
        plan.parallelism.data.reset(); // follows from the cards
        return attempt(static_cast<double>(cardCount(plan.cluster)), plan);
    }

    /// The first of ascending numbers of nodes that keeps the limits.
    bool scanNodes(const std::vector<std::int64_t>& all)
    {
        for (const std::int64_t nodes : all) {
            Attempt made = onNodes(nodes);
            if (over()) return true;
            if (made.keeps) {
                take(std::move(made));
                return true;
            }
            miss(made.tried);
        }
        return false;
    }

    void cards()
    {
        if (!m_request.nodes.empty()) {
            scanNodes(m_request.nodes);
            return;
        }
        const std::int64_t most = std::max<std::int64_t>(
            1, kMostSolvedCards / std::max<std::int64_t>(1, m_request.plan.cluster.cards_per_node));
        std::int64_t below = 0; // misses
        std::int64_t enough = 1;
        std::optional<Attempt> kept;
        for (; enough <= most; enough *= 2) {
            Attempt made = onNodes(enough);
            if (over()) return;
            if (made.keeps) {
                kept = std::move(made);
                break;
            }
            miss(made.tried);
            below = enough;
        }
        if (!kept) return;
        std::vector<std::int64_t> between;
        for (std::int64_t nodes = below + 1; nodes < enough; ++nodes) {
            Plan plan = m_request.plan;
            plan.cluster.nodes = nodes;
            plan.parallelism.data.reset();
            const auto search = searchOf(plan, SearchFigure::Days);
            if (!search) return;
            if (dividesSomehow(search->space)) between.push_back(nodes);
        }
        if (!scanNodes(between)) take(*std::move(kept));
    }

    void tokens()
    {
        Plan plan = m_request.plan;
        const double step = tokensPerStep(plan);
        const auto withSteps = [&](double steps) {
            plan.workload.tokens = steps * step;
            return plan;
        };
        // Days, cost and energy of every plan are proportional to its tokens.
        constexpr double kSteps = 1e6;
        auto search = searchOf(withSteps(kSteps), SearchFigure::Days);
        if (!search) return;
        std::vector<SearchLimit> of_run;
        std::erase_if(search->limits, [&](const SearchLimit& limit) {
            if (boundsRun(limit)) of_run.push_back(limit);
            return boundsRun(limit);
        });
        double most = 1e18 / step;
        for (const SearchLimit& limit : of_run) {
            search->objective = limit.figure;
            const auto least = best(*search);
            if (!least || over()) return;
            most = std::min(most, std::floor(limit.value / least->objective * kSteps));
        }
        const auto tryOut = [&](double steps) {
            const Plan changed = withSteps(steps);
            Attempt made{{steps * step, std::nullopt}, changed, false};
            const auto asked = searchOf(changed, SearchFigure::Days);
            if (!asked) return made;
            if (const auto found = best(*asked)) {
                made.tried.days = found->days;
                made.keeps = true;
            }
            return made;
        };
        // The division may have rounded up.
        constexpr double kRounded = 1.0;
        double missed = most + 1.0;
        double kept = 0.0;
        for (double steps = most; steps >= 1.0 && !over();) {
            Attempt made = tryOut(steps);
            if (made.keeps) {
                kept = steps;
                take(std::move(made));
            } else {
                missed = steps;
            }
            constexpr double kClose = 1e-3;
            if (missed - kept <= std::max(1.0, of_run.size() > 1 ? kClose * kept : 0.0)) break;
            steps = missed == most && of_run.size() == 1 ? most - kRounded : std::floor(0.5 * (kept + missed));
        }
        m_solved.misses = TriedValue{missed * step, std::nullopt};
    }

    void parameters()
    {
        const ModelLadder ladder(m_request.plan);
        const std::int64_t last = ladder.count() - 1;
        const auto at = [&](std::int64_t stop) {
            const Plan plan = withModel(m_request.plan, ladder.at(stop));
            return attempt(static_cast<double>(parameterCount(plan.model.architecture)), plan);
        };
        std::int64_t kept = -1;
        std::int64_t missed = last + 1;
        std::int64_t stop = std::clamp<std::int64_t>(ladder.own(), 0, last);
        for (std::int64_t step = 1; !over(); step *= 2) {
            Attempt made = at(stop);
            if (over()) return;
            const bool keeps_limits = made.keeps;
            if (keeps_limits) {
                kept = stop;
                take(std::move(made));
            } else {
                missed = stop;
                m_solved.misses = made.tried;
            }
            if ((kept >= 0 && missed <= last) || kept == last || missed == 0) break;
            stop = std::clamp<std::int64_t>(keeps_limits ? stop + step : stop - step, 0, last);
        }
        while (kept >= 0 && missed - kept > 1 && !over()) {
            const std::int64_t middle = kept + (missed - kept) / 2;
            Attempt made = at(middle);
            if (over()) return;
            if (made.keeps) {
                kept = middle;
                take(std::move(made));
            } else {
                missed = middle;
                m_solved.misses = made.tried;
            }
        }
    }

    const SolveRequest& m_request;
    std::stop_token m_stop;
    Solved m_solved;
    std::optional<Error> m_error;
};

} // namespace

template <> std::span<const EnumName<Unknown>> names()
{
    static constexpr auto kNames = std::to_array<EnumName<Unknown>>(
        {{Unknown::Cards, "cards"}, {Unknown::Tokens, "tokens"}, {Unknown::Parameters, "parameters"}});
    return kNames;
}

std::optional<Error> refusal(const SolveRequest& request, const SearchRequest& asked)
{
    const auto refuse = [&](Sentence why) { return Error{ErrorCode::Usage, "--solve", {}, std::move(why)}; };
    if (request.plan.workload.task == Task::Inference)
        return refuse(Sentence::tr("a served model has no run that a deadline or a budget could bound"));
    const auto limits = [&](SearchFigure figure) {
        return std::ranges::any_of(
            asked.limits, [&](const SearchLimit& limit) { return limit.below && limit.figure == figure; });
    };
    if (request.unknown == Unknown::Cards && !limits(SearchFigure::Days))
        return refuse(Sentence::tr("{} needs --deadline", {name(request.unknown)}));
    if (std::ranges::none_of(asked.limits, boundsRun))
        return refuse(Sentence::tr("{} needs --deadline or --budget", {name(request.unknown)}));
    const SearchAxis* nodes = asked.space.axis(kNodes);
    if (request.unknown == Unknown::Cards && nodes != nullptr && nodes->values.size() > 1)
        return refuse(Sentence::tr("cards are solved for: name the numbers to try with --cards"));
    return std::nullopt;
}

Result<Solved> solve(const SolveRequest& request, std::stop_token stop)
{
    return Solver(request, std::move(stop)).run();
}

} // namespace cardfit
