// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/search/even_layers.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace cardfit::ui {
class LayerSplit;
}

namespace cardfit::app {

/// Which stage has which layers: by dragging, by typing Megatron-LM's layout, or by balancing automatically.
class LayerSplitPanel : public QWidget {
    Q_OBJECT

public:
    LayerSplitPanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);
    ~LayerSplitPanel() override;

    [[nodiscard]] ui::LayerSplit& split() { return *m_split; }
    [[nodiscard]] QLineEdit& layoutField() { return *m_layout; }
    /// What the last balancing did, or why a layout was refused; empty if there is nothing to say.
    [[nodiscard]] QString message() const;

    /// Moves single layers, in one undo step, as long as that improves the fullest card or the slowest stage. Searches
    /// in a background thread; an edit of the plan cancels it.
    void evenOut(EvenGoal goal);
    [[nodiscard]] bool isEveningOut() const { return m_evening.has_value(); }
    /// Removes the list, in one undo step, so that the layers are distributed as the framework does it.
    void shareEvenly();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void edit(const std::vector<std::int64_t>& layers, ui::EditPhase phase);
    void takeEvened(const EvenedLayers& even);
    [[nodiscard]] QString evenedText(const EvenedLayers& even) const;
    void giveUpEvening();
    void updateButtons();
    void commitLayout();
    void refresh();
    void say(const QString& message, bool is_error);

    PlanDocument& m_document;
    ViewState& m_state;
    ui::LayerSplit* m_split;
    QLabel* m_layout_label;
    QLineEdit* m_layout;
    QToolButton* m_copy;
    QToolButton* m_even_memory;
    QToolButton* m_even_time;
    QToolButton* m_share;
    QLabel* m_message;
    bool m_keeps_message = false; ///< the message is about the edit being made
    Plan m_before; ///< the plan before the drag in progress
    std::optional<EvenGoal> m_evening; ///< the goal of the search in progress
    LatestTask<EvenedLayers> m_task;
};

} // namespace cardfit::app
