// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/search/why_tab.h"
#include "app/document/choice_words.h"

#include <algorithm>
#include <utility>

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/search/search_words.h"
#include "core/report/search_rows.h"
#include "core/rules/checks.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/controls/table_view.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kFieldsInARow = 3; ///< more would widen the panel

} // namespace

WhyTab::WhyTab(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_task([this](const std::optional<Standing>& standing) {
        if (standing) m_answer->setText(standingText(*standing));
    })
    , m_present_task([this](const std::optional<Standing>& standing) {
        if (standing) m_present->setText(tr("The plan as it is: %1").arg(standingText(*standing)));
    })
    , m_table(new ui::TableView(tr("Plans by reason"), this))
    , m_example(ui::noteLabel({}, this))
    , m_fields(new QGridLayout)
    , m_ask(new QPushButton(tr("Why not?"), this))
    , m_answer(ui::wrappedLabel({}, this))
    , m_present(ui::wrappedLabel({}, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 2, 8, 6);
    column->setSpacing(4);
    column->addWidget(m_table, 1);
    column->addWidget(m_example);
    column->addWidget(m_present);
    m_fields->setSpacing(4);
    column->addLayout(m_fields);
    column->addWidget(m_answer);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setMinimumHeight(70);
    m_ask->setToolTip(tr("Why no plan with these degrees is listed"));
    m_answer->setAccessibleName(tr("Reason for these degrees"));
    m_present->setAccessibleName(tr("Reason for the plan as it is"));
    connect(m_ask, &QPushButton::clicked, this, &WhyTab::ask);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& index) { showExample(index.row()); });
    connect(&m_document, &PlanDocument::estimateChanged, this, &WhyTab::askPresent);
    connect(&m_state, &ViewState::unitChanged, this, &WhyTab::askPresent);
    setAnswer({}, {});
}

WhyTab::~WhyTab() { m_stop.request_stop(); }

void WhyTab::setAnswer(std::shared_ptr<const SearchRequest> request, std::shared_ptr<const SearchResult> result)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_task.cancel();
    m_request = std::move(request);
    m_result = std::move(result);
    m_answer->clear();
    m_example->clear();
    makeFields();
    fillTable();
    askPresent();
}

void WhyTab::setSeen(bool seen)
{
    if (seen == m_seen) return;
    m_seen = seen;
    askPresent();
}

QLineEdit* WhyTab::degreeField(const QString& name) const
{
    const auto found =
        std::ranges::find_if(m_degrees, [&](const auto& one) { return one.second->objectName() == name; });
    return found == m_degrees.end() ? nullptr : found->second;
}

QString WhyTab::answer() const { return m_answer->text(); }
QString WhyTab::presentAnswer() const { return m_present->text(); }
QString WhyTab::example() const { return m_example->text(); }

/// Adds a field, with the plan's own value, for every degree that the search may vary.
void WhyTab::makeFields()
{
    while (QLayoutItem* item = m_fields->takeAt(0)) {
        if (item->widget() != m_ask) delete item->widget();
        delete item;
    }
    m_degrees.clear();
    m_ask->setVisible(m_result != nullptr);
    if (m_result == nullptr) return;
    for (const SearchAxis& axis : m_request->space.axes) {
        if (!isDegree(axis.kind) || axis.values.size() < 2) continue;
        auto* cell = new QWidget(this);
        auto* pair = new QVBoxLayout(cell);
        pair->setContentsMargins(0, 0, 0, 0);
        pair->setSpacing(0);
        auto* field = new QLineEdit(ui::verbatim(ownValue(m_document.plan(), axis.pointer).word), cell);
        auto* label = new QLabel(axisLabel(axis.pointer), cell);
        label->setBuddy(field);
        QFont small = label->font();
        small.setPointSizeF(small.pointSizeF() * 0.85);
        label->setFont(small);
        field->setAccessibleName(axisLabel(axis.pointer));
        field->setMinimumWidth(28);
        const auto name = std::ranges::find(axisNames(), std::string_view(axis.pointer), &AxisName::pointer);
        field->setObjectName(ui::verbatim(name == axisNames().end() ? std::string_view(axis.pointer) : name->name));
        connect(field, &QLineEdit::returnPressed, this, &WhyTab::ask);
        pair->addWidget(label);
        pair->addWidget(field);
        const auto place = static_cast<int>(m_degrees.size());
        m_fields->addWidget(cell, place / kFieldsInARow, place % kFieldsInARow);
        m_degrees.emplace_back(axis, field);
    }
    const int last_row = (static_cast<int>(m_degrees.size()) - 1) / kFieldsInARow;
    m_fields->addWidget(m_ask, last_row, kFieldsInARow, Qt::AlignBottom);
}

void WhyTab::fillTable()
{
    m_examples.clear();
    if (m_result == nullptr) {
        m_table->setTable({});
        m_example->setText(tr("Search first; then this shows why each plan that is not listed was left out."));
        return;
    }
    m_example->setText(tr("Choose a row for an example."));
    const SearchCounts& counts = m_result->counts;
    const SearchExamples& examples = m_result->examples;
    ui::ChartTable table;
    table.title = tr("Plans by reason");
    table.columns = {tr("Reason"), tr("Plans"), ui::sharedText("Share")};
    table.text_columns = 1;
    const auto add = [&](const QString& reason, std::uint64_t count, std::optional<std::uint64_t> example) {
        if (count == 0) return;
        const double share = static_cast<double>(count) / static_cast<double>(m_result->plans);
        table.rows.push_back({reason, countText(count), ui::percentText(share, share < 0.001 ? 3 : 1)});
        m_examples.push_back(example);
    };
    const auto best = m_result->top.empty() ? std::nullopt : std::optional(m_result->top.front().number);
    add(tr("fit and were compared"), counts.evaluated, best);
    add(tr("over memory"), counts.over_memory, examples.over_memory);
    add(tr("slower", "plans"), counts.slower, examples.slower);
    add(tr("miss a limit"), counts.limited, examples.limited);
    add(tr("undecided"), counts.undecided, std::nullopt);
    std::vector<std::pair<std::string, std::uint64_t>> rules(counts.rules.begin(), counts.rules.end());
    std::ranges::stable_sort(rules, [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [rule, count] : rules) {
        const auto example = examples.rules.find(rule);
        add(tr("break %1").arg(ui::verbatim(rule)), count,
            example == examples.rules.end() ? std::nullopt : std::optional(example->second));
    }
    m_table->setTable(std::move(table));
}

/// Shows the example of a row and what is wrong with it.
void WhyTab::showExample(int row)
{
    if (row < 0 || row >= static_cast<int>(m_examples.size()) || !m_examples[static_cast<std::size_t>(row)]) return;
    const std::uint64_t number = *m_examples[static_cast<std::size_t>(row)];
    SpacePoint point(m_request->space);
    point.moveTo(number);
    const auto standing = standingOf(*m_request, *m_result, only(m_request->space, point.plan()));
    m_example->setText(
        tr("For example %1: %2")
            .arg(settingsText(m_request->space, number), standing ? standingText(*standing) : QString()));
}

QString WhyTab::standingText(const Standing& standing) const
{
    const QString best =
        m_result->top.empty() ? QString() : settingsText(m_request->space, m_result->top.front().number);
    QString text = ui::translated(
        fateSentence(*m_request, *m_result, standing.part, standing.fate, m_state.unit(), best.toStdString()));
    if (standing.plan && standing.fate.kind == DegreesFate::Kind::Best && standing.offered != 0) {
        text = m_result->top.empty() ? ui::sharedText("fits")
                                     : tr("better than what the search found: %1")
                                           .arg(ui::translated(searchFigureSentence(
                                               m_request->objective, standing.plan->plan, standing.plan->objective)));
    } else if (standing.offered && *standing.offered > 0) {
        text += QStringLiteral("; ") + tr("offered as number %1").arg(*standing.offered + 1);
    }
    QStringList outside;
    for (const auto& [pointer, word] : standing.outside)
        outside << axisLabel(pointer) + u' ' + valueLabel(pointer, word);
    if (!outside.isEmpty())
        text += QStringLiteral(" · ")
            + tr("not in the space that was searched: %1").arg(outside.join(QStringLiteral(", ")));
    return text;
}

void WhyTab::ask()
{
    if (m_result == nullptr) return;
    std::vector<SearchAxis> pins;
    for (const auto& [axis, field] : m_degrees) {
        bool whole = false;
        const qlonglong value = field->text().trimmed().toLongLong(&whole);
        if (field->text().trimmed().isEmpty()) continue; // empty: any value
        if (!whole || value < 1) {
            m_answer->setText(tr("%1 takes a whole number, found “%2”.").arg(axisLabel(axis.pointer), field->text()));
            field->setFocus();
            return;
        }
        pins.push_back({axis.kind, axis.pointer, {wholeValue(value)}});
    }
    m_answer->setText(tr("Looking …"));
    m_task.request(
        [request = m_request, result = m_result, pins, stop = m_stop](QPromise<std::optional<Standing>>& promise) {
            promise.addResult(standingOf(*request, *result, partOf(request->space, pins), stop.get_token()));
        });
}

void WhyTab::askPresent()
{
    m_present->setVisible(m_result != nullptr);
    if (m_result == nullptr || !m_seen) return;
    const Plan& plan = m_document.plan();
    if (!sharesSpace(m_request->space, plan)) {
        m_present_task.cancel();
        m_present->setText(tr("A setting that the search kept fixed has changed: search again to see the reason."));
        return;
    }
    m_present_task.request(
        [request = m_request, result = m_result, plan, stop = m_stop](QPromise<std::optional<Standing>>& promise) {
            promise.addResult(standingOf(*request, *result, only(request->space, plan), stop.get_token()));
        });
}

} // namespace cardfit::app
