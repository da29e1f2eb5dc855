// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/plan_controls.h"

#include <algorithm>
#include <array>

#include <QCheckBox>
#include <QCoreApplication>

#include "core/rules/checks.h"
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

} // namespace

QuietComboBox* PlanControls::wordChoice(QWidget* parent, const QString& label, const QList<Choice>& words,
    std::function<int(const Plan&)> read, std::function<void(Plan&, int)> write)
{
    auto* box = new QuietComboBox(parent);
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
    QObject::connect(box, &QuietComboBox::aboutToOpen, box, [this, box, words, write] {
        for (int index = 0; index < box->count(); ++index) {
            Plan changed = m_document.plan();
            write(changed, index);
            const QString reason = newError(m_document.plan(), changed);
            QFont font = box->font();
            font.setStrikeOut(!reason.isEmpty());
            box->setItemData(index, font, Qt::FontRole);
            box->setItemData(index, reason.isEmpty() ? words[index].help : reason, Qt::ToolTipRole);
        }
    });
    onRefresh([box, words, read](const Plan& plan) {
        const int index = read(plan);
        box->setCurrentIndex(index);
        box->setToolTip(words[index].help);
        box->setAccessibleDescription(words[index].help);
    });
    return box;
}

QuietComboBox* PlanControls::methods(QWidget* parent, const QString& label)
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

QCheckBox* PlanControls::toggle(QWidget* parent, const QString& label, bool& (*field)(Plan&), const QString& help)
{
    auto* box = new QCheckBox(label, parent);
    box->setToolTip(help);
    QObject::connect(box, &QCheckBox::clicked, box, [this, label, field](bool on) {
        Plan changed = m_document.plan();
        field(changed) = on;
        m_document.edit(std::move(changed), on ? Controls::tr("%1 on").arg(label) : Controls::tr("%1 off").arg(label));
    });
    onRefresh([box, field](const Plan& plan) {
        Plan copy = plan;
        box->setChecked(field(copy));
    });
    return box;
}

void PlanControls::refresh()
{
    for (const auto& update : m_updates)
        update(m_document.plan());
}

} // namespace cardfit::app
