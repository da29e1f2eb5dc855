// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/launch/launch.h"

namespace cardfit::app {

namespace {

Result<std::string> textOf(const std::string& file) { return file == "-" ? readStandardInput() : readFile(file); }

/// Sets the model to a shipped one or to that of a config.json. The base of a server's command also gets the format of
/// the file's weights: importVllm() takes it from a base that serves.
Result<Plan> withModel(Plan base, const std::string& name, bool serves, const Presets& presets)
{
    std::error_code unknown;
    if (!std::filesystem::exists(name, unknown) && !unknown) {
        if (const Model* shipped = presets.model(name)) {
            base.model = *shipped;
            return base;
        }
    }
    const auto text = readFile(name);
    if (!text) return tl::unexpected<Error>(text.error());
    auto imported = importLaunch(Launcher::HuggingFace, *text, base, presets);
    if (!imported) return tl::unexpected<Error>(inFile(imported.error(), name));
    printNotMapped(name, imported->notes);
    if (serves && imported->checkpoint) {
        imported->plan.workload.task = Task::Inference;
        imported->plan.recipe.precision = *imported->checkpoint;
    }
    return std::move(imported->plan);
}

/// The plan that completes what a launcher's file does not say: the default plan, with --cluster and --model.
Result<Plan> basePlan(const ImportOptions& options, const Presets& presets)
{
    auto base = planBehindImports(presets);
    if (!base) return base;
    if (!options.cluster.empty()) {
        const Cluster* cluster = presets.cluster(options.cluster);
        if (cluster == nullptr) {
            return fail(ErrorCode::Usage, "--cluster",
                Sentence::verbatim(fmt::format(
                    "there is no cluster preset \"{}\"; cardfit presets clusters lists them", options.cluster)));
        }
        base->cluster = *cluster;
    }
    if (options.model.empty()) return base;
    return withModel(*std::move(base), options.model, traitsOf(options.from).serves, presets);
}

} // namespace

void printNotMapped(std::string_view file, const std::vector<LaunchNote>& notes)
{
    for (const LaunchNote& note : notes)
        printError(fmt::format("{}: not mapped: {}", file, describe(note)));
}

Result<Plan> planBehindImports(const Presets& presets)
{
    if (presets.plan(kDefaultPlan) != nullptr) return defaultPlan(presets);
    return fail(ErrorCode::CannotRead, {},
        Sentence::verbatim(
            "the shipped presets are missing: they hold the plan that fills in what the file does not give"));
}

std::string planNameFrom(const std::filesystem::path& file)
{
    const std::string stem = withoutGz(file).stem().string();
    if (stem != "config" && stem != "model_config" && stem != "ds_config") return stem;
    std::error_code unknown; // set if the current folder has been removed and so has no path
    const std::filesystem::path absolute = std::filesystem::absolute(file, unknown).lexically_normal();
    return unknown ? stem : absolute.parent_path().filename().string();
}

int runImport(const ImportOptions& options, const Presets& presets)
{
    const auto base = basePlan(options, presets);
    if (!base) return complain(base.error());
    const auto text = textOf(options.file);
    if (!text) return complain(text.error());
    const BaseModel model = options.model.empty() ? BaseModel::Placeholder : BaseModel::Chosen;
    auto imported = importLaunch(options.from, *text, *base, presets, model);
    if (!imported) return complain(inFile(imported.error(), options.file));
    printNotMapped(options.file, imported->notes);

    Plan& plan = imported->plan;
    if (options.file != "-") plan.name = planNameFrom(options.file);
    std::string answer;
    if (traitsOf(options.from).model_only) {
        if (options.file != "-" && !plan.name.empty()) plan.model.name = plan.name;
        plan.model.id = presetId(plan.model.name);
        answer = modelPresetText(plan.model);
    } else {
        answer = planText(plan);
    }
    if (!options.output.empty()) {
        if (auto written = writeFile(options.output, answer); !written) return complain(written.error());
        return Fits;
    }
    print(answer);
    return Fits;
}

} // namespace cardfit::app
