// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/estimate_chart.h"

#include <utility>

#include "widgets/chart/labels.h"

namespace cardfit::ui {

void EstimateChart::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate == m_estimate && outdated().isEmpty()) return;
    if (estimate && !estimate->complete()) return setOutdated(brokenRulesText(*estimate));
    const auto before = std::exchange(m_estimate, std::move(estimate));
    setOutdated({});
    hideHover();
    pointerLeft();
    estimateChanged(before.get());
    rebuild();
}

void EstimateChart::setUnit(ByteUnit unit)
{
    if (unit == m_unit) return;
    m_unit = unit;
    hideHover();
    rebuild();
}

void EstimateChart::setPins(std::vector<PinnedEstimate> pins)
{
    if (pins == m_pins) return;
    m_pins = std::move(pins);
    hideHover();
    rebuild();
}

void EstimateChart::setPin(const std::optional<PinnedEstimate>& pin)
{
    setPins(pin ? std::vector{*pin} : std::vector<PinnedEstimate>());
}

void EstimateChart::adaptTheme(Theme& theme) const
{
    const bool served = m_estimate && m_estimate->isServed();
    theme.segments[static_cast<std::size_t>(Segment::Activations)].letter = served ? u'K' : u'A';
}

void EstimateChart::setHoveredStage(int stage)
{
    if (stage == m_hovered) return;
    m_hovered = stage;
    emit stageHovered(stage);
}

} // namespace cardfit::ui
