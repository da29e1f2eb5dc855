// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/file_path.h"
#include "app/files/tab_keeper.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "tests/app/program.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_signals {

using namespace cardfit::app;

/// Whether the process has a handler for the signal.
bool handles(qint64 process, int number)
{
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (!line.startsWith("SigCgt:")) continue;
        return ((line.mid(7).trimmed().toULongLong(nullptr, 16) >> (number - 1)) & 1U) != 0;
    }
    return false;
}

/// Signals end the program as closing its window does, without a question that nobody may be there to answer.
class TestSignals : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        for (const char* variable : {"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"})
            qputenv(variable, QFile::encodeName(m_home->path()));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        // Tests that run in the background are started without some of them, and so would the program be.
        for (const int number : {SIGHUP, SIGINT, SIGTERM})
            ::signal(number, SIG_DFL);
    }

    void theLastEditIsKept_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<bool>("asking");
        for (const bool asking : {false, true}) {
            QTest::addRow("hang-up, %d", asking) << SIGHUP << asking;
            QTest::addRow("interrupt, %d", asking) << SIGINT << asking;
            QTest::addRow("terminate, %d", asking) << SIGTERM << asking;
        }
    }
    void theLastEditIsKept()
    {
        QFETCH(const int, number);
        QFETCH(const bool, asking);
        const QString file = m_home->filePath(QStringLiteral("plan.json"));
        const Plan saved = samplePlan();
        QVERIFY(writeFile(toPath(file), planText(saved)).has_value());
        const auto sequences = 2 * saved.workload.global_batch_size;
        QStringList arguments{file, QString::number(sequences)};
        if (asking) arguments << QStringLiteral("asking");
        QProcess program;
        program.start(QStringLiteral(CARDFIT_EDIT_UNTIL_TOLD), arguments);
        QByteArray output;
        while (!output.contains("edited")) {
            QVERIFY2(program.waitForReadyRead(), program.readAllStandardError().constData());
            output += program.readAllStandardOutput();
        }
        QCOMPARE(::kill(static_cast<pid_t>(program.processId()), number), 0);
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 128 + number);
        const auto left = leftPlans(recoveryDirectory(), shippedPresets());
        QCOMPARE(left.size(), std::size_t{1});
        QVERIFY(left.front().content.has_value());
        QCOMPARE(left.front().content->plan.workload.global_batch_size, sequences);
        QVERIFY(
            readPlan(toPath(file), shippedPresets())->workload.global_batch_size == saved.workload.global_batch_size);
        QVERIFY(QFileInfo(m_home->filePath(QStringLiteral("cardfit/cardfit.conf"))).size() > 0); // the layout
    }

    void theProgramItself()
    {
        for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
            QProcess program;
            program.start(QStringLiteral(CARDFIT_PROGRAM), {QStringLiteral("llama-3-70b-64-h100")});
            QVERIFY(program.waitForStarted());
            QTRY_VERIFY_WITH_TIMEOUT(handles(program.processId(), SIGTERM), 60000);
            QCOMPARE(::kill(static_cast<pid_t>(program.processId()), number), 0);
            QVERIFY(program.waitForFinished());
            QCOMPARE(program.exitStatus(), QProcess::NormalExit);
            QCOMPARE(program.exitCode(), 128 + number);
        }
    }

private:
    std::unique_ptr<QTemporaryDir> m_home;
};

CARDFIT_TEST(TestSignals)

} // namespace cardfit::tst_signals
#include "tst_signals.moc"
