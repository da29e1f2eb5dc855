// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/run_page.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "core/time/stated_utilization.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"
#include "widgets/text/utilization_text.h"

namespace cardfit::app {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::RunPage)
};

QString signedPercent(double fraction)
{
    const double percent = 100.0 * fraction;
    return (percent < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + QString::number(std::abs(percent), 'f', 1)
        + QStringLiteral(" %");
}

QString cells(const QStringList& texts, const char* tag)
{
    QString row = QStringLiteral("<tr>");
    for (int i = 0; i < texts.size(); ++i) {
        row += QStringLiteral("<%1 align=\"%2\">%3</%1>")
                   .arg(QLatin1String(tag), i == 0 ? QLatin1String("left") : QLatin1String("right"),
                       texts[i].toHtmlEscaped());
    }
    return row + QStringLiteral("</tr>");
}

QString table(const QStringList& head, const QList<QStringList>& rows)
{
    QString html = QStringLiteral("<table cellpadding=\"3\" width=\"98%\">") + cells(head, "th");
    for (const QStringList& row : rows)
        html += cells(row, "td");
    return html + QStringLiteral("</table>");
}

QString heading(const QString& text) { return QStringLiteral("<h4>%1</h4>").arg(text.toHtmlEscaped()); }
QString paragraph(const QString& text) { return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()); }

QString comparisonTable(const RunComparison& comparison, ByteUnit unit)
{
    QList<QStringList> rows;
    const StepEstimate& step = comparison.predicted.step;
    if (const auto& speed = comparison.speed) {
        const double faster = *speed->over_predicted;
        rows.append({ui::sharedText("Step"), ui::timeText(step.seconds.value()), ui::timeText(speed->step.value()),
            signedPercent(1.0 / faster - 1.0)});
        rows.append({Words::tr("Tokens/s per card"), ui::tokenRateText(step.tokens_per_second_per_card),
            ui::tokenRateText(speed->tokens_per_second_per_card), signedPercent(faster - 1.0)});
    }
    const Measurement& measured = comparison.plan.calibration->measured;
    if (measured.allocated) {
        const Bytes predicted = comparison.predicted.stages[static_cast<std::size_t>(measured.stage)].allocated();
        rows.append({Words::tr("Allocated, stage %1").arg(measured.stage), ui::bytesText(predicted, unit),
            ui::bytesText(*measured.allocated, unit), signedPercent(*measured.allocated / predicted - 1.0)});
    }
    return table({{}, Words::tr("predicted"), Words::tr("measured"), Words::tr("difference")}, rows);
}

/// How much each part of the step grows under the calibration; parts that hardly grow are left out.
QString grownParts(const RunComparison& comparison)
{
    constexpr double kNoticed = 1e-3; // share of the step
    const double step = comparison.predicted.step.seconds.value();
    QStringList grown;
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        const double by = (comparison.calibrated.step.parts[part] - comparison.predicted.step.parts[part]).value();
        if (std::abs(by) < kNoticed * step) continue;
        grown.append(Words::tr("%1 %2%3", "part of the step, sign, time")
                         .arg(ui::stepPartLabel(part), by < 0.0 ? QStringLiteral("−") : QStringLiteral("+"),
                             ui::timeText(std::abs(by))));
    }
    return grown.isEmpty() ? Words::tr("Prediction and measurement agree.")
                           : Words::tr("In the step: %1.").arg(grown.join(QStringLiteral(", ")));
}

QString calibrationText(const RunComparison& comparison, ByteUnit unit)
{
    const Calibration& calibration = *comparison.plan.calibration;
    QString text;
    if (comparison.speed) {
        text += paragraph(Words::tr("Computation and hosts take %1 times, communication %2 times the predicted time.")
                              .arg(calibration.compute_factor, 0, 'f', 3)
                              .arg(calibration.communication_factor, 0, 'f', 3));
        text += paragraph(grownParts(comparison));
        text += paragraph(ui::errorMeaning(comparison.calibrated.step.band));
    }
    if (calibration.measured.allocated) {
        text += paragraph(Words::tr("Every card allocates %1 beyond the prediction.")
                              .arg(ui::signedBytesText(calibration.residual, unit)));
    }
    return text;
}

QString rateText(const std::optional<Teraflops>& rate)
{
    return rate ? QString::number(rate->value(), 'f', 1) : QStringLiteral("–");
}

QString shareText(const std::optional<double>& share) { return share ? ui::percentText(*share) : QStringLiteral("–"); }

QString utilizationTable(const std::vector<Utilization>& figures)
{
    QList<QStringList> rows;
    for (const Utilization& figure : ownPeakFirst(figures)) {
        if (!figure.mfu && !figure.hfu) continue;
        rows.append({ui::translated(describeWork(figure.definition).title),
            Words::tr("%1 TFLOP/s, %2", "peak, number format")
                .arg(figure.peak.rate.value(), 0, 'f', 0)
                .arg(ui::verbatim(figure.peak.format)),
            rateText(figure.model_tflops_per_card), shareText(figure.mfu), shareText(figure.hfu)});
    }
    return table({ui::sharedText("work counted by"), ui::sharedText("peak"), Words::tr("TFLOP/s"), Words::tr("MFU"),
                     Words::tr("HFU")},
        rows);
}

} // namespace

QString runPage(const RunComparison& comparison, ByteUnit unit)
{
    QString html = comparisonTable(comparison, unit);
    html += heading(Words::tr("Effect of a calibration")) + calibrationText(comparison, unit);
    if (const auto& speed = comparison.speed) {
        html += heading(Words::tr("Utilisation of each card in this run")) + utilizationTable(speed->utilization);
        if (speed->over_published) {
            html += paragraph(
                Words::tr("Its throughput is %1 of the published one.").arg(ui::percentText(*speed->over_published)));
        }
    }
    return html;
}

} // namespace cardfit::app
