// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/limit_field.h"

#include <QDoubleSpinBox>

#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

QDoubleSpinBox* limitField(const QString& name, const QString& suffix, QWidget* parent)
{
    auto* field = new QDoubleSpinBox(parent);
    field->setRange(0.0, 1e9);
    field->setDecimals(1);
    field->setSuffix(suffix);
    field->setSpecialValueText(ui::sharedText("none"));
    field->setAccessibleName(name);
    ui::setTip(field, name);
    field->setMaximumWidth(field->fontMetrics().horizontalAdvance(QStringLiteral("00000000.0 days")));
    return field;
}

std::optional<double> limitIn(const QDoubleSpinBox& field)
{
    return field.value() > 0.0 ? std::optional(field.value()) : std::nullopt;
}

} // namespace cardfit::app
