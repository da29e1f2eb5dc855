// SPDX-License-Identifier: GPL-3.0-or-later
// The commands without Qt, for login nodes and containers.
#include "app/cli/cli.h"
#include "app/cli/commands.h"

namespace {

int run(int argc, char** argv)
{
    return cardfit::app::runCommand(argc, argv,
        {"cardfit-cli", "It has no window and draws no charts; cardfit does.", cardfit::app::writeWithoutCharts});
}

} // namespace

int main(int argc, char** argv) { return cardfit::app::runGuarded(run, argc, argv); }
