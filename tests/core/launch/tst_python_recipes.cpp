// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <QtTest>

#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "core/launch/python/python_values.h"
#include "tests/test_program.h"

/// Configurations that are functions of Python: torchtitan's registry and Megatron-Bridge's recipes.
namespace cardfit::tst_python_recipes {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

Result<ImportedPlan> import(const std::string& text, const std::string& part = {})
{
    const auto launcher = detectLauncher(text);
    if (!launcher) return fail(ErrorCode::WrongFormat, {}, Sentence::verbatim("not recognised"));
    LaunchText launch(text);
    launch.part = part;
    return importLaunch(*launcher, launch, presets().plans.front().plan, presets());
}

Plan imported(const std::string& text, const std::string& part = {})
{
    auto plan = import(text, part);
    if (!plan) qFatal("%s", describe(plan.error()).c_str());
    return std::move(plan->plan);
}

const std::string kRegistry = R"py(
from torchtitan.trainer import Trainer

LENGTH: int = 4 * 2048

def llama3_8b() -> Trainer.Config:
    spec = model_registry("8B", attn_backend="flex")
    return Trainer.Config(
        loss=ChunkedLossWrapper.Config(loss_fn=CrossEntropyLoss.Config()),
        model_spec=spec,
        optimizer=default_adamw(lr=3e-4),
        training=TrainingConfig(
            num_tokens_per_microbatch_per_dp_rank=2 * LENGTH,
            max_context_length=LENGTH,  # tokens
            steps=1000,
        ),
        parallelism=ParallelismConfig(tensor_parallel_degree=2),
        activation_checkpoint=FullAC.Config(),
        compile=CompileConfig(enable=True),
    )

def llama3_8b_float8() -> Trainer.Config:
    config = llama3_8b()
    config.model_spec = model_registry("8B", converters=[Float8LinearConverter.Config()])
    config.parallelism.tensor_parallel_degree = 4
    if SOMETHING:
        config.training.steps = 5
    return config
)py";

const std::string kRecipe = R"py(
from megatron.bridge import AutoBridge
from megatron.bridge.training.config import ConfigContainer

def qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config(hf_path: str = "Qwen/Qwen3-30B-A3B") -> ConfigContainer:
    '''Return a recipe.'''
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained(hf_path).to_megatron_provider(load_weights=False)
    cfg.dataset.seq_length = 4096
    cfg.model.seq_length = 4096
    cfg.model.tensor_model_parallel_size = 4
    cfg.model.pipeline_model_parallel_size = 2
    cfg.model.expert_model_parallel_size = 4
    cfg.model.virtual_pipeline_model_parallel_size = None
    cfg.model.sequence_parallel = True
    cfg.model.recompute_granularity = "full"
    cfg.model.recompute_method = "uniform"
    cfg.model.recompute_num_layers = 1
    cfg.train.global_batch_size = 512
    cfg.train.micro_batch_size = 1
    cfg.optimizer.exp_avg_dtype = torch.float32
    cfg.mixed_precision = bf16_mixed()
    apply_something(cfg)
    return cfg
)py";

class TestPythonRecipes : public QObject {
    Q_OBJECT

private slots:
    void functionsOfLiteralsAreRun()
    {
        const auto all =
            pythonConfigurations("A = 3\n"
                                 "def inner(x, y=2):\n"
                                 "    return Made(x=x, y=y, z=-A, w=[1, 'a' \"b\", None], t=8 * 2_048 - 1)\n"
                                 "def outer():\n"
                                 "    made = inner(x=True)\n"
                                 "    made.deep.key = f'{A}'\n"
                                 "    made.y += 1\n"
                                 "    for i in range(2):\n"
                                 "        made.x = i\n"
                                 "    return made\n");
        QVERIFY(all);
        QCOMPARE(all->size(), std::size_t{1}); // inner() needs an argument
        const Json& value = all->front().value;
        QCOMPARE(calledName(value), std::string_view("Made"));
        QCOMPARE(value["x"], Json(true));
        QCOMPARE(value["y"], Json(2));
        QCOMPARE(value["z"], Json(-3));
        QCOMPARE(value["w"], Json::array({1, "ab", nullptr}));
        QCOMPARE(value["t"], Json(8 * 2048 - 1));
        QVERIFY(value["deep"]["key"].contains(kUnread));
        QCOMPARE(all->front().unread.size(), std::size_t{2});
        QVERIFY(!pythonConfigurations("def a():\n    return (1, 2\n"));
        QVERIFY(!pythonConfigurations("def a():\n    return 'x\n"));
    }

    /// Values that are put into themselves come to an end.
    void nothingGrowsWithoutEnd()
    {
        std::string text = "def a():\n    x = Made()\n";
        for (int i = 0; i < 64; ++i)
            text += "    x.a = x\n    x.b = x\n";
        QVERIFY(pythonConfigurations(text + "    return x\n"));
        QVERIFY(pythonConfigurations("def a():\n    return " + std::string(5000, '(') + std::string(5000, ')') + "\n"));
        QVERIFY(pythonConfigurations("def a():\n    return b()\ndef b():\n    return a()\n"));
    }

    void torchtitansRegistry()
    {
        const Plan plan = imported(kRegistry, "llama3_8b");
        QCOMPARE(plan.model.id, std::string("llama-3-8b"));
        QCOMPARE(plan.workload.sequence_length, 8192);
        QCOMPARE(plan.workload.micro_batch_size, 2);
        QCOMPARE(plan.parallelism.tensor, 2);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QCOMPARE(plan.recipe.kernels, Kernels::Compiled);
        QCOMPARE(plan.recipe.loss, Loss::ChunkedHidden);
        const Plan narrow = imported(kRegistry, "llama3_8b_float8");
        QCOMPARE(narrow.recipe.precision, Precision::Fp8);
        QCOMPARE(narrow.parallelism.tensor, 4);
        QVERIFY(std::ranges::any_of(narrow.assumed,
            [](const std::string& sentence) { return sentence.find("if SOMETHING") != std::string::npos; }));
    }

    void ofSeveralOneIsNamed()
    {
        const auto any = import(kRegistry);
        QVERIFY(!any);
        QVERIFY(describe(any.error()).find("llama3_8b_float8") != std::string::npos);
        QVERIFY(!import(kRegistry, "mine"));
    }

    void megatronBridgesRecipe()
    {
        const Plan plan = imported(kRecipe);
        QCOMPARE(plan.model.id, std::string("qwen3-30b-a3b"));
        QCOMPARE(plan.workload.task, Task::Pretrain);
        QCOMPARE(plan.cluster.nodes * plan.cluster.cards_per_node, 16);
        QCOMPARE(plan.parallelism.tensor, 4);
        QCOMPARE(plan.parallelism.pipeline, 2);
        QCOMPARE(plan.parallelism.expert, 4);
        QVERIFY(plan.parallelism.sequence);
        QCOMPARE(plan.workload.global_batch_size, 512);
        QCOMPARE(plan.workload.sequence_length, 4096);
        QCOMPARE(plan.recipe.precision, Precision::Bf16);
        QCOMPARE(plan.recipe.sharding, Sharding::Zero1);
        QCOMPARE(plan.recipe.recompute.granularity, RecomputeGranularity::Full);
        QVERIFY(std::ranges::any_of(plan.assumed,
            [](const std::string& sentence) { return sentence.find("apply_something") != std::string::npos; }));
    }

    /// What is no literal is never guessed.
    void aModelThatIsNoLiteralIsRefused()
    {
        std::string text = kRecipe;
        const std::string_view literal = "AutoBridge.from_hf_pretrained(hf_path)";
        text.replace(text.find(literal), literal.size(), "provider_of(hf_path)");
        LaunchText launch(text);
        const auto plan = importLaunch(
            Launcher::MegatronBridge, launch, presets().plans.front().plan, presets(), BaseModel::Placeholder);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::MissingKey);
    }
};

CARDFIT_TEST(TestPythonRecipes)

} // namespace cardfit::tst_python_recipes
#include "tst_python_recipes.moc"
