// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <filesystem>

#include <sys/stat.h>

#include "core/estimate/estimate.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/report/reports.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_presets {

namespace fs = std::filesystem;

Presets load(const std::vector<fs::path>& directories) { return loadPresets(directories); }

std::size_t jsonFiles(const fs::path& directory)
{
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(directory))
        files += entry.path().extension() == ".json" ? 1 : 0;
    return files;
}

Accelerator card(std::string id, std::int64_t memory_mib)
{
    Accelerator made = samples::a100();
    made.id = std::move(id);
    made.memory = Mebibytes(memory_mib);
    return made;
}

class TestPresets : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        QVERIFY(m_temporary->isValid());
        m_user = fs::path(m_temporary->path().toStdString()) / "user";
        m_shared = fs::path(m_temporary->path().toStdString()) / "shared";
        for (const fs::path& directory : {m_user, m_shared}) {
            for (const auto* kind : {"accelerators", "clusters", "models", "plans"})
                fs::create_directories(directory / kind);
        }
    }

    // ---- What ships

    void everyShippedPresetIsRead()
    {
        const fs::path shipped = CARDFIT_PRESET_DIR;
        const Presets presets = load({shipped});
        for (const Error& problem : presets.problems)
            qWarning("%s", describe(problem).c_str());
        QVERIFY(presets.problems.empty());
        QCOMPARE(presets.accelerators.size(), jsonFiles(shipped / "accelerators"));
        QCOMPARE(presets.clusters.size(), jsonFiles(shipped / "clusters"));
        QCOMPARE(presets.models.size(), jsonFiles(shipped / "models"));
        QCOMPARE(presets.plans.size(), jsonFiles(shipped / "plans"));
    }

    void shippedFilesAreNamedAfterTheirIds()
    {
        const fs::path shipped = CARDFIT_PRESET_DIR;
        const Presets presets = load({shipped});
        for (const auto& preset : presets.accelerators)
            QVERIFY2(fs::exists(shipped / "accelerators" / (preset.id + ".json")), preset.id.c_str());
        for (const auto& preset : presets.clusters)
            QVERIFY2(fs::exists(shipped / "clusters" / (preset.id + ".json")), preset.id.c_str());
        for (const auto& preset : presets.models)
            QVERIFY2(fs::exists(shipped / "models" / (preset.id + ".json")), preset.id.c_str());
    }

    void shippedPresetsNameTheirSources()
    {
        const Presets presets = load({CARDFIT_PRESET_DIR});
        for (const auto& preset : presets.accelerators)
            QVERIFY2(preset.generation != Generation::Unstated, preset.id.c_str());
        for (const auto& preset : presets.accelerators)
            QVERIFY2(!preset.source.empty() && !preset.name.empty(), preset.id.c_str());
        for (const auto& preset : presets.clusters)
            QVERIFY2(!preset.source.empty() && !preset.name.empty(), preset.id.c_str());
        for (const auto& preset : presets.models)
            QVERIFY2(!preset.source.empty() && !preset.name.empty(), preset.id.c_str());
    }

    // Running out of memory is decided on what CUDA gives. Drivers keep from nothing (AMD) to five percent (Ascend).
    void everyShippedCardSaysWhatIsUsable()
    {
        const Presets presets = load({CARDFIT_PRESET_DIR});
        for (const Accelerator& one : presets.accelerators) {
            QVERIFY2(one.usable && *one.usable <= one.memory && *one.usable / one.memory > 0.94, one.id.c_str());
            QVERIFY2(one.source.find("Usable") != std::string::npos, one.id.c_str());
        }
        // pytorch/torchtitan issue 1789: 58.28 GiB are 73.68 % of the card.
        const double gib = static_cast<double>(usableMemory(*presets.accelerator("h100-sxm-80")).value()) / 0x1p30;
        QVERIFY(std::abs(58.28 / gib - 0.7368) < 1e-4);
        QVERIFY(std::abs(gib - 79.10) < 1e-3);
    }

    void whatIsUsableIsOfTheCardAsItIs()
    {
        const Presets presets = load({CARDFIT_PRESET_DIR});
        const Plan plan = *presets.plan("llama-3-70b-64-h100");
        const auto capacity = [&](const char* setting) {
            const auto changed = withSetting(plan, setting, presets);
            return changed ? usableMemory(changed->cluster.accelerator).value() >> 20 : -1;
        };
        QCOMPARE(capacity("/cluster/nodes=8"), 80998);
        QCOMPARE(capacity("/cluster/accelerator/memory_mib=81559"), 80998);
        QCOMPARE(capacity("/cluster/accelerator/memory_mib=98304"), 98304); // of such a card nothing is known
        QCOMPARE(capacity("/cluster/accelerator/usable_mib=80000"), 80000);
        QCOMPARE(capacity("/cluster/accelerator/usable_mib=null"), 81559);
        QCOMPARE(capacity("/cluster/accelerator/usable_mib=81560"), -1); // more than the card has
        const Estimate result = estimate(plan);
        for (const StageMemory& stage : result.stages)
            QCOMPARE(stage.capacity, toBytes(Mebibytes(80998)));
        Plan unknown = plan;
        unknown.cluster.accelerator.usable.reset();
        QVERIFY(textReport(unknown, estimate(unknown)).find("all counted as usable") != std::string::npos);
        QVERIFY(textReport(plan, result).find("all counted as usable") == std::string::npos);
        QVERIFY(parsePlan(planText(unknown), presets) == unknown);
    }

    void shippedPlansComeBackAsTheyWere()
    {
        const Presets presets = load({CARDFIT_PRESET_DIR});
        for (const PlanPreset& preset : presets.plans) {
            const auto reopened = parsePlan(planText(preset.plan), {});
            QVERIFY2(reopened && *reopened == preset.plan, preset.id.c_str());
        }
    }

    // ---- Several directories

    void theFirstDirectoryCounts()
    {
        QVERIFY(writeFile(m_user / "accelerators/mine.json", acceleratorPresetText(card("a", 1000))));
        QVERIFY(writeFile(m_shared / "accelerators/a.json", acceleratorPresetText(card("a", 2000))));
        QVERIFY(writeFile(m_shared / "accelerators/b.json", acceleratorPresetText(card("b", 3000))));
        const Presets presets = load({m_user, m_shared});
        QVERIFY(presets.problems.empty());
        QCOMPARE(presets.accelerators.size(), std::size_t{2});
        QVERIFY(presets.accelerator("a")->memory == Mebibytes(1000));
        QVERIFY(presets.accelerator("b")->memory == Mebibytes(3000));
        QVERIFY(presets.accelerator("c") == nullptr);
    }

    void presetsMayReferToOtherDirectories()
    {
        QVERIFY(writeFile(m_user / "accelerators/a.json", acceleratorPresetText(card("a", 1000))));
        QVERIFY(writeFile(m_shared / "clusters/c.json",
            R"({"format": "cardfit/cluster", "version": 1, "id": "c", "accelerator": "a", "nodes": 3})"));
        QVERIFY(writeFile(m_shared / "models/m.json",
            R"({"format": "cardfit/model", "version": 1, "id": "m", "hidden_size": 8, "num_hidden_layers": 1,
                "num_attention_heads": 1, "vocab_size": 9})"));
        QVERIFY(writeFile(m_user / "plans/p.json",
            R"({"format": "cardfit/plan", "version": 1, "model": {"preset": "m"}, "cluster": {"preset": "c"}})"));
        const Presets presets = load({m_user, m_shared});
        QVERIFY(presets.problems.empty());
        QVERIFY(presets.cluster("c")->accelerator == *presets.accelerator("a"));
        QVERIFY(presets.plan("p")->cluster == *presets.cluster("c"));
        QVERIFY(presets.plan("p")->model == *presets.model("m"));
    }

    void directoriesThatDoNotExistAreEmpty()
    {
        fs::remove_all(m_shared / "plans");
        const Presets presets = load({"/no/such/directory", m_shared});
        QVERIFY(presets.problems.empty());
        QVERIFY(presets.models.empty());
    }

    void otherFilesAreLeftAlone()
    {
        QVERIFY(writeFile(m_user / "models/README.md", "Models"));
        QVERIFY(writeFile(m_user / "models/.cardfit-1-0.tmp", "{"));
        QVERIFY(load({m_user}).problems.empty());
    }

    // ---- What is wrong with a file

    void problems_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* name, const char* file, const char* text, ErrorCode code, const char* where) {
            QTest::newRow(name) << QByteArray(file) << QByteArray(text) << code << QByteArray(where);
        };
        row("not JSON", "models/x.json", "{", ErrorCode::NotJson, "line 1, column 1");
        row("another kind", "models/x.json", R"({"format": "cardfit/cluster"})", ErrorCode::WrongFormat, "/format");
        row("newer", "models/x.json", R"({"format": "cardfit/model", "version": 2})", ErrorCode::WrongFormat,
            "/version");
        row("no id", "models/x.json", R"({"format": "cardfit/model", "version": 1})", ErrorCode::MissingKey, "/id");
        row("no shape", "models/x.json", R"({"format": "cardfit/model", "version": 1, "id": "x"})",
            ErrorCode::MissingKey, "/hidden_size");
        row("no memory", "accelerators/x.json", R"({"format": "cardfit/accelerator", "version": 1, "id": "x"})",
            ErrorCode::MissingKey, "/memory_mib");
        row("negative rate", "accelerators/x.json",
            R"({"format": "cardfit/accelerator", "version": 1, "id": "x", "memory_mib": 1,
                "memory_bandwidth_gb_s": 1, "tflops": {"bf16": -1}})",
            ErrorCode::OutOfRange, "/tflops/bf16");
        row("unknown accelerator", "clusters/x.json",
            R"({"format": "cardfit/cluster", "version": 1, "id": "x", "accelerator": "none"})", ErrorCode::UnknownName,
            "/accelerator");
        row("plan of an unknown model", "plans/x.json",
            R"({"format": "cardfit/plan", "version": 1, "model": {"preset": "none"}})", ErrorCode::UnknownName,
            "/model/preset");
        row("id of another file", "accelerators/x.json",
            R"({"format": "cardfit/accelerator", "version": 1, "id": "good", "memory_mib": 1,
                "memory_bandwidth_gb_s": 1})",
            ErrorCode::DuplicateKey, "/id");
    }
    void problems()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, text);
        QFETCH(ErrorCode, code);
        QFETCH(QByteArray, where);
        QVERIFY(writeFile(m_user / "accelerators/good.json", acceleratorPresetText(card("good", 1000))));
        QVERIFY(writeFile(m_user / file.toStdString(), text.toStdString()));
        const Presets presets = load({m_user});
        QCOMPARE(presets.problems.size(), std::size_t{1});
        const Error& problem = presets.problems.front();
        QVERIFY2(problem.code == code, describe(problem).c_str());
        QCOMPARE(QByteArray::fromStdString(problem.where.english()), where);
        QCOMPARE(problem.file, (m_user / file.toStdString()).string());
        QVERIFY(presets.accelerator("good")->memory == Mebibytes(1000));
    }

    // A pipe would be waited for at every start.
    void whatIsNoFolderOrFileIsReported()
    {
        fs::remove(m_user / "models");
        QVERIFY(writeFile(m_user / "models", "text"));
        QCOMPARE(::mkfifo((m_user / "plans/pipe.json").c_str(), 0600), 0);
        const Presets presets = load({m_user});
        QCOMPARE(presets.problems.size(), std::size_t{2});
        QCOMPARE(presets.problems.front().file, (m_user / "models").string());
        QCOMPARE(presets.problems.back().file, (m_user / "plans/pipe.json").string());
        for (const Error& problem : presets.problems)
            QCOMPARE(problem.code, ErrorCode::CannotRead);
    }

    void unknownKeysOfPresetsAreIgnored()
    {
        QVERIFY(writeFile(m_user / "accelerators/a.json",
            R"({"format": "cardfit/accelerator", "version": 1, "id": "a", "memory_mib": 1, "memory_bandwidth_gb_s": 1,
                "nvlinks": 18})"));
        QVERIFY(load({m_user}).problems.empty());
    }

    // ---- Presets as text

    void presetTextsComeBackAsTheyWere()
    {
        Presets written;
        written.accelerators = {card("a", 1000)};
        written.accelerators.front().link = GigabytesPerSecond(450.5);
        Cluster cluster;
        cluster.id = "c";
        cluster.name = "Cluster";
        cluster.accelerator = card("a", 900); // not the preset's any more
        cluster.nodes = 5;
        cluster.inter_node = Link{GigabytesPerSecond(12.5), Microseconds(25)};
        written.clusters = {cluster};
        Model model;
        model.id = "m";
        model.name = "Model";
        model.architecture = samples::llama13B();
        model.reported_parameters = 13015864320;
        written.models = {model};

        QVERIFY(writeFile(m_user / "accelerators/a.json", acceleratorPresetText(written.accelerators.front())));
        QVERIFY(writeFile(m_user / "clusters/c.json", clusterPresetText(written.clusters.front())));
        QVERIFY(writeFile(m_user / "models/m.json", modelPresetText(written.models.front())));
        const Presets read = load({m_user});
        QVERIFY(read.problems.empty());
        QVERIFY(read.accelerators == written.accelerators);
        QVERIFY(read.clusters == written.clusters);
        QVERIFY(read.models == written.models);
    }

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_user;
    fs::path m_shared;
};

CARDFIT_TEST(TestPresets)

} // namespace cardfit::tst_presets
#include "tst_presets.moc"
