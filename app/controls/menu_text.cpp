// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controls/menu_text.h"

#include <QRegularExpression>

namespace cardfit::app {

QString withoutMnemonic(QString text)
{
    text = text.section(u'\t', 0, 0);
    // Texts without Latin letters have the mnemonic at the end: "中文(&C)".
    static const QRegularExpression kLetterBehind(QStringLiteral("\\(&[A-Za-z0-9]\\)"));
    text.remove(kLetterBehind);
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == u'&' && ++i == text.size()) break;
        plain += text[i];
    }
    return plain;
}

QString inMenu(QString name)
{
    constexpr qsizetype kMost = 80; // characters
    name = name.simplified();
    if (name.size() > kMost) name = name.left(kMost / 2) + u'…' + name.right(kMost / 2 - 1);
    return name.replace(u'&', QStringLiteral("&&"));
}

} // namespace cardfit::app
