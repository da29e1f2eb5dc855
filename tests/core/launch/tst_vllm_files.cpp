// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "core/launch/plan_reader.h"
#include "core/plan/plan.h"
#include "core/rules/checks.h"
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
        // Comments, echoed texts and other shells
        const QString served = "vllm serve Qwen/Qwen3-32B -tp 4 --max-model-len 32768";
        const auto addShell = [&](const char* what, const QString& shell) { QTest::newRow(what) << shell.arg(served); };
        addShell("a comment", "# vllm serve Qwen/Qwen3-8B -tp 2 --max-num-seqs 4 --dtype half\n%1 # -tp 8\n");
        addShell("an echoed command", "echo \"vllm serve Qwen/Qwen3-8B -tp 2 --dtype half --seed 1\"\n%1\n");
        addShell("ssh", "ssh node1 \"cd /srv && %1\"\n");
        addShell("bash -c", "nohup bash -c '%1 2>&1 | tee log' &\n");
        add("lines in quotes", "ssh node1 \"vllm serve Qwen/Qwen3-32B \\\n  -tp 4 \\\n  --max-model-len 32768\"\n");
        addShell("a command in a variable", "RUN='%1'\neval \"$RUN\"\n");
        add("dollar quotes", "vllm serve Qwen/Qwen3-32B $'--tensor-parallel-size' 4 $\"--max-model-len\" 32768\n");
        add("an en dash", "vllm serve Qwen/Qwen3-32B \u2013tensor-parallel-size 4 --max-model-len 32768\n");
        // What the shell works out
        add("a function",
            "serve() {\n  vllm serve \"$1\" -tp \"$2\" --max-model-len 32768\n}\nserve Qwen/Qwen3-32B 4\n");
        add("a loop", "for m in Qwen/Qwen3-8B Qwen/Qwen3-32B; do\n  vllm serve $m -tp 4 --max-model-len 32768\ndone\n");
        add("arithmetic", "N=2\nvllm serve Qwen/Qwen3-32B -tp $((N * 2)) --max-model-len $((32 * 1024))\n");
        add("an array",
            "ARGS=(-tp 4 --max-model-len 32768)\nif [ -n \"$X\" ]; then ARGS+=(-pp 2); fi\n"
            "vllm serve Qwen/Qwen3-32B \"${ARGS[@]}\"\n");
        add("the model last", "vllm serve -tp 4 --max-model-len 32768 --trust-remote-code Qwen/Qwen3-32B\n");
        add("given twice", "vllm serve Qwen/Qwen3-32B --tensor-parallel-size 2 -tp 4 --max-model-len 32768\n");
        add("Kubernetes' own variables",
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: vllm/vllm-openai:v0.11.0\n    env:\n"
            "    - {name: TP, value: \"4\"}\n    - {name: MODEL, value: Qwen/Qwen3-32B}\n"
            "    args: [--model, $(MODEL), --tensor-parallel-size, $(TP), --max-model-len, \"32768\"]\n");
        add("Compose, a shell",
            "services:\n  chat:\n    image: vllm/vllm-openai\n"
            "    command: bash -c \"vllm serve Qwen/Qwen3-32B -tp 4 --max-model-len 32768\"\n");
        add("Python, with comments",
            "\"\"\"Serves LLM(model='Qwen/Qwen3-8B', tensor_parallel_size=2).\"\"\"\nfrom vllm import LLM\n"
            "# llm = LLM(model='Qwen/Qwen3-8B')\n"
            "llm = LLM(model='Qwen/Qwen3-32B', tensor_parallel_size=4, max_model_len=32768)\n");
        add("a configuration that the script writes",
            "cat > conf.yaml << EOF\nmax-model-len: 32768\ntensor-parallel-size: 2\nEOF\n"
            "vllm serve Qwen/Qwen3-32B --config conf.yaml --tensor-parallel-size 4\n");
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

    /// TensorRT-LLM's commands, with the settings of the file that they are given.
    void tensorRtLlm_data()
    {
        QTest::addColumn<QString>("text");
        const auto add = [](const char* what, const char* text) { QTest::newRow(what) << QString(text); };
        add("trtllm-serve",
            "mpirun -n 1 trtllm-serve deepseek-ai/DeepSeek-R1 --backend pytorch --tp_size 8 --ep_size 4 "
            "--max_batch_size 512 --max_num_tokens 4096 --max_seq_len 8192 --kv_cache_free_gpu_memory_fraction 0.85\n");
        add("its file, written by the script",
            "cat > /tmp/extra.yml << 'EOF'\ntensor_parallel_size: 8\nmoe_expert_parallel_size: 4\n"
            "max_batch_size: 512\nmax_seq_len: 8192\nkv_cache_config:\n  free_gpu_memory_fraction: 0.85\nEOF\n"
            "trtllm-serve serve deepseek-ai/DeepSeek-R1 --max_num_tokens 4096 --extra_llm_api_options "
            "/tmp/extra.yml\n");
        add("trtllm-bench",
            "trtllm-bench --model deepseek-ai/DeepSeek-R1 throughput --dataset data.txt --tp 8 --ep 4 "
            "--max_batch_size 512 --max_num_tokens 4096 --max_seq_len 8192 --kv_cache_free_gpu_mem_fraction 0.85\n");
    }
    void tensorRtLlm()
    {
        QFETCH(const QString, text);
        QCOMPARE(detectLauncher(text.toStdString()), std::optional(Launcher::Vllm));
        const auto found = importLaunch(Launcher::Vllm, text.toStdString(), m_base, m_presets, BaseModel::Placeholder);
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        const Plan& plan = found->plan;
        QCOMPARE(QString::fromStdString(plan.model.id), QStringLiteral("deepseek-v3"));
        QCOMPARE(engineOf(plan), Engine::TensorRtLlm);
        QCOMPARE(plan.parallelism.tensor, 8);
        QCOMPARE(plan.parallelism.expert, 4);
        QCOMPARE(plan.parallelism.expert_tensor, std::optional<std::int64_t>(2));
        QCOMPARE(plan.recipe.max_num_seqs, std::optional<std::int64_t>(512));
        QCOMPARE(plan.recipe.max_num_batched_tokens, std::optional<std::int64_t>(4096));
        QCOMPARE(plan.workload.sequence_length, 8192);
        QCOMPARE(plan.recipe.gpu_memory_utilization, std::optional(0.85));
    }

    /// Experts on all ranks, attention on each with sequences of its own.
    void attentionApart()
    {
        const auto degrees = [&](const char* text) {
            const auto found = importLaunch(Launcher::Vllm, std::string(text), m_base, m_presets);
            return found ? found->plan.parallelism : Parallelism();
        };
        const Parallelism sglang =
            degrees("python3 -m sglang.launch_server --model deepseek-ai/DeepSeek-V3 --tp 16 --dp 8 --ep 16 "
                    "--enable-dp-attention --context-length 8192\n");
        QCOMPARE(sglang.tensor, 2);
        QCOMPARE(sglang.data, std::optional<std::int64_t>(8));
        QCOMPARE(sglang.expert, 16);
        const Parallelism tensorrt =
            degrees("APART=true\ncat <<EOF > extra.yml\nenable_attention_dp: $APART\nEOF\n"
                    "trtllm-serve deepseek-ai/DeepSeek-V3 --tp_size 8 --ep_size 8 --config extra.yml\n");
        QCOMPARE(tensorrt.tensor, 1);
        QCOMPARE(tensorrt.data, std::optional<std::int64_t>(8));
        QCOMPARE(tensorrt.expert, 8);
    }

    /// Of SGLang's attention ranks each has its share of what is given for all; tokens travel to experts on all ranks.
    void sizesOfAttentionRanks()
    {
        const auto plan = [&](const char* text) {
            const auto found = importLaunch(Launcher::Vllm, std::string(text), m_base, m_presets);
            return found ? found->plan : Plan();
        };
        const Plan apart = plan("sglang serve --model-path deepseek-ai/DeepSeek-V3 --tp 8 --dp 8 --enable-dp-attention "
                                "--moe-a2a-backend deepep --max-running-requests 128 --chunked-prefill-size 32768\n");
        QCOMPARE(apart.parallelism.expert, 8);
        QCOMPARE(apart.recipe.max_num_seqs, std::optional<std::int64_t>(16));
        QCOMPARE(apart.recipe.max_num_batched_tokens, std::optional<std::int64_t>(4096));
        // TensorRT-LLM holds as many sequences as its cache does.
        const Plan tensorrt = plan("trtllm-serve meta-llama/Llama-3.1-8B --max_seq_len 4096\n");
        QVERIFY(tensorrt.workload.global_batch_size > 1);
        const Plan command = plan("cat > c.yaml <<EOF\nmodel: Qwen/Qwen3-8B\nEOF\n"
                                  "vllm serve Qwen/Qwen3-32B --config c.yaml\n");
        QCOMPARE(command.model.id, std::string("qwen3-32b"));
    }

    /// What a benchmark sends to the server is the plan's load.
    void theLoadOfABenchmark()
    {
        const auto load = [&](const char* text) {
            const auto found = importLaunch(Launcher::Vllm, std::string(text), m_base, m_presets);
            return found ? found->plan.workload : Workload();
        };
        const Workload vllm =
            load("vllm serve Qwen/Qwen3-32B -tp 4 &\nvllm bench serve --model Qwen/Qwen3-32B --dataset-name random "
                 "--random-input-len 1024 --random-output-len 256 --max-concurrency 64 --num-prompts 640\n");
        QCOMPARE(vllm.input_tokens, std::optional<std::int64_t>(1024));
        QCOMPARE(vllm.output_tokens, std::optional<std::int64_t>(256));
        QCOMPARE(vllm.concurrency, std::optional<std::int64_t>(64));
        QCOMPARE(vllm.queue, std::optional<std::int64_t>(640));
        const Workload rate =
            load("vllm serve Qwen/Qwen3-32B -tp 4 &\nvllm bench serve --model Qwen/Qwen3-32B --random-input-len 1024 "
                 "--random-output-len 256 --request-rate 2.5 --num-prompts 640\n");
        QCOMPARE(rate.requests_per_second, std::optional(2.5));
        QVERIFY(!rate.queue && !rate.concurrency);
        const Workload burst =
            load("vllm serve Qwen/Qwen3-32B -tp 4 &\nvllm bench serve --model Qwen/Qwen3-32B --random-input-len 1024 "
                 "--random-output-len 256 --request-rate 10000 --num-prompts 16\n");
        QVERIFY(!burst.requests_per_second);
        QCOMPARE(burst.queue, std::optional<std::int64_t>(16));
        // SGLang draws from a share of the length up to it.
        const Workload sglang =
            load("python -m sglang.launch_server --model-path Qwen/Qwen3-32B --tp 4 &\n"
                 "python3 -m sglang.bench_serving --backend sglang --dataset-name random --random-input 1000 "
                 "--random-output 500 --random-range-ratio 0.8 --request-rate inf --num-prompts 100\n");
        QCOMPARE(sglang.input_tokens, std::optional<std::int64_t>(900));
        QCOMPARE(sglang.output_tokens, std::optional<std::int64_t>(450));
        const Workload engine = load("vllm bench throughput --model Qwen/Qwen3-32B -tp 4 --input-len 512 "
                                     "--output-len 128 --num-prompts 1000\n");
        QCOMPARE(engine.input_tokens, std::optional<std::int64_t>(512));
        QCOMPARE(engine.queue, std::optional<std::int64_t>(1000));
    }

    /// The notes of an import name what a reader must know.
    void whatIsNotReadIsTold_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("note");
        const auto add = [](const char* what, const char* text, const char* note) {
            QTest::newRow(what) << QString(text) << QString(note);
        };
        add("an unset variable", "vllm serve Qwen/Qwen3-32B $ARGS -tp 4\n",
            "ARGS: not set here; options in it are missing");
        add("arguments of the script", "vllm serve Qwen/Qwen3-32B -tp 4 \"$@\"\n",
            "$@: not set here; options in it are missing");
        add("a file that is missing", "source ./env.sh\nvllm serve Qwen/Qwen3-32B $ARGS\n", "./env.sh: not read");
        add("a condition", "if [ \"$BIG\" = 1 ]; then TP=8; else TP=4; fi\nvllm serve Qwen/Qwen3-32B -tp $TP\n",
            "on it hang --tensor-parallel-size");
        add("a loop", "for m in Qwen/Qwen3-8B Qwen/Qwen3-32B; do vllm serve $m; done\n", "read for Qwen/Qwen3-32B");
        add("words too many", "vllm serve Qwen/Qwen3-32B Qwen/Qwen3-8B -tp 4\n",
            "Qwen/Qwen3-8B: belongs to no option; not read");
        add("a word behind a switch", "vllm serve Qwen/Qwen3-32B --enforce-eager much -tp 4\n",
            "much: belongs to no option; not read");
        add("another dash", "vllm serve Qwen/Qwen3-32B -tp 4 \u2014max-model-len 8192\n", "read as --max-model-len");
        add("two servers", "vllm serve Qwen/Qwen3-8B &\nvllm serve Qwen/Qwen3-32B -tp 4\n", "not read: line 1");
        add("two calls of a function", "s() { vllm serve $1 -tp 4; }\ns Qwen/Qwen3-8B\ns Qwen/Qwen3-32B\n",
            "options from line 3 was read: it has the most, or is the last with as many; not read: line 2");
        add("two models", "vllm serve Qwen/Qwen3-8B --model Qwen/Qwen3-32B\n", "which also names Qwen/Qwen3-8B");
        add("twice", "vllm serve Qwen/Qwen3-32B -tp 2 --tensor-parallel-size 4\n",
            "--tensor-parallel-size 2: given more than once");
        add("two classes in Python",
            "from vllm import LLM\na = LLM(model='Qwen/Qwen3-32B')\nb = LLM(model='Qwen/Qwen3-8B')\n",
            "only that in line 2 was read; not read: line 3");
    }
    void whatIsNotReadIsTold()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, note);
        const auto found = importLaunch(Launcher::Vllm, text.toStdString(), m_base, m_presets);
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        std::string all;
        for (const LaunchNote& one : found->notes)
            all += describe(one) + '\n';
        QVERIFY2(all.find(note.toStdString()) != std::string::npos, all.c_str());
        QCOMPARE(QString::fromStdString(found->plan.model.id), QStringLiteral("qwen3-32b"));
    }

    void aSourcedFileIsRead()
    {
        const NeighbourFiles files = [](const std::string& path) -> std::optional<std::string> {
            return path == "./env.sh" ? std::optional<std::string>("MODEL=Qwen/Qwen3-32B\nTP=4\n") : std::nullopt;
        };
        const auto found =
            importLaunch(Launcher::Vllm, LaunchText("source ./env.sh\nvllm serve $MODEL -tp $TP\n", files), m_base,
                m_presets, BaseModel::Placeholder);
        QVERIFY2(found, found ? "" : describe(found.error()).c_str());
        QCOMPARE(QString::fromStdString(found->plan.model.id), QStringLiteral("qwen3-32b"));
        QCOMPARE(found->plan.parallelism.tensor, 4);
    }

    void whatStartsNoServerIsRefused()
    {
        const auto refused = [&](const char* text) {
            const auto found = importLaunch(Launcher::Vllm, std::string(text), m_base, m_presets);
            return found ? std::string() : describe(found.error());
        };
        QCOMPARE(detectLauncher("vllm bench serve --model Qwen/Qwen3-32B\n"), std::optional(Launcher::Vllm));
        QVERIFY(refused("vllm bench serve --model Qwen/Qwen3-32B\n").find("found vllm bench") != std::string::npos);
        QVERIFY(refused("echo \"vllm serve Qwen/Qwen3-32B -tp 4\"\n").find("found nothing") != std::string::npos);
        QVERIFY(refused("# vllm serve Qwen/Qwen3-32B\n").find("found nothing") != std::string::npos);
    }

    /// The batch is Cardfit's own number: as many sequences as before on each of more replicas.
    void moreNodesHaveMoreReplicas()
    {
        const std::string text = "vllm serve Qwen/Qwen3-32B -tp 4 --max-model-len 32768\n";
        const auto one = planFromText(text, "-", {std::nullopt, {}, "dgx-h100"}, m_presets);
        const auto more = planFromText(text, "-", {std::nullopt, {}, "dgx-h100:8"}, m_presets);
        QVERIFY(one && more);
        QCOMPARE(dataParallel(more->plan), 16); // on 8 x 8 cards
        QCOMPARE(more->plan.workload.global_batch_size, 16 * one->plan.workload.global_batch_size);
        QVERIFY(std::ranges::none_of(check(more->plan), &Check::prevents_estimate));
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
