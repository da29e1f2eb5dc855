// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <filesystem>
#include <string>

#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "tests/test_program.h"

/// Commands of vLLM and SGLang wherever they stand.
namespace cardfit::tst_vllm_files {

class TestVllmFiles : public QObject {
    Q_OBJECT

    const Presets m_presets = loadPresets(std::array{std::filesystem::path(CARDFIT_PRESET_DIR)});
    const Plan m_base = *m_presets.plan("torchtune-llama-3-8b-full-8-h100");

private slots:
    /// All of them serve Qwen3 32B on four cards, at 32,768 tokens.
    void theSameServer_data()
    {
        QTest::addColumn<QString>("text");
        const auto add = [](const char* what, const char* text) { QTest::newRow(what) << QString(text); };
        add("a command", "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 32768\n");
        add("a variable", "MODEL=Qwen/Qwen3-32B\nvllm serve \"$MODEL\" -tp 4 --max-model-len 32768\n");
        add("a default", "vllm serve ${MODEL:-Qwen/Qwen3-32B} -tp 4 --max-model-len 32768\n");
        add("docker run",
            "docker run --gpus all -p 8000:8000 vllm/vllm-openai:v0.11.0 \\\n"
            "  --model Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 32768\n");
        add("docker run with a word",
            "docker run --rm vllm/vllm-openai:latest Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 32768\n");
        add("Compose, folded",
            "services:\n  chat:\n    image: vllm/vllm-openai:v0.26.0\n    command: >\n      --model Qwen/Qwen3-32B\n"
            "      --tensor-parallel-size 4\n      --max-model-len 32768\n    ports: [\"8000:8000\"]\n");
        add("Compose, as lines",
            "services:\n  chat:\n    image: vllm/vllm-openai:v0.26.0\n    command: |\n      --model Qwen/Qwen3-32B\n"
            "      --tensor-parallel-size 4\n      --max-model-len 32768\n");
        add("Compose, a list",
            "services:\n  web: {image: nginx, command: [nginx]}\n  chat:\n    image: vllm/vllm-openai\n    command:\n"
            "      - Qwen/Qwen3-32B\n      - --tensor-parallel-size=4\n      - --max-model-len=32768\n");
        add("Kubernetes",
            "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n"
            "      - name: s\n        image: vllm/vllm-openai:v0.11.0\n"
            "        command: [\"vllm\", \"serve\", \"Qwen/Qwen3-32B\"]\n"
            "        args: [\"--tensor-parallel-size\", \"4\", \"--max-model-len\", \"32768\"]\n");
        add("Kubernetes, two documents and a shell",
            "apiVersion: v1\nkind: Service\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  containers:\n"
            "  - args: [\"vllm serve Qwen/Qwen3-32B --tensor-parallel-size 4 --max-model-len 32768\"]\n"
            "    command: [\"/bin/sh\", \"-c\"]\n    image: vllm/vllm-openai\n");
        add("Python",
            "from vllm import LLM, SamplingParams\nN = 4\n# LLM, offline\nllm = LLM(\n    model=\"Qwen/Qwen3-32B\",  # "
            "Qwen\n"
            "    tensor_parallel_size=N, max_model_len=32_768,\n    enforce_eager=False)\nprint(llm)\n");
        add("Python, by position",
            "import vllm\nname = 'Qwen/Qwen3-32B'\nllm = vllm.LLM(name, tensor_parallel_size=4, "
            "max_model_len=32768)\n");
        add("a configuration",
            "model: Qwen/Qwen3-32B\ntensor-parallel-size: 4\nmax-model-len: 32768\n"
            "no-enable-prefix-caching: true\n");
        add("SGLang", "python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 4 --context-length 32768\n");
        add("a script in a ConfigMap",
            "apiVersion: v1\nkind: ConfigMap\ndata:\n  start.sh: |\n    # server\n    vllm serve Qwen/Qwen3-32B \\\n"
            "      --tensor-parallel-size 4 --max-model-len 32768\n");
        add("SGLang, attention apart",
            "python3 -m sglang.launch_server --model Qwen/Qwen3-32B --tp 4 --dp 4 --enable-dp-attention "
            "--context-length 32768\n");
        add("Compose, an entrypoint and a default",
            "services:\n  chat:\n    image: own/image\n    command: [\"--model\", \"Qwen/Qwen3-32B\", "
            "\"--tensor-parallel-size\", \"${TP:-4}\", \"--max-model-len\", \"32768\"]\n"
            "    entrypoint: [\"python3\", \"-m\", \"vllm.entrypoints.openai.api_server\"]\n");
        add("SGLang's new command", "sglang serve --model-path=Qwen/Qwen3-32B --tp-size=4 --context-length=32768\n");
    }
    void theSameServer()
    {
        QFETCH(const QString, text);
        QCOMPARE(detectLauncher(text.toStdString()), std::optional(Launcher::Vllm));
        const auto found = importLaunch(Launcher::Vllm, text.toStdString(), m_base, m_presets, BaseModel::Placeholder);
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(QString::fromStdString(found->plan.model.id), QStringLiteral("qwen3-32b"));
        QCOMPARE(found->plan.parallelism.tensor, 4);
        QCOMPARE(found->plan.parallelism.data.value_or(1), 1);
        QCOMPARE(found->plan.workload.sequence_length, 32768);
        QCOMPARE(found->plan.workload.task, Task::Inference);
    }

    void whatIsNoLiteralIsTold()
    {
        const auto found = importLaunch(Launcher::Vllm,
            "from vllm import LLM\nllm = LLM(model=\"Qwen/Qwen3-32B\", "
            "tensor_parallel_size=torch.cuda.device_count())\n",
            m_base, m_presets);
        QVERIFY(found);
        QVERIFY(std::ranges::any_of(
            found->notes, [](const LaunchNote& note) { return note.what == "tensor-parallel-size" && note.assumed; }));
    }

    void othersAreNotTaken()
    {
        // Axolotl's own key for tensor parallelism; a service without a server.
        QCOMPARE(
            detectLauncher("base_model: Qwen/Qwen3-8B\ntensor_parallel_size: 2\n"), std::optional(Launcher::Axolotl));
        QVERIFY(detectLauncher("services:\n  web:\n    image: nginx\n") != Launcher::Vllm);
        QVERIFY(!importLaunch(Launcher::Vllm, "services:\n  web:\n    image: nginx\n", m_base, m_presets));
    }

    /// Options are written into shell scripts alone.
    void otherFilesAreNotChanged()
    {
        const auto base = importLaunch(Launcher::Vllm, "vllm serve Qwen/Qwen3-32B -tp 8\n", m_base, m_presets);
        QVERIFY(base);
        const std::string file = "from vllm import LLM\nllm = LLM(model=\"Qwen/Qwen3-32B\", tensor_parallel_size=4)\n";
        const auto changed = exportInto(Launcher::Vllm, base->plan, file, m_presets);
        QVERIFY(changed);
        QCOMPARE(changed->text, file);
        QVERIFY(!changed->notes.empty());
    }
};

CARDFIT_TEST(TestVllmFiles)

} // namespace cardfit::tst_vllm_files
#include "tst_vllm_files.moc"
