# SPDX-License-Identifier: GPL-3.0-or-later
# Packed twice, at other times and into other folders, a package is the same to the bit; its files are root's, and it
# holds what is installed.
. "$(dirname "$0")/common.sh"

# pack FOLDER: without compression, which is a matter of speed here.
pack() {
    mkdir -p "$work/$1"
    (cd "$build" && cpack -B "$work/$1" -D CPACK_DEBIAN_COMPRESSION_TYPE=none \
        -D CPACK_COMPONENTS_ALL="cli$(has python && echo ';python' || true)") \
        > "$work/log" 2>&1
}
# Sources without git have no commit, whose time packages hold.
git -C "$SOURCES" rev-parse -q --verify HEAD > /dev/null 2>&1 || export SOURCE_DATE_EPOCH=1700000000
umask 022
pack first || fail "$(cat "$work/log")"
sleep 1
pack second/further/down || fail "$(cat "$work/log")"
(umask 077 && pack third) || fail "$(cat "$work/log")"
cd "$work/first"
for package in *.deb; do
    cmp "$package" "$work/second/further/down/$package" || fail "$package differs from one time to the next"
    # Another umask would close folders of the system to its users; the modes of a package's own members are of no use.
    cmp <(ar p "$package") <(ar p "$work/third/$package") || fail "$package is another one under umask 077"
    dpkg-deb -c "$package" > contents
    if grep -v ' root/root ' contents; then fail "files that are not root's"; fi
    if grep -vE '^(-rw-r--r--|-rwxr-xr-x|drwxr-xr-x) ' contents; then fail "files of other modes"; fi
    awk '{ print $6 }' contents | sort -c || fail "the order of files depends on the disk"
    grep -q '/changelog.gz$' contents || fail "no change log"
    if command -v lintian > /dev/null; then
        lintian --fail-on error,warning --suppress-tags uses-no-compression-for-data-tarball "$package" || fail "lintian"
    fi
    grep -q '/cardfit/presets/plans/llama-3-70b-64-h100.json$' contents || fail "presets are missing"
done
dpkg-deb -f cardfit-cli_*.deb Depends | grep -q libc6 || fail "no dependencies"
dpkg-deb -x cardfit-cli_*.deb root
[ "$(alone root/usr/bin/cardfit-cli --version)" = "cardfit-cli $PROGRAM_VERSION" ] || fail "it does not run"
if has python; then
    dpkg-deb -f python3-cardfit_*.deb Depends | grep -q 'python3 (>= 3.*), python3 (<< 3' || fail "for which Python?"
    dpkg-deb -x python3-cardfit_*.deb python
    alone PYTHONPATH="$PWD/python/usr/lib/python3/dist-packages" "$PYTHON" -c \
        'import cardfit; assert cardfit.estimate("llama-3-70b-64-h100")["fits"]' || fail "the module does not run"
fi
