// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <QCoreApplication> // Q_DECLARE_TR_FUNCTIONS
#include <QLocale>

#include "app/document/choice_words.h"
#include "app/document/field_labels.h"
#include "core/files/plan_differences.h"
#include "core/plan/field_table.h"
#include "core/time/utilization.h"
#include "widgets/chart/labels.h"
#include "widgets/chart/pins.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

namespace {

struct Comparison {
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

const QString kNone = QStringLiteral("–");

const StageMemory& fullest(const Estimate& estimate) { return estimate.stages[estimate.worstStage()]; }

/// "+3", "−3", "±0"
QString signedNumber(double difference, int decimals)
{
    const QChar sign = difference == 0.0 ? QChar(u'±') : difference < 0.0 ? QChar(u'−') : QChar(u'+');
    return sign + QString::number(std::abs(difference), 'f', decimals);
}

/// Difference relative to `from`: "+12.3 %".
QString ratioText(double from, double to)
{
    if (from == 0.0) return kNone;
    return signedNumber((to / from - 1.0) * 100.0, 1) + QStringLiteral(" %");
}

/// One row of figures: a plan's value, and the difference between two plans.
struct Figure {
    QString label;
    std::optional<double> (*read)(const ComparedPlan& plan);
    QString (*text)(double value, ByteUnit unit);
    QString (*difference)(double from, double to, ByteUnit unit);
};

std::optional<double> ifComplete(const ComparedPlan& plan, double value)
{
    return plan.estimate->complete() ? std::optional(value) : std::nullopt;
}

template <class Read> std::optional<double> ofFullest(const ComparedPlan& plan, Read read)
{
    if (!plan.estimate->complete()) return std::nullopt;
    return static_cast<double>(read(fullest(*plan.estimate)));
}

std::optional<double> runFigure(const ComparedPlan& plan, double RunCost::*figure)
{
    const auto& run = plan.estimate->step.run;
    return plan.estimate->complete() && run ? std::optional((*run).*figure) : std::nullopt;
}

/// Of a server's times; none if it has none.
template <class Read> std::optional<double> paceFigure(const ComparedPlan& plan, Read read)
{
    const auto& server = plan.estimate->server;
    return server && server->pace ? std::optional(std::invoke(read, *server->pace)) : std::nullopt;
}

/// Exact, because doubles hold whole numbers up to 2^53.
Bytes asBytes(double value) { return Bytes(static_cast<std::int64_t>(value)); }

/// English separators of thousands, as in all figures of the window.
QString groupedText(double value, int decimals)
{
    return QLocale(QLocale::English, QLocale::UnitedStates).toString(value, 'f', decimals);
}

QString countText(double value, ByteUnit) { return groupedText(value, 0); }
QString countDifference(double from, double to, ByteUnit) { return signedNumber(to - from, 0); }
QString relative(double from, double to, ByteUnit) { return ratioText(from, to); }
QString points(double from, double to, ByteUnit)
{
    return Comparison::tr("%1 pt").arg(signedNumber((to - from) * 100.0, 1));
}
QString bytesDifference(double from, double to, ByteUnit unit)
{
    return ui::signedBytesNumber(asBytes(to) - asBytes(from), unit, 2);
}

/// `served`: for served models.
std::vector<Figure> figures(ByteUnit unit, bool served)
{
    const auto bytes = [](double value, ByteUnit in) { return ui::bytesNumber(asBytes(value), in, 2); };
    const auto thousands = [](double value, ByteUnit) { return groupedText(value / 1000.0, 1); };
    std::vector<Figure> all{
        {Comparison::tr("Fullest card (%1)").arg(ui::unitLabel(unit)),
            [](const ComparedPlan& plan) {
                return ofFullest(plan, [](const StageMemory& stage) { return stage.device().value(); });
            },
            bytes, bytesDifference},
        {Comparison::tr("Its capacity (%1)").arg(ui::unitLabel(unit)),
            [](const ComparedPlan& plan) {
                return ofFullest(plan, [](const StageMemory& stage) { return stage.capacity.value(); });
            },
            bytes, bytesDifference},
        {Comparison::tr("Its stage"),
            [](const ComparedPlan& plan) {
                return ofFullest(plan, [&](const StageMemory&) { return plan.estimate->worstStage(); });
            },
            countText, [](double, double, ByteUnit) { return QString(); }},
        {served ? ui::sharedText("Prefill of the prompts") : ui::sharedText("Step time"),
            [](const ComparedPlan& plan) { return ifComplete(plan, plan.estimate->step.seconds.value()); },
            [](double value, ByteUnit) { return ui::timeText(value); }, relative},
        {Comparison::tr("Tokens/s per card"),
            [](const ComparedPlan& plan) { return ifComplete(plan, plan.estimate->step.tokens_per_second_per_card); },
            [](double value, ByteUnit) { return ui::tokenRateText(value); }, relative},
        {Comparison::tr("MFU, 16-bit peak"),
            [](const ComparedPlan& plan) { return ifComplete(plan, plan.estimate->step.mfu); },
            [](double value, ByteUnit) { return ui::percentText(value); }, points},
        {ui::sharedText("Bubble"),
            [](const ComparedPlan& plan) { return ifComplete(plan, plan.estimate->pipeline.bubble_fraction); },
            [](double value, ByteUnit) { return ui::percentText(value); }, points},
        {ui::sharedText("Tokens of the run"), [](const ComparedPlan& plan) { return plan.plan.workload.tokens; },
            [](double value, ByteUnit) { return ui::formatQuantity(value, ui::QuantityKind::TokenBudget); }, relative},
        {Comparison::tr("Days"), [](const ComparedPlan& plan) { return runFigure(plan, &RunCost::days); },
            [](double value, ByteUnit) { return groupedText(value, 1); }, relative},
        {Comparison::tr("Card-hours (1,000)"),
            [](const ComparedPlan& plan) { return runFigure(plan, &RunCost::card_hours); }, thousands, relative},
        {Comparison::tr("Cost (1,000 USD)"),
            [](const ComparedPlan& plan) -> std::optional<double> {
                const auto& run = plan.estimate->step.run;
                return plan.estimate->complete() && run ? run->cost_usd : std::nullopt;
            },
            thousands, relative},
        {Comparison::tr("Energy of the cards (MWh)"),
            [](const ComparedPlan& plan) -> std::optional<double> {
                const auto& run = plan.estimate->step.run;
                return plan.estimate->complete() && run ? run->energy_kwh : std::nullopt;
            },
            thousands, relative},
        {ui::sharedText("Cards"),
            [](const ComparedPlan& plan) { return std::optional(static_cast<double>(cardsUsed(plan.plan))); },
            countText, countDifference},
        {ui::sharedText("Data parallel"),
            [](const ComparedPlan& plan) { return std::optional(static_cast<double>(dataParallel(plan.plan))); },
            countText, countDifference},
        {Comparison::tr("Micro-batches"),
            [](const ComparedPlan& plan) { return std::optional(static_cast<double>(microBatches(plan.plan))); },
            countText, countDifference},
    };
    if (served) {
        const auto prefill = std::ranges::find(all, ui::sharedText("Prefill of the prompts"), &Figure::label);
        all.insert(prefill + 1,
            {{ui::sharedText("Time per token"),
                 [](const ComparedPlan& plan) {
                     return paceFigure(plan, [](const ServerPace& pace) { return pace.pace.tpot().value(); });
                 },
                 [](double value, ByteUnit) { return ui::timeText(value); }, relative},
                {Comparison::tr("Output tokens/s per card"),
                    [](const ComparedPlan& plan) {
                        return paceFigure(plan, &ServerPace::output_tokens_per_second_per_card);
                    },
                    [](double value, ByteUnit) { return ui::tokenRateText(value); }, relative},
                {ui::sharedText("Users within the limits"),
                    [](const ComparedPlan& plan) {
                        return paceFigure(
                            plan, [](const ServerPace& pace) { return static_cast<double>(pace.users.users); });
                    },
                    countText, countDifference}});
    }
    return all;
}

QString verdictOf(const ComparedPlan& plan) { return ui::verdictLabel(verdict(*plan.estimate)); }

/// A folder of values with a name: if the names differ, the values below it are folded into one row.
struct Fold {
    std::string_view folder;
    const std::string& from;
    const std::string& to;
    QString label;
    int values = 0;
};

bool isBelow(const std::string& field, std::string_view folder)
{
    return field.size() > folder.size() && field.compare(0, folder.size(), folder) == 0 && field[folder.size()] == '/';
}

} // namespace

ui::ChartTable figuresTable(const std::vector<ComparedPlan>& plans, std::optional<std::size_t> base, ByteUnit unit)
{
    ui::ChartTable table;
    table.columns << QString();
    for (const ComparedPlan& plan : plans)
        table.columns << plan.label;
    if (base) table.columns << Comparison::tr("Plan − %1").arg(plans[*base].label);

    QStringList verdicts{ui::sharedText("Verdict")};
    for (const ComparedPlan& plan : plans)
        verdicts << verdictOf(plan);
    if (base) verdicts << QString();
    table.rows.push_back(verdicts);
    const bool served = std::ranges::all_of(plans, [](const ComparedPlan& plan) { return plan.estimate->isServed(); });
    for (const Figure& figure : figures(unit, served)) {
        QStringList row{figure.label};
        for (const ComparedPlan& plan : plans) {
            const auto value = figure.read(plan);
            row << (value ? figure.text(*value, unit) : kNone);
        }
        if (base) {
            const auto from = figure.read(plans[*base]);
            const auto to = figure.read(plans.front());
            row << (from && to ? figure.difference(*from, *to, unit) : kNone);
        }
        table.rows.push_back(row);
    }
    return table;
}

ui::ChartTable inputsTable(const ComparedPlan& before, const ComparedPlan& after, bool every_value)
{
    ui::ChartTable table;
    table.columns = {ui::sharedText("Input"), before.label, after.label};
    table.text_columns = 3;
    std::array<Fold, 2> folds{{{pointerOf<&Cluster::accelerator>, before.plan.cluster.accelerator.name,
                                   after.plan.cluster.accelerator.name, ui::sharedText("Accelerator")},
        {pointerOf<&Plan::model>, before.plan.model.name, after.plan.model.name, ui::sharedText("Model")}}};
    for (const Edit& edit : planDifferences(before.plan, after.plan)) {
        bool folded = false;
        for (Fold& fold : folds) {
            if (every_value || fold.from == fold.to || !isBelow(edit.field, fold.folder)) continue;
            ++fold.values;
            folded = true;
        }
        if (folded) continue;
        table.rows.push_back(
            {fieldLabel(edit.field), valueLabel(edit.field, edit.from), valueLabel(edit.field, edit.to)});
    }
    for (const Fold& fold : folds) {
        if (fold.values == 0) continue;
        //: an input whose name changed, and how many of its values
        table.rows.insert(table.rows.begin(),
            {Comparison::tr("%1 (values: %2)").arg(fold.label).arg(fold.values), QString::fromStdString(fold.from),
                QString::fromStdString(fold.to)});
    }
    return table;
}

ui::ChartTable partsTable(const ComparedPlan& before, const ComparedPlan& after)
{
    ui::ChartTable table;
    table.columns = {QString(), before.label, after.label, Comparison::tr("Difference")};
    if (!before.estimate->complete() || !after.estimate->complete()) return table;
    const StageMemory& from = fullest(*before.estimate);
    const StageMemory& to = fullest(*after.estimate);
    const auto add = [&table](const QString& label, Bytes was, Bytes is) {
        const QString label_with_unit = Comparison::tr("%1 (bytes)").arg(label);
        const std::int64_t difference = (is - was).value();
        const QString text = difference == 0
            ? QStringLiteral("±0")
            : QStringLiteral("%1%2").arg(difference < 0 ? QChar(u'−') : QChar(u'+')).arg(std::abs(difference));
        table.rows.push_back({label_with_unit, QString::number(was.value()), QString::number(is.value()), text});
    };
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        if (from.bytes[i] == Bytes(0) && to.bytes[i] == Bytes(0)) continue;
        add(ui::segmentLabel(static_cast<Segment>(i), after.estimate->task), from.bytes[i], to.bytes[i]);
    }
    add(ui::sharedText("Device"), from.device(), to.device());
    constexpr int kDecimals = 9;
    const auto addTime = [&table](const QString& label, double was, double is) {
        table.rows.push_back({Comparison::tr("%1 (s)").arg(label), QString::number(was, 'f', kDecimals),
            QString::number(is, 'f', kDecimals), signedNumber(is - was, kDecimals)});
    };
    const StepParts& parts_from = before.estimate->step.parts;
    const StepParts& parts_to = after.estimate->step.parts;
    for (std::size_t i = 0; i < kStepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        if (parts_from[part] == Seconds(0.0) && parts_to[part] == Seconds(0.0)) continue;
        addTime(ui::stepPartLabel(part), parts_from[part].value(), parts_to[part].value());
    }
    addTime(ui::sharedText("Step"), parts_from.total().value(), parts_to.total().value());
    return table;
}

} // namespace cardfit::app
