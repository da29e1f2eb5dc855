// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QString>

class QDoubleSpinBox;
class QWidget;

namespace cardfit::app {

/// A field for what a run has to keep; 0 is shown as "none".
[[nodiscard]] QDoubleSpinBox* limitField(const QString& name, const QString& suffix, QWidget* parent);

/// The field's value; none where it is 0.
[[nodiscard]] std::optional<double> limitIn(const QDoubleSpinBox& field);

} // namespace cardfit::app
