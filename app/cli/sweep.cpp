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

Result<SweepRequest> requestOf(const SweepOptions& options, const Plan& plan, const Presets& presets)
{
    SweepRequest request;
    request.best = options.best;
    auto x = axisFrom(plan, options.x, "--x", presets);
    if (!x) return tl::unexpected<Error>(std::move(x.error()));
    request.x = *std::move(x);
    if (!options.y.empty()) {
        auto y = axisFrom(plan, options.y, "--y", presets);
        if (!y) return tl::unexpected<Error>(std::move(y.error()));
        if (y->pointer == request.x.pointer)
            return fail(ErrorCode::Usage, "--y", Sentence::verbatim("is the same field as --x"));
        request.y = *std::move(y);
    }
    const auto figure = figureNamed(options.figure);
    if (!figure) return tl::unexpected<Error>(inFile(figure.error(), "--figure"));
    request.figure = *figure;
    if (options.best)
        request.space = defaultSpace(plan);
    else
        request.space.base = plan;

    SearchRequest asked;
    asked.space = request.space;
    asked.objective = request.figure;
    asked.pareto.clear();
    if (auto refused = refusal(asked)) return tl::unexpected<Error>(*std::move(refused));
    return request;
}

int exitCode(const std::vector<SweepCell>& cells)
{
    const auto any = [&](SweepCell::Verdict verdict) {
        return std::ranges::find(cells, verdict, &SweepCell::verdict) != cells.end();
    };
    if (any(SweepCell::Verdict::Fits)) return Fits;
    return any(SweepCell::Verdict::OverMemory) ? OverCapacity : BreaksRule;
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
    const auto plan = startingPlan(options.plan, plans);
    if (!plan) return complain(plan.error(), options.json);
    const auto request = requestOf(options, *plan, plans.presets);
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
