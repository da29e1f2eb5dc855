// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_table.h"

#include <QCoreApplication> // Q_DECLARE_TR_FUNCTIONS

namespace cardfit::ui {

namespace {

struct ChartTables {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::ChartTables)
};

/// Quotes a text that contains the separator, a quote or a line break. Puts an apostrophe before words that a
/// spreadsheet would run as a formula.
QString field(const QString& text, QChar separator, bool is_word)
{
    QString quoted = is_word && QStringView(u"=+-@").contains(text.front()) ? u'\'' + text : text;
    // Spreadsheets read a number with a typographic minus sign as text.
    if (!is_word && quoted.startsWith(u'−')) quoted[0] = u'-';
    if (!quoted.contains(separator) && !quoted.contains(u'"') && !quoted.contains(u'\n') && !quoted.contains(u'\r'))
        return quoted;
    quoted.replace(u'"', QStringLiteral("\"\""));
    return u'"' + quoted + u'"';
}

QString separated(const ChartTable& table, QChar separator)
{
    QString text;
    const auto add = [&](const QStringList& row) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i > 0) text += separator;
            text += field(row[i], separator, isOfWords(table, i) && row[i].size() > 1);
        }
        text += u'\n';
    };
    add(table.columns);
    for (const QStringList& row : table.rows)
        add(row);
    return text;
}

} // namespace

QString withUnit(const QString& name, const QString& unit)
{
    return ChartTables::tr("%1 (%2)", "column: unit").arg(name, unit);
}

QString secondsCell(double seconds) { return QString::number(seconds, 'g', 9); }

QString tabSeparated(const ChartTable& table) { return separated(table, u'\t'); }

QString commaSeparated(const ChartTable& table) { return separated(table, u','); }

} // namespace cardfit::ui
