# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of this folder share. Arguments: the build tree, a folder to work in, and the components that it builds.
set -euo pipefail
build=$1
work=$2
shift 2
components=" $* "
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# has COMPONENT: whether the build tree has it.
has() { [[ $components = *" $1 "* ]]; }

# put COMPONENT: installs it below $work/COMPONENT/usr.
put() { cmake --install "$build" --component "$1" --prefix "$work/$1/usr" > "$work/$1.log"; }

# alone COMMAND...: runs it without anything of the machine's own environment that leads to presets or a display.
alone() { env -i PATH=/usr/bin:/bin HOME="$work/home" LC_ALL=C.UTF-8 XDG_DATA_DIRS=/nowhere "$@"; }
