// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/explain/explain.h"
#include "core/report/reports.h"

/// An Explanation as text: for the terminal, for documents, for papers, for other programs.
namespace cardfit {

/// "22.35 GB" ("1.31 MB" where GB would show 0.00), "13,015,864,320", "3.104 s", "44.10 %", "4 micro-batches".
[[nodiscard]] Sentence figureText(const FigureValue& value, ByteUnit unit = ByteUnit::GB);

/// The same with a sign, "no change" for zero.
[[nodiscard]] Sentence differenceText(const FigureValue& value, ByteUnit unit = ByteUnit::GB);

/// "22,350,000,000 bytes = 22.35 GB = 20.81 GiB"; for figures other than memory the same as figureText().
[[nodiscard]] Sentence exactText(const FigureValue& value);

/// "between 71.20 and 80.10 GB", or empty if the figure has no error band.
[[nodiscard]] Sentence bandText(Bytes value, const Band& band, ByteUnit unit = ByteUnit::GB);

/// How many equal parts a row has: "80 (20 layers x 4 micro-batches in flight)"; empty for one part without a meaning
/// and for a sum of other figures.
[[nodiscard]] Sentence countText(const ExplanationRow& row);

/// What one part is: "w g T f / t = 2 x 2 x 8 x 7 / 1 = 224 bytes"; empty for a sum of other figures.
[[nodiscard]] Sentence formulaText(
    const Explanation& explanation, const ExplanationRow& row, Notation notation = Notation::Plain);

/// Both on one line: "80 (20 layers x 4 micro-batches in flight), each w g T f / t = 2 x 2 x 8 x 7 / 1 = 224 bytes".
[[nodiscard]] Sentence arithmeticText(const Explanation& explanation, const ExplanationRow& row);

/// The whole explanation, in English or as the translation has it; sources stay as they are cited.
[[nodiscard]] std::string explanationText(
    const Explanation& explanation, ByteUnit unit = ByteUnit::GB, const Translation& translation = inEnglish);
[[nodiscard]] std::string explanationMarkdown(
    const Explanation& explanation, ByteUnit unit = ByteUnit::GB, const Translation& translation = inEnglish);
/// A fragment for a document that loads amsmath.
[[nodiscard]] std::string explanationLatex(
    const Explanation& explanation, ByteUnit unit = ByteUnit::GB, const Translation& translation = inEnglish);
/// format "cardfit/explanation"; two-space indent, no newline at the end.
[[nodiscard]] std::string explanationJson(const Explanation& explanation);

} // namespace cardfit
