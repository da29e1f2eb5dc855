// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/constant_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "core/accuracy/error_summary.h"
#include "core/base/parallel.h"
#include "core/estimate/estimate.h"
#include "core/time/error_band.h"

namespace cardfit {

namespace {

constexpr double kOff = 0.1;
constexpr int kSteps = 4; ///< of the grid, to each side
const double kStep = std::log(2.0) / kSteps;

/// Signed errors of all cases, in their order.
using Errors = std::vector<double>;

class Judge {
public:
    explicit Judge(std::span<const MeasuredTime> cases)
    {
        for (const MeasuredTime& one : cases) {
            const bool recurrent = runClasses(one.plan, {}).front().recurrent.value_or(false);
            if (!recurrent && estimate(one.plan).complete()) m_cases.push_back(&one);
        }
    }

    [[nodiscard]] Errors errors(const Constants& constants) const
    {
        Errors errors;
        for (const MeasuredTime* one : m_cases) {
            Plan plan = one->plan;
            plan.constants = constants;
            const double predicted = figuresOf(plan).step.tokens_per_second_per_card;
            errors.push_back(one->tokens_per_second_per_card / predicted - 1.0);
        }
        return errors;
    }

    [[nodiscard]] SourceErrors bySource(const Errors& errors) const
    {
        std::map<std::string, Errors> sources;
        for (std::size_t i = 0; i < errors.size(); ++i)
            sources[m_cases[i]->group].push_back(errors[i]);
        SourceErrors medians;
        for (const auto& [source, of_source] : sources)
            medians[source] = summarizeErrors(of_source).median;
        return medians;
    }

    [[nodiscard]] const std::string& source(std::size_t one) const { return m_cases[one]->group; }

private:
    std::vector<const MeasuredTime*> m_cases;
};

/// Looks for the best value of one constant.
class Search {
public:
    Search(const Judge& judge, Constant constant, const Errors& shipped)
        : m_judge(judge)
        , m_constant(constant)
        , m_shipped(shipped)
    {
    }

    ConstantFit fit()
    {
        ConstantFit made;
        made.constant = m_constant;
        const double shipped_cost = costAt(0.0);
        made.growth = std::min(costAt(std::log(1.0 - kOff)), costAt(std::log(1.0 + kOff))) - shipped_cost;
        double best = 0.0;
        for (int i = -kSteps; i <= kSteps; ++i) {
            const double log = i * kStep;
            const double cost = costAt(log);
            const double least = costAt(best);
            if (cost < least || (cost == least && std::abs(log) < std::abs(best))) best = log;
        }
        const double bound = kSteps * kStep;
        golden(std::max(best - kStep, -bound), std::min(best + kStep, bound));
        best = nearestOfBest();
        made.at_bound = std::abs(best) > bound - kStep / 8.0;
        made.value = best == 0.0 ? shipped(m_constant) : threeDigits(shipped(m_constant) * std::exp(best));
        made.errors = m_judge.bySource(errorsWith(made.value));
        made.cases = m_cases;
        made.sources = static_cast<std::int64_t>(m_sources.size());
        return made;
    }

private:
    [[nodiscard]] Errors errorsWith(double value) const
    {
        Constants constants;
        constants.set(m_constant, value);
        return m_judge.errors(constants);
    }

    /// Mean error with e to this power times what ships; notes what moves.
    double costAt(double log)
    {
        if (const auto known = m_costs.find(log); known != m_costs.end()) return known->second;
        const Errors errors = log == 0.0 ? m_shipped : errorsWith(shipped(m_constant) * std::exp(log));
        std::int64_t moved = 0;
        for (std::size_t i = 0; i < errors.size(); ++i) {
            if (errors[i] == m_shipped[i]) continue;
            ++moved;
            m_sources.insert(m_judge.source(i));
        }
        m_cases = std::max(m_cases, moved);
        return m_costs[log] = meanOf(m_judge.bySource(errors));
    }

    /// Kiefer 1953: asks for values on the way to the least one between two.
    void golden(double low, double high)
    {
        constexpr double kWidth = 0.01;
        const double share = (std::sqrt(5.0) - 1.0) / 2.0;
        double left = high - share * (high - low);
        double right = low + share * (high - low);
        double at_left = costAt(left);
        double at_right = costAt(right);
        while (high - low > kWidth) {
            if (at_left <= at_right) {
                high = right;
                right = left;
                at_right = at_left;
                left = high - share * (high - low);
                at_left = costAt(left);
            } else {
                low = left;
                left = right;
                at_left = at_right;
                right = low + share * (high - low);
                at_right = costAt(right);
            }
        }
    }

    /// Of a plateau what is nearest to what ships.
    [[nodiscard]] double nearestOfBest() const
    {
        constexpr double kAsGood = 1e-6;
        const double least = std::ranges::min_element(m_costs, {}, [](const auto& one) { return one.second; })->second;
        double nearest = INFINITY;
        for (const auto& [log, cost] : m_costs) {
            if (cost < least + kAsGood && std::abs(log) < std::abs(nearest)) nearest = log;
        }
        return nearest;
    }

    static double threeDigits(double value) { return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr); }

    const Judge& m_judge;
    Constant m_constant;
    const Errors& m_shipped;
    std::map<double, double> m_costs; ///< by logarithm over what ships
    std::set<std::string> m_sources; ///< some case of which moved
    std::int64_t m_cases = 0;
};

} // namespace

double meanOf(const SourceErrors& errors)
{
    double sum = 0.0;
    for (const auto& [source, error] : errors)
        sum += error;
    return errors.empty() ? 0.0 : sum / static_cast<double>(errors.size());
}

ConstantFits fitConstants(std::span<const MeasuredTime> cases)
{
    std::vector<Constant> asked;
    for (const ConstantRow& row : constantRows()) {
        if (row.asked) asked.push_back(row.value);
    }
    return fitConstants(cases, asked);
}

ConstantFits fitConstants(std::span<const MeasuredTime> cases, std::span<const Constant> asked)
{
    const Judge judge(cases);
    const Errors shipped = judge.errors({});
    ConstantFits made;
    made.shipped = judge.bySource(shipped);
    made.fits.resize(asked.size());
    forEachInParallel(asked.size(), [&](std::size_t i) { made.fits[i] = Search(judge, asked[i], shipped).fit(); });
    Constants together;
    for (const ConstantFit& fit : made.fits) {
        if (fit.told()) together.set(fit.constant, fit.value);
    }
    made.together = judge.bySource(judge.errors(together));
    return made;
}

} // namespace cardfit
