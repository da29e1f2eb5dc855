// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/chart_widget.h"

#include <algorithm>

#include <QFocusEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <QWindow>

#include <qcustomplot.h>

#include "widgets/chart/accessible_role.h"
#include "widgets/chart/chart_header.h"
#include "widgets/chart/chart_style.h"
#include "widgets/chart/hover_card.h"

namespace cardfit::ui {

namespace {

constexpr int kFocusFrame = 2;

} // namespace

ChartWidget::ChartWidget(QWidget* parent)
    : QWidget(parent)
    , m_theme(themeFor(palette()))
    , m_drawn_theme(m_theme)
    , m_plot(new QCustomPlot(this))
    , m_header(new ChartHeader(m_plot, m_drawn_theme))
    , m_hover(new HoverCard(m_plot, m_drawn_theme))
{
    installAccessibleRole<ChartWidget, QAccessible::Chart>();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kFocusFrame, kFocusFrame, kFocusFrame, kFocusFrame);
    layout->addWidget(m_plot);
    // Squeezed to nothing in a splitter, a plot would draw on an image of size zero.
    m_plot->setMinimumSize(1, 1);

    m_plot->plotLayout()->setRowSpacing(0);
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, m_header);
    m_plot->setPlottingHint(QCP::phImmediateRefresh, false);
    // The chart takes the keyboard focus; its children only draw.
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->installEventFilter(this);
    connect(m_plot, &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
}

ChartWidget::~ChartWidget() = default;

void ChartWidget::setTheme(const Theme& theme)
{
    m_follows_palette = false;
    if (theme == m_theme) return;
    m_theme = theme;
    useTheme(m_theme);
    replotSoon();
}

void ChartWidget::setTitle(const QString& plan_name)
{
    if (plan_name == m_plan_name) return;
    m_plan_name = plan_name;
    replotSoon();
}

QString ChartWidget::heading() const { return m_header->title(); }

QString ChartWidget::facts() const { return m_header->detail(); }

void ChartWidget::setOutdated(const QString& reason)
{
    if (reason == m_outdated) return;
    m_outdated = reason;
    useTheme(m_theme);
    replotSoon();
}

QList<LegendEntry> ChartWidget::legend() const { return {}; }

QString ChartWidget::hoverText() const { return m_hover->text(); }

void ChartWidget::drawInto(QCPPainter& painter, QSize size, const Theme& theme)
{
    useTheme(theme);
    prepareAll(size);
    QCPLayer* on_screen = m_hover->layer();
    on_screen->setVisible(false);
    m_plot->toPainter(&painter, size.width(), size.height());
    on_screen->setVisible(true);
    useTheme(m_theme);
    // The layout now has the exported picture's size; restore it.
    replotSoon();
}

void ChartWidget::finishSetUp()
{
    m_hover->raise();
    setAccessibleName(ownTitle());
    setAccessibleDescription(description());
    useTheme(m_theme);
    prepareAll(m_plot->size());
}

void ChartWidget::contentChanged()
{
    setAccessibleDescription(description());
    replotSoon();
}

void ChartWidget::replotSoon()
{
    prepareAll(m_plot->size());
    // Collapsed in a splitter the plot has no size; it is drawn as soon as it has one.
    if (m_plot->size().isEmpty()) return;
    OverlayPart::releaseUnused(*m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartWidget::showHover(const HoverText& text, QPointF anchor, const QRectF& outlined)
{
    m_hover->showText(text, anchor, outlined);
}

void ChartWidget::hideHover() { m_hover->hideText(); }

bool ChartWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_plot && event->type() == QEvent::Leave) {
        hideHover();
        pointerLeft();
    }
    // Handled before the plot, which replots as soon as it is resized.
    if (watched == m_plot && event->type() == QEvent::Resize) {
        prepareAll(static_cast<QResizeEvent*>(event)->size());
    }
    return QWidget::eventFilter(watched, event);
}

void ChartWidget::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
        if (!m_follows_palette) return;
        m_theme = themeFor(palette());
        [[fallthrough]];
    case QEvent::FontChange:
    case QEvent::ApplicationFontChange:
        useTheme(m_theme);
        replotSoon();
        break;
    case QEvent::LanguageChange:
        setAccessibleName(ownTitle());
        setAccessibleDescription(description());
        replotSoon();
        break;
    default: break;
    }
}

void ChartWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    // As in other programs: a frame shows the keyboard focus, but not after a mouse click.
    m_shows_focus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason
        || event->reason() == Qt::ShortcutFocusReason;
    update();
}

void ChartWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_shows_focus = false;
    update();
}

/// The plot covers all but a margin, where a frame shows the keyboard focus.
void ChartWidget::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_shows_focus ? m_theme.selection : m_theme.background);
}

void ChartWidget::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    followScreen();
}

/// QCustomPlot 2.1 reads the device pixel ratio only when it is constructed, but a window can move to another screen.
void ChartWidget::followScreen()
{
    const auto adopt = [this] {
        if (m_plot->bufferDevicePixelRatio() == devicePixelRatioF()) return;
        m_plot->setBufferDevicePixelRatio(devicePixelRatioF());
        replotSoon();
    };
    adopt();
    QWindow* handle = window()->windowHandle();
    if (m_follows_screen || !handle) return;
    m_follows_screen = true;
    connect(handle, &QWindow::screenChanged, this, adopt);
}

void ChartWidget::useTheme(const Theme& theme)
{
    m_drawn_theme = m_outdated.isEmpty() ? theme : desaturated(theme);
    m_plot->setBackground(QBrush(theme.background));
    styleAxes();
}

void ChartWidget::styleAxes()
{
    for (QCPAxisRect* area : m_plot->axisRects()) {
        styleAxis(*area->axis(QCPAxis::atBottom), m_drawn_theme);
        styleAxis(*area->axis(QCPAxis::atLeft), m_drawn_theme);
    }
}

void ChartWidget::prepareAll(QSize canvas)
{
    adaptTheme(m_drawn_theme);
    prepare(canvas);
    // Fewer labels in a low chart, so that they do not overlap: header and axis take about 95 pixels, and a label needs
    // the height of two lines.
    const double room = canvas.height() - 95.0;
    const int labels = static_cast<int>(room / (2.0 * QFontMetricsF(chartFont()).height()));
    // A chart that makes its own axis rects has no default axis.
    if (m_plot->yAxis != nullptr) m_plot->yAxis->ticker()->setTickCount(std::clamp(labels, 1, 5));
    m_header->setTitle(
        m_plan_name.isEmpty() ? ownTitle() : tr("%1: %2", "plan's name: chart's title").arg(m_plan_name, ownTitle()));
    m_header->setDetail(ownFacts());
    m_header->setLegend(legend());
    QString banner;
    if (!m_outdated.isEmpty())
        banner =
            isEmpty() ? tr("No figures yet. %1").arg(m_outdated) : tr("Last plan with figures. %1").arg(m_outdated);
    m_header->setBanner(banner);
}

} // namespace cardfit::ui
