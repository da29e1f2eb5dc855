// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/translated.h"

#include <QCoreApplication>

namespace cardfit::ui {

Translation installedTranslation()
{
    return [](std::string_view english, std::string_view about) {
        // translate() needs null-terminated strings, which views are not.
        return QCoreApplication::translate("Sentence", std::string(english).c_str(), std::string(about).c_str())
            .toStdString();
    };
}

QString translated(const Sentence& sentence) { return QString::fromStdString(sentence.in(installedTranslation())); }

QString sharedText(const char* english) { return QCoreApplication::translate("Sentence", english); }

QString translated(const Error& error) { return translated(asSentence(error)); }

Sentence sentence(const QString& text) { return Sentence::verbatim(text.toStdString()); }

} // namespace cardfit::ui
