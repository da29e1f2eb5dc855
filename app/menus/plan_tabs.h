// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/document/plan_document.h"
#include "app/document/view_state.h"

class QAction;
class QActionGroup;
class QMenu;
class QTabBar;
class QToolButton;

namespace cardfit::app {

/// Whether another program has changed a plan's file: "plan.json (changed on disk)".
[[nodiscard]] QString withFileState(const QString& name, SavedFile::State state);

/// The tabs of the open plans, and the commands that go with them. A tab shows whether its plan fits, what differs from
/// the first plan of its name, and the state of its file; its tick outlines the plan in the charts of the others.
class PlanTabs : public QWidget {
    Q_OBJECT

public:
    /// `window`: where the commands' keys work.
    PlanTabs(PlanDocument& document, ViewState& state, QWidget* window);

    void fillCompareMenu(QMenu* menu);
    void fillGoMenu(QMenu* menu);
    /// What the button for a new tab offers besides an empty plan.
    void setNewMenu(QMenu* plans);
    [[nodiscard]] QAction* closeAction() const { return m_close; }

    [[nodiscard]] QTabBar* bar() const { return m_bar; }
    /// The tick on a tab.
    [[nodiscard]] QToolButton* tick(int index) const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addTab(int id);
    void refresh();
    void updateTab(int index);
    void updateVerdict(int index);
    void updateBars();
    void showFromBar(int index);

    PlanDocument& m_document;
    ViewState& m_state;
    QTabBar* m_bar;
    QToolButton* m_add;
    QAction* m_close;
    QAction* m_tick;
    QAction* m_outlines;
    QMenu* m_bars; ///< what the bars show: memory, or the difference to a ticked plan
    QList<int> m_compared; ///< letters of the choices of m_bars, after the first
    QMenu* m_go;
};

} // namespace cardfit::app
