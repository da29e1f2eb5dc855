// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QScrollArea>

#include "app/panels/panel_context.h"

class QVBoxLayout;

namespace cardfit::app {

class AdvicePanel;
class ChecksPanel;
class CollapsibleGroup;
class ExplainPanel;

/// One column of cards, the weightiest first: a broken rule, by how much the plan does not fit and what would help,
/// warnings, the explanation of what is selected. Advice for a plan that fits is a folded line, and is not computed.
class AdviceColumn : public QScrollArea, public SeenPanel {
    Q_OBJECT

public:
    explicit AdviceColumn(const PanelContext& context, QWidget* parent = nullptr);

    void setSeen(bool seen) override;
    /// Scrolls to a card, unfolded.
    void showCard(QWidget* card);

private:
    void follow();
    void order(const std::vector<QWidget*>& cards);

    PlanDocument& m_document;
    ViewState& m_state;
    ChecksPanel* m_checks;
    ExplainPanel* m_explain;
    CollapsibleGroup* m_advice_group;
    AdvicePanel* m_advice;
    QVBoxLayout* m_cards;
    bool m_seen = false;
    bool m_was_over = false;
};

} // namespace cardfit::app
