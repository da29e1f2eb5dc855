// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain_view.h"

#include <cmath>

#include <QAbstractTextDocumentLayout>
#include <QEvent>

#include "core/report/constants_text.h"
#include "core/report/explanation_text.h"
#include "widgets/chart/theme.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

QString escaped(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QString escaped(const QString& text) { return text.toHtmlEscaped(); }
QString escaped(const Sentence& sentence) { return translated(sentence).toHtmlEscaped(); }

/// The same for an amount, with the typographic minus sign that charts and tables use.
QString escapedAmount(const Sentence& sentence)
{
    QString text = escaped(sentence);
    if (text.startsWith(u'-')) text[0] = u'−';
    return text;
}

/// Writes one explanation as rich text, in the window's colours.
class Page {
public:
    Page(const Explanation& explanation, ByteUnit unit, const Theme& theme)
        : m_explanation(explanation)
        , m_unit(unit)
        , m_muted(theme.muted_text.name())
        , m_line(theme.grid.name())
    {
    }

    QString write()
    {
        addHead();
        addRows();
        addSymbols();
        addSensitivity();
        addList(sharedText("Left out"), m_explanation.left_out);
        addList(sharedText("Sources"), m_explanation.sources);
        addConstants();
        return m_html;
    }

private:
    [[nodiscard]] QString muted(const QString& html) const
    {
        return QStringLiteral("<span style='color:%1'>%2</span>").arg(m_muted, html);
    }
    void addHeading(const QString& text)
    {
        m_html += QStringLiteral("<p style='margin-top:10px;margin-bottom:2px'><b>%1</b></p>").arg(text);
    }
    void beginTable()
    {
        m_html +=
            QStringLiteral("<table width='100%' cellspacing='0' cellpadding='2' style='border-collapse:collapse'>");
    }
    void endTable() { m_html += QStringLiteral("</table>"); }

    void addHead()
    {
        const FigureValue& total = m_explanation.total;
        m_html += QStringLiteral("<p style='margin-bottom:2px'><b>%1</b><br/><big><b>%2</b></big></p>")
                      .arg(escaped(m_explanation.title), escapedAmount(figureText(total, m_unit)));
        QString exact;
        if (total.unit == FigureUnit::Memory) exact = escapedAmount(exactText(total));
        const QString band = escaped(bandText(total.bytes, m_explanation.band, m_unit));
        if (!band.isEmpty())
            exact += QStringLiteral("<br/>") + ExplainView::tr("%1 at the published extremes").arg(band);
        if (!exact.isEmpty()) m_html += QStringLiteral("<p style='margin-top:0'>%1</p>").arg(muted(exact));
        m_html += QStringLiteral("<p style='margin-bottom:6px'>%1</p>").arg(escaped(m_explanation.sentence));
    }

    void addRows()
    {
        if (m_explanation.rows.empty()) return;
        beginTable();
        for (const ExplanationRow& row : m_explanation.rows)
            addRow(row);
        endTable();
    }

    void addRow(const ExplanationRow& row)
    {
        QString title = escaped(row.title);
        if (!row.figure.empty()) {
            title =
                QStringLiteral("<a href='%1' title='%2'>%3</a>").arg(escaped(row.figure), escaped(row.sentence), title);
        }
        // A figure's only addend would repeat its title and value.
        if (m_explanation.rows.size() > 1 || !row.figure.empty()) {
            m_html += QStringLiteral("<tr><td width='99%' style='border-top:1px solid %1'>%2</td>"
                                     "<td align='right' style='border-top:1px solid %1;white-space:pre'>%3</td></tr>")
                          .arg(m_line, title, escapedAmount(figureText(row.value, m_unit)));
        }
        const QString formula = translated(formulaText(m_explanation, row, Notation::Html));
        if (formula.isEmpty()) return;
        QString lines = escaped(countText(row)).replace(QLatin1StringView(" x "), QStringLiteral(" × "));
        if (!lines.isEmpty()) lines += QStringLiteral("<br/>");
        m_html += QStringLiteral("<tr><td colspan='2'>%1</td></tr>").arg(muted(lines + formula));
    }

    void addSymbols()
    {
        if (m_explanation.symbols.empty()) return;
        addHeading(sharedText("Symbols"));
        // Paragraphs instead of a table: laying out a table of this length would take longer than one frame of a drag.
        for (const Symbol& symbol : m_explanation.symbols) {
            const auto formula = Formula::parse(symbol.name);
            const QString name = formula ? QString::fromStdString(formula->inSymbols(Notation::Html)) : QString();
            m_html += QStringLiteral("<p style='margin-top:0;margin-bottom:1px'>%1 = %2&nbsp; %3</p>")
                          .arg(name, escaped(groupedNumber(symbol.value)), muted(escaped(symbol.meaning)));
        }
    }

    void addSensitivity()
    {
        if (m_explanation.sensitivity.empty()) return;
        addHeading(sharedText("If one input changed"));
        beginTable();
        for (const Sensitivity& change : m_explanation.sensitivity) {
            m_html += QStringLiteral("<tr><td>%1</td><td align='right' style='white-space:nowrap'>%2</td></tr>")
                          .arg(escaped(change.change), escapedAmount(differenceText(change.difference, m_unit)));
        }
        endTable();
    }

    void addConstants()
    {
        QStringList lines;
        for (const Constant constant : m_explanation.constants)
            lines << translated(constantText(constant));
        addList(sharedText("Constants"), lines);
    }

    template <class Texts> void addList(const QString& heading, const Texts& texts)
    {
        if (texts.empty()) return;
        addHeading(heading);
        for (const auto& text : texts) {
            m_html += QStringLiteral("<p style='margin-top:0;margin-bottom:3px'>%1</p>").arg(muted(escaped(text)));
        }
    }

    const Explanation& m_explanation;
    ByteUnit m_unit;
    QString m_muted;
    QString m_line;
    QString m_html;
};

} // namespace

ExplainView::ExplainView(QWidget* parent)
    : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
        [this](const QSizeF& size) { setFixedHeight(static_cast<int>(std::ceil(size.height()))); });
    document()->setDocumentMargin(8.0);
    setAccessibleName(tr("Explanation"));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) { emit figureChosen(link.toString()); });
}

void ExplainView::setExplanation(const Explanation& explanation, ByteUnit unit)
{
    const bool same = m_explanation && m_explanation->figure == explanation.figure;
    m_explanation = explanation;
    m_unit = unit;
    rebuild();
    if (!same) emit pageTurned();
}

void ExplainView::setMessage(const QString& message)
{
    if (!m_explanation && message == m_message) return;
    m_explanation.reset();
    m_message = message;
    rebuild();
}

void ExplainView::rebuild()
{
    setHtml(m_explanation ? Page(*m_explanation, m_unit, themeFor(palette())).write()
                          : QStringLiteral("<p>%1</p>").arg(m_message.toHtmlEscaped()));
}

void ExplainView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) rebuild();
}

} // namespace cardfit::ui
