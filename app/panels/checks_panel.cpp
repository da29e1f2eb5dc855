// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/checks_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/document/field_labels.h"
#include "app/panels/panel_labels.h"
#include "widgets/chart/theme.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

ChecksPanel::ChecksPanel(PlanDocument& document, const Presets& presets, QWidget* parent)
    : QScrollArea(parent)
    , m_presets(presets)
{
    setWindowTitle(tr("Checks"));
    setAccessibleName(tr("Checks"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    rebuild();
    connect(
        &document, &PlanDocument::estimateChanged, this, [this, &document] { setChecks(document.estimate()->checks); });
}

void ChecksPanel::setChecks(const std::vector<Check>& checks)
{
    if (checks == m_checks) return;
    m_checks = checks;
    setWindowTitle(checks.empty() ? tr("Checks") : tr("Checks (%1)").arg(checks.size()));
    rebuild();
}

QWidget* ChecksPanel::card(const Check& check)
{
    const ui::Theme theme = ui::themeFor(palette());
    const bool is_error = check.severity == Severity::Error;
    auto* card = new QWidget;
    auto* rows = new QVBoxLayout(card);
    rows->setContentsMargins(0, 0, 0, 8);
    rows->setSpacing(2);

    const QString mark = is_error ? tr("✖ Error") : tr("▲ Warning");
    auto* head = new QLabel(QStringLiteral("%1 · %2").arg(mark, QString::fromStdString(check.id)), card);
    setBold(head);
    setInk(head, is_error ? theme.over : theme.text);
    rows->addWidget(head);
    rows->addWidget(wrappedLabel(ui::translated(check.message), card));

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    if (!check.valid.empty()) buttons->addWidget(new QLabel(tr("%1 →").arg(shortFieldLabel(check.field)), card));
    const QString field = QString::fromStdString(check.field);
    for (const qint64 value : check.valid) {
        const QString text = ui::formatQuantity(static_cast<double>(value), ui::QuantityKind::Count);
        auto* button = new QPushButton(text, card);
        button->setAccessibleName(tr("Set %1 to %2").arg(shortFieldLabel(check.field), text));
        button->setFixedWidth(button->fontMetrics().horizontalAdvance(text) + 24);
        connect(button, &QPushButton::clicked, this, [this, field, value] { emit valueChosen(field, value); });
        buttons->addWidget(button);
    }
    buttons->addStretch();
    rows->addLayout(buttons);
    return card;
}

void ChecksPanel::rebuild()
{
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(8, 8, 8, 8);
    if (m_checks.empty()) column->addWidget(noteLabel(tr("✔ The plan keeps every rule."), content));
    for (const Severity severity : {Severity::Error, Severity::Warning}) {
        for (const Check& check : m_checks) {
            if (check.severity == severity) column->addWidget(card(check));
        }
    }
    for (const Error& problem : m_presets.problems)
        column->addWidget(noteLabel(ui::translated(problem), content));
    column->addStretch();
    // The old buttons may be in the middle of their click: they go when the event loop turns.
    if (QWidget* old = takeWidget()) old->deleteLater();
    setWidget(content);
}

void ChecksPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) rebuild();
    QScrollArea::changeEvent(event);
}

} // namespace cardfit::app
