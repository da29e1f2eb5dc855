// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <cstdio>

#include <QApplication>
#include <QTimer>

#include "app/main_window.h"
#include "app/recovery/recovery.h"

/// A window whose plan is edited a hundred times a second and saved now and then, until the program is killed. It says
/// on standard output what it is about to do and what it has done, with the milliseconds of a clock that the test
/// shares.
///
/// Arguments: the plan file; the number that the first edit sets as global batch size.
namespace {

qint64 now()
{
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

void say(const char* what, int number)
{
    std::printf("%s %d %lld\n", what, number, static_cast<long long>(now()));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("cardfit"));
    QApplication::setOrganizationName(QStringLiteral("cardfit"));
    cardfit::app::MainWindow window;
    window.show();
    const QStringList arguments = QApplication::arguments();
    if (!window.openFile(arguments.at(1))) return 1;

    int number = arguments.at(2).toInt();
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        cardfit::Plan plan = window.document().plan();
        plan.workload.global_batch_size = ++number;
        window.document().edit(std::move(plan), QStringLiteral("edit"));
        say("edited", number);
        // Long stretches without a save, and then several in a row.
        if (number % 100 < 70) return;
        say("saving", number);
        if (!window.document().save()) QApplication::exit(1);
        say("saved", number);
    });
    timer.start(10);
    return QApplication::exec();
}
