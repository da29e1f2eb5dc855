// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controls/language.h"

#include <algorithm>

#include <QCoreApplication>
#include <QFileInfo>
#include <QGlyphRun>
#include <QGuiApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTextLayout>
#include <QTranslator>

namespace cardfit::app {

namespace {

struct Languages {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::Language)
};

const QString kLanguageKey = QStringLiteral("language");
const char* const kEnglish = "en";
const char* const kChinese = "zh_CN";
const char* const kApplied = "cardfit.language";

void install(const QString& file, const QString& folder)
{
    auto* translator = new QTranslator(qApp);
    // A system may lack Qt's own translations: its buttons then stay English.
    if (translator->load(file, folder))
        QCoreApplication::installTranslator(translator);
    else
        delete translator;
}

} // namespace

QString languageName(Language language)
{
    switch (language) {
    case Language::System: return Languages::tr("&System language");
    case Language::English: return QStringLiteral("&English");
    case Language::Chinese: return QStringLiteral("中文(&C)");
    }
    return {};
}

Language languageFor(const QLocale& locale)
{
    // The first entry is the user's language; the others are fallbacks.
    const QStringList wanted = locale.uiLanguages();
    const bool chinese = !wanted.isEmpty() && QLocale(wanted.first()).language() == QLocale::Chinese;
    return chinese ? Language::Chinese : Language::English;
}

Language shownLanguage(Language language)
{
    if (language != Language::System) return language;
    return languageFor(QLocale::system());
}

Language savedLanguage()
{
    const QString saved = QSettings().value(kLanguageKey).toString();
    return saved == QLatin1StringView(kEnglish) ? Language::English
        : saved == QLatin1StringView(kChinese)  ? Language::Chinese
                                                : Language::System;
}

void saveLanguage(Language language)
{
    QSettings settings;
    if (language == Language::System)
        settings.remove(kLanguageKey);
    else
        settings.setValue(kLanguageKey, QLatin1StringView(language == Language::Chinese ? kChinese : kEnglish));
}

void applyLanguage(Language language)
{
    // Numbers look the same in every language, and the same as they are typed.
    QLocale::setDefault(QLocale::c());
    const auto installed = qApp->findChildren<QTranslator*>(QString(), Qt::FindDirectChildrenOnly);
    qDeleteAll(installed);
    const Language shown = shownLanguage(language);
    qApp->setProperty(kApplied, static_cast<int>(shown));
    const QString own = QStringLiteral(":/translations");
    if (shown == Language::English) {
        install(QStringLiteral("cardfit_en"), own); // for plural forms
        return;
    }
    install(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
    install(QStringLiteral("core_zh_CN"), own);
    install(QStringLiteral("cardfit_zh_CN"), own);
}

Language appliedLanguage()
{
    return qApp->property(kApplied).toInt() == static_cast<int>(Language::Chinese) ? Language::Chinese
                                                                                   : Language::English;
}

bool hasFontFor(const QString& text)
{
    QTextLayout layout(text, QGuiApplication::font());
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    // OpenType: glyph 0 stands for characters that a font lacks.
    return std::ranges::none_of(
        layout.glyphRuns(), [](const QGlyphRun& run) { return run.glyphIndexes().contains(0U); });
}

QString missingFontWarning(const QString& file)
{
    const bool keeps_glyphs = QStringList{"pdf", "png"}.contains(QFileInfo(file).suffix().toLower());
    if (!keeps_glyphs || hasFontFor(languageName(appliedLanguage()))) return {};
    return Languages::tr(
        "No installed font has the letters of this language: they are boxes in the file. Install one, such as "
        "fonts-noto-cjk, and export again.");
}

} // namespace cardfit::app
