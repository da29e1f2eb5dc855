# SPDX-License-Identifier: GPL-3.0-or-later
# Every command reads every kind of file: a plan's id, a plan file, a launcher's file, a config.json.
. "$(dirname "$0")/common.sh"

"$cardfit" export llama-3-8b-8-h100 --launch megatron > run.sh 2> /dev/null
"$cardfit" plan llama-3-8b-8-h100 --output plan.json
mkdir Tiny-1B
echo '{"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
"num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": true}' > Tiny-1B/config.json

for plan in llama-3-8b-8-h100 plan.json run.sh Tiny-1B/config.json; do
    for command in estimate check advise explain plan "compare llama-3-8b-8-h100" "search --pin schedule --pin recompute" \
        "sweep --x micro_batch_size=1,2" "calibrate --remove" "export --launch megatron" "export --table t.csv"; do
        code=0
        # shellcheck disable=SC2086
        "$cardfit" $command "$plan" --on dgx-h100 > out 2> err || code=$?
        [ "$code" -le 2 ] || fail "$command $plan: $code, $(cat err)"
        [ -s out ] || [ -s t.csv ] || fail "$command $plan answers nothing"
        rm -f t.csv
    done
done
# On standard input, too, and one for each line.
"$cardfit" check - --on dgx-h100 < run.sh > out || fail "standard input"
printf '%s\n' '{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 8, "num_attention_heads": 8, "vocab_size": 512, "intermediate_size": 256}' \
    | "$cardfit" estimate --lines > out 2> err || fail "a config.json as a line: $(cat out err)"
grep -q '"fits":true' out || fail "a config.json as a line: $(cat out)"

# A model alone is estimated with the default plan's run, and the plan says so wherever it goes.
ends 0 plan Tiny-1B/config.json --output tiny.json
said='a model alone is given: batch, sequence, degrees and recipe are those of the plan'
grep -q "\"$said" tiny.json || fail "the plan does not say what it assumes"
for command in "estimate tiny.json" "estimate tiny.json --json" "check Tiny-1B/config.json" "check tiny.json --json"; do
    # shellcheck disable=SC2086
    "$cardfit" $command > out 2>&1 || true
    grep -q "$said" out || fail "$command does not say what is assumed: $(cat out)"
done
ends 0 export tiny.json --report tiny.md
grep -q '^### What the import assumed$' tiny.md || fail "the report does not say what is assumed"
ends 0 plan tiny.json --set /assumed=none
if grep -q assumed out; then fail "what is assumed is still there"; fi

# Where the default plan's degrees are none for the model or the cards, others are taken, and that is said.
"$cardfit" plan Tiny-1B/config.json --on dgx-h100:1 --output small.json 2> /dev/null
grep -q '"so that the model keeps every rule there: ' small.json || fail "other degrees are not told"
ends 0 check small.json

# --on: as many cards as before, or as many nodes as it says; --model: another model.
field() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" out | head -n "${2:-1}" | tail -n 1; }
ends 0 plan llama-3-70b-64-h100 --on gb200-nvl72-64
[ "$(field nodes)" = 16 ] || fail "64 cards are 16 nodes of 4, not $(field nodes)"
ends 0 plan llama-3-70b-64-h100 --on dgx-b200:4
[ "$(field nodes)" = 4 ] && [ "$(field data)" = null ] || fail "four nodes: $(field nodes), $(field data)"
grep -q 'data parallelism 2 -> 1' err || fail "what follows is not said: $(cat err)"
ends 0 plan run.sh --on dgx-h100:2
[ "$(field nodes)" = 2 ] || fail "the nodes of --on"
grep -q '2 nodes, not 1 as the file says' err || fail "other nodes than the file's are not told: $(cat err)"
ends 0 plan llama-3-70b-64-h100 --model llama-3-8b
[ "$(field hidden_size)" = 4096 ] || fail "another model"
ends 0 plan llama-3-70b-64-h100 --model Tiny-1B/config.json
[ "$(field hidden_size)" = 2048 ] || fail "another model from a file"
ends 64 plan Tiny-1B/config.json --model llama-3-8b
ends 0 plan run.sh --from megatron --model llama-3-70b
grep -q -- '--model is not used' err || fail "a model that is not used: $(cat err)"
ends 0 plan plan.json --from megatron
grep -q -- '--from is not used' err || fail "a launcher that is not used: $(cat err)"
ends 3 plan run.sh --from deepspeed
# A plan that is printed is the plan that was read.
"$cardfit" plan plan.json | cmp - plan.json || fail "a plan file changes"
"$cardfit" plan plan.json --set /parallelism/tensor=2 | "$cardfit" estimate - --json --fields fits > out || true
[ -s out ] || fail "a plan in a pipe"

# What the plan ends with is said, not what it would have been without the change that follows.
ends 0 plan Tiny-1B/config.json --on dgx-h100:2 --output two.json
grep -q 'data parallelism 2 -> [1-9]' err || fail "two nodes: $(cat err)"
ends 2 check llama-3-70b-64-h100 --on dgx-h100:2
grep -q '16 cards, not 64; too few for one replica, which takes 32' err || fail "too few cards: $(cat err)"

# A model's id is read as its config.json; what is no file is answered with the ids that it may mean.
ends 0 plan llama-3-8b --output eight.json
grep -q '"a model alone is given: ' eight.json && grep -q '"name": "Llama 3 8B"' eight.json || fail "a model's id"
ends 0 plan llama-3-8b --on dgx-h100:1 --from vllm
grep -q -- '--from is not used' err || fail "a launcher of a model: $(cat err)"
ends 64 plan llama-3-8b --model llama-3-70b
ends 3 estimate lama-3-70b
grep -q 'did you mean .*llama-3-70b' err || fail "a misspelt model: $(cat err)"
ends 3 estimate llama-3-70b-64-h10
grep -q 'did you mean llama-3-70b-64-h100' err || fail "a misspelt plan: $(cat err)"
ends 3 plan plan.json --model lama-3-70b
grep -q 'did you mean .*llama-3-70b' err || fail "a misspelt --model: $(cat err)"
ends 64 plan run.sh --on h100
grep -q 'did you mean .*-h100' err || fail "a part of a cluster's id: $(cat err)"
ends 3 estimate none.sh
if grep -q 'did you mean' err; then fail "a file's name is no id: $(cat err)"; fi

# A launcher's file without --on says whose cards it takes.
said='the file names no cards: 1 x 8 of the default plan'
ends 0 estimate run.sh --json
grep -q "$said" out || fail "cards that are assumed: $(head -c 500 out)"
ends 0 estimate run.sh --json --on dgx-h100
if grep -q "$said" out; then fail "cards that are given"; fi

# A vocabulary that no option gives is that of the model whose tokenizer is named, else the default plan's.
grep -v -- '--vocab-size' run.sh > no_size.sh
sed 's/--num-layers/--tokenizer-type HuggingFaceTokenizer --tokenizer-model Qwen\/Qwen3-8B --num-layers/' no_size.sh > qwen.sh
ends 0 plan no_size.sh --on dgx-h100
grep -q '"vocabulary [0-9]*: no option gives' out && [ "$(field vocab_size)" = 128256 ] || fail "no vocabulary: $(cat err)"
ends 0 plan qwen.sh --on dgx-h100
grep -q '"--tokenizer-model Qwen/Qwen3-8B: 151936 rows, as Qwen3 8B has"' out && [ "$(field vocab_size)" = 151936 ] \
    || fail "a tokenizer's model: $(cat err)"

# A server is searched for, not Megatron.
"$cardfit" search llama-3-70b-serving-dgx-h100 --top 1 > out 2> err || fail "a server: $(cat err)"
grep -q 'tuples of degrees, served; ' out || fail "a served plan is for a server: $(head -n 3 out)"

# Presets with their figures.
ends 0 presets models --json
grep -q '"id": "llama-3-70b"' out && grep -q '"parameters": 70553706496' out || fail "models: $(head -c 500 out)"
for kind in accelerators clusters plans; do
    ends 0 presets $kind --json
    grep -q "\"$kind\": \[" out || fail "$kind"
done

# Exit codes: a bad line, and what is wrong usage.
printf '{}\n' | "$cardfit" estimate --lines > out 2> err && fail "a bad line ends with 0"
printf '{}\n' | "$cardfit" estimate --lines > out 2> err || [ $? = 3 ] || fail "a bad line"
grep -q '"error"' out || fail "a bad line is not answered"
ends 64 export plan.json --report r.xyz
ends 64 export plan.json --table t.xyz
ends 64 estimate plan.json --set /model=null
ends 64 estimate plan.json --set /parallelism/tensor=none
