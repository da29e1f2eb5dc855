// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/map_tab.h"
#include "app/document/choice_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "app/files/file_export.h"
#include "app/search/search_words.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/plan/field_table.h"
#include "core/report/search_rows.h"
#include "core/report/sweep_text.h"
#include "widgets/chart/chart_export.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/search/plan_map.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kMapDelay = 60; ///< milliseconds without an edit before the map is computed again
constexpr std::array kMapFigures{
    SearchFigure::Days, SearchFigure::Memory, SearchFigure::Cost, SearchFigure::Energy, SearchFigure::Headroom};

/// Fields that can be an axis of the map.
std::vector<std::string_view> mapFields()
{
    std::vector<std::string_view> fields{
        pointerOf<&Workload::sequence_length>, pointerOf<&Workload::global_batch_size>};
    for (const AxisName& axis : axisNames()) {
        if (axis.kind != AxisKind::Field && axis.kind != AxisKind::Accelerator) fields.push_back(axis.pointer);
    }
    return fields;
}

ui::PlanMap::Axis axisOf(const SearchAxis& axis)
{
    ui::PlanMap::Axis made{axisLabel(axis.pointer), {}};
    for (const AxisValue& value : axis.values)
        made.values << valueLabel(axis.pointer, value.word);
    return made;
}

int indexOf(const SearchAxis& axis, const Plan& plan)
{
    const auto found = std::ranges::find(axis.values, ownValue(plan, axis.pointer).word, &AxisValue::word);
    return found == axis.values.end() ? -1 : static_cast<int>(found - axis.values.begin());
}

} // namespace

MapTab::MapTab(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_task([this](const Answer& answer) { take(answer); })
    , m_x(new QComboBox(this))
    , m_y(new QComboBox(this))
    , m_figure(new QComboBox(this))
    , m_best(new QCheckBox(tr("All else free"), this))
    , m_export(new QPushButton(tr("Export…"), this))
    , m_status(ui::noteLabel({}, this))
    , m_chart(new ui::PlanMap(this))
{
    for (QComboBox* box : {m_x, m_y}) {
        for (const std::string_view field : mapFields())
            box->addItem(axisLabel(field), ui::verbatim(field));
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
    }
    m_x->setAccessibleName(tr("Field of the columns"));
    ui::setTip(m_x, m_x->accessibleName());
    m_y->setAccessibleName(tr("Field of the rows"));
    ui::setTip(m_y, m_y->accessibleName());
    setFields(ui::verbatim(pointerOf<&Parallelism::tensor>), ui::verbatim(pointerOf<&Parallelism::pipeline>));
    for (const SearchFigure figure : kMapFigures)
        m_figure->addItem(figureLabel(figure, m_document.plan()), static_cast<int>(figure));
    m_figure->setAccessibleName(tr("Figure of the map"));
    m_figure->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_figure->setMinimumContentsLength(8);
    m_best->setToolTip(tr("If checked, each cell shows the best plan that a search finds with these two values; "
                          "otherwise the current plan with these two values"));
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 8, 0);
    top->setSpacing(4);
    top->addWidget(m_x, 1);
    top->addWidget(new QLabel(QStringLiteral("×"), this));
    top->addWidget(m_y, 1);
    top->addWidget(m_figure, 1);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(8, 0, 8, 0);
    second->addWidget(m_best);
    second->addWidget(m_status, 1);
    second->addStretch();
    second->addWidget(m_export);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(top);
    column->addLayout(second);
    column->addWidget(m_chart, 1);

    m_delay.setSingleShot(true);
    m_delay.setInterval(kMapDelay);
    connect(&m_delay, &QTimer::timeout, this, &MapTab::compute);
    for (QComboBox* box : {m_x, m_y, m_figure})
        connect(box, &QComboBox::currentIndexChanged, this, &MapTab::computeSoon);
    connect(m_best, &QCheckBox::toggled, this, &MapTab::computeSoon);
    connect(&m_document, &PlanDocument::planChanged, this, &MapTab::computeSoon);
    connect(&m_state, &ViewState::unitChanged, this, &MapTab::fill);
    connect(m_chart, &ui::PlanMap::cellChosen, this, &MapTab::use);
    (new FileExport(this))->askOn(m_export, QStringLiteral("map.png"), [this](const QString& file) {
        return exportTo(file);
    });
    m_export->setEnabled(false);
}

MapTab::~MapTab() { m_stop.request_stop(); }

void MapTab::setSeen(bool seen)
{
    if (seen == m_seen) return;
    m_seen = seen;
    if (seen)
        computeSoon();
    else
        m_stop.request_stop();
}

void MapTab::setFields(const QString& x, const QString& y)
{
    m_x->setCurrentIndex(m_x->findData(x));
    m_y->setCurrentIndex(m_y->findData(y));
}

SweepRequest MapTab::request() const
{
    const Plan& plan = m_document.plan();
    SweepRequest request;
    request.x = sweptAxis(plan, m_x->currentData().toString().toStdString());
    if (m_y->currentIndex() != m_x->currentIndex())
        request.y = sweptAxis(plan, m_y->currentData().toString().toStdString());
    request.figure = static_cast<SearchFigure>(m_figure->currentData().toInt());
    request.best = m_best->isChecked();
    std::int64_t nodes = plan.cluster.nodes;
    for (const SearchAxis* axis : {&request.x, request.y ? &*request.y : nullptr}) {
        if (axis != nullptr && axis->kind == AxisKind::Nodes && !axis->values.empty())
            nodes = std::max(nodes, std::get<std::int64_t>(axis->values.back().value));
    }
    if (request.best)
        request.space = spaceUpTo(plan, nodes);
    else
        request.space.base = plan;
    return request;
}

void MapTab::computeSoon()
{
    m_stop.request_stop();
    if (m_seen) m_delay.start();
}

void MapTab::compute()
{
    SweepRequest asked = request();
    SearchRequest like;
    like.space = asked.space;
    like.objective = asked.figure;
    like.pareto.clear();
    const auto refused = refusal(like);
    const bool nothing = asked.x.values.empty() || (asked.y && asked.y->values.empty());
    if (refused || nothing) {
        m_task.cancel();
        ui::setMessage(
            m_status, refused ? ui::translated(*refused) : tr("This field has only one value in this plan."), true);
        return;
    }
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_computing = true;
    ui::setMessage(m_status, asked.best ? tr("Searching …") : QString(), false);
    m_task.request([asked = std::move(asked), stop = m_stop](QPromise<Answer>& promise) {
        const auto told = [&](const std::vector<SweepCell>& cells) { promise.addResult(Answer{asked, cells, false}); };
        std::vector<SweepCell> cells = sweep(asked, told, stop.get_token());
        promise.addResult(Answer{asked, std::move(cells), true});
    });
}

void MapTab::take(const Answer& answer)
{
    m_request = answer.request;
    m_cells = answer.cells;
    m_computing = !answer.final;
    const auto decided = std::ranges::count(m_cells, true, &SweepCell::decided);
    if (answer.final)
        ui::setMessage(m_status, decided < std::ssize(m_cells) ? tr("stopped") : QString(), false);
    else if (answer.request.best)
        ui::setMessage(m_status, tr("%1 of %2 cells").arg(decided).arg(m_cells.size()), false);
    m_export->setEnabled(true);
    fill();
}

QString MapTab::settings() const
{
    const Plan& base = m_request->space.base;
    return (m_request->best ? tr("the best plan of each cell, all else free: %1") : tr("all else as in %1"))
        .arg(QString::fromStdString(base.name));
}

void MapTab::fill()
{
    if (!m_request) return;
    const SweepRequest& shown = *m_request;
    const Plan& base = shown.space.base;
    std::vector<ui::MapCell> cells;
    for (const SweepCell& cell : m_cells) {
        ui::MapCell made;
        QStringList place{axisLabel(shown.x.pointer) + u' ' + valueLabel(shown.x.pointer, shown.x.values[cell.x].word)};
        if (shown.y)
            place << axisLabel(shown.y->pointer) + u' ' + valueLabel(shown.y->pointer, shown.y->values[cell.y].word);
        made.card.title = place.join(QStringLiteral(", "));
        if (cell.decided) {
            switch (cell.verdict) {
            case Verdict::Fits:
            case Verdict::Tight:
                made.kind = ui::MapCell::Kind::Fits;
                made.figure = figureNumber(shown.figure, *cell.found);
                made.label = ui::mapNumber(made.figure);
                break;
            case Verdict::Refused:
            case Verdict::Over:
                made.kind = ui::MapCell::Kind::Over;
                made.label = u'+' + ui::mapNumber(inUnit(cell.over, m_state.unit()));
                made.card.add(tr("Over memory by"), ui::bytesText(cell.over, m_state.unit()), {}, true);
                break;
            case Verdict::Invalid:
                made.kind = ui::MapCell::Kind::Broken;
                made.label = cell.rules.empty() ? QStringLiteral("✖") : ui::verbatim(cell.rules.front());
                for (const std::string& rule : cell.rules)
                    made.card.add(tr("Breaks"), ui::verbatim(rule), {}, true);
                break;
            }
            if (cell.found && cell.verdict != Verdict::Invalid) {
                made.card.add(figureLabel(shown.figure, base),
                    QString::number(figureNumber(shown.figure, *cell.found), 'g', 5), {}, true);
                made.card.add(ui::sharedText("Step"), ui::timeText(cell.found->step.value()));
                made.card.add(ui::sharedText("Fullest card"), ui::bytesText(cell.found->worst_device, m_state.unit()));
            }
            if (cell.found && shown.best) {
                const Parallelism& degrees = cell.found->plan.parallelism;
                made.card.add(tr("Degrees"),
                    tr("tensor %1, pipeline %2, context %3", "short")
                        .arg(degrees.tensor)
                        .arg(degrees.pipeline)
                        .arg(degrees.context));
            }
        }
        cells.push_back(std::move(made));
    }
    const ui::PlanMap::Axis one{QString(), {QString()}};
    m_chart->setMap(axisOf(shown.x), shown.y ? axisOf(*shown.y) : one, std::move(cells));
    m_chart->setFigure(figureLabel(shown.figure, base), settings(), ui::unitLabel(m_state.unit()));
    const int x = indexOf(shown.x, m_document.plan());
    const int y = shown.y ? indexOf(*shown.y, m_document.plan()) : 0;
    m_chart->setPresent(x < 0 || y < 0 ? -1 : y * static_cast<int>(shown.x.values.size()) + x);
}

void MapTab::use(int cell)
{
    if (cell < 0 || cell >= static_cast<int>(m_cells.size()) || !m_request) return;
    const SweepCell& chosen = m_cells[static_cast<std::size_t>(cell)];
    if (!chosen.decided) return;
    Plan plan;
    if (chosen.found) {
        plan = chosen.found->plan;
    } else if (!m_request->best) {
        // The plan of a cell may break a rule; it is used all the same.
        SearchSpace there = m_request->space;
        SearchAxis x = m_request->x;
        x.values = {x.values[chosen.x]};
        there.put(std::move(x));
        if (m_request->y) {
            SearchAxis y = *m_request->y;
            y.values = {y.values[chosen.y]};
            there.put(std::move(y));
        }
        plan = SpacePoint(there).plan();
    } else {
        return;
    }
    m_document.openVariant(std::move(plan));
    m_state.setRoom(Room::Plan);
}

Result<void> MapTab::exportTo(const QString& file)
{
    if (!m_request) return fail(ErrorCode::OutOfRange, {}, ui::sentence(tr("there is no map yet")));
    const std::string what = fmt::format("{}; {}", m_request->space.base.name, settings().toStdString());
    if (QFileInfo(file).suffix() == QStringLiteral("csv"))
        return writeFile(toPath(file), "# " + what + "\n" + sweepCsv(*m_request, m_cells));
    return exportChart(*m_chart, m_request->space.base, QString::fromStdString(what), file);
}

} // namespace cardfit::app
