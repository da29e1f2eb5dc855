// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "core/files/presets.h"

class QComboBox;
class QMenu;
class QToolBar;

namespace cardfit::ui {
class SearchComboBox;
} // namespace cardfit::ui

namespace cardfit::app {

class PlanDocument;

/// Lists: model and cluster in the band, the profile under which figures are computed in the toolbar, shipped plans in
/// a menu.
class PlanPickers : public QObject {
    Q_OBJECT

public:
    /// Fills `plans` with the shipped ones.
    PlanPickers(PlanDocument& document, const Presets& presets, QToolBar* band, QToolBar* toolbar, QMenu* plans);

    void presetsChanged();

    /// Does what choosing the preset in its list does. An unknown id changes nothing.
    void pickModel(const QString& id);
    void pickCluster(const QString& id);
    void pickPlan(const QString& id);

signals:
    void planPicked(const cardfit::Plan& plan);

private:
    ui::SearchComboBox* addPicker(QToolBar* toolbar, const QString& label, const QString& help, int characters);
    void addProfiles(QToolBar* toolbar);
    void refresh();

    PlanDocument& m_document;
    const Presets& m_presets;
    ui::SearchComboBox* m_model;
    ui::SearchComboBox* m_cluster;
    QMenu* m_plans;
    QComboBox* m_profile = nullptr;
};

/// The cluster for a plan with this number of cards. A preset of one node stands for any number of nodes and gets as
/// many as keep the number of cards, if possible. A preset with its own number of nodes, or with a single card, stays
/// unchanged.
[[nodiscard]] Cluster clusterKeepingCards(const Cluster& preset, std::int64_t cards);

} // namespace cardfit::app
