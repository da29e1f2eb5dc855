// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QAccessibleWidget>

namespace cardfit::ui {

/// Says what widgets of a class are to assistive technology. Readers of screens pass over those that are nothing.
template <class Widget, QAccessible::Role role> void installAccessibleRole()
{
    // The factory stays for the life of the program; installing it again would ask it again for every widget.
    [[maybe_unused]] static const bool is_installed = [] {
        QAccessible::installFactory([](const QString&, QObject* object) -> QAccessibleInterface* {
            auto* widget = qobject_cast<Widget*>(object);
            return widget == nullptr ? nullptr : new QAccessibleWidget(widget, role);
        });
        return true;
    }();
}

} // namespace cardfit::ui
