// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/rail_scale.h"

#include <algorithm>
#include <cmath>

namespace cardfit::ui {

namespace {

/// Position of `value` between two neighbouring stops, by ratio, because parallel degrees and batches grow by factors.
double shareBetween(double value, double below, double above)
{
    if (below > 0.0 && value > 0.0) return std::log(value / below) / std::log(above / below);
    return (value - below) / (above - below);
}

bool isPowerOfTwo(double value)
{
    int exponent = 0;
    return value >= 1.0 && std::frexp(value, &exponent) == 0.5;
}

} // namespace

StopVerdict stopVerdict(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Fits: return StopVerdict::Fits;
    case Verdict::Tight: return StopVerdict::Tight;
    case Verdict::Refused:
    case Verdict::Over: return StopVerdict::Over;
    case Verdict::Invalid: return StopVerdict::Invalid;
    }
    return StopVerdict::Unknown;
}

RailScale::RailScale(ScaleKind kind, std::vector<Stop> stops)
    : m_kind(kind)
    , m_stops(std::move(stops))
{
    std::ranges::sort(m_stops, {}, &Stop::value);
    const auto same = [](const Stop& a, const Stop& b) { return a.value == b.value; };
    m_stops.erase(std::unique(m_stops.begin(), m_stops.end(), same), m_stops.end());
    // 0 has no logarithm.
    if (m_kind == ScaleKind::Logarithmic && !m_stops.empty() && m_stops.front().value <= 0.0)
        m_kind = ScaleKind::Linear;
    m_all_invalid = std::ranges::all_of(m_stops, [](const Stop& s) { return s.state == StopState::Invalid; });
    m_has_powers =
        std::ranges::any_of(m_stops, [this](const Stop& s) { return isAllowed(s) && isPowerOfTwo(s.value); });
}

bool RailScale::isAllowed(const Stop& stop, StopChoice choice) const
{
    if (choice == StopChoice::PowersOfTwo && m_has_powers && !isPowerOfTwo(stop.value)) return false;
    return m_all_invalid || stop.state != StopState::Invalid;
}

double RailScale::axis(double value) const { return m_kind == ScaleKind::Logarithmic ? std::log(value) : value; }

double RailScale::place(double value) const
{
    if (m_stops.size() < 2) return 0.5;
    if (value <= m_stops.front().value) return 0.0;
    if (value >= m_stops.back().value) return 1.0;
    if (m_kind != ScaleKind::Ordinal) {
        const double low = axis(m_stops.front().value);
        return (axis(value) - low) / (axis(m_stops.back().value) - low);
    }
    const auto above = std::ranges::upper_bound(m_stops, value, {}, &Stop::value);
    const auto below = std::prev(above);
    const double index = static_cast<double>(below - m_stops.begin());
    const double share = shareBetween(value, below->value, above->value);
    return (index + share) / static_cast<double>(m_stops.size() - 1);
}

double RailScale::valueAt(double place) const
{
    if (m_stops.empty()) return 0.0;
    if (m_stops.size() == 1) return m_stops.front().value;
    const double clamped = std::clamp(place, 0.0, 1.0);
    if (m_kind != ScaleKind::Ordinal) {
        const double low = axis(m_stops.front().value);
        const double reached = low + clamped * (axis(m_stops.back().value) - low);
        return m_kind == ScaleKind::Logarithmic ? std::exp(reached) : reached;
    }
    const double index = clamped * static_cast<double>(m_stops.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(index), m_stops.size() - 2);
    const double share = index - static_cast<double>(below);
    const double low = m_stops[below].value;
    const double high = m_stops[below + 1].value;
    return low > 0.0 ? low * std::pow(high / low, share) : low + share * (high - low);
}

std::optional<std::size_t> RailScale::nearest(double at) const
{
    if (m_stops.empty()) return std::nullopt;
    const auto distance = [&](const Stop& stop) { return std::abs(place(stop.value) - at); };
    const auto found = std::ranges::min_element(m_stops, {}, distance);
    return static_cast<std::size_t>(found - m_stops.begin());
}

std::optional<std::size_t> RailScale::nearestAllowed(double at, StopChoice choice) const
{
    std::optional<std::size_t> best;
    double best_distance = 0.0;
    for (std::size_t i = 0; i < m_stops.size(); ++i) {
        if (!isAllowed(m_stops[i], choice)) continue;
        const double distance = std::abs(place(m_stops[i].value) - at);
        if (!best || distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

std::optional<double> RailScale::next(double value, int direction, StopChoice choice) const
{
    if (direction > 0) {
        const auto found =
            std::ranges::find_if(m_stops, [&](const Stop& s) { return s.value > value && isAllowed(s, choice); });
        if (found != m_stops.end()) return found->value;
        return std::nullopt;
    }
    const auto found = std::find_if(
        m_stops.rbegin(), m_stops.rend(), [&](const Stop& s) { return s.value < value && isAllowed(s, choice); });
    if (found != m_stops.rend()) return found->value;
    return std::nullopt;
}

std::optional<double> RailScale::scaled(double value, double factor) const
{
    const int direction = factor > 1.0 ? 1 : -1;
    const auto beyond = next(value, direction);
    if (!beyond) return std::nullopt;
    const double wanted = value * factor;
    double best = *beyond;
    for (const Stop& stop : m_stops) {
        if (!isAllowed(stop) || (direction > 0 ? stop.value <= value : stop.value >= value)) continue;
        if (std::abs(stop.value - wanted) < std::abs(best - wanted)) best = stop.value;
    }
    return best;
}

std::optional<double> RailScale::firstAllowed() const
{
    const auto found = std::ranges::find_if(m_stops, [&](const Stop& s) { return isAllowed(s); });
    if (found == m_stops.end()) return std::nullopt;
    return found->value;
}

std::optional<double> RailScale::lastAllowed() const
{
    const auto found = std::find_if(m_stops.rbegin(), m_stops.rend(), [&](const Stop& s) { return isAllowed(s); });
    if (found == m_stops.rend()) return std::nullopt;
    return found->value;
}

std::optional<std::size_t> RailScale::stopOf(double value) const
{
    const auto found = std::ranges::find(m_stops, value, &Stop::value);
    if (found == m_stops.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_stops.begin());
}

} // namespace cardfit::ui
