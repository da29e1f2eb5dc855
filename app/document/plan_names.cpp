// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_names.h"

#include <fmt/format.h>

#include <QRegularExpression>
#include <QStringList>

#include "app/document/choice_words.h"
#include "app/document/field_labels.h"
#include "core/files/plan_differences.h"
#include "core/plan/stages.h"

namespace cardfit::app {

namespace {

/// "H100" for "NVIDIA H100 SXM 80 GB": without maker, form factor and memory.
std::string cardName(const Accelerator& card)
{
    static const QRegularExpression kMaker(QStringLiteral("^(NVIDIA |GeForce |AMD Instinct |Huawei )*"));
    static const QRegularExpression kForm(QStringLiteral("( SXM| PCIe| \\d+ GB|,| \\().*$"));
    return QString::fromStdString(card.name).remove(kMaker).remove(kForm).toStdString();
}

std::string taskName(Task task)
{
    switch (task) {
    case Task::Pretrain: break;
    case Task::Finetune: return " fine-tuning";
    case Task::Lora: return " LoRA";
    case Task::Qlora: return " QLoRA";
    case Task::Inference: return " served";
    }
    return {};
}

} // namespace

std::string automaticName(const Plan& plan)
{
    return fmt::format("{}{}, {} x {}", plan.model.name, taskName(plan.workload.task), cardCount(plan.cluster),
        cardName(plan.cluster.accelerator));
}

QString nameBeside(const Plan& plan, const Plan& other)
{
    const QString name = QString::fromStdString(plan.name);
    if (plan.name != other.name) return name;
    constexpr qsizetype kMostNamed = 2;
    QStringList values;
    for (const Edit& edit : planDifferences(other, plan)) {
        if (values.size() == kMostNamed) return values.join(QStringLiteral(", ")) + QStringLiteral(", …");
        values << QStringLiteral("%1 %2").arg(shortFieldLabel(edit.field), valueLabel(edit.field, edit.to));
    }
    return values.isEmpty() ? name : values.join(QStringLiteral(", "));
}

} // namespace cardfit::app
