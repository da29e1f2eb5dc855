// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/goal_chips.h"

#include <optional>
#include <utility>

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>

#include "widgets/chart/theme.h"
#include "widgets/text/quantity_text.h"
#include "widgets/text/run_text.h"
#include "widgets/text/tool_tip.h"

namespace cardfit::ui {

namespace {

/// A goal's words, and what a plan has instead; nullopt if nothing is known of it.
struct GoalRow {
    double Goals::*goal;
    double most;
    const char* unset;
    const char* question;
    QString (*text)(double goal);
    std::optional<double> (*value)(const Estimate& estimate);
    bool is_least; ///< the plan must have at least that much
};

QString dayGoal(double days) { return GoalChips::tr("%1 days").arg(days); }
QString freeGoal(double share) { return GoalChips::tr("%1 % free").arg(share); }

std::optional<double> daysOf(const Estimate& estimate)
{
    return estimate.step.run ? std::optional(estimate.step.run->days) : std::nullopt;
}
std::optional<double> costOf(const Estimate& estimate)
{
    return estimate.step.run ? estimate.step.run->cost_usd : std::nullopt;
}
std::optional<double> freeOf(const Estimate& estimate)
{
    constexpr double kPerCent = 100.0;
    const StageMemory& fullest = estimate.stages[estimate.worstStage()];
    return kPerCent * (fullest.free() / fullest.capacity);
}

constexpr std::array<GoalRow, GoalChips::kCount> kGoals{{
    {&Goals::days, 1e5, QT_TRANSLATE_NOOP("cardfit::ui::GoalChips", "Deadline…"),
        QT_TRANSLATE_NOOP("cardfit::ui::GoalChips", "Days that the run may take (0: no deadline):"), dayGoal, daysOf,
        false},
    {&Goals::cost_usd, 1e12, QT_TRANSLATE_NOOP("cardfit::ui::GoalChips", "Budget…"),
        QT_TRANSLATE_NOOP("cardfit::ui::GoalChips", "US dollars that the run may cost (0: no budget):"), costText,
        costOf, false},
    {&Goals::free_percent, 99.0, QT_TRANSLATE_NOOP("cardfit::ui::GoalChips", "Margin…"),
        QT_TRANSLATE_NOOP("cardfit::ui::GoalChips", "Per cent of the fullest card that must stay free (0: none):"),
        freeGoal, freeOf, true},
}};

} // namespace

/// Filled in the colour of a verdict, or framed if there is none.
class GoalChips::Chip : public QAbstractButton {
public:
    explicit Chip(QWidget* parent)
        : QAbstractButton(parent)
    {
        setFocusPolicy(Qt::TabFocus);
        setCursor(Qt::PointingHandCursor);
    }

    void show(const QString& text, std::optional<bool> kept)
    {
        m_kept = kept;
        const QString symbol = kept ? (*kept ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) : QString();
        setText(symbol + text);
        updateGeometry();
        update();
    }

    [[nodiscard]] QSize sizeHint() const override
    {
        constexpr QSize kAir(18, 8);
        return QSize(fontMetrics().horizontalAdvance(text()), fontMetrics().height()) + kAir;
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme theme = themeFor(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF frame = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
        const QColor fill = !m_kept ? theme.background : *m_kept ? theme.fits : theme.over_badge;
        painter.setBrush(fill);
        painter.setPen(hasFocus() ? QPen(theme.selection, 2.0) : QPen(m_kept ? fill : theme.outline, 1.0));
        painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
        painter.setPen(m_kept ? inkOn(fill) : theme.muted_text);
        painter.drawText(rect(), Qt::AlignCenter, text());
    }

private:
    std::optional<bool> m_kept;
};

GoalChips::GoalChips(QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(4);
    for (int i = 0; i < kCount; ++i) {
        m_chips[static_cast<std::size_t>(i)] = new Chip(this);
        row->addWidget(m_chips[static_cast<std::size_t>(i)]);
        connect(chip(Goal(i)), &QAbstractButton::clicked, this, [this, i] { ask(Goal(i)); });
    }
    refresh();
}

void GoalChips::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    m_estimate = std::move(estimate);
    refresh();
}

QAbstractButton* GoalChips::chip(Goal goal) const { return m_chips[static_cast<std::size_t>(goal)]; }

void GoalChips::setGoals(const Goals& goals)
{
    m_goals = goals;
    refresh();
}

void GoalChips::ask(Goal goal)
{
    const GoalRow& row = kGoals[static_cast<std::size_t>(goal)];
    const QuantityFormat format{QuantityKind::Count, false, 0.0, row.most};
    QString question = tr(row.question);
    QString text = QLocale::c().toString(m_goals.*row.goal, 'g', 12);
    // "60M" as on every rail; what is not understood is asked again.
    while (true) {
        bool taken = false;
        text = QInputDialog::getText(this, tr("Goals"), question, QLineEdit::Normal, text, &taken);
        if (!taken) return;
        if (const auto value = parseQuantity(text, format)) {
            m_goals.*row.goal = *value;
            break;
        } else {
            question = tr(row.question) + u'\n' + value.error();
        }
    }
    refresh();
    emit goalsChosen(m_goals);
}

void GoalChips::refresh()
{
    const bool has_numbers = m_estimate && m_estimate->complete() && !m_estimate->stages.empty();
    for (int i = 0; i < kCount; ++i) {
        const GoalRow& row = kGoals[static_cast<std::size_t>(i)];
        const double wanted = m_goals.*row.goal;
        std::optional<double> value;
        if (has_numbers) value = row.value(*m_estimate);
        std::optional<bool> kept;
        if (wanted > 0.0 && value.has_value()) kept = row.is_least ? *value >= wanted : *value <= wanted;
        const QString text = wanted > 0.0 ? row.text(wanted) : tr(row.unset);
        Chip& shown = *m_chips[static_cast<std::size_t>(i)];
        shown.show(text, kept);
        const QString words = kept ? (*kept ? tr("%1: kept") : tr("%1: missed")).arg(text) : text;
        shown.setAccessibleName(words);
        setTip(&shown, words + u'\n' + tr(row.question));
        // A served model has no end and no total.
        shown.setVisible(row.is_least || !m_estimate || !m_estimate->isServed());
    }
}

} // namespace cardfit::ui
