// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/files/picture_plan.h"
#include "core/files/plan_file.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_picture_plan {

/// One grey pixel: header, data, end.
const std::string kPixel("\x89PNG\r\n\x1a\n"
                         "\0\0\0\x0dIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0\x3a\x7e\x9b\x55"
                         "\0\0\0\x0aIDAT\x78\x9c\x63\x68\0\0\0\x82\0\x81\x77\xcd\x72\xb6"
                         "\0\0\0\0IEND\xae\x42\x60\x82",
    67);

/// "{}" as programs that compress texts write it, with the right checksums.
const std::string kCompressedInternational("\0\0\0\x1biTXtcardfit/plan\0\1\0\0\0"
                                           "\x78\x9c\xab\xae\x05\0\x01\x75\0\xf9\x14\x69\xd5\xa9",
    39);
const std::string kCompressed("\0\0\0\x18zTXtcardfit/plan\0\0\x78\x9c\xab\xae\x05\0\x01\x75\0\xf9\x36\x9e\x60\x08", 36);
/// The pixel's header: the signature, and a chunk of 13 bytes.
constexpr std::size_t kHeader = 8 + 12 + 13;

const std::string kDrawing =
    "<?xml version=\"1.0\"?>\n<svg width=\"1\" height=\"1\"\n>\n<title>a &amp; b</title></svg>\n";

std::string planOfSample()
{
    Plan plan;
    plan.name = "13B & <more> \"plans\", 中文";
    plan.model.architecture = samples::llama13B();
    plan.cluster.accelerator = samples::a100();
    return planText(plan);
}

class TestPicturePlan : public QObject {
    Q_OBJECT

private slots:
    void aPngGivesThePlanBack()
    {
        const std::string carrier = pngWithPlan(kPixel, planOfSample());
        QVERIFY(carrier.size() > kPixel.size());
        QVERIFY(isPicture(carrier));
        QCOMPARE(planTextInPicture(carrier).value(), planOfSample());
        // A chunk's length is its text, its keyword and five zeros; its frame is twelve bytes.
        QCOMPARE(carrier.size(), kPixel.size() + planOfSample().size() + kPicturePlanKey.size() + 5 + 12);
    }

    void aSecondPlanReplacesTheFirst()
    {
        const std::string twice = pngWithPlan(pngWithPlan(kPixel, "the first"), "the second");
        QCOMPARE(planTextInPicture(twice).value(), std::string("the second"));
        QVERIFY(twice.find("the first") == std::string::npos);
    }

    void anSvgGivesThePlanBack()
    {
        const std::string carrier = svgWithPlan(kDrawing, planOfSample());
        QVERIFY(isPicture(carrier));
        QCOMPARE(planTextInPicture(carrier).value(), planOfSample());
        QVERIFY(carrier.find("<title>a &amp; b</title>") != std::string::npos);
    }

    void whatCarriesNoPlanSaysSo()
    {
        for (const std::string& picture : {kPixel, kDrawing}) {
            QVERIFY(isPicture(picture));
            const auto text = planTextInPicture(picture);
            QVERIFY(!text);
            QCOMPARE(text.error().code, ErrorCode::WrongFormat);
            QVERIFY(text.error().message.english().find("without a plan") != std::string::npos);
        }
        QVERIFY(!isPicture("{\"format\": \"cardfit/plan\"}"));
        QVERIFY(!isPicture(""));
    }

    /// Every byte of the chunk counts: its length, its type, its text and its checksum.
    void aDamagedPlanIsRefused()
    {
        const std::string carrier = pngWithPlan(kPixel, planOfSample());
        const std::size_t begin = carrier.find("iTXt") - 4;
        for (std::size_t at = begin; at < begin + planOfSample().size() + kPicturePlanKey.size() + 17; at += 7) {
            std::string damaged = carrier;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
            QVERIFY2(!planTextInPicture(damaged), qPrintable(QString::number(at)));
        }
    }

    void everyCutIsRefusedOrWhole()
    {
        const std::string carrier = pngWithPlan(kPixel, planOfSample());
        const std::size_t whole = carrier.find("iTXt") + 4 + kPicturePlanKey.size() + 5 + planOfSample().size() + 4;
        for (std::size_t length = 0; length < carrier.size(); ++length) {
            const auto text = planTextInPicture(carrier.substr(0, length));
            QCOMPARE(text.has_value(), length >= whole);
        }
        QCOMPARE(pngWithPlan(kPixel.substr(0, 40), "a plan"), kPixel.substr(0, 40));
    }

    void aCompressedPlanIsRefusedWithTheReason()
    {
        for (const std::string& chunk : {kCompressedInternational, kCompressed}) {
            const auto text = planTextInPicture(kPixel.substr(0, kHeader) + chunk + kPixel.substr(kHeader));
            QVERIFY(!text);
            QVERIFY2(text.error().message.english().find("compressed by another program") != std::string::npos,
                text.error().message.english().c_str());
        }
    }

    void aFileOfEitherKindOpensAsThePlan()
    {
        const auto file = std::filesystem::temp_directory_path() / "cardfit-tst-picture.png";
        std::ofstream(file, std::ios::binary) << pngWithPlan(kPixel, planOfSample());
        const auto source = readPlanSource(file);
        QVERIFY(source && source->in_picture);
        const auto plan = readPlan(file, Presets{});
        QVERIFY2(plan.has_value(), plan ? "" : describe(plan.error()).c_str());
        QCOMPARE(planText(*plan), planOfSample());

        std::ofstream(file, std::ios::binary) << planOfSample();
        QVERIFY(!readPlanSource(file)->in_picture);

        std::ofstream(file, std::ios::binary) << kPixel;
        QVERIFY(readPlan(file, Presets{}).error().file == file.string());
        std::filesystem::remove(file);
    }
};

CARDFIT_TEST(TestPicturePlan)

} // namespace cardfit::tst_picture_plan
#include "tst_picture_plan.moc"
