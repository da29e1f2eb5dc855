// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/base/result.h"
#include "core/search/sweep.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace cardfit::ui {
class PlanMap;
}

namespace cardfit::app {

/// A figure over two fields of the plan. A cell is the plan with these two values and everything else unchanged, or the
/// best plan with everything else free. The map is drawn from coarse to fine, and again after every edit. A click uses
/// a cell's plan, as one undo step.
class MapTab : public QWidget {
    Q_OBJECT

public:
    MapTab(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);
    ~MapTab() override;

    /// While hidden, the tab computes nothing.
    void setSeen(bool seen);
    /// Fields by their JSON pointers.
    void setFields(const QString& x, const QString& y);
    [[nodiscard]] bool isComputing() const { return m_computing; }
    [[nodiscard]] const std::vector<SweepCell>& cells() const { return m_cells; }
    /// Makes the plan of a cell the document's plan.
    void use(int cell);
    /// Writes .png, .svg, .pdf or .csv, by the file's suffix, with the settings and the plan embedded.
    [[nodiscard]] Result<void> exportTo(const QString& file);

    [[nodiscard]] ui::PlanMap& chart() { return *m_chart; }
    [[nodiscard]] QCheckBox* bestBox() const { return m_best; }

private:
    struct Answer {
        SweepRequest request;
        std::vector<SweepCell> cells;
        bool final = false;
    };

    [[nodiscard]] SweepRequest request() const;
    [[nodiscard]] QString settings() const;
    void computeSoon();
    void compute();
    void take(const Answer& answer);
    void fill();

    PlanDocument& m_document;
    ViewState& m_state;
    LatestTask<Answer> m_task;
    std::stop_source m_stop;
    QTimer m_delay;
    std::optional<SweepRequest> m_request; ///< the request that the cells answer
    std::vector<SweepCell> m_cells;
    bool m_computing = false;
    bool m_seen = false;

    QComboBox* m_x;
    QComboBox* m_y;
    QComboBox* m_figure;
    QCheckBox* m_best;
    QPushButton* m_export;
    QLabel* m_status;
    ui::PlanMap* m_chart;
};

} // namespace cardfit::app
