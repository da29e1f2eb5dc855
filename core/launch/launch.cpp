// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launch.h"

#include <algorithm>
#include <array>

#include "core/files/foreign_text.h"
#include "core/launch/accelerate/accelerate.h"
#include "core/launch/axolotl/axolotl.h"
#include "core/launch/deepspeed/deepspeed.h"
#include "core/launch/huggingface/huggingface.h"
#include "core/launch/megatron/megatron.h"
#include "core/launch/round_trip.h"
#include "core/launch/torchtitan/torchtitan.h"
#include "core/launch/torchtune/torchtune.h"
#include "core/launch/vllm/vllm.h"
#include "core/plan/fields.h"
#include <fmt/format.h>

namespace cardfit {

namespace {

constexpr std::array<LauncherTraits, 8> kLaunchers{{
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
        .import = importDeepSpeed,
        .write = exportDeepSpeed,
        .losses = kDeepSpeedLosses,
        .options = jsonOptions,
        .edits = jsonEdits},
    {.value = Launcher::Torchtitan,
        .word = "torchtitan",
        .label = Sentence::tr("torchtitan"),
        .reads = Sentence::tr("a command or job of torchtitan"),
        .read_patterns = "*.toml *.sh",
        .writes = Sentence::tr("torchtitan job"),
        .file_ending = "toml",
        .names_model = true,
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
        .names_model = true,
        .recognises = isTorchtune,
        .import = importTorchtune},
    {.value = Launcher::Axolotl,
        .word = "axolotl",
        .label = Sentence::tr("Axolotl"),
        .reads = Sentence::tr("a configuration of Axolotl"),
        .read_patterns = "*.yaml *.yml",
        .names_model = true,
        .recognises = isAxolotl,
        .import = importAxolotl},
    {.value = Launcher::Accelerate,
        .word = "accelerate",
        .label = Sentence::tr("Accelerate"),
        .reads = Sentence::tr("the configuration of Accelerate"),
        .read_patterns = "*.yaml *.yml",
        .recognises = isAccelerate,
        .import = importAccelerate},
    {.value = Launcher::Vllm,
        .word = "vllm",
        .label = Sentence::tr("vLLM"),
        .reads = Sentence::tr("a command of vLLM"),
        .read_patterns = "*.sh *.txt",
        .writes = Sentence::tr("vLLM command"),
        .file_ending = "sh",
        .names_model = true,
        .serves = true,
        .recognises = isVllmCommand,
        .import = importVllm,
        .write = exportVllm,
        .losses = kVllmLosses,
        .options = shellOptions,
        .edits = vllmEdits},
    {.value = Launcher::HuggingFace,
        .word = "huggingface",
        .label = Sentence::tr("Hugging Face"),
        .reads = Sentence::tr("a Hugging Face config.json"),
        .read_patterns = "*.json *.json.gz",
        .model_only = true,
        .recognises = isHuggingFace,
        .import = importHuggingFace},
}};

// What can be written can also be changed in place: exportInto() calls all three.
static_assert(std::ranges::all_of(kLaunchers, [](const LauncherTraits& traits) {
    const bool writes = traits.write != nullptr;
    return traits.import != nullptr && (traits.options != nullptr) == writes && (traits.edits != nullptr) == writes;
}));

/// Refuses a plan that no plan file could hold: sizes that importers derive from acceptable numbers (a multiple of a
/// width, a share of it) may be none themselves. What comes from `base` is not the text's fault.
std::optional<Error> beyondPlans(const Plan& plan, const Plan& base)
{
    for (const Field& field : planFields()) {
        if (field.get == nullptr) continue; // measured curves
        const FieldValue value = field.get(plan);
        if (const auto number = outOfRange(field, value); number && value != field.get(base))
            return Error{ErrorCode::OutOfRange, {}, Sentence::verbatim(std::string(field.pointer)),
                Sentence::tr("follows from the file as {}; a plan holds numbers from {} to {}",
                    {fmt::format("{}", *number), fmt::format("{}", field.range.least),
                        fmt::format("{}", field.range.most)})};
    }
    return std::nullopt;
}

} // namespace

std::span<const LauncherTraits> launchers() { return kLaunchers; }

const LauncherTraits& traitsOf(Launcher launcher)
{
    return *std::ranges::find(kLaunchers, launcher, &LauncherTraits::value);
}

std::optional<Launcher> launcherNamed(std::string_view word)
{
    const auto* found = std::ranges::find(kLaunchers, word, &LauncherTraits::word);
    return found == kLaunchers.end() ? std::nullopt : std::optional(found->value);
}

Sentence asSentence(const LaunchNote& note)
{
    return note.value.empty() ? Sentence::tr("{}: {}", {note.what, note.why})
                              : Sentence::tr("{} {}: {}", {note.what, note.value, note.why});
}

std::string describe(const LaunchNote& note) { return asSentence(note).english(); }

Result<ImportedPlan> importLaunch(Launcher launcher, std::string_view text, const Plan& base, const Presets& presets)
{
    if (auto error = nulByteIn(text)) return tl::unexpected<Error>(*std::move(error));
    auto imported = traitsOf(launcher).import(text, base, presets);
    if (!imported) return imported;
    if (auto error = beyondPlans(imported->plan, base)) return tl::unexpected<Error>(*std::move(error));
    return imported;
}

Result<ExportedLaunch> exportLaunch(Launcher launcher, const Plan& plan)
{
    const LauncherTraits& traits = traitsOf(launcher);
    if (traits.write == nullptr)
        return fail(ErrorCode::Usage, {}, Sentence::tr("files of {} can only be read", {traits.label}));
    const bool served = plan.workload.task == Task::Inference;
    if (served != traits.serves)
        return fail(ErrorCode::OutOfRange, "/workload/task",
            served ? Sentence::tr("expected a training task; inference has other launchers")
                   : Sentence::tr("expected an inference task; {} does not support training", {traits.label}));
    ExportedLaunch exported = traits.write(plan);
    noteRoundTripLosses(launcher, plan, Presets{}, exported);
    return exported;
}

std::optional<Launcher> detectLauncher(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::nullopt;
    text.remove_prefix(first);
    if (text.starts_with('{') && text.find("\"cardfit/") != std::string_view::npos)
        return std::nullopt; // a plan or preset of Cardfit
    // Last row first: a torchtitan job may contain options of Megatron-LM and a model keys of DeepSpeed, but not vice
    // versa.
    const auto found = std::find_if(
        kLaunchers.rbegin(), kLaunchers.rend(), [&](const LauncherTraits& traits) { return traits.recognises(text); });
    return found == kLaunchers.rend() ? std::nullopt : std::optional(found->value);
}

} // namespace cardfit
