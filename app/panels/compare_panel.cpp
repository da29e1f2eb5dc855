// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/compare_panel.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "widgets/chart/labels.h"
#include "widgets/controls/table_view.h"
#include "widgets/step/waterfall_chart.h"

namespace cardfit::app {

ComparePanel::ComparePanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_base(new QComboBox(this))
    , m_swap(new QPushButton(tr("Swap"), this))
    , m_every_value(new QCheckBox(tr("Every value"), this))
    , m_notice(new QLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_figures(new ui::TableView(tr("Figures side by side"), this))
    , m_inputs(new ui::TableView(tr("Changed inputs"), this))
    , m_parts(new ui::TableView(tr("Parts of memory and time"), this))
    , m_memory(new ui::WaterfallChart(ui::Waterfall::Of::Memory, this))
    , m_time(new ui::WaterfallChart(ui::Waterfall::Of::Time, this))
{
    build();
    connect(m_base, &QComboBox::activated, this, [this] {
        outdate();
        emit baseChosen();
    });
    connect(m_every_value, &QCheckBox::toggled, this, &ComparePanel::outdate);
    connect(m_swap, &QPushButton::clicked, this, [this] {
        const auto slot = base();
        if (!slot) return;
        m_document.tick(m_document.current(), true);
        const int before = m_document.tab(m_document.current()).slot;
        m_document.show(m_document.indexOfSlot(*slot));
        setBase(before);
    });
    connect(&m_document, &PlanDocument::tabsChanged, this, &ComparePanel::outdate);
    connect(&m_document, &PlanDocument::estimateChanged, this, &ComparePanel::outdate);
    connect(&m_state, &ViewState::unitChanged, this, [this] {
        m_memory->setUnit(m_state.unit());
        outdate();
    });
    updateBases();
}

void ComparePanel::build()
{
    auto* label = new QLabel(tr("Compare with"), this);
    label->setBuddy(m_base);
    m_base->setAccessibleName(tr("Ticked plan to compare the plan with"));
    m_base->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_base->setMinimumContentsLength(12);
    m_swap->setToolTip(tr("The other plan is shown, and this one is compared with it"));
    m_every_value->setToolTip(tr("List every value of another model or accelerator, not just its name"));
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 3, 8, 0);
    row->addWidget(label);
    row->addWidget(m_base, 1);
    row->addWidget(m_swap);
    row->addWidget(m_every_value);

    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_inputs, QString());
    m_tabs->addTab(m_parts, tr("Parts"));
    auto* tables = new QSplitter(Qt::Horizontal, this);
    tables->setChildrenCollapsible(false);
    tables->addWidget(m_figures);
    tables->addWidget(m_tabs);
    // The figures of up to four plans are wider than the changed inputs.
    tables->setStretchFactor(0, 1);
    tables->setStretchFactor(1, 1);
    tables->setSizes({560, 720});
    auto* charts = new QSplitter(Qt::Horizontal, this);
    charts->setChildrenCollapsible(false);
    charts->addWidget(m_memory);
    charts->addWidget(m_time);
    auto* halves = new QSplitter(Qt::Vertical, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(tables);
    halves->addWidget(charts);
    halves->setStretchFactor(0, 1);
    halves->setStretchFactor(1, 1);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addLayout(row);
    column->addWidget(m_notice);
    column->addWidget(halves, 1);
    m_notice->setContentsMargins(8, 0, 8, 0);
}

void ComparePanel::setSeen(bool seen)
{
    m_seen = seen;
    if (m_seen && !m_current) refresh();
}

void ComparePanel::outdate()
{
    m_current = false;
    if (m_seen) refresh();
}

std::optional<int> ComparePanel::base() const
{
    const QVariant slot = m_base->currentData();
    return slot.isValid() ? std::optional(slot.toInt()) : std::nullopt;
}

void ComparePanel::setBase(int slot)
{
    updateBases();
    const int index = m_base->findData(slot);
    if (index < 0) return;
    m_base->setCurrentIndex(index);
    outdate();
}

QString ComparePanel::notice() const { return m_notice->text(); }

void ComparePanel::updateBases()
{
    const auto before = base();
    const QSignalBlocker blocked(m_base);
    m_base->clear();
    for (const OpenPlan* plan : others())
        m_base->addItem(tr("%1: %2").arg(PlanDocument::letter(plan->slot)).arg(plan->name), plan->slot);
    const int index = before ? m_base->findData(*before) : 0;
    m_base->setCurrentIndex(index < 0 ? 0 : index);
    m_base->setEnabled(m_base->count() > 0);
    m_swap->setEnabled(m_base->count() > 0);
}

/// Says why something is missing: no other plan is ticked, or a plan breaks a rule.
void ComparePanel::updateNotice()
{
    QStringList texts;
    if (!base()) texts << tr("No other plan is ticked: keep a copy (Ctrl+D), change the plan, and compare.");
    for (const OpenPlan* plan : others()) {
        if (!plan->figures.estimate->complete())
            texts
                << tr("%1: %2").arg(PlanDocument::letter(plan->slot)).arg(ui::brokenRulesText(*plan->figures.estimate));
    }
    if (const auto& estimate = m_document.estimate(); estimate && !estimate->complete())
        texts << tr("Plan: %1").arg(ui::brokenRulesText(*estimate));
    m_notice->setText(texts.join(u'\n'));
    m_notice->setVisible(!texts.isEmpty());
}

ComparedPlan ComparePanel::thePlan() const { return {tr("Plan"), m_document.estimatedPlan(), m_document.estimate()}; }

std::vector<const OpenPlan*> ComparePanel::others() const
{
    std::vector<const OpenPlan*> plans;
    for (int index = 0; index < m_document.count(); ++index) {
        const OpenPlan& tab = m_document.tab(index);
        if (index != m_document.current() && tab.slot >= 0 && tab.hasFigures(m_document.profile()))
            plans.push_back(&tab);
    }
    std::ranges::sort(plans, {}, &OpenPlan::slot);
    return plans;
}

void ComparePanel::refresh()
{
    m_current = true;
    updateBases();
    updateNotice();
    if (m_document.estimate()) updateTables();
    std::optional<ui::PinnedEstimate> against;
    for (const ui::PinnedEstimate& pin : m_document.ticked()) {
        if (base() && pin.letter == PlanDocument::letter(*base())) against = pin;
    }
    m_memory->setCompared(against, m_document.estimate());
    m_time->setCompared(against, m_document.estimate());
}

void ComparePanel::updateTables()
{
    std::vector<ComparedPlan> plans{thePlan()};
    std::optional<std::size_t> against;
    for (const OpenPlan* plan : others()) {
        if (plan->slot == base()) against = plans.size();
        plans.push_back({QString(PlanDocument::letter(plan->slot)), plan->plan, plan->figures.estimate});
    }
    m_figures->setTable(figuresTable(plans, against, m_state.unit()));
    m_inputs->setTable(
        against ? inputsTable(plans[*against], plans.front(), m_every_value->isChecked()) : ui::ChartTable());
    m_parts->setTable(against ? partsTable(plans[*against], plans.front()) : ui::ChartTable());
    m_tabs->setTabText(0, tr("Changed inputs (%1)").arg(m_inputs->table().rows.size()));
}

} // namespace cardfit::app
