// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QAccessibleWidget>

namespace cardfit::ui {

/// Sets the accessible role of a class of widgets. Screen readers skip widgets without a role.
template <class Widget, QAccessible::Role role> void installAccessibleRole()
{
    // Installed once, for the life of the program: a second factory would be asked again for every widget.
    [[maybe_unused]] static const bool is_installed = [] {
        QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
            auto* widget = qobject_cast<Widget*>(object);
            return widget == nullptr ? nullptr : new QAccessibleWidget(widget, role);
        });
        return true;
    }();
}

} // namespace cardfit::ui
