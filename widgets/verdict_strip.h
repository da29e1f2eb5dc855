// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QIcon>
#include <QString>
#include <QStringList>
#include <QWidget>

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"
#include "widgets/chart/theme.h"
#include "widgets/text/utilization_text.h"

class QPainter;

namespace cardfit::ui {

/// "30.1 GB free", of the fullest stage. Requires figures.
[[nodiscard]] QString roomText(const Estimate& estimate, ByteUnit unit);

/// The strip's texts, before it is known how many of them fit.
struct VerdictText {
    struct Fact {
        QString figure; ///< "413 days"
        QString note; ///< below it: "389…475 days, 2 T tokens"
        int rank = 0; ///< facts with the highest rank are dropped first

        bool operator==(const Fact&) const = default;
    };
    Verdict verdict = Verdict::Invalid;
    QString figure; ///< the bytes that are free or missing; empty without figures
    QString headline; ///< the fullest card, or the broken rules
    std::vector<Fact> facts;
    QStringList notes; ///< sentences for the tool tip

    /// Headline and facts, for screen readers and the clipboard.
    [[nodiscard]] QString plain() const;
    bool operator==(const VerdictText&) const = default;
};

/// "FITS", "TIGHT", "REFUSED", "OVER", "INVALID"
[[nodiscard]] QString verdictLabel(Verdict verdict);

/// A small mark of its own shape and colour for each verdict; nullopt: a hollow one, it is not known yet.
[[nodiscard]] QIcon verdictMark(std::optional<Verdict> verdict, const Theme& theme);

/// Units and conventions of the strip's figures.
struct VerdictStyle {
    ByteUnit unit = ByteUnit::GB;
    UtilizationChoice utilization = {};

    bool operator==(const VerdictStyle&) const = default;
};

[[nodiscard]] VerdictText verdictText(
    const Plan& plan, const Estimate& estimate, const VerdictStyle& style, double elapsed_milliseconds);

/// The verdict, always visible and first: does the plan fit and by how much, what does it take, how fast does it run. A
/// badge with icon and word, then figures with their notes below them; in a narrow window the least important facts are
/// left out first.
class VerdictStrip : public QWidget {
    Q_OBJECT

public:
    explicit VerdictStrip(QWidget* parent = nullptr);

    /// `elapsed_milliseconds`: how long computing the estimate took.
    void setEstimate(const Plan& plan, std::shared_ptr<const Estimate> estimate, const VerdictStyle& style,
        double elapsed_milliseconds);
    /// Until this is called the theme follows the palette.
    void setTheme(const Theme& theme);

    [[nodiscard]] const VerdictText& text() const { return m_text; }
    /// The facts that the strip's width has room for.
    [[nodiscard]] std::vector<VerdictText::Fact> shownFacts() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void refresh();
    [[nodiscard]] QFont figureFont() const;
    [[nodiscard]] QFont noteFont() const;
    [[nodiscard]] int widthOf(const QString& figure, const QString& note) const;
    [[nodiscard]] int badgeWidth() const;
    [[nodiscard]] QColor badgeColour() const;
    void drawBadge(QPainter& painter, const QRect& badge) const;

    Plan m_plan;
    std::shared_ptr<const Estimate> m_estimate;
    VerdictStyle m_style;
    double m_elapsed = 0.0;
    VerdictText m_text;
    Theme m_theme;
    bool m_follows_palette = true;
};

} // namespace cardfit::ui
