// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/cli/terminal.h"
#include "core/accuracy/constant_fit.h"
#include "core/accuracy/verdicts.h"
#include "core/files/constant_words.h"
#include "core/files/preset_library.h"
#include "core/report/constants_text.h"
#include "core/report/validation_report.h"
#include "core/traces/measured_cases.h"

namespace cardfit::app {

namespace {

/// The file of measured cases: the one asked for, else the shipped one.
std::filesystem::path casesFile(const ValidateOptions& options, const char* shipped)
{
    return options.cases.empty() ? measuredCasesFile(shipped) : std::filesystem::path(options.cases);
}

template <class Comparison> int answered(const std::vector<Comparison>& comparisons)
{
    const bool all =
        std::ranges::all_of(comparisons, [](const Comparison& comparison) { return comparison.predicted.has_value(); });
    return all ? Fits : BreaksRule;
}

/// The cases with the constants that were asked for.
template <class Measured> Result<void> setConstants(const ValidateOptions& options, std::vector<Measured>& cases)
{
    Constants constants;
    for (const std::string& assignment : options.constants) {
        const auto changed = withConstant(constants, assignment);
        if (!changed) return tl::unexpected<Error>(changed.error());
        constants = *changed;
    }
    for (Measured& one : cases)
        one.plan.constants = constants;
    return {};
}

int printFit(const ValidateOptions& options, std::span<const MeasuredTime> cases)
{
    const ConstantFits fits = fitConstants(cases);
    print(options.markdown ? fitMarkdown(fits) : fitText(fits));
    return Fits;
}

int validateMemory(const ValidateOptions& options, const Presets& presets)
{
    const auto file = casesFile(options, "memory.json");
    auto read = readMeasuredMemory(file, presets);
    if (!read) return complain(read.error());
    if (const auto set = setConstants(options, read->cases); !set) return complain(set.error());
    const auto comparisons = compareMemory(read->cases);
    if (options.json) {
        print(memoryValidationJson(read->groups, comparisons) + "\n");
    } else if (options.markdown) {
        print(memoryValidationMarkdown(read->groups, comparisons));
    } else {
        printLine(fmt::format("Memory, predicted against measured: {} cases of {}", comparisons.size(), file.string()));
        print("\n" + memoryValidationText(read->groups, comparisons, options.unit));
    }
    return answered(comparisons);
}

/// The families that ship, unless other cases were asked for.
Result<MeasuredCases<MeasuredTime>> readFamilies(const ValidateOptions& options, const Presets& presets)
{
    if (!options.cases.empty()) return MeasuredCases<MeasuredTime>{};
    auto read = readMeasuredTime(measuredCasesFile("families.json"), presets);
    if (!read) return read;
    if (const auto set = setConstants(options, read->cases); !set) return tl::unexpected<Error>(set.error());
    return read;
}

int validateTime(const ValidateOptions& options, const Presets& presets)
{
    const auto file = casesFile(options, "time.json");
    auto read = readMeasuredTime(file, presets);
    if (!read) return complain(read.error());
    if (const auto set = setConstants(options, read->cases); !set) return complain(set.error());
    if (options.fit) return printFit(options, read->cases);
    const auto families = readFamilies(options, presets);
    if (!families) return complain(families.error());
    const auto comparisons = compareTime(read->cases);
    const auto of_families = compareTime(families->cases);
    if (options.json) {
        print(timeValidationJson(read->groups, comparisons, of_families) + "\n");
    } else if (options.markdown) {
        print(timeValidationMarkdown(read->groups, comparisons));
        if (!of_families.empty()) print(familiesMarkdown(families->groups, of_families));
    } else {
        printLine(
            fmt::format("Step time, predicted against measured: {} cases of {}", comparisons.size(), file.string()));
        print("\n" + timeValidationText(read->groups, comparisons));
        if (!of_families.empty()) print(familiesText(families->groups, of_families));
    }
    return answered(comparisons);
}

/// The runs to judge: those that died and their neighbours, and all of which something else was measured.
Result<std::vector<JudgedRun>> judgedRuns(const ValidateOptions& options, const Presets& presets)
{
    auto deaths = readMeasuredOutcomes(casesFile(options, "deaths.json"), presets);
    if (!deaths) return tl::unexpected<Error>(deaths.error());
    if (const auto set = setConstants(options, deaths->cases); !set) return tl::unexpected<Error>(set.error());
    auto judged = judge(std::span<const MeasuredOutcome>(deaths->cases));
    if (!options.cases.empty()) return judged;
    const auto add = [&](auto read) -> Result<void> {
        if (!read) return tl::unexpected<Error>(read.error());
        if (const auto set = setConstants(options, read->cases); !set) return set;
        auto ran = judgeRuns(std::span(std::as_const(read->cases)));
        std::ranges::move(ran, std::back_inserter(judged));
        return {};
    };
    if (const auto added = add(readMeasuredMemory(measuredCasesFile("memory.json"), presets)); !added)
        return tl::unexpected<Error>(added.error());
    if (const auto added = add(readMeasuredTime(measuredCasesFile("time.json"), presets)); !added)
        return tl::unexpected<Error>(added.error());
    return judged;
}

int validateVerdict(const ValidateOptions& options, const Presets& presets)
{
    const auto runs = judgedRuns(options, presets);
    if (!runs) return complain(runs.error());
    if (options.json) {
        print(verdictValidationJson(*runs) + "\n");
    } else if (options.markdown) {
        print(verdictValidationMarkdown(*runs));
    } else {
        printLine(fmt::format("The verdict on {} published runs, and whether they ran", runs->size()));
        print("\n" + verdictValidationText(*runs, options.unit));
    }
    return Fits;
}

int validateServing(const ValidateOptions& options, const Presets& presets)
{
    const auto file = casesFile(options, "serving.json");
    auto read = readMeasuredServing(file, presets);
    if (!read) return complain(read.error());
    if (const auto set = setConstants(options, read->cases); !set) return complain(set.error());
    const auto comparisons = compareServing(read->cases);
    if (options.json) {
        print(servingValidationJson(read->groups, comparisons) + "\n");
    } else if (options.markdown) {
        print(servingValidationMarkdown(read->groups, comparisons));
    } else {
        printLine(
            fmt::format("Servers, predicted against measured: {} cases of {}", comparisons.size(), file.string()));
        print("\n" + servingValidationText(read->groups, comparisons));
    }
    return answered(comparisons);
}

} // namespace

int runConstants(bool json)
{
    print(json ? constantsJson() + "\n" : constantsText());
    return Fits;
}

int runValidate(const ValidateOptions& options, const Presets& presets)
{
    if (options.fit && options.figure != "time")
        return complain(Error{
            ErrorCode::Usage, {}, {}, Sentence::tr("only constants of step time are fitted: validate time --fit")});
    if (options.figure == "verdict") return validateVerdict(options, presets);
    if (options.figure == "serving") return validateServing(options, presets);
    return options.figure == "time" ? validateTime(options, presets) : validateMemory(options, presets);
}

} // namespace cardfit::app
