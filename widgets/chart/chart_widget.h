// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
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
struct LegendEntry;

/// Base class of every chart: a plot with a header above it, a hover card at the pointer, a theme, a focus frame and
/// texts for screen readers. It can draw itself into any painter, whether it is visible or not.
class ChartWidget : public QWidget {
    Q_OBJECT

public:
    explicit ChartWidget(QWidget* parent = nullptr);
    ~ChartWidget() override;

    /// Until this is called the theme follows the palette.
    void setTheme(const Theme& theme);
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    /// The plan's name, shown beside the chart's own title; for charts that are exported.
    void setTitle(const QString& plan_name);
    /// The two texts of the header as drawn.
    [[nodiscard]] QString heading() const;
    [[nodiscard]] QString facts() const;

    /// Greys the picture and shows why it no longer matches the plan; an empty reason makes it current again.
    void setOutdated(const QString& reason);
    [[nodiscard]] QString outdated() const { return m_outdated; }

    /// The text of the hover card; empty while it is hidden.
    [[nodiscard]] QString hoverText() const;

    /// Draws the chart without cursor and hover card into (0, 0, size). A picture that is out of date shows its banner
    /// there, too. Needs no window.
    void drawInto(QCPPainter& painter, QSize size, const Theme& theme);

    /// Whether there is nothing to show yet. The reason of setOutdated() is then shown as the reason why there are no
    /// figures.
    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// What the chart shows as a table; no rows while there is nothing to show.
    [[nodiscard]] virtual ChartTable table() const = 0;

    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }
    [[nodiscard]] QSize sizeHint() const override { return {720, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 110}; }

protected:
    [[nodiscard]] virtual QString ownTitle() const = 0;
    /// One line of facts beside the title.
    [[nodiscard]] virtual QString ownFacts() const = 0;
    [[nodiscard]] virtual QList<LegendEntry> legend() const;
    /// A summary of the picture in a few sentences, for screen readers.
    [[nodiscard]] virtual QString description() const = 0;
    /// Updates labels, units and ranges of the axes for a picture of this size; called before every replot. Set the
    /// colours that axes and items store themselves here, too.
    virtual void prepare(QSize canvas) = 0;
    virtual void pointerLeft() { }

    /// Call it once, at the end of the subclass's constructor.
    void finishSetUp();
    /// The data has changed: updates description() and replots.
    void contentChanged();
    /// Replots in the next iteration of the event loop, once for any number of calls.
    void replotSoon();
    void showHover(const HoverText& text, QPointF anchor, const QRectF& outlined);
    void hideHover();
    [[nodiscard]] ChartHeader& header() { return *m_header; }
    /// The theme that parts are drawn in: theme(), greyed where the picture is out of date, or the theme of an export.
    /// The reference stays valid.
    [[nodiscard]] const Theme& drawnTheme() const { return m_drawn_theme; }
    /// Letters that depend on what is shown; called ahead of every replot.
    virtual void adaptTheme(Theme&) const { }
    /// Applies the theme's fonts and colours to all left and bottom axes; call it for axes that are added after
    /// finishSetUp().
    void styleAxes();

    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void useTheme(const Theme& theme);
    void prepareAll(QSize canvas);
    void followScreen();

    Theme m_theme;
    Theme m_drawn_theme;
    QCustomPlot* m_plot;
    ChartHeader* m_header;
    HoverCard* m_hover;
    QString m_plan_name;
    QString m_outdated;
    bool m_follows_palette = true;
    bool m_follows_screen = false;
    bool m_shows_focus = false;
};

} // namespace cardfit::ui
