// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/explain_panel.h"

#include <algorithm>
#include <utility>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/report/explanation_text.h"
#include "widgets/chart/labels.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/explain_view.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kSettledAfter = 250; ///< milliseconds
/// Laying out a page takes half a frame, so not every frame of a drag gets a new page.
constexpr int kFewestBetweenPages = 100; ///< milliseconds

} // namespace

ExplainPanel::ExplainPanel(PlanDocument& document, ViewState& state, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_state(state)
    , m_earlier(ui::noteLabel({}, this))
    , m_view(new ui::ExplainView(this))
    , m_figure(QStringLiteral("worst.device"))
    , m_task([this](const Behind& behind) {
        m_explanation.sensitivity = behind.sensitivity;
        m_explanation.constants = behind.constants;
        showCurrent();
    })
{
    setWindowTitle(tr("Explain"));
    m_earlier->setText(tr("This plan has no figures; these are of the last one that had some"));
    buildButtons();
    m_refresh.setSingleShot(true);
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledAfter);
    connect(&m_refresh, &QTimer::timeout, this, &ExplainPanel::refresh);
    connect(&m_settled, &QTimer::timeout, this, &ExplainPanel::startSensitivity);
    connect(m_view, &ui::ExplainView::figureChosen, this, &ExplainPanel::explainFigure);
    connect(&m_state, &ViewState::explanationAsked, this, &ExplainPanel::explainFigure);
    connect(&m_state, &ViewState::unitChanged, this, [this] {
        if (m_view->explanation()) showCurrent();
    });
    connect(&m_document, &PlanDocument::estimateChanged, this, &ExplainPanel::takeFigures);
    takeFigures();
}

void ExplainPanel::buildButtons()
{
    const auto button = [this](const QString& text, const QString& what) {
        auto* made = new QToolButton(this);
        made->setText(text);
        ui::setTip(made, what);
        made->setAccessibleName(what);
        made->setAutoRaise(true);
        return made;
    };
    m_back = button(tr("‹ Back"), tr("Back to the last explanation"));
    connect(m_back, &QToolButton::clicked, this, &ExplainPanel::goBack);
    m_up = button(tr("↑ Sum"), tr("Explain the figure that this one is part of"));
    connect(m_up, &QToolButton::clicked, this, &ExplainPanel::goUp);

    auto* copy = new QPushButton(tr("Copy"), this);
    copy->setToolTip(tr("Copy the explanation"));
    copy->setFlat(true);
    auto* formats = new QMenu(copy);
    const auto add = [&](const QString& name, CopyFormat format) {
        formats->addAction(name, this, [this, format] { QGuiApplication::clipboard()->setText(textAs(format)); });
    };
    add(tr("As &text"), CopyFormat::Text);
    add(tr("As &Markdown"), CopyFormat::Markdown);
    add(tr("As &LaTeX"), CopyFormat::Latex);
    copy->setMenu(formats);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(4, 2, 4, 0);
    buttons->addWidget(m_back);
    buttons->addWidget(m_up);
    buttons->addStretch();
    buttons->addWidget(copy);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(buttons);
    m_earlier->setContentsMargins(8, 0, 8, 2);
    rows->addWidget(m_earlier);
    rows->addWidget(m_view);
    setFocusProxy(m_view);
    m_back->setEnabled(false);
    m_up->setEnabled(false);
}

/// If the plan has no figures, the last figures stay explained.
void ExplainPanel::takeFigures()
{
    const auto& figures = m_document.lastComplete();
    m_earlier->setVisible(m_document.hasOnlyEarlierFigures());
    if (figures == nullptr) {
        m_figures.reset();
        const auto& broken = m_document.estimate();
        return showNothing(broken ? tr("No figures yet. %1").arg(ui::brokenRulesText(*broken))
                                  : tr("Click a segment of a bar or a cell of the table."));
    }
    if (figures == m_figures) return;
    m_figures = figures;
    m_outdated = true;
    // Not restarted: a timer that each edit restarts would not fire before the end of a drag.
    if (m_refresh.isActive()) return;
    const qint64 since = m_shown.isValid() ? m_shown.elapsed() : kFewestBetweenPages;
    m_refresh.start(static_cast<int>(std::max<qint64>(0, kFewestBetweenPages - since)));
}

void ExplainPanel::explainFigure(const QString& figure)
{
    if (figure == m_figure) return;
    m_history.append(m_figure);
    m_figure = figure;
    m_outdated = true;
    m_refresh.start(0);
}

QStringList ExplainPanel::trail() const { return m_history + QStringList{m_figure}; }

void ExplainPanel::setTrail(QStringList figures)
{
    m_figure = figures.takeLast();
    m_history = std::move(figures);
    m_outdated = true;
    m_refresh.start(0);
}

void ExplainPanel::goBack()
{
    if (m_history.isEmpty()) return;
    m_figure = m_history.takeLast();
    m_outdated = true;
    m_refresh.start(0);
}

void ExplainPanel::goUp() { explainFigure(QString::fromStdString(m_explanation.parent)); }

bool ExplainPanel::isSettling() const { return m_refresh.isActive() || m_settled.isActive() || m_task.isRunning(); }

void ExplainPanel::refresh()
{
    // A hidden panel computes nothing.
    if (!m_outdated || m_figures == nullptr || !m_seen || !isVisible()) return;
    m_outdated = false;
    m_shown.start();
    m_task.cancel();
    auto explanation = explain(m_document.lastCompletePlan(), *m_figures, m_figure.toStdString());
    m_back->setEnabled(!m_history.isEmpty());
    if (!explanation) {
        return showNothing(tr("This plan has no %1.").arg(m_figure));
    }
    m_explanation = *std::move(explanation);
    m_up->setEnabled(!m_explanation.parent.empty());
    showCurrent();
    m_settled.start();
}

void ExplainPanel::showNothing(const QString& message)
{
    m_task.cancel();
    m_settled.stop();
    m_up->setEnabled(false);
    m_view->setMessage(message);
}

void ExplainPanel::startSensitivity()
{
    m_task.request([plan = m_document.lastCompletePlan(), figures = m_figures, figure = m_figure,
                       profile = m_document.lastCompleteProfile()](QPromise<Behind>& promise) {
        const std::string name = figure.toStdString();
        promise.addResult(
            Behind{sensitivity(plan, *figures, name, profile), constantsBehind(plan, *figures, name, profile)});
    });
}

void ExplainPanel::showCurrent() { m_view->setExplanation(m_explanation, m_state.unit()); }

QString ExplainPanel::textAs(CopyFormat format) const
{
    const Translation language = ui::installedTranslation();
    switch (format) {
    case CopyFormat::Text: return QString::fromStdString(explanationText(m_explanation, m_state.unit(), language));
    case CopyFormat::Markdown:
        return QString::fromStdString(explanationMarkdown(m_explanation, m_state.unit(), language));
    case CopyFormat::Latex: return QString::fromStdString(explanationLatex(m_explanation, m_state.unit(), language));
    }
    return {};
}

void ExplainPanel::setSeen(bool seen)
{
    m_seen = seen;
    if (seen) m_refresh.start(0);
}

void ExplainPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_refresh.start(0);
}

} // namespace cardfit::app
