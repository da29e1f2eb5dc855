// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the translations with the sources: nothing is missing, unfinished or obsolete, and placeholders match.
#include <algorithm>

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "tests/test_program.h"

namespace cardfit::tst_translations {

struct Message {
    QString context, source, comment, translation, state; ///< state: "unfinished", "vanished" or empty
};

QList<Message> messagesOf(const QString& file)
{
    QFile device(file);
    if (!device.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&device);
    QList<Message> messages;
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const auto name = xml.name();
        if (name == u"name") {
            context = xml.readElementText();
        } else if (name == u"message") {
            messages.append({context, {}, {}, {}, {}});
        } else if (name == u"source") {
            messages.last().source = xml.readElementText();
        } else if (name == u"comment") {
            messages.last().comment = xml.readElementText();
        } else if (name == u"translation") {
            messages.last().state = xml.attributes().value(QStringLiteral("type")).toString();
            messages.last().translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        }
    }
    return xml.hasError() ? QList<Message>() : messages;
}

/// The placeholders, which a translation must contain as often as the source. "{1}" counts as one of the "{}".
QStringList places(const QString& text)
{
    static const QRegularExpression place(QStringLiteral("%\\d|%n|\\{\\d*\\}"));
    QStringList found;
    for (const auto& match : place.globalMatch(text))
        found << (match.captured().startsWith(u'{') ? QStringLiteral("{}") : match.captured());
    found.sort();
    return found;
}

QString described(const Message& message)
{
    return QStringLiteral("%1: “%2” → “%3”").arg(message.context, message.source, message.translation);
}

class TestTranslations : public QObject {
    Q_OBJECT

private slots:
    void everyTextIsTranslated_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QStringList>("sources"); ///< and further arguments of lupdate
        QTest::newRow("window") << "cardfit_zh_CN.ts" << QStringList{"-I", ".", "widgets", "app"};
        QTest::newRow("core") << "core_zh_CN.ts" << QStringList{"core"};
        QTest::newRow("plurals") << "cardfit_en.ts" << QStringList{"-pluralonly", "-I", ".", "widgets", "app"};
    }
    void everyTextIsTranslated()
    {
        QFETCH(const QString, file);
        QFETCH(const QStringList, sources);
        const QString committed = QStringLiteral(CARDFIT_SOURCES "/resources/translations/") + file;
        const QTemporaryDir folder;
        const QString collected = folder.filePath(file);
        QVERIFY(QFile::copy(committed, collected));
        QProcess lupdate;
        lupdate.setWorkingDirectory(QStringLiteral(CARDFIT_SOURCES));
        // Without -no-obsolete, texts that are no longer in the sources are marked.
        lupdate.start(QStringLiteral(CARDFIT_LUPDATE),
            QStringList{"-silent", "-locations", "none"} + sources + QStringList{"-ts", collected});
        QVERIFY2(lupdate.waitForFinished(60000), qPrintable(lupdate.errorString()));
        QCOMPARE(lupdate.exitCode(), 0);

        const QList<Message> before = messagesOf(committed);
        const QList<Message> after = messagesOf(collected);
        QVERIFY(!before.isEmpty());
        for (const Message& message : after)
            QVERIFY2(message.state.isEmpty(), qPrintable(message.state + QStringLiteral(" — ") + described(message)));
        QCOMPARE(after.size(), before.size());
    }

    /// What core and the window both say is translated in core, and the window asks for it with sharedText().
    void sharedTextsAreTranslatedOnce()
    {
        const QString translations = QStringLiteral(CARDFIT_SOURCES "/resources/translations/");
        QMap<QString, QString> core;
        for (const Message& message : messagesOf(translations + QStringLiteral("core_zh_CN.ts"))) {
            if (message.context == u"Sentence" && message.comment.isEmpty())
                core.insert(message.source, message.translation);
        }
        // Words of tables, which translate their texts where they are shown, and of the commands.
        const QStringList in_tables{"Memory per card", "NVLink domain", "tokens", "cannot be written: {}"};
        for (const Message& message : messagesOf(translations + QStringLiteral("cardfit_zh_CN.ts")))
            QVERIFY2(core.value(message.source) != message.translation || in_tables.contains(message.source),
                qPrintable(described(message)));

        static const QRegularExpression kCall(QStringLiteral("sharedText\\(\"([^\"]*)\"\\)"));
        int calls = 0;
        for (const char* folder : {"/app", "/widgets"}) {
            QDirIterator files(QStringLiteral(CARDFIT_SOURCES) + QLatin1StringView(folder), {QStringLiteral("*.cpp")},
                QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                for (const auto& call : kCall.globalMatch(QString::fromUtf8(file.readAll()))) {
                    QVERIFY2(core.contains(call.captured(1)), qPrintable(file.fileName() + u' ' + call.captured()));
                    ++calls;
                }
            }
        }
        QVERIFY(calls > 0);
    }

    void placesOfArgumentsAgree_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("window") << "cardfit_zh_CN.ts";
        QTest::newRow("core") << "core_zh_CN.ts";
    }
    void placesOfArgumentsAgree()
    {
        QFETCH(const QString, file);
        const QList<Message> messages = messagesOf(QStringLiteral(CARDFIT_SOURCES "/resources/translations/") + file);
        QVERIFY(!messages.isEmpty());
        for (const Message& message : messages) {
            QVERIFY2(places(message.source) == places(message.translation), qPrintable(described(message)));
            QVERIFY2(!message.translation.isEmpty(), qPrintable(described(message)));
            // Mnemonics, and the "…" that announces a dialog, are kept in the translation.
            static const QRegularExpression key(QStringLiteral("&[A-Za-z]"));
            QVERIFY2(message.source.contains(key) == message.translation.contains(key), qPrintable(described(message)));
            QVERIFY2(
                message.source.contains(u'…') == message.translation.contains(u'…'), qPrintable(described(message)));
        }
    }
};

CARDFIT_TEST(TestTranslations)

} // namespace cardfit::tst_translations
#include "tst_translations.moc"
