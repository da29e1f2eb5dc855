// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

#include <QApplication>
#include <QFile>
#include <QTimer>

#include "app/files/plan_files.h"
#include "app/window/main_window.h"
#include "app/window/window_host.h"

/// Opens a window as the program does, edits its plan once, says so, and goes on until a signal ends it.
///
/// Arguments: the plan file; the global batch size that the edit sets; "asking" for a window that asks by then which
/// of two changes to keep.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("cardfit"));
    QApplication::setOrganizationName(QStringLiteral("cardfit"));
    cardfit::app::WindowHost host;
    host.endOnSignals();
    host.window().restoreLayout();
    host.window().show();
    const QStringList arguments = QApplication::arguments();
    if (!host.window().openFile(arguments.at(1))) return 1;
    const auto say = [] {
        std::puts("edited");
        std::fflush(stdout);
    };
    QTimer::singleShot(0, &host, [&] {
        cardfit::app::MainWindow& window = host.window();
        cardfit::Plan plan = window.document().plan();
        plan.workload.global_batch_size = arguments.at(2).toInt();
        window.document().edit(std::move(plan), QStringLiteral("edit"));
        if (!arguments.contains(QStringLiteral("asking"))) return say();
        QTimer::singleShot(0, &host, say); // once the question is open
        QFile file(arguments.at(1));
        if (file.open(QIODevice::Append)) file.write("\n");
        file.close();
        window.part<cardfit::app::PlanFiles>().save();
    });
    return QApplication::exec();
}
