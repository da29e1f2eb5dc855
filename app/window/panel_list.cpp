// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panel_list.h"

#include <array>

#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/cluster_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/layer_split_panel.h"
#include "app/panels/table_panel.h"

namespace cardfit::app {

namespace {

template <class Panel> QWidget* make(const PanelContext& context) { return new Panel(context.document, context.state); }
template <class Panel> QWidget* makeWithPresets(const PanelContext& context)
{
    return new Panel(context.document, context.presets);
}

constexpr std::array<PanelEntry, 7> kPanels{{
    {"inputs", PanelPlace::Left, "rails", true, makeWithPresets<InputsPanel>},
    {"checks", PanelPlace::RightTop, "explain", true, makeWithPresets<ChecksPanel>},
    // Explanations and advice are longer than the list of checks, so they share the taller place below it.
    {"table", PanelPlace::RightBottom, "bars", true, make<TablePanel>},
    {"explain", PanelPlace::RightBottom, "explain", true, make<ExplainPanel>},
    {"advice", PanelPlace::RightBottom, "explain", true, make<AdvicePanel>},
    {"layers", PanelPlace::Bottom, "rails", false, make<LayerSplitPanel>},
    {"cluster", PanelPlace::Bottom, "rails", false, make<ClusterPanel>},
}};

} // namespace

std::span<const PanelEntry> panelEntries() { return kPanels; }

} // namespace cardfit::app
