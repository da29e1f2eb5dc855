// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include <rapidcheck.h>

#include "core/traces/training_log.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_training_log {

bool close(std::optional<double> found, double expected)
{
    return found && std::abs(*found - expected) < 1e-9 * std::abs(expected);
}

std::string megatronLine(int iteration, double milliseconds)
{
    return " [2026-03-01 10:00:00] iteration " + std::to_string(iteration)
        + "/     500 | consumed samples:         2560 | elapsed time per iteration (ms): "
        + std::to_string(milliseconds)
        + " | throughput per GPU (TFLOP/s/GPU): 400.1 | learning rate: 1.0E-05 | global batch size:   256 |\n";
}

class TestTrainingLog : public QObject {
    Q_OBJECT

private slots:
    void megatron()
    {
        std::string text = "training ...\n";
        for (int i = 1; i <= 2; ++i)
            text += megatronLine(i, 9000.0);
        for (int i = 3; i <= 7; ++i)
            text += megatronLine(i, 1200.5 + i);
        text += "[Rank 0] (after 2 iterations) memory (MB) | allocated: 40000.5 | max allocated: 61234.25 | "
                "reserved: 65000.0 | max reserved: 66000.0\n"
                "[Rank 6] (after 2 iterations) memory (MB) | allocated: 40000.5 | max allocated: 62000.5 | "
                "reserved: 65000.0 | max reserved: 66000.0\n";
        const auto log = readTrainingLog(text);
        QVERIFY2(log, log ? "" : describe(log.error()).c_str());
        QVERIFY(log->step);
        QVERIFY(close(log->step->value(), 1.2055)); // the median of 3 to 7
        QVERIFY(close(log->model_tflops_per_card, 400.1));
        QCOMPARE(log->allocated, std::optional(Bytes(62000LL * 1048576 + 524288)));
        QCOMPARE(log->rank, std::int64_t{6});
        QVERIFY(!log->reserved);
        QCOMPARE(log->not_understood, std::vector<std::string>{"line 1: training ..."});
        QVERIFY(log->found.front().english().find("median of 5 lines after the first 2") != std::string::npos);

        // 4 stages of 2 replicas: rank 6 is on the last.
        const auto measured = measurementOf(*log, samples::llama13BOnEightCards());
        QVERIFY(measured.has_value());
        QCOMPARE(measured->stage, std::int64_t{3});
        QCOMPARE(measured->step, log->step);
        QVERIFY(!measured->tokens_per_second_per_card);
    }

    void torchtitan()
    {
        // As a terminal shows it, colours included.
        const auto log = readTrainingLog(
            "[rank0]:\x1b[32m2026-03-01 10:00:00,123 - root - INFO - step: 10  loss:  5.5  grad_norm: 1.2  "
            "\x1b[33mmemory: 47.90GiB(60.50%)  \x1b[34mtps: 2,345  \x1b[36mtflops: 190.25  \x1b[35mmfu: "
            "40.10%\x1b[39m\n");
        QVERIFY2(log, log ? "" : describe(log.error()).c_str());
        QVERIFY(close(log->tokens_per_second_per_card, 2345.0));
        QVERIFY(close(log->model_tflops_per_card, 190.25));
        QVERIFY(!log->step);
        QVERIFY(!log->allocated);
        QCOMPARE(log->reserved, std::optional(Bytes(std::llround(47.9 * 0x1p30))));
        QVERIFY(log->not_understood.empty());
        const auto measured = measurementOf(*log, samples::llama13BOnEightCards());
        QVERIFY(measured.has_value());
        QVERIFY(close(measured->tokens_per_second_per_card, 2345.0));
        QVERIFY(!measured->allocated);
    }

    void deepspeed()
    {
        const auto log = readTrainingLog(
            "[2026-03-01 10:00:00] [INFO] [timer.py:260:stop] epoch=0/micro_step=20/global_step=20, "
            "RunningAvgSamplesPerSec=60.0, CurrSamplesPerSec=64.0, MemAllocated=10.5GB, MaxMemAllocated=30.25GB\n");
        QVERIFY(log.has_value());
        QVERIFY(close(log->samples_per_second, 64.0));
        QCOMPARE(log->allocated, std::optional(Bytes(30LL * 1073741824 + 268435456)));
        const auto measured = measurementOf(*log, samples::llama13BOnEightCards());
        QVERIFY(measured.has_value());
        QVERIFY(measured->step);
        QVERIFY(close(measured->step->value(), 16.0)); // 1,024 sequences
    }

    void huggingFace()
    {
        const auto log = readTrainingLog("{'train_runtime': 1200.5, 'train_samples_per_second': 12.8, "
                                         "'train_steps_per_second': 0.4, 'train_loss': 2.25, 'epoch': 1.0}");
        QVERIFY(log.has_value());
        QVERIFY(log->step);
        QVERIFY(close(log->step->value(), 2.5));
        QVERIFY(close(log->samples_per_second, 12.8));
    }

    void otherWords_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<double>("rate");
        QTest::newRow("samples/sec") << QByteArray("step 5 samples/sec: 12.5") << 12.5;
        QTest::newRow("samples per second") << QByteArray("samples per second: 1,012.5 | loss: 1") << 1012.5;
        QTest::newRow("json") << QByteArray(R"({"train_samples_per_second": 3.5e1})") << 35.0;
        QTest::newRow("a list follows") << QByteArray("samples/sec: 12,345") << 12345.0;
        QTest::newRow("not a group") << QByteArray("samples/sec: 12,34 ") << 12.0;
    }

    void otherWords()
    {
        QFETCH(QByteArray, line);
        QFETCH(double, rate);
        const auto log = readTrainingLog(line.toStdString());
        QVERIFY2(log, log ? "" : describe(log.error()).c_str());
        QVERIFY(close(log->samples_per_second, rate));
    }

    void warmUp()
    {
        const auto stepOf = [](const std::vector<double>& times) {
            std::string text;
            for (std::size_t i = 0; i < times.size(); ++i)
                text += megatronLine(static_cast<int>(i), times[i]);
            return readTrainingLog(text)->step->value();
        };
        QVERIFY(close(stepOf({5000.0}), 5.0));
        QVERIFY(close(stepOf({5000.0, 3000.0}), 4.0));
        QVERIFY(close(stepOf({5000.0, 3000.0, 1000.0}), 1.0));
        QVERIFY(close(stepOf({5000.0, 3000.0, 1000.0, 2000.0}), 1.5));
    }

    void refusals()
    {
        for (const char* text : {"", "\n\n", "loss: 2.5\n", "https://example.org/tps\n", "tps: \nelapsed time: 12\n",
                 "tps: 0\n", "tps: nan\n", "tps: -12\n"}) {
            const auto log = readTrainingLog(text);
            QVERIFY2(!log.has_value(), text);
            QCOMPARE(log.error().code, ErrorCode::WrongFormat);
            for (const char* expected : {"elapsed time per iteration (ms)", "tps", "samples/sec", "max allocated"})
                QVERIFY(log.error().message.english().find(expected) != std::string::npos);
        }
    }

    void whatIsNotEnough()
    {
        const auto log = readTrainingLog("memory: 47.9GiB(60.5%) tflops: 190.5\n");
        QVERIFY(log.has_value());
        const auto measured = measurementOf(*log, samples::llama13BOnEightCards());
        QVERIFY(!measured.has_value());
        QVERIFY(measured.error().message.english().find("only TFLOP/s or reserved memory") != std::string::npos);

        const auto far = readTrainingLog("[Rank 8] memory (MB) | max allocated: 1000.0\n");
        QVERIFY(far.has_value());
        const auto refused = measurementOf(*far, samples::llama13BOnEightCards());
        QVERIFY(!refused.has_value());
        QVERIFY(refused.error().message.english().find("ranks below 8") != std::string::npos);
    }

    /// Numbers that no run has are none; a rank that no cluster has is refused with its plan.
    void numbersThatOverflow()
    {
        for (const char* line : {"[Rank 0] memory (MB) | max allocated: 9e18\n", "step: 1 memory: 1e300GiB\n",
                 "MaxMemAllocated=1e308GB\n", "tps: 1e-320\n", "tps: 1e400\n", "train_steps_per_second: 1e-310\n"})
            QVERIFY2(!readTrainingLog(line), line);
        const auto log = readTrainingLog("[Rank 99999999999999999999] memory (MB) | max allocated: 1000.0\n");
        QVERIFY(log.has_value());
        QVERIFY(log->rank > 0);
        const auto refused = measurementOf(*log, samples::llama13BOnEightCards());
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::OutOfRange);
    }

    /// No text, however broken, is too much.
    void anyText()
    {
        QVERIFY(rc::check("a log is read or refused", [] {
            const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>("tps", ":",
                " ", "\n", "12", ",", "345", ".", "e", "-", "+", "\x1b[", "3m", "memory", "GiB", "[Rank", "]",
                "max allocated", "samples/sec", "elapsed time per iteration (ms)", "|", "\r", "\xff"));
            std::string text;
            for (const std::string& piece : pieces)
                text += piece;
            const auto log = readTrainingLog(text);
            if (log && log->tokens_per_second_per_card) RC_ASSERT(*log->tokens_per_second_per_card > 0.0);
        }));
    }
};

CARDFIT_TEST(TestTrainingLog)

} // namespace cardfit::tst_training_log
#include "tst_training_log.moc"
