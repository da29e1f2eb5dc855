# SPDX-License-Identifier: GPL-3.0-or-later
# Packed twice, at other times, under another umask and from another folder, a package is the same to the bit; its files
# are root's, and it holds what is installed.
. "$(dirname "$0")/common.sh"

# pack FOLDER UMASK: without compression, which is a matter of speed here.
pack() {
    (umask "$2" && cd "$build" && cpack -B "$work/$1" -D CPACK_DEBIAN_COMPRESSION_TYPE=none \
        -D CPACK_COMPONENTS_ALL=cli > "$work/$1.log" 2>&1) || fail "$(cat "$work/$1.log")"
}
pack first 022
sleep 1
pack second/further/down 077
cd "$work/first"
for package in *.deb; do
    cmp "$package" "$work/second/further/down/$package" || fail "$package differs from one time to the next"
    dpkg-deb -c "$package" > contents
    if grep -v ' root/root ' contents; then fail "files that are not root's"; fi
    if grep -vE '^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) ' contents; then fail "files of other modes"; fi
    awk '{ print $6 }' contents | sort -c || fail "the order of files depends on the disk"
    grep -q ' ./usr/share/cardfit/presets/plans/llama-3-70b-64-h100.json$' contents || fail "presets are missing"
done
dpkg-deb -f cardfit-cli_*.deb Depends | grep -q libc6 || fail "no dependencies"
dpkg-deb -x cardfit-cli_*.deb root
[ "$(alone root/usr/bin/cardfit-cli --version)" = "cardfit-cli $PROGRAM_VERSION" ] || fail "it does not run"
