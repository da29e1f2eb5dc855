// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/base/sentence.h"
#include "tests/test_program.h"

namespace cardfit::tst_sentence {

/// Knows one pattern.
Translation knows(std::string pattern, std::string translation)
{
    return [=](std::string_view english, std::string_view) {
        return english == pattern ? translation : std::string(english);
    };
}

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

    void tellsApartWhatEnglishSaysWithOneWord()
    {
        const Translation language = [](std::string_view english, std::string_view about) {
            return english != "context" ? std::string(english) : about.empty() ? "上下文并行" : "设备上下文";
        };
        const auto both = Sentence::tr("{}, {}", {Sentence::tr("context"), Sentence::tr("context", "of the device")});
        QCOMPARE(both.in(language), std::string("上下文并行, 设备上下文"));
        QCOMPARE(both.english(), std::string("context, context"));
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

    void startsSmallWithinAnother()
    {
        const Sentence title = Sentence::tr("End of a pass");
        QCOMPARE(title.withinAnother().english(), std::string("end of a pass"));
        QCOMPARE(title.withinAnother().in(knows("End of a pass", "前向结束")), std::string("前向结束"));
        QCOMPARE(Sentence(Sentence::tr("MLP output")).withinAnother().english(), std::string("MLP output"));
        QCOMPARE(Sentence::verbatim("Llama").withinAnother().english(), std::string("Llama"));
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

CARDFIT_TEST(TestSentence)

} // namespace cardfit::tst_sentence
#include "tst_sentence.moc"
