// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/palette/palette_commands.h"
#include "app/controls/menu_text.h"

#include <algorithm>

#include <QAction>
#include <QCheckBox>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QRegularExpression>

#include "app/document/plan_document.h"
#include "app/document/plan_quantities.h"
#include "app/menus/plan_pickers.h"
#include "app/palette/command_palette.h"
#include "app/palette/fuzzy_match.h"
#include "app/panels/inputs_panel.h"
#include "widgets/controls/quiet_combo_box.h"

namespace cardfit::app {

namespace {

QString keysOf(const QAction& action)
{
    // A key that a chart handles itself appears only in the text; the action has no shortcut.
    return action.shortcut().isEmpty() ? action.text().section(u'\t', 1)
                                       : action.shortcut().toString(QKeySequence::NativeText);
}

void collect(const QList<QAction*>& actions, const QString& path, std::vector<PaletteCommand>& commands)
{
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible() || action->property(kNotInPalette).toBool()) continue;
        QString title = withoutMnemonic(action->text());
        if (!path.isEmpty()) title = CommandPalette::tr("%1 › %2").arg(path, title);
        if (QMenu* menu = action->menu()) {
            // Some menus are filled, or update their actions, only when they open.
            emit menu->aboutToShow();
            collect(menu->actions(), title, commands);
            continue;
        }
        if (action->isChecked()) title = CommandPalette::tr("%1 (on)").arg(title);
        commands.push_back({title, keysOf(*action), action->isEnabled(), {},
            [target = QPointer(action)] {
                if (target != nullptr) target->trigger();
            },
            action->property(kPaletteKeywords).toString()});
    }
}

QString valueText(const PlanQuantity& quantity, double value)
{
    return QStringLiteral("%1 %2")
        .arg(ui::formatQuantity(value, quantity.format.kind), quantityUnit(quantity))
        .trimmed();
}

} // namespace

std::vector<PaletteCommand> menuCommands(const QMenuBar& menus)
{
    std::vector<PaletteCommand> commands;
    collect(menus.actions(), {}, commands);
    return commands;
}

std::vector<PaletteCommand> presetCommands(const Presets& presets, PlanPickers& pickers)
{
    std::vector<PaletteCommand> commands;
    const auto add = [&](const auto& preset, const std::string& name, const QString& title, auto pick) {
        const QString id = QString::fromStdString(preset.id);
        commands.push_back(
            {title.arg(QString::fromStdString(name)), {}, true, {}, [&pickers, pick, id] { (pickers.*pick)(id); }});
    };
    for (const Model& model : presets.models)
        add(model, model.name, CommandPalette::tr("Model › %1"), &PlanPickers::pickModel);
    for (const Cluster& cluster : presets.clusters)
        add(cluster, cluster.name, CommandPalette::tr("Cluster › %1"), &PlanPickers::pickCluster);
    return commands;
}

std::vector<PaletteCommand> railCommands(InputsPanel& inputs, const PlanDocument& document)
{
    std::vector<PaletteCommand> commands;
    for (const PlanQuantity& quantity : planQuantities()) {
        if (!isOffered(quantity, document.plan())) continue;
        commands.push_back({CommandPalette::tr("Set › %1").arg(quantityLabel(quantity, document.plan())),
            valueText(quantity, quantity.read(document.plan())), true, {},
            [&inputs, id = quantity.id] { inputs.goToRail(id); }, quantityKeywords(quantity)});
    }
    return commands;
}

std::vector<PaletteCommand> choiceCommands(const InputsPanel& inputs)
{
    std::vector<PaletteCommand> commands;
    // Includes controls in closed groups, but not those that the plan does not use.
    for (auto* box : inputs.findChildren<ui::QuietComboBox*>()) {
        if (box->isHidden() || box->isEditable()) continue;
        for (int index = 0; index < box->count(); ++index) {
            QString title = CommandPalette::tr("Set › %1 › %2").arg(box->accessibleName(), box->itemText(index));
            if (index == box->currentIndex()) title = CommandPalette::tr("%1 (on)").arg(title);
            commands.push_back({title, {}, true, {}, [box = QPointer(box), index] {
                                    if (box == nullptr) return;
                                    box->setCurrentIndex(index);
                                    emit box->activated(index);
                                }});
        }
    }
    for (auto* box : inputs.findChildren<QCheckBox*>()) {
        if (box->isHidden() || box->text().isEmpty()) continue;
        QString title = CommandPalette::tr("Set › %1").arg(withoutMnemonic(box->text()));
        if (box->isChecked()) title = CommandPalette::tr("%1 (on)").arg(title);
        commands.push_back({title, {}, box->isEnabled(), {}, [box = QPointer(box)] {
                                if (box != nullptr) box->click();
                            }});
    }
    return commands;
}

std::vector<PaletteCommand> railEdits(const QString& query, InputsPanel& inputs, const PlanDocument& document)
{
    // The value starts at the first digit that begins a word.
    static const QRegularExpression kNameAndValue(QStringLiteral("^(.*?\\S)(?:\\s+|\\s*=\\s*)([0-9].*)$"));
    const auto match = kNameAndValue.match(query);
    if (!match.hasMatch()) return {};

    struct Answer {
        int score;
        PaletteCommand command;
    };
    std::vector<Answer> answers;
    for (const PlanQuantity& quantity : planQuantities()) {
        const auto score = fuzzyScore(match.captured(1), quantityLabel(quantity, document.plan()));
        if (!score || !isOffered(quantity, document.plan())) continue;
        const auto value = ui::parseQuantity(match.captured(2), quantityFormat(quantity, document.plan()));
        const auto formula = derivation(quantity, document.plan(), document.derivedFactor());
        PaletteCommand command;
        command.title =
            CommandPalette::tr("Set › %1 › %2")
                .arg(quantityLabel(quantity, document.plan()), value ? valueText(quantity, *value) : match.captured(2));
        command.hint = valueText(quantity, quantity.read(document.plan()));
        if (formula)
            command.problem = CommandPalette::tr("follows: %1").arg(*formula);
        else if (!value)
            command.problem = value.error();
        command.enabled = command.problem.isEmpty();
        if (command.enabled) command.run = [&inputs, id = quantity.id, set = *value] { inputs.setRail(id, set); };
        answers.push_back({*score, std::move(command)});
    }
    std::ranges::stable_sort(answers, [](const Answer& one, const Answer& other) { return one.score > other.score; });
    std::vector<PaletteCommand> commands;
    for (Answer& answer : answers)
        commands.push_back(std::move(answer.command));
    return commands;
}

} // namespace cardfit::app
