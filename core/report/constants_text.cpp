// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/constants_text.h"

#include <fmt/format.h>

#include "core/report/columns.h"
#include "core/report/constants_json.h"

namespace cardfit {

namespace {

struct TierWord {
    Tier value;
    std::string_view word;
    Phrase name;
};
constexpr auto kTiers = std::to_array<TierWord>({
    {Tier::Physics, "physics", Sentence::tr("by counting")},
    {Tier::Published, "published", Sentence::tr("published")},
    {Tier::Fitted, "fitted", Sentence::tr("fitted")},
    {Tier::Assumed, "assumed", Sentence::tr("assumed")},
});
static_assert(isInOrder(kTiers));

constexpr auto kBearsOn = textFor<BearsOn>({"step", "memory", "band", "server"});

std::string_view tierWord(Tier tier) { return kTiers[static_cast<std::size_t>(tier)].word; }

std::string_view bearsOn(const ConstantRow& row) { return kBearsOn[static_cast<std::size_t>(row.bears_on)]; }

std::string inPercent(double value) { return fmt::format("{:.2f}", 100.0 * value); }

std::string valueText(double value) { return fmt::format("{:.4g}", value); }

std::string medianLine(const std::string& source, double before, double after)
{
    return fmt::format("    {:40} {:>6} -> {:>6} %\n", source, inPercent(before), inPercent(after));
}

} // namespace

Phrase tierName(Tier tier) { return kTiers[static_cast<std::size_t>(tier)].name; }

Sentence constantText(Constant constant)
{
    const ConstantRow& one = row(constant);
    return Sentence::tr(
        "{} = {} ({}): {}", {one.word, fmt::format("{:.6g} {}", one.shipped, one.unit), tierName(one.tier), one.title});
}

Json constantJson(Constant constant)
{
    const ConstantRow& one = row(constant);
    return {{"word", one.word}, {"value", plainNumber(one.shipped)}, {"unit", one.unit}, {"tier", tierWord(one.tier)},
        {"bears_on", bearsOn(one)}, {"refitted", one.asked}, {"title", one.title.english}, {"source", one.source}};
}

std::string constantsText()
{
    std::vector<Row> rows;
    for (const ConstantRow& one : constantRows()) {
        rows.push_back({std::string(one.word), fmt::format("{:.6g}", one.shipped), std::string(one.unit),
            std::string(tierWord(one.tier)), std::string(bearsOn(one)),
            fmt::format("{}; {}", one.title.english, one.source)});
    }
    Columns columns;
    columns.left = 6;
    return aligned(rows, columns)
        + "\nphysics: counted, or a law of the machine; published: measured or set by others; fitted: to published "
          "runs;\n"
          "assumed: usual, published by nobody. Then what it bears on first. cardfit validate time --constant "
          "WORD=VALUE\n"
          "predicts the published runs with another one.\n";
}

std::string constantsJson()
{
    Json json = {{"format", "cardfit/constants"}, {"version", 1}, {"constants", Json::array()}};
    for (const ConstantRow& one : constantRows())
        json["constants"].push_back(constantJson(one.value));
    return indentedJson(json);
}

std::string fitText(const ConstantFits& fits)
{
    std::string text = fmt::format("Mean over {} sources of the median error: {} % as shipped.\n\n",
        fits.shipped.size(), inPercent(meanOf(fits.shipped)));
    for (const ConstantFit& fit : fits.fits) {
        const std::string bearing = fit.cases == 0 ? "no case"
            : fit.told()                           ? fmt::format("{} cases, {} sources", fit.cases, fit.sources)
                                                   : "one source: stays";
        text += fmt::format("{}: {} -> {}{}; {} %; 10 % off: {:+.2f} points; {}\n", row(fit.constant).word,
            valueText(shipped(fit.constant)), valueText(fit.value), fit.at_bound ? ", a bound of the search" : "",
            inPercent(meanOf(fit.errors)), 100.0 * fit.growth, bearing);
        for (const auto& [source, after] : fit.errors) {
            const double before = fits.shipped.find(source)->second;
            if (after != before) text += medianLine(source, before, after);
        }
    }
    text += "\nAll that more than one source bears on at once:\n";
    for (const auto& [source, after] : fits.together)
        text += medianLine(source, fits.shipped.find(source)->second, after);
    return text + medianLine("mean of the sources", meanOf(fits.shipped), meanOf(fits.together));
}

std::string fitMarkdown(const ConstantFits& fits)
{
    std::string text = "| constant | ships | alone it would be | points | 10 % off | sources |\n"
                       "|---|---:|---:|---:|---:|---:|\n";
    for (const ConstantFit& fit : fits.fits) {
        const std::string found = fit.cases == 0 ? "" : (fit.at_bound ? "at the bound " : "") + valueText(fit.value);
        text += fmt::format("| {} | {} | {} | {:+.2f} | {:+.2f} | {} |\n", row(fit.constant).word,
            valueText(shipped(fit.constant)), found, 100.0 * (meanOf(fit.errors) - meanOf(fits.shipped)),
            100.0 * fit.growth, fit.sources);
    }
    return text;
}

} // namespace cardfit
