// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/preset_form.h"

#include <algorithm>

#include <QCoreApplication>
#include <QFormLayout>
#include <QLineEdit>

#include "core/plan/field_table.h"
#include "widgets/chart/theme.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// Where a preset's fields are in a plan.
std::string_view placeInPlan(PresetKind kind)
{
    switch (kind) {
    case PresetKind::Model: return "/model";
    case PresetKind::Accelerator: return "/cluster/accelerator";
    case PresetKind::Cluster: return "/cluster";
    case PresetKind::Plan: break;
    }
    return "";
}

/// Whether the form of a kind of preset has a field, whose pointer in the preset's file is `key`.
bool isInForm(PresetKind kind, const cardfit::Field& field, std::string_view key)
{
    if (!field.essential || !field.pointer.starts_with(placeInPlan(kind))) return false;
    if (kind == PresetKind::Cluster) return !key.starts_with("/accelerator/");
    if (kind != PresetKind::Plan) return true;
    // Model and cluster of a plan have presets of their own.
    return key == "/name" || key == pointerOf<&Cluster::nodes> || key.starts_with("/workload/")
        || key.starts_with("/parallelism/");
}

} // namespace

PresetForm::PresetForm(QWidget* parent)
    : QWidget(parent)
    , m_rows(new QFormLayout(this))
{
    m_rows->setContentsMargins(8, 8, 8, 8);
    m_rows->setVerticalSpacing(4);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

PresetForm::~PresetForm()
{
    // Deleting a field takes its focus, which must not count as an edit.
    for (const Field& field : m_fields)
        field.edit->disconnect(this);
}

void PresetForm::build(PresetKind kind)
{
    for (const Field& field : m_fields)
        field.edit->disconnect(this);
    m_fields.clear();
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    m_kind = kind;
    for (const cardfit::Field& field : planFields()) {
        const std::string_view key = field.pointer.substr(std::min(placeInPlan(kind).size(), field.pointer.size()));
        if (!isInForm(kind, field, key)) continue;
        addRow(
            std::string(key), field.type == FieldType::Text, ui::translated(field.label), ui::translated(field.unit));
        if (key != "/name" || kind == PresetKind::Plan) continue;
        addRow("/id", true, tr("Id"));
        if (kind == PresetKind::Cluster) addRow("/accelerator", true, tr("Card"));
    }
}

void PresetForm::addRow(const std::string& pointer, bool is_word, const QString& label, const QString& unit)
{
    auto* edit = new QLineEdit(this);
    edit->setAccessibleName(label);
    m_rows->addRow(unit.isEmpty() ? label : tr("%1, %2").arg(label, unit), edit);
    m_fields.push_back({pointer, is_word, edit});
    connect(edit, &QLineEdit::editingFinished, this, [this, field = m_fields.back()] { commit(field); });
}

void PresetForm::setText(PresetKind kind, const std::string& text, bool read_only)
{
    if (m_fields.empty() || kind != m_kind) build(kind);
    m_text = text;
    const bool has_experts = presetValue(text, "/moe/num_experts").has_value();
    for (const Field& field : m_fields) {
        if (field.pointer.rfind("/moe", 0) == 0) m_rows->setRowVisible(field.edit, has_experts);
        field.edit->setText(QString::fromStdString(presetValue(text, field.pointer).value_or(std::string())));
        field.edit->setModified(false);
        field.edit->setCursorPosition(0);
        field.edit->setReadOnly(read_only);
        ui::setTip(field.edit, field.is_word ? field.edit->text() : QString());
    }
    markProblem({});
}

void PresetForm::markProblem(const QString& pointer)
{
    QPalette marked = palette();
    marked.setColor(QPalette::Text, ui::themeFor(palette()).over);
    for (const Field& field : m_fields) {
        const bool is_it = !pointer.isEmpty() && QString::fromStdString(field.pointer) == pointer;
        field.edit->setPalette(is_it ? marked : palette());
    }
}

QLineEdit* PresetForm::field(const QString& pointer) const
{
    for (const Field& field : m_fields) {
        if (QString::fromStdString(field.pointer) == pointer) return field.edit;
    }
    return nullptr;
}

void PresetForm::commit(const Field& field)
{
    if (!field.edit->isModified()) return;
    const QString typed = field.edit->text().trimmed();
    Result<std::string> changed;
    if (field.is_word) {
        changed = withPresetWord(m_text, field.pointer, typed.toStdString());
    } else if (typed.isEmpty()) {
        changed = withPresetNumber(m_text, field.pointer, std::nullopt);
    } else {
        const auto number = ui::parseQuantity(typed, {.whole = false, .minimum = 0.0});
        if (!number) {
            markProblem(QString::fromStdString(field.pointer));
            emit refused(number.error());
            return;
        }
        changed = withPresetNumber(m_text, field.pointer, *number);
    }
    if (!changed) {
        emit refused(ui::translated(changed.error()));
        return;
    }
    field.edit->setModified(false);
    emit edited(QString::fromStdString(*changed));
}

} // namespace cardfit::app
