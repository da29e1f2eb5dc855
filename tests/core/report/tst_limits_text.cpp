// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/report/limits_text.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_limits_text {

/// ZeRO-1 over eight cards keeps 7.5 bytes per parameter: 97.6 GB of 13 billion.
Plan tooLarge()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.parallelism = {};
    return plan;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class TestLimitsText : public QObject {
    Q_OBJECT

private slots:
    void values()
    {
        QCOMPARE(limitValueText(LimitOf::ModelSize, 70'553'706'496).english(), std::string("70.55 billion parameters"));
        QCOMPARE(limitValueText(LimitOf::SequenceLength, 8192).english(), std::string("8192 tokens"));
        QCOMPARE(limitValueText(LimitOf::MicroBatchSize, 1).english(), std::string("1 sequence"));
        QCOMPARE(limitValueText(LimitOf::CardsAnyDegrees, 64).english(), std::string("64 cards"));
    }

    void changes()
    {
        Change change{{"/parallelism/virtual_pipeline", "1", "2"}, {}, {}};
        QCOMPARE(changeText(change).english(), std::string("virtual pipeline 1 -> 2"));
        change.follows = {{"/recipe/schedule", "1f1b", "interleaved-1f1b"}};
        QCOMPARE(
            changeText(change).english(), std::string("virtual pipeline 1 -> 2 (schedule 1f1b -> interleaved-1f1b)"));
        QCOMPARE(changeText({{"/recipe/offload/optimizer", "0", "1"}, {}, {}}).english(),
            std::string("optimizer offload 0 -> 1"));
    }

    void aProofNamesItsNumbers()
    {
        const Limit limit = limitOf(tooLarge(), LimitOf::SequenceLength);
        const std::string proof = proofText(limit, ByteUnit::GB).english();
        const std::string begin = "Weights, gradients and optimizer states of stage 0 are "
            + formatBytes(limit.impossible->states, ByteUnit::GB)
            + " with zero1 over 8 ranks; the card has 85.90 GB, of which communication";
        QVERIFY2(proof.starts_with(begin), proof.c_str());
        QVERIFY(contains(proof, "97.6"));
        QVERIFY(contains(proof, "no sequence and no micro-batch fits"));
        QVERIFY(contains(proof, "At 128 tokens it would fit with "));
        QVERIFY(contains(proof, "tensor 1 -> 2 (data 8 -> 4)"));
        Plan plain = tooLarge();
        plain.recipe.sharding = Sharding::None;
        QVERIFY(contains(
            proofText(limitOf(plain, LimitOf::SequenceLength), ByteUnit::GB).english(), " GB without sharding; "));
        QVERIFY(contains(proofText(limit, ByteUnit::GiB).english(), "the card has 80.00 GiB"));
        QVERIFY(proofText(limitOf(samples::llama13BOnEightCards(), LimitOf::SequenceLength), ByteUnit::GB).empty());
    }

    void text()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Advice answer = adviceFor(plan);
        const std::string text = adviceText(plan, answer, ByteUnit::GB);
        QVERIFY(
            text.starts_with("Llama 13B, 8 x A100\n" + verdictLine(answer.estimate) + "\n\nLimits, all else fixed\n"));
        for (const auto* title : {"\nLargest model ", "\nLongest sequence ", "\nLargest micro-batch ",
                 "\nFewest cards ", "\nFewest cards, any degrees ", "\nSingle changes\n"})
            QVERIFY2(contains(text, title), title);
        for (const Suggestion& suggestion : answer.suggestions)
            QVERIFY(contains(text, changeText(suggestion.change).english()));
        constexpr std::size_t kWidest = 120;
        const auto limits = QString::fromStdString(text.substr(0, text.find("\nSingle changes")));
        for (const QString& line : limits.split(u'\n'))
            QVERIFY2(line.size() <= static_cast<int>(kWidest), qPrintable(line));

        // The longest sequence that may fit takes more than the card has, by figures that are not certain.
        QVERIFY(contains(text, " too much, but not for certain\n") && !contains(text, "keeps -"));

        const Plan large = tooLarge();
        QVERIFY(contains(adviceText(large, adviceFor(large)), "Single changes that help it fit\n"));
    }

    void json()
    {
        const Advice answer = adviceFor(tooLarge());
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(adviceJson(answer)), &error);
        QCOMPARE(error.error, QJsonParseError::NoError);
        const QJsonObject root = document.object();
        QCOMPARE(root["format"].toString(), QStringLiteral("cardfit/advice"));
        QCOMPARE(root["version"].toInt(), 1);
        QCOMPARE(root["fits"].toBool(true), false);
        const QJsonArray limits = root["limits"].toArray();
        QCOMPARE(limits.size(), qsizetype(limitsOf(Plan{}).size()));
        const QJsonObject sequence = limits[1].toObject();
        QCOMPARE(sequence["of"].toString(), QStringLiteral("sequence_length"));
        QVERIFY(sequence["fits"].isNull());
        QCOMPARE(sequence["misses"].toObject()["value"].toInt(), 128);
        QCOMPARE(sequence["impossible"].toObject()["states_alone"].toBool(), true);
        QVERIFY(sequence["impossible"].toObject()["message"].toString().startsWith(u"Weights, gradients"));
        const QJsonArray suggestions = root["advice"].toArray();
        QCOMPARE(suggestions.size(), qsizetype(answer.suggestions.size()));
        QCOMPARE(suggestions[0].toObject()["field"].toString().toStdString(), answer.suggestions[0].change.edit.field);
        QCOMPARE(suggestions[0].toObject()["freed_bytes"].toInteger(), answer.suggestions[0].freed.value());
    }
};

CARDFIT_TEST(TestLimitsText)

} // namespace cardfit::tst_limits_text
#include "tst_limits_text.moc"
