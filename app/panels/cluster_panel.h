// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/document/plan_document.h"
#include "app/document/view_state.h"
#include "core/base/result.h"

class QComboBox;
class QToolButton;

namespace cardfit::ui {
class ClusterMap;
}

namespace cardfit::app {

/// The cluster card by card: which cards form a group, and which parts of the network the group crosses.
class ClusterPanel : public QWidget {
    Q_OBJECT

public:
    ClusterPanel(PlanDocument& document, ViewState& state, QWidget* parent = nullptr);

    [[nodiscard]] ui::ClusterMap& map() { return *m_map; }
    [[nodiscard]] QComboBox& groupBox() { return *m_group; }
    /// Writes .png, .svg, .pdf or .csv, by the file's suffix.
    [[nodiscard]] Result<void> exportTo(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    PlanDocument& m_document;
    QComboBox* m_group;
    QToolButton* m_export;
    ui::ClusterMap* m_map;
};

} // namespace cardfit::app
