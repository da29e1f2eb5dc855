// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/checks_panel.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/chart/theme.h"
#include "widgets/controls/elided_button.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

ChecksPanel::ChecksPanel(PlanDocument& document, const Presets& presets, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_presets(presets)
    , m_search([this](const PlanRemedies& found) {
        if (found == m_remedies) return;
        m_remedies = found;
        rebuild();
    })
{
    setWindowTitle(tr("Checks"));
    setAccessibleName(tr("Checks"));
    setFocusPolicy(Qt::StrongFocus);
    (new QVBoxLayout(this))->setContentsMargins(0, 0, 0, 0);
    rebuild();
    connect(&document, &PlanDocument::estimateChanged, this, &ChecksPanel::showChecks);
}

void ChecksPanel::showChecks()
{
    const auto& checks = m_document.estimate()->checks;
    if (checks != m_checks) {
        m_checks = checks;
        m_remedies = {};
        rebuild();
    }
    m_search.cancel();
    if (checks.empty()) return;
    m_search.request(
        [checks, plan = m_document.plan(), derived = m_document.derivedFactor()](QPromise<PlanRemedies>& promise) {
            PlanRemedies found;
            for (const Check& broken : checks) {
                if (promise.isCanceled()) return;
                found.of_checks.push_back(remedies(plan, broken, derived));
            }
            if (std::ranges::count(checks, Severity::Error, &Check::severity) > 1)
                found.of_all = remedyOfAll(plan, derived);
            promise.addResult(std::move(found));
        });
}

QPushButton* ChecksPanel::button(const Remedy& remedy, QWidget* parent)
{
    const QString text = ui::translated(remedy.label);
    auto* button = new ui::ElidedButton(text, parent);
    connect(button, &QPushButton::clicked, this, [this, remedy, text] {
        m_document.edit(withRemedy(m_document.plan(), remedy, m_document.derivedFactor()), text);
    });
    return button;
}

QWidget* ChecksPanel::card(std::size_t number)
{
    const Check& check = m_checks[number];
    const bool is_error = check.severity == Severity::Error;
    auto* card = new QWidget;
    auto* rows = new QVBoxLayout(card);
    rows->setContentsMargins(0, 0, 0, 8);
    rows->setSpacing(2);

    const QString mark = is_error ? tr("✖ Error") : tr("▲ Warning");
    QLabel* head = ui::wrappedLabel(QStringLiteral("%1 · %2").arg(mark, QString::fromStdString(check.id)), card);
    ui::setBold(head);
    if (is_error) ui::setInk(head, &ui::Theme::over);
    rows->addWidget(head);
    rows->addWidget(ui::wrappedLabel(ui::translated(check.message), card));

    if (number >= m_remedies.of_checks.size()) return card;
    auto* buttons = new QGridLayout;
    buttons->setSpacing(4);
    buttons->setColumnStretch(2, 1);
    std::vector<QPushButton*> all;
    for (const Remedy& remedy : m_remedies.of_checks[number])
        all.push_back(button(remedy, card));
    // Short ones share a row.
    constexpr int kWidestInPairs = 145;
    const bool pairs =
        std::ranges::all_of(all, [](const QPushButton* each) { return each->sizeHint().width() <= kWidestInPairs; });
    const int columns = pairs ? 2 : 1;
    for (QPushButton* each : all)
        buttons->addWidget(each, buttons->count() / columns, buttons->count() % columns);
    rows->addLayout(buttons);
    return card;
}

void ChecksPanel::rebuild()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 4, 8, 4);
    // Those of single preset files are in the dialog of presets: they have nothing to do with the plan.
    for (const Error& problem : m_presets.problems)
        if (problem.file.empty()) column->addWidget(ui::noteLabel(ui::translated(problem), content));
    if (m_checks.empty()) column->addWidget(ui::noteLabel(tr("✔ The plan keeps every rule."), content));
    if (m_remedies.of_all) {
        column->addWidget(ui::wrappedLabel(tr("All errors at once:"), content));
        column->addWidget(button(*m_remedies.of_all, content), 0, Qt::AlignLeft);
    }
    for (const Severity severity : {Severity::Error, Severity::Warning}) {
        for (std::size_t i = 0; i < m_checks.size(); ++i) {
            if (m_checks[i].severity == severity) column->addWidget(card(i));
        }
    }
    ui::replaceWidget(*layout(), std::exchange(m_content, content), content);
}

void ChecksPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) rebuild();
    QWidget::changeEvent(event);
}

} // namespace cardfit::app
