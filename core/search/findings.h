// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/search/bounds.h"
#include "core/search/find.h"
#include "core/search/tie_order.h"

/// What a search has found so far, and what it may discard for it.
namespace cardfit {

/// What is remembered of an evaluated plan.
struct Candidate {
    std::uint64_t number = 0;
    double objective = 0.0;
    std::array<double, 3> front{}; ///< the figures of the Pareto front
    TieOrder tie;
};

/// A point of the space and where it ended.
struct DecidedPoint {
    enum class Bucket : std::uint8_t { Evaluated, OverMemory, Slower, Limited, Rule };
    std::uint64_t number = 0;
    Bucket bucket = Bucket::Slower;
    Candidate found; ///< if evaluated
    BranchBounds::Deficit deficit; ///< if over memory: a bound, or exact
    std::string rule;
};

/// The best plans of every tuple of degrees, the front, near misses, counts. Read by several threads between two
/// changes.
class SearchFindings {
public:
    /// Requires a request that outlives this. `deficits`: the objective is the least deficit; there is no front.
    SearchFindings(const SearchRequest& request, bool deficits);

    void take(const std::vector<DecidedPoint>& points);
    void offer(const Candidate& found);
    /// Fixes what the plans of the next round have to be better than.
    void startRound();

    [[nodiscard]] bool empty() const { return m_best.empty(); }
    /// The worst objective that is still offered, as of the round's start.
    [[nodiscard]] double threshold() const { return m_threshold; }
    /// Whether nothing of these degrees that has at least this objective and these figures of the front would be
    /// offered.
    [[nodiscard]] bool isBeaten(std::uint64_t degrees, double objective, const std::array<double, 3>& least) const;

    /// The points of one rule, found before any plan was looked at.
    void addRules(const std::map<std::string, std::uint64_t>& counts, std::map<std::string, std::uint64_t> examples);
    [[nodiscard]] const SearchCounts& counts() const { return m_counts; }
    [[nodiscard]] const SearchExamples& examples() const { return m_examples; }

    // As rows; best first.
    [[nodiscard]] std::vector<FoundPlan> topRows();
    [[nodiscard]] std::vector<FoundPlan> frontRows();
    [[nodiscard]] std::vector<FoundPlan> overRows(const std::stop_token& stop) const;
    [[nodiscard]] std::vector<DegreesFate> reasons() const;

private:
    /// A plan over memory.
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

    [[nodiscard]] bool hasFront() const { return !m_deficits && !m_request.pareto.empty(); }
    [[nodiscard]] bool isLess(const Candidate& a, const Candidate& b) const;
    [[nodiscard]] bool isDominated(const std::array<double, 3>& least) const;
    [[nodiscard]] std::vector<Candidate> best() const;
    [[nodiscard]] const FoundPlan& row(const Candidate& one);
    void keepNear(const DecidedPoint& point);
    void note(const DecidedPoint& point);

    const SearchRequest& m_request;
    const SearchSpace& m_space;
    bool m_deficits;
    double m_threshold;
    SearchCounts m_counts;
    SearchExamples m_examples;
    Bytes m_least_over; ///< of the example that is over memory
    std::unordered_map<std::uint64_t, Candidate> m_best; ///< by degrees
    std::vector<Candidate> m_front;
    std::vector<NearMiss> m_near; ///< least first
    std::unordered_map<std::uint64_t, FoundPlan> m_rows; ///< that were shown
    std::unordered_map<std::uint64_t, Note> m_notes; ///< by degrees
};

} // namespace cardfit
