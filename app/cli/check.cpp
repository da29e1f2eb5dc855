// SPDX-License-Identifier: GPL-3.0-or-later
// cardfit check: the gate before a job.
#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/patch.h"
#include "app/cli/terminal.h"
#include "core/files/file.h"
#include "core/files/plan_differences.h"
#include "core/report/json_text.h"
#include "core/report/rules_text.h"
#include "core/search/advice.h"

namespace cardfit::app {

namespace {

std::string ruleText(const Check& check)
{
    const auto valid = check.valid.empty() ? std::string() : fmt::format(" (valid: {})", fmt::join(check.valid, ", "));
    return fmt::format("{}: {}{}", check.id, check.message.english(), valid);
}

/// A segment's name; what a served model's passes leave behind is the cache.
std::string_view segmentWords(const Estimate& estimate, std::size_t segment)
{
    const bool cache = estimate.isServed() && segment == static_cast<std::size_t>(Segment::Activations);
    return cache ? "KV cache" : kSegmentNames[segment];
}

/// "stage 0, 16 cards: weights 17.64, gradients 8.82, … GB".
std::string worstCardText(const Estimate& estimate, ByteUnit unit)
{
    const StageMemory& stage = estimate.stages[estimate.worstStage()];
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        if (stage.bytes[i] != Bytes(0))
            parts.push_back(fmt::format("{} {}", segmentWords(estimate, i), amountText(stage.bytes[i], unit)));
    }
    return fmt::format(
        "worst card: of stage {}, one of {}: {} {}", stage.stage, stage.cards, fmt::join(parts, ", "), unitName(unit));
}

/// The two lines, by `say`, and what else there is to say.
void printGate(
    const std::string& name, const Plan& plan, const Estimate& estimate, ByteUnit unit, void (*say)(std::string_view))
{
    const Check* broken = firstErrorOf(estimate.checks);
    const bool breaks = broken != nullptr;
    say(fmt::format("{}: {}", name,
        breaks && !estimate.complete()
            ? fmt::format("INVALID, breaks {}", fmt::join(brokenRules(estimate.checks), ", "))
            : verdictLine(estimate, unit)));
    say(fmt::format("{}: {}", name, breaks ? ruleText(*broken) : worstCardText(estimate, unit)));
    static_cast<void>(flush()); // before the rest; what fails is reported at the end
    for (const Check& check : estimate.checks) {
        if (&check == broken) continue;
        const auto* severity = check.severity == Severity::Error ? "breaks" : "warning";
        printError(fmt::format("{}: {}: {}", name, severity, ruleText(check)));
    }
    for (const std::string& sentence : plan.assumed)
        printError(fmt::format("{}: assumed: {}", name, sentence));
}

/// The file --into with the options of the plan that the cheapest change makes, as a patch; none for a launcher whose
/// files can only be read.
Result<Fix> fixFor(const Plan& plan, const CheckOptions& options, const PlanReader& plans)
{
    const auto text = readFile(options.into);
    if (!text) return tl::unexpected<Error>(text.error());
    const auto launcher = plans.words.from ? plans.words.from : detectLauncher(*text);
    if (!launcher)
        return tl::unexpected(Error{ErrorCode::WrongFormat, options.into, {},
            Sentence::verbatim("is not known as a launcher's file; --from says whose it is")});
    auto change = cheapestFix(plan);
    if (!change) return Fix();
    auto edits = planDifferences(plan, change->plan);
    if (traitsOf(*launcher).write == nullptr) return Fix{std::move(change), std::move(edits), {}};
    const auto changed = exportInto(*launcher, change->plan, *text, plans.presets);
    if (!changed) return tl::unexpected<Error>(inFile(changed.error(), options.into));
    for (const LaunchNote& note : changed->notes)
        printError(fmt::format("{}: not written: {}", options.into, describe(note)));
    return Fix{std::move(change), std::move(edits), unifiedPatch(*text, changed->text, options.into)};
}

/// Standard output gets the patch alone, so that it can be piped into patch(1).
void printFix(const Estimate& before, const Fix& fix, const CheckOptions& options)
{
    if (!fix.change)
        return printError(fmt::format(
            "{}: no change of one thing makes it fit; cardfit search finds the plans that do", options.plans.front()));
    const Estimate made = estimate(fix.change->plan);
    const std::string was = before.complete() ? fmt::format("{:.3f} s -> ", before.step.seconds.value()) : "";
    printError(fmt::format("{}: {}: {}: {}; step {}{:.3f} s", options.plans.front(),
        fix.patch.empty() ? "to be changed by hand" : "with the patch", fix.change->words.english(),
        verdictLine(made, options.unit), was, made.step.seconds.value()));
    printFile(fix.patch);
}

} // namespace

int runCheck(const CheckOptions& options, const PlanReader& all_plans)
{
    if (options.rules) {
        print(options.json ? rulesJson() + "\n" : rulesText());
        return Fits;
    }
    PlanReader plans = all_plans;
    plans.says_assumed = options.json; // otherwise the gate says it
    int code = Fits;
    std::vector<std::string> answers;
    for (const std::string& name : options.plans) {
        const auto plan = plans.read(name);
        if (!plan) {
            code = std::max(code, complain(plan.error()));
            answers.push_back(errorJson(plan.error()));
            continue;
        }
        const Estimate result = estimate(*plan);
        const int own = exitCodeOf(result);
        code = std::max(code, own);
        if (!options.json) printGate(name, *plan, result, options.unit, options.into.empty() ? printLine : printError);
        std::optional<Fix> fix;
        if (!options.into.empty() && own != Fits) {
            auto found = fixFor(*plan, options, plans);
            if (!found) return complain(found.error(), options.json);
            fix = *std::move(found);
        }
        if (options.json)
            answers.push_back(checkJson(result, fix));
        else if (fix)
            printFix(result, *fix, options);
    }
    if (options.json) printAnswers(answers);
    return code;
}

} // namespace cardfit::app
