// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QList>
#include <QTimer>
#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "app/panels/panel_context.h"
#include "core/report/limits_text.h"

class QPushButton;
class QVBoxLayout;

namespace cardfit::app {

/// Shows the plan's limits (what fits at most) and single changes that help, each with a button that applies it as one
/// undo step. Computed in a background thread, and only while the panel is visible. For a plan that does not fit, by
/// how much, and the best changes ahead of all others.
class AdvicePanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    AdvicePanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    void setSeen(bool seen) override;
    /// Shows what is left out ahead of the best changes.
    void showAll();

    /// The advice that is shown; nullopt before the first answer.
    [[nodiscard]] const std::optional<Advice>& shown() const { return m_shown; }
    /// Whether the advice is about the document's present plan; the buttons work only then.
    [[nodiscard]] bool isCurrent() const { return m_current; }
    [[nodiscard]] bool isWaiting() const { return m_delay.isActive() || m_task.isRunning(); }

signals:
    /// The next advice has the focus.
    void keyboardMoved(QWidget* to);

protected:
    void changeEvent(QEvent* event) override;

private:
    void outdate();
    void ask();
    void showAdvice(const Advice& advice);
    void rebuild();
    void giveKeyboardBack();
    [[nodiscard]] QList<QPushButton*> buttons() const;
    void addHeading(QVBoxLayout* column, const QString& text);
    void addLimit(QVBoxLayout* column, const Limit& limit);
    void addChanges(QVBoxLayout* column, std::size_t most);
    void addLimits(QVBoxLayout* column);
    void addMore(QVBoxLayout* column);
    void addSuggestion(QVBoxLayout* column, const Suggestion& suggestion);
    /// Adds a line with its button and, below it, details. `plan`: the plan that the button applies; null for no
    /// button.
    void addRow(QVBoxLayout* column, const QString& text, const QStringList& details, const Plan* plan,
        const QString& tip = {});

    PlanDocument& m_document;
    ViewState& m_state;
    LatestTask<Advice> m_task;
    QTimer m_delay;
    std::optional<Advice> m_shown;
    bool m_current = false;
    bool m_seen = false;
    bool m_all = false; ///< not only the best changes
    QWidget* m_content = nullptr;
    std::optional<int> m_pressed; ///< index of the button that had the focus when the plan changed
};

} // namespace cardfit::app
