// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/compare_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/controls/table_view.h"
#include "widgets/chart/labels.h"
#include "widgets/step/waterfall_chart.h"

namespace cardfit::app {

ComparePanel::ComparePanel(PlanDocument& document, Pins& pins, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_pins(pins)
    , m_state(state)
    , m_base(new QComboBox(this))
    , m_swap(new QPushButton(tr("Swap"), this))
    , m_every_value(new QCheckBox(tr("Every value"), this))
    , m_notice(new QLabel(this))
    , m_tabs(new QTabWidget(this))
    , m_figures(new TableView(tr("Figures side by side"), this))
    , m_inputs(new TableView(tr("Changed inputs"), this))
    , m_parts(new TableView(tr("Parts of memory and time"), this))
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
        if (const auto slot = base()) m_pins.swap(*slot);
    });
    connect(&m_pins, &Pins::changed, this, &ComparePanel::outdate);
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
    m_base->setAccessibleName(tr("Pin to compare the plan with"));
    m_base->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_base->setMinimumContentsLength(12);
    m_swap->setToolTip(tr("The pinned plan becomes the plan, and the plan is pinned in its place"));
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
    tables->setSizes({430, 250});
    auto* halves = new QSplitter(Qt::Vertical, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(tables);
    halves->addWidget(m_memory);
    halves->addWidget(m_time);
    halves->setStretchFactor(0, 12);
    halves->setStretchFactor(1, 9);
    halves->setStretchFactor(2, 9);

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
    for (int slot = 0; slot < Pins::kCount; ++slot) {
        if (m_pins[slot].plan) m_base->addItem(tr("%1: %2").arg(Pins::letter(slot)).arg(m_pins.name(slot)), slot);
    }
    const int index = before ? m_base->findData(*before) : 0;
    m_base->setCurrentIndex(index < 0 ? 0 : index);
    m_base->setEnabled(m_base->count() > 0);
    m_swap->setEnabled(m_base->count() > 0);
}

/// Says why something is missing: nothing is pinned, a pin cannot be read, or a plan breaks a rule.
void ComparePanel::updateNotice()
{
    QStringList texts;
    if (!base()) texts << tr("Nothing is pinned: pin the plan as A, change it, and compare.");
    for (int slot = 0; slot < Pins::kCount; ++slot) {
        const Pin& pin = m_pins[slot];
        if (!pin.problem.isEmpty()) texts << tr("Pin %1 cannot be read: %2").arg(Pins::letter(slot)).arg(pin.problem);
        if (pin.plan && !pin.hasFigures())
            texts << tr("Pin %1: %2").arg(Pins::letter(slot)).arg(ui::brokenRulesText(*pin.estimate));
    }
    if (const auto& estimate = m_document.estimate(); estimate && !estimate->complete())
        texts << tr("Plan: %1").arg(ui::brokenRulesText(*estimate));
    m_notice->setText(texts.join(u'\n'));
    m_notice->setVisible(!texts.isEmpty());
}

ComparedPlan ComparePanel::thePlan() const { return {tr("Plan"), m_document.estimatedPlan(), m_document.estimate()}; }

ComparedPlan ComparePanel::pinned(int slot) const
{
    const Pin& pin = m_pins[slot];
    return {QString(Pins::letter(slot)), *pin.plan, pin.estimate};
}

void ComparePanel::refresh()
{
    m_current = true;
    updateBases();
    updateNotice();
    if (m_document.estimate()) updateTables();
    std::optional<ui::PinnedEstimate> against;
    for (const ui::PinnedEstimate& pin : m_pins.estimates()) {
        if (pin.slot == base()) against = pin;
    }
    m_memory->setCompared(against, m_document.estimate());
    m_time->setCompared(against, m_document.estimate());
}

void ComparePanel::updateTables()
{
    std::vector<ComparedPlan> plans{thePlan()};
    std::optional<std::size_t> against;
    for (int slot = 0; slot < Pins::kCount; ++slot) {
        if (!m_pins[slot].plan) continue;
        if (slot == base()) against = plans.size();
        plans.push_back(pinned(slot));
    }
    m_figures->setTable(figuresTable(plans, against, m_state.unit()));
    m_inputs->setTable(
        against ? inputsTable(plans[*against], plans.front(), m_every_value->isChecked()) : ui::ChartTable());
    m_parts->setTable(against ? partsTable(plans[*against], plans.front()) : ui::ChartTable());
    m_tabs->setTabText(0, tr("Changed inputs (%1)").arg(m_inputs->table().rows.size()));
}

} // namespace cardfit::app
