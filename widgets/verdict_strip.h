// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

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

/// The strip's texts, before it is known how many of them fit.
struct VerdictText {
    struct Fact {
        QString text;
        int rank = 0; ///< facts with the highest rank are dropped first

        bool operator==(const Fact&) const = default;
    };
    Verdict verdict = Verdict::Invalid;
    QString headline; ///< the fullest card, or the broken rules
    std::vector<Fact> facts;
    QStringList notes; ///< sentences for the tool tip

    /// Headline and facts, for screen readers and the clipboard.
    [[nodiscard]] QString plain() const;
    bool operator==(const VerdictText&) const = default;
};

/// "FITS", "TIGHT", "REFUSED", "OVER", "INVALID"
[[nodiscard]] QString verdictLabel(Verdict verdict);

/// Units and conventions of the strip's figures.
struct VerdictStyle {
    ByteUnit unit = ByteUnit::GB;
    UtilizationChoice utilization = {};

    bool operator==(const VerdictStyle&) const = default;
};

[[nodiscard]] VerdictText verdictText(
    const Plan& plan, const Estimate& estimate, const VerdictStyle& style, double elapsed_milliseconds);

/// A line that is always visible: does the plan fit, which card is fullest, how fast does it run. It shows an icon, a
/// word and numbers; in a narrow window the least important facts are left out first.
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
    /// Facts that fitted when the strip was last painted or measured.
    [[nodiscard]] std::vector<QString> shownFacts() const;
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
    [[nodiscard]] QFont boldFont() const;
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
