// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/files/file.h"
#include "tests/test_program.h"

namespace cardfit::tst_file {

namespace fs = std::filesystem;

std::string contents(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

void put(const fs::path& file, std::string_view text) { std::ofstream(file) << text; }

std::ptrdiff_t entries(const fs::path& directory)
{
    return std::distance(fs::directory_iterator(directory), fs::directory_iterator());
}

/// Root may write anywhere; while this lives, a test that runs as root runs as nobody.
class WithoutPrivileges {
public:
    WithoutPrivileges()
    {
        constexpr uid_t kNobody = 65534;
        m_dropped = ::geteuid() == 0 && ::seteuid(kNobody) == 0;
    }
    WithoutPrivileges(const WithoutPrivileges&) = delete;
    WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
    ~WithoutPrivileges()
    {
        if (m_dropped && ::seteuid(0) != 0) std::abort();
    }
    [[nodiscard]] static bool effective() { return ::geteuid() != 0; }

private:
    bool m_dropped = false;
};

/// Files of this process cannot grow beyond `bytes` while this lives: a full disk in miniature.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit small{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

class TestFile : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        QVERIFY(m_temporary->isValid());
        m_directory = m_temporary->path().toStdString();
        fs::permissions(m_directory, fs::perms(0755)); // nobody must get in
    }

    // ---- Reading

    void readsWhatStandsThere()
    {
        const std::string text("a\0b\nc", 5);
        QVERIFY(writeFile(m_directory / "file", text));
        QVERIFY(*readFile(m_directory / "file") == text);
        QVERIFY(writeFile(m_directory / "empty", ""));
        QVERIFY(readFile(m_directory / "empty")->empty());
    }

    void unreadable_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("missing") << QByteArray("missing") << QByteArray("no such file");
        QTest::newRow("directory") << QByteArray(".") << QByteArray("directory");
        QTest::newRow("below a file") << QByteArray("file/below") << QByteArray("not a directory");
        QTest::newRow("no permission") << QByteArray("secret") << QByteArray("no permission");
        QTest::newRow("larger than the limit") << QByteArray("large") << QByteArray("larger than 1000 bytes");
    }
    void unreadable()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, message);
        put(m_directory / "file", "text");
        put(m_directory / "secret", "text");
        fs::permissions(m_directory / "secret", fs::perms::none);
        put(m_directory / "large", std::string(1001, ' '));

        const WithoutPrivileges nobody;
        if (!WithoutPrivileges::effective()) QSKIP("needs a user without privileges");
        const fs::path file = m_directory / name.toStdString();
        const auto text = readFile(file, 1000);
        QVERIFY(!text);
        QCOMPARE(text.error().code, ErrorCode::CannotRead);
        QCOMPARE(text.error().file, file.string());
        QVERIFY2(
            text.error().message.english().find(message) != std::string::npos, text.error().message.english().c_str());
    }

    // Opening a pipe waits for a writer, and a device may never end.
    void whatIsNoFileIsRefused()
    {
        QCOMPARE(::mkfifo((m_directory / "pipe").c_str(), 0600), 0);
        for (const fs::path& file : {m_directory / "pipe", fs::path("/dev/zero")}) {
            const auto text = readFile(file);
            QVERIFY(!text);
            QCOMPARE(text.error().code, ErrorCode::CannotRead);
            QCOMPARE(
                text.error().message.english(), std::string("cannot be read: it is a pipe or a device, not a file"));
        }
    }

    // As shells pass on what `<(command)` prints.
    void anOpenPipeIsRead()
    {
        int ends[2] = {};
        QCOMPARE(::pipe(ends), 0);
        QCOMPARE(::write(ends[1], "text", 4), 4);
        ::close(ends[1]);
        const auto text = readFile("/dev/fd/" + std::to_string(ends[0]));
        ::close(ends[0]);
        QVERIFY(text);
        QCOMPARE(*text, std::string("text"));
    }

    void theLimitItselfIsRead()
    {
        put(m_directory / "file", std::string(1000, ' '));
        QVERIFY(readFile(m_directory / "file", 1000));
    }

    // ---- Writing

    void replacesAFileAndKeepsItsPermissions()
    {
        const fs::path file = m_directory / "plan.json";
        put(file, "old and longer");
        fs::permissions(file, fs::perms(0640));
        QVERIFY(writeFile(file, "new"));
        QCOMPARE(contents(file), std::string("new"));
        QCOMPARE(fs::status(file).permissions(), fs::perms(0640));
        QCOMPARE(entries(m_directory), 1);
    }

    void aNewFileObeysTheMask()
    {
        const mode_t before = ::umask(027);
        const auto written = writeFile(m_directory / "plan.json", "new");
        ::umask(before);
        QVERIFY(written);
        QCOMPARE(fs::status(m_directory / "plan.json").permissions(), fs::perms(0640));
    }

    void aBareNameIsWrittenHere()
    {
        const fs::path before = fs::current_path();
        fs::current_path(m_directory);
        const auto written = writeFile("plan.json", "new");
        fs::current_path(before);
        QVERIFY(written);
        QCOMPARE(contents(m_directory / "plan.json"), std::string("new"));
    }

    void aLinkStaysALink_data()
    {
        QTest::addColumn<bool>("target_exists");
        QTest::newRow("to a file") << true;
        QTest::newRow("to nothing yet") << false;
    }
    void aLinkStaysALink()
    {
        QFETCH(bool, target_exists);
        fs::create_directory(m_directory / "real");
        if (target_exists) put(m_directory / "real/plan.json", "old");
        fs::create_symlink("real/plan.json", m_directory / "one.json");
        fs::create_symlink(m_directory / "one.json", m_directory / "two.json");
        QVERIFY(writeFile(m_directory / "two.json", "new"));
        QVERIFY(fs::is_symlink(m_directory / "one.json"));
        QVERIFY(fs::is_symlink(m_directory / "two.json"));
        QCOMPARE(contents(m_directory / "real/plan.json"), std::string("new"));
        QCOMPARE(entries(m_directory / "real"), 1);
    }

    void aStaleTemporaryFileIsNotInTheWay()
    {
        const fs::path stale = m_directory / (".cardfit-" + std::to_string(::getpid()) + "-0.tmp");
        put(stale, "left behind");
        QVERIFY(writeFile(m_directory / "plan.json", "new"));
        QCOMPARE(contents(stale), std::string("left behind"));
    }

    void whatKilledWritersLeftIsRemoved()
    {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(0);
        QCOMPARE(::waitpid(child, nullptr, 0), child);
        const std::string start = ".cardfit-" + std::to_string(child);
        put(m_directory / (start + "-0.tmp"), "left behind");
        put(m_directory / (start + "-1.tmp"), "written from another container");
        const std::array kept{start + "-1.tmp", start + "-.tmp", start + "-0.tmp.json", std::string(".cardfit-x-0.tmp"),
            ".cardfit-" + std::to_string(::getpid()) + "-7.tmp"};
        for (const std::string& name : kept)
            put(m_directory / name, "text");
        const int locked = ::open((m_directory / kept.front()).c_str(), O_RDONLY);
        QCOMPARE(::flock(locked, LOCK_EX), 0);
        QVERIFY(writeFile(m_directory / "plan.json", "new"));
        ::close(locked);
        QVERIFY(!fs::exists(m_directory / (start + "-0.tmp")));
        for (const std::string& name : kept)
            QVERIFY2(fs::exists(m_directory / name), name.c_str());
    }

    void unwritable_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("directory") << QByteArray("real") << QByteArray("it is a directory");
        QTest::newRow("below nothing") << QByteArray("missing/plan.json") << QByteArray("no such file or directory");
        QTest::newRow("below a file") << QByteArray("file/plan.json") << QByteArray("not a directory");
        QTest::newRow("read-only directory") << QByteArray("locked/plan.json") << QByteArray("no permission");
        QTest::newRow("new in a read-only directory") << QByteArray("locked/new.json") << QByteArray("no permission");
        QTest::newRow("read-only file") << QByteArray("real/protected.json") << QByteArray("no permission");
        QTest::newRow("link in a circle") << QByteArray("circle") << QByteArray("too many symbolic links");
        QTest::newRow("name too long") << QByteArray(300, 'a') << QByteArray("cannot be written");
    }
    void unwritable()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, message);
        put(m_directory / "file", "old");
        fs::create_symlink("circle", m_directory / "circle");
        for (const auto* directory : {"real", "locked"}) {
            fs::create_directory(m_directory / directory);
            put(m_directory / directory / "plan.json", "old");
        }
        put(m_directory / "real/protected.json", "old");
        fs::permissions(m_directory, fs::perms(0777));
        fs::permissions(m_directory / "real", fs::perms(0777));
        fs::permissions(m_directory / "real/protected.json", fs::perms(0444));
        fs::permissions(m_directory / "locked", fs::perms(0555));
        const auto before = entries(m_directory) + entries(m_directory / "real") + entries(m_directory / "locked");

        const WithoutPrivileges nobody;
        if (!WithoutPrivileges::effective()) QSKIP("needs a user without privileges");
        const fs::path file = m_directory / name.toStdString();
        const auto written = writeFile(file, "new");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::CannotWrite);
        QCOMPARE(written.error().file, file.string());
        QVERIFY2(written.error().message.english().find(message) != std::string::npos,
            written.error().message.english().c_str());

        QCOMPARE(entries(m_directory) + entries(m_directory / "real") + entries(m_directory / "locked"), before);
        QCOMPARE(contents(m_directory / "file"), std::string("old"));
        QCOMPARE(contents(m_directory / "locked/plan.json"), std::string("old"));
        QCOMPARE(contents(m_directory / "real/protected.json"), std::string("old"));
    }

    void aFullDiskLeavesTheOldFile()
    {
        const fs::path file = m_directory / "plan.json";
        put(file, "old");
        const SmallDisk disk(4096);
        const auto written = writeFile(file, std::string(100000, ' '));
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::CannotWrite);
        QCOMPARE(contents(file), std::string("old"));
        QCOMPARE(entries(m_directory), 1);
    }

    void partsAreWrittenInTurn()
    {
        const fs::path file = m_directory / "trace.json";
        QVERIFY(writeFileInParts(file, [](const TextSink& sink) {
            for (const std::string_view part : {"one ", "", "two ", "three"})
                sink(part);
        }));
        QCOMPARE(contents(file), std::string("one two three"));
    }

    void partsThatDoNotFitLeaveTheOldFile()
    {
        const fs::path file = m_directory / "trace.json";
        put(file, "old");
        const SmallDisk disk(4096);
        // The last part would fit again.
        const auto written = writeFileInParts(file, [](const TextSink& sink) {
            sink("new");
            sink(std::string(100000, ' '));
            sink("");
        });
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::CannotWrite);
        QCOMPARE(contents(file), std::string("old"));
        QCOMPARE(entries(m_directory), 1);
    }

    /// What gzip has packed is read like the file itself, up to the same limit.
    void packedFiles()
    {
        const fs::path file = m_directory / "plan.json.gz"; // 3,000 times "a"
        const auto bytes = QByteArray::fromBase64("H4sIAAAAAAAC/+3BMQEAAADCoKzrX8IaHkABAADvBsg83F64CwAA");
        QVERIFY(writeFile(file, bytes.toStdString()));
        QCOMPARE(readFile(file).value_or("none"), std::string(3000, 'a'));
        const auto large = readFile(file, 2999);
        QVERIFY(!large);
        QCOMPARE(large.error().file, file.string());
        QCOMPARE(large.error().code, ErrorCode::CannotRead);
        QCOMPARE(large.error().message.english(), std::string("is larger than 2999 bytes when it is unpacked"));
        QVERIFY(writeFile(file, bytes.left(20).toStdString()));
        QCOMPARE(readFile(file).error().file, file.string());
        QCOMPARE(withoutGz("a/b.json.gz"), fs::path("a/b.json"));
        QCOMPARE(withoutGz("a/b.json"), fs::path("a/b.json"));
    }

    void devicesAreWrittenToAndNotReplaced()
    {
        QVERIFY(writeFile("/dev/null", "text"));
        QVERIFY(fs::is_character_file("/dev/null"));
        if (!fs::exists("/dev/full")) QSKIP("no /dev/full here");
        const auto written = writeFile("/dev/full", "text");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::CannotWrite);
        QCOMPARE(written.error().message.english(), std::string("cannot be written: no space left"));
    }

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_directory;
};

CARDFIT_TEST(TestFile)

} // namespace cardfit::tst_file
#include "tst_file.moc"
