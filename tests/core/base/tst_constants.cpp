// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include "core/base/constants.h"
#include "core/estimate/estimate.h"
#include "core/explain/explain.h"
#include "core/files/constant_words.h"
#include "core/report/constants_text.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_constants {

class TestConstants : public QObject {
    Q_OBJECT

private slots:
    void everyRowSaysWhatItIsAndWhereItIsFrom()
    {
        std::set<std::string_view> words;
        for (const ConstantRow& one : constantRows()) {
            const std::string word(one.word);
            QVERIFY2(words.insert(one.word).second, word.c_str());
            QVERIFY2(one.word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == word.npos, word.c_str());
            QVERIFY2(one.shipped > 0.0, word.c_str());
            QVERIFY2(!one.unit.empty() && !one.title.empty() && !one.source.empty(), word.c_str());
            QCOMPARE(shipped(one.value), one.shipped);
            QCOMPARE(Constants()[one.value], one.shipped);
            // Runs of training are asked for what is fitted to them; servers' and memory's constants have other tables.
            const bool of_training = one.bears_on == BearsOn::Step || one.bears_on == BearsOn::Band;
            QVERIFY2(one.tier != Tier::Fitted || one.asked || !of_training, word.c_str());
        }
        QCOMPARE(constantRows().size(), kConstantCount);
    }

    void aCopyKeepsItsOwnValues()
    {
        Constants one;
        one.set(Constant::LinkShare, 0.5);
        Constants other = one;
        other.set(Constant::PcieShare, 0.5);
        QCOMPARE(one[Constant::PcieShare], shipped(Constant::PcieShare));
        QCOMPARE(other[Constant::LinkShare], 0.5);
        QVERIFY(!(one == other));
        other.set(Constant::PcieShare, shipped(Constant::PcieShare));
        QVERIFY(one == other);
        one.set(Constant::LinkShare, shipped(Constant::LinkShare));
        QVERIFY(one == Constants());
    }

    void shippedConstantsChangeNothing()
    {
        const Plan plan = samples::llama13BOnEightCards();
        Constants same;
        same.set(Constant::LinkShare, shipped(Constant::LinkShare));
        const Estimate before = estimate(plan);
        const Estimate after = estimate(plan, same);
        QVERIFY(before.complete());
        QCOMPARE(after.step.seconds, before.step.seconds);
        QVERIFY(after.stages == before.stages);
    }

    void wordsAreRead()
    {
        const auto changed = withConstant(Constants(), "links.share=0.75");
        QVERIFY(changed);
        QCOMPARE((*changed)[Constant::LinkShare], 0.75);
        const auto wrong = withConstant(Constants(), "links.shar=0.75");
        QVERIFY(!wrong);
        QVERIFY(wrong.error().message.english().find("links.share") != std::string::npos);
        for (const char* text : {"links.share", "links.share=", "links.share=x", "links.share=0.5x", "links.share=0",
                 "links.share=-1", "links.share=inf", "links.share=nan"}) {
            QVERIFY2(!withConstant(Constants(), text), text);
        }
    }

    /// Of a step on one card no link counts, of its memory no speed.
    void figuresNameTheirConstants()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        const auto behind = [&](std::string_view figure) { return constantsBehind(plan, result, figure); };
        const auto names = [&](const std::vector<Constant>& all, Constant one) {
            return std::ranges::find(all, one) != all.end();
        };
        const auto step = behind("step.seconds");
        QVERIFY(names(step, Constant::ReachedBandwidth));
        QVERIFY(names(step, Constant::HostPerStep));
        QVERIFY(!names(step, Constant::Reserve));
        const auto reserve = behind("stage0.reserve");
        QVERIFY(names(reserve, Constant::Reserve));
        QVERIFY(!names(reserve, Constant::HostPerStep));
        QCOMPARE(behind("stage0.device_context"), std::vector{Constant::DeviceContext});
        QVERIFY(behind("no.figure").empty());
    }

    void theTableIsPrinted()
    {
        const std::string text = constantsText();
        const std::string json = constantsJson();
        for (const ConstantRow& one : constantRows()) {
            QVERIFY(text.find(std::string(one.word) + " ") != std::string::npos);
            QVERIFY(json.find("\"" + std::string(one.word) + "\"") != std::string::npos);
        }
    }
};

CARDFIT_TEST(TestConstants)

} // namespace cardfit::tst_constants
#include "tst_constants.moc"
