# SPDX-License-Identifier: GPL-3.0-or-later
# Completions and the manual speak of every command and option that the help has, and complete what a shell asks for.
. "$(dirname "$0")/common.sh"

programs=$(has window && echo cardfit || true)
for program in $programs cardfit-cli; do
    run() { alone "$build/$program" "$@"; }
    run completion bash > "$work/bash"
    run completion zsh > "$work/zsh"
    run completion fish > "$work/fish"
    run manual > "$work/manual"
    # The man page writes a hyphen as \-.
    sed 's/\\-/-/g' "$work/manual" > "$work/manual.txt"
    run --help > "$work/help"
    commands=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$work/help")
    [ "$(echo "$commands" | wc -l)" -gt 14 ] || fail "the help lists too few commands"
    for command in $commands; do
        for option in $(run "$command" --help | sed -nE 's/^  (-h,)?(--[a-z-]+).*/\2/p'); do
            grep -q -- "'$command $option')\|${option}[ ']" "$work/bash" || fail "bash: $command $option"
            grep -q -- "'\*\?$option\[" "$work/zsh" || fail "zsh: $command $option"
            grep -q -- "from $command' -l ${option#--} " "$work/fish" || fail "fish: $command $option"
            [ "$option" = --help ] || sed -n "/^\.SS $command\$/,/^\.S[SH] /p" "$work/manual.txt" \
                | grep -qF -- "\\fB$option\\fR" || fail "manual: $command $option"
        done
        grep -qE "^        $command\)$" "$work/bash" && grep -qE "^        $command\)$" "$work/zsh" || fail "$command"
    done

    bash -n "$work/bash"
    if command -v zsh > /dev/null; then zsh -n "$work/zsh"; fi
    if command -v fish > /dev/null; then fish -n "$work/fish"; fi
    if command -v man > /dev/null; then
        said=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$work/manual" 2>&1 > /dev/null)
        [ -z "$said" ] || fail "manual: $said"
    fi

    # completed WORDS...: what bash offers for the last word.
    completed() {
        (
            . "$work/bash"
            PATH=$build:$PATH
            # shellcheck disable=SC2034
            COMP_WORDS=("$program" "$@") COMP_CWORD=$#
            "_${program//-/_}"
            printf '%s ' "${COMPREPLY[@]}"
        )
    }
    [ "$(completed est)" = "estimate " ] || fail "bash: est"
    [ "$(completed estimate --unit G)" = "GB GiB " ] || fail "bash: --unit"
    [ "$(completed export --cha)" = "--chart " ] || fail "bash: --cha"
    [ "$(completed export --chart t)" = "timeline " ] || fail "bash: --chart"
    [ "$(completed presets acc)" = "accelerators " ] || fail "bash: a place"
    [ "$(completed estimate llama-3-70b-64)" = "llama-3-70b-64-h100 " ] || fail "bash: a plan's id"
    [ "$(cd "$SOURCES" && completed estimate READ)" = "README.md " ] || fail "bash: a file"
done
