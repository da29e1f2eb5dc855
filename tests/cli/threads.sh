# SPDX-License-Identifier: GPL-3.0-or-later
# What works on several threads, under ThreadSanitizer (the preset threads): nothing races, and the answer is that of one.
. "$(dirname "$0")/common.sh"
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
nm -D --undefined-only "$cardfit" | grep __tsan_ > /dev/null || fail "the program has no ThreadSanitizer"

# runs ARGUMENTS...: on one thread and on several the same answer; a race ends the program with 66.
runs() {
    local code=0
    "$cardfit" "$@" > out 2> err || code=$?
    [ "$code" -le 2 ] || fail "cardfit $*: ended with $code: $(head -n 60 err)"
}
small="--pin recompute --pin tensor --pin context --pin schedule"
# shellcheck disable=SC2086
for more in "" "--why" "--pareto memory,days,cost"; do
    runs search llama-3-8b-8-h100 $small $more --csv --threads 1
    cp out one
    runs search llama-3-8b-8-h100 $small $more --csv --threads 4
    cmp -s one out || fail "search $more on several threads gives another answer"
done
runs sweep llama-3-8b-8-h100 --x tensor=1,2 --y micro_batch_size=1,2
runs estimate llama-3.1-405b-1024-h100 --json
runs advise llama-7b-one-h100
