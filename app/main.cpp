// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>

#include <QIcon>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/terminal.h"
#include "app/export/document_writer.h"
#include "app/export/export_charts.h"
#include "app/help/help_menu.h"
#include "app/window/app_theme.h"
#include "app/window/guarded_application.h"
#include "app/window/main_window.h"
#include "app/window/window_host.h"
#include "core/files/user_folder.h"

namespace {

bool isSet(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

bool hasDisplay() { return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM"); }

int openWindow(int argc, char** argv)
{
    // Qt takes / for a missing home folder, and would keep settings there.
    if (const auto home = cardfit::homeFolder(); !home.empty()) qputenv("HOME", home.native().c_str());
    cardfit::app::GuardedApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("cardfit"));
    QApplication::setOrganizationName(QStringLiteral("cardfit"));
    QApplication::setApplicationDisplayName(QStringLiteral("Cardfit"));
    QApplication::setDesktopFileName(QStringLiteral("io.github.cardfit.Cardfit"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/io.github.cardfit.Cardfit.svg")));
    cardfit::app::setUpTheme(application);
    cardfit::app::applyTheme(cardfit::app::savedTheme());

    cardfit::app::WindowHost host;
    host.endOnSignals();
    host.window().restoreLayout();
    host.window().show();
    const QStringList arguments = QApplication::arguments();
    host.tellLastRun();
    if (arguments.size() > 1) host.window().openFile(arguments.at(1));
    host.window().part<cardfit::app::HelpMenu>().hints().startOnce();
    return QApplication::exec();
}

int run(int argc, char** argv)
{
    constexpr cardfit::app::Program program{"cardfit",
        "Without a command, or with a plan file or the id of a plan preset, cardfit opens its window.",
        cardfit::app::writeWithCharts};
    if (argc > 1 && cardfit::app::isCommand(argv[1], program)) return cardfit::app::runCommand(argc, argv, program);
    if (argc > 2) {
        cardfit::app::printError("cardfit: one plan file opens the window; see cardfit --help for commands");
        return cardfit::app::WrongUsage;
    }
    if (hasDisplay()) return openWindow(argc, argv);
    if (argc > 1) {
        cardfit::app::printError(
            fmt::format("cardfit: there is no display to open {0} on; try: cardfit estimate {0}", argv[1]));
        return cardfit::app::WrongUsage;
    }
    return cardfit::app::writeDefaultReport();
}

} // namespace

int main(int argc, char** argv) { return cardfit::app::runGuarded(run, argc, argv); }
