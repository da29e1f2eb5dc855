// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QString>

#include "core/plan/choices.h"
#include "widgets/text/translated.h"

/// Labels of a recipe's choices, with one sentence about each: "ZeRO-1" for the file's "zero1".
namespace cardfit::app {

template <class Enum> [[nodiscard]] QString choiceLabel(Enum value) { return ui::translated(words(value).label); }
template <class Enum> [[nodiscard]] QString choiceHelp(Enum value) { return ui::translated(words(value).help); }

/// A value of an Edit as the choices say it: "ZeRO-1" for "zero1"; other values are valueWords().
[[nodiscard]] QString valueLabel(const std::string& field, const std::string& value);

} // namespace cardfit::app
