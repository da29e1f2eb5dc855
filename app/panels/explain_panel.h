// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <QWidget>

#include "core/explain/explain.h"
#include "core/io/report/reports.h"

class QToolButton;

namespace cardfit::ui {
class ExplainView;
}

namespace cardfit::app {

/// Explains one figure and follows edits: the same figure with new numbers. What a change of inputs would do needs
/// several estimates; it is computed beside the window's thread once the plan has come to rest.
class ExplainPanel : public QWidget {
    Q_OBJECT

public:
    explicit ExplainPanel(QWidget* parent = nullptr);
    ~ExplainPanel() override;

    /// `plan`: as `profile` sees it. An incomplete estimate keeps the last explanation, or says why there is none; none
    /// at all takes it away.
    void setEstimate(const Plan& plan, std::shared_ptr<const Estimate> estimate, Profile profile);
    void setUnit(ByteUnit unit);
    /// As core/explain names figures: "stage0.activations".
    void explainFigure(const QString& figure);
    /// What was explained before, oldest first, and what is now.
    [[nodiscard]] QStringList trail() const;
    /// Requires a figure at least.
    void setTrail(QStringList figures);
    /// Whether anybody can see it: a dock behind another one's tab still is visible to Qt.
    void setSeen(bool seen);

    [[nodiscard]] QString figure() const { return m_figure; }
    [[nodiscard]] ui::ExplainView& view() { return *m_view; }
    /// Whether the answer to "what if" is still to come.
    [[nodiscard]] bool isSettling() const;

    enum class CopyFormat { Text, Markdown, Latex };
    [[nodiscard]] QString textAs(CopyFormat format) const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What changes would do, and to which figure of which estimate.
    struct Answer {
        std::shared_ptr<const Estimate> estimate;
        QString figure;
        std::vector<Sensitivity> changes;
    };

    void buildButtons();
    void goBack();
    void goUp();
    void refresh();
    void startSensitivity();
    void takeSensitivity();
    void showCurrent();
    void showNothing(const QString& message);

    ui::ExplainView* m_view;
    QToolButton* m_back = nullptr;
    QToolButton* m_up = nullptr;
    Plan m_plan;
    std::shared_ptr<const Estimate> m_estimate;
    bool m_seen = true;
    Profile m_profile = Profile::AsPlanned;
    ByteUnit m_unit = ByteUnit::GB;
    QString m_figure;
    QStringList m_history;
    bool m_outdated = true; ///< to be made anew when shown
    Explanation m_explanation;
    QTimer m_refresh; ///< joins changes that follow closely on one another
    QElapsedTimer m_shown; ///< since the page was last made
    QTimer m_settled;
    QThreadPool m_pool;
    QFutureWatcher<Answer> m_watcher;
};

} // namespace cardfit::app
