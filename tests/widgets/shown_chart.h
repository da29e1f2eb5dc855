// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QImage>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"
#include "widgets/timeline/time_marks.h"

/// Charts on the screen, and the hands of who looks at them.
namespace cardfit::samples {

/// A chart in the light theme.
template <typename Chart> struct ShownChart {
    Chart chart;

    ShownChart() { chart.setTheme(ui::lightTheme()); }

    /// To be called once it has something to draw.
    void show(QSize size)
    {
        chart.resize(size);
        chart.show();
        (void)QTest::qWaitForWindowExposed(&chart);
        replot();
    }
    void replot() { chart.plot()->replot(); }
    QImage picture()
    {
        replot();
        return chart.plot()->grab().toImage();
    }
    template <typename Plottable> const Plottable& plottable(int index = 0) const
    {
        return *qobject_cast<Plottable*>(chart.plot()->plottable(index));
    }
};

/// What a chart says about the span that was measured in it; nothing if none was.
inline QStringList spanText(QCustomPlot& plot)
{
    for (const QCPLayerable* part : plot.layer(QStringLiteral("overlay"))->children()) {
        if (const auto* span = qobject_cast<const ui::TimeSpan*>(part)) return span->text();
    }
    return {};
}

/// Moves the pointer as the window system would, whatever window manager there is.
inline void movePointer(QWidget& widget, QPoint position, Qt::MouseButtons buttons = Qt::NoButton)
{
    QMouseEvent event(QEvent::MouseMove, position, widget.mapToGlobal(position), Qt::NoButton, buttons, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

inline void dragPointer(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
    for (int step = 1; step <= 10; ++step)
        movePointer(widget, from + (to - from) * step / 10, Qt::LeftButton);
    QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
}

/// Away from the user for positive steps.
inline void turnWheel(QWidget& widget, QPoint position, int steps)
{
    QWheelEvent event(position, widget.mapToGlobal(position), QPoint(), QPoint(0, 120 * steps), Qt::NoButton,
        Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace cardfit::samples
