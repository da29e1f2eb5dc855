// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program from a shell under faults: unreadable and unwritable files, endless input, malicious content. Every
// answer is one of the documented exit codes and a sentence.
#include <QtTest>

#include <QTemporaryDir>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace cardfit::tst_faults {

using cardfit::samples::Answer;
using cardfit::samples::runCardfit;

/// Runs `command` in the given folder; the program is "$CARDFIT".
Answer shell(const QString& folder, const QString& command)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("CARDFIT"), QStringLiteral(CARDFIT_PROGRAM));
    environment.insert(QStringLiteral("XDG_DATA_HOME"), folder + QStringLiteral("/data"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral("bash"), {QStringLiteral("-c"), command});
    if (!process.waitForFinished()) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

class TestFaults : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        QVERIFY(m_temporary->isValid());
    }

    void everyFaultHasACodeAndASentence_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said"); // on standard error
        const auto row = [](const char* name, const char* command, int code, const char* said) {
            QTest::newRow(name) << QString::fromUtf8(command) << code << QString::fromUtf8(said);
        };
        // Files that cannot even be examined.
        for (const char* command : {"check", "estimate", "explain", "advise", "calibrate --remove",
                 "export --table t.csv", "compare llama-13b-8-cards"}) {
            QTest::newRow(command) << QStringLiteral("ln -s loop loop; $CARDFIT %1 loop").arg(command) << 3
                                   << QStringLiteral("too many symbolic links");
        }
        row("long name", "$CARDFIT check $(printf 'a%.0s' {1..5000})", 3, "cannot be read");
        row("model", "ln -s loop loop; echo {} > f; $CARDFIT import --from deepspeed f --model loop", 3,
            "too many symbolic links");
        // Endless input.
        row("pipe", "mkfifo f; $CARDFIT check f", 3, "it is a pipe or a device, not a file");
        row("pipe to import", "mkfifo f; $CARDFIT import --from megatron f", 3, "it is a pipe or a device");
        row("device", "$CARDFIT check /dev/zero", 3, "it is a pipe or a device");
        row("endless input", "$CARDFIT import --from megatron - < /dev/zero", 3,
            "standard input: is larger than 4194304 bytes");
        row("endless descriptor", "$CARDFIT check <(cat /dev/zero)", 3, "is larger than");
        row("pipe among the presets",
            "mkdir -p data/cardfit/presets/models; mkfifo data/cardfit/presets/models/f.json; $CARDFIT check "
            "llama-3-8b-8-h100",
            0, "f.json: cannot be read: it is a pipe or a device");
        row("substitution", "$CARDFIT check <($CARDFIT calibrate --remove llama-3-8b-8-h100)", 0, "");
        // Faults that must not pass silently.
        row("broken presets",
            "mkdir -p data/cardfit/presets/models; cd data/cardfit/presets; echo '{}' > models/a.json; echo x > plans; "
            "$CARDFIT check llama-3-8b-8-h100",
            0, "/format: expected \"cardfit/model\", found nothing; and 1 more, see cardfit presets");
        row("no memory", "ulimit -v 300000; $CARDFIT schedule --schedule 1f1b --stages 16 --microbatches 100000 --json",
            3, "internal error");
        if (QFile::exists(QStringLiteral("/dev/full"))) {
            row("full disk", "$CARDFIT estimate llama-3-8b-8-h100 > /dev/full", 3,
                "standard output: cannot be written: no space left");
            row("full disk, search", "$CARDFIT search llama-13b-8-cards --pin schedule > /dev/full", 3,
                "no space left");
            row("full disk, help", "$CARDFIT --help > /dev/full", 3, "no space left");
            row("full disk, lines", "yes '{}' | $CARDFIT estimate --lines > /dev/full", 3, "no space left");
        }
        row("closed output", "$CARDFIT presets >&-", 3, "standard output: cannot be written");
        // Values that are not valid numbers.
        for (const char* number : {"nan", "inf", "1e308", "-1"}) {
            QTest::newRow(number) << QStringLiteral(
                "$CARDFIT schedule --schedule 1f1b --stages 2 --microbatches 2 --forward=%1")
                                         .arg(number)
                                  << 64 << QStringLiteral("expected a number from 0 to 1e+09, found ");
        }
        // Options that contradict each other, and plans that a launcher would refuse.
        row("same file twice", "$CARDFIT export llama-3-8b-8-h100 --table a.md --report ./a.md", 64,
            "./a.md: would be written twice");
        row("same file twice, schedule",
            "$CARDFIT schedule --schedule 1f1b --stages 2 --microbatches 2 --csv o --trace o; r=$?; test ! -e o || "
            "exit 9; "
            "exit $r",
            64, "o: would be written twice");
        row("unit", "$CARDFIT estimate llama-3-8b-8-h100 --unit gb", 64, "--unit: expected GB or GiB, found gb");
        row("unit by number", "$CARDFIT estimate llama-3-8b-8-h100 --unit 1", 64, "expected GB or GiB, found 1");
        row("nodes of another preset", "$CARDFIT check llama-3-70b-64-h100 --set /cluster/preset=dgx-b200", 2,
            "--set /cluster/preset=dgx-b200: 1 nodes, as the preset has, not 8");
        row("changes of another preset",
            "$CARDFIT check llama-3-70b-64-h100 --set /model/num_hidden_layers=40 --set /model/vocab_size=1024 "
            "--set /model/preset=llama-3-8b",
            0,
            "--set /model/preset=llama-3-8b: replaces what the plan had otherwise than its preset: "
            "/model/num_hidden_layers, /model/vocab_size\n");
        row("links of another preset",
            "$CARDFIT check llama-3-70b-64-h100 --set /cluster/accelerator/price_per_hour_usd=9 "
            "--set /cluster/inter_node/gb_s=9 --set /cluster/preset=dgx-a100 --set /cluster/nodes=8",
            0, "its preset: /cluster/accelerator, /cluster/inter_node\n");
        row("spares alone", "$CARDFIT estimate llama-3-8b-8-h100 --spares 2", 64, "--spares requires --repair-hours");
        row("launch of a broken plan",
            "$CARDFIT export llama-3-8b-8-h100 --set /parallelism/data=16 --launch megatron --output a.sh", 0,
            "llama-3-8b-8-h100: breaks ");
        row("table of a broken plan",
            "$CARDFIT export llama-3-8b-8-h100 --set /parallelism/data=16 --table a.csv --report a.md", 0,
            "llama-3-8b-8-h100: breaks ");
        row("file without a kind", "$CARDFIT export llama-3-8b-8-h100 --report r.xyz", 64, "by the file's ending");
        row("table without a kind", "$CARDFIT export llama-3-8b-8-h100 --table r.xyz", 64, "by the file's ending");
        row("nothing for what always is", "$CARDFIT estimate llama-3-8b-8-h100 --set /model=null", 64,
            "/model: a plan always has one");
        row("measured", "$CARDFIT calibrate llama-3-8b-8-h100 --step-seconds nan", 64, "expected a number from 1e-09");
        row("scale", "$CARDFIT export llama-3-8b-8-h100 --chart memory --output a.png --scale nan", 64, "from 1 to 4");
    }
    void everyFaultHasACodeAndASentence()
    {
        QFETCH(QString, command);
        QFETCH(int, code);
        QFETCH(QString, said);
        const Answer answer = shell(m_temporary->path(), command);
        QVERIFY2(answer.code == code, answer.complaint.constData());
        QVERIFY2(QString::fromUtf8(answer.complaint).contains(said), answer.complaint.constData());
        QVERIFY2(answer.complaint.count('\n') <= 3, answer.complaint.constData());
    }

    void aLineThatIsTooLongIsPassedOver()
    {
        const Answer answer = shell(m_temporary->path(),
            QStringLiteral("{ head -c 5000000 /dev/zero; echo; echo '{}'; } | $CARDFIT estimate --lines"));
        QCOMPARE(answer.code, 3);
        const auto lines = answer.output.split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].contains("is larger than 4194304 bytes"));
        QVERIFY(lines[1].contains("/format"));
    }

    // Escape sequences for colours and titles, and forged lines, are printed without effect on the terminal.
    void nothingForeignReachesTheTerminal_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("plan") << QString::fromUtf8(
            "printf "
            "'{\"format\":\"cardfit/plan\",\"version\":1,\"model\":{\"preset\":\"\\\\u001b[31mRED\\\\nforged\"}}' > p; "
            "$CARDFIT check p");
        QTest::newRow("key") << QString::fromUtf8(
            "$CARDFIT calibrate --remove llama-3-8b-8-h100 | sed '1s/{/{\"k\\\\u001b[31m\\\\nforged: error\":1,/' > p; "
            "$CARDFIT check p; $CARDFIT estimate p");
        QTest::newRow("names") << QString::fromUtf8(
            "$CARDFIT calibrate --remove llama-3-8b-8-h100 | sed 's/\"name\": "
            "\"/&\\\\u001b[31m\\\\nforged\\\\u202e\\\\u009b/' > p; for c in estimate advise check 'compare p' "
            "'calibrate --step-seconds 9' 'search --pin schedule' 'sweep --x tensor=1,2' 'export --launch megatron' "
            "'export --launch torchtitan'; do $CARDFIT $c p; "
            "done");
        QTest::newRow("flag") << QString::fromUtf8(
            "printf 'torchrun x.py --num-layers \"\\x1b]0;pwn\\x07\"\\n' > s; $CARDFIT import --from megatron s");
        QTest::newRow("toml") << QString::fromUtf8(
            "printf '[training]\\n\"k\\\\u001b[31m\\\\nforged\"=1\\n' > s; $CARDFIT import --from torchtitan s");
        QTest::newRow("log") << QString::fromUtf8(
            "printf 'tps: 2,345\\n\\x1b]0;pwn\\x07\\n\\xff\\n' > l; $CARDFIT calibrate llama-3-8b-8-h100 --log l");
        QTest::newRow("file") << QStringLiteral("$CARDFIT check $'\\e[31m\\nforged\\xff'");
        QTest::newRow("option") << QStringLiteral("$CARDFIT check p $'--\\e[31m\\nforged\\xff'");
        QTest::newRow("not UTF-8") << QStringLiteral("printf '{\"a\\xff\":1}' > p; $CARDFIT check p");
    }
    void nothingForeignReachesTheTerminal()
    {
        QFETCH(QString, command);
        const Answer answer = shell(m_temporary->path(), command);
        const QByteArray all = answer.output + answer.complaint;
        QVERIFY(!all.isEmpty());
        for (const char control : {'\x1b', '\x07', '\xff', '\r'})
            QVERIFY2(!all.contains(control), all.constData());
        QVERIFY2(
            !all.contains("\nforged") && !all.contains("\xe2\x80\xae") && !all.contains("\xc2\x9b"), all.constData());
    }

    // File names that are not UTF-8 are accepted.
    void namesNeedNotBeUtf8()
    {
        const Answer answer = shell(m_temporary->path(),
            QStringLiteral("$CARDFIT export llama-3-8b-8-h100 --chart memory --output $'out\\xff.svg' && ls"));
        QVERIFY2(answer.code == 0, answer.complaint.constData());
        QVERIFY2(answer.output.contains("out\xff.svg"), answer.output.constData());
    }

    // A copy of the program without its presets reports where it looked for them.
    void missingPresetsAreSaid()
    {
        const QString alone = QStringLiteral("unshare -rm true || exit 77; unshare -rm bash -c 'mount -t tmpfs none %1 "
                                             "&& export XDG_DATA_DIRS=/nowhere && %2'");
        const auto run = [&](const QString& command) {
            return shell(m_temporary->path(), alone.arg(QStringLiteral(CARDFIT_PRESET_DIR), command));
        };
        const Answer listed = run(QStringLiteral("$CARDFIT presets models"));
        if (listed.code == 77) QSKIP("needs a mount namespace");
        QCOMPARE(listed.code, 3);
        QVERIFY2(listed.complaint.startsWith(
                     "cardfit: the presets that ship with Cardfit are missing. They were looked for in "),
            listed.complaint.constData());
        QCOMPARE(listed.complaint.count('\n'), 1);
        QCOMPARE(run(QStringLiteral("echo {} > f; $CARDFIT import --from deepspeed f")).code, 3);
        QCOMPARE(run(QStringLiteral("env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM $CARDFIT")).code, 3);
    }

    // It finds presets in the place of an installation, and nowhere else.
    void aCopyReadsItsInstallationOnly()
    {
        const QString copy = QStringLiteral("mkdir -p place/bin && cp $CARDFIT place/bin/cardfit && "
                                            "export XDG_DATA_DIRS=/nowhere XDG_DATA_HOME=/nowhere CARDFIT_PRESETS=; "
                                            "%1 place/bin/cardfit presets models");
        const Answer alone = shell(m_temporary->path(), copy.arg(QString()));
        QCOMPARE(alone.code, 3);
        QVERIFY2(
            alone.complaint.contains("/place/share/cardfit/presets") && !alone.complaint.contains(CARDFIT_PRESET_DIR),
            alone.complaint.constData());
        const Answer installed = shell(m_temporary->path(),
            copy.arg(QStringLiteral("mkdir -p place/share/cardfit && ln -s %1 place/share/cardfit/presets;")
                         .arg(QStringLiteral(CARDFIT_PRESET_DIR))));
        QVERIFY2(installed.code == 0 && installed.output.contains("llama-3-70b"), installed.complaint.constData());
    }

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
};

CARDFIT_TEST(TestFaults)

} // namespace cardfit::tst_faults
#include "tst_faults.moc"
