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

/// The frame of every chart: a plot with a header above it and a card under the pointer, its theme, its frame for the
/// keyboard, its words for screen readers. Can draw itself anywhere, shown or not.
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

    /// What the card under the pointer says; empty while there is none.
    [[nodiscard]] QString hoverText() const;

    /// Draws the chart, without cursor and pointer's card, into (0, 0, size). A picture that is out of date says so
    /// there, too. Needs no window.
    void drawInto(QCPPainter& painter, QSize size, const Theme& theme);

    /// Whether there is nothing to show yet: then a reason why the picture is out of date says that.
    [[nodiscard]] virtual bool isEmpty() const = 0;
    /// What the chart shows, as a table; without rows while there is nothing to show.
    [[nodiscard]] virtual ChartTable table() const = 0;

    [[nodiscard]] QCustomPlot* plot() const { return m_plot; }
    [[nodiscard]] QSize sizeHint() const override { return {720, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 110}; }

protected:
    [[nodiscard]] virtual QString ownTitle() const = 0;
    /// One line of facts beside the title.
    [[nodiscard]] virtual QString ownFacts() const = 0;
    [[nodiscard]] virtual QList<LegendEntry> legend() const;
    /// The picture in one or a few sentences, for screen readers.
    [[nodiscard]] virtual QString description() const = 0;
    /// Makes axes' labels, units and ranges anew for a picture of this size; called ahead of replots. Colours that axes
    /// and items keep for themselves belong here, too.
    virtual void prepare(QSize canvas) = 0;
    virtual void pointerLeft() { }

    /// To be called once, at the end of the subclass's constructor.
    void finishSetUp();
    /// What is drawn has changed: description() and the picture are made anew.
    void contentChanged();
    /// Replots with the next turn of the event loop, however often it is asked to.
    void replotSoon();
    void showHover(const HoverText& text, QPointF anchor, const QRectF& outlined);
    void hideHover();
    [[nodiscard]] ChartHeader& header() { return *m_header; }
    /// What parts are drawn in: theme(), greyed where the picture is out of date, or that of a document. The reference
    /// stays valid.
    [[nodiscard]] const Theme& drawnTheme() const { return m_drawn_theme; }
    /// Gives all left and bottom axes the theme's fonts and colours; for axes that are made after finishSetUp().
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
