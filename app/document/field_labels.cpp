// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/field_labels.h"

#include <QStringList>

#include "app/document/choice_words.h"
#include "app/document/plan_quantities.h"
#include "core/plan/fields.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

QString shortFieldLabel(const std::string& field)
{
    if (const PlanQuantity* rail = quantityOfField(field)) return quantityLabel(*rail);
    if (const Field* row = fieldAt(field); row != nullptr && !row->label.empty()) return ui::translated(row->label);
    return QString::fromStdString(field.substr(field.rfind('/') + 1)).replace(u'_', u' ');
}

QString fieldLabel(const std::string& field)
{
    if (const PlanQuantity* rail = quantityOfField(field)) return quantityLabel(*rail);
    QStringList words = QString::fromStdString(field).replace(u'_', u' ').split(u'/', Qt::SkipEmptyParts);
    const bool last_says_enough = field.starts_with("/recipe/") || field.starts_with("/parallelism/")
        || field.starts_with("/workload/") || field.starts_with("/overheads/");
    if (last_says_enough && words.size() > 1) words.removeFirst();
    words.front().front() = words.front().front().toUpper();
    return words.join(QStringLiteral(" · "));
}

QString editText(const Edit& edit)
{
    return QStringLiteral("%1 %2 → %3")
        .arg(shortFieldLabel(edit.field), valueLabel(edit.field, edit.from), valueLabel(edit.field, edit.to));
}

} // namespace cardfit::app
