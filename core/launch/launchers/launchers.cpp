// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/base/enum_names.h"
#include "core/launch/accelerate/accelerate.h"
#include "core/launch/axolotl/axolotl.h"
#include "core/launch/bridge/megatron_bridge.h"
#include "core/launch/deepspeed/deepspeed.h"
#include "core/launch/huggingface/huggingface.h"
#include "core/launch/launch.h"
#include "core/launch/llamafactory/llamafactory.h"
#include "core/launch/megatron/megatron.h"
#include "core/launch/openrlhf/openrlhf.h"
#include "core/launch/swift/swift.h"
#include "core/launch/torchtitan/torchtitan.h"
#include "core/launch/torchtune/torchtune.h"
#include "core/launch/trainer/trainer.h"
#include "core/launch/verl/verl.h"
#include "core/launch/vllm/vllm.h"

namespace cardfit {

namespace {

/// An importer whose files name no others.
template <auto import> Result<ImportedPlan> ofText(const LaunchText& text, const Plan& base, const Presets& presets)
{
    return import(text.text, base, presets);
}

constexpr std::array<LauncherTraits, 14> kLaunchers{{
    {.value = Launcher::Megatron,
        .word = "megatron",
        .label = Sentence::tr("Megatron-LM"),
        .reads = Sentence::tr("a script or test case of Megatron-LM"),
        .read_patterns = "*.sh *.bash *.slurm *.sbatch *.yaml *.yml *.txt",
        .writes = Sentence::tr("Megatron-LM script"),
        .file_ending = "sh",
        .recognises = isMegatron,
        .import = importMegatron,
        .write = exportMegatron,
        .losses = kMegatronLosses,
        .options = shellOptions,
        .edits = shellEdits,
        .other_spellings = kMegatronSpellings},
    {.value = Launcher::DeepSpeed,
        .word = "deepspeed",
        .label = Sentence::tr("DeepSpeed"),
        .reads = Sentence::tr("a DeepSpeed configuration"),
        .read_patterns = "*.json *.json.gz",
        .writes = Sentence::tr("DeepSpeed configuration"),
        .file_ending = "json",
        .recognises = isDeepSpeed,
        .import = ofText<importDeepSpeed>,
        .write = exportDeepSpeed,
        .losses = kDeepSpeedLosses,
        .options = jsonOptions,
        .edits = jsonEdits},
    {.value = Launcher::Torchtitan,
        .word = "torchtitan",
        .label = Sentence::tr("torchtitan"),
        .reads = Sentence::tr("a command, job or configuration of torchtitan"),
        .read_patterns = "*.toml *.sh *.py",
        .writes = Sentence::tr("torchtitan job"),
        .file_ending = "toml",
        .recognises = isTorchtitan,
        .import = importTorchtitan,
        .write = exportTorchtitan,
        .losses = kTorchtitanLosses,
        .options = tomlOptions,
        .edits = tomlEdits},
    {.value = Launcher::Torchtune,
        .word = "torchtune",
        .label = Sentence::tr("torchtune"),
        .reads = Sentence::tr("a configuration of torchtune"),
        .read_patterns = "*.yaml *.yml",
        .recognises = isTorchtune,
        .import = ofText<importTorchtune>},
    {.value = Launcher::Axolotl,
        .word = "axolotl",
        .label = Sentence::tr("Axolotl"),
        .reads = Sentence::tr("a configuration of Axolotl"),
        .read_patterns = "*.yaml *.yml",
        .recognises = isAxolotl,
        .import = importAxolotl},
    {.value = Launcher::Accelerate,
        .word = "accelerate",
        .label = Sentence::tr("Accelerate"),
        .reads = Sentence::tr("the configuration of Accelerate"),
        .read_patterns = "*.yaml *.yml",
        .recognises = isAccelerate,
        .import = ofText<importAccelerate>},
    {.value = Launcher::Trainer,
        .word = "trainer",
        .label = Sentence::tr("Hugging Face Trainer"),
        .reads = Sentence::tr("TrainingArguments or the command of a script that reads them"),
        .read_patterns = "*.sh *.json *.yaml *.yml",
        .recognises = isTrainer,
        .import = importTrainer},
    {.value = Launcher::LlamaFactory,
        .word = "llamafactory",
        .label = Sentence::tr("LLaMA-Factory"),
        .reads = Sentence::tr("a configuration or command of LLaMA-Factory"),
        .read_patterns = "*.yaml *.yml *.sh",
        .recognises = isLlamaFactory,
        .import = importLlamaFactory},
    {.value = Launcher::Vllm,
        .word = "vllm",
        .label = Sentence::tr("vLLM"),
        .reads = Sentence::tr("a command of vLLM, SGLang or TensorRT-LLM, in a script, a container's file or Python"),
        .read_patterns = "*.sh *.txt *.yaml *.yml *.py",
        .writes = Sentence::tr("vLLM command"),
        .file_ending = "sh",
        .serves = true,
        .recognises = isVllmCommand,
        .import = importVllm,
        .write = exportVllm,
        .losses = kVllmLosses,
        .options = shellOptions,
        .edits = vllmEdits},
    {.value = Launcher::Swift,
        .word = "swift",
        .label = Sentence::tr("ms-swift"),
        .reads = Sentence::tr("a command of ms-swift"),
        .read_patterns = "*.sh *.txt",
        .recognises = isSwift,
        .import = importSwift},
    {.value = Launcher::Verl,
        .word = "verl",
        .label = Sentence::tr("verl"),
        .reads = Sentence::tr("a command or configuration of verl"),
        .read_patterns = "*.sh *.slurm *.yaml *.yml",
        .recognises = isVerl,
        .import = importVerl},
    {.value = Launcher::OpenRlhf,
        .word = "openrlhf",
        .label = Sentence::tr("OpenRLHF"),
        .reads = Sentence::tr("a command of OpenRLHF"),
        .read_patterns = "*.sh *.slurm *.txt",
        .recognises = isOpenRlhf,
        .import = importOpenRlhf},
    {.value = Launcher::MegatronBridge,
        .word = "megatron-bridge",
        .label = Sentence::tr("Megatron-Bridge"),
        .reads = Sentence::tr("a recipe of Megatron-Bridge"),
        .read_patterns = "*.py",
        .recognises = isMegatronBridge,
        .import = importMegatronBridge},
    {.value = Launcher::HuggingFace,
        .word = "huggingface",
        .label = Sentence::tr("Hugging Face"),
        .reads = Sentence::tr("a Hugging Face config.json"),
        .read_patterns = "*.json *.json.gz",
        .model_only = true,
        .recognises = isHuggingFace,
        .import = ofText<importHuggingFace>},
}};

static_assert(kLaunchers.size() == enumeratorCount<Launcher>(), "each launcher is a row");
// What can be written can also be changed in place: exportInto() calls all three.
static_assert(std::ranges::all_of(kLaunchers, [](const LauncherTraits& traits) {
    const bool writes = traits.write != nullptr;
    return traits.import != nullptr && (traits.options != nullptr) == writes && (traits.edits != nullptr) == writes;
}));

} // namespace

std::span<const LauncherTraits> launchers() { return kLaunchers; }

} // namespace cardfit
