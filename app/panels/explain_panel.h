// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QElapsedTimer>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "app/panels/panel_context.h"
#include "core/explain/explain.h"

class QLabel;
class QToolButton;

namespace cardfit::ui {
class ExplainView;
}

namespace cardfit::app {

/// Explains one figure and follows edits: the same figure with new numbers. The effect of changing inputs needs several
/// estimates; it is computed in a background thread after the last edit.
class ExplainPanel : public QWidget, public SeenPanel {
    Q_OBJECT

public:
    ExplainPanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    /// `figure` as core/explain names it: "stage0.activations".
    void explainFigure(const QString& figure);
    /// The figures explained before, oldest first, followed by the present one.
    [[nodiscard]] QStringList trail() const;
    /// Requires at least one figure.
    void setTrail(QStringList figures);
    void setSeen(bool seen) override;

    [[nodiscard]] QString figure() const { return m_figure; }
    [[nodiscard]] ui::ExplainView& view() { return *m_view; }
    /// Whether the effect of changing inputs is still to be computed.
    [[nodiscard]] bool isSettling() const;

    enum class CopyFormat { Text, Markdown, Latex };
    [[nodiscard]] QString textAs(CopyFormat format) const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildButtons();
    void goBack();
    void goUp();
    void takeFigures();
    void refresh();
    void startSensitivity();
    void showCurrent();
    void showNothing(const QString& message);

    PlanDocument& m_document;
    ViewState& m_state;
    QLabel* m_earlier; ///< says that the figures are not this plan's
    ui::ExplainView* m_view;
    QToolButton* m_back = nullptr;
    QToolButton* m_up = nullptr;
    std::shared_ptr<const Estimate> m_figures; ///< the estimate being explained; see PlanDocument::lastComplete()
    bool m_seen = true;
    QString m_figure;
    QStringList m_history;
    bool m_outdated = true; ///< must be made anew when shown
    Explanation m_explanation;
    QTimer m_refresh; ///< merges changes in quick succession
    QElapsedTimer m_shown; ///< time since the page was last made
    QTimer m_settled;
    /// What the explained figure depends on.
    struct Behind {
        std::vector<Sensitivity> sensitivity;
        std::vector<Constant> constants;
    };
    LatestTask<Behind> m_task;
};

} // namespace cardfit::app
