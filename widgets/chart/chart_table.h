// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QString>
#include <QStringList>

namespace cardfit::ui {

/// What a chart shows, in words and numbers: for readers of screens, and for spreadsheets.
struct ChartTable {
    QString title;
    QStringList columns;
    std::vector<QStringList> rows; ///< each as long as `columns`
    int text_columns = 1; ///< so many at the left are words; the others are numbers
    QString note; ///< what the rows leave out; empty if nothing
};

/// "Weights (GB)": the heading of a column of numbers.
[[nodiscard]] QString withUnit(const QString& name, const QString& unit);
/// Seconds of a cell, to the nanosecond.
[[nodiscard]] QString secondsCell(double seconds);

/// What spreadsheets paste, and what they open (RFC 4180): a line of columns, then one for each row.
[[nodiscard]] QString tabSeparated(const ChartTable& table);
[[nodiscard]] QString commaSeparated(const ChartTable& table);

} // namespace cardfit::ui
