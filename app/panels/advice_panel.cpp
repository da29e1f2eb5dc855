// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/advice_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/document/field_labels.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kDelay = 120; ///< milliseconds without an edit before limits are searched

void findAdvice(QPromise<Advice>& promise, const Plan& plan, Profile profile)
{
    Advice advice = adviceFor(plan, profile, [&promise] { return promise.isCanceled(); });
    if (!promise.isCanceled()) promise.addResult(std::move(advice));
}

QString limitTitle(LimitOf quantity)
{
    switch (quantity) {
    case LimitOf::ModelSize: return AdvicePanel::tr("Largest model");
    case LimitOf::SequenceLength: return ui::sharedText("Longest sequence");
    case LimitOf::MicroBatchSize: return AdvicePanel::tr("Largest micro-batch");
    case LimitOf::ServedSequences: return AdvicePanel::tr("Most sequences at once");
    case LimitOf::Cards: return AdvicePanel::tr("Fewest cards");
    case LimitOf::CardsAnyDegrees: return AdvicePanel::tr("Fewest, any degrees");
    }
    return {};
}

QString valueText(LimitOf quantity, std::int64_t value)
{
    const auto kind = quantity == LimitOf::ModelSize ? ui::QuantityKind::Parameters : ui::QuantityKind::Count;
    return ui::formatQuantity(static_cast<double>(value), kind);
}

/// The degrees or the model shape that belong to a value.
QString planText(LimitOf quantity, const Plan& plan)
{
    const auto& degrees = plan.parallelism;
    const Architecture& shape = plan.model.architecture;
    switch (quantity) {
    case LimitOf::ModelSize:
        return AdvicePanel::tr("%1 layers, hidden size %2").arg(shape.num_hidden_layers).arg(shape.hidden_size);
    case LimitOf::Cards:
    case LimitOf::CardsAnyDegrees:
        if (degrees.context > 1) {
            return AdvicePanel::tr("tensor %1 × pipeline %2 × context %3 × data %4")
                .arg(degrees.tensor)
                .arg(degrees.pipeline)
                .arg(degrees.context)
                .arg(dataParallel(plan));
        }
        return AdvicePanel::tr("tensor %1 × pipeline %2 × data %3")
            .arg(degrees.tensor)
            .arg(degrees.pipeline)
            .arg(dataParallel(plan));
    case LimitOf::SequenceLength:
    case LimitOf::MicroBatchSize:
    case LimitOf::ServedSequences: break;
    }
    return {};
}

/// Memory that is missing; never rounded to 0.
QString missingText(Bytes missing, ByteUnit unit)
{
    const QString text = ui::bytesText(missing, unit);
    if (missing <= Bytes(0) || text != ui::bytesText(Bytes(0), unit)) return text;
    const bool decimal = unit == ByteUnit::GB;
    const double megabytes = static_cast<double>(missing.value()) / (decimal ? 1e6 : 1024.0 * 1024.0);
    return QStringLiteral("%1 %2")
        .arg(megabytes, 0, 'g', 2)
        .arg(decimal ? QStringLiteral("MB") : QStringLiteral("MiB"));
}

QString stepText(const Suggestion& suggestion, bool served)
{
    if (suggestion.costs_uncounted_time) return AdvicePanel::tr("time not counted");
    constexpr double kShown = 0.0005;
    const double change = suggestion.step_ratio - 1.0;
    if (std::abs(change) < kShown)
        return served ? AdvicePanel::tr("same prefill time") : AdvicePanel::tr("same step time");
    const QString percent = ui::percentText(std::abs(change)).replace(u' ', QChar::Nbsp);
    if (served) return (change < 0.0 ? AdvicePanel::tr("prefill −%1") : AdvicePanel::tr("prefill +%1")).arg(percent);
    return change < 0.0 ? AdvicePanel::tr("step −%1").arg(percent) : AdvicePanel::tr("step +%1").arg(percent);
}

} // namespace

AdvicePanel::AdvicePanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_task([this](const Advice& advice) { showAdvice(advice); })
{
    setWindowTitle(tr("Advice"));
    setFocusPolicy(Qt::StrongFocus);
    (new QVBoxLayout(this))->setContentsMargins(0, 0, 0, 0);
    setAccessibleName(tr("Limits and advice"));
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &AdvicePanel::ask);
    connect(&m_document, &PlanDocument::planReplaced, this, [this] { m_all = false; });
    connect(&m_document, &PlanDocument::planChanged, this, &AdvicePanel::outdate);
    connect(&m_state, &ViewState::unitChanged, this, &AdvicePanel::rebuild);
    rebuild();
}

void AdvicePanel::outdate()
{
    m_task.cancel();
    m_current = false;
    // The advice shown is about the plan before the edit: it stays readable but cannot be applied any more.
    const auto all = buttons();
    for (qsizetype i = 0; i < all.size(); ++i) {
        // Disabling the focused button would move the focus to another panel, but users apply several advices in a row.
        if (all[i]->hasFocus()) {
            m_pressed = static_cast<int>(i);
            setFocus(Qt::OtherFocusReason);
        }
        all[i]->setEnabled(false);
    }
    if (m_seen) m_delay.start();
}

void AdvicePanel::ask()
{
    m_task.request([plan = m_document.plan(), profile = m_document.profile()](
                       QPromise<Advice>& promise) { findAdvice(promise, plan, profile); });
}

void AdvicePanel::showAdvice(const Advice& advice)
{
    m_shown = advice;
    m_current = true;
    rebuild();
    giveKeyboardBack();
}

/// In the order of the rows.
QList<QPushButton*> AdvicePanel::buttons() const
{
    return m_content == nullptr ? QList<QPushButton*>() : m_content->findChildren<QPushButton*>();
}

/// Focuses the advice at the position of the one that was applied, if the focus has not moved since.
void AdvicePanel::giveKeyboardBack()
{
    const auto place = std::exchange(m_pressed, std::nullopt);
    const auto all = buttons();
    if (!place || !hasFocus() || all.isEmpty()) return;
    QPushButton* next = all[std::min<qsizetype>(*place, all.size() - 1)];
    next->setFocus(Qt::OtherFocusReason);
    emit keyboardMoved(next);
}

void AdvicePanel::setSeen(bool seen)
{
    m_seen = seen;
    if (!seen) {
        m_delay.stop();
        m_task.cancel();
    } else if (!m_current && !isWaiting()) {
        ask();
    }
}

void AdvicePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) rebuild();
    QWidget::changeEvent(event);
}

void AdvicePanel::addHeading(QVBoxLayout* column, const QString& text)
{
    auto* label = new QLabel(text, column->parentWidget());
    ui::setBold(label);
    column->addWidget(label);
}

void AdvicePanel::addRow(
    QVBoxLayout* column, const QString& text, const QStringList& details, const Plan* plan, const QString& tip)
{
    auto* row = new QWidget(column->parentWidget());
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(0, 2, 0, 2);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(0);
    auto* head = ui::wrappedLabel(text, row);
    ui::setTip(head, tip);
    lines->addWidget(head);
    for (const QString& detail : details) {
        auto* label = ui::noteLabel(detail, row);
        ui::setTip(label, tip);
        lines->addWidget(label);
    }
    across->addLayout(lines, 1);
    if (plan != nullptr) {
        auto* button = new QPushButton(tr("Apply"), row);
        button->setAccessibleName(tr("Apply: %1").arg(text));
        button->setFixedWidth(button->fontMetrics().horizontalAdvance(button->text()) + 24);
        button->setEnabled(m_current);
        connect(button, &QPushButton::clicked, this, [this, text, changed = *plan] { m_document.edit(changed, text); });
        across->addWidget(button, 0, Qt::AlignTop);
    }
    column->addWidget(row);
}

void AdvicePanel::addLimit(QVBoxLayout* column, const Limit& limit)
{
    const LimitOf quantity = limit.quantity;
    const QString held = ui::translated(limit.held);
    if (!limit.fits) {
        const Sentence why = limit.impossible ? proofText(limit, m_state.unit()) : limit.end;
        const QString none = limit.impossible ? tr("%1: none fits") : tr("%1: none to try");
        addRow(column, none.arg(limitTitle(quantity)), {ui::translated(why)}, nullptr, held);
        return;
    }
    QStringList details;
    if (const QString shape = planText(quantity, limit.fits->plan); !shape.isEmpty()) details << shape;
    const Bytes free = limit.fits->free();
    const QString room = ui::bytesText(free < Bytes(0) ? -1 * free : free, m_state.unit());
    const QString stage = QString::number(limit.fits->worst.stage);
    details << (free < Bytes(0) ? tr("%1 too much on stage %2, but not for certain") : tr("%1 free on stage %2"))
                   .arg(room, stage);
    if (limit.misses)
        details << tr("%1 misses by %2", "the next value, and by how much it does not fit")
                       .arg(valueText(quantity, limit.misses->value),
                           missingText(-1 * limit.misses->free(), m_state.unit()));
    if (!limit.misses && !limit.end.empty()) details << ui::translated(limit.end);
    for (const Check& warning : limit.fits->warnings)
        details << QStringLiteral("▲ %1").arg(ui::translated(warning.message));
    const bool is_own = limit.fits->plan == m_document.plan();
    const QString value = valueText(quantity, limit.fits->value);
    const QString text = limit.fits->value == limit.now
        ? tr("%1: %2, as now").arg(limitTitle(quantity), value)
        : tr("%1: %2 (now %3)").arg(limitTitle(quantity), value, valueText(quantity, limit.now));
    addRow(column, text, details, is_own ? nullptr : &limit.fits->plan, held);
}

void AdvicePanel::addSuggestion(QVBoxLayout* column, const Suggestion& suggestion)
{
    const Bytes free = suggestion.trial.free();
    // For a plan that fits, the shown amount is free memory, which grows by what the change frees; otherwise it is the
    // excess, which shrinks by it.
    const bool tight = suggestion.fits && free < Bytes(0); // what is free has a band
    const bool grows = (suggestion.fits && !tight) == (suggestion.freed >= Bytes(0));
    const Bytes size = suggestion.freed < Bytes(0) ? -1 * suggestion.freed : suggestion.freed;
    const QString difference =
        (grows ? QStringLiteral("+") : QStringLiteral("−")) + ui::bytesNumber(size, m_state.unit());
    const QString room = tight ? tr("▲ may miss %1 (%2)", "memory, and its difference to the plan as it is")
        : suggestion.fits      ? tr("✔ %1 free (%2)", "memory, and its difference to the plan as it is")
                               : tr("✖ %1 over (%2)", "memory, and its difference to the plan as it is");
    QStringList details{QStringLiteral("%1 · %2").arg(
        room.arg(ui::bytesText(free < Bytes(0) ? -1 * free : free, m_state.unit(), 1), difference),
        stepText(suggestion, m_document.plan().workload.task == Task::Inference))};
    for (const Edit& edit : suggestion.change.follows)
        details << tr("with %1").arg(editText(edit));
    addRow(column, editText(suggestion.change.edit), details, &suggestion.change.plan);
}

void AdvicePanel::addChanges(QVBoxLayout* column, std::size_t most)
{
    for (const Suggestion& suggestion : m_shown->suggestions) {
        if (most-- == 0) break;
        addSuggestion(column, suggestion);
    }
    if (!m_shown->estimate.complete())
        column->addWidget(
            ui::noteLabel(tr("A broken rule prevents the estimate: see the checks."), column->parentWidget()));
    else if (m_shown->suggestions.empty())
        column->addWidget(ui::noteLabel(tr("No single change helps."), column->parentWidget()));
}

void AdvicePanel::addLimits(QVBoxLayout* column)
{
    addHeading(column, tr("Limits, all else held"));
    for (const Limit& limit : m_shown->limits)
        addLimit(column, limit);
}

void AdvicePanel::addMore(QVBoxLayout* column)
{
    auto* more = new QToolButton(column->parentWidget());
    more->setText(tr("More changes, and limits"));
    more->setAutoRaise(true);
    connect(more, &QToolButton::clicked, this, &AdvicePanel::showAll);
    column->addWidget(more);
}

void AdvicePanel::showAll()
{
    m_all = true;
    rebuild();
}

void AdvicePanel::rebuild()
{
    constexpr std::size_t kBest = 3;
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 0, 8, 4);
    column->setSpacing(4);
    if (!m_shown) {
        column->addWidget(ui::noteLabel(tr("Looking for limits…"), column->parentWidget()));
    } else {
        const bool over = m_shown->estimate.complete() && !m_shown->estimate.fits();
        if (over) {
            addHeading(column, ui::sharedText("Single changes that help it fit"));
            addChanges(column, m_all ? m_shown->suggestions.size() : kBest);
        }
        if (over && !m_all) {
            addMore(column);
        } else {
            addLimits(column);
        }
        if (!over) {
            addHeading(column, tr("Single changes"));
            addChanges(column, m_shown->suggestions.size());
        }
    }
    ui::replaceWidget(*layout(), std::exchange(m_content, content), content);
}

} // namespace cardfit::app
