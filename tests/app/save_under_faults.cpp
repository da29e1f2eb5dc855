// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <memory>

#include <dlfcn.h>

#include <QMessageBox>
#include <QScopeGuard>
#include <QTimer>

#include "app/files/plan_files.h"
#include "app/files/session.h"
#include "app/window/guarded_application.h"
#include "app/window/main_window.h"

/// Opens a window, edits its plan, saves it and keeps its tabs while calls fail as tests/cli/faults.cpp makes them, and
/// says what the window says: "saved", or the texts of its messages.
///
/// Arguments: the plan file; the global batch size that the edit sets.
namespace {

void tellFaults(const char* function)
{
    if (auto* call = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, function))) call();
}

void say(const QString& what)
{
    std::puts(qPrintable(what));
    std::fflush(stdout);
}

void sayBoxes()
{
    for (const QWidget* shown : QApplication::topLevelWidgets()) {
        if (const auto* box = qobject_cast<const QMessageBox*>(shown)) say(box->text());
    }
}

} // namespace

int main(int argc, char** argv)
{
    cardfit::app::GuardedApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("cardfit"));
    QApplication::setOrganizationName(QStringLiteral("cardfit"));
    auto session = std::make_shared<cardfit::app::Session>();
    cardfit::app::MainWindow window(session);
    window.show();
    const QStringList arguments = QApplication::arguments();
    if (!window.openFile(arguments.at(1))) return 1;
    QTimer::singleShot(0, &window, [&] {
        cardfit::Plan plan = window.document().plan();
        plan.workload.global_batch_size = arguments.at(2).toInt();
        window.document().edit(std::move(plan), QStringLiteral("edit"));
        if (!session->tabs.writeNow()) return QApplication::exit(1); // what was edited a while ago is kept

        const auto end = qScopeGuard([&] {
            tellFaults("cardfit_end_faults");
            QTimer::singleShot(0, &window, [] { // after what an exception makes the application say
                sayBoxes();
                QApplication::exit();
            });
        });
        // A question is answered by giving up.
        QTimer::singleShot(0, &window, [] {
            sayBoxes();
            if (auto* box = QApplication::activeModalWidget()) box->close();
        });
        tellFaults("cardfit_begin_faults");
        if (window.part<cardfit::app::PlanFiles>().save()) say(QStringLiteral("saved"));
        session->tabs.writeNow();
    });
    return QApplication::exec();
}
