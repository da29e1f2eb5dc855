// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/layer_split_panel.h"

#include <cmath>
#include <utility>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/document/plan_edits.h"
#include "core/files/layout_text.h"
#include "core/layers/layer_balance.h"
#include "core/layers/layer_split.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/memory/layer_split.h"
#include "widgets/rails/field_habits.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

const QString kEditKey = QStringLiteral("layer_split");

} // namespace

LayerSplitPanel::LayerSplitPanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_split(new ui::LayerSplit)
    , m_layout_label(new QLabel(this))
    , m_layout(new QLineEdit(this))
    , m_copy(new QToolButton(this))
    , m_even_memory(new QToolButton(this))
    , m_even_time(new QToolButton(this))
    , m_share(new QToolButton(this))
    , m_message(ui::wrappedLabel({}, this))
    , m_task([this](const EvenedLayers& even) { takeEvened(even); })
{
    auto* area = new QScrollArea(this);
    area->setWidget(m_split);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    m_layout_label->setBuddy(m_layout);
    m_message->hide();

    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(m_layout_label);
    line->addWidget(m_layout, 1);
    line->addWidget(m_copy);
    line->addSpacing(10);
    line->addWidget(m_even_memory);
    line->addWidget(m_even_time);
    line->addWidget(m_share);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(6, 2, 6, 4);
    rows->setSpacing(3);
    rows->addWidget(area, 1);
    rows->addLayout(line);
    rows->addWidget(m_message);

    connect(m_split, &ui::LayerSplit::edited, this, &LayerSplitPanel::edit);
    connect(m_layout, &QLineEdit::editingFinished, this, &LayerSplitPanel::commitLayout);
    ui::leaveIdleUndo(m_layout);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_layout->text()); });
    connect(m_even_memory, &QToolButton::clicked, this, [this] { evenOut(EvenGoal::Memory); });
    connect(m_even_time, &QToolButton::clicked, this, [this] { evenOut(EvenGoal::Time); });
    connect(m_share, &QToolButton::clicked, this, &LayerSplitPanel::shareEvenly);
    connect(m_split, &ui::LayerSplit::stageHovered, &state, &ViewState::setHoveredStage);
    connect(&m_document, &PlanDocument::planChanged, this, [this] {
        giveUpEvening();
        if (!m_keeps_message) say({}, false);
        refresh();
    });
    connect(&m_document, &PlanDocument::estimateChanged, this, &LayerSplitPanel::refresh);
    setWindowTitle(ui::sharedText("Layers of the stages"));
    m_layout_label->setText(tr("Layout"));
    m_layout->setAccessibleName(tr("Layout"));
    m_layout->setToolTip(
        tr("As --pipeline-model-parallel-layout of Megatron-LM takes it: E embedding, t layer, m prediction layer, L "
           "loss, | between stages, t*20 and (t*20|)*2 for repetitions."));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the layout for a Megatron-LM command line"));
    ui::setTip(m_even_memory,
        tr("Move single layers away from the fullest card as long as that frees memory on it and "
           "the step gets at most %1 longer, or until every card fits")
            .arg(ui::percentText(kMostEvenSlowdown, 0)));
    m_even_time->setToolTip(tr("Move single layers away from the slowest stage as long as that shortens the step"));
    m_share->setText(ui::sharedText("Share evenly"));
    m_share->setToolTip(
        tr("Remove the list: layers are then split automatically, as the framework does it, or else balanced"));
    updateButtons();
}

LayerSplitPanel::~LayerSplitPanel()
{
    // Deleting the field takes its focus, which must not count as an edit.
    m_layout->disconnect(this);
    m_split->disconnect(this);
}

QString LayerSplitPanel::message() const { return m_message->isHidden() ? QString() : m_message->text(); }

void LayerSplitPanel::edit(const std::vector<std::int64_t>& layers, ui::EditPhase phase)
{
    if (!m_document.isDragging()) m_before = m_document.plan();
    // A drag back to its start restores the old plan, including the absence of a list.
    Plan changed = layerSplit(m_before) == layers ? m_before : withLayerSplit(m_document.plan(), layers);
    m_document.edit(std::move(changed), tr("Layers per stage: %1").arg(ui::numberListText(layers)), kEditKey, phase);
    refresh();
}

void LayerSplitPanel::commitLayout()
{
    if (!m_layout->isModified()) return;
    auto changed = withTypedLayout(m_document.plan(), m_layout->text());
    // Text that cannot be read stays as typed, with the reason below it.
    if (!changed) return say(changed.error(), true);
    m_layout->setModified(false);
    m_document.edit(*std::move(changed), tr("Layout: %1").arg(m_layout->text().trimmed()));
    say({}, false);
    refresh();
}

void LayerSplitPanel::evenOut(EvenGoal goal)
{
    m_evening = goal;
    say({}, false);
    updateButtons();
    m_task.request([plan = m_document.plan(), goal, profile = m_document.profile()](
                       QPromise<EvenedLayers>& promise) { promise.addResult(evenOutLayers(plan, goal, profile)); });
}

void LayerSplitPanel::giveUpEvening()
{
    if (!m_evening) return;
    m_evening.reset();
    m_task.cancel();
    updateButtons();
}

void LayerSplitPanel::takeEvened(const EvenedLayers& even)
{
    if (!m_evening) return;
    const bool memory = *std::exchange(m_evening, std::nullopt) == EvenGoal::Memory;
    updateButtons();
    const QScopedValueRollback keeps(m_keeps_message, true);
    if (even.moved > 0)
        m_document.edit(
            even.plan, memory ? tr("Memory evened out over the stages") : tr("Time evened out over the stages"));
    if (even.moved == 0) {
        say(memory
                ? tr("Moving any single layer frees no memory on the fullest card, or makes the step too long.")
                : tr("Moving any single layer does not make the slowest stage faster without losing memory or time."),
            false);
    } else {
        say(evenedText(even), false);
    }
}

/// How much was moved, what that gave and cost, and how to take it back.
QString LayerSplitPanel::evenedText(const EvenedLayers& even) const
{
    const int tenths = static_cast<int>(std::lround(1000.0 * even.step_change));
    const QString step = tenths == 0
        ? tr("step unchanged")
        : tr("step %1").arg((tenths < 0 ? u'−' : u'+') + ui::percentText(std::abs(tenths) / 1000.0));
    QString text = tr("Layers moved: %1. Fullest card %2, %3. Undo takes it back (%4).")
                       .arg(even.moved)
                       .arg(ui::signedBytesText(even.memory_change, m_state.unit(), 1), step,
                           QKeySequence(QKeySequence::Undo).toString(QKeySequence::NativeText));
    if (even.exhausted) text += u' ' + tr("There may be better splits; press again to go on.");
    return text;
}

/// While layers are being balanced, the button says so and both buttons are disabled.
void LayerSplitPanel::updateButtons()
{
    const bool several = layerSplit(m_document.plan()).has_value() && m_split->layers().size() > 1;
    for (QToolButton* button : {m_even_memory, m_even_time})
        button->setEnabled(several && !m_evening);
    m_even_memory->setText(m_evening == EvenGoal::Memory ? tr("Evening out…") : tr("Even out memory"));
    m_even_time->setText(m_evening == EvenGoal::Time ? tr("Evening out…") : tr("Even out time"));
}

void LayerSplitPanel::shareEvenly()
{
    Plan changed = m_document.plan();
    changed.parallelism.layers_per_stage.reset();
    m_document.edit(std::move(changed), tr("Layers per stage: automatic"));
}

void LayerSplitPanel::refresh()
{
    if (!isVisible()) return; // showEvent() catches up
    const Plan& plan = m_document.plan();
    m_split->setPlan(plan, m_document.isComputing() ? nullptr : m_document.estimate().get());
    updateButtons();
    const SplitRule rule = splitRule(plan);
    m_share->setEnabled(rule == SplitRule::Listed);
    m_layout_label->setText(rule == SplitRule::Listed ? tr("Layout") : tr("Layout (automatic)"));
    ui::setTip(m_layout_label, tr("Layers are split: %1").arg(ui::translated(splitWords(rule))));
    if (m_layout->hasFocus() && m_layout->isModified()) return;
    const auto text = layoutText(plan);
    m_layout->setText(text ? QString::fromStdString(*text) : QString());
    m_layout->setPlaceholderText(text ? QString() : ui::translated(text.error().message));
    m_layout->setModified(false);
    m_layout->setCursorPosition(0);
    m_copy->setEnabled(text.has_value());
}

void LayerSplitPanel::say(const QString& message, bool is_error) { ui::setMessage(m_message, message, is_error); }

void LayerSplitPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

} // namespace cardfit::app
