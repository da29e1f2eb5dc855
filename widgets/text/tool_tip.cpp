// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/tool_tip.h"

#include <QTextDocument>

namespace cardfit::ui {

QString asPlain(const QString& text)
{
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal) : text;
}

} // namespace cardfit::ui
