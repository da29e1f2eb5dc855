// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <filesystem>

#include <QTemporaryDir>
#include <QtTest>

#include "core/files/file.h"
#include "core/files/preset_files.h"
#include "tests/test_program.h"

namespace cardfit::tst_preset_files {

namespace fs = std::filesystem;

const std::array<fs::path, 1> kShipped{CARDFIT_PRESET_DIR};

const Presets& shipped()
{
    static const Presets presets = loadPresets(kShipped);
    return presets;
}

std::string shippedText(const char* file) { return *readFile(fs::path(CARDFIT_PRESET_DIR) / file); }

std::string failure(std::string_view text)
{
    const auto heading = readPresetText(text, shipped());
    return heading ? std::string("no error") : describe(heading.error());
}

class TestPresetFiles : public QObject {
    Q_OBJECT

private slots:
    void everyShippedFileIsListedOnce()
    {
        const auto list = listPresetFiles(kShipped, shipped());
        const auto count = [&](PresetKind kind) {
            return std::ranges::count(list, kind, [](const PresetFile& file) { return file.heading.kind; });
        };
        QCOMPARE(count(PresetKind::Model), qsizetype(shipped().models.size()));
        QCOMPARE(count(PresetKind::Accelerator), qsizetype(shipped().accelerators.size()));
        QCOMPARE(count(PresetKind::Cluster), qsizetype(shipped().clusters.size()));
        QCOMPARE(count(PresetKind::Plan), qsizetype(shipped().plans.size()));
        for (const PresetFile& file : list) {
            QVERIFY2(!file.heading.id.empty() && !file.heading.name.empty() && !file.heading.figures.empty(),
                file.file.c_str());
            QVERIFY(!file.hidden && !file.hides);
            // Shipped files hold no key that an editor would have to refuse.
            const auto strict = readPresetText(*readFile(file.file), shipped());
            QVERIFY2(strict.has_value(), strict ? "" : describe(strict.error()).c_str());
        }
    }

    void figuresTellPresetsApart()
    {
        QCOMPARE(readPresetText(shippedText("models/llama-3-70b.json"), shipped())->figures.english(),
            std::string("70.6 B parameters, 80 layers, hidden 8192"));
        QCOMPARE(readPresetText(shippedText("accelerators/h100-sxm-80.json"), shipped())->figures.english(),
            std::string("81559 MiB, 80998 usable, 989.4 TFLOPS bf16, 3350 GB/s"));
        QCOMPARE(readPresetText(shippedText("clusters/dgx-h100.json"), shipped())->figures.english(),
            std::string("1 x 8 NVIDIA H100 SXM 80 GB"));
        QCOMPARE(readPresetText(shippedText("plans/llama-3-70b-64-h100.json"), shipped())->figures.english(),
            std::string("Llama 3 70B, 64 cards"));
    }

    void theEarlierDirectoryHidesTheLater()
    {
        QTemporaryDir own;
        const fs::path first = own.path().toStdString();
        fs::create_directories(first / "models");
        auto text = withPresetNumber(shippedText("models/llama-3-70b.json"), "/num_hidden_layers", 40);
        QVERIFY(writeFile(first / "models/mine.json", *text).has_value());
        const std::array<fs::path, 2> directories{first, kShipped[0]};
        const auto list = listPresetFiles(directories, loadPresets(directories));
        const auto own_file = std::ranges::find(list, first / "models/mine.json", &PresetFile::file);
        QVERIFY(own_file != list.end());
        QVERIFY(own_file->hides && !own_file->hidden);
        QCOMPARE(own_file->directory, std::size_t(0));
        const auto next = std::next(own_file);
        QCOMPARE(next->heading.id, std::string("llama-3-70b"));
        QVERIFY(next->hidden && !next->hides);
        QCOMPARE(std::ranges::count(list, true, &PresetFile::hidden), std::ptrdiff_t(1));
    }

    // A cluster with its card's values means the same where the card's preset is missing; the id stays.
    void embeddedClustersNeedNoCard()
    {
        const std::string text = shippedText("clusters/dgx-h100.json");
        Presets without = shipped();
        std::erase_if(without.accelerators, [](const Accelerator& card) { return card.id == "h100-sxm-80"; });
        QVERIFY(dependsOn(text, shipped(), without));
        QCOMPARE(missingCard(text, without)->id, std::string("h100-sxm-80"));
        QVERIFY(!missingCard(text, shipped()));
        const auto embedded = withPresetsEmbedded(text, shipped());
        QVERIFY(embedded && !dependsOn(*embedded, shipped(), without) && !missingCard(*embedded, without));
        QCOMPARE(presetValue(*embedded, "/accelerator").value(), std::string("h100-sxm-80"));
        QCOMPARE(presetValue(*embedded, "/accelerator/usable_mib").value(), std::string("80998"));
        QVERIFY(withPresetsEmbedded(*embedded, without) == *embedded);
        QVERIFY(readPresetText(*embedded, Presets{}).has_value());
        // A plan names its cards through a cluster, or itself.
        const std::string plan = shippedText("plans/llama-3-70b-64-h100.json");
        QVERIFY(!missingCard(plan, shipped()));
        QCOMPARE(missingCard(*withPresetWord(plan, "/cluster/accelerator", "mine"), shipped())->pointer,
            std::string("/cluster/accelerator"));
        QVERIFY(
            failure(*withPresetWord(text, "/accelerator", "mine")).find("import that card first") != std::string::npos);
    }

    void anotherShapeHasNoPublishedCount()
    {
        const std::string text = shippedText("models/llama-3-70b.json");
        const std::string count = presetValue(text, "/reported_parameters").value();
        QVERIFY(!withoutStaleCount(text, *withPresetWord(text, "/name", "Mine")));
        const std::string wider = *withPresetNumber(text, "/intermediate_size", 30000);
        QVERIFY(!presetValue(withoutStaleCount(text, wider).value(), "/reported_parameters"));
        QVERIFY(!withoutStaleCount(text, *withPresetNumber(wider, "/reported_parameters", 72e9))); // a count of its own
    }

    void filesThatCannotBeReadAreListedWithTheReason()
    {
        QTemporaryDir own;
        const fs::path first = own.path().toStdString();
        for (const char* kind : {"models", "clusters", "accelerators"})
            fs::create_directories(first / kind);
        QVERIFY(writeFile(first / "models/broken.json", "{"));
        QVERIFY(writeFile(first / "models/card.json", shippedText("accelerators/h100-sxm-80.json")));
        QVERIFY(writeFile(first / "clusters/lost.json",
            *withPresetWord(shippedText("clusters/dgx-h100.json"), "/accelerator", "gone")));
        QVERIFY(writeFile(first / "accelerators/good.json", shippedText("accelerators/h100-sxm-80.json")));
        fs::create_symlink(first / "plans", first / "plans"); // a folder that cannot be opened
        const std::array<fs::path, 2> directories{first, kShipped[0]};
        const Presets presets = loadPresets(directories);
        const auto list = listPresetFiles(directories, presets);
        const auto reasons =
            std::ranges::count_if(list, [](const PresetFile& file) { return file.problem.has_value(); });
        QCOMPARE(reasons, std::ptrdiff_t(presets.problems.size()));
        QCOMPARE(reasons, std::ptrdiff_t(4));
        const auto at = std::ranges::find(list, first / "clusters/lost.json", &PresetFile::file);
        QCOMPARE(at->heading.id, std::string("lost"));
        QCOMPARE(at->problem->where.english(), std::string("/accelerator"));
    }

    void mistakesAreNamedWithTheirPlace()
    {
        const std::string model = shippedText("models/llama-3-70b.json");
        QVERIFY(failure("{").find("line 1") != std::string::npos);
        QCOMPARE(failure("{\"format\": \"cardfit/colour\"}").substr(0, 7), std::string("/format"));
        QVERIFY(failure(*withPresetNumber(model, "/hidden_size", 0.5)).find("/hidden_size") == 0);
        QVERIFY(
            failure(*withPresetNumber(model, "/hidden_size", std::nullopt)).find("hidden_size") != std::string::npos);
        QCOMPARE(
            failure(*withPresetNumber(model, "/hiden_size", 1)), std::string("/hiden_size: a preset has no such key"));
        QVERIFY(failure(*withPresetWord(model, "/norm", "batchnorm")).find("/norm") == 0);
        const std::string cluster = shippedText("clusters/dgx-h100.json");
        QVERIFY(failure(*withPresetWord(cluster, "/accelerator", "h1000")).find("/accelerator") == 0);
        const std::string plan = shippedText("plans/llama-3-70b-64-h100.json");
        QCOMPARE(failure(*withPresetNumber(plan, "/workload/batch", 1)),
            std::string("/workload/batch: a preset has no such key"));
    }

    void valuesAreReadAndWrittenWhereTheyStand()
    {
        const std::string text = shippedText("clusters/dgx-h100.json");
        QCOMPARE(presetValue(text, "/intra_node/gb_s").value(), std::string("450"));
        QCOMPARE(presetValue(text, "/name").value(), std::string("DGX H100"));
        QVERIFY(!presetValue(text, "/inter_node"));
        QVERIFY(!presetValue(text, "/nothing/there"));
        QVERIFY(!presetValue(text, "no pointer"));
        QVERIFY(!presetValue("{", "/name"));
        const std::string changed = *withPresetNumber(text, "/inter_node/gb_s", 12.5);
        QCOMPARE(presetValue(changed, "/inter_node/gb_s").value(), std::string("12.5"));
        // Nothing else has moved.
        QCOMPARE(*withPresetNumber(changed, "/inter_node/gb_s", 50), text);
        // Where there was null an object grows.
        const std::string without = *withPresetNumber(text, "/inter_node", std::nullopt);
        QCOMPARE(presetValue(*withPresetNumber(without, "/inter_node/gb_s", 25), "/inter_node/gb_s").value(),
            std::string("25"));
        QVERIFY(!withPresetNumber(text, "/name/gb_s", 1));
        QVERIFY(!withPresetNumber("[]", "/name", 1));
    }
};

CARDFIT_TEST(TestPresetFiles)

} // namespace cardfit::tst_preset_files
#include "tst_preset_files.moc"
