// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLayout;
class QWidget;

namespace cardfit::ui {

/// Gives the Tab key the order in which the layout's widgets stand, after `first`.
void orderKeyboard(QWidget& first, QLayout& layout);

} // namespace cardfit::ui
