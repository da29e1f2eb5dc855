// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/explanation_text.h"

#include <cmath>

#include <fmt/format.h>

#include "core/io/json_reader.h"

namespace cardfit {

namespace {

std::string number(double value) { return groupedNumber(value); }

std::string plain(const FigureValue& value)
{
    switch (value.unit) {
    case FigureUnit::Memory: break;
    case FigureUnit::Parameters: return number(value.number);
    case FigureUnit::MicroBatches:
        return fmt::format("{} micro-batch{}", number(value.number), value.number == 1.0 ? "" : "es");
    case FigureUnit::Time: return fmt::format("{:.3f} s", value.number);
    case FigureUnit::Fraction: return fmt::format("{:.2f} %", 100.0 * value.number);
    case FigureUnit::TokenRate: return fmt::format("{} tokens/s", number(std::round(10.0 * value.number) / 10.0));
    case FigureUnit::FlopRate: return fmt::format("{:.1f} TFLOP/s", value.number);
    }
    return {};
}

/// In GB as every report, and small amounts in a unit in which they are not zero.
std::string memoryText(Bytes bytes, ByteUnit unit)
{
    const double step = unit == ByteUnit::GB ? 1e3 : 0x1p10;
    const bool decimal = unit == ByteUnit::GB;
    const auto size = static_cast<double>(std::abs(bytes.value()));
    constexpr double kShownInLarge = 0.01;
    if (bytes == Bytes(0) || size >= kShownInLarge * step * step * step) return formatBytes(bytes, unit);
    const double value = static_cast<double>(bytes.value());
    if (size >= kShownInLarge * step * step)
        return fmt::format("{:.2f} {}", value / step / step, decimal ? "MB" : "MiB");
    if (size >= step) return fmt::format("{:.1f} {}", value / step, decimal ? "kB" : "KiB");
    return fmt::format("{} bytes", bytes.value());
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
    }
    return {};
}

/// Bytes of one of the row's parts; other units have no word of their own.
std::string oneOf(const ExplanationRow& row)
{
    const auto count = static_cast<double>(row.count);
    if (row.value.unit == FigureUnit::Memory) {
        return fmt::format("{} bytes", number(std::round(static_cast<double>(row.value.bytes.value()) / count)));
    }
    FigureValue one = row.value;
    one.number /= count;
    return figureText(one);
}

std::string escapedLatex(std::string_view text)
{
    std::string escaped;
    for (const char character : text) {
        if (character == '%' || character == '_' || character == '&' || character == '#' || character == '$')
            escaped += '\\';
        if (character == '^') {
            escaped += "\\^{}";
            continue;
        }
        escaped += character;
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

/// "Left out" and its like: a heading and one line per text.
template <class Texts> std::string plainList(std::string_view heading, const Texts& texts)
{
    std::string result;
    for (const auto& text : texts)
        result += fmt::format("  {}\n", text);
    return result.empty() ? result : fmt::format("\n{}\n{}", heading, result);
}

std::string markdownList(std::string_view heading, const std::vector<std::string>& texts)
{
    std::string result;
    for (const std::string& text : texts)
        result += fmt::format("- {}\n", text);
    return result.empty() ? result : fmt::format("\n**{}**\n\n{}", heading, result);
}

std::string latexList(std::string_view heading, const std::vector<std::string>& texts)
{
    std::string result;
    for (const std::string& text : texts)
        result += fmt::format("  \\item {}\n", escapedLatex(text));
    if (result.empty()) return result;
    return fmt::format("\\paragraph{{{}}}\n\\begin{{itemize}}\n{}\\end{{itemize}}\n", heading, result);
}

std::string symbolValue(const Symbol& symbol, Notation notation) { return groupedNumber(symbol.value, notation); }

std::string symbolName(const Symbol& symbol, Notation notation)
{
    const auto formula = Formula::parse(symbol.name);
    return formula ? formula->inSymbols(notation) : std::string(symbol.name);
}

Json valueJson(const FigureValue& value)
{
    return value.unit == FigureUnit::Memory ? Json(value.bytes.value()) : Json(plainNumber(value.number));
}

Json rowJson(const Explanation& explanation, const ExplanationRow& row)
{
    Json json = Json::object();
    json["id"] = row.id;
    json["figure"] = row.figure.empty() ? Json(nullptr) : Json(row.figure);
    json["title"] = row.title;
    json["sentence"] = row.sentence;
    json["count"] = row.count;
    json["count_meaning"] = row.count_meaning;
    json["formula"] = row.formula;
    json["numbers"] = inNumbers(explanation, row, Notation::Plain);
    json["value"] = valueJson(row.value);
    if (row.band.below != Bytes(0)) json["below_bytes"] = row.band.below.value();
    if (row.band.above != Bytes(0)) json["above_bytes"] = row.band.above.value();
    return json;
}

} // namespace

std::string figureText(const FigureValue& value, ByteUnit unit)
{
    return value.unit == FigureUnit::Memory ? memoryText(value.bytes, unit) : plain(value);
}

std::string differenceText(const FigureValue& value, ByteUnit unit)
{
    if (value.bytes == Bytes(0) && value.number == 0.0) return "no change";
    std::string text = figureText(value, unit);
    if (value.unit == FigureUnit::Fraction) text.replace(text.find('%'), 1, "percentage points");
    return text.starts_with('-') ? text : "+" + text;
}

std::string exactText(const FigureValue& value)
{
    if (value.unit != FigureUnit::Memory) return plain(value);
    return fmt::format("{} bytes = {} = {}", number(static_cast<double>(value.bytes.value())),
        formatBytes(value.bytes, ByteUnit::GB), formatBytes(value.bytes, ByteUnit::GiB));
}

std::string bandText(Bytes value, const Band& band, ByteUnit unit)
{
    if (band == Band{}) return {};
    const std::string low = formatBytes(value - band.below, unit);
    return fmt::format("between {} and {}", low.substr(0, low.find(' ')), formatBytes(value + band.above, unit));
}

std::string countText(const ExplanationRow& row)
{
    if (row.formula.empty()) return {};
    if (row.count == 1) return row.count_meaning;
    const std::string count = number(static_cast<double>(row.count));
    if (row.count_meaning.empty()) return count;
    // "4 micro-batches in flight" says the count itself.
    const bool says_it =
        row.count_meaning.starts_with(count + " ") && row.count_meaning.find(" x ") == std::string::npos;
    return says_it ? row.count_meaning : fmt::format("{} ({})", count, row.count_meaning);
}

std::string formulaText(const Explanation& explanation, const ExplanationRow& row, Notation notation)
{
    if (row.formula.empty()) return {};
    const std::string symbols = inSymbols(row, notation);
    const std::string numbers = inNumbers(explanation, row, notation);
    const std::string one = oneOf(row);
    std::string text = symbols;
    // An amount that stands for itself needs no second and third form.
    if (!numbers.empty() && numbers + " bytes" != one) text += (symbols.empty() ? "" : " = ") + numbers;
    return text + " = " + one;
}

std::string arithmeticText(const Explanation& explanation, const ExplanationRow& row)
{
    const std::string count = countText(row);
    const std::string formula = formulaText(explanation, row, Notation::Plain);
    if (count.empty()) return formula;
    return count + (row.count == 1 ? ": " : ", each ") + formula;
}

std::string explanationText(const Explanation& explanation, ByteUnit unit)
{
    std::string text = fmt::format("{}: {}\n", explanation.title, figureText(explanation.total, unit));
    text += fmt::format("{}\n\n{}\n\n", explanation.figure, explanation.sentence);
    const bool memory = explanation.total.unit == FigureUnit::Memory;
    std::size_t width = figureText(explanation.total, unit).size();
    for (const ExplanationRow& row : explanation.rows)
        width = std::max(width, figureText(row.value, unit).size());
    const std::string indent(width + 2, ' ');
    for (const ExplanationRow& row : explanation.rows) {
        // The only addend of a figure repeats its title and value.
        if (explanation.rows.size() > 1 || !row.figure.empty()) {
            text += fmt::format("{:>{}}  {} ({})\n", figureText(row.value, unit), width, row.title,
                row.figure.empty() ? row.id : row.figure);
            if (!row.sentence.empty() && row.sentence != explanation.sentence) {
                text += fmt::format("{}{}\n", indent, row.sentence);
            }
        }
        const std::string arithmetic = arithmeticText(explanation, row);
        if (!arithmetic.empty()) text += fmt::format("{}{}\n", indent, arithmetic);
    }
    text += fmt::format("{:>{}}  total{}\n", figureText(explanation.total, unit), width,
        memory ? ", " + exactText(explanation.total) : std::string());
    const std::string band = bandText(explanation.total.bytes, explanation.band, unit);
    if (!band.empty()) text += fmt::format("{}{} at the published extremes\n", indent, band);

    std::vector<std::string> lines;
    for (const Symbol& symbol : explanation.symbols) {
        lines.push_back(fmt::format(
            "{:<5} {:>16}  {} ({})", symbol.name, symbolValue(symbol, Notation::Plain), symbol.meaning, symbol.from));
    }
    text += plainList("Symbols", lines);
    lines.clear();
    for (const Sensitivity& change : explanation.sensitivity) {
        lines.push_back(fmt::format("{:<24} {:>16}", change.change, differenceText(change.difference, unit)));
    }
    text += plainList("If one input changed", lines);
    text += plainList("Sources", explanation.sources);
    text += plainList("Left out", explanation.left_out);
    return text;
}

std::string explanationMarkdown(const Explanation& explanation, ByteUnit unit)
{
    std::string text = fmt::format(
        "### {}: {}\n\n{}\n\n", explanation.title, figureText(explanation.total, unit), explanation.sentence);
    text += "| What | Count | Formula of one | Numbers | Value |\n|---|---|---|---|---:|\n";
    for (const ExplanationRow& row : explanation.rows) {
        const std::string symbols = inSymbols(row, Notation::Markdown);
        text += fmt::format("| {} | {} | {} | {} | {} |\n", row.title, countText(row),
            symbols.empty() ? symbols : fmt::format("`{}`", symbols), inNumbers(explanation, row, Notation::Markdown),
            figureText(row.value, unit));
    }
    text += fmt::format(
        "| **Total** | | | | **{}** |\n\n{}\n", figureText(explanation.total, unit), exactText(explanation.total));
    const std::string band = bandText(explanation.total.bytes, explanation.band, unit);
    if (!band.empty()) text += fmt::format("\n{} at the published extremes.\n", band);

    std::vector<std::string> lines;
    for (const Symbol& symbol : explanation.symbols) {
        lines.push_back(
            fmt::format("`{}` = {}: {}", symbol.name, symbolValue(symbol, Notation::Markdown), symbol.meaning));
    }
    text += markdownList("Symbols", lines);
    lines.clear();
    for (const Sensitivity& change : explanation.sensitivity)
        lines.push_back(fmt::format("{}: {}", change.change, differenceText(change.difference, unit)));
    text += markdownList("If one input changed", lines);
    text += markdownList("Sources", explanation.sources);
    text += markdownList("Left out", explanation.left_out);
    return text;
}

std::string explanationLatex(const Explanation& explanation, ByteUnit unit)
{
    const auto value = [&](const FigureValue& figure) {
        return fmt::format("\\text{{{}}}", escapedLatex(figureText(figure, unit)));
    };
    std::string text = fmt::format("\\paragraph{{{}: {}}}\n{}\n", escapedLatex(explanation.title),
        escapedLatex(figureText(explanation.total, unit)), escapedLatex(explanation.sentence));
    text += "\\begin{align*}\n";
    for (const ExplanationRow& row : explanation.rows) {
        const std::string symbols = inSymbols(row, Notation::Latex);
        const std::string numbers = inNumbers(explanation, row, Notation::Latex);
        std::string right;
        if (!symbols.empty()) right += " = " + timesLatex(row, symbols);
        if (!numbers.empty() && numbers != symbols) right += " = " + timesLatex(row, numbers);
        // Values are rounded to the unit; a sum of other figures has nothing before its value.
        text += fmt::format("  \\text{{{}}} &{} {} {} \\\\\n", escapedLatex(row.title), right,
            right.empty() ? "=" : "\\approx", value(row.value));
    }
    text += fmt::format("  \\text{{Total}} &= {}\n\\end{{align*}}\n", value(explanation.total));
    const std::string band = bandText(explanation.total.bytes, explanation.band, unit);
    if (!band.empty()) text += fmt::format("{} at the published extremes.\n", escapedLatex(band));

    if (!explanation.symbols.empty()) text += "\\begin{tabular}{lrl}\n";
    for (const Symbol& symbol : explanation.symbols) {
        text += fmt::format("  ${}$ & ${}$ & {} \\\\\n", symbolName(symbol, Notation::Latex),
            symbolValue(symbol, Notation::Latex), escapedLatex(symbol.meaning));
    }
    if (!explanation.symbols.empty()) text += "\\end{tabular}\n";
    std::vector<std::string> lines;
    for (const Sensitivity& change : explanation.sensitivity)
        lines.push_back(fmt::format("{}: {}", change.change, differenceText(change.difference, unit)));
    text += latexList("If one input changed", lines);
    text += latexList("Sources", explanation.sources);
    text += latexList("Left out", explanation.left_out);
    return text;
}

std::string explanationJson(const Explanation& explanation)
{
    Json json = Json::object();
    json["format"] = "cardfit/explanation";
    json["version"] = 1;
    json["figure"] = explanation.figure;
    json["title"] = explanation.title;
    json["sentence"] = explanation.sentence;
    json["unit"] = unitWord(explanation.total.unit);
    json["total"] = valueJson(explanation.total);
    if (explanation.band.below != Bytes(0)) json["below_bytes"] = explanation.band.below.value();
    if (explanation.band.above != Bytes(0)) json["above_bytes"] = explanation.band.above.value();
    json["rows"] = Json::array();
    for (const ExplanationRow& row : explanation.rows)
        json["rows"].push_back(rowJson(explanation, row));
    json["symbols"] = Json::array();
    for (const Symbol& symbol : explanation.symbols) {
        Json entry = Json::object();
        entry["name"] = symbol.name;
        entry["value"] = plainNumber(symbol.value);
        entry["meaning"] = symbol.meaning;
        entry["from"] = symbol.from;
        json["symbols"].push_back(std::move(entry));
    }
    json["sensitivity"] = Json::array();
    for (const Sensitivity& change : explanation.sensitivity) {
        Json entry = Json::object();
        entry["change"] = change.change;
        entry["difference"] = valueJson(change.difference);
        json["sensitivity"].push_back(std::move(entry));
    }
    json["sources"] = explanation.sources;
    json["left_out"] = explanation.left_out;
    return indentedJson(json);
}

} // namespace cardfit
