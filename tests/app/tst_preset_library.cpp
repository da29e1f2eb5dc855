// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/preset_library.h"

#include <algorithm>
#include <fstream>

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/file_path.h"
#include "app/files/recovery_file.h"
#include "core/files/user_folder.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_preset_library {

using namespace cardfit::app;

class TestPresetLibrary : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
    }

    void everyShippedPresetCanBeRead()
    {
        for (const Error& problem : shippedPresets().problems)
            qWarning("%s", describe(problem).c_str());
        QVERIFY(shippedPresets().problems.empty());
        QVERIFY(samplePlan().model.architecture.hidden_size > 0);
    }

    void theEnvironmentComesFirstAndTheSourceTreeIsFound()
    {
        QTemporaryDir own;
        qputenv("CARDFIT_PRESETS", QFile::encodeName(own.path()));
        const auto directories = presetDirectories();
        qunsetenv("CARDFIT_PRESETS");
        QCOMPARE(directories.front(), toPath(own.path()));
        QVERIFY(std::ranges::any_of(
            directories, [](const auto& path) { return std::filesystem::equivalent(path, CARDFIT_PRESET_DIR); }));
        QVERIFY(std::ranges::all_of(directories, [](const auto& path) { return std::filesystem::exists(path); }));
    }

    void aSavedClusterIsFoundAgainAndGoesBeforeTheShippedOne()
    {
        Cluster cluster = *shippedPresets().cluster("dgx-h100");
        cluster.nodes = 17;
        const auto saved = saveClusterPreset(cluster);
        QVERIFY2(saved.has_value(), saved ? "" : describe(saved.error()).c_str());
        QCOMPARE(saved->filename().string(), std::string("dgx-h100.json"));
        const Presets presets = loadPresets(presetDirectories());
        QCOMPARE(presets.cluster("dgx-h100")->nodes, 17);
        QVERIFY(*presets.cluster("dgx-h100") == cluster);
    }

    // The XDG specification says to ignore relative paths; the working folder never stands in for a home.
    void theWorkingFolderIsNoHome()
    {
        const QByteArray home = qgetenv("HOME");
        const QByteArray state = qgetenv("XDG_STATE_HOME");
        const auto restore = qScopeGuard([&] {
            qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
            qputenv("HOME", home);
            state.isNull() ? qunsetenv("XDG_STATE_HOME") : qputenv("XDG_STATE_HOME", state);
        });
        const std::filesystem::path known = toPath(m_home.path());
        qputenv("HOME", QFile::encodeName(m_home.path()));
        for (const char* relative : {".", "share", ""}) {
            qputenv("XDG_DATA_HOME", relative);
            qputenv("XDG_STATE_HOME", relative);
            QCOMPARE(userPresetDirectory(), known / ".local/share/cardfit/presets");
            QCOMPARE(pinDirectory(), known / ".local/share/cardfit/pins");
            QCOMPARE(recoveryDirectory(), known / ".local/state/cardfit/recovery");
        }
        qputenv("XDG_DATA_HOME", "/data:with/colon"); // one folder, not a list
        QCOMPARE(userPresetDirectory(), std::filesystem::path("/data:with/colon/cardfit/presets"));
        qunsetenv("XDG_DATA_HOME");
        for (const char* no_home : {"", ".", "home"}) {
            qputenv("HOME", no_home);
            QVERIFY(homeFolder().empty() || homeFolder().is_absolute());
            QVERIFY(userPresetDirectory().empty() || userPresetDirectory().is_absolute());
            QCOMPARE(userPresetDirectory().empty(), homeFolder().empty());
        }
    }

    void aDirectoryThatCannotBeMadeIsAnError()
    {
        const QString blocked = m_home.filePath(QStringLiteral("blocked"));
        std::ofstream(toPath(blocked)) << "a file stands here";
        qputenv("XDG_DATA_HOME", QFile::encodeName(blocked));
        const auto saved = saveClusterPreset(*shippedPresets().cluster("dgx-h100"));
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::CannotWrite);
    }

    void idsAreMadeFromNames_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("id");
        QTest::newRow("plain") << "My cluster, 8 x H100"
                               << "my-cluster-8-x-h100";
        QTest::newRow("version") << "Llama 3.1"
                                 << "llama-3.1";
        QTest::newRow("path") << "../../etc/passwd"
                              << "etc-passwd";
        QTest::newRow("nothing") << "???"
                                 << "preset";
        QTest::newRow("empty") << ""
                               << "preset";
    }
    void idsAreMadeFromNames()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, id);
        QCOMPARE(QString::fromStdString(presetId(name.toStdString())), id);
    }

private:
    QTemporaryDir m_home;
};

CARDFIT_TEST(TestPresetLibrary)

} // namespace cardfit::tst_preset_library
#include "tst_preset_library.moc"
