// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus/plan_pickers.h"

#include <utility>

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QToolBar>

#include "app/controls/menu_text.h"
#include "app/document/plan_document.h"
#include "core/model/specialties.h"
#include "core/plan/edits.h"
#include "widgets/controls/quiet_combo_box.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

QString profileLabel(Profile profile)
{
    switch (profile) {
    case Profile::AsPlanned: return PlanPickers::tr("as planned");
    case Profile::Megatron: return PlanPickers::tr("Megatron-Core");
    case Profile::DeepSpeed: return ui::sharedText("DeepSpeed");
    case Profile::Fsdp: return ui::sharedText("PyTorch FSDP");
    case Profile::Article: return PlanPickers::tr("article, 18 bytes");
    }
    return {};
}

template <class Preset> QList<ui::SearchComboBox::Entry> entries(const std::vector<Preset>& presets)
{
    QList<ui::SearchComboBox::Entry> list;
    for (const Preset& preset : presets)
        list.push_back({QString::fromStdString(preset.id), QString::fromStdString(preset.name)});
    return list;
}

/// Entries of models, with the properties that distinguish them.
QList<ui::SearchComboBox::Entry> modelEntries(const std::vector<Model>& models)
{
    QList<ui::SearchComboBox::Entry> list = entries(models);
    for (qsizetype i = 0; i < list.size(); ++i) {
        QStringList facts;
        for (const Sentence& fact : specialties(models[static_cast<std::size_t>(i)].architecture))
            facts.append(ui::translated(fact));
        list[i].help = facts.join(u'\n');
    }
    return list;
}

} // namespace

Cluster clusterKeepingCards(const Cluster& preset, std::int64_t cards)
{
    Cluster cluster = preset;
    if (preset.nodes > 1) return cluster;
    if (preset.cards_per_node > 1 && cards % preset.cards_per_node == 0)
        cluster.nodes = std::max<std::int64_t>(1, cards / preset.cards_per_node);
    return cluster;
}

PlanPickers::PlanPickers(
    PlanDocument& document, const Presets& presets, QToolBar* band, QToolBar* toolbar, QMenu* plans)
    : QObject(toolbar)
    , m_document(document)
    , m_presets(presets)
    , m_model(addPicker(band, ui::sharedText("Model"), tr("Published models"), 9))
    , m_cluster(addPicker(band, ui::sharedText("Cluster"),
          tr("Clusters; a cluster of a single node gets as many nodes as are needed to keep the number of cards"), 9))
    , m_plans(plans)
{
    addProfiles(toolbar);
    connect(m_model, &ui::SearchComboBox::picked, this, &PlanPickers::pickModel);
    connect(m_cluster, &ui::SearchComboBox::picked, this, &PlanPickers::pickCluster);
    connect(&m_document, &PlanDocument::planChanged, this, &PlanPickers::refresh);
    presetsChanged();
}

ui::SearchComboBox* PlanPickers::addPicker(QToolBar* toolbar, const QString& label, const QString& help, int characters)
{
    auto* text = new QLabel(label + u' ', toolbar);
    text->setContentsMargins(6, 0, 0, 0);
    auto* picker = new ui::SearchComboBox(toolbar);
    picker->setAccessibleName(label);
    picker->setAccessibleDescription(help);
    picker->setMinimumContentsLength(characters);
    picker->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    picker->setMaximumWidth(5 * picker->minimumSizeHint().width() / 2);
    text->setBuddy(picker);
    toolbar->addWidget(text);
    toolbar->addWidget(picker);
    return picker;
}

void PlanPickers::addProfiles(QToolBar* toolbar)
{
    auto* text = new QLabel(tr("Figures") + u' ', toolbar);
    text->setContentsMargins(6, 0, 0, 0);
    m_profile = new ui::QuietComboBox(toolbar);
    m_profile->setAccessibleName(tr("Figures"));
    m_profile->setToolTip(tr("The framework whose formulas the figures are computed with. The plan does not change."));
    m_profile->setMinimumContentsLength(9);
    for (const auto& entry : kProfileNames)
        m_profile->addItem(profileLabel(entry.value), static_cast<int>(entry.value));
    connect(m_profile, &QComboBox::activated, this,
        [this](int index) { m_document.setProfile(static_cast<Profile>(m_profile->itemData(index).toInt())); });
    toolbar->addWidget(text);
    toolbar->addWidget(m_profile);
}

void PlanPickers::presetsChanged()
{
    m_model->setEntries(modelEntries(m_presets.models));
    m_cluster->setEntries(entries(m_presets.clusters));
    m_plans->clear();
    for (const PlanPreset& preset : m_presets.plans) {
        const QString name = QString::fromStdString(preset.plan.name);
        auto* start =
            m_plans->addAction(inMenu(name), this, [this, id = QString::fromStdString(preset.id)] { pickPlan(id); });
        ui::setTip(start, name);
    }
    refresh();
}

void PlanPickers::refresh()
{
    const Plan& plan = m_document.plan();
    m_model->setCurrent(QString::fromStdString(plan.model.id), QString::fromStdString(plan.model.name));
    m_cluster->setCurrent(QString::fromStdString(plan.cluster.id), QString::fromStdString(plan.cluster.name));
    // The tool tip has the whole name, which the box may elide, and the purpose of the box.
    for (const auto& [box, name] : {std::pair(m_model, &plan.model.name), {m_cluster, &plan.cluster.name}})
        ui::setTip(box, QString::fromStdString(*name) + u'\n' + box->accessibleDescription());
    m_profile->setCurrentIndex(m_profile->findData(static_cast<int>(m_document.profile())));
}

void PlanPickers::pickModel(const QString& id)
{
    const Model* model = m_presets.model(id.toStdString());
    if (model == nullptr) return;
    m_document.edit(withModel(m_document.plan(), *model), tr("Model: %1").arg(QString::fromStdString(model->name)));
}

void PlanPickers::pickPlan(const QString& id)
{
    if (const Plan* plan = m_presets.plan(id.toStdString())) emit planPicked(*plan);
}

void PlanPickers::pickCluster(const QString& id)
{
    const Cluster* cluster = m_presets.cluster(id.toStdString());
    if (cluster == nullptr) return;
    Plan changed = m_document.plan();
    changed.cluster = clusterKeepingCards(*cluster, cardCount(changed.cluster));
    changed = withDerivedFactor(m_document.plan(), std::move(changed), DerivedFactor::Data);
    m_document.edit(std::move(changed), tr("Cluster: %1").arg(QString::fromStdString(cluster->name)));
}

} // namespace cardfit::app
