// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/launch.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/io/launch/come_back.h"
#include "core/io/launch/deepspeed.h"
#include "core/io/launch/huggingface.h"
#include "core/io/launch/megatron.h"
#include "core/io/launch/torchtitan.h"
#include "core/io/launch/torchtitan_command.h"
#include "core/plan/names.h"

namespace cardfit {

namespace {

constexpr std::array<std::pair<Launcher, std::string_view>, 4> kNames{{{Launcher::Megatron, "megatron"},
    {Launcher::DeepSpeed, "deepspeed"}, {Launcher::Torchtitan, "torchtitan"}, {Launcher::HuggingFace, "huggingface"}}};

} // namespace

std::string_view launcherName(Launcher launcher)
{
    return std::ranges::find(kNames, launcher, &std::pair<Launcher, std::string_view>::first)->second;
}

std::optional<Launcher> launcherNamed(std::string_view name)
{
    const auto* found = std::ranges::find(kNames, name, &std::pair<Launcher, std::string_view>::second);
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

Sentence asSentence(const LaunchNote& note)
{
    return note.value.empty() ? Sentence::tr("{}: {}", {note.what, note.why})
                              : Sentence::tr("{} {}: {}", {note.what, note.value, note.why});
}

std::string describe(const LaunchNote& note) { return asSentence(note).english(); }

Result<ImportedPlan> importLaunch(Launcher launcher, std::string_view text, const Plan& base, const Presets& presets)
{
    switch (launcher) {
    case Launcher::Megatron: return importMegatron(text, base);
    case Launcher::DeepSpeed: return importDeepSpeed(text, base);
    case Launcher::Torchtitan: return importTorchtitan(text, base, presets);
    case Launcher::HuggingFace: return importHuggingFace(text, base);
    }
    return fail(ErrorCode::Usage, {}, Sentence::tr("no such launcher"));
}

Result<ExportedLaunch> exportLaunch(Launcher launcher, const Plan& plan)
{
    if (plan.workload.task == Task::Inference)
        return fail(ErrorCode::OutOfRange, "/workload/task",
            Sentence::tr("expected a task that trains; inference has other launchers"));
    ExportedLaunch exported;
    switch (launcher) {
    case Launcher::Megatron: exported = exportMegatron(plan); break;
    case Launcher::DeepSpeed: exported = exportDeepSpeed(plan); break;
    case Launcher::Torchtitan: exported = exportTorchtitan(plan); break;
    case Launcher::HuggingFace:
        return fail(ErrorCode::Usage, {},
            Sentence::tr("expected megatron, deepspeed or torchtitan; config.json starts nothing"));
    }
    noteWhatComesBackOtherwise(launcher, plan, exported);
    return exported;
}

std::optional<Launcher> detectLauncher(std::string_view text)
{
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::nullopt;
    if (text[first] == '{') {
        if (holds("\"cardfit/")) return std::nullopt; // a plan or preset of ours
        if (holds("\"model_type\"") || holds("\"architectures\"")) return Launcher::HuggingFace;
        if (holds("\"zero_optimization\"") || holds("\"train_micro_batch_size_per_gpu\"")
            || holds("\"train_batch_size\""))
            return Launcher::DeepSpeed;
        return std::nullopt;
    }
    if (isTorchtitanCommand(text) && !holds("--num-layers")) return Launcher::Torchtitan;
    const bool sections = holds("[training]") || holds("[parallelism]") || holds("[job]");
    if (sections && !holds("--num-layers")) return Launcher::Torchtitan;
    for (const std::string_view flag : {"--num-layers", "--hidden-size", "--tensor-model-parallel-size",
             "--micro-batch-size", "--seq-length", "MODEL_ARGS"}) {
        if (holds(flag)) return Launcher::Megatron;
    }
    return std::nullopt;
}

std::string_view launchFileEnding(Launcher launcher)
{
    switch (launcher) {
    case Launcher::Megatron: return "sh";
    case Launcher::Torchtitan: return "toml";
    case Launcher::DeepSpeed:
    case Launcher::HuggingFace: break;
    }
    return "json";
}

} // namespace cardfit
