// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/sentence.h"

using namespace cardfit;

namespace {

/// Knows one pattern.
Translation knows(std::string pattern, std::string translation)
{
    return [=](std::string_view english) { return english == pattern ? translation : std::string(english); };
}

} // namespace

class TestSentence : public QObject {
    Q_OBJECT

private slots:
    void standsInEnglish()
    {
        QCOMPARE(Sentence(Sentence::tr("no pipeline")).english(), std::string("no pipeline"));
        const std::int64_t heads = 40;
        const auto sentence = Sentence::tr(
            "tensor {}: {} {} / {} leave {}", {16, heads, Sentence::tr("attention heads"), 16, heads % 16});
        QCOMPARE(sentence.english(), std::string("tensor 16: 40 attention heads / 16 leave 8"));
        QCOMPARE(Sentence::verbatim("Llama {}").english(), std::string("Llama {}"));
        QCOMPARE(Sentence::tr("of {}", {"{1} {"}).english(), std::string("of {1} {"));
        QVERIFY(Sentence().empty() && Sentence().english().empty());
    }

    void takesTheOrderOfAnotherLanguage()
    {
        const auto sentence = Sentence::tr("{} of {} cards", {3, 8});
        QCOMPARE(sentence.in(knows("{} of {} cards", "{1} 卡中的 {0} 卡")), std::string("8 卡中的 3 卡"));
        QCOMPARE(sentence.in(knows("{} of {}", "unused")), std::string("3 of 8 cards"));
    }

    void translatesArguments()
    {
        const auto sentence = Sentence::tr("schedule {}: {}", {"1f1b", Sentence::tr("{} ranks", {4})});
        QCOMPARE(sentence.in(knows("{} ranks", "{} 级")), std::string("schedule 1f1b: 4 级"));
        // A name is the same in every language, whatever it says.
        QCOMPARE(Sentence::tr("of {}", {"{} ranks"}).in(knows("{} ranks", "{} 级")), std::string("of {} ranks"));
    }

    void keepsEnglishForABrokenTranslation_data()
    {
        QTest::addColumn<std::string>("broken");
        for (const char* broken : {"{}", "{} {} {}", "{0} {2}", "{0} {0}", "{0} {x}", "{0} {-1}", "{} {", "{} } {}"})
            QTest::newRow(broken) << std::string(broken);
    }
    void keepsEnglishForABrokenTranslation()
    {
        QFETCH(std::string, broken);
        const auto sentence = Sentence::tr("{} of {} cards", {3, 8});
        QCOMPARE(sentence.in(knows("{} of {} cards", broken)), std::string("3 of 8 cards"));
    }

    void equalsWhatSaysTheSame()
    {
        const auto sentence = [](int cards) { return Sentence::tr("{} cards", {cards}); };
        QVERIFY(sentence(8) == sentence(8));
        QVERIFY(sentence(8) != sentence(4));
        QVERIFY(sentence(8) != Sentence::tr("{} ranks", {8}));
        QVERIFY(Sentence(Sentence::tr("cards")) != Sentence::verbatim("cards"));
    }

    void listsAndJoins()
    {
        QVERIFY(listed({}).empty());
        const std::vector<Sentence> words{Sentence::tr("fill"), Sentence::verbatim("b"), Sentence::tr("drain")};
        QCOMPARE(listed(words).english(), std::string("fill, b, drain"));
        QCOMPARE(listed(words).in(knows("{}, {}", "{}、{}")), std::string("fill、b、drain"));
        QCOMPARE(joined(Sentence::tr("One."), Sentence::tr("Two.")).english(), std::string("One. Two."));
        QCOMPARE(joined(Sentence(), Sentence::tr("Two.")), Sentence(Sentence::tr("Two.")));
    }
};

QTEST_APPLESS_MAIN(TestSentence)
#include "tst_sentence.moc"
