// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "core/io/plan/presets.h"

class QMenuBar;

namespace cardfit::app {

class InputsPanel;
class PlanDocument;
class PlanPickers;

/// Something that the palette can do.
struct PaletteCommand {
    QString title; ///< "File › Save"
    QString hint; ///< shortcut, or the value as it is
    bool enabled = true;
    QString problem; ///< why it cannot be done; empty if it can
    std::function<void()> run;
    QString keywords = {}; ///< other words that find it
};

/// The property of an action that holds other words by which the palette finds it.
inline constexpr const char* kPaletteKeywords = "palette_keywords";

/// Every action of the menus, those of submenus that fill themselves included.
[[nodiscard]] std::vector<PaletteCommand> menuCommands(const QMenuBar& menus);

/// Published models and clusters for the open plan, and shipped plans.
[[nodiscard]] std::vector<PaletteCommand> presetCommands(const Presets& presets, PlanPickers& pickers);

/// Every rail that the plan offers, to go to.
[[nodiscard]] std::vector<PaletteCommand> railCommands(InputsPanel& inputs, const PlanDocument& document);

/// Every word and switch of the inputs that the plan has a use for, to choose: "Set › Schedule › dualpipe".
[[nodiscard]] std::vector<PaletteCommand> choiceCommands(const InputsPanel& inputs);

/// The rails that "tensor 4" or "model size 13B" sets, best answer first; a value that cannot be read says why. None
/// if nothing in the query is a value.
[[nodiscard]] std::vector<PaletteCommand> railEdits(
    const QString& query, InputsPanel& inputs, const PlanDocument& document);

} // namespace cardfit::app
