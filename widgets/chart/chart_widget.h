// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include "widgets/chart/chart_table.h"
#include "widgets/chart/theme.h"

class QCPPainter;
class QCustomPlot;

namespace cardfit::ui {

class ChartHeader;
class HoverCard;
struct HoverText;

/// A plot with a header and a card under the pointer; can draw itself anywhere, shown or not. It never computes: it
/// draws the Estimate that it was last given.
class ChartWidget : public QWidget {
    Q_OBJECT

public:
    explicit ChartWidget(QWidget* parent = nullptr);
    ~ChartWidget() override;

    /// Until this is called the theme follows the palette.
    void setTheme(const Theme& theme);
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    /// The plan's name, shown beside the chart's own title; for charts that leave the window.
    void setTitle(const QString& plan_name);
    /// The header's two texts as drawn.
    [[nodiscard]] QString heading() const;
    [[nodiscard]] QString facts() const;

    /// Greys the picture and says why it no longer answers the plan; an empty reason makes it current again.
    void setOutdated(const QString& reason);
    [[nodiscard]] QString outdated() const { return m_outdated; }

    /// What stands beside the pointer; empty if nothing does.
    [[nodiscard]] QString hoverText() const;

    /// Draws the chart, without cursor and pointer's card, into (0, 0, size). A picture that is out of date says so
    /// there, too. Needs no window.
    void drawInto(QCPPainter& painter, QSize size, const Theme& theme);

    /// Whether there is nothing to show yet: then a reason why the picture is out of date says that.
    [[nodiscard]] virtual bool isEmpty() const { return false; }
    /// What the chart shows, as a table; without rows while there is nothing to show.
    [[nodiscard]] virtual ChartTable table() const { return {}; }

    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }
    [[nodiscard]] QSize sizeHint() const override { return {720, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 110}; }

protected:
    [[nodiscard]] virtual QString ownTitle() const = 0;
    /// Sets the colours of the subclass's parts; no replot.
    virtual void applyTheme(const Theme& theme) = 0;
    /// Makes every text anew, in the language of the moment and for a picture of this size; called ahead of replots.
    virtual void refreshTexts(QSize canvas) = 0;
    virtual void pointerLeft() { }

    /// To be called once, at the end of the subclass's constructor.
    void finishSetUp();
    /// Replots with the next turn of the event loop, however often it is asked to.
    void replotSoon();
    void showHover(const HoverText& text, QPointF anchor, const QRectF& outlined);
    void hideHover();
    [[nodiscard]] ChartHeader& header() { return *m_header; }

    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void useTheme(const Theme& theme);
    void updateHeader(QSize canvas);
    void followScreen();

    QCustomPlot* m_plot;
    ChartHeader* m_header;
    HoverCard* m_hover;
    Theme m_theme;
    QString m_plan_name;
    QString m_outdated;
    bool m_follows_palette = true;
    bool m_follows_screen = false;
    bool m_shows_focus = false;
};

} // namespace cardfit::ui
