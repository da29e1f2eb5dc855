// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/verdict_strip.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QEvent>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
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
constexpr int kSeparator = 25; ///< a thin line with space on both sides
constexpr double kLarger = 1.2, kSmaller = 0.9; ///< fonts of figures and notes

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

VerdictText::Fact stepFact(const Plan& plan, const StepEstimate& step)
{
    const QString time = timeText(step.seconds.value());
    const QString figure = plan.workload.task == Task::Inference ? VerdictStrip::tr("prefill %1").arg(time)
                                                                 : VerdictStrip::tr("step %1").arg(time);
    const QString error = errorText(step.band);
    return {figure, plan.calibration ? VerdictStrip::tr("%1, calibrated", "error").arg(error) : error, 4};
}

/// How many sequences a served model holds at once, and in how much memory; otherwise how the batch is split.
VerdictText::Fact batchFact(const Plan& plan, const Estimate& estimate, ByteUnit unit)
{
    if (estimate.isServed()) {
        const auto sequences = plan.workload.global_batch_size;
        const StageMemory& fullest = estimate.stages[estimate.worstStage()];
        return {sequences == 1 ? sharedText("1 sequence") : VerdictStrip::tr("%1 sequences at once").arg(sequences),
            VerdictStrip::tr("%1 of cache").arg(bytesText(fullest.bytes[std::size_t(Segment::Activations)], unit, 1)),
            6};
    }
    const auto micro_batches = estimate.pipeline.micro_batches;
    return {VerdictStrip::tr("data %1", "data-parallel replicas").arg(dataParallel(plan)),
        micro_batches == 1 ? sharedText("1 micro-batch") : VerdictStrip::tr("%1 micro-batches").arg(micro_batches), 6};
}

/// What the users of a server wait for, and what all of them get.
void addPace(std::vector<VerdictText::Fact>& facts, const ServerPace& pace)
{
    const bool limited = pace.users.binds == ServingBound::Tpot || pace.users.binds == ServingBound::Ttft;
    const QString at_once = tokenRateText(std::floor(pace.concurrency));
    if (limited)
        facts.push_back({VerdictStrip::tr("%1 users").arg(tokenRateText(static_cast<double>(pace.users.users))),
            //: below "31 users"; %1: for how many the figures beside it are
            VerdictStrip::tr("within the limits; figures of %1").arg(at_once), 1});
    else
        facts.push_back({VerdictStrip::tr("%1 users").arg(at_once), VerdictStrip::tr("served at once"), 1});
    const QString error = QStringLiteral("±%1").arg(percentText(pace.error, 0));
    facts.push_back({timeText(pace.pace.tpot().value()),
        //: below a time; %1: its error
        VerdictStrip::tr("for a user's token, %1").arg(error), 1});
    if (pace.lengths.known())
        facts.push_back(
            {timeText(pace.pace.ttft_alone.value()) + QStringLiteral("…") + timeText(pace.pace.ttft_burst.value()),
                VerdictStrip::tr("to the first token"), 2});
    facts.push_back({tokenRateText(pace.output_tokens_per_second), VerdictStrip::tr("output tokens/s of all"), 3});
}

/// What eight of ten such runs take: "389…475 days".
QString runBandText(double value, const ErrorBand& band, QString (*text)(double value))
{
    if (band.cases == 0) return errorText(band);
    return QStringLiteral("%1…%2").arg(text(value * (1.0 + band.below)), text(value * (1.0 + band.above)));
}

void addRun(std::vector<VerdictText::Fact>& facts, const RunCost& run, const ErrorBand& band)
{
    facts.push_back({daysText(run.days), runBandText(run.days, band, daysText), 1});
    //: below the cost: how many tokens the run has
    const QString tokens = VerdictStrip::tr("%1 tokens").arg(formatQuantity(run.tokens, QuantityKind::TokenBudget));
    if (run.cost_usd)
        facts.push_back({costText(*run.cost_usd),
            QStringLiteral("%1, %2").arg(runBandText(*run.cost_usd, band, costText), tokens), 2});
    else
        facts.push_back({VerdictStrip::tr("no price"), tokens, 2});
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

QString roomText(const Estimate& estimate, ByteUnit unit)
{
    const StageMemory& worst = estimate.stages[estimate.worstStage()];
    const Bytes free = verdict(worst) == Verdict::Refused ? Bytes(0) - worst.server_lacks : worst.free();
    if (free < Bytes(0) && verdict(worst) == Verdict::Tight)
        return VerdictStrip::tr("may miss %1").arg(bytesText(Bytes(0) - free, unit, 1));
    return free < Bytes(0) ? VerdictStrip::tr("%1 missing").arg(bytesText(Bytes(0) - free, unit, 1))
                           : VerdictStrip::tr("%1 free").arg(bytesText(free, unit, 1));
}

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

QIcon verdictMark(std::optional<Verdict> verdict, const Theme& theme)
{
    constexpr int kSharpest = 3; // device pixels of a screen at 300 %
    QPixmap mark(kIcon * kSharpest, kIcon * kSharpest);
    mark.setDevicePixelRatio(kSharpest);
    mark.fill(Qt::transparent);
    QPainter painter(&mark);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto fill = [&](const QColor& colour) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
    };
    if (!verdict || *verdict == Verdict::Invalid) {
        painter.setPen(QPen(verdict ? theme.invalid : theme.outline, 2.0));
        painter.drawEllipse(QPointF(7, 7), 4.5, 4.5);
        if (verdict) painter.drawLine(QPointF(4, 10), QPointF(10, 4));
    } else if (*verdict == Verdict::Fits) {
        fill(theme.fits);
        painter.drawEllipse(QPointF(7, 7), 5.0, 5.0);
    } else if (*verdict == Verdict::Tight) {
        fill(theme.tight);
        painter.drawPolygon(QPolygonF({{7, 1.5}, {13, 12.5}, {1, 12.5}}));
    } else {
        painter.setPen(QPen(theme.over_badge, 3.0, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(3, 3), QPointF(11, 11));
        painter.drawLine(QPointF(11, 3), QPointF(3, 11));
    }
    painter.end();
    return mark;
}

QString VerdictText::plain() const
{
    QStringList parts{verdictLabel(verdict), figure, headline};
    for (const auto& fact : facts)
        parts.append(fact.note.isEmpty() ? fact.figure : QStringLiteral("%1 (%2)").arg(fact.figure, fact.note));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" │ "));
}

VerdictText verdictText(
    const Plan& plan, const Estimate& estimate, const VerdictStyle& style, double elapsed_milliseconds)
{
    VerdictText text;
    const bool has_numbers = estimate.complete() && !estimate.stages.empty();
    text.verdict = verdict(estimate);
    if (has_numbers && estimate.server && estimate.server->pace) addPace(text.facts, *estimate.server->pace);
    if (text.verdict == Verdict::Invalid) {
        text.headline = brokenRulesText(estimate);
        if (has_numbers)
            text.facts.push_back({roomText(estimate, style.unit), memoryHeadline(estimate, style.unit), 1});
    } else {
        text.figure = roomText(estimate, style.unit);
        text.headline = memoryHeadline(estimate, style.unit);
    }
    if (text.verdict == Verdict::Tight)
        text.notes.append(
            VerdictStrip::tr("Tight: the bytes count all that the allocator keeps; before memory runs out it "
                             "gives most of that back, so the plan may fit."));
    if (has_numbers && estimate.step.seconds > Seconds(0.0)) {
        if (estimate.step.run) addRun(text.facts, *estimate.step.run, estimate.step.band);
        const QString utilization = utilizationText(estimate.step, style.utilization);
        if (!utilization.isEmpty())
            text.facts.push_back({utilization,
                VerdictStrip::tr("%1 tokens/s per card").arg(tokenRateText(estimate.step.tokens_per_second_per_card)),
                3});
        text.facts.push_back(stepFact(plan, estimate.step));
        text.notes.append(errorMeaning(estimate.step.band));
        if (plan.calibration) text.notes.append(QString::fromStdString(calibrationLine(*plan.calibration)));
        text.notes.append(utilizationMeaning(style.utilization.definition));
    }
    if (has_numbers) {
        text.facts.push_back(batchFact(plan, estimate, style.unit));
        if (!estimate.isServed() || estimate.stages.size() > 1)
            text.facts.push_back({percentText(estimate.pipeline.bubble_fraction), sharedText("Bubble"), 7});
    }
    if (const VerdictRecord record = verdictRecord(text.verdict); record.all() > 0) {
        const double share = static_cast<double>(record.ran) / static_cast<double>(record.all());
        //: below the share of published runs with this verdict that ran
        text.facts.push_back({percentText(share), VerdictStrip::tr("of such plans ran"), 5});
        text.notes.append(VerdictStrip::tr("Of %1 published runs with this verdict %2 ran and %3 died of memory.")
                              .arg(record.all())
                              .arg(record.ran)
                              .arg(record.died));
    }
    //: below the time that computing the figures took
    text.facts.push_back({timeText(1e-3 * elapsed_milliseconds), VerdictStrip::tr("to compute"), 8});
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

QFont VerdictStrip::figureFont() const
{
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(kLarger * large.pointSizeF());
    return large;
}

QFont VerdictStrip::noteFont() const
{
    QFont small = font();
    small.setPointSizeF(kSmaller * small.pointSizeF());
    return small;
}

int VerdictStrip::badgeWidth() const
{
    const QFontMetrics metrics(figureFont());
    return 2 * kPadding + kIcon + 6 + metrics.horizontalAdvance(verdictLabel(m_text.verdict)) + 2 * kPadding;
}

int VerdictStrip::widthOf(const QString& figure, const QString& note) const
{
    constexpr int kSlack = 4; // fonts of fractional sizes are drawn somewhat wider than they measure
    const QFontMetrics large(figureFont());
    if (figure.isEmpty()) return large.horizontalAdvance(note) + kSlack; // it is drawn in the figure's place
    return std::max(large.horizontalAdvance(figure), QFontMetrics(noteFont()).horizontalAdvance(note)) + kSlack;
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
    int width = badgeWidth() + 2 * kPadding + widthOf(m_text.figure, m_text.headline);
    for (const auto& fact : m_text.facts)
        width += kSeparator + widthOf(fact.figure, fact.note);
    return {width + kPadding, minimumSizeHint().height()};
}

QSize VerdictStrip::minimumSizeHint() const
{
    return {240, QFontMetrics(figureFont()).height() + QFontMetrics(noteFont()).height() + kPadding};
}

std::vector<VerdictText::Fact> VerdictStrip::shownFacts() const
{
    int room = width() - badgeWidth() - 3 * kPadding - widthOf(m_text.figure, m_text.headline);
    std::vector<std::size_t> by_rank(m_text.facts.size());
    for (std::size_t i = 0; i < by_rank.size(); ++i)
        by_rank[i] = i;
    std::ranges::sort(by_rank, {}, [this](std::size_t i) { return m_text.facts[i].rank; });
    std::vector<bool> shown(m_text.facts.size(), false);
    for (const std::size_t i : by_rank) {
        room -= kSeparator + widthOf(m_text.facts[i].figure, m_text.facts[i].note);
        if (room < 0) break;
        shown[i] = true;
    }
    std::vector<VerdictText::Fact> facts;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i]) facts.push_back(m_text.facts[i]);
    }
    return facts;
}

void VerdictStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    const QRect badge(kPadding / 2, 4, badgeWidth(), height() - 8);
    drawBadge(painter, badge);

    int x = badge.right() + 1 + kPadding + kPadding / 2;
    const int right = width() - kPadding;
    const int top = 3;
    const int middle = top + QFontMetrics(figureFont()).height() + 1;
    const auto draw = [&](const QString& figure, const QString& note) {
        const int room = std::min(widthOf(figure, note), right - x);
        painter.setFont(figureFont());
        painter.setPen(m_theme.text);
        // Without a figure the note, a broken rule, is what there is to say.
        const QString first = figure.isEmpty() ? note : figure;
        painter.drawText(QRect(x, top, room + 1, middle - top), Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(first, Qt::ElideRight, right - x));
        painter.setFont(noteFont());
        painter.setPen(m_theme.muted_text);
        if (!figure.isEmpty())
            painter.drawText(QRect(x, middle, room + 1, height() - middle - 3), Qt::AlignLeft | Qt::AlignVCenter,
                painter.fontMetrics().elidedText(note, Qt::ElideRight, room));
        x += room;
    };
    draw(m_text.figure, m_text.headline);
    for (const auto& fact : shownFacts()) {
        painter.fillRect(QRect(x + kSeparator / 2, 8, 1, height() - 16), m_theme.grid);
        x += kSeparator;
        draw(fact.figure, fact.note);
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
    drawIcon(painter, m_text.verdict, QPointF(badge.left() + 2 * kPadding, badge.center().y() - kIcon / 2.0 + 0.5));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setFont(figureFont());
    painter.drawText(badge.adjusted(2 * kPadding + kIcon + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
        verdictLabel(m_text.verdict));
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
