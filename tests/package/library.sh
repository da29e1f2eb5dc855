# SPDX-License-Identifier: GPL-3.0-or-later
# Another program finds core where it is installed, and every installed header can be included.
. "$(dirname "$0")/common.sh"

cmake --install "$build" --component dev --prefix "$work/usr" > "$work/log"
cmake --install "$build" --component cli --prefix "$work/usr" >> "$work/log"
cd "$work/usr/include"
[ "$(ls)" = cardfit ] || fail "headers that could collide with those of others: $(ls)"
if grep -rn '#include "core/' .; then fail "a header includes what only the sources have"; fi
for header in $(grep -rhoE '#include "cardfit/[^"]+"' . | sed 's/.*"\(.*\)"/\1/' | sort -u); do
    [ -f "$header" ] || fail "$header is included, but not installed"
done
# What LIBRARY.md names is there.
documentation=$work/usr/share/doc/libcardfit-dev
for header in $(grep -oE 'cardfit/[a-z_/]+\.h' "$documentation/README.md"); do
    [ -f "$header" ] || fail "README.md names $header"
done
[ -s "$documentation/example/example.cpp" ] && [ -s "$documentation/reference/reference-fields.md" ] || fail "no example, or no reference"
if grep -rlE '<(nlohmann|tbb|yaml-cpp|toml\+\+|zlib)' .; then fail "a header shows a library that is core's own affair"; fi
if grep -rL '///' --include='*.h' . | grep .; then fail "headers say nothing of themselves"; fi

cmake -S "$SOURCES/tests/package/example" -B "$work/example" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_CXX_COMPILER="$CXX" \
    > "$work/configured" || fail "$(cat "$work/configured")"
cmake --build "$work/example" > "$work/built" 2>&1 || fail "$(cat "$work/built")"
alone "$work/example/example" > "$work/answer" || fail "the example ended with $?"
cat "$work/answer"
grep -q '^Llama 3 8B.* s a step' "$work/answer" && grep -q '^tensor [0-9]*, pipeline [0-9]*: .* s a step$' "$work/answer" || fail "answer"
# The same without CMake.
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name cardfit.pc)")
    [ "$(pkg-config --modversion cardfit)" = "$PROGRAM_VERSION" ] || fail "pkg-config does not know it"
    # shellcheck disable=SC2046
    "$CXX" -std=c++20 -DPRESETS="\"$work/usr/share/cardfit/presets\"" "$SOURCES/tests/package/example/example.cpp" \
        $(pkg-config --cflags --libs cardfit) -o "$work/by-pkg-config" || fail "it does not link by pkg-config"
    alone "$work/by-pkg-config" | cmp - "$work/answer" || fail "the example says something else"
fi
# Another minor version is not what was asked for.
mkdir "$work/other"
sed 's/find_package(cardfit 0\.1/find_package(cardfit 9.9/' "$SOURCES/tests/package/example/CMakeLists.txt" > "$work/other/CMakeLists.txt"
cp "$SOURCES/tests/package/example/example.cpp" "$work/other"
if cmake -S "$work/other" -B "$work/other/build" -DCMAKE_PREFIX_PATH="$work/usr" -DCMAKE_CXX_COMPILER="$CXX" \
    > /dev/null 2>&1; then fail "a version that is not there was found"; fi
