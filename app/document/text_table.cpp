// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/text_table.h"

namespace cardfit::app {

QString TextTable::withTabs() const
{
    QString text = head.join(u'\t') + u'\n';
    for (const QStringList& row : rows)
        text += row.join(u'\t') + u'\n';
    return text;
}

} // namespace cardfit::app
