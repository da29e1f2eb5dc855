// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <QTranslator>

#include "tests/test_program.h"
#include "widgets/text/translated.h"

namespace cardfit::tst_translated {

using namespace cardfit::ui;

/// A language of two texts, one of which is broken.
class TwoTexts : public QTranslator {
public:
    using QTranslator::QTranslator;
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char* about, int) const override
    {
        if (qstrcmp(context, "Sentence") != 0) return {};
        if (qstrcmp(text, "{} of {} cards") == 0) return QStringLiteral("{1} 卡中的 {0} 卡");
        if (qstrcmp(text, "context") == 0)
            return qstrlen(about) == 0 ? QStringLiteral("上下文并行") : QString::fromUtf8(about);
        if (qstrcmp(text, "{} ranks") == 0) return QStringLiteral("{} {} 级");
        return {};
    }
};

class TestTranslated : public QObject {
    Q_OBJECT

private slots:
    void followsInstalledTranslators()
    {
        const auto sentence = Sentence::tr("{} of {} cards", {3, 8});
        QCOMPARE(translated(sentence), QStringLiteral("3 of 8 cards"));
        TwoTexts language;
        QVERIFY(QCoreApplication::installTranslator(&language));
        QCOMPARE(translated(sentence), QStringLiteral("8 卡中的 3 卡"));
        QCOMPARE(translated(Sentence::tr("{} ranks", {4})), QStringLiteral("4 ranks"));
        QCOMPARE(translated(Sentence::tr("unknown")), QStringLiteral("unknown"));
        QCOMPARE(translated(Sentence::tr("context")), QStringLiteral("上下文并行"));
        QCOMPARE(translated(Sentence::tr("context", "of the device")), QStringLiteral("of the device"));
        const Error error{ErrorCode::WrongFormat, "a.json", Sentence::verbatim("/a"), sentence};
        QCOMPARE(translated(error), QStringLiteral("a.json: /a: 8 卡中的 3 卡"));
        QVERIFY(QCoreApplication::removeTranslator(&language));
        QCOMPARE(translated(sentence), QStringLiteral("3 of 8 cards"));
    }
};

CARDFIT_WINDOW_TEST(TestTranslated)

} // namespace cardfit::tst_translated
#include "tst_translated.moc"
