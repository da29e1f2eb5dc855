// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <cstdio>
#include <thread>

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>

#include "app/document/file_path.h"
#include "app/window/main_window.h"
#include "core/files/file.h"

/// Opens a window and edits its plan a hundred times a second, with a save now and then, until the program is killed.
/// Prints what it is about to do and what it has done, with times in milliseconds of a clock that the test shares, and
/// also each completed write of a small file, to measure the disk.
///
/// Arguments: the plan file; the global batch size that the first edit sets.
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

/// Long periods without a save, then several saves in a row.
bool isTimeToSave(const QElapsedTimer& since_start)
{
    constexpr qint64 kUnsaved = 1'500, kSaving = 300; // milliseconds
    return since_start.elapsed() % (kUnsaved + kSaving) >= kUnsaved;
}

void writeAndSay(const std::stop_token& end, const std::filesystem::path& file)
{
    for (int number = 1; !end.stop_requested(); ++number) {
        if (cardfit::writeFile(file, "as small as a plan")) say("flushed", number);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
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
    QElapsedTimer since_start;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        cardfit::Plan plan = window.document().plan();
        plan.workload.global_batch_size = ++number;
        window.document().edit(std::move(plan), QStringLiteral("edit"));
        say("edited", number);
        if (!isTimeToSave(since_start)) return;
        say("saving", number);
        if (!window.document().save()) QApplication::exit(1);
        say("saved", number);
    });
    since_start.start();
    timer.start(10);
    const std::jthread disk(writeAndSay, cardfit::app::toPath(arguments.at(1) + QStringLiteral(".disk")));
    return QApplication::exec();
}
