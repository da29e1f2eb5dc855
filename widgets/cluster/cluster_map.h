// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/plan/plan.h"
#include "core/time/placement.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/cluster/cluster_layout.h"

class QKeyEvent;

namespace cardfit::ui {

class ClusterCells;

/// The cluster card by card. Each card has the colour, pattern and number of its group of one kind; frames of nodes and
/// NVLink domains show what a group crosses. For the card under the pointer, or selected by the arrow keys, the group
/// is outlined and its groups of every kind are named.
class ClusterMap : public ChartWidget {
    Q_OBJECT

public:
    explicit ClusterMap(QWidget* parent = nullptr);

    /// `placements`: of groups with more than one card, whether they have a cost or not.
    void setPlan(const Plan& plan, std::vector<GroupPlacement> placements);
    /// Which kind of group the colours show.
    void setGroup(CardGroup group);
    [[nodiscard]] CardGroup group() const { return m_group; }

    /// For every card that is drawn, the number of its group.
    [[nodiscard]] const std::vector<std::int64_t>& groups() const;
    [[nodiscard]] QRectF cardRect(std::int64_t card) const; ///< in pixels of the plot

    [[nodiscard]] bool isEmpty() const override;
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {520, 200}; }

protected:
    [[nodiscard]] QString ownTitle() const override;
    [[nodiscard]] QString ownFacts() const override;
    [[nodiscard]] QList<LegendEntry> legend() const override;
    [[nodiscard]] QString description() const override;
    void prepare(QSize canvas) override;
    void pointerLeft() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void hover(std::int64_t card);
    void refresh();

    ClusterCells* m_cells;
    Plan m_plan;
    std::vector<GroupPlacement> m_placements;
    CardGroup m_group = CardGroup::Tensor;
    std::int64_t m_hovered = -1;
};

/// "Tensor", "Expert" …: for lists.
[[nodiscard]] QString cardGroupLabel(CardGroup group);
/// "8 cards, within a node", "64 cards, 8 in each of 8 domains, across the network: 0.412 s of a step".
[[nodiscard]] QString placementLabel(const Cluster& cluster, const GroupPlacement& placed);

} // namespace cardfit::ui
