# SPDX-License-Identifier: GPL-3.0-or-later
# Every component is complete by itself, runs away from the sources, and can be taken away again.
. "$(dirname "$0")/common.sh"

put cli
cli=$work/cli/usr/bin/cardfit-cli
# No Qt, not even its core: a login node has none.
if readelf -d "$cli" | grep -E 'NEEDED.*(Qt|QCustomPlot|libX11|libGL)'; then fail "cardfit-cli links what has a window"; fi
cd "$work"
[ "$(alone "$cli" --version)" = "cardfit-cli $PROGRAM_VERSION" ] || fail "version"
alone "$cli" estimate llama-3-70b-64-h100 > estimate.txt || fail "estimate"
alone "$cli" check llama-3-70b-64-h100 > /dev/null || fail "check"
alone "$cli" explain llama-3-70b-64-h100 worst.activations > /dev/null || fail "explain"
alone "$cli" search llama-3-8b-8-h100 --top 1 --pin schedule > /dev/null || fail "search"
alone "$cli" sweep llama-3-8b-8-h100 --x micro_batch_size=1,2 --output map.svg || fail "sweep"
alone "$cli" schedule --schedule 1f1b --stages 4 --microbatches 8 > /dev/null || fail "schedule"
alone "$cli" export llama-3-70b-64-h100 --launch megatron > run.sh 2> /dev/null || fail "export --launch"
alone "$cli" export llama-3-70b-64-h100 --table table.csv --trace trace.json --report report.md || fail "export"
alone "$cli" import --from megatron run.sh --cluster dgx-h100 > plan.json 2> /dev/null || fail "import"
alone "$cli" validate memory --markdown > /dev/null || [ $? = 2 ] || fail "validate"
alone "$cli" plan run.sh --on dgx-h100 > /dev/null 2>&1 || fail "plan"
alone "$cli" presets plans > /dev/null || fail "presets"
alone "$cli" rules > /dev/null || fail "rules"
# What it cannot do it says, and the files are not there.
for files in "--chart memory --output a.svg" "--report a.pdf" "--table a.md --language zh"; do
    code=0
    # shellcheck disable=SC2086
    alone "$cli" export llama-3-70b-64-h100 $files 2> said.txt || code=$?
    [ "$code" = 64 ] && grep -q 'use cardfit$' said.txt || fail "export $files: $code, $(cat said.txt)"
done
[ ! -e a.svg ] && [ ! -e a.pdf ] && [ ! -e a.md ] || fail "a refused export has left a file"

# The guide leads to pages and pictures that are there.
guide=$work/cli/usr/share/doc/cardfit-cli/guide
for page in "$guide"/en/*.md "$guide"/zh_CN/*.md; do
    for target in $(grep -oE '\]\([^)]*\)' "$page" | sed 's/^](\(.*\))$/\1/'); do
        [ -s "$(dirname "$page")/$target" ] || fail "$page leads to $target"
    done
done
[ -s "$guide/examples/train.sh" ] || fail "the guide's examples are missing"

if has window; then
    put window
    root=$work/window/usr
    cardfit=$root/bin/cardfit
    alone "$cardfit" estimate llama-3-70b-64-h100 | cmp - estimate.txt || fail "both programs say the same"
    alone "$cardfit" export llama-3-70b-64-h100 --chart memory --output bars.svg || fail "export --chart"
    (mkdir headless && cd headless && alone "$cardfit" > said.txt && [ -s cardfit-report/report.pdf ]) || fail "headless"
    # A window that nobody closes is still there when its time is over.
    code=0
    alone QT_QPA_PLATFORM=offscreen timeout 1 "$cardfit" || code=$?
    [ "$code" = 124 ] || fail "the window ended with $code"
    if [ -n "$XVFB_RUN" ]; then
        # Its second begins when the server is there; a server that does not come is no 124, but 143.
        code=0
        alone timeout --preserve-status 60 "$XVFB_RUN" -a -s "-screen 0 1280x800x24" timeout 1 "$cardfit" || code=$?
        [ "$code" = 124 ] || fail "the window under Xvfb ended with $code"
    fi
    if command -v gzip > /dev/null; then gzip -t "$root/share/man/man1/cardfit.1.gz" || fail "manual"; fi
    id=io.github.cardfit.Cardfit
    [ -s "$root/share/mime/packages/$id.xml" ] && [ -s "$root/share/icons/hicolor/48x48/apps/$id.png" ] \
        && [ -s "$root/share/icons/hicolor/scalable/apps/$id.svg" ] || fail "files of the desktop are missing"
    grep -q "<release version=\"$PROGRAM_VERSION\"" "$root/share/metainfo/$id.metainfo.xml" || fail "releases"
    grep -q '<p>First version: plans, memory per stage, ' "$root/share/metainfo/$id.metainfo.xml" || fail "the releases' texts"
    if command -v desktop-file-validate > /dev/null; then
        desktop-file-validate "$root/share/applications/$id.desktop" || fail "desktop file"
    fi
    if command -v appstreamcli > /dev/null; then
        appstreamcli validate --no-net "$root/share/metainfo/$id.metainfo.xml" || fail "metainfo"
    fi
    if command -v update-mime-database > /dev/null; then
        XDG_DATA_DIRS=$root/share update-mime-database "$root/share/mime" > said.txt 2>&1 && [ ! -s said.txt ] || fail "MIME type: $(cat said.txt)"
    fi
fi

if has python; then
    put python
    alone PYTHONPATH="$work/python/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 "$PYTHON" -c 'import cardfit
assert cardfit.check("llama-3-70b-64-h100")["fits"] and cardfit.presets("models")' || fail "Python's module"
fi

# All of it at once, and away again, below a folder that is named like the program and not its own.
all=cardfit/all
cmake --install "$build" --prefix "$work/$all" > all.log
cp "$build/install_manifest.txt" manifest.txt
cmake -DMANIFEST="$work/manifest.txt" -P "$SOURCES/resources/uninstall.cmake" > /dev/null 2>&1
left=$(find $all ! -type d)
[ -z "$left" ] || fail "left after uninstalling: $left"
left=$(find $all -mindepth 1 -type d -name '*cardfit*')
[ -z "$left" ] || fail "folders are left: $left"
