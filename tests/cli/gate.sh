# SPDX-License-Identifier: GPL-3.0-or-later
# `cardfit check` as a gate before a job: its exit codes, its two lines, and the forms in which schedulers and hooks use it.
. "$(dirname "$0")/common.sh"

"$cardfit" export llama-3-70b-64-h100 --launch megatron > fits.sh 2> /dev/null
sed 's/--micro-batch-size 1/--micro-batch-size 4/' fits.sh > over.sh
sed 's/--pipeline-model-parallel-size 4/--pipeline-model-parallel-size 3/' fits.sh > broken.sh
printf 'hello, world\n' > other.txt
cmp -s fits.sh over.sh && fail "the script has no micro-batch to change"
cmp -s fits.sh broken.sh && fail "the script has no pipeline to change"

"$cardfit" export llama-3-70b-serving-dgx-h100 --launch vllm > serve.sh 2> /dev/null
printf '%s\n' 'base_model: meta-llama/Meta-Llama-3-70B' 'micro_batch_size: 1' 'sequence_len: 8192' 'adapter: lora' \
    'lora_r: 8' 'deepspeed: deepspeed_configs/zero3_bf16.json' 'datasets: [{path: tatsu-lab/alpaca}]' > tune.yaml

# Two lines on standard output, whatever the verdict.
two_lines() { [ "$(wc -l < out)" = 2 ] || fail "$1: $(cat out)"; }
ends 0 check fits.sh --on dgx-h100
two_lines fits
grep -q '^fits.sh: \(FITS\|TIGHT\) stage 0: .* of .* GB' out || fail "a verdict: $(cat out)"
grep -q '^fits.sh: worst card: of stage 0, one of 16: weights .*, activations .* GB$' out || fail "a card: $(cat out)"
ends 1 check over.sh --on dgx-h100
two_lines over
grep -q '^over.sh: OVER stage .* too much' out || fail "a verdict: $(cat out)"
ends 2 check broken.sh --on dgx-h100
two_lines broken
grep -q '^broken.sh: INVALID, breaks ' out || fail "a verdict: $(cat out)"
sed -n 2p out | grep -q '^broken.sh: [A-Z][A-Z-]*: .*3' || fail "a rule: $(cat out)"
ends 3 check none.sh --on dgx-h100
ends 3 check other.txt --on dgx-h100
grep -q 'other.txt: is neither a plan nor a file that is known' err || fail "an unknown file: $(cat err)"
ends 64 check fits.sh --on dgx-h10
grep -q 'did you mean dgx-h100' err || fail "a misspelt cluster: $(cat err)"
ends 64 check fits.sh --on dgx-h100:none
# The worst of several.
ends 2 check fits.sh broken.sh over.sh --on dgx-h100
[ "$(wc -l < out)" = 6 ] || fail "three files"
# Other cards, another verdict.
ends 1 check fits.sh --on dgx-a100-40

# A server's second line speaks of its cache.
code=0
"$cardfit" check serve.sh --on dgx-h100 > out 2> err || code=$?
[ "$code" -le 1 ] && sed -n 2p out | grep -q ', KV cache .* GB$' || fail "a server's card: $(cat out err)"

# Without --on the cards are assumed, and that is said.
ends 0 check fits.sh
grep -q '^fits.sh: assumed: the file names no cards: 8 x 8 of .*(DGX H100); --on names others$' err || fail "cards: $(cat err)"
ends 0 check fits.sh --on dgx-h100
if grep -q 'names no cards' err; then fail "cards that are given are assumed: $(cat err)"; fi

# As JSON.
ends 1 check over.sh --on dgx-h100 --json
grep -q '"verdict": "over"' out && grep -q '"fix": null' out || fail "JSON: $(cat out)"

# The cheapest change as a patch of the script, which is only read.
cp over.sh before.sh
ends 1 check over.sh --on dgx-h100 --into over.sh
cmp -s over.sh before.sh || fail "--into has changed the file"
grep -q '^over.sh: with the patch: .*: \(FITS\|TIGHT\) .*; step [0-9.]* s -> [0-9.]* s$' err || fail "the patch: $(cat err)"
grep -q '^over.sh: OVER' err || fail "the verdict beside a patch: $(cat err)"
[ "$(head -n 1 out)" = '--- over.sh' ] && grep -q '^@@ -' out || fail "a patch alone: $(cat out)"
if command -v patch > /dev/null; then
    patch -s over.sh < out || fail "patch refuses it"
    ends 0 check over.sh --on dgx-h100
    cp before.sh over.sh
fi
ends 2 check broken.sh --on dgx-h100 --into broken.sh
if command -v patch > /dev/null; then
    cp broken.sh mended.sh
    patch -s mended.sh < out || fail "patch refuses it"
    ends 0 check mended.sh --on dgx-h100
fi
ends 64 check fits.sh over.sh --into over.sh
# Nothing to change is an empty patch.
ends 0 check fits.sh --on dgx-h100 --into fits.sh
[ ! -s out ] && grep -q '^fits.sh: \(FITS\|TIGHT\)' err || fail "a patch of what fits: $(cat out err)"
if command -v patch > /dev/null; then patch -s fits.sh < out || fail "patch refuses nothing"; fi
# A file that Cardfit cannot write is to be changed by hand.
ends 1 check tune.yaml --on dgx-h100 --into tune.yaml
[ ! -s out ] && grep -q '^tune.yaml: to be changed by hand: .*: \(FITS\|TIGHT\) .*; step .* s -> .* s$' err \
    || fail "a change by hand: $(cat out err)"

# Slurm's prolog: a code other than 0 keeps the job from starting, and what it prints goes to its log.
cat > prolog.sh << 'PROLOG'
#!/bin/sh
# TaskProlog: the job's script is checked on the cluster's cards.
"$CARDFIT" check "$SLURM_JOB_SCRIPT" --on dgx-h100 > verdict.txt 2>/dev/null
code=$?
[ "$code" -eq 0 ] || echo "print cardfit refuses the job: $(head -n 1 verdict.txt)"
exit "$code"
PROLOG
chmod +x prolog.sh
CARDFIT=$cardfit SLURM_JOB_SCRIPT=fits.sh ./prolog.sh > said.txt || fail "the prolog refuses a job that fits"
[ ! -s said.txt ] || fail "the prolog speaks: $(cat said.txt)"
code=0
CARDFIT=$cardfit SLURM_JOB_SCRIPT=over.sh ./prolog.sh > said.txt || code=$?
[ "$code" = 1 ] && grep -q '^print cardfit refuses the job: over.sh: OVER' said.txt || fail "the prolog: $code, $(cat said.txt)"

# git's hook: of the changed files, those with a launcher's command are checked as they will be committed.
if command -v git > /dev/null; then
    mkdir repository && cd repository
    git init -q .
    cat > .git/hooks/pre-commit << 'HOOK'
#!/bin/sh
git diff --cached --name-only -z --diff-filter=d |
    xargs -0 -r git --literal-pathspecs grep --cached -lzE 'torchrun|deepspeed|vllm serve' -- |
    xargs -0 -r -n 1 sh -c 'git show ":$1" | "$CARDFIT" check - --on dgx-h100 || { echo "refused: $1"; exit 1; }' sh
HOOK
    chmod +x .git/hooks/pre-commit
    commit() { CARDFIT=$cardfit git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m scripts > said.txt 2>&1; }
    cp ../fits.sh a.sh
    git add a.sh
    commit || fail "the hook refuses a script that fits: $(cat said.txt)"
    echo 'echo hello' > other.sh # no launcher's
    git add other.sh
    cp ../over.sh a.sh # not staged
    commit || fail "the hook refuses what is not committed: $(cat said.txt)"
    cp ../over.sh 'b c.sh'
    cp ../fits.sh c.sh
    git add 'b c.sh' c.sh
    cp ../fits.sh 'b c.sh'
    if commit; then fail "the hook lets a script pass that does not fit"; fi
    grep -q '^-: OVER' said.txt && grep -q '^refused: b c.sh$' said.txt || fail "the hook: $(cat said.txt)"
    cd ..
fi
