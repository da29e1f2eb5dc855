# SPDX-License-Identifier: GPL-3.0-or-later
# Another program finds core where it is installed, and every installed header can be included.
. "$(dirname "$0")/common.sh"

cmake --install "$build" --component dev --prefix "$work/usr" > "$work/log"
cmake --install "$build" --component cli --prefix "$work/usr" >> "$work/log"
cd "$work/usr/include/cardfit"
for header in $(grep -rhoE '#include "core/[^"]+"' . | sed 's/.*"\(.*\)"/\1/' | sort -u); do
    [ -f "$header" ] || fail "$header is included, but not installed"
done
if grep -rlE '<(nlohmann|tbb|yaml-cpp|toml\+\+|zlib)' .; then fail "a header shows a library that is core's own affair"; fi
if grep -rL '///' --include='*.h' . | grep .; then fail "headers say nothing of themselves"; fi

cmake -S "$SOURCES/tests/package/example" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_CXX_COMPILER="$CXX" \
    > "$work/configured" || fail "$(cat "$work/configured")"
cmake --build "$work/example" > "$work/built" 2>&1 || fail "$(cat "$work/built")"
alone "$work/example/example" > "$work/answer" || fail "the example ended with $?"
cat "$work/answer"
grep -q '^Llama 3 8B.* s a step' "$work/answer" && grep -q '^tensor [0-9]*, pipeline [0-9]*: .* s a step$' "$work/answer" || fail "answer"
# Another minor version is not what was asked for.
mkdir "$work/other"
sed 's/find_package(cardfit 0\.1/find_package(cardfit 9.9/' "$SOURCES/tests/package/example/CMakeLists.txt" > "$work/other/CMakeLists.txt"
cp "$SOURCES/tests/package/example/example.cpp" "$work/other"
if cmake -S "$work/other" -B "$work/other/build" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_CXX_COMPILER="$CXX" \
    > /dev/null 2>&1; then fail "a version that is not there was found"; fi
