// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/cluster_panel.h"

#include <utility>

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "app/files/file_export.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/time/placement.h"
#include "widgets/chart/chart_export.h"
#include "widgets/cluster/cluster_map.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

ClusterPanel::ClusterPanel(PlanDocument& document, ViewState& /*state*/, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_group(new QComboBox(this))
    , m_export(new QToolButton(this))
    , m_map(new ui::ClusterMap(this))
{
    setWindowTitle(tr("Cluster map"));
    auto* label = new QLabel(tr("Coloured by"), this);
    label->setBuddy(m_group);
    m_group->setAccessibleName(tr("Group of cards that is coloured"));
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_group->setMinimumContentsLength(16);
    m_export->setText(tr("Export…"));
    auto* line = new QHBoxLayout;
    line->setContentsMargins(6, 2, 6, 0);
    line->setSpacing(6);
    line->addWidget(label);
    line->addWidget(m_group, 1);
    line->addWidget(m_export);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(2);
    rows->addLayout(line);
    rows->addWidget(m_map, 1);

    connect(m_group, &QComboBox::currentIndexChanged, this,
        [this] { m_map->setGroup(static_cast<CardGroup>(m_group->currentData().toInt())); });
    (new FileExport(this))->askOn(m_export, QStringLiteral("cluster.png"), [this](const QString& file) {
        return exportTo(file);
    });
    connect(&m_document, &PlanDocument::estimateChanged, this, &ClusterPanel::refresh);
}

void ClusterPanel::refresh()
{
    if (!isVisible()) return; // showEvent() catches up
    const Plan& plan = m_document.plan();
    const auto estimate = m_document.estimate();
    const bool priced = !m_document.isComputing() && estimate && estimate->complete();
    auto placements = priced ? estimate->placement : groupPlacements(plan);
    const auto chosen = m_map->group();
    {
        const QSignalBlocker quiet(m_group);
        m_group->clear();
        for (const GroupPlacement& placed : placements)
            m_group->addItem(
                tr("%1: %2").arg(ui::cardGroupLabel(placed.group), ui::placementLabel(plan.cluster, placed)),
                static_cast<int>(placed.group));
        const int same = m_group->findData(static_cast<int>(chosen));
        m_group->setCurrentIndex(same < 0 && m_group->count() > 0 ? 0 : same);
        m_group->setEnabled(m_group->count() > 0);
    }
    m_map->setPlan(plan, std::move(placements));
    if (m_group->currentIndex() >= 0) m_map->setGroup(static_cast<CardGroup>(m_group->currentData().toInt()));
}

Result<void> ClusterPanel::exportTo(const QString& file)
{
    const Plan& plan = m_document.plan();
    if (QFileInfo(file).suffix() == QStringLiteral("csv"))
        return writeFile(toPath(file), ui::commaSeparated(m_map->table()).toStdString());
    return exportChart(*m_map, plan, QString::fromStdString(plan.name), file);
}

void ClusterPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

} // namespace cardfit::app
