// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/plan_files.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/file_path.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/model/operators.h"
#include "tests/app/answers.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_plan_files {

using namespace cardfit::app;
using cardfit::test::answer;
using cardfit::test::typeFileName;
using cardfit::test::whenShown;

Plan batchOf(std::int64_t sequences)
{
    Plan plan = samplePlan();
    plan.workload.global_batch_size = sequences;
    return plan;
}

class TestPlanFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_plan_files"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    }

    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home->path()));
        m_file = m_home->filePath(QStringLiteral("plan.json"));
        QVERIFY(writePlan(batchOf(512)));
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(m_file));
    }

    void cleanup() { m_window.reset(); }

    void savingAsksWhereSomebodyElseChangedTheFile_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<int>("on_disk");
        QTest::addColumn<int>("shown");
        QTest::addColumn<bool>("modified");
        QTest::newRow("cancel") << "Cancel" << 768 << 640 << true;
        QTest::newRow("overwrite") << "Overwrite" << 640 << 640 << false;
        QTest::newRow("reload") << "Reload" << 768 << 768 << false;
    }
    void savingAsksWhereSomebodyElseChangedTheFile()
    {
        QFETCH(const QString, button);
        document().edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(writePlan(batchOf(768)));
        answer(button);
        files().save();
        QTEST(static_cast<int>(onDisk()), "on_disk");
        QTEST(static_cast<int>(document().plan().workload.global_batch_size), "shown");
        QTEST(document().isModified(), "modified");
        if (button != QStringLiteral("Reload")) return;
        // Nothing is lost: one undo step restores the edits made here.
        document().undoStack()->undo();
        QVERIFY(document().plan() == batchOf(640));
        QVERIFY(document().isModified());
    }

    void theChangeIsShownBeforeItIsOverwritten()
    {
        document().edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(writePlan(batchOf(768)));
        QString difference;
        whenShown<QMessageBox>([&](QMessageBox& box) {
            difference = box.detailedText();
            box.reject();
        });
        QVERIFY(!files().save());
        QVERIFY2(difference.contains(QStringLiteral("768 → 640")), qPrintable(difference));
    }

    void savingElsewhereLeavesBoth()
    {
        document().edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(writePlan(batchOf(768)));
        whenShown<QMessageBox>([&](QMessageBox& box) {
            typeFileName(m_home->filePath(QStringLiteral("other")));
            for (QAbstractButton* one : box.buttons()) {
                if (one->text().contains(QStringLiteral("as…"))) one->click();
            }
        });
        files().save();
        QCOMPARE(onDisk(), 768);
        // The extension that was not typed.
        QCOMPARE(document().filePath(), m_home->filePath(QStringLiteral("other.json")));
        QVERIFY(QFile::exists(m_home->filePath(QStringLiteral("other.json"))));
    }

    void whatTheEndingCompletesIsAskedAbout()
    {
        QVERIFY(writeFile(toPath(m_home->filePath(QStringLiteral("llama-3.1.json"))), "old").has_value());
        document().reset(batchOf(640));
        typeFileName(m_home->filePath(QStringLiteral("llama-3.1")));
        bool asked = false;
        whenShown<QMessageBox>([&](QMessageBox& box) {
            asked = true;
            box.button(QMessageBox::Yes)->click();
        });
        QVERIFY(files().save());
        QVERIFY(asked);
        QVERIFY(readPlan(toPath(m_home->filePath(QStringLiteral("llama-3.1.json"))), shippedPresets()).has_value());
    }

    void theTitleFollowsTheFile()
    {
        const auto title = [this] { return m_window->windowTitle(); };
        QVERIFY(!title().contains(QStringLiteral("changed on disk")));
        // Replaced atomically, as Cardfit and most editors do.
        QVERIFY(writePlan(batchOf(768)));
        QTRY_VERIFY(title().contains(QStringLiteral("changed on disk")));
        QVERIFY(writePlan(batchOf(512)));
        QTRY_VERIFY(!title().contains(QStringLiteral("changed on disk")));
        // Written in place.
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::Append));
        file.write("\n");
        file.close();
        QTRY_VERIFY(title().contains(QStringLiteral("changed on disk")));
        QVERIFY(QFile::remove(m_file));
        QTRY_VERIFY(title().contains(QStringLiteral("gone from disk")));
        // Writing it again overwrites nothing.
        QVERIFY(files().save());
        QTRY_VERIFY(!title().contains(QStringLiteral("disk")));
    }

    void ofTwoWindowsOnOneFileTheSecondOneAsks()
    {
        MainWindow other;
        QVERIFY(other.openFile(m_file));
        document().edit(batchOf(640), QStringLiteral("here"));
        QVERIFY(files().save());
        QTRY_VERIFY(other.windowTitle().contains(QStringLiteral("changed on disk")));
        other.document().edit(batchOf(768), QStringLiteral("there"));
        answer(QStringLiteral("Cancel"));
        QVERIFY(!other.part<PlanFiles>().save());
        QCOMPARE(onDisk(), 640);
        answer(QStringLiteral("Overwrite"));
        QVERIFY(other.part<PlanFiles>().save());
        QCOMPARE(onDisk(), 768);
        QTRY_VERIFY(m_window->windowTitle().contains(QStringLiteral("changed on disk")));
        QVERIFY(files().reload());
        QVERIFY(document().plan() == batchOf(768));
        QVERIFY(!m_window->windowTitle().contains(QStringLiteral("changed on disk")));
    }

    void thePathDoesNotDependOnTheWorkingFolder()
    {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_home->path()));
        QVERIFY(m_window->openFile(QStringLiteral("plan.json")));
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(document().filePath(), QFileInfo(m_file).absoluteFilePath());
        document().edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(files().save());
        QCOMPARE(onDisk(), 640);
    }

    void aPresetWithOtherLayersHasASizeOfItsOwn()
    {
        QVERIFY(writeFile(toPath(m_file),
            R"({"format": "cardfit/plan", "version": 1, "model": {"preset": "llama-3.1-405b", "num_hidden_layers": 252},)"
            R"( "cluster": {"preset": "dgx-h100"}})")
                    .has_value());
        QVERIFY(m_window->openFile(m_file));
        const Model& model = document().plan().model;
        const auto counted = static_cast<double>(parameterCount(model.architecture));
        QVERIFY(counted > 800e9);
        QCOMPARE(m_window->part<InputsPanel>().rail("model_size")->value(), counted);
        QCOMPARE(model.name, std::string("Llama 3.1 405B, changed"));
    }

private:
    [[nodiscard]] PlanDocument& document() const { return m_window->document(); }
    [[nodiscard]] PlanFiles& files() const { return m_window->part<PlanFiles>(); }
    [[nodiscard]] bool writePlan(const Plan& plan) const
    {
        return writeFile(toPath(m_file), planText(plan)).has_value();
    }
    [[nodiscard]] std::int64_t onDisk() const
    {
        return readPlan(toPath(m_file), shippedPresets()).value().workload.global_batch_size;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    QString m_file;
    std::unique_ptr<MainWindow> m_window;
};

CARDFIT_WINDOW_TEST(TestPlanFiles)

} // namespace cardfit::tst_plan_files
#include "tst_plan_files.moc"
