#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Keeps what the program prints and exports, so that a change which should alter no output can be held against it:
#
#     tests/snapshot.sh build/release/cardfit before/
#     ... change, build ...
#     tests/snapshot.sh build/release/cardfit after/ before/
#
# Writes a file per command into the folder: every shipped plan and every test plan through each command that takes a
# plan, every export (PDF excepted, which carries its date), every launch command and what comes back from it, schedules
# of several sizes, and the published cases beside their predictions. With a third argument it shows what differs and
# fails if anything does.
set -euo pipefail

if [ $# -lt 2 ]; then
    sed -n '3,12s/^# \{0,1\}//p' "$0"
    exit 64
fi
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
before=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
export program folder CARDFIT_PRESETS=$PWD/presets LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen
export XDG_DATA_HOME=$folder/.home XDG_CONFIG_HOME=$folder/.home XDG_STATE_HOME=$folder/.home

# keep <file> <arguments of cardfit>: standard output, standard error and the exit code.
keep() {
    local file=$folder/$1
    shift
    "$program" "$@" > "$file" 2> "$file.err" && echo 0 >> "$file.err" || echo $? >> "$file.err"
}

of_plan() {
    local plan=$1 name model with
    name=$(basename "$plan" .json)
    keep "$name.estimate.json" estimate "$plan" --json
    keep "$name.estimate.txt" estimate "$plan" --unit GiB
    keep "$name.profiles.txt" estimate "$plan" --compare-profiles
    keep "$name.article.json" estimate "$plan" --json --profile article
    keep "$name.check.txt" check "$plan"
    keep "$name.check.json" check "$plan" --json
    keep "$name.advise.txt" advise "$plan"
    keep "$name.advise.json" advise "$plan" --json
    keep "$name.compare.txt" compare llama-3-70b-64-h100 "$plan"
    keep "$name.compare.json" compare llama-3-70b-64-h100 "$plan" --json
    keep "$name.figures.txt" explain "$plan"
    for figure in $(awk '{ print $1 }' "$folder/$name.figures.txt" | grep -E '^(stage0|worst|step)\.' || true); do
        keep "$name.explain.$figure.json" explain "$plan" "$figure" --json
    done
    keep "$name.explain.md" explain "$plan" worst.device --markdown
    for chart in memory timeline step; do
        keep "$name.$chart.out" export "$plan" --chart $chart --output "$folder/$name.$chart.svg"
    done
    keep "$name.dark.out" export "$plan" --chart memory --dark --language zh --output "$folder/$name.dark.svg"
    keep "$name.table.out" export "$plan" --table "$folder/$name.csv"
    keep "$name.tablemd.out" export "$plan" --table "$folder/$name.table.md" --language zh
    keep "$name.report.out" export "$plan" --report "$folder/$name.report.md"
    keep "$name.reportzh.out" export "$plan" --report "$folder/$name.report.zh.md" --language zh
    keep "$name.trace.out" export "$plan" --trace "$folder/$name.trace.json"
    for launcher in megatron deepspeed torchtitan; do
        keep "$name.$launcher.out" export "$plan" --launch $launcher --output "$folder/$name.$launcher"
        [ -e "$folder/$name.$launcher" ] || continue
        # DeepSpeed's file has no model.
        model=$(grep -A2 '"model": {' "$plan" | grep -o '"preset": "[^"]*"' | cut -d'"' -f4)
        [ $launcher = deepspeed ] && [ -n "$model" ] && with=(--model "$model") || with=()
        keep "$name.$launcher.back.json" import --from $launcher "${with[@]}" "$folder/$name.$launcher"
    done
}

of_schedule() {
    local schedule=$1
    for size in "2 4" "4 8" "4 3" "8 32" "6 13"; do
        # shellcheck disable=SC2086
        set -- $size
        keep "schedule.$schedule.$1x$2.json" schedule --schedule "$schedule" --stages "$1" --microbatches "$2" \
            --backward-input 1.25 --backward-weight 0.75 --transfer 0.125 --json --csv "$folder/schedule.$schedule.$1x$2.csv"
        keep "schedule.$schedule.$1x$2.txt" schedule --schedule "$schedule" --stages "$1" --microbatches "$2" --chunks 2
        keep "schedule.$schedule.$1x$2.serialized.json" schedule --schedule "$schedule" --stages "$1" \
            --microbatches "$2" --transfer 0.25 --transfer-model serialized --json
    done
}
export -f keep of_plan of_schedule

plans=$( { for file in presets/plans/*.json; do basename "$file" .json; done
           find tests/data/plans -name '*.json' | sort; } )
schedules="naive gpipe gpipe-lifo 1f1b eager-1f1b pipedream interleaved-1f1b looped-bfs zb-h1 zb-h2 interleaved-zb zb-v
           v-half v-min dualpipe dualpipe-v"
{ for plan in $plans; do echo "of_plan $plan"; done; for schedule in $schedules; do echo "of_schedule $schedule"; done; } |
    xargs -P "$(nproc)" -I{} bash -c {}
keep rules.txt rules
keep rules.json rules --json
keep presets.txt presets
keep memory.json validate memory --json
keep memory.txt validate memory
keep time.json validate time --json
keep time.txt validate time
rm -rf "$folder/.home"
# Where the files lie is no part of them.
find "$folder" -type f -print0 | xargs -0 sed -i "s|$folder|FOLDER|g"
echo "$(find "$folder" -type f | wc -l) files in $2"

if [ -n "$before" ]; then
    diff -r "$before" "$folder" > "$folder.diff" && echo "no output differs" && exit 0
    grep -aE '^(diff|Only)' "$folder.diff" | head -40
    echo "outputs differ: $folder.diff"
    exit 1
fi
