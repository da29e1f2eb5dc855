// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/layers_field.h"

#include <algorithm>

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>

#include "app/document/plan_document.h"
#include "app/document/plan_edits.h"
#include "core/files/layout_text.h"
#include "core/layers/layer_split.h"
#include "core/plan/field_table.h"
#include "core/rules/checks.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/rails/field_habits.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

LayersField::LayersField(PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_text(new QLineEdit(this))
    , m_message(ui::wrappedLabel({}, this))
{
    m_text->setToolTip(tr(
        "One number per stage, or per stage and chunk in the order in which a micro-batch visits them, such as 19 20 "
        "20 21, or a Megatron-LM layout, such as Et*19|(t*20|)*2,t*21L. Empty: automatic, as the framework splits "
        "layers, or else balanced."));
    m_text->setAccessibleName(ui::sharedText("Layers per stage"));
    m_text->setClearButtonEnabled(true);
    m_message->hide();
    auto* rows = new QFormLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addRow(ui::sharedText("Layers per stage"), m_text);
    rows->addRow(m_message);
    connect(m_text, &QLineEdit::editingFinished, this, &LayersField::commit);
    ui::leaveIdleUndo(m_text);
}

LayersField::~LayersField()
{
    // Deleting the field takes its focus, which must not count as an edit.
    m_text->disconnect(this);
}

void LayersField::commit()
{
    if (!m_text->isModified()) return;
    const QString text = m_text->text().trimmed();
    const auto changed =
        looksLikeLayout(text.toStdString()) ? withTypedLayout(m_document.plan(), text) : withList(text);
    if (!changed) return ui::setMessage(m_message, changed.error(), true);
    m_text->setModified(false);
    m_document.edit(*changed,
        text.isEmpty() ? tr("Layers per stage: automatic") : tr("Layers per stage: %1").arg(text.simplified()));
    refresh();
}

tl::expected<Plan, QString> LayersField::withList(const QString& text) const
{
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
    std::vector<std::int64_t> layers;
    for (const QString& word : text.split(separators, Qt::SkipEmptyParts)) {
        bool is_count = false;
        const int count = word.toInt(&is_count);
        if (!is_count || count < 0) {
            return tl::unexpected(
                tr("“%1” is not a number of layers. Expected one number per stage, such as 19 20 20 21.").arg(word));
        }
        layers.push_back(count);
    }
    Plan changed = m_document.plan();
    if (layers.empty())
        changed.parallelism.layers_per_stage.reset();
    else
        changed.parallelism.layers_per_stage.emplace(std::move(layers));
    return changed;
}

void LayersField::refresh()
{
    if (m_text->hasFocus() && m_text->isModified()) return;
    const auto& layers = m_document.plan().parallelism.layers_per_stage;
    m_text->setText(layers ? ui::numberListText(*layers) : QString());
    const auto split = layers ? std::nullopt : layerSplit(m_document.plan());
    m_text->setPlaceholderText(
        split ? tr("automatic: %1").arg(ui::numberListText(*split)) : ui::sharedText("automatic"));
    m_text->setModified(false);
    QString broken;
    if (m_document.estimate() != nullptr) {
        const auto& checks = m_document.estimate()->checks;
        const auto found = std::ranges::find(checks, pointerOf<&Parallelism::layers_per_stage>, &Check::field);
        if (found != checks.end()) broken = ui::translated(found->message);
    }
    ui::setMessage(m_message, broken, true);
}

} // namespace cardfit::app
