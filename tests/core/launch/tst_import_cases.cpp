// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

#include <QtTest>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "core/plan/model_size.h"
#include "tests/test_program.h"

/// Whole files as people publish them, each with the answer that follows from the file or from a published figure.
namespace cardfit::tst_import_cases {

class TestImportCases : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});

    Result<ImportedPlan> imported(Launcher launcher, std::string_view text, std::string_view cluster = "dgx-h100") const
    {
        Plan base = *m_presets.plan("llama-3-8b-8-h100");
        base.cluster = *m_presets.cluster(cluster);
        return importLaunch(launcher, text, base, m_presets, BaseModel::Placeholder);
    }

    static bool isNoted(const ImportedPlan& found, std::string_view what)
    {
        return std::ranges::any_of(
            found.notes, [&](const LaunchNote& note) { return describe(note).find(what) != std::string::npos; });
    }

private slots:
    void servedModels_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("billions");
        QTest::addColumn<int>("format");
        const auto row = [](const char* name, double billions, Precision format) {
            QTest::newRow(name) << QString(name) << billions << static_cast<int>(format);
        };
        // "DeepSeek-R1" says nothing of the format of a distilled Qwen; -FP4 of NVIDIA is nvfp4.
        row("deepseek-ai/DeepSeek-R1-Distill-Qwen-14B", 14.77, Precision::Bf16);
        row("nvidia/Llama-3.3-70B-Instruct-FP4", 70.55, Precision::Nvfp4);
        row("moonshotai/Kimi-K2.5", 1026.0, Precision::Mxfp4);
    }
    void servedModels()
    {
        QFETCH(QString, name);
        QFETCH(double, billions);
        QFETCH(int, format);
        const auto found = imported(Launcher::Vllm, "vllm serve " + name.toStdString() + " --tensor-parallel-size 8");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        constexpr double kRounding = 1e-3;
        QVERIFY(std::abs(modelSize(found->plan.model) / (billions * 1e9) - 1.0) < kRounding);
        QCOMPARE(found->plan.recipe.precision, static_cast<Precision>(format));
    }

    /// vLLM logs 65.97 GiB for gpt-oss-120b (issue 23278) and 64.4 where the other kernels are chosen.
    void gptOssOnOneCard()
    {
        const auto found = imported(Launcher::Vllm, "vllm serve openai/gpt-oss-120b", "one-h100");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Estimate answer = estimate(found->plan);
        QVERIFY(answer.complete());
        const double gib = static_cast<double>(answer.stages.front()[Segment::Weights].value()) / (1 << 30);
        QVERIFY2(gib > 64.0 && gib < 66.1, std::to_string(gib).c_str());
    }

    /// Experts in fp4, the rest in fp8: 158 GB over two cards, of which each has 96.
    void deepSeekV4FlashOnTwoCards()
    {
        const auto found = imported(Launcher::Vllm,
            "vllm serve deepseek-ai/DeepSeek-V4-Flash --tensor-parallel-size 2 --kv-cache-dtype fp8", "8x-h20");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Estimate answer = estimate(found->plan);
        QVERIFY(answer.complete());
        const double gb = static_cast<double>(answer.stages.front()[Segment::Weights].value()) / 1e9;
        QVERIFY2(gb > 79.0 && gb < 95.0, std::to_string(gb).c_str());
    }

    /// The tested word is known, and so is the branch.
    void aBranchOfAScript()
    {
        const auto found = imported(Launcher::Megatron, R"(SIZE=small
case "$SIZE" in
  small) LAYERS=24; HIDDEN=1024; HEADS=16 ;;
  large) LAYERS=96; HIDDEN=12288; HEADS=96 ;;
esac
EXTRA=""
if [ "$FP8" = 1 ]; then
  EXTRA="--fp8-format hybrid"
fi
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers $LAYERS --hidden-size $HIDDEN --num-attention-heads $HEADS \
  --seq-length 2048 --max-position-embeddings 2048 --micro-batch-size 4 --vocab-size 50257 --bf16 $EXTRA
)");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(found->plan.model.architecture.num_hidden_layers, 24);
        QCOMPARE(found->plan.model.architecture.hidden_size, 1024);
        QCOMPARE(found->plan.recipe.precision, Precision::Bf16);
    }

    /// The last command of like length counts; that there was another is said.
    void twoRunsInAScript()
    {
        const std::string options =
            " --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --micro-batch-size 1 --vocab-size 32000"
            " --bf16 --seq-length ";
        const auto found = imported(Launcher::Megatron,
            "torchrun pretrain_gpt.py" + options + "4096\ntorchrun pretrain_gpt.py" + options + "8192\n");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(found->plan.workload.sequence_length, 8192);
        QVERIFY(isNoted(*found, "commands"));
    }

    /// "${TP:?}" ends the script where TP is not set.
    void aVariableThatMustBeSet()
    {
        const auto found = imported(Launcher::Megatron,
            "TP=${TP:?set TP}\nPP=${PP:=2}\ntorchrun --nproc_per_node 8 --nnodes ${SLURM_NNODES:-4} pretrain_gpt.py"
            " --num-layers ${LAYERS:-32} --hidden-size 4096 --num-attention-heads 32 --seq-length 2048"
            " --max-position-embeddings 2048 --micro-batch-size 1 --vocab-size 50257 --bf16"
            " --pipeline-model-parallel-size $PP");
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QVERIFY(isNoted(*found, "TP"));
        QCOMPARE(found->plan.parallelism.pipeline, 2);
        QCOMPARE(found->plan.model.architecture.num_hidden_layers, 32);
    }

    /// A converter before the training is none of its options, and what the training lacks is named.
    void aConverterBeforeTheTraining()
    {
        const auto found = imported(Launcher::Megatron,
            "python tools/convert.py --in hf --out mcore\n"
            "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --hidden-size 64\n");
        QVERIFY(!found);
        QVERIFY(describe(found.error()).find("--num-attention-heads") != std::string::npos);
    }
};

CARDFIT_TEST(TestImportCases)

} // namespace cardfit::tst_import_cases
#include "tst_import_cases.moc"
