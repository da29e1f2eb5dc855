// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/learn_panel.h"

#include <algorithm>
#include <array>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include "core/report/learn.h"
#include "core/search/schedules_compared.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/table_view.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/schedule_comparison.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

namespace {

QString valueText(RuleOnPlan::Unit unit, double value, ByteUnit bytes)
{
    switch (unit) {
    case RuleOnPlan::Unit::Bytes: return ui::bytesText(roundToBytes(value), bytes, 1);
    case RuleOnPlan::Unit::BytesPerParameter: return LearnPanel::tr("%1 bytes").arg(QString::number(value, 'g', 4));
    case RuleOnPlan::Unit::Count: return QString::number(value, 'g', 4);
    case RuleOnPlan::Unit::Share: return ui::percentText(value);
    }
    return {};
}

/// What a plan needs: "40.1, 38.2, 38.2, 39.9 GB · in flight 4, 3, 2, 1 · bubble 0.6 % · FITS"
QString figuresText(const Estimate& estimate, ByteUnit unit)
{
    if (!estimate.complete()) return ui::brokenRulesText(estimate);
    QStringList cards, held;
    for (const StageMemory& stage : estimate.stages) {
        cards << ui::bytesNumber(stage.device(), unit, 1);
        held << QString::number(stage.in_flight, 'g', 3);
    }
    QStringList facts{cards.join(QStringLiteral(", ")) + u' ' + ui::unitLabel(unit)};
    if (cards.size() > 1) {
        facts << LearnPanel::tr("in flight %1").arg(held.join(QStringLiteral(", ")))
              << LearnPanel::tr("bubble %1").arg(ui::percentText(estimate.pipeline.bubble_fraction));
    }
    facts << ui::verdictLabel(verdict(estimate));
    return facts.join(QStringLiteral(" · "));
}

/// Words that wrap, in columns of these widths; the last takes the rest.
ui::TableView* textTable(const QString& name, const QStringList& columns, const QList<int>& widths, QWidget* parent)
{
    auto* view = new ui::TableView(name, parent);
    ui::ChartTable table;
    table.title = name;
    table.columns = columns;
    table.text_columns = static_cast<int>(columns.size());
    view->setTable(std::move(table));
    view->setWordWrap(true);
    view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (int column = 0; column < widths.size(); ++column) {
        view->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Interactive);
        view->setColumnWidth(column, widths[column]);
    }
    return view;
}

void setRows(ui::TableView& view, std::vector<QStringList> rows)
{
    ui::ChartTable table = view.table();
    table.rows = std::move(rows);
    view.setTable(std::move(table));
}

} // namespace

LearnPanel::LearnPanel(PlanDocument& document, const Presets& presets, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_presets(presets)
    , m_state(state)
    , m_tabs(new QTabWidget(this))
    , m_rules(textTable(tr("Rules of thumb"),
          {tr("What is reckoned"), tr("Rule"), tr("By the rule"), tr("Exact"), tr("Source"), tr("Why they differ")},
          {270, 210, 90, 90, 210}, this))
    , m_examples(textTable(tr("Worked examples"),
          {tr("Example"), tr("The article"), tr("Exact, per card"), tr("Remark")}, {290, 160, 340}, this))
    , m_schedules(new ui::ScheduleComparison(this))
    , m_glossary(textTable(tr("Glossary"), {tr("Term"), tr("Meaning")}, {220}, this))
    , m_open(new QPushButton(tr("Open as a plan"), this))
{
    setWindowTitle(tr("Learn"));
    auto* examples = new QWidget(this);
    auto* column = new QVBoxLayout(examples);
    column->setContentsMargins(0, 0, 8, 8);
    column->addWidget(m_examples, 1);
    column->addWidget(m_open, 0, Qt::AlignRight);
    m_examples->setSelectionMode(QAbstractItemView::SingleSelection);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_rules, tr("Rules of thumb"));
    m_tabs->addTab(examples, tr("Worked examples"));
    m_tabs->addTab(m_schedules, tr("Schedules, four micro-batches"));
    m_tabs->addTab(m_glossary, tr("Glossary"));
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 4, 0, 0);
    whole->addWidget(m_tabs);

    std::vector<QStringList> terms;
    for (const GlossaryTerm& one : cardfit::glossary())
        terms.push_back({ui::translated(one.term), ui::translated(one.meaning)});
    setRows(*m_glossary, std::move(terms));
    m_open->setEnabled(false);
    connect(m_open, &QPushButton::clicked, this, [this] { open(m_examples->currentIndex().row()); });
    connect(m_examples, &QTableView::activated, this, [this](const QModelIndex& index) { open(index.row()); });
    connect(m_examples->selectionModel(), &QItemSelectionModel::currentRowChanged, m_open,
        [this](const QModelIndex& index) { m_open->setEnabled(index.isValid()); });
    connect(&m_document, &PlanDocument::estimateChanged, this, [this] {
        if (!m_seen) return;
        fillRules();
        fillSchedules();
    });
    connect(&m_state, &ViewState::unitChanged, this, [this] {
        if (m_seen) refresh();
    });
}

void LearnPanel::setSeen(bool seen)
{
    m_seen = seen;
    if (seen) refresh();
}

void LearnPanel::refresh()
{
    fillRules();
    fillExamples();
    fillSchedules();
}

void LearnPanel::fillRules()
{
    std::vector<QStringList> rows;
    const auto& estimate = m_document.estimate();
    if (estimate && estimate->complete()) {
        for (const RuleOnPlan& rule :
            rulesOnPlan(planUnder(m_document.estimatedPlan(), m_document.profile()), *estimate)) {
            QStringList why;
            for (const Phrase& reason : rule.why)
                why << ui::translated(reason);
            rows.push_back({ui::translated(rule.name), ui::verbatim(rule.formula),
                valueText(rule.unit, rule.by_rule, m_state.unit()), valueText(rule.unit, rule.exact, m_state.unit()),
                ui::verbatim(rule.source), why.isEmpty() ? tr("They agree.") : why.join(u' ')});
        }
    }
    setRows(*m_rules, std::move(rows));
}

void LearnPanel::fillExamples()
{
    std::vector<QStringList> rows;
    for (const WorkedExample& example : workedExamples()) {
        const auto plan = examplePlan(example, m_presets);
        rows.push_back({ui::translated(example.name), ui::verbatim(example.theirs),
            plan ? figuresText(estimate(*plan), m_state.unit()) : ui::translated(plan.error()),
            ui::translated(example.remark)});
    }
    setRows(*m_examples, std::move(rows));
}

/// As articles draw them: few micro-batches on the plan's stages, or, where it has no pipeline, on those of the first
/// worked example.
void LearnPanel::fillSchedules()
{
    constexpr std::int64_t kDrawn = 4;
    constexpr std::array kShown{Schedule::Naive, Schedule::GPipe, Schedule::OneFOneB, Schedule::PipeDream};
    constexpr std::size_t kOwn = 2;
    Plan plan = m_document.estimatedPlan();
    if (plan.parallelism.pipeline < 2 || plan.workload.task == Task::Inference) {
        if (auto example = examplePlan(workedExamples().front(), m_presets)) plan = *std::move(example);
    }
    plan.parallelism.virtual_pipeline = 1;
    plan.workload.global_batch_size =
        kDrawn * plan.workload.micro_batch_size * std::max<std::int64_t>(dataParallel(plan), 1);
    auto outcomes = compareSchedules(underSchedule(plan, kShown[kOwn]).plan, kShown);
    const ScheduleOutcome own = outcomes[kOwn];
    m_schedules->setOutcomes(own, std::move(outcomes));
}

void LearnPanel::open(int row)
{
    const auto examples = workedExamples();
    if (row < 0 || row >= static_cast<int>(examples.size())) return;
    auto plan = examplePlan(examples[static_cast<std::size_t>(row)], m_presets);
    if (!plan) return; // its row says why
    plan->name = ui::translated(examples[static_cast<std::size_t>(row)].name).toStdString();
    m_document.openBeside(*std::move(plan));
    m_state.setRoom(Room::Plan);
}

} // namespace cardfit::app
