// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/report/columns.h"

/// A document as a tree that knows no format, and its writers. Its texts are in one language and not escaped.
namespace cardfit {

/// How a paragraph is meant.
enum class Tone { Plain, Good, Caution, Bad, Note };

struct DocumentText {
    std::string text;
    Tone tone = Tone::Plain; ///< all but Plain and Note are emphasized
};
struct DocumentHeading {
    std::string text; ///< of a part within a section
};
struct DocumentList {
    std::vector<std::string> items;
};
struct DocumentTable {
    Row header;
    std::vector<Row> rows; ///< as long as the header
    std::size_t words = 1; ///< so many columns begin at the left; the others are numbers, which end at the right
};
/// A picture, by name: whoever writes the document has it, or leaves it out.
struct DocumentFigure {
    std::string name; ///< "memory"
    std::string caption;
};
struct DocumentCode {
    std::string text;
};
using DocumentPart =
    std::variant<DocumentText, DocumentHeading, DocumentList, DocumentTable, DocumentFigure, DocumentCode>;

struct DocumentSection {
    std::string id; ///< "memory"
    std::string title;
    std::vector<DocumentPart> parts;
};

struct Document {
    std::string title;
    std::string language = "en"; ///< as in HTML
    std::string author; ///< or empty
    std::vector<std::string> facts; ///< date, author, program: one line below the title
    std::vector<DocumentPart> lead; ///< before all sections: for who reads no further
    std::vector<DocumentSection> sections;
};

/// What stands in the text for a figure: a file's name in Markdown, an element in HTML. Empty: the figure is left out.
using FigureText = std::function<std::string(const DocumentFigure& figure)>;
[[nodiscard]] inline std::string noFigure(const DocumentFigure& /*figure*/) { return {}; }

[[nodiscard]] std::string documentMarkdown(const Document& document, const FigureText& figure = noFigure);

/// One file, well-formed as XML too. Its style is for browsers, for paper, and for the subset that Qt's text views
/// know.
[[nodiscard]] std::string documentHtml(const Document& document, const FigureText& figure = noFigure);

/// An SVG file as an element of an HTML file: without what stands before <svg>.
[[nodiscard]] std::string svgElement(std::string_view svg);

} // namespace cardfit
