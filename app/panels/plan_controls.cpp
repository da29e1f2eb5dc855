// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/plan_controls.h"

#include <algorithm>
#include <array>

#include <QCheckBox>
#include <QCoreApplication>

#include "core/plan/edits.h"
#include "core/plan/field_table.h"
#include "core/rules/checks.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

struct Controls {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::PlanControls)
};

/// Why a change is not possible: the first error that it adds; empty if it adds none.
QString newError(const Plan& before, const Plan& after)
{
    const auto now = check(before);
    for (const Check& broken : check(after)) {
        const auto same = [&](const Check& known) { return known.id == broken.id && known.message == broken.message; };
        if (broken.severity == Severity::Error && std::ranges::none_of(now, same))
            return ui::translated(broken.message);
    }
    return {};
}

/// The plan with a word chosen, and what follows from it.
Plan withChoice(Plan plan, const Field& field, const FieldValue& value)
{
    if (field.pointer == pointerOf<&Recipe::schedule>) {
        const auto schedule = fromName<Schedule>(std::get<std::string>(value));
        return withSchedule(std::move(plan), schedule.value_or(plan.recipe.schedule));
    }
    field.set(plan, value);
    return plan;
}

} // namespace

ui::QuietComboBox* PlanControls::wordChoice(QWidget* parent, const QString& label, const QList<Choice>& words,
    std::function<int(const Plan&)> read, std::function<void(Plan&, int)> write)
{
    auto* box = new ui::QuietComboBox(parent);
    for (const Choice& word : words)
        box->addItem(word.label);
    box->setAccessibleName(label);
    box->setMinimumContentsLength(12);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // words may be wider than the panel
    QObject::connect(box, &QComboBox::activated, box, [this, label, words, write](int index) {
        Plan changed = m_document.plan();
        write(changed, index);
        m_document.edit(
            std::move(changed), Controls::tr("%1: %2", "input: what is chosen").arg(label, words[index].label));
    });
    QObject::connect(box, &ui::QuietComboBox::aboutToOpen, box, [this, box, words, write] {
        for (int index = 0; index < box->count(); ++index) {
            Plan changed = m_document.plan();
            write(changed, index);
            const QString reason = newError(m_document.plan(), changed);
            QFont font = box->font();
            font.setStrikeOut(!reason.isEmpty());
            box->setItemData(index, font, Qt::FontRole);
            box->setItemData(index, ui::asPlain(reason.isEmpty() ? words[index].help : reason), Qt::ToolTipRole);
        }
    });
    onRefresh([box, words, read](const Plan& plan) {
        const int index = read(plan);
        if (index >= words.size()) return; // a word that is not offered; the row is hidden
        box->setCurrentIndex(index);
        ui::setTip(box, words[index].help);
        box->setAccessibleDescription(words[index].help);
    });
    return box;
}

ui::QuietComboBox* PlanControls::choice(QWidget* parent, const Field& field)
{
    QList<Choice> words;
    std::vector<FieldValue> values;
    if (field.nullable) {
        words.append({Controls::tr("default"), ui::translated(field.help)});
        values.emplace_back();
    }
    for (const std::string_view word : field.words()) {
        const WordText text = field.text_of(word);
        words.append({ui::translated(text.label), ui::translated(text.help)});
        values.emplace_back(std::string(word));
    }
    const auto read = [&field, values](const Plan& plan) {
        return static_cast<int>(std::ranges::find(values, field.get(plan)) - values.begin());
    };
    const auto write = [&field, values](Plan& plan, int index) {
        plan = withChoice(std::move(plan), field, values[static_cast<std::size_t>(index)]);
    };
    return wordChoice(parent, ui::translated(field.label), words, read, write);
}

ui::QuietComboBox* PlanControls::methods(QWidget* parent, const QString& label)
{
    static constexpr std::array kMethods{Task::Lora, Task::Qlora, Task::Finetune};
    QList<Choice> words;
    for (const Task task : kMethods)
        words.append({choiceLabel(task), choiceHelp(task)});
    const auto read = [](const Plan& plan) {
        const auto found = std::ranges::find(kMethods, plan.workload.task);
        return found == kMethods.end() ? 0 : static_cast<int>(found - kMethods.begin());
    };
    const auto write = [](Plan& plan, int index) { plan.workload.task = kMethods[static_cast<std::size_t>(index)]; };
    return wordChoice(parent, label, words, read, write);
}

ui::QuietComboBox* PlanControls::engines(QWidget* parent, const QString& label)
{
    const auto engines = names<Engine>();
    QList<Choice> words;
    for (const auto& engine : engines)
        words.append({choiceLabel(engine.value), choiceHelp(engine.value)});
    const auto read = [](const Plan& plan) { return static_cast<int>(engineOf(plan)); };
    const auto write = [engines](Plan& plan, int index) {
        plan.recipe.engine = engines[static_cast<std::size_t>(index)].value;
        plan.recipe.kernels = Kernels::Compiled; // what engines run
    };
    return wordChoice(parent, label, words, read, write);
}

QCheckBox* PlanControls::toggle(QWidget* parent, const Field& field)
{
    const QString label = ui::translated(field.label);
    auto* box = new QCheckBox(label, parent);
    ui::setTip(box, ui::translated(field.help));
    QObject::connect(box, &QCheckBox::clicked, box, [this, label, &field](bool on) {
        Plan changed = m_document.plan();
        field.set(changed, on);
        m_document.edit(std::move(changed), on ? Controls::tr("%1 on").arg(label) : Controls::tr("%1 off").arg(label));
    });
    onRefresh([box, &field](const Plan& plan) { box->setChecked(field.get(plan) == FieldValue(true)); });
    return box;
}

void PlanControls::refresh()
{
    for (const auto& update : m_updates)
        update(m_document.plan());
}

} // namespace cardfit::app
