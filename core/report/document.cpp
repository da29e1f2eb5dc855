// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/foreign_text.h"

namespace cardfit {

namespace {

// ---- Markdown

std::string markdownRow(const Row& cells, auto&& text)
{
    std::string row = "|";
    for (const std::string& cell : cells)
        row += fmt::format(" {} |", text(cell));
    return row + "\n";
}

std::string markdownOf(const DocumentTable& table)
{
    std::string text = markdownRow(table.header, markdownText) + "|";
    for (std::size_t i = 0; i < table.header.size(); ++i)
        text += i < table.words ? "---|" : "---:|";
    text += "\n";
    for (const Row& row : table.rows)
        text += markdownRow(row, markdownText);
    return text + "\n";
}

/// A fence that the text does not contain.
std::string markdownOf(const DocumentCode& code)
{
    std::string fence = "```";
    while (code.text.find(fence) != std::string::npos)
        fence += '`';
    return fmt::format(
        "{0}\n{1}{2}{0}\n\n", fence, printable(code.text, LineBreaks::Kept), code.text.ends_with('\n') ? "" : "\n");
}

std::string markdownOf(const DocumentPart& part, const FigureText& figure)
{
    return std::visit(
        [&](const auto& one) -> std::string {
            using Part = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Part, DocumentText>) {
                const bool strong = one.tone != Tone::Plain && one.tone != Tone::Note;
                return fmt::format("{0}{1}{0}\n\n", strong ? "**" : "", markdownText(one.text));
            } else if constexpr (std::is_same_v<Part, DocumentHeading>) {
                return fmt::format("### {}\n\n", markdownText(one.text));
            } else if constexpr (std::is_same_v<Part, DocumentList>) {
                std::string text;
                for (const std::string& item : one.items)
                    text += fmt::format("* {}\n", markdownText(item));
                return text + "\n";
            } else if constexpr (std::is_same_v<Part, DocumentFigure>) {
                const std::string file = figure(one);
                return file.empty() ? std::string() : fmt::format("![{}]({})\n\n", markdownText(one.caption), file);
            } else {
                return markdownOf(one);
            }
        },
        part);
}

// ---- HTML

/// As an element's text, and as an attribute's value.
std::string html(std::string_view text, LineBreaks breaks = LineBreaks::Escaped)
{
    std::string escaped;
    for (const char c : xmlEscaped(printable(text, breaks))) {
        if (c == '"')
            escaped += "&quot;";
        else
            escaped += c;
    }
    return escaped;
}

/// As an element's text in which long addresses can be broken.
std::string breakable(std::string_view text)
{
    constexpr std::size_t kLong = 40;
    std::string broken;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        for (std::size_t i = 0; i < word.size();) {
            const std::size_t next =
                word.size() > kLong ? std::min(word.find('/', i), word.size() - 1) + 1 : word.size();
            broken += html(word.substr(i, next - i));
            if (next < word.size()) broken += "<wbr />";
            i = next;
        }
        if (end < text.size()) broken += ' ';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return broken;
}

std::string_view classOf(Tone tone)
{
    switch (tone) {
    case Tone::Good: return "good";
    case Tone::Caution: return "caution";
    case Tone::Bad: return "bad";
    case Tone::Note: return "note";
    case Tone::Plain: break;
    }
    return {};
}

// Plain selectors, which Qt's text views know too; "@" rules are for browsers alone.
constexpr std::string_view kStyle = R"(
body { font-family: Inter, "Helvetica Neue", "Noto Sans", "Noto Sans CJK SC", Arial, sans-serif; color: #1c2024; }
h1 { font-size: 20pt; margin-bottom: 2px; }
h2 { font-size: 14pt; margin-top: 22px; margin-bottom: 6px; }
h3 { font-size: 11pt; margin-top: 14px; margin-bottom: 4px; }
p { margin-top: 4px; margin-bottom: 8px; }
.facts { color: #60646c; }
.note { color: #60646c; }
.good { color: #18794e; font-weight: bold; }
.caution { color: #915930; font-weight: bold; }
.bad { color: #c62a2f; font-weight: bold; }
th { text-align: left; }
pre { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; background-color: #f4f5f6; }
@media screen {
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1.5rem; line-height: 1.45; }
  html { background: #ffffff; }
}
@media screen, print {
  h1, h2, h3 { line-height: 1.25; page-break-after: avoid; }
  h2 { border-bottom: 1px solid #d7dbdf; padding-bottom: 3px; }
  table { border-collapse: collapse; font-size: 0.9em; font-variant-numeric: tabular-nums; margin-bottom: 10px; }
  th, td { border: 0; border-bottom: 1px solid #e2e5e9; padding: 4px 14px 4px 0; vertical-align: top; }
  th { color: #60646c; font-weight: 600; border-bottom: 1px solid #b9bec4; }
  tr > :last-child { padding-right: 0; }
  .figure { margin: 10px 0 14px 0; page-break-inside: avoid; }
  .figure svg { width: 100%; height: auto; }
  pre { padding: 10px 12px; overflow-x: auto; font-size: 0.82em; white-space: pre-wrap; }
}
@page { size: A4; margin: 18mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font-size: 8pt; } }
@media print { body { font-size: 9pt; } tr { page-break-inside: avoid; } thead { display: table-header-group; } }
)";

std::string htmlOf(const DocumentTable& table)
{
    const auto row = [&](const Row& cells, const char* tag) {
        std::string text = "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i)
            text +=
                fmt::format("<{0} align=\"{1}\">{2}</{0}>", tag, i < table.words ? "left" : "right", html(cells[i]));
        return text + "</tr>\n";
    };
    std::string text =
        "<table cellpadding=\"3\" cellspacing=\"0\">\n<thead>" + row(table.header, "th") + "</thead>\n<tbody>\n";
    for (const Row& cells : table.rows)
        text += row(cells, "td");
    return text + "</tbody>\n</table>\n";
}

std::string htmlOf(const DocumentPart& part, const FigureText& figure)
{
    return std::visit(
        [&](const auto& one) -> std::string {
            using Part = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Part, DocumentText>) {
                if (one.tone == Tone::Plain) return fmt::format("<p>{}</p>\n", html(one.text));
                return fmt::format("<p class=\"{}\">{}</p>\n", classOf(one.tone), html(one.text));
            } else if constexpr (std::is_same_v<Part, DocumentHeading>) {
                return fmt::format("<h3>{}</h3>\n", html(one.text));
            } else if constexpr (std::is_same_v<Part, DocumentList>) {
                std::string text = "<ul>\n";
                for (const std::string& item : one.items)
                    text += fmt::format("<li>{}</li>\n", breakable(item));
                return text + "</ul>\n";
            } else if constexpr (std::is_same_v<Part, DocumentFigure>) {
                const std::string element = figure(one);
                if (element.empty()) return {};
                return fmt::format(
                    "<p class=\"figure\" role=\"img\" aria-label=\"{}\">{}</p>\n", html(one.caption), element);
            } else if constexpr (std::is_same_v<Part, DocumentCode>) {
                return fmt::format("<pre>{}</pre>\n", html(one.text, LineBreaks::Kept));
            } else {
                return htmlOf(one);
            }
        },
        part);
}

} // namespace

std::string documentMarkdown(const Document& document, const FigureText& figure)
{
    std::string text = fmt::format("# {}\n\n", markdownText(document.title));
    std::vector<std::string> facts;
    for (const std::string& fact : document.facts)
        facts.push_back(markdownText(fact));
    if (!facts.empty()) text += fmt::format("{}\n\n", fmt::join(facts, " · "));
    for (const DocumentPart& part : document.lead)
        text += markdownOf(part, figure);
    for (const DocumentSection& section : document.sections) {
        text += fmt::format("## {}\n\n", markdownText(section.title));
        for (const DocumentPart& part : section.parts)
            text += markdownOf(part, figure);
    }
    text.pop_back(); // the last part's empty line
    return text;
}

std::string documentHtml(const Document& document, const FigureText& figure)
{
    std::string text =
        fmt::format("<!DOCTYPE html>\n<html lang=\"{}\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
                    "<meta charset=\"utf-8\" />\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n",
            document.language);
    text += fmt::format("<meta name=\"generator\" content=\"Cardfit\" />\n");
    if (!document.author.empty())
        text += fmt::format("<meta name=\"author\" content=\"{}\" />\n", html(document.author));
    text += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n", html(document.title),
        // In XML a ">" may stand in an element; nothing else of the style is markup.
        kStyle, html(document.title));
    std::vector<std::string> facts;
    for (const std::string& fact : document.facts)
        facts.push_back(html(fact));
    if (!facts.empty()) text += fmt::format("<p class=\"facts\">{}</p>\n", fmt::join(facts, " · "));
    for (const DocumentPart& part : document.lead)
        text += htmlOf(part, figure);
    for (const DocumentSection& section : document.sections) {
        text += fmt::format("<h2 id=\"{}\">{}</h2>\n", section.id, html(section.title));
        for (const DocumentPart& part : section.parts)
            text += htmlOf(part, figure);
    }
    return text + "</body>\n</html>\n";
}

std::string svgElement(std::string_view svg)
{
    const std::size_t begin = svg.find("<svg");
    return begin == std::string_view::npos ? std::string() : std::string(svg.substr(begin));
}

} // namespace cardfit
