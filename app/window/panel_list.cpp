// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/panel_list.h"

#include <array>

#include "app/panels/advice_column.h"
#include "app/panels/cluster_panel.h"
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

QWidget* makeColumn(const PanelContext& context) { return new AdviceColumn(context); }

constexpr std::array<PanelEntry, 5> kPanels{{
    {"inputs", PanelPlace::Left, "rails", true, makeWithPresets<InputsPanel>},
    {"advice", PanelPlace::Right, "explain", true, makeColumn},
    {"table", PanelPlace::Right, "bars", true, make<TablePanel>},
    {"layers", PanelPlace::Bottom, "rails", false, make<LayerSplitPanel>},
    {"cluster", PanelPlace::Bottom, "rails", false, make<ClusterPanel>},
}};

} // namespace

std::span<const PanelEntry> panelEntries() { return kPanels; }

} // namespace cardfit::app
