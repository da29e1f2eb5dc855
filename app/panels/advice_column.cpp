// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/advice_column.h"

#include <utility>

#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "app/controls/collapsible_group.h"
#include "app/panels/advice_panel.h"
#include "app/panels/checks_panel.h"
#include "app/panels/explain_panel.h"
#include "widgets/explain_view.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

AdviceColumn::AdviceColumn(const PanelContext& context, QWidget* parent)
    : QScrollArea(parent)
    , m_document(context.document)
    , m_state(context.state)
    , m_checks(new ChecksPanel(context.document, context.presets))
    , m_explain(new ExplainPanel(context.document, context.state))
    , m_advice_group(new CollapsibleGroup(QStringLiteral("advice"), tr("Advice")))
    , m_advice(new AdvicePanel(context.document, context.state, m_advice_group))
{
    setWindowTitle(tr("Advice"));
    setAccessibleName(tr("Checks, advice and explanation"));
    m_advice_group->add(m_advice);
    auto* content = new QWidget(this);
    m_cards = new QVBoxLayout(content);
    m_cards->setContentsMargins(4, 4, 4, 4);
    m_cards->setSpacing(4);
    order({m_checks, m_advice_group, m_explain});
    m_cards->addStretch();
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_advice_group, &CollapsibleGroup::toggled, this, [this] { setSeen(m_seen); });
    connect(&m_document, &PlanDocument::estimateChanged, this, &AdviceColumn::follow);
    connect(&m_document, &PlanDocument::draggingChanged, this, &AdviceColumn::follow);
    connect(&m_state, &ViewState::unitChanged, this, &AdviceColumn::follow);
    connect(&m_document, &PlanDocument::planReplaced, this, [this] { verticalScrollBar()->setValue(0); });
    connect(m_advice, &AdvicePanel::keyboardMoved, this, [this](QWidget* to) { ensureWidgetVisible(to); });
    connect(&m_explain->view(), &ui::ExplainView::pageTurned, this, [this] {
        if (m_explain->mapTo(this, QPoint()).y() < 0) showCard(m_explain);
    });
}

void AdviceColumn::order(const std::vector<QWidget*>& cards)
{
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (m_cards->indexOf(cards[i]) != static_cast<int>(i)) m_cards->insertWidget(static_cast<int>(i), cards[i]);
        if (i > 0) setTabOrder(cards[i - 1], cards[i]);
    }
}

/// Cards keep their places during a drag.
void AdviceColumn::follow()
{
    const auto& estimate = m_document.estimate();
    if (estimate == nullptr || m_document.isDragging()) return;
    const bool over = estimate->complete() && !estimate->fits();
    m_advice_group->setMark(over ? ui::roomText(*estimate, m_state.unit()) : QString());
    if (over == std::exchange(m_was_over, over)) return;
    if (over) {
        order({m_advice_group, m_checks, m_explain});
        m_advice_group->setOpen(true);
    } else {
        order({m_checks, m_advice_group, m_explain});
    }
}

void AdviceColumn::setSeen(bool seen)
{
    m_seen = seen;
    m_explain->setSeen(seen);
    m_advice->setSeen(seen && m_advice_group->isOpen());
}

void AdviceColumn::showCard(QWidget* card)
{
    if (card == m_advice) m_advice_group->setOpen(true);
    // Its beginning, and again when what is asked for has been written.
    const auto scroll = [this, card] {
        widget()->layout()->activate();
        verticalScrollBar()->setValue(card->mapTo(widget(), QPoint()).y() - m_cards->spacing());
    };
    scroll();
    QTimer::singleShot(0, this, scroll);
}

} // namespace cardfit::app
