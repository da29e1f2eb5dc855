# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of this folder share. Arguments: the program, a folder to work in, the sources.
set -euo pipefail
cardfit=$1
work=$2
sources=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# ends CODE ARGUMENTS...: whether cardfit ends so; its answer is in ./out, and what it complained of in ./err.
ends() {
    local wanted=$1 code=0
    shift
    "$cardfit" "$@" > out 2> err || code=$?
    [ "$code" = "$wanted" ] || fail "cardfit $*: ended with $code, not $wanted: $(cat out err)"
}
