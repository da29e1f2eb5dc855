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

/// The model preset that a config.json describes.
Result<std::string> modelText(const ImportOptions& options, std::string_view text, const Presets& presets)
{
    auto imported = importLaunch(Launcher::HuggingFace, text, Plan(), presets);
    if (!imported) return tl::unexpected<Error>(inFile(imported.error(), options.file));
    printNotes(options.file, imported->notes);
    Model& model = imported->plan.model;
    if (options.file != "-") model.name = planNameFrom(options.file);
    model.id = presetId(model.name);
    return modelPresetText(model);
}

} // namespace

int runImport(const ImportOptions& options, const PlanReader& plans)
{
    const auto text = textOf(options.file);
    if (!text) return complain(text.error());
    Result<std::string> answer;
    if (traitsOf(*plans.words.from).model_only)
        answer = modelText(options, *text, plans.presets);
    else
        answer = plans.readText(*text, options.file).map(planText).map_error([&](Error error) {
            if (error.code != ErrorCode::Usage) error.file = options.file;
            return error;
        });
    if (!answer) return complain(answer.error());
    return writeAnswer(options.output, *answer);
}

} // namespace cardfit::app
