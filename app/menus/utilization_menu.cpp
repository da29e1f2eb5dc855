// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus/utilization_menu.h"

#include <QActionGroup>
#include <QSettings>

#include "core/time/utilization.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

const QString kDefinition = QStringLiteral("utilization/definition");
const QString kNarrowPeak = QStringLiteral("utilization/narrowPeak");

ui::UtilizationChoice savedChoice()
{
    const QSettings settings;
    ui::UtilizationChoice choice;
    choice.narrow_peak = settings.value(kNarrowPeak, ui::UtilizationChoice{}.narrow_peak).toBool();
    const QString saved = settings.value(kDefinition).toString();
    for (const WorkDefinitionText& definition : workDefinitions()) {
        if (ui::verbatim(definition.name) == saved) choice.definition = definition.definition;
    }
    return choice;
}

} // namespace

UtilizationMenu::UtilizationMenu(ViewState& state, QWidget* parent)
    : QMenu(tr("&Utilisation"), parent)
    , m_state(state)
{
    const ui::UtilizationChoice saved = savedChoice();
    m_state.setUtilization(saved);
    setToolTipsVisible(true);
    const auto add = [this](QActionGroup* group, const QString& text, const QString& tip, bool checked, auto change) {
        QAction* action = group->addAction(text);
        action->setCheckable(true);
        action->setChecked(checked);
        ui::setTip(action, tip);
        addAction(action);
        connect(action, &QAction::triggered, this, [this, change] {
            ui::UtilizationChoice choice = m_state.utilization();
            change(choice);
            choose(choice);
        });
    };
    auto* definitions = new QActionGroup(this);
    for (const WorkDefinitionText& text : workDefinitions()) {
        const WorkDefinition definition = text.definition;
        add(definitions, ui::translated(text.title), ui::utilizationMeaning(definition), definition == saved.definition,
            [definition](ui::UtilizationChoice& choice) { choice.definition = definition; });
    }
    addSeparator();
    auto* peaks = new QActionGroup(this);
    add(peaks, tr("Against the 16-bit peak"), tr("The dense peak of bf16 and fp16, as most publications do"),
        !saved.narrow_peak, [](ui::UtilizationChoice& choice) { choice.narrow_peak = false; });
    add(peaks, tr("Against the recipe's own peak"),
        tr("The dense peak of fp8, mxfp8 or nvfp4 where the recipe computes in it"), saved.narrow_peak,
        [](ui::UtilizationChoice& choice) { choice.narrow_peak = true; });
}

void UtilizationMenu::choose(const ui::UtilizationChoice& choice)
{
    m_state.setUtilization(choice);
    QSettings settings;
    settings.setValue(kDefinition, ui::verbatim(describeWork(choice.definition).name));
    settings.setValue(kNarrowPeak, choice.narrow_peak);
}

} // namespace cardfit::app
