// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/plan_files.h"
#include "app/files/tab_keeper.h"
#include "app/window/main_window.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_two_windows {

using namespace cardfit::app;

std::set<int> numbersOf(const QStringList& words)
{
    std::set<int> numbers;
    for (const QString& word : words)
        numbers.insert(word.toInt());
    return numbers;
}

/// Two programs and one user who goes from one to the other (use_window.cpp): nothing is lost that nobody was asked
/// about. CARDFIT_DRILL_DEEDS: how many in each, 80; CARDFIT_FIRST_SEED begins elsewhere.
class TestTwoWindows : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* variable : {"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"})
            qputenv(variable, QFile::encodeName(m_home.path()));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit"));
        QCoreApplication::setApplicationName(QStringLiteral("cardfit"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_home.path());
        Plan plan = samplePlan();
        for (const char* name : {"p", "q", "r"}) {
            plan.workload.global_batch_size = 1;
            QVERIFY(writeFile(toPath(file(QLatin1String(name) + QStringLiteral(".json"))), planText(plan)));
        }
        plan.cluster.id = "shared";
        plan.cluster.nodes = 1;
        QVERIFY(saveClusterPreset(plan.cluster));
    }

    void nothingIsLostUnasked()
    {
        const int asked = qEnvironmentVariableIntValue("CARDFIT_DRILL_DEEDS");
        const int deeds = asked > 0 ? asked : 80;
        QProcess a, b, again;
        start(a, "a", deeds);
        start(b, "b", deeds);
        QVERIFY(a.waitForStarted() && b.waitForStarted());
        QVERIFY(QTest::qWaitFor([&] { return deedsOf("b") >= deeds / 2; }, (60 + deeds) * 1000));
        // Killed while the user is elsewhere, seconds after the last deed: what was open comes back.
        const int user = ::open(QFile::encodeName(file(QStringLiteral("user"))), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        QVERIFY(::flock(user, LOCK_EX) == 0);
        QTest::qWait(4000);
        b.kill();
        QVERIFY(b.waitForFinished());
        start(again, "b", deeds / 2);
        QVERIFY(again.waitForStarted());
        ::close(user);
        for (QProcess* one : {&a, &again}) {
            QVERIFY(one->waitForFinished((60 + deeds) * 1000));
            QVERIFY2(one->exitStatus() == QProcess::NormalExit && one->exitCode() == 0, one->readAllStandardError());
        }
        judge();
    }

private:
    [[nodiscard]] QString file(const QString& name) const { return m_home.filePath(name); }

    [[nodiscard]] int deedsOf(const char* letter) const
    {
        QFile journal(file(QStringLiteral("journal")));
        if (!journal.open(QIODevice::ReadOnly)) return 0;
        return static_cast<int>(journal.readAll().count(letter + QByteArray(" tabs")));
    }

    void start(QProcess& process, const char* letter, int deeds)
    {
        const int seed = qEnvironmentVariableIntValue("CARDFIT_FIRST_SEED") + 2 * ++m_started;
        process.start(QStringLiteral(CARDFIT_USE_WINDOW),
            {m_home.path(), QLatin1String(letter), QString::number(seed), QString::number(deeds)});
    }

    void judge()
    {
        QFile journal(file(QStringLiteral("journal")));
        QVERIFY(journal.open(QIODevice::ReadOnly));
        std::map<QString, QString> written; // what a file or a setting holds
        std::map<QString, std::set<int>> tabs;
        std::set<QString> opened;
        std::map<QString, int> deeds;
        for (const QString& line : QString::fromUtf8(journal.readAll()).split(u'\n', Qt::SkipEmptyParts)) {
            const QStringList words = line.split(u' ');
            const QString& deed = words[1];
            ++deeds[deed];
            if (deed == QStringLiteral("saved")) {
                QVERIFY2(words[5] == QStringLiteral("asked")
                        || words[3] == written.try_emplace(words[2], u'1').first->second,
                    qPrintable(line + QStringLiteral(" replaces ") + written[words[2]]));
                written[words[2]] = words[4];
            } else if (deed == QStringLiteral("set")) {
                written[words[2]] = words[3];
            } else if (deed == QStringLiteral("opened")) {
                opened.insert(words[2]);
            } else if (deed == QStringLiteral("restored")) {
                for (const int number : tabs[words[0]])
                    QVERIFY2(words.mid(2).contains(QString::number(number)),
                        qPrintable(QStringLiteral("%1, without %2").arg(line).arg(number)));
            } else if (deed == QStringLiteral("tabs")) {
                tabs[words[0]] = numbersOf(words.mid(2));
            } else {
                QFAIL(qPrintable(line));
            }
        }
        QString said;
        for (const auto& [deed, count] : deeds)
            said += QStringLiteral(" %1 %2").arg(deed).arg(count);
        qInfo("the journal:%s", qPrintable(said));
        QVERIFY(deeds[QStringLiteral("saved")] > 0);

        const QSettings settings;
        for (const auto& [name, number] : written) {
            if (name.startsWith(QStringLiteral("drill/"))) {
                QCOMPARE(settings.value(name).toString(), number);
            } else {
                const auto text = readFile(toPath(name));
                QVERIFY(text.has_value());
                QVERIFY2(text->find(": " + number.toStdString() + ",") != std::string::npos, qPrintable(name));
            }
        }
        for (const QString& recent : opened)
            QVERIFY2(PlanFiles::recentFiles().contains(recent), qPrintable(recent));

        MainWindow third;
        third.restoreLayout();
        std::set<int> there;
        for (int tab = 0; tab < third.document().count(); ++tab)
            there.insert(static_cast<int>(third.document().tab(tab).plan.workload.global_batch_size));
        for (const auto& [letter, numbers] : tabs) {
            for (const int number : numbers)
                QVERIFY2(there.contains(number), qPrintable(QStringLiteral("%1 %2").arg(letter).arg(number)));
        }
    }

    QTemporaryDir m_home;
    int m_started = 0;
};

CARDFIT_TEST(TestTwoWindows)

} // namespace cardfit::tst_two_windows
#include "tst_two_windows.moc"
