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

/// What a search has found so far, and what it may therefore discard.
namespace cardfit {

/// What bounds can say of a plan's place in the order; less is better.
struct Merit {
    double objective = 0.0;
    double seconds = 0.0; ///< a token: the first of the tie-breakers

    auto operator<=>(const Merit&) const = default;
};

/// What is remembered of an evaluated plan.
struct Candidate {
    std::uint64_t number = 0;
    double objective = 0.0;
    std::array<double, 3> front{}; ///< the figures of the Pareto front
    TieOrder tie;

    [[nodiscard]] Merit merit() const { return {objective, tie.seconds}; }
};

/// A point of the space and the bucket that it ended in.
struct DecidedPoint {
    enum class Bucket : std::uint8_t { Evaluated, OverMemory, Slower, Limited, Rule };
    std::uint64_t number = 0;
    Bucket bucket = Bucket::Slower;
    Candidate found; ///< if evaluated
    BranchBounds::Deficit deficit; ///< if over memory: a bound, or exact
    double bound = 0.0; ///< if slower: on its objective
    std::string rule;
};

/// The best plans of every tuple of degrees, the front, near misses, counts. Several threads may read it while nothing
/// changes it.
class SearchFindings {
public:
    /// Requires a request that outlives this. `deficits`: minimize the deficit instead of the objective, without a
    /// front. `rows`: number of best plans, copies included, that every threshold leaves in.
    SearchFindings(const SearchRequest& request, bool deficits, std::size_t rows);

    void take(const std::vector<DecidedPoint>& points);
    /// Takes `points` points of one tuple of degrees that ended as the first of them did, unevaluated.
    void takeAlike(const DecidedPoint& first, std::uint64_t points);
    void offer(const Candidate& found);
    /// Fixes the threshold that plans of the next round have to beat.
    void startRound();

    [[nodiscard]] bool empty() const { return m_best.empty(); }
    /// The worst plan still offered, as of the start of the round.
    [[nodiscard]] const Merit& threshold() const { return m_threshold; }
    /// Whether every plan that may be offered was compared. Plans that turn out to be copies of others may leave fewer
    /// to offer than a threshold counted on; then the search has to be repeated with more rows.
    [[nodiscard]] bool isExact() const;
    /// Whether no plan with these degrees would be offered if its merit and front figures are at least these.
    [[nodiscard]] bool isBeaten(std::uint64_t degrees, const Merit& merit, const std::array<double, 3>& least) const;

    /// Whether a plan over memory by at least this may be one of those shown beside the plans that fit.
    [[nodiscard]] bool mayBeNear(Bytes over) const;

    /// Adds the points that break rules, which were found before any plan was evaluated.
    void addRules(const std::map<std::string, std::uint64_t>& counts, std::map<std::string, std::uint64_t> examples);
    [[nodiscard]] const SearchCounts& counts() const { return m_counts; }
    [[nodiscard]] const SearchExamples& examples() const { return m_examples; }

    // As rows; best first.
    [[nodiscard]] std::vector<FoundPlan> topRows();
    [[nodiscard]] std::vector<FoundPlan> frontRows();
    [[nodiscard]] std::vector<FoundPlan> overRows(const std::stop_token& stop) const;
    /// See SearchResult::why; empty if stopped.
    [[nodiscard]] std::vector<DegreesFate> reasons(const std::stop_token& stop) const;

private:
    /// A plan over memory.
    struct NearMiss {
        Bytes over; ///< at least
        std::uint64_t number = 0;
        std::uint64_t degrees = 0;
    };
    /// What is known of the points with some degrees that were not evaluated.
    struct Note {
        std::optional<double> slower; ///< the least bound
        std::uint64_t slower_number = 0;
        std::optional<std::uint64_t> limited;
        std::optional<BranchBounds::Deficit> over; ///< the least
        std::uint64_t over_number = 0;
    };

    [[nodiscard]] bool hasFront() const { return !m_deficits && !m_request.pareto.empty(); }
    [[nodiscard]] bool isLess(const Candidate& a, const Candidate& b) const;
    [[nodiscard]] bool isDominated(const std::array<double, 3>& least) const;
    struct Best {
        Candidate plan;
        std::uint64_t copies = 0; ///< in other degrees
    };
    [[nodiscard]] std::vector<Best> best() const;
    [[nodiscard]] Merit thresholdNow() const;
    [[nodiscard]] std::optional<FoundPlan> rowAt(std::uint64_t number) const;
    [[nodiscard]] const FoundPlan& row(const Candidate& one);
    void count(const DecidedPoint& point, std::uint64_t points);
    void keepNear(const DecidedPoint& point);
    void note(const DecidedPoint& point);
    [[nodiscard]] static DegreesFate fateOf(const Note& note);
    [[nodiscard]] std::optional<DegreesFate> fateOf(std::uint64_t tuple, std::uint64_t best) const;
    void makeExact(DegreesFate& fate) const;
    [[nodiscard]] std::vector<DegreesFate> groupedReasons(std::uint64_t best) const;

    const SearchRequest& m_request;
    const SearchSpace& m_space;
    bool m_deficits;
    std::size_t m_rows_kept;
    Merit m_threshold;
    Merit m_least_threshold; ///< of all rounds
    SearchCounts m_counts;
    SearchExamples m_examples;
    Bytes m_least_over; ///< deficit of the example that is over memory
    std::unordered_map<std::uint64_t, Candidate> m_best; ///< by degrees
    std::vector<Candidate> m_front;
    std::vector<NearMiss> m_near; ///< least first
    std::unordered_map<std::uint64_t, FoundPlan> m_rows; ///< rows made so far
    std::unordered_map<std::uint64_t, Note> m_notes; ///< by degrees
};

} // namespace cardfit
