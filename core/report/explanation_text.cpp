// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/explanation_text.h"

#include <cmath>

#include <fmt/format.h>

#include "core/files/foreign_text.h"
#include "core/files/json_reader.h"
#include "core/report/constants_json.h"
#include "core/report/constants_text.h"

namespace cardfit {

namespace {

std::string number(double value) { return groupedNumber(value); }

/// Times of a server's tokens are milliseconds.
std::string plainTime(double seconds)
{
    constexpr double kInMilliseconds = 0.1;
    const bool is_short = seconds != 0.0 && std::abs(seconds) < kInMilliseconds;
    return is_short ? fmt::format("{:.3f} ms", 1e3 * seconds) : fmt::format("{:.3f} s", seconds);
}

Sentence plain(const FigureValue& value)
{
    switch (value.unit) {
    case FigureUnit::Memory: break;
    case FigureUnit::Parameters: return Sentence::verbatim(number(value.number));
    case FigureUnit::MicroBatches:
        return value.number == 1.0 ? Sentence(Sentence::tr("1 micro-batch"))
                                   : Sentence::tr("{} micro-batches", {number(value.number)});
    case FigureUnit::Time: return Sentence::verbatim(plainTime(value.number));
    case FigureUnit::Fraction: return Sentence::verbatim(fmt::format("{:.2f} %", 100.0 * value.number));
    case FigureUnit::TokenRate: return Sentence::tr("{} tokens/s", {number(std::round(10.0 * value.number) / 10.0)});
    case FigureUnit::Tokens: return Sentence::tr("{} tokens", {number(value.number)});
    case FigureUnit::Sequences: return Sentence::tr("{} sequences", {number(std::floor(100.0 * value.number) / 100.0)});
    case FigureUnit::FlopRate: return Sentence::verbatim(fmt::format("{:.1f} TFLOP/s", value.number));
    }
    return {};
}

/// In GB as every report, and small amounts in a unit in which they are not zero.
Sentence memoryText(Bytes bytes, ByteUnit unit)
{
    const double step = unit == ByteUnit::GB ? 1e3 : 0x1p10;
    const bool decimal = unit == ByteUnit::GB;
    const auto size = static_cast<double>(std::abs(bytes.value()));
    constexpr double kShownInLarge = 0.01;
    if (bytes == Bytes(0) || size >= kShownInLarge * step * step * step)
        return Sentence::verbatim(formatBytes(bytes, unit));
    const double value = static_cast<double>(bytes.value());
    if (size >= kShownInLarge * step * step)
        return Sentence::verbatim(fmt::format("{:.2f} {}", value / step / step, decimal ? "MB" : "MiB"));
    if (size >= step) return Sentence::verbatim(fmt::format("{:.1f} {}", value / step, decimal ? "kB" : "KiB"));
    return Sentence::tr("{} bytes", {bytes.value()});
}

std::string_view unitWord(FigureUnit unit)
{
    switch (unit) {
    case FigureUnit::Memory: return "bytes";
    case FigureUnit::Parameters: return "parameters";
    case FigureUnit::MicroBatches: return "micro_batches";
    case FigureUnit::Time: return "seconds";
    case FigureUnit::Fraction: return "fraction";
    case FigureUnit::TokenRate: return "tokens_per_second";
    case FigureUnit::FlopRate: return "teraflops";
    case FigureUnit::Tokens: return "tokens";
    case FigureUnit::Sequences: return "sequences";
    }
    return {};
}

/// Bytes of one of the row's parts; other units have no word of their own.
Sentence oneOf(const ExplanationRow& row)
{
    const auto count = static_cast<double>(row.count);
    if (row.value.unit == FigureUnit::Memory) {
        return Sentence::tr("{} bytes", {number(std::round(static_cast<double>(row.value.bytes.value()) / count))});
    }
    FigureValue one = row.value;
    one.number /= count;
    return figureText(one);
}

std::string escapedLatex(std::string_view text)
{
    std::string escaped;
    for (const char character : printable(text)) {
        switch (character) {
        case '^': escaped += "\\^{}"; break;
        case '~': escaped += "\\~{}"; break;
        case '\\': escaped += "\\textbackslash{}"; break;
        case '%':
        case '_':
        case '&':
        case '#':
        case '$':
        case '{':
        case '}': escaped += '\\'; [[fallthrough]];
        default: escaped += character;
        }
    }
    return escaped;
}

/// A formula of one part, times how many there are.
std::string timesLatex(const ExplanationRow& row, const std::string& one)
{
    if (row.count == 1) return one;
    const std::string count = groupedNumber(static_cast<double>(row.count), Notation::Latex);
    const bool is_sum =
        one.starts_with('-') || one.find(" + ") != std::string::npos || one.find(" - ") != std::string::npos;
    return is_sum ? fmt::format("{} \\times \\left({}\\right)", count, one) : fmt::format("{} \\times {}", count, one);
}

std::vector<std::string> said(const std::vector<Sentence>& sentences, const Translation& translation)
{
    std::vector<std::string> texts;
    texts.reserve(sentences.size());
    for (const Sentence& sentence : sentences)
        texts.push_back(sentence.in(translation));
    return texts;
}

/// How a format writes a heading with one item per text under it; fmt patterns.
struct ListFormat {
    std::string_view item;
    std::string_view list; ///< of heading and items
    std::string_view change; ///< of an input and what the figure would change by
    std::string (*escaped)(std::string_view text); ///< texts as the format writes them
};
constexpr ListFormat kPlain{
    "  {}\n", "\n{}\n{}", "{:<24} {:>16}", [](std::string_view text) { return printable(text); }};
constexpr ListFormat kMarkdown{"- {}\n", "\n**{}**\n\n{}", "{}: {}", markdownText};
constexpr ListFormat kLatex{
    "  \\item {}\n", "\\paragraph{{{}}}\n\\begin{{itemize}}\n{}\\end{{itemize}}\n", "{}: {}", escapedLatex};

/// Empty if there are no items.
std::string listText(
    const ListFormat& format, const std::string& heading, const std::vector<std::string>& items, bool escapes = true)
{
    std::string text;
    for (const std::string& item : items)
        text += fmt::format(fmt::runtime(format.item), escapes ? format.escaped(item) : item);
    return items.empty() ? text : fmt::format(fmt::runtime(format.list), heading, text);
}

/// What every format ends with.
std::string endText(
    const ListFormat& format, const Explanation& explanation, ByteUnit unit, const Translation& translation)
{
    const auto say = [&](const Sentence& sentence) { return sentence.in(translation); };
    std::vector<std::string> changes;
    for (const auto& [change, difference] : explanation.sensitivity)
        changes.push_back(fmt::format(fmt::runtime(format.change), say(change), say(differenceText(difference, unit))));
    std::vector<std::string> constants;
    for (const Constant constant : explanation.constants)
        constants.push_back(fmt::format("{}; {}", say(constantText(constant)), row(constant).source));
    return listText(format, say(Sentence::tr("If one input changed")), changes)
        + listText(format, say(Sentence::tr("Constants")), constants)
        + listText(format, say(Sentence::tr("Sources")), explanation.sources)
        + listText(format, say(Sentence::tr("Left out")), said(explanation.left_out, translation));
}

std::string symbolName(const Symbol& symbol, Notation notation)
{
    const auto formula = Formula::parse(symbol.name);
    return formula ? formula->inSymbols(notation) : std::string(symbol.name);
}

Sentence atExtremes(const Sentence& band) { return Sentence::tr("{} at the published extremes", {band}); }

Json valueJson(const FigureValue& value)
{
    return value.unit == FigureUnit::Memory ? Json(value.bytes.value()) : Json(plainNumber(value.number));
}

Json rowJson(const Explanation& explanation, const ExplanationRow& row)
{
    Json json = {{"id", row.id}, {"figure", row.figure.empty() ? Json(nullptr) : Json(row.figure)},
        {"title", row.title.english()}, {"sentence", row.sentence.english()}, {"count", row.count},
        {"count_meaning", row.count_meaning.english()}, {"formula", row.formula},
        {"numbers", inNumbers(explanation, row, Notation::Plain)}, {"value", valueJson(row.value)}};
    if (row.band.below != Bytes(0)) json["below_bytes"] = row.band.below.value();
    if (row.band.above != Bytes(0)) json["above_bytes"] = row.band.above.value();
    return json;
}

} // namespace

Sentence figureText(const FigureValue& value, ByteUnit unit)
{
    return value.unit == FigureUnit::Memory ? memoryText(value.bytes, unit) : plain(value);
}

Sentence differenceText(const FigureValue& value, ByteUnit unit)
{
    if (value.bytes == Bytes(0) && value.number == 0.0) return Sentence::tr("no change");
    const Sentence text = value.unit == FigureUnit::Fraction
        ? Sentence::tr("{} percentage points", {fmt::format("{:.2f}", 100.0 * value.number)})
        : figureText(value, unit);
    return text.english().starts_with('-') ? text : Sentence::tr("+{}", {text});
}

Sentence exactText(const FigureValue& value)
{
    if (value.unit != FigureUnit::Memory) return plain(value);
    return Sentence::tr("{} bytes = {} = {}",
        {number(static_cast<double>(value.bytes.value())), formatBytes(value.bytes, ByteUnit::GB),
            formatBytes(value.bytes, ByteUnit::GiB)});
}

Sentence bandText(Bytes value, const Band& band, ByteUnit unit)
{
    if (band == Band{}) return {};
    const std::string low = formatBytes(value - band.below, unit);
    return Sentence::tr("between {} and {}", {low.substr(0, low.find(' ')), formatBytes(value + band.above, unit)});
}

Sentence countText(const ExplanationRow& row)
{
    if (row.formula.empty()) return {};
    if (row.count == 1) return row.count_meaning;
    const std::string count = number(static_cast<double>(row.count));
    if (row.count_meaning.empty()) return Sentence::verbatim(count);
    // "4 micro-batches in flight" says the count itself.
    const std::string meaning = row.count_meaning.english();
    const bool says_it = meaning.starts_with(count + " ") && meaning.find(" x ") == std::string::npos;
    return says_it ? row.count_meaning : Sentence::tr("{} ({})", {count, row.count_meaning});
}

Sentence formulaText(const Explanation& explanation, const ExplanationRow& row, Notation notation)
{
    if (row.formula.empty()) return {};
    const std::string symbols = inSymbols(row, notation);
    const std::string numbers = inNumbers(explanation, row, notation);
    const Sentence one = oneOf(row);
    std::string text = symbols;
    // If the numbers are just the bytes that follow, they are left out.
    if (!numbers.empty() && numbers + " bytes" != one.english()) text += (symbols.empty() ? "" : " = ") + numbers;
    return Sentence::tr("{} = {}", {text, one});
}

Sentence arithmeticText(const Explanation& explanation, const ExplanationRow& row)
{
    const Sentence count = countText(row);
    const Sentence formula = formulaText(explanation, row, Notation::Plain);
    if (count.empty()) return formula;
    return row.count == 1 ? Sentence::tr("{}: {}", {count, formula}) : Sentence::tr("{}, each {}", {count, formula});
}

std::string explanationText(const Explanation& explanation, ByteUnit unit, const Translation& translation)
{
    const auto say = [&](const Sentence& sentence) { return sentence.in(translation); };
    std::string text = fmt::format("{}: {}\n", say(explanation.title), say(figureText(explanation.total, unit)));
    text += fmt::format("{}\n\n{}\n\n", explanation.figure, say(explanation.sentence));
    const bool memory = explanation.total.unit == FigureUnit::Memory;
    std::size_t width = say(figureText(explanation.total, unit)).size();
    for (const ExplanationRow& row : explanation.rows)
        width = std::max(width, say(figureText(row.value, unit)).size());
    const std::string indent(width + 2, ' ');
    for (const ExplanationRow& row : explanation.rows) {
        // The only addend of a figure repeats its title and value.
        if (explanation.rows.size() > 1 || !row.figure.empty()) {
            text += fmt::format("{:>{}}  {} ({})\n", say(figureText(row.value, unit)), width, say(row.title),
                row.figure.empty() ? row.id : row.figure);
            if (!row.sentence.empty() && row.sentence != explanation.sentence) {
                text += fmt::format("{}{}\n", indent, say(row.sentence));
            }
        }
        const std::string arithmetic = say(arithmeticText(explanation, row));
        if (!arithmetic.empty()) text += fmt::format("{}{}\n", indent, arithmetic);
    }
    text += fmt::format("{:>{}}  {}\n", say(figureText(explanation.total, unit)), width,
        say(memory ? Sentence::tr("total, {}", {exactText(explanation.total)}) : Sentence::tr("total")));
    const Sentence band = bandText(explanation.total.bytes, explanation.band, unit);
    if (!band.empty()) text += indent + say(atExtremes(band)) + "\n";

    std::vector<std::string> lines;
    for (const Symbol& symbol : explanation.symbols) {
        lines.push_back(fmt::format("{:<5} {:>16}  {} ({})", symbol.name, groupedNumber(symbol.value, Notation::Plain),
            say(symbol.meaning), symbol.from));
    }
    text += listText(kPlain, say(Sentence::tr("Symbols")), lines);
    return text + endText(kPlain, explanation, unit, translation);
}

std::string explanationMarkdown(const Explanation& explanation, ByteUnit unit, const Translation& translation)
{
    const auto say = [&](const Sentence& sentence) { return sentence.in(translation); };
    std::string text = fmt::format("### {}: {}\n\n{}\n\n", say(explanation.title),
        say(figureText(explanation.total, unit)), say(explanation.sentence));
    text += fmt::format("| {} | {} | {} | {} | {} |\n|---|---|---|---|---:|\n", say(Sentence::tr("What")),
        say(Sentence::tr("Count")), say(Sentence::tr("Formula of one")), say(Sentence::tr("Numbers")),
        say(Sentence::tr("Value")));
    for (const ExplanationRow& row : explanation.rows) {
        const std::string symbols = inSymbols(row, Notation::Markdown);
        text += fmt::format("| {} | {} | {} | {} | {} |\n", say(row.title), say(countText(row)),
            symbols.empty() ? symbols : fmt::format("`{}`", symbols), inNumbers(explanation, row, Notation::Markdown),
            say(figureText(row.value, unit)));
    }
    text += fmt::format("| **{}** | | | | **{}** |\n\n{}\n", say(Sentence::tr("Total")),
        say(figureText(explanation.total, unit)), say(exactText(explanation.total)));
    const Sentence band = bandText(explanation.total.bytes, explanation.band, unit);
    if (!band.empty()) text += fmt::format("\n{}.\n", say(atExtremes(band)));

    std::vector<std::string> lines;
    for (const Symbol& symbol : explanation.symbols) {
        lines.push_back(fmt::format(
            "`{}` = {}: {}", symbol.name, groupedNumber(symbol.value, Notation::Markdown), say(symbol.meaning)));
    }
    text += listText(kMarkdown, say(Sentence::tr("Symbols")), lines, false);
    return text + endText(kMarkdown, explanation, unit, translation);
}

std::string explanationLatex(const Explanation& explanation, ByteUnit unit, const Translation& translation)
{
    const auto say = [&](const Sentence& sentence) { return sentence.in(translation); };
    const auto value = [&](const FigureValue& figure) {
        return fmt::format("\\text{{{}}}", escapedLatex(say(figureText(figure, unit))));
    };
    std::string text = fmt::format("\\paragraph{{{}: {}}}\n{}\n", escapedLatex(say(explanation.title)),
        escapedLatex(say(figureText(explanation.total, unit))), escapedLatex(say(explanation.sentence)));
    text += "\\begin{align*}\n";
    for (const ExplanationRow& row : explanation.rows) {
        const std::string symbols = inSymbols(row, Notation::Latex);
        const std::string numbers = inNumbers(explanation, row, Notation::Latex);
        std::string right;
        if (!symbols.empty()) right += " = " + timesLatex(row, symbols);
        if (!numbers.empty() && numbers != symbols) right += " = " + timesLatex(row, numbers);
        // Values are rounded to the unit; a sum of other figures has nothing before its value.
        text += fmt::format("  \\text{{{}}} &{} {} {} \\\\\n", escapedLatex(say(row.title)), right,
            right.empty() ? "=" : "\\approx", value(row.value));
    }
    text +=
        fmt::format("  \\text{{{}}} &= {}\n\\end{{align*}}\n", say(Sentence::tr("Total")), value(explanation.total));
    const Sentence band = bandText(explanation.total.bytes, explanation.band, unit);
    if (!band.empty()) text += fmt::format("{}.\n", escapedLatex(say(atExtremes(band))));

    if (!explanation.symbols.empty()) text += "\\begin{tabular}{lrl}\n";
    for (const Symbol& symbol : explanation.symbols) {
        text += fmt::format("  ${}$ & ${}$ & {} \\\\\n", symbolName(symbol, Notation::Latex),
            groupedNumber(symbol.value, Notation::Latex), escapedLatex(say(symbol.meaning)));
    }
    if (!explanation.symbols.empty()) text += "\\end{tabular}\n";
    return text + endText(kLatex, explanation, unit, translation);
}

std::string explanationJson(const Explanation& explanation)
{
    Json json = {{"format", "cardfit/explanation"}, {"version", 1}, {"figure", explanation.figure},
        {"title", explanation.title.english()}, {"sentence", explanation.sentence.english()},
        {"unit", unitWord(explanation.total.unit)}, {"total", valueJson(explanation.total)}};
    if (explanation.band.below != Bytes(0)) json["below_bytes"] = explanation.band.below.value();
    if (explanation.band.above != Bytes(0)) json["above_bytes"] = explanation.band.above.value();
    json["rows"] = Json::array();
    for (const ExplanationRow& row : explanation.rows)
        json["rows"].push_back(rowJson(explanation, row));
    json["symbols"] = Json::array();
    for (const Symbol& symbol : explanation.symbols) {
        json["symbols"].push_back({{"name", symbol.name}, {"value", plainNumber(symbol.value)},
            {"meaning", symbol.meaning.english}, {"from", symbol.from}});
    }
    json["sensitivity"] = Json::array();
    for (const Sensitivity& change : explanation.sensitivity) {
        json["sensitivity"].push_back(
            {{"change", change.change.english()}, {"difference", valueJson(change.difference)}});
    }
    json["constants"] = Json::array();
    for (const Constant constant : explanation.constants)
        json["constants"].push_back(constantJson(constant));
    json["sources"] = explanation.sources;
    json["left_out"] = said(explanation.left_out, inEnglish);
    return indentedJson(json);
}

} // namespace cardfit
