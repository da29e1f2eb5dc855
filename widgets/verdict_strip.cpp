// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/verdict_strip.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

#include "core/accuracy/verdicts.h"
#include "core/report/calibration_text.h"
#include "widgets/chart/accessible_role.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/run_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr int kPadding = 8;
constexpr int kIcon = 14;
constexpr int kSeparator = 21; ///< a thin line with space on both sides

QString memoryHeadline(const Estimate& estimate, ByteUnit unit)
{
    const std::size_t worst = estimate.worstStage();
    const StageMemory& stage = estimate.stages[worst];
    if (verdict(stage) == Verdict::Refused)
        return VerdictStrip::tr("stage %1: the server lacks %2 for one sequence")
            .arg(QString::number(worst), bytesText(stage.server_lacks, unit, 1));
    return VerdictStrip::tr("stage %1: %2 of %3 (%4)", "fullest stage: used of capacity (free)")
        .arg(QString::number(worst), bytesNumber(stage.device(), unit), bytesText(stage.capacity, unit, 1),
            signedBytesNumber(stage.free(), unit));
}

/// "step 3.10 s (−6…+16 %)"
QString stepFact(const Plan& plan, const StepEstimate& step)
{
    const QString time = timeText(step.seconds.value());
    const QString error = errorText(step.band);
    if (plan.workload.task == Task::Inference)
        return VerdictStrip::tr("prefill %1 (%2)", "time, error").arg(time, error);
    if (plan.calibration) return VerdictStrip::tr("step %1 (%2), calibrated").arg(time, error);
    return VerdictStrip::tr("step %1 (%2)", "time, error").arg(time, error);
}

/// "data 8 · 64 micro-batches"; for a served model, how many sequences it holds at once.
QString batchFact(const Plan& plan, const Estimate& estimate)
{
    if (estimate.isServed()) {
        const auto sequences = plan.workload.global_batch_size;
        return sequences == 1 ? sharedText("1 sequence") : VerdictStrip::tr("%1 sequences at once").arg(sequences);
    }
    const auto micro_batches = estimate.pipeline.micro_batches;
    return VerdictStrip::tr("data %1 · %2", "data-parallel replicas, micro-batches")
        .arg(dataParallel(plan))
        .arg(
            micro_batches == 1 ? sharedText("1 micro-batch") : VerdictStrip::tr("%1 micro-batches").arg(micro_batches));
}

/// The icon of the verdict, in a square of 14 pixels.
void drawIcon(QPainter& painter, Verdict verdict, QPointF corner)
{
    const auto at = [&](double x, double y) { return corner + QPointF(x, y); };
    switch (verdict) {
    case Verdict::Invalid:
        painter.drawEllipse(at(7, 7), 5.5, 5.5);
        painter.drawLine(at(3.2, 10.8), at(10.8, 3.2));
        break;
    case Verdict::Fits: painter.drawPolyline(QPolygonF({at(2, 7.5), at(5.5, 11), at(12, 3)})); break;
    case Verdict::Tight:
        painter.drawPolygon(QPolygonF({at(7, 1.5), at(13, 12.5), at(1, 12.5)}));
        painter.drawLine(at(7, 5.5), at(7, 8.5));
        painter.drawPoint(at(7, 10.7));
        break;
    case Verdict::Refused:
    case Verdict::Over:
        painter.drawLine(at(2.5, 2.5), at(11.5, 11.5));
        painter.drawLine(at(11.5, 2.5), at(2.5, 11.5));
        break;
    }
}

} // namespace

QString verdictLabel(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Fits: return VerdictStrip::tr("FITS");
    case Verdict::Tight: return VerdictStrip::tr("TIGHT");
    case Verdict::Refused: return VerdictStrip::tr("REFUSED");
    case Verdict::Over: return VerdictStrip::tr("OVER");
    case Verdict::Invalid: return VerdictStrip::tr("INVALID");
    }
    return {};
}

QString VerdictText::plain() const
{
    QStringList parts{verdictLabel(verdict), headline};
    for (const auto& fact : facts)
        parts.append(fact.text);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" │ "));
}

VerdictText verdictText(
    const Plan& plan, const Estimate& estimate, const VerdictStyle& style, double elapsed_milliseconds)
{
    VerdictText text;
    const bool has_numbers = estimate.complete() && !estimate.stages.empty();
    text.verdict = verdict(estimate);
    if (text.verdict == Verdict::Invalid) {
        text.headline = brokenRulesText(estimate);
        if (has_numbers) text.facts.push_back({memoryHeadline(estimate, style.unit), 1});
    } else {
        text.headline = memoryHeadline(estimate, style.unit);
        if (const VerdictRecord record = verdictRecord(text.verdict); record.all() > 0) {
            const double share = static_cast<double>(record.ran) / static_cast<double>(record.all());
            text.facts.push_back({VerdictStrip::tr("%1 of such plans ran").arg(percentText(share)), 4});
            text.notes.append(VerdictStrip::tr("Of %1 published runs with this verdict %2 ran and %3 died of memory.")
                                  .arg(record.all())
                                  .arg(record.ran)
                                  .arg(record.died));
        }
    }
    if (has_numbers) {
        text.facts.push_back({batchFact(plan, estimate), 4});
        if (!estimate.isServed() || estimate.stages.size() > 1)
            text.facts.push_back(
                {VerdictStrip::tr("bubble %1").arg(percentText(estimate.pipeline.bubble_fraction)), 5});
    }
    if (has_numbers && estimate.step.seconds > Seconds(0.0)) {
        text.facts.push_back({stepFact(plan, estimate.step), 2});
        if (estimate.step.run) text.facts.push_back({runFact(*estimate.step.run), 3});
        const QString utilization = utilizationText(estimate.step, style.utilization);
        if (!utilization.isEmpty()) text.facts.push_back({utilization, 6});
        text.notes.append(errorMeaning(estimate.step.band));
        if (estimate.isServed()) text.notes.append(VerdictStrip::tr("Decoding is not estimated."));
        if (plan.calibration) text.notes.append(QString::fromStdString(calibrationLine(*plan.calibration)));
        text.notes.append(utilizationMeaning(style.utilization.definition));
    }
    text.facts.push_back({timeText(1e-3 * elapsed_milliseconds), 7});
    return text;
}

VerdictStrip::VerdictStrip(QWidget* parent)
    : QWidget(parent)
    , m_theme(themeFor(palette()))
{
    installAccessibleRole<VerdictStrip, QAccessible::StaticText>();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus);
    refresh();
}

void VerdictStrip::setEstimate(
    const Plan& plan, std::shared_ptr<const Estimate> estimate, const VerdictStyle& style, double elapsed_milliseconds)
{
    m_plan = plan;
    m_estimate = std::move(estimate);
    m_style = style;
    m_elapsed = elapsed_milliseconds;
    refresh();
}

void VerdictStrip::setTheme(const Theme& theme)
{
    m_follows_palette = false;
    m_theme = theme;
    update();
}

void VerdictStrip::refresh()
{
    m_text = m_estimate ? verdictText(m_plan, *m_estimate, m_style, m_elapsed) : VerdictText{};
    if (!m_estimate) m_text.headline = tr("No plan yet");
    setAccessibleName(m_text.plain());
    setTip(this, (QStringList(m_text.plain()) + m_text.notes).join(u'\n'));
    setAccessibleDescription(m_text.notes.join(u' '));
    update();
}

QFont VerdictStrip::boldFont() const
{
    QFont bold = font();
    bold.setBold(true);
    return bold;
}

int VerdictStrip::badgeWidth() const
{
    const QFontMetrics metrics(boldFont());
    return kPadding + kIcon + 6 + metrics.horizontalAdvance(verdictLabel(m_text.verdict)) + kPadding;
}

QColor VerdictStrip::badgeColour() const
{
    switch (m_text.verdict) {
    case Verdict::Fits: return m_theme.fits;
    case Verdict::Tight: return m_theme.tight;
    case Verdict::Refused:
    case Verdict::Over: return m_theme.over_badge;
    case Verdict::Invalid: break;
    }
    return m_theme.invalid;
}

QSize VerdictStrip::sizeHint() const
{
    int width = badgeWidth() + 2 * kPadding + QFontMetrics(boldFont()).horizontalAdvance(m_text.headline);
    for (const auto& fact : m_text.facts)
        width += kSeparator + fontMetrics().horizontalAdvance(fact.text);
    return {width + kPadding, fontMetrics().height() + 14};
}

QSize VerdictStrip::minimumSizeHint() const { return {240, fontMetrics().height() + 14}; }

std::vector<QString> VerdictStrip::shownFacts() const
{
    int room = width() - badgeWidth() - 3 * kPadding - QFontMetrics(boldFont()).horizontalAdvance(m_text.headline);
    std::vector<std::size_t> by_rank(m_text.facts.size());
    for (std::size_t i = 0; i < by_rank.size(); ++i)
        by_rank[i] = i;
    std::ranges::sort(by_rank, {}, [this](std::size_t i) { return m_text.facts[i].rank; });
    std::vector<bool> shown(m_text.facts.size(), false);
    for (const std::size_t i : by_rank) {
        room -= kSeparator + fontMetrics().horizontalAdvance(m_text.facts[i].text);
        if (room < 0) break;
        shown[i] = true;
    }
    std::vector<QString> texts;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i]) texts.push_back(m_text.facts[i].text);
    }
    return texts;
}

void VerdictStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    painter.fillRect(QRect(0, 0, width(), 1), m_theme.grid);
    const QRect badge(kPadding / 2, 4, badgeWidth(), height() - 7);
    drawBadge(painter, badge);

    int x = badge.right() + 1 + kPadding;
    const int right = width() - kPadding;
    painter.setFont(boldFont());
    painter.setPen(m_theme.text);
    const QString headline = painter.fontMetrics().elidedText(m_text.headline, Qt::ElideRight, right - x);
    const int headline_width = painter.fontMetrics().horizontalAdvance(headline);
    painter.drawText(QRect(x, 1, headline_width + 1, height() - 1), Qt::AlignLeft | Qt::AlignVCenter, headline);
    x += headline_width;

    painter.setFont(font());
    for (const QString& fact : shownFacts()) {
        painter.fillRect(QRect(x + kSeparator / 2, 8, 1, height() - 15), m_theme.outline);
        x += kSeparator;
        const int fact_width = painter.fontMetrics().horizontalAdvance(fact);
        painter.drawText(QRect(x, 1, fact_width + 1, height() - 1), Qt::AlignLeft | Qt::AlignVCenter, fact);
        x += fact_width;
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.selection, 2.0));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void VerdictStrip::drawBadge(QPainter& painter, const QRect& badge) const
{
    const QColor fill = badgeColour();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(badge, 4, 4);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(inkOn(fill), 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    drawIcon(painter, m_text.verdict, QPointF(badge.left() + kPadding, badge.center().y() - kIcon / 2.0 + 0.5));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(boldFont());
    painter.drawText(
        badge.adjusted(kPadding + kIcon + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, verdictLabel(m_text.verdict));
}

void VerdictStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
    if (event->type() == QEvent::PaletteChange && m_follows_palette) {
        m_theme = themeFor(palette());
        update();
    }
}

void VerdictStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit clicked();
}

void VerdictStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit clicked();
    else
        QWidget::keyPressEvent(event);
}

} // namespace cardfit::ui
