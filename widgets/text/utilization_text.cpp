// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/utilization_text.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::UtilizationText)
};

QString signedPercent(double fraction)
{
    const auto percent = static_cast<int>(std::lround(100.0 * fraction));
    return (percent < 0 ? QStringLiteral("−") : QStringLiteral("+")) + QString::number(std::abs(percent));
}

} // namespace

const Utilization* chosenUtilization(const StepEstimate& step, const UtilizationChoice& choice)
{
    if (step.utilization.empty()) return nullptr;
    const std::string_view usual = step.utilization.front().peak.format;
    const std::string_view narrow = step.utilization.back().peak.format;
    const auto found = std::ranges::find_if(step.utilization, [&](const Utilization& figure) {
        return figure.definition == choice.definition && figure.peak.format == (choice.narrow_peak ? narrow : usual);
    });
    return found == step.utilization.end() ? nullptr : &*found;
}

QString utilizationText(const StepEstimate& step, const UtilizationChoice& choice, int decimals)
{
    const Utilization* figure = chosenUtilization(step, choice);
    if (figure == nullptr || (!figure->mfu && !figure->hfu)) return {};
    const QString percent = percentText(figure->mfu ? *figure->mfu : *figure->hfu, decimals);
    QString text = figure->mfu ? Words::tr("MFU %1").arg(percent) : Words::tr("HFU %1").arg(percent);
    const bool usual_peak = figure->peak.format == step.utilization.front().peak.format;
    if (!usual_peak)
        text = Words::tr("%1 of %2", "utilisation, number format").arg(text, verbatim(figure->peak.format));
    if (choice.definition == WorkDefinition::Causal) return text;
    return Words::tr("%1 (%2)", "utilisation, convention").arg(text, translated(describeWork(choice.definition).title));
}

QString utilizationMeaning(WorkDefinition definition)
{
    const WorkDefinitionText& words = describeWork(definition);
    return Words::tr("%1\nPer token: %2\n%3", "what it counts, formula, source")
        .arg(translated(words.sentence), verbatim(words.formula), verbatim(words.source));
}

QString errorText(const ErrorBand& band)
{
    if (band.cases == 0) return Words::tr("not validated", "the step time");
    return QStringLiteral("%1…%2 %").arg(signedPercent(band.below), signedPercent(band.above));
}

QString errorMeaning(const ErrorBand& band)
{
    if (band.cases == 0) return Words::tr("No measured run resembles this plan: the size of the error is unknown.");
    return Words::tr(
        "Eight in ten runs should lie within %1 % and %2 % of the predicted step time (from %3 measured runs: %4).")
        .arg(signedPercent(band.below), signedPercent(band.above), QString::number(band.cases),
            translated(Phrase{band.of}));
}

} // namespace cardfit::ui
