// SPDX-License-Identifier: GPL-3.0-or-later
// `cardfit import` and `cardfit export --launch`, run as a program.
#include <QtTest>

#include <QJsonDocument>
#include <QTemporaryDir>

#include "tests/app/program.h"
#include "tests/test_program.h"

namespace cardfit::tst_launch_commands {

using cardfit::samples::Answer;
using cardfit::samples::runCardfit;

const QString kPlan = QStringLiteral("llama-3-70b-64-h100");

QByteArray contents(const QString& file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

class TestLaunchCommands : public QObject {
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_directory.isValid()); }

    void aPlanGoesThereAndBack()
    {
        const QString script = file("run.sh");
        const Answer exported = runCardfit({"export", kPlan, "--launch", "megatron", "--output", script});
        QCOMPARE(exported.code, 0);
        QCOMPARE(exported.output, QByteArray());
        QVERIFY(contents(script).contains("--num-layers 80"));
        const Answer imported = runCardfit({"import", "--from", "megatron", script, "--cluster", "dgx-h100"});
        QCOMPARE(imported.code, 0);
        const QString plan = write("back.json", imported.output);
        const auto bytes = [](const QString& which) {
            return QJsonDocument::fromJson(
                runCardfit({"estimate", which, "--json"}).output)["stages"][0]["allocated_bytes"]
                .toDouble();
        };
        QVERIFY(bytes(kPlan) > 0.0);
        QCOMPARE(bytes(plan), bytes(kPlan));
    }

    void whatIsNotMappedGoesToStandardError()
    {
        const QString script = write("odd.sh",
            "torchrun --nproc-per-node 8 pretrain_gpt.py --num-layers 8 --hidden-size 512 "
            "--num-attention-heads 8 --vocab-size 1000 --seq-length 512 --micro-batch-size 1 --zorp 3 --lr 1\n");
        const Answer answer = runCardfit({"import", "--from", "megatron", script});
        QCOMPARE(answer.code, 0);
        QVERIFY(QJsonDocument::fromJson(answer.output).isObject());
        QVERIFY2(answer.complaint.contains("odd.sh: not mapped: --zorp 3: "), answer.complaint.constData());
        QVERIFY(!answer.complaint.contains("--lr"));
        // No plan is open on the command line.
        const Answer server =
            runCardfit({"import", "--from", "deepspeed", write("zero.json", "{}\n"), "--model", "llama-3-8b"});
        QCOMPARE(server.code, 0);
        QVERIFY2(server.complaint.contains("the starting plan's"), server.complaint.constData());
    }

    /// No other model takes the place of one that is not known.
    void withoutAModelThereIsNoPlan()
    {
        const QString plan = file("no.json");
        const QString unknown = write("serve.sh", "vllm serve acme/Thing-70B --tensor-parallel-size 2\n");
        const Answer refused = runCardfit({"import", "--from", "vllm", unknown, "--output", plan});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.complaint.contains("model acme/Thing-70B is not among the shipped ones: give --model"),
            refused.complaint.constData());
        QVERIFY(!QFileInfo::exists(plan));
        QCOMPARE(runCardfit({"search", unknown}).code, 3);
        QCOMPARE(runCardfit({"import", "--from", "deepspeed", write("zero.json", "{}\n")}).code, 3);
        const Answer chosen = runCardfit({"import", "--from", "vllm", unknown, "--model", "llama-3.3-70b"});
        QCOMPARE(chosen.code, 0);
        // The name says eight times the size.
        const Answer small = runCardfit({"import", "--from", "vllm", unknown, "--model", "llama-3-8b"});
        QCOMPARE(small.code, 0);
        QVERIFY2(small.complaint.contains("the name says 70 billion parameters"), small.complaint.constData());
    }

    /// A checkpoint that is described by its config.json is served in its own format.
    void theFormatOfAConfiguration()
    {
        const QString config = write("config.json",
            R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "quantization_config": {"quant_method": "fp8"}})");
        const Answer plan =
            runCardfit({"import", "--from", "vllm", write("own.sh", "vllm serve acme/own -tp 2\n"), "--model", config});
        QCOMPARE(plan.code, 0);
        QCOMPARE(QJsonDocument::fromJson(plan.output)["recipe"]["precision"].toString(), QStringLiteral("fp8"));
    }

    void errorsNameFileAndPlace()
    {
        const QString script =
            write("bad.sh", "python x.py \\\n  --num-layers eight --hidden-size 512 --num-attention-heads 8\n");
        const Answer answer = runCardfit({"import", "--from", "megatron", script});
        QCOMPARE(answer.code, 3);
        QCOMPARE(answer.output, QByteArray());
        QVERIFY2(answer.complaint.contains(
                     "bad.sh: line 2, --num-layers: expected a whole number of at least 1, found \"eight\""),
            answer.complaint.constData());
        QCOMPARE(runCardfit({"import", "--from", "megatron", file("none.sh")}).code, 3);
        QCOMPARE(runCardfit({"import", script}).code, 64);
        QCOMPARE(runCardfit({"import", "--from", "slurm", script}).code, 64);
        QCOMPARE(runCardfit({"import", "--from", "megatron", script, "--cluster", "zorp"}).code, 64);
    }

    void aModelIsPrintedAsAPreset()
    {
        QVERIFY(QDir(m_directory.path()).mkpath("Tiny-1B"));
        const QString config = write("Tiny-1B/config.json",
            R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": true})");
        const Answer answer = runCardfit({"import", "--from", "huggingface", config});
        QCOMPARE(answer.complaint, QByteArray());
        const auto json = QJsonDocument::fromJson(answer.output);
        QCOMPARE(json["format"].toString(), QStringLiteral("cardfit/model"));
        QCOMPARE(json["name"].toString(), QStringLiteral("Tiny-1B"));
        QCOMPARE(json["num_key_value_heads"].toInt(), 8);
        const QString deepspeed =
            write("ds_config.json", R"({"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}})");
        const Answer plan =
            runCardfit({"import", "--from", "deepspeed", deepspeed, "--model", config, "--cluster", "dgx-h100"});
        QCOMPARE(plan.code, 0);
        QCOMPARE(QJsonDocument::fromJson(plan.output)["model"]["hidden_size"].toInt(), 2048);
    }

    void launchersOnStandardOutput()
    {
        const Answer toml = runCardfit({"export", kPlan, "--launch", "torchtitan"});
        QCOMPARE(toml.code, 0);
        QVERIFY(toml.output.contains("flavor = \"70B\""));
        QVERIFY(toml.complaint.contains("not written: /recipe/framework megatron: "));
        const Answer json = runCardfit({"export", kPlan, "--launch", "deepspeed"});
        QVERIFY(QJsonDocument::fromJson(json.output)["zero_optimization"].isObject());
        QCOMPARE(runCardfit({"export", "llama-3-70b-serving-dgx-h100", "--launch", "megatron"}).code, 2);
        QCOMPARE(runCardfit({"export", kPlan, "--launch", "huggingface"}).code, 64);
        QCOMPARE(runCardfit({"export", kPlan, "--output", file("x.png")}).code, 64);
    }

private:
    QString file(const QString& name) const { return m_directory.filePath(name); }
    QString write(const QString& name, const QByteArray& text) const
    {
        QFile out(file(name));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
    }

    QTemporaryDir m_directory;
};

CARDFIT_TEST(TestLaunchCommands)

} // namespace cardfit::tst_launch_commands
#include "tst_launch_commands.moc"
