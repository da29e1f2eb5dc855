// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <rapidcheck.h>

#include "core/launch/megatron/layer_pattern.h"
#include "core/launch/shell/command_line.h"
#include "tests/test_program.h"

namespace cardfit::tst_command_line {

using Words = std::vector<std::string>;

/// Values of a flag; {"(absent)"} if it is not there.
Words valuesOf(const std::vector<LaunchFlag>& flags, std::string_view name)
{
    for (const LaunchFlag& flag : flags) {
        if (flag.name == name) return flag.values;
    }
    return {"(absent)"};
}

LaunchCommand read(std::string_view text)
{
    auto command = readLaunchCommand(text);
    return command ? *std::move(command) : LaunchCommand{};
}

class TestCommandLine : public QObject {
    Q_OBJECT

private slots:
    void aScriptWithArraysAndVariables()
    {
        const auto command = read(R"sh(#!/bin/bash
#SBATCH --nodes=4
export CUDA_DEVICE_MAX_CONNECTIONS=1   # what overlaps needs
GPUS_PER_NODE=8
TP=${TP:-4}
WORLD=$((GPUS_PER_NODE * 4))
MODEL_ARGS=(
    --num-layers 32          # a comment in a list
    --moe-layer-freq "([0]*1+[1]*31)"
)
MODEL_ARGS+=(--swiglu)
OLD="
    --lr 1e-4 \
    --seq-length 4096
"
if [ -z "$DEBUG" ]; then echo "no"; fi
torchrun --nproc_per_node=$GPUS_PER_NODE pretrain_gpt.py \
    ${MODEL_ARGS[@]} $OLD --tensor-model-parallel-size ${TP} \
    --data-path '/data/my corpus' --global-batch-size=$WORLD --save ${OUT} 2>&1 | tee log.txt
)sh");
        QCOMPARE(valuesOf(command.runner, "--nproc-per-node"), Words{"8"});
        QCOMPARE(valuesOf(command.runner, "--nodes"), Words{"4"});
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"32"});
        QCOMPARE(valuesOf(command.program, "--moe-layer-freq"), Words{"([0]*1+[1]*31)"});
        QCOMPARE(valuesOf(command.program, "--swiglu"), Words{});
        QCOMPARE(valuesOf(command.program, "--lr"), Words{"1e-4"});
        QCOMPARE(valuesOf(command.program, "--seq-length"), Words{"4096"});
        QCOMPARE(valuesOf(command.program, "--tensor-model-parallel-size"), Words{"4"});
        QCOMPARE(valuesOf(command.program, "--data-path"), Words{"/data/my corpus"});
        QCOMPARE(valuesOf(command.program, "--global-batch-size"), Words{"32"});
        QCOMPARE(valuesOf(command.program, "--save"), Words{"${OUT}"});
        QCOMPARE(command.unset, (Words{"DEBUG", "OUT"}));
        QVERIFY(command.undecided.empty()); // the script asks whether DEBUG is set, and it is not
        QCOMPARE(command.missing, (std::vector<UnsetUse>{{"OUT", "--save"}}));
        QVERIFY(command.other_commands.empty()); // tee is too short
        QCOMPARE(command.environment.at("CUDA_DEVICE_MAX_CONNECTIONS"), std::string("1"));
        for (const LaunchFlag& flag : command.program) {
            if (flag.name == "--num-layers") QCOMPARE(flag.line, 8);
            if (flag.name == "--seq-length") QCOMPARE(flag.line, 14);
            if (flag.name == "--save") QCOMPARE(flag.line, 19);
        }
    }

    void otherCommandsAreCounted()
    {
        const auto command = read("torchrun a.py --num-layers 2 --bf16 --swiglu\nmkdir -p out\n"
                                  "torchrun a.py --num-layers 4 --bf16\n");
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"2"});
        QCOMPARE(command.other_commands, std::vector<int>{3});
    }

    /// Those with at least half as many options as the one that is read; of equal ones the last is read.
    void aCommandWithHalfAsManyOptionsIsNamed()
    {
        const auto others = [](std::string_view text) { return read(text).other_commands; };
        const std::vector<int> none;
        QCOMPARE(others("a --x 1"), none);
        QCOMPARE(others("a --x 1\nb --y 2"), std::vector<int>{1});
        QCOMPARE(others("a --x\nb --y --z\nc --y --z --u --v"), std::vector<int>{2});
        QCOMPARE(others("a --x\nb --y --z\nc --y --z --u --v --w"), none);
        QCOMPARE(others("b --x --y --z\nc --y --z --u --v --w\nd --1 --a --b"), (std::vector<int>{1, 3}));
        const auto last = read("a --x 1 --y 2\nb --x 3 --y 4\nc\n");
        QCOMPARE(valuesOf(last.program, "--x"), Words{"3"});
        QCOMPARE(last.other_commands, std::vector<int>{1});
        // Commands that a loop or a condition holds count once each.
        QCOMPARE(others("if x; then\n  a --x 1\nelse\n  a --x 2\nfi"), std::vector<int>{2});
    }

    void bareFlags()
    {
        const auto command = read("--num-layers 2 --lr -1 --use_flash_attn --layer-list 1 2 3");
        QVERIFY(command.runner.empty());
        QCOMPARE(valuesOf(command.program, "--lr"), Words{"-1"});
        QCOMPARE(valuesOf(command.program, "--use-flash-attn"), Words{});
        QCOMPARE(valuesOf(command.program, "--layer-list"), (Words{"1", "2", "3"}));
    }

    void aCommandInQuotes()
    {
        const auto command = read("N=24\nsrun -N 2 sh -c \"python pretrain_gpt.py --num-layers $N --bf16\"");
        QCOMPARE(valuesOf(command.runner, "-N").front(), std::string("2"));
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"24"});
        QCOMPARE(valuesOf(command.program, "--bf16"), Words{});
    }

    void aTestCase()
    {
        const auto command = read(R"(ENV_VARS:
  CUBLAS_WORKSPACE_CONFIG: :4096:8
MODEL_ARGS:
  --num-layers: 12 # twelve
  --bf16: true
  --sequence-parallel: false
  --recompute-modules: "[layernorm moe_act]"
  --pipeline-model-parallel-layout: "Et*7|t*7mL"
TEST_TYPE: regular
)");
        QCOMPARE(command.environment.at("CUBLAS_WORKSPACE_CONFIG"), std::string(":4096:8"));
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"12"});
        QCOMPARE(valuesOf(command.program, "--bf16"), Words{});
        QCOMPARE(valuesOf(command.program, "--sequence-parallel"), Words{"(absent)"});
        QCOMPARE(valuesOf(command.program, "--recompute-modules"), (Words{"layernorm", "moe_act"}));
        QCOMPARE(valuesOf(command.program, "--pipeline-model-parallel-layout"), Words{"Et*7|t*7mL"});
    }

    /// A value on the next line, and a section that takes over another one.
    void yamlSections()
    {
        const auto command = readLaunchCommand("BASE_MODEL_ARGS: &BASE_MODEL_ARGS\n"
                                               "  --num-layers: 12\n"
                                               "  --hidden-size: 512\n"
                                               "MODEL_ARGS:\n"
                                               "  <<: *BASE_MODEL_ARGS\n"
                                               "  --bf16:\n"
                                               "    true\n"
                                               "  --hidden-size: 1024\n");
        QVERIFY2(command, command ? "" : describe(command.error()).c_str());
        QCOMPARE(command->program.size(), std::size_t{4});
        QCOMPARE(command->program[0], (LaunchFlag{"--num-layers", {"12"}, 2}));
        QCOMPARE(command->program[2], (LaunchFlag{"--bf16", {}, 6}));
        QCOMPARE(command->program[3], (LaunchFlag{"--hidden-size", {"1024"}, 8})); // the last one counts

        const auto unknown = readLaunchCommand("MODEL_ARGS:\n  <<: *OTHER\n  --num-layers: 2\n");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().where.english(), std::string("line 2"));
        QVERIFY(!readLaunchCommand("MODEL_ARGS: &MODEL_ARGS\n  --a: 1\n  <<: *MODEL_ARGS\n"));
    }

    /// What YAML allows besides, and what is refused with its line.
    void yamlValues()
    {
        const auto command = read("ENV_VARS: {A: 1, B: 'two words'}\n"
                                  "MODEL_ARGS:\n"
                                  "  --recompute-modules: [core_attn, mlp]\n"
                                  "  --moe-layer-freq: [0, 1, 1]\n"
                                  "  --window-size: ([0]*3+[1]*58)\n"
                                  "  --a: \"true\"\n"
                                  "  --b: null\n"
                                  "BEFORE_SCRIPT: |\n"
                                  "  echo [\n");
        QCOMPARE(command.environment.at("A"), std::string("1"));
        QCOMPARE(command.environment.at("B"), std::string("two words"));
        QCOMPARE(valuesOf(command.program, "--recompute-modules"), (Words{"core_attn", "mlp"}));
        QCOMPARE(valuesOf(command.program, "--moe-layer-freq"), Words{"[0,1,1]"});
        QCOMPARE(valuesOf(command.program, "--window-size"), Words{"([0]*3+[1]*58)"});
        QCOMPARE(valuesOf(command.program, "--a"), Words{"true"});
        QCOMPARE(valuesOf(command.program, "--b"), Words{});
    }

    void yamlIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("map as value") << QByteArray("MODEL_ARGS:\n  --a: {b: 1}\n") << "line 2";
        QTest::newRow("list of lists") << QByteArray("MODEL_ARGS:\n  --a: [[1]]\n") << "line 2";
        QTest::newRow("section that is a list") << QByteArray("MODEL_ARGS:\n- --a\n") << "line 2";
        QTest::newRow("section that is a word") << QByteArray("MODEL_ARGS:\n  --a\n") << "line 2";
        QTest::newRow("variables") << QByteArray("MODEL_ARGS:\n  --a: 1\nENV_VARS:\n  A: {b: 1}\n") << "line 4";
        QTest::newRow("not YAML") << QByteArray("MODEL_ARGS:\n  --a: 1\n  --b: @x\n") << "line 3";
        QTest::newRow("unknown anchor") << QByteArray("MODEL_ARGS:\n  --a: *none\n") << "line 2";
        QTest::newRow("takes over a word") << QByteArray("MODEL_ARGS:\n  --a: 1\n  <<: word\n") << "line 3";
        QTest::newRow("takes over itself within") << QByteArray("MODEL_ARGS: &M\n  <<: {<<: *M}\n") << "line 2";
        QTest::newRow("second document") << QByteArray("MODEL_ARGS:\n  --a: 1\n---\nB: 1\n") << "";
        QTest::newRow("comma outside of brackets") << QByteArray("MODEL_ARGS:\n  --a: 1\n,  b\n") << "";
        QTest::newRow("deep") << QByteArray("MODEL_ARGS:\n  --a: ") + QByteArray(100'000, '[') << "line 2";
        QByteArray doubling("A0: &A0\n  --a: 1\n");
        for (int i = 1; i < 40; ++i)
            doubling += QByteArray("A%: &A%\n  <<: *A#\n  <<: *A#\n")
                            .replace("%", QByteArray::number(i))
                            .replace("#", QByteArray::number(i - 1));
        QTest::newRow("doubling") << doubling + "MODEL_ARGS:\n  <<: *A30\n"
                                  << "";
    }
    void yamlIsRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, where);
        const auto command = readLaunchCommand(text.toStdString());
        QVERIFY(!command);
        QCOMPARE(command.error().code, ErrorCode::WrongFormat);
        if (!where.isEmpty()) QCOMPARE(QString::fromStdString(command.error().where.english()), where);
        QVERIFY(!command.error().message.empty());
    }

    void errorsNameTheLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        QTest::newRow("quote") << "echo\n--num-layers '2\n"
                               << "line 2";
        QTest::newRow("list") << "A=(\n--num-layers 2\n"
                              << "line 1";
        QTest::newRow("brace") << "echo ${A\n"
                               << "line 1";
        QTest::newRow("brace in quotes") << "echo \"${A\n"
                                         << "line 1";
        QTest::newRow("yaml") << "MODEL_ARGS:\n  --a: 1\n  num-layers: 2\n"
                              << "line 3";
        QTest::newRow("nothing") << "echo hello\n"
                                 << "";
        QTest::newRow("empty") << ""
                               << "";
    }
    void errorsNameTheLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto command = readLaunchCommand(text.toStdString());
        QVERIFY(!command);
        QCOMPARE(command.error().code, ErrorCode::WrongFormat);
        QCOMPARE(QString::fromStdString(command.error().where.english()), where);
        QVERIFY(!command.error().message.empty());
    }

    /// Whatever stands in a file: an answer or an error, and no end without either.
    void anyTextIsAnswered()
    {
        QVERIFY(rc::check([] {
            const auto pieces = *rc::gen::container<std::vector<std::string>>(
                rc::gen::element<std::string>("--a", " ", "\n", "\\", "'", "\"", "$", "{", "}", "(", ")", "((", "))",
                    "A", "=", "+=", "${A:-$A}", "#", "|", ">", "1", "*", "/", "0", "x.py", "MODEL_ARGS:\n", "`", "if ",
                    "then ", "fi\n", "case ", "in ", ";;", "esac ", "for ", "do ", "done ", "&&", "||", "[ ", " ]",
                    "[[ ", " ]]", "A() {", "}\n", "${A[0]}", "${A%%*}", "<<A\n", "!"));
            std::string text;
            for (const auto& piece : pieces)
                text += piece;
            const auto command = readLaunchCommand(text);
            RC_ASSERT((command ? !command->program.empty() : !command.error().message.empty()));
        }));
    }

    void aVariableThatDoublesItselfIsRefused()
    {
        std::string script = "A=1\n";
        for (int i = 0; i < 64; ++i)
            script += "A+=$A\n";
        const auto command = readLaunchCommand(script + "python x.py --a $A\n");
        QVERIFY(!command);
        QCOMPARE(command.error().code, ErrorCode::OutOfRange);
    }

    // ---- What runs

    void aKnownWordDecides_data()
    {
        QTest::addColumn<QString>("script");
        const auto row = [](const char* name, const char* script) { QTest::newRow(name) << QString(script); };
        row("case on one line", "case \"$S\" in small) L=24; H=1 ;; large) L=96; H=2 ;; esac");
        row("case over lines",
            "case $S in\n  large)\n    L=96\n    ;;\n  (tiny|small)\n    L=24\n    ;;\n  *) L=1\nesac");
        row("case pattern", "case $S in l*) L=96 ;; s?a[k-m]l) L=24 ;; esac");
        row("case else", "L=96; case $S in large) L=1 ;; *) L=24 ;; esac");
        row("case expands", "W=small; case $S in large) L=1;; $W) L=24;; esac");
        row("=", "if [ \"$S\" = small ]; then L=24; else L=96; fi");
        row("==", "if [[ $S == \"small\" ]]; then\n  L=24\nelse\n  L=96\nfi");
        row("pattern", "if [[ $S == sm* ]]\nthen L=24\nelse L=96\nfi");
        row("!=", "L=24; if test $S != small; then L=96; fi");
        row("not", "L=24; if ! [ $S = small ]; then L=96; fi");
        row("not inside", "L=24; if [ ! $S = small ]; then L=96; fi");
        row("elif", "if [ $S = large ]; then L=96; elif [ $S = small ]; then L=24; elif true; then L=1; else L=2; fi");
        row("else", "if [ $S = large ]; then L=96; elif [ $S = huge ]; then L=12; else L=24; fi");
        row("-z", "if [ -z \"$X\" ]; then L=24; else L=96; fi");
        row("-n", "L=24; if [ -n \"$X\" ]; then L=96; fi");
        row("-eq", "N=8; if [ $N -eq 8 ]; then L=24; else L=96; fi");
        row("-gt", "N=8; if [ $N -gt 8 ]; then L=96; else L=24; fi");
        row("-le", "N=8; if [[ $N -le 8 && $S = small ]]; then L=24; else L=96; fi");
        row("-a", "N=8; if [ $N -ge 9 -o $S = small ]; then L=24; else L=96; fi");
        row("brackets", "if [[ ( $S = a || $S = small ) && -z $X ]]; then L=24; else L=96; fi");
        row("arithmetic", "N=8; if (( N > 4 )); then L=24; else L=96; fi");
        row("both in arithmetic", "N=8; if (( N > 4 && N <= 8 || N == 1 )); then L=24; else L=96; fi");
        row("choice", "N=8; L=$(( N > 4 ? N * 3 : 96 ))");
        row("choice in a choice", "N=8; L=$(( N < 4 ? 96 : (N != 8 ? 1 : 24) ))");
        row("and", "L=96; [ $S = small ] && L=24");
        row("or", "L=24; [ $S = small ] || L=96");
        row("and or", "[ $S = large ] && L=96 || L=24");
        row("chain", "L=96\n[[ $S == small ]] &&\n  L=24");
        row("nested", "if [ $S = small ]; then if [ $S = large ]; then L=96; else case $S in s*) L=24;; esac; fi; fi");
        row("function", "f() { L=$1; }\nf 24");
        row("function of words", "function pick {\n  if [ \"$1\" = small ]; then L=24; else L=96; fi\n}\npick $S");
        row("not called", "L=24\nf() { L=96; }\n");
        row("loop", "for L in 96 48 24; do echo $L; done");
        row("sum in a loop", "L=0; for i in 8 8 8; do L=$((L + i)); done");
        row("while no arguments", "L=24; while [[ $# -gt 0 ]]; do case $1 in --x) L=96; shift 2;; esac; done");
        row("key", "declare -A A=([small]=24 [large]=96)\nL=${A[$S]}");
        row("number in a list", "A=(96 24 48); L=${A[1]}");
        row("without its end", "F=24.json; L=${F%.json}");
        row("without its beginning", "F=a/b/24; L=${F##*/}");
        row("replaced", "F=2x4; L=${F/x/}");
        row("if given", "X=1; L=${X:+24}");
        row("default in a default", "L=${A:-${B:-24}}");
        row("set by default", ": ${L:=24}");
        row("help", "if [ $# -lt 1 ]; then echo usage; exit 1; fi\nL=24");
        row("help of no size", "usage() { exit 1; }\ncase $1 in large) L=96;; small) L=24;; *) usage;; esac");
    }
    void aKnownWordDecides()
    {
        QFETCH(QString, script);
        const auto command =
            read("S=small\n" + script.toStdString() + "\ntorchrun x.py --num-layers $L --bf16 --a --b\n");
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"24"});
    }

    void anUnknownWordNamesItsOptions()
    {
        const auto command = read("case $1 in\n  small) L=24; H=8 ;;\n  large) L=96; H=16 ;;\nesac\n"
                                  "if [ \"$FP8\" = 1 ]; then EXTRA=\"--fp8-format hybrid\"; fi\n"
                                  "torchrun x.py --num-layers $L --heads=$H --bf16 $EXTRA\n");
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"96"}); // the last way
        QCOMPARE(valuesOf(command.program, "--fp8-format"), Words{"(absent)"}); // as a run without FP8
        QCOMPARE(command.undecided.size(), std::size_t{2});
        QCOMPARE(command.undecided[0].condition, std::string("case $1"));
        QCOMPARE(command.undecided[0].read, 3);
        QCOMPARE(command.undecided[0].options, (Words{"--heads", "--num-layers"}));
        QCOMPARE(command.undecided[1].condition, std::string("if [ $FP8 = 1 ]"));
        QCOMPARE(command.undecided[1].line, 5);
        QCOMPARE(command.undecided[1].read, 0);
        QCOMPARE(command.undecided[1].options, Words{"--fp8-format"});
    }

    void unsetVariablesOfTheCommandAreNamed()
    {
        const auto command =
            read("X=${TP:?set TP}\necho $HOSTNAME\n"
                 "torchrun x.py $COMMON \"${MORE[@]}\" --num-layers ${LAYERS} ${REST} --bf16 \"$@\"\n");
        QCOMPARE(command.missing,
            (std::vector<UnsetUse>{{"COMMON", ""}, {"MORE", ""}, {"LAYERS", "--num-layers"}, {"REST", ""}}));
        QCOMPARE(command.required, Words{"TP"});
        QCOMPARE(valuesOf(command.program, "--num-layers"), Words{"${LAYERS}"});
        QCOMPARE(valuesOf(command.program, "--bf16"), Words{});
    }

    void aSourcedFileIsRead()
    {
        const NeighbourFiles files = [](const std::string& path) -> std::optional<std::string> {
            if (path == "conf/common.sh") return "COMMON=(--bf16 --seq-length 8)\nreturn 0\nCOMMON=()\n";
            return std::nullopt;
        };
        const std::string_view script = "HERE=$(cd \"$(dirname \"$0\")\" && pwd)\nsource \"$HERE/conf/common.sh\"\n"
                                        ". ./gone.sh\ntorchrun x.py ${COMMON[@]} --num-layers 2\n";
        const auto command = readLaunchCommand({script, files});
        QVERIFY2(command, command ? "" : describe(command.error()).c_str());
        QCOMPARE(valuesOf(command->program, "--seq-length"), Words{"8"});
        QCOMPARE(command->program.front().line, 2); // where it is sourced
        QCOMPARE(command->unread_files, Words{"./gone.sh"});
        QVERIFY(command->missing.empty());
        const auto alone = read(script);
        QCOMPARE(alone.missing, (std::vector<UnsetUse>{{"COMMON", ""}}));
        QCOMPARE(alone.unread_files, (Words{"conf/common.sh", "./gone.sh"}));
    }

    void aLoopAroundTheCommandIsNamed()
    {
        const auto command = read("for TP in 1 2 4; do\n  torchrun x.py --tp $TP --bf16\ndone\n");
        QCOMPARE(valuesOf(command.program, "--tp"), Words{"4"});
        QCOMPARE(command.loops.size(), std::size_t{1});
        QCOMPARE(command.loops[0].variable, std::string("TP"));
        QCOMPARE(command.loops[0].values, (Words{"1", "2", "4"}));
        QVERIFY(command.other_commands.empty());
    }

    void programsByName()
    {
        QCOMPARE(read("torchrun --nnodes 2 tools/a.py --x 1").name, std::string("tools/a.py"));
        QCOMPARE(read("python3 -m verl.trainer.main_ppo --x 1").name, std::string("verl.trainer.main_ppo"));
        QCOMPARE(read("A=1 swift sft --x 1").name, std::string("swift sft"));
        QCOMPARE(read("ARGS=\"--x 1\"").name, std::string());
        const auto command = read("python convert.py --a --b --c\ntorchrun train.py --a\n");
        QCOMPARE(command.name, std::string("train.py")); // though it has fewer options
        QCOMPARE(command.programs, (Words{"convert.py", "train.py"}));
    }

    void scriptsThatNeverEnd()
    {
        for (const char* text : {"f() { f; f; }\nf\na --x 1", "for a in 1 2; do source a.sh; done\na --x 1",
                 "while true; do a --x 1; done", "until false; do a --x 1; done"}) {
            const NeighbourFiles files = [&](const std::string&) { return std::optional<std::string>(text); };
            QVERIFY(readLaunchCommand({std::string_view(text), files}));
        }
        std::string deep;
        for (int i = 0; i < 5000; ++i)
            deep += "if a; then ";
        QVERIFY(readLaunchCommand(deep + "a --x 1"));
        std::string loops;
        for (int i = 0; i < 40; ++i)
            loops += "for i in 1 2 3 4; do ";
        QVERIFY(readLaunchCommand(loops + "a --x 1", NoOptions::Accepted));
    }

    void layerPatterns()
    {
        const auto pattern = [](std::string_view text) {
            const auto found = parseLayerPattern(text);
            return found ? found->layers : std::vector<int>{-1};
        };
        QCOMPARE(pattern("([0]*2+[1]*3)"), (std::vector{0, 0, 1, 1, 1}));
        QCOMPARE(pattern("([1]*2+[0]*1)*2"), (std::vector{1, 1, 0, 1, 1, 0}));
        QCOMPARE(pattern(" [0, 1] "), (std::vector{0, 1}));
        for (const char* wrong : {"", "[", "[2]", "[1]*", "[1]+", "([1]", "[1]]", "[1]*99999999", "1"})
            QCOMPARE(pattern(wrong), std::vector{-1});
        QVERIFY(!parseLayerPattern(std::string(100000, '(')));
        QVERIFY(parseLayerPattern("[0,1]")->literal);
        QVERIFY(!parseLayerPattern("([0]*1+[1]*1)")->literal);
    }
};

CARDFIT_TEST(TestCommandLine)

} // namespace cardfit::tst_command_line
#include "tst_command_line.moc"
