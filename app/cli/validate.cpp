// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/commands.h"
#include "app/preset_library.h"
#include "core/io/measured_cases.h"
#include "core/io/validation_report.h"

namespace cardfit::app {

int runValidate(const ValidateOptions& options, const Presets& presets)
{
    if (options.figure == "time") {
        return complain({ErrorCode::Usage, {}, "validate time",
            "there are no measured step times to compare with yet; validate memory is what there is"});
    }
    const auto file = options.cases.empty() ? measuredCasesFile("memory.json") : std::filesystem::path(options.cases);
    const auto read = readMeasuredMemory(file, presets);
    if (!read) return complain(read.error());

    const auto comparisons = compareMemory(read->cases);
    if (options.json) {
        fmt::print("{}\n", memoryValidationJson(read->groups, comparisons));
    } else if (options.markdown) {
        fmt::print("{}", memoryValidationMarkdown(read->groups, comparisons));
    } else {
        fmt::print("Memory, predicted against measured: {} cases of {}\n\n", comparisons.size(), file.string());
        fmt::print("{}", memoryValidationText(read->groups, comparisons, options.unit));
    }
    const bool all_answered = std::ranges::all_of(
        comparisons, [](const MemoryComparison& comparison) { return comparison.predicted.has_value(); });
    return all_answered ? Fits : BreaksRule;
}

} // namespace cardfit::app
