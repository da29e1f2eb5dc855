// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/report/explanation_text.h"
#include "core/report/json_text.h"

namespace cardfit::app {

namespace {

std::string written(const Explanation& explanation, const ExplainOptions& options)
{
    switch (options.format) {
    case ExplainOptions::Format::Text: return explanationText(explanation, options.unit);
    case ExplainOptions::Format::Markdown: return explanationMarkdown(explanation, options.unit);
    case ExplainOptions::Format::Latex: return explanationLatex(explanation, options.unit);
    case ExplainOptions::Format::Json: return explanationJson(explanation) + "\n";
    }
    return {};
}

void list(const Estimate& estimate)
{
    for (const std::string& figure : figures(estimate))
        printLine(fmt::format("{:<44} {:>22}", figure, figureText(*figureValue(estimate, figure)).english()));
    printLine(fmt::format("worst.… is stage{}.…, the stage with the least free memory", estimate.worstStage()));
}

} // namespace

int runExplain(const ExplainOptions& options, const PlanReader& plans)
{
    const bool json = options.format == ExplainOptions::Format::Json;
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error(), json);
    const Estimate result = estimate(*plan);
    if (!result.complete()) {
        if (json) print(checksJson(result.checks) + "\n");
        for (const Check& check : result.checks) {
            if (check.prevents_estimate) printError(fmt::format("cardfit: {}: {}", check.id, check.message.english()));
        }
        return BreaksRule;
    }
    if (options.figure.empty()) {
        if (options.format != ExplainOptions::Format::Text) {
            return complain(
                Error{ErrorCode::Usage, {}, {}, Sentence::tr("without a figure there is only a list of them as text")},
                json);
        }
        list(result);
        return Fits;
    }
    auto explanation = explain(*plan, result, options.figure);
    if (!explanation) return complain(explanation.error(), json);
    explanation->sensitivity = sensitivity(*plan, result, options.figure);
    explanation->constants = constantsBehind(*plan, result, options.figure);
    print(written(*explanation, options));
    return Fits;
}

} // namespace cardfit::app
