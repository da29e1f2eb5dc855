// SPDX-License-Identifier: GPL-3.0-or-later
// cardfit sweep: a figure over one or two fields.
#include <algorithm>
#include <filesystem>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/report/sweep_text.h"

namespace cardfit::app {

namespace {

int exitCode(const std::vector<SweepCell>& cells)
{
    const auto best = std::ranges::min_element(cells, {}, &SweepCell::verdict);
    return best == cells.end() ? BreaksRule : exitCodeOf(best->verdict);
}

Result<std::string> fileText(const std::string& file, const SweepRequest& request, const std::vector<SweepCell>& cells)
{
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".svg") return sweepSvg(request, cells);
    if (ending == ".csv") return sweepCsv(request, cells);
    if (ending == ".json") return sweepJson(request, cells) + "\n";
    return fail(ErrorCode::Usage, "--output", Sentence::verbatim("expected a file .svg, .csv or .json, found " + file));
}

} // namespace

int runSweep(const SweepOptions& options, const PlanReader& plans)
{
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error(), options.json);
    const auto request = sweepFrom(*plan, options.words, plans.presets);
    if (!request) return complain(request.error(), options.json);
    const std::vector<SweepCell> cells = sweep(*request);
    if (!options.output.empty()) {
        const auto text = fileText(options.output, *request, cells);
        if (!text) return complain(text.error(), options.json);
        if (auto written = writeFile(options.output, *text); !written) return complain(written.error(), options.json);
    }
    if (options.json)
        print(sweepJson(*request, cells) + "\n");
    else if (options.csv)
        printFile(sweepCsv(*request, cells));
    else if (options.output.empty())
        print(sweepText(*request, cells));
    return exitCode(cells);
}

} // namespace cardfit::app
