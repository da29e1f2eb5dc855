// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/machines_panel.h"

#include <filesystem>

#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>

#include "app/document/file_path.h"
#include "app/panels/preset_form.h"
#include "core/files/file.h"
#include "core/files/preset_library.h"
#include "tests/app/answers.h"
#include "tests/test_program.h"

namespace cardfit::tst_machines_panel {

using namespace cardfit::app;
namespace fs = std::filesystem;

/// A panel with presets that it reloads, as in the window.
struct Shown {
    Presets presets = loadPresets(presetDirectories());
    MachinesPanel panel{presets};

    Shown()
    {
        QObject::connect(
            &panel, &MachinesPanel::presetsChanged, &panel, [this] { presets = loadPresets(presetDirectories()); });
        panel.setSeen(true);
        panel.show();
    }
    void type(const QString& pointer, const QString& text)
    {
        QLineEdit* field = panel.form().field(pointer);
        QVERIFY(field != nullptr);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
    /// Creates a copy of Llama 3 70B and selects it.
    void copyModel()
    {
        panel.showKind(PresetKind::Model);
        QVERIFY(panel.select("llama-3-70b"));
        QVERIFY(panel.duplicate());
    }
};

fs::path ownFile(const char* name) { return userPresetDirectory() / name; }

class TestMachinesPanel : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path()));
    }

    void everyKindIsListedAndSearched()
    {
        Shown shown;
        for (const PresetKind kind : kPresetKinds) {
            shown.panel.showKind(kind);
            QVERIFY(shown.panel.listedIds().size() > 5);
        }
        shown.panel.showKind(PresetKind::Accelerator);
        shown.panel.searchField().setText(QStringLiteral("h100 nvidia"));
        const QStringList found = shown.panel.listedIds();
        QVERIFY(found.contains(QStringLiteral("h100-sxm-80")) && !found.contains(QStringLiteral("mi300x")));
        QVERIFY(shown.panel.selected() != nullptr);
        shown.panel.searchField().setText(QStringLiteral("no such thing"));
        QVERIFY(shown.panel.listedIds().isEmpty());
        QVERIFY(shown.panel.selected() == nullptr);
        QVERIFY(!shown.panel.duplicate());
        QVERIFY(!shown.panel.exportTo(toPath(m_home->filePath(QStringLiteral("none.json")))));
    }

    void whatShipsStaysAsItIs()
    {
        Shown shown;
        shown.panel.showKind(PresetKind::Cluster);
        QVERIFY(shown.panel.select("dgx-h100"));
        QVERIFY(shown.panel.form().field(QStringLiteral("/nodes"))->isReadOnly());
        QVERIFY(shown.panel.json().isReadOnly());
        QVERIFY(shown.panel.message().contains(QStringLiteral("duplicate")));
        QVERIFY(!shown.panel.deleteSelected());
        QVERIFY(!shown.panel.save());
        QVERIFY(fs::exists(fs::path(CARDFIT_PRESET_DIR) / "clusters/dgx-h100.json"));
    }

    void aPresetIsPutIntoThePlan()
    {
        Shown shown;
        QSignalSpy asked(&shown.panel, &MachinesPanel::useAsked);
        shown.panel.showKind(PresetKind::Accelerator);
        QVERIFY(shown.panel.select("h200-sxm"));
        for (auto* button : shown.panel.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Use in &plan")) button->click();
        }
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.front()[0].value<PresetKind>(), PresetKind::Accelerator);
        QCOMPARE(asked.front()[1].toString(), QStringLiteral("h200-sxm"));
    }

    void aClusterNamesItsCard()
    {
        Shown shown;
        shown.panel.showKind(PresetKind::Cluster);
        QVERIFY(shown.panel.select("dgx-h100"));
        QVERIFY(shown.panel.duplicate());
        shown.type(QStringLiteral("/accelerator"), QStringLiteral("h200-sxm"));
        QVERIFY(shown.panel.save());
        QCOMPARE(shown.presets.cluster("dgx-h100-copy")->accelerator.id, std::string("h200-sxm"));
        // An unknown card is refused, with the place of the error.
        shown.type(QStringLiteral("/accelerator"), QStringLiteral("h300"));
        QVERIFY(!shown.panel.canSave() && shown.panel.message().contains(QStringLiteral("h300")));
        shown.panel.revert();
    }

    void aCopyHasASourceOfItsOwn()
    {
        Shown shown;
        shown.copyModel();
        QCOMPARE(shown.panel.selected()->heading.source, std::string("Copy of the preset llama-3-70b"));
    }

    void longNamesLeaveEveryColumnInSight()
    {
        Shown shown;
        shown.copyModel();
        shown.type(QStringLiteral("/name"), QString(200, u'W'));
        QVERIFY(shown.panel.save());
        auto* list = shown.panel.findChild<QTreeWidget*>();
        for (const int width : {1040, 800, 1300}) {
            shown.panel.resize(width, 620);
            QCoreApplication::processEvents();
            int columns = 0;
            for (int column = 0; column < 3; ++column) {
                QVERIFY2(list->columnWidth(column) >= 40, qPrintable(QString::number(list->columnWidth(column))));
                columns += list->columnWidth(column);
            }
            QVERIFY2(columns <= list->viewport()->width(),
                qPrintable(QStringLiteral("%1 of %2").arg(columns).arg(list->viewport()->width())));
        }
    }

    void aCopyIsChangedAsAForm()
    {
        Shown shown;
        shown.copyModel();
        QCOMPARE(shown.panel.selected()->heading.id, std::string("llama-3-70b-copy"));
        QCOMPARE(shown.panel.selected()->file, ownFile("models/llama-3-70b-copy.json"));
        shown.type(QStringLiteral("/num_hidden_layers"), QStringLiteral("8*11"));
        QVERIFY(shown.panel.isModified() && shown.panel.canSave());
        QVERIFY(shown.panel.json().toPlainText().contains(QStringLiteral("\"num_hidden_layers\": 88")));
        QVERIFY(shown.presets.model("llama-3-70b-copy")->architecture.num_hidden_layers == 80);
        QSignalSpy changed(&shown.panel, &MachinesPanel::presetsChanged);
        QVERIFY(shown.panel.save());
        QCOMPARE(changed.count(), 1);
        QCOMPARE(shown.presets.model("llama-3-70b-copy")->architecture.num_hidden_layers, 88);
        QCOMPARE(shown.presets.model("llama-3-70b")->architecture.num_hidden_layers, 80);
        QVERIFY(!shown.panel.isModified());
        QVERIFY(shown.panel.selected()->heading.figures.english().find("88 layers") != std::string::npos);
    }

    /// Another window or program is not overwritten unasked.
    void aChangeOnDiskIsAskedAbout()
    {
        Shown shown;
        shown.copyModel();
        const fs::path file = ownFile("models/llama-3-70b-copy.json");
        std::string theirs = readFile(file).value();
        theirs.replace(theirs.find("\"num_hidden_layers\": 80"), 23, "\"num_hidden_layers\": 96");
        QVERIFY(writeFile(file, theirs).has_value());
        shown.type(QStringLiteral("/num_hidden_layers"), QStringLiteral("88"));
        test::answer(QStringLiteral("No"));
        QVERIFY(!shown.panel.save());
        QCOMPARE(readFile(file).value(), theirs);
        QVERIFY(shown.panel.isModified());
        test::answer(QStringLiteral("Yes"));
        QVERIFY(shown.panel.save());
        QCOMPARE(shown.presets.model("llama-3-70b-copy")->architecture.num_hidden_layers, 88);
    }

    void mistakesAreShownWhereTheyAre()
    {
        Shown shown;
        shown.copyModel();
        shown.type(QStringLiteral("/num_hidden_layers"), QStringLiteral("many"));
        QVERIFY(!shown.panel.message().isEmpty());
        QVERIFY(!shown.panel.canSave());
        shown.type(QStringLiteral("/num_hidden_layers"), QStringLiteral("2.5"));
        QVERIFY2(
            shown.panel.message().contains(QStringLiteral("/num_hidden_layers")), qPrintable(shown.panel.message()));
        QVERIFY(shown.panel.isModified() && !shown.panel.canSave() && !shown.panel.save());
        QCOMPARE(shown.panel.json().extraSelections().size(), 1);
        QVERIFY(shown.panel.json().extraSelections().first().cursor.block().text().contains(
            QStringLiteral("num_hidden_layers")));
        shown.panel.revert();
        QVERIFY(!shown.panel.isModified() && shown.panel.message().isEmpty());
        QCOMPARE(shown.panel.form().field(QStringLiteral("/num_hidden_layers"))->text(), QStringLiteral("80"));
        // The same as JSON text, with the reader's place.
        const QString text = shown.panel.json().toPlainText();
        shown.panel.json().setPlainText(
            QString(text).replace(QStringLiteral("\"rmsnorm\""), QStringLiteral("\"rms\"")));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("/norm")), qPrintable(shown.panel.message()));
        shown.panel.json().setPlainText(QString(text).replace(QStringLiteral("\"norm\""), QStringLiteral("\"nrm\"")));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("no such key")), qPrintable(shown.panel.message()));
        shown.panel.json().setPlainText(text.left(200));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("line")), qPrintable(shown.panel.message()));
        QVERIFY(!shown.panel.canSave());
        QCOMPARE(QString::fromStdString(*readFile(shown.panel.selected()->file)), text);
    }

    void anOwnPresetThatHidesAShippedOneIsMarked()
    {
        Shown shown;
        shown.copyModel();
        shown.type(QStringLiteral("/id"), QStringLiteral("llama-3-8b"));
        QVERIFY(shown.panel.save());
        // The file is renamed to the new id, and the old file is removed.
        QCOMPARE(shown.panel.selected()->file, ownFile("models/llama-3-8b.json"));
        QVERIFY(!fs::exists(ownFile("models/llama-3-70b-copy.json")));
        QVERIFY(shown.panel.selected()->hides);
        QCOMPARE(shown.panel.listedIds().count(QStringLiteral("llama-3-8b")), 2);
        QCOMPARE(shown.presets.model("llama-3-8b")->architecture.num_hidden_layers, 80);
        // After deletion the shipped preset is used again.
        QVERIFY(shown.panel.deleteSelected());
        QCOMPARE(shown.presets.model("llama-3-8b")->architecture.num_hidden_layers, 32);
        QVERIFY(!shown.panel.selected()->hides && !shown.panel.selected()->hidden);
    }

    void ownPresetsDoNotReplaceEachOther()
    {
        Shown shown;
        shown.copyModel();
        QVERIFY(shown.panel.select("llama-3-70b"));
        QVERIFY(shown.panel.duplicate());
        QCOMPARE(shown.panel.selected()->heading.id, std::string("llama-3-70b-copy-2"));
        shown.type(QStringLiteral("/id"), QStringLiteral("llama-3-70b-copy"));
        QVERIFY(!shown.panel.save());
        QVERIFY(shown.panel.message().contains(QStringLiteral("another preset of yours")));
        shown.type(QStringLiteral("/id"), QStringLiteral("../../escape"));
        QVERIFY(!shown.panel.save());
        QVERIFY(!fs::exists(toPath(m_home->filePath(QStringLiteral("escape.json")))));
        QVERIFY(fs::exists(ownFile("models/llama-3-70b-copy-2.json")));
    }

    void filesAreExportedAndImported()
    {
        const fs::path file = toPath(m_home->filePath(QStringLiteral("elsewhere.json")));
        Shown shown;
        shown.panel.showKind(PresetKind::Plan);
        QVERIFY(shown.panel.select("llama-3-70b-64-h100"));
        QVERIFY(shown.panel.exportTo(file));
        QCOMPARE(*readFile(file), *readFile(fs::path(CARDFIT_PRESET_DIR) / "plans/llama-3-70b-64-h100.json"));
        QVERIFY(shown.panel.importFile(file));
        QCOMPARE(shown.panel.selected()->heading.id, std::string("elsewhere"));
        QVERIFY(shown.presets.plan("elsewhere") != nullptr);
        // Importing again needs a confirmed replacement.
        QVERIFY(!shown.panel.importFile(file) && shown.panel.wouldReplace());
        QVERIFY(shown.panel.importFile(file, true));
        // A file that is not a preset is refused with the place of the error, and nothing is written.
        QVERIFY(writeFile(file, "{\"format\": \"cardfit/model\", \"version\": 1, \"id\": \"x\"}").has_value());
        QVERIFY(!shown.panel.importFile(file) && !shown.panel.wouldReplace());
        QVERIFY2(shown.panel.message().contains(QStringLiteral("elsewhere.json")), qPrintable(shown.panel.message()));
        QVERIFY(!fs::exists(ownFile("models/x.json")));
        QVERIFY(!shown.panel.importFile(toPath(m_home->filePath(QStringLiteral("missing.json")))));
    }

    // Two homes: what one gives away as a file, the other opens without the first one's card.
    void aClusterWithAnOwnCardIsGivenAway()
    {
        const fs::path file = toPath(m_home->filePath(QStringLiteral("given.json")));
        {
            Shown shown;
            ownCardAndCluster(shown);
            QVERIFY(shown.panel.exportTo(file));
        }
        QTemporaryDir other;
        qputenv("XDG_DATA_HOME", QFile::encodeName(other.path()));
        Shown shown;
        QVERIFY(shown.presets.accelerator("mycard-96") == nullptr);
        QVERIFY2(shown.panel.importFile(file), qPrintable(shown.panel.message()));
        const Cluster* cluster = shown.presets.cluster("dgx-h100-copy");
        QVERIFY(cluster != nullptr);
        QCOMPARE(cluster->accelerator.id, std::string("mycard-96"));
        QCOMPARE(cluster->accelerator.memory, Mebibytes(98304));
        QCOMPARE(usableMemory(cluster->accelerator), toBytes(Mebibytes(97000)));
        QCOMPARE(shown.panel.form().field(QStringLiteral("/accelerator"))->text(), QStringLiteral("mycard-96"));

        // A file of an earlier version, which names the card alone, says what it lacks; another card can be picked.
        auto bare = withPresetWord(*readFile(file), "/accelerator", "mycard-97");
        bare = withPresetWord(*bare, "/id", "bare");
        QVERIFY(writeFile(file, *bare).has_value());
        QVERIFY(!shown.panel.importFile(file));
        QCOMPARE(shown.panel.lackedCard(), std::string("mycard-97"));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("“mycard-97”")), qPrintable(shown.panel.message()));
        QVERIFY(shown.panel.importFile(file, false, "h200-sxm"));
        QCOMPARE(shown.presets.cluster("bare")->accelerator.id, std::string("h200-sxm"));
    }

    // What uses a card keeps its values when the card is deleted: clusters of this version hold them, those of earlier
    // ones and plans get them first.
    void deletingACardKeepsWhatUsesIt()
    {
        Shown shown;
        ownCardAndCluster(shown);
        const fs::path cluster_file = ownFile("clusters/dgx-h100-copy.json");
        const auto bare = withPresetWord(*readFile(cluster_file), "/accelerator", "mycard-96");
        QVERIFY(writeFile(cluster_file, *bare).has_value());
        fs::create_directories(ownFile("plans"));
        const auto plan = withPresetWord(*readFile(fs::path(CARDFIT_PRESET_DIR) / "plans/llama-3-70b-64-h100.json"),
            "/cluster/accelerator", "mycard-96");
        QVERIFY(plan && writeFile(ownFile("plans/mine.json"), *plan));
        Shown again;
        const Cluster before = *again.presets.cluster("dgx-h100-copy");
        const Plan plan_before = *again.presets.plan("mine");
        again.panel.showKind(PresetKind::Accelerator);
        QVERIFY(again.panel.select("mycard-96"));
        QCOMPARE(again.panel.needingSelected().size(), 2);
        QVERIFY(again.panel.deleteSelected());
        QVERIFY(again.presets.accelerator("mycard-96") == nullptr);
        QVERIFY(again.presets.problems.empty());
        QVERIFY(*again.presets.cluster("dgx-h100-copy") == before);
        QVERIFY(*again.presets.plan("mine") == plan_before);
    }

    void filesThatCannotBeReadAreShownAndRepaired()
    {
        fs::create_directories(ownFile("clusters"));
        const std::string dgx = *readFile(fs::path(CARDFIT_PRESET_DIR) / "clusters/dgx-h100.json");
        auto lost = withPresetWord(dgx, "/accelerator", "gone");
        lost = withPresetWord(*lost, "/id", "lost");
        QVERIFY(writeFile(ownFile("clusters/lost.json"), *lost).has_value());
        QVERIFY(writeFile(ownFile("clusters/torn.json"), dgx.substr(0, 100)).has_value());
        Shown shown;
        shown.panel.showKind(PresetKind::Cluster);
        QVERIFY(shown.panel.select("torn"));
        QVERIFY(shown.panel.message().contains(QStringLiteral("line")));
        QVERIFY(!shown.panel.duplicate() && !shown.panel.exportTo(ownFile("clusters/out.json")));
        shown.panel.json().setPlainText(
            QString::fromStdString(dgx).replace(QStringLiteral("\"dgx-h100\""), QStringLiteral("\"torn\"")));
        QVERIFY2(shown.panel.save(), qPrintable(shown.panel.message()));
        QVERIFY(shown.presets.cluster("torn") != nullptr);
        QVERIFY(shown.panel.select("lost"));
        QVERIFY2(shown.panel.message().contains(QStringLiteral("gone")), qPrintable(shown.panel.message()));
        QVERIFY(shown.panel.repairWith("h200-sxm"));
        QCOMPARE(shown.presets.cluster("lost")->accelerator.id, std::string("h200-sxm"));
        QVERIFY(shown.presets.problems.empty());
    }

    void anUnreadableFileCanBeDeleted()
    {
        fs::create_directories(ownFile("models"));
        QVERIFY(writeFile(ownFile("models/torn.json"), "{").has_value());
        Shown shown;
        QCOMPARE(shown.presets.problems.size(), std::size_t(1));
        shown.panel.showKind(PresetKind::Model);
        QVERIFY(shown.panel.select("torn") && shown.panel.deleteSelected());
        QVERIFY(shown.presets.problems.empty() && !fs::exists(ownFile("models/torn.json")));
    }

    void anotherShapeLosesThePublishedCount()
    {
        Shown shown;
        shown.copyModel();
        QVERIFY(shown.presets.model("llama-3-70b-copy")->reported_parameters);
        shown.type(QStringLiteral("/num_hidden_layers"), QStringLiteral("40"));
        QVERIFY(shown.panel.save());
        QVERIFY(!shown.presets.model("llama-3-70b-copy")->reported_parameters);
        QVERIFY2(
            shown.panel.message().contains(QStringLiteral("reported_parameters")), qPrintable(shown.panel.message()));
    }

    void bothSizesOfACardAreInItsForm()
    {
        Shown shown;
        shown.panel.showKind(PresetKind::Accelerator);
        QVERIFY(shown.panel.select("h100-sxm-80"));
        QCOMPARE(shown.panel.form().field(QStringLiteral("/memory_mib"))->text(), QStringLiteral("81559"));
        QCOMPARE(shown.panel.form().field(QStringLiteral("/usable_mib"))->text(), QStringLiteral("80998"));
        QVERIFY(shown.panel.duplicate());
        shown.type(QStringLiteral("/usable_mib"), QStringLiteral("90000"));
        QVERIFY(!shown.panel.canSave() && shown.panel.message().contains(QStringLiteral("/usable_mib")));
        shown.panel.revert();
    }

    void whatIsBeingChangedIsNotLost()
    {
        Shown shown;
        shown.copyModel();
        shown.type(QStringLiteral("/hidden_size"), QStringLiteral("4096"));
        QVERIFY(!shown.panel.searchField().isEnabled());
        for (auto* button : shown.panel.findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("&Import…")) QVERIFY(!button->isEnabled());
        }
        shown.panel.revert();
        QVERIFY(shown.panel.searchField().isEnabled());
    }

private:
    /// A card "mycard-96" of the user's, and a cluster "dgx-h100-copy" of it, which is selected.
    static void ownCardAndCluster(Shown& shown)
    {
        shown.panel.showKind(PresetKind::Accelerator);
        QVERIFY(shown.panel.select("h100-sxm-80"));
        QVERIFY(shown.panel.duplicate());
        shown.type(QStringLiteral("/id"), QStringLiteral("mycard-96"));
        shown.type(QStringLiteral("/memory_mib"), QStringLiteral("98304"));
        shown.type(QStringLiteral("/usable_mib"), QStringLiteral("97000"));
        QVERIFY(shown.panel.save());
        shown.panel.showKind(PresetKind::Cluster);
        QVERIFY(shown.panel.select("dgx-h100"));
        QVERIFY(shown.panel.duplicate());
        shown.type(QStringLiteral("/accelerator"), QStringLiteral("mycard-96"));
        QVERIFY2(shown.panel.save(), qPrintable(shown.panel.message()));
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

CARDFIT_WINDOW_TEST(TestMachinesPanel)

} // namespace cardfit::tst_machines_panel
#include "tst_machines_panel.moc"
