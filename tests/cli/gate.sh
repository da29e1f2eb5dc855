# SPDX-License-Identifier: GPL-3.0-or-later
# `cardfit check` as a gate before a job: its exit codes, its two lines, and the forms in which schedulers and hooks use it.
. "$(dirname "$0")/common.sh"

"$cardfit" export llama-3-70b-64-h100 --launch megatron > fits.sh 2> /dev/null
sed 's/--micro-batch-size 1/--micro-batch-size 4/' fits.sh > over.sh
sed 's/--pipeline-model-parallel-size 4/--pipeline-model-parallel-size 3/' fits.sh > broken.sh
printf 'hello, world\n' > other.txt
cmp -s fits.sh over.sh && fail "the script has no micro-batch to change"
cmp -s fits.sh broken.sh && fail "the script has no pipeline to change"

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

# As JSON.
ends 1 check over.sh --on dgx-h100 --json
grep -q '"verdict": "OVER"' out && grep -q '"fix": null' out || fail "JSON: $(cat out)"

# The cheapest change as a patch of the script, which is only read.
cp over.sh before.sh
ends 1 check over.sh --on dgx-h100 --into over.sh
cmp -s over.sh before.sh || fail "--into has changed the file"
grep -q 'over.sh: with the patch: .*: \(FITS\|TIGHT\) ' err || fail "what the patch does: $(cat err)"
grep -q '^--- over.sh$' out && grep -q '^@@ -' out || fail "a patch: $(cat out)"
if command -v patch > /dev/null; then
    # What stands before the patch is passed over.
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

# git's hook: changed scripts are checked together.
if command -v git > /dev/null; then
    mkdir repository && cd repository
    git init -q .
    cat > .git/hooks/pre-commit << 'HOOK'
#!/bin/sh
git diff --cached --name-only --diff-filter=d -- '*.sh' | xargs -r "$CARDFIT" check --on dgx-h100
HOOK
    chmod +x .git/hooks/pre-commit
    commit() { CARDFIT=$cardfit git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m scripts > said.txt 2>&1; }
    cp ../fits.sh a.sh
    git add a.sh
    commit || fail "the hook refuses a script that fits: $(cat said.txt)"
    cp ../over.sh b.sh
    cp ../fits.sh c.sh
    git add b.sh c.sh
    if commit; then fail "the hook lets a script pass that does not fit"; fi
    grep -q '^b.sh: OVER' said.txt || fail "the hook: $(cat said.txt)"
    cd ..
fi
