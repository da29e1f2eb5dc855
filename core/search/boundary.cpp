// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/boundary.h"

#include <algorithm>
#include <utility>

namespace cardfit {

namespace {

constexpr std::int64_t kMostPassedOver = 32;

struct Found {
    std::int64_t stop = 0;
    Trial trial;
};

/// One search on a ladder.
class Search {
public:
    Search(std::int64_t count, const Attempt& attempt)
        : m_count(count)
        , m_attempt(attempt)
    {
    }

    Boundary run(std::int64_t start)
    {
        auto found = first(Up, start, m_count - 1);
        if (!found) found = first(Down, start - 1, 0);
        if (!found) return {};
        if (found->trial.fits()) {
            m_fits = std::move(found);
            climb();
        } else {
            m_misses = std::move(found);
            descend();
        }
        halve();
        Boundary boundary;
        if (m_fits) boundary.fits = std::move(m_fits->trial);
        if (m_misses) boundary.misses = std::move(m_misses->trial);
        return boundary;
    }

private:
    enum Way : std::int64_t { Up = 1, Down = -1 };

    /// The first stop that counts on the way from `from` to `to`, both included.
    [[nodiscard]] std::optional<Found> first(Way way, std::int64_t from, std::int64_t to) const
    {
        std::int64_t left = std::min(way * (to - from), kMostPassedOver);
        for (std::int64_t stop = from; left >= 0 && stop >= 0 && stop < m_count; stop += way, --left) {
            if (auto trial = m_attempt(stop)) return Found{stop, std::move(*trial)};
        }
        return std::nullopt;
    }

    /// Walks from a stop that fits to one that does not, if there is one.
    void climb()
    {
        bool passed_end = false;
        for (std::int64_t step = 1; step >= 1;) {
            auto next = first(Up, m_fits->stop + step, m_count - 1);
            if (next && !next->trial.fits()) {
                m_misses = std::move(next);
                return;
            }
            if (next) {
                m_fits = std::move(next);
            } else {
                passed_end = true;
            }
            step = passed_end ? step / 2 : 2 * step;
        }
    }

    /// Walks from a stop that does not fit to one that does, if there is one.
    void descend()
    {
        for (std::int64_t step = 1; m_misses->stop > 0; step *= 2) {
            const std::int64_t target = std::max<std::int64_t>(0, m_misses->stop - step);
            auto next = first(Down, target, 0);
            if (!next) next = first(Up, target + 1, m_misses->stop - 1);
            if (!next) return;
            if (next->trial.fits()) {
                m_fits = std::move(next);
                return;
            }
            m_misses = std::move(next);
        }
    }

    void halve()
    {
        while (m_fits && m_misses && m_misses->stop - m_fits->stop > 1) {
            const std::int64_t middle = m_fits->stop + (m_misses->stop - m_fits->stop) / 2;
            auto next = first(Up, middle, m_misses->stop - 1);
            if (!next) next = first(Down, middle - 1, m_fits->stop + 1);
            if (!next) return;
            (next->trial.fits() ? m_fits : m_misses) = std::move(next);
        }
    }

    std::int64_t m_count;
    const Attempt& m_attempt;
    std::optional<Found> m_fits;
    std::optional<Found> m_misses;
};

} // namespace

Boundary findBoundary(std::int64_t count, std::int64_t start, const Attempt& attempt)
{
    if (count < 1) return {};
    return Search(count, attempt).run(std::clamp<std::int64_t>(start, 0, count - 1));
}

} // namespace cardfit
