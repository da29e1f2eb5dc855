// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>
#include <QStringList>

namespace cardfit::ui {

/// What a chart shows as words and numbers, for screen readers and spreadsheets.
struct ChartTable {
    QString title;
    QStringList columns;
    std::vector<QStringList> rows; ///< each as long as `columns`
    int text_columns = 1; ///< the first so many columns are words; the others are numbers
    int last_text_columns = 0; ///< but the last so many, which are words too
    QString note; ///< what the rows leave out; empty if nothing is left out
};

/// Whether a column holds words.
[[nodiscard]] inline bool isOfWords(const ChartTable& table, qsizetype column)
{
    return column < table.text_columns || column >= table.columns.size() - table.last_text_columns;
}

/// "Weights (GB)": the heading of a column of numbers.
[[nodiscard]] QString withUnit(const QString& name, const QString& unit);
/// Seconds as text of a cell, to the nanosecond.
[[nodiscard]] QString secondsCell(double seconds);

/// Formats for pasting into spreadsheets and for files (RFC 4180): a line of column headings, then one line for each
/// row.
[[nodiscard]] QString tabSeparated(const ChartTable& table);
[[nodiscard]] QString commaSeparated(const ChartTable& table);

} // namespace cardfit::ui
