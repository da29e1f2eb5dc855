// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "core/files/presets.h"

class QMenuBar;

namespace cardfit::app {

class InputsPanel;
class PlanDocument;
class PlanPickers;

/// A command that the palette lists.
struct PaletteCommand {
    QString title; ///< "File › Save"
    QString hint; ///< the shortcut, or the present value
    bool enabled = true;
    QString problem; ///< why it cannot be run; empty if it can
    std::function<void()> run;
    QString keywords = {}; ///< other words that find it
};

/// Every action of the menus, including submenus that fill themselves.
[[nodiscard]] std::vector<PaletteCommand> menuCommands(const QMenuBar& menus);

/// Published models and clusters for the open plan, and shipped plans.
[[nodiscard]] std::vector<PaletteCommand> presetCommands(const Presets& presets, PlanPickers& pickers);

/// One command for every rail that the plan offers; it moves the focus to the rail.
[[nodiscard]] std::vector<PaletteCommand> railCommands(InputsPanel& inputs, const PlanDocument& document);

/// Every choice and switch of the inputs that the plan uses: "Set › Schedule › dualpipe".
[[nodiscard]] std::vector<PaletteCommand> choiceCommands(const InputsPanel& inputs);

/// Commands that set a rail, for queries such as "tensor 4" or "model size 13B", best match first; an unreadable value
/// is reported as the problem. Empty if nothing in the query is a value.
[[nodiscard]] std::vector<PaletteCommand> railEdits(
    const QString& query, InputsPanel& inputs, const PlanDocument& document);

} // namespace cardfit::app
