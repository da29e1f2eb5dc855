// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/tab_keeper.h"

#include <chrono>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRandomGenerator>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/run_mark.h"
#include "app/window/main_window.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/files/recovery_text.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_recovery {

using namespace cardfit::app;

qint64 now()
{
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

Plan batchOf(std::int64_t sequences)
{
    Plan plan = samplePlan();
    plan.workload.global_batch_size = sequences;
    return plan;
}

std::size_t filesIn(const std::filesystem::path& directory)
{
    std::error_code ignored;
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
        count += entry.path().extension() == ".json" ? 1 : 0;
    return count;
}

/// What the killed program had printed.
struct Diary {
    qint64 edited = 0; ///< last edit that must have been kept: at least a second, plus `stall`, before the kill
    qint64 saving = 0, saved = 0; ///< numbers of the last save begun and the last one done; 0: none
    qint64 stall = 0; ///< longest delay of the recovery file by machine and disk, in milliseconds
};

Diary diaryOf(const QByteArray& output, qint64 killed)
{
    struct Entry {
        QByteArray what;
        qint64 number, time;
    };
    std::vector<Entry> of_window, of_disk;
    for (const QByteArray& line : output.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() != 3) continue;
        auto& entries = words[0] == "flushed" ? of_disk : of_window;
        entries.push_back({words[0], words[1].toLongLong(), words[2].toLongLong()});
    }
    if (of_window.empty()) return {};
    // A stalled machine or disk delays recovery files, even just before the kill.
    const auto longestGap = [&](const std::vector<Entry>& entries) {
        qint64 before = of_window.front().time, longest = 0;
        for (const Entry& entry : entries) {
            longest = std::max(longest, entry.time - before);
            before = entry.time;
        }
        return std::max(longest, killed - before);
    };
    Diary diary;
    // An edit may have to wait for the previous write, and then for its own.
    diary.stall = longestGap(of_window) + 2 * longestGap(of_disk);
    for (const Entry& entry : of_window) {
        if (entry.what == "edited" && entry.time <= killed - 1000 - diary.stall) diary.edited = entry.number;
        if (entry.what == "saving") diary.saving = entry.number;
        if (entry.what == "saved") diary.saved = entry.number;
    }
    return diary;
}

class TestRecovery : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_recovery"));
        QSettings().clear();
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    }

    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home->path()));
        qputenv("XDG_STATE_HOME", QFile::encodeName(m_home->path()));
    }

    void textGivesPlanAndFileBack()
    {
        const UnsavedPlan unsaved{batchOf(640), "/plans/中文.json"};
        const auto read = parseRecovery(recoveryText(unsaved), shippedPresets());
        QVERIFY(read.has_value());
        QVERIFY(read->plan == unsaved.plan);
        QCOMPARE(read->file, unsaved.file);
        QVERIFY(read->edited && read->letter.empty());

        const UnsavedPlan whole{batchOf(640), "/plan.json", false, "{}", "torchrun x.py\n", 3, true, "B"};
        const auto again = parseRecovery(recoveryText(whole), shippedPresets()).value();
        QVERIFY(!again.edited && again.shown);
        QCOMPARE(again.file_text, whole.file_text);
        QCOMPARE(again.imported, whole.imported);
        QCOMPARE(again.place, whole.place);
        QCOMPARE(again.letter, whole.letter);

        QVERIFY(!parseRecovery(planText(unsaved.plan), shippedPresets()));
        const auto without = parseRecovery(R"({"format": "cardfit/recovery", "version": 1})", shippedPresets());
        QCOMPARE(without.error().code, ErrorCode::MissingKey);
        std::string broken = recoveryText(unsaved);
        broken.replace(broken.find("640"), 3, "-64");
        const auto refused = parseRecovery(broken, shippedPresets());
        QCOMPARE(refused.error().where.english(), std::string("/plan/workload/global_batch_size"));
    }

    void tabsAreKeptButForAnUntouchedStart()
    {
        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        QVERIFY(keeper.writeNow());
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{0});
        document.edit(batchOf(640), QStringLiteral("one"));
        QTRY_COMPARE(filesIn(recoveryDirectory()), std::size_t{1}); // the delay is tested below
        document.undoStack()->undo();
        QVERIFY(keeper.writeNow()); // there is something to redo
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{1});
        document.keepCopy();
        QVERIFY(keeper.writeNow());
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{2});
        document.close(0);
        document.close(0);
        QVERIFY(keeper.writeNow());
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{0});
        // Both are found among recent plans.
        QCOMPARE(keeper.closedPlans(shippedPresets()).size(), std::size_t{2});
    }

    void aHeldFileIsNobodyElses()
    {
        PlanDocument one(samplePlan()), other(samplePlan());
        TabKeeper keeper(one, recoveryDirectory()), second(other, recoveryDirectory());
        one.edit(batchOf(640), QStringLiteral("one"));
        other.edit(batchOf(768), QStringLiteral("other"));
        QVERIFY(keeper.writeNow() && second.writeNow());
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{2});
        QVERIFY(leftRecoveries(recoveryDirectory()).empty());
        // A window that starts meanwhile has tabs of its own.
        PlanDocument third(samplePlan());
        TabKeeper(third, recoveryDirectory()).restore(shippedPresets());
        QCOMPARE(third.count(), 1);
        QVERIFY(third.plan() == samplePlan());
    }

    void tabsComeBackAsTheyWere()
    {
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        QVERIFY(writeFile(toPath(file), planText(batchOf(512))).has_value());
        {
            PlanDocument document(samplePlan());
            const TabKeeper keeper(document, recoveryDirectory());
            QVERIFY(document.open(file, shippedPresets()).has_value());
            document.openBeside(*shippedPresets().plan("llama-3-8b-8-h100"));
            document.openBeside(batchOf(640), QStringLiteral("torchrun x.py"));
            document.edit(batchOf(768), QStringLiteral("edit"));
            document.tick(1, true);
            document.show(1);
            document.moveTab(2, 0);
        }
        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        keeper.restore(shippedPresets());
        QCOMPARE(document.count(), 3);
        QVERIFY(document.tab(0).plan == batchOf(768));
        QVERIFY(document.tab(0).isModified());
        QCOMPARE(document.tab(0).imported_text, QStringLiteral("torchrun x.py"));
        QCOMPARE(document.tab(1).file.path(), file);
        QVERIFY(!document.tab(1).isModified());
        QVERIFY(document.tab(2).plan == *shippedPresets().plan("llama-3-8b-8-h100"));
        QCOMPARE(document.tab(2).slot, 0);
        QCOMPARE(document.current(), 2);
    }

    void whatIsLeftComesBack()
    {
        leave(batchOf(640), {});
        leave(batchOf(768), QStringLiteral("/gone/plan.json"));

        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        keeper.restore(shippedPresets());
        QCOMPARE(document.count(), 2);
        const int gone = document.indexOfFile(QStringLiteral("/gone/plan.json"));
        QVERIFY(gone >= 0 && document.tab(gone).file.state() == SavedFile::State::Gone);
        QVERIFY(document.tab(gone).plan == batchOf(768));
        QVERIFY(document.tab(gone).isModified() && document.tab(1 - gone).isModified());
        // While one window has them, other windows do not.
        QVERIFY(leftPlans(recoveryDirectory(), shippedPresets()).empty());
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{2});
    }

    void whatComesBackIsAnEditOfItsFile()
    {
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        QVERIFY(writeFile(toPath(file), planText(batchOf(512))).has_value());
        leave(batchOf(640), file);

        MainWindow window;
        window.restoreLayout();
        QVERIFY(window.document().plan() == batchOf(640));
        QCOMPARE(window.document().filePath(), file);
        QVERIFY(window.document().isModified());
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{1});
        QVERIFY(leftRecoveries(recoveryDirectory()).empty());
        QVERIFY(readPlan(toPath(file), shippedPresets()).value() == batchOf(512));
        window.document().undoStack()->undo();
        QVERIFY(window.document().plan() == batchOf(512));
    }

    void whatItsFileHoldsIsNoEdit()
    {
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        QVERIFY(writeFile(toPath(file), planText(batchOf(640))).has_value());
        leave(batchOf(640), file);
        PlanDocument document(samplePlan());
        TabKeeper(document, recoveryDirectory()).restore(shippedPresets());
        QCOMPARE(document.filePath(), file);
        QVERIFY(!document.isModified());
    }

    /// What somebody else wrote between the two runs is not overwritten unasked, and seen where there were no edits.
    void aFileThatWasChangedBetweenTheRunsIsNoticed()
    {
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        for (const bool edited : {true, false}) {
            QVERIFY(writeFile(toPath(file), planText(batchOf(512))).has_value());
            {
                PlanDocument document(samplePlan());
                TabKeeper keeper(document, recoveryDirectory());
                QVERIFY(document.open(file, shippedPresets()).has_value());
                if (edited) document.edit(batchOf(640), QStringLiteral("edit"));
            }
            QVERIFY(writeFile(toPath(file), planText(batchOf(768))).has_value());
            PlanDocument document(samplePlan());
            TabKeeper(document, recoveryDirectory()).restore(shippedPresets());
            QVERIFY(document.plan() == batchOf(edited ? 640 : 768));
            QCOMPARE(document.fileState(), edited ? SavedFile::State::Changed : SavedFile::State::AsKnown);
            document.undoStack()->undo();
            QVERIFY(document.plan() == batchOf(edited ? 512 : 768));
            for (auto& left : leftRecoveries(recoveryDirectory()))
                left->remove();
        }
    }

    /// Versions with three places for pins kept each in a plan file.
    void pinsOfEarlierVersionsBecomeTabs()
    {
        std::filesystem::create_directories(pinDirectory());
        QVERIFY(writeFile(pinDirectory() / "a.json", planText(batchOf(640))).has_value());
        QVERIFY(writeFile(pinDirectory() / "c.json", "{").has_value());
        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        const QSignalSpy failed(&keeper, &TabKeeper::failed);
        keeper.restore(shippedPresets());
        QCOMPARE(document.count(), 1);
        QVERIFY(document.plan() == batchOf(640));
        QVERIFY(!std::filesystem::exists(pinDirectory() / "a.json"));
        QCOMPARE(filesIn(recoveryDirectory()), std::size_t{1});
        // What cannot be read is said and kept.
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains(QStringLiteral("c.json.unreadable")));
        QVERIFY(std::filesystem::exists(pinDirectory() / "c.json.unreadable"));
    }

    void closedPlansAreFoundAgain()
    {
        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        document.edit(batchOf(640), QStringLiteral("edit"));
        document.close(0);
        QVERIFY(document.plan() == samplePlan());
        auto closed = keeper.closedPlans(shippedPresets());
        QCOMPARE(closed.size(), std::size_t{1});
        keeper.reopen(closed.front(), shippedPresets());
        closed.clear();
        QVERIFY(document.plan() == batchOf(640));
        QVERIFY(document.isModified());
        QVERIFY(keeper.closedPlans(shippedPresets()).empty());
    }

    void whatCannotBeKeptIsSaid()
    {
        QVERIFY(writeFile(toPath(m_home->filePath(QStringLiteral("cardfit"))), "no folder").has_value());
        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        const QSignalSpy failed(&keeper, &TabKeeper::failed);
        document.edit(batchOf(640), QStringLiteral("edit"));
        QVERIFY(!keeper.writeNow());
        QVERIFY(!keeper.writeNow());
        QCOMPARE(failed.count(), 1);
    }

    /// A lock file that is empty, as after a power failure, or that names the host's former name.
    void aLockNobodyHoldsHidesNothing_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("another host") << QByteArray("1\ncardfit\nanother-host\n\n\n");
        QTest::newRow("this process") << QByteArray::number(QCoreApplication::applicationPid()) + "\ncardfit\n";
    }
    void aLockNobodyHoldsHidesNothing()
    {
        QFETCH(const QByteArray, content);
        leave(batchOf(640), {});
        for (const auto& entry : std::filesystem::directory_iterator(recoveryDirectory())) {
            QFile lock(fromPath(entry.path()) + QStringLiteral(".lock"));
            QVERIFY(lock.open(QIODevice::WriteOnly) && lock.write(content) == content.size());
        }
        QCOMPARE(leftPlans(recoveryDirectory(), shippedPresets()).size(), std::size_t{1});
    }

    void aRestoredPlanDoesNotDependOnTheWorkingFolder()
    {
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        QVERIFY(writeFile(toPath(file), planText(batchOf(512))).has_value());
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_home->path()));
        {
            PlanDocument document(samplePlan());
            TabKeeper keeper(document, recoveryDirectory());
            QVERIFY(document.open(QStringLiteral("plan.json"), shippedPresets()).has_value());
            document.edit(batchOf(640), QStringLiteral("edit"));
            QVERIFY(keeper.writeNow());
        }
        QVERIFY(QDir::setCurrent(before));
        const auto left = leftPlans(recoveryDirectory(), shippedPresets());
        QCOMPARE(left.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(left.front().content->file), QFileInfo(file).absoluteFilePath());
    }

    void aPathThatWasKeptRelativeIsNoPlaceToSave()
    {
        leave(batchOf(640), QStringLiteral("plan.json"));
        PlanDocument document(samplePlan());
        TabKeeper(document, recoveryDirectory()).restore(shippedPresets());
        QVERIFY(document.plan() == batchOf(640));
        QVERIFY(document.filePath().isEmpty() && document.isModified());
    }

    void anUnreadableOneSaysWhyAndStays()
    {
        leave(batchOf(640), {});
        QVERIFY(leftRecoveries(recoveryDirectory()).front()->write("{").has_value());
        PlanDocument document(samplePlan());
        TabKeeper keeper(document, recoveryDirectory());
        const QSignalSpy failed(&keeper, &TabKeeper::failed);
        keeper.restore(shippedPresets());
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.front().front().toString().contains(QStringLiteral(".unreadable")));
        QVERIFY(document.plan() == samplePlan());
        // Said once.
        TabKeeper again(document, recoveryDirectory());
        const QSignalSpy silent(&again, &TabKeeper::failed);
        again.restore(shippedPresets());
        QCOMPARE(silent.count(), 0);
    }

    /// A program that ended properly leaves no mark; one that did not leaves what it last did, and once.
    void aRunThatDidNotEndProperlyIsTold()
    {
        const std::filesystem::path folder = recoveryDirectory() / "running";
        {
            RunMark proper(folder);
            QVERIFY(proper.lastRun().isEmpty());
            const RunMark beside(folder); // another window
            QVERIFY(beside.lastRun().isEmpty());
        }
        QCOMPARE(filesIn(folder), std::size_t(0));
        QVERIFY(writeFile(folder / "left.json", "Cardfit 1\nlast command: Tensor parallel\n").has_value());
        const RunMark next(folder);
        QVERIFY(next.lastRun().contains(QStringLiteral("Tensor parallel")));
        Plan plan = samplePlan();
        plan.name = "secret";
        plan.cluster.name = "secret";
        QVERIFY(endedRunReport(next.lastRun(), plan).contains(QStringLiteral("secret")));
        const QString nameless = endedRunReport(next.lastRun(), withoutNames(plan));
        QVERIFY(!nameless.contains(QStringLiteral("secret")));
        QVERIFY(nameless.contains(QStringLiteral("Tensor parallel")));
        QVERIFY(RunMark(folder).lastRun().isEmpty());
    }

    /// A kill at any time leaves a complete saved file, and loses at most the last second of unsaved edits.
    void aKillLosesNoMoreThanASecond()
    {
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        QVERIFY(writeFile(toPath(file), planText(batchOf(1000))).has_value());
        QRandomGenerator random(20240607);
        // On any machine and disk, enough kills must be judged.
        constexpr int kKills = 16, kJudged = 6;
        int kills = 0, judged = 0, with_recovery = 0;
        qint64 number = 1000, stall = 0;
        QElapsedTimer all;
        for (all.start(); kills < kKills || (judged < kJudged && all.elapsed() < 40'000); ++kills) {
            QProcess program;
            program.setProcessChannelMode(QProcess::SeparateChannels);
            program.start(QStringLiteral(CARDFIT_EDIT_UNTIL_KILLED), {file, QString::number(number)});
            QByteArray output;
            while (!output.contains("edited ")) {
                QVERIFY2(program.waitForReadyRead(20'000), program.readAllStandardError().constData());
                output += program.readAllStandardOutput();
            }
            QTest::qSleep(static_cast<int>(random.bounded(50, 2'500 + std::min<qint64>(stall, 5'000))));
            // The edits of a running program are not offered.
            QVERIFY(leftRecoveries(recoveryDirectory()).empty());
            program.kill();
            const qint64 killed = now();
            QVERIFY(program.waitForFinished());
            output += program.readAllStandardOutput();
            const Diary diary = diaryOf(output, killed);
            judged += diary.edited != 0 ? 1 : 0;
            stall = diary.stall;

            const auto saved = readPlan(toPath(file), shippedPresets());
            QVERIFY2(saved.has_value(), saved ? "" : describe(saved.error()).c_str());
            const qint64 in_file = saved->workload.global_batch_size;
            if (diary.saved != 0) QVERIFY2(in_file == diary.saved || in_file == diary.saving, "neither old nor new");
            if (diary.saving == 0) QCOMPARE(in_file, number);

            const auto left = leftPlans(recoveryDirectory(), shippedPresets());
            QVERIFY(left.size() <= 1);
            qint64 kept = in_file;
            if (!left.empty()) {
                ++with_recovery;
                const auto& content = left.front().content;
                QVERIFY2(content.has_value(), content ? "" : describe(content.error()).c_str());
                QCOMPARE(QString::fromStdString(left.front().content->file), file);
                kept = std::max(kept, qint64{left.front().content->plan.workload.global_batch_size});
                left.front().file->remove();
            }
            QVERIFY2(kept >= diary.edited,
                qPrintable(QStringLiteral("kept %1, but %2 was edited a second before").arg(kept).arg(diary.edited)));
            number = in_file;
        }
        qInfo("%d kills in %.1f s, %d of them left edits behind, %d came long enough after an edit to lose none", kills,
            static_cast<double>(all.elapsed()) / 1000.0, with_recovery, judged);
        if (judged < kJudged) QSKIP("machine or disk stood still too often to judge the last second");
    }

private:
    /// Leaves what a killed program leaves: a recovery file without a lock holder.
    static void leave(const Plan& plan, const QString& file)
    {
        const auto left = RecoveryFile::create(recoveryDirectory());
        QVERIFY(left.has_value());
        QVERIFY((*left)->write(recoveryText({plan, file.toStdString()})).has_value());
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

CARDFIT_TEST(TestRecovery)

} // namespace cardfit::tst_recovery
#include "tst_recovery.moc"
