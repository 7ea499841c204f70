#!/bin/sh
# Tests the completions in their shells: typed lines, each with a word that must be offered. Skips
# shells that are not installed. Arguments: the program, and the completions for bash, zsh and fish.
set -eu
program=$(realpath "$1")
bash_file=$(realpath "$2") zsh_file=$(realpath "$3") fish_file=$(realpath "$4")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$(dirname "$program"):$PATH
HOME=$folder XDG_CONFIG_HOME=$folder
export PATH HOME XDG_CONFIG_HOME
cd "$folder"

# Names that contain code: the code must not run, and such a preset must not be offered.
mkdir -p jacobi-tui/presets
cp "$(dirname "$0")/../../presets/laptop.ini" jacobi-tui/presets/fast.ini
cp jacobi-tui/presets/fast.ini 'jacobi-tui/presets/fast$(touch PWNED).ini'
touch 'file $(touch PWNED).rec'

# ask_SHELL: for each line of standard input, prints the words offered at its end, one per line, and
# "end of it". One process of the shell completes all lines.
ask_bash() {
    bash --norc -c 'source "$1"
        while IFS= read -r line; do
            COMPREPLY=() COMP_LINE=$line COMP_POINT=${#line}
            _jacobi_tui jacobi-tui; printf "%s\n" "${COMPREPLY[@]}" "end of it"
        done' bash "$bash_file" 2>/dev/null
}

# compadd is redefined to print the words that it adds.
ask_zsh() {
    cp "$zsh_file" "$folder/_jacobi-tui"
    cat >"$folder/inner.zsh" <<'END'
fpath=($PWD $fpath)
autoload -U compinit && compinit -u -D
compadd() {
    local words=("$@")
    if [[ -n ${words[(r)-[ODA]*]} ]]; then builtin compadd "$@"; return; fi
    local -a offered
    builtin compadd -A offered "$@"
    (( $#offered )) && print -l -- "offered:"${^offered}
    builtin compadd "$@"
}
finish() { print -- "end of it"; comppostfuncs=(finish) }
comppostfuncs=(finish)
bindkey '^I' complete-word
END
    zsh -f -c 'zmodload zsh/zpty; zpty inner zsh -f -i
        zpty -w inner "source ./inner.zsh; print re""ady"
        zpty -r -m inner ignored "*ready*"
        while IFS= read -r line; do
            zpty -w -n inner $'"'\\x15'"'"$line"$'"'\\t'"'
            zpty -r -m inner said "*end of it*"; print -r -- "$said"
        done; zpty -d inner' | tr -d '\r' | sed -n 's/.*offered://p; s/.*\(end of it\).*/\1/p'
}

ask_fish() {
    fish --private -c 'source $argv[1]
        while read line; complete -C "$line" | cut -f 1; echo "end of it"; end' "$fish_file"
}

failed=0
expect() {
    printf '%s\n' "$1" >>lines
    printf '%s\n' "$2" >>wanted
}

# Checks that the words offered for each line include the wanted one.
check() {
    "ask_$shell" <lines >answers || true
    while IFS= read -r line <&3 && IFS= read -r word <&4; do
        offered= found=
        while IFS= read -r offer && [ "$offer" != 'end of it' ]; do
            offered="$offered $offer"
            [ "$offer" != "$word" ] || found=yes
        done
        [ "$found" ] && continue
        echo "$shell: '$line' does not offer '$word', but:$offered" >&2
        failed=1
    done <answers 3<lines 4<wanted
    rm lines wanted
}

for shell in bash zsh fish; do
    if ! command -v "$shell" >/dev/null; then
        echo "$shell is not installed"
        continue
    fi
    before= two=serial@2 # zsh offers only the item, bash the text from '@' on
    case $shell in
    bash) before=omp/structured, two=@2 ;;
    fish) before=omp/structured, two=serial@1,serial@2 ;;
    esac
    expect 'jacobi-tui --prob' --problem
    expect 'jacobi-tui --preset mi2' mi250
    expect 'jacobi-tui --preset fas' fast
    expect 'jacobi-tui --replay fil' 'file $(touch PWNED).rec'
    expect 'jacobi-tui --tour b' blog
    expect 'jacobi-tui --grid 40' 4096
    expect 'jacobi-tui --backend th' threads
    expect 'jacobi-tui --replay h200-hip-c' h200-hip-classic
    expect 'jacobi-tui --compare omp/st' omp/structured
    expect 'jacobi-tui --compare omp/structured,omp/unstructured/f' \
        "${before}omp/unstructured/fused"
    expect 'jacobi-tui --compare serial+c' serial+chebyshev
    expect 'jacobi-tui --compare omp/structured+p' omp/structured+pinned
    expect 'jacobi-tui --compare serial@1,serial@' "$two"
    expect 'jacobi-tui --exercise 01' 01-tofrom
    expect 'jacobi-tui --method mul' multigrid
    expect 'jacobi-tui --on jacobi-t' jacobi-tui
    [ "$shell" = fish ] || expect 'jacobi-tui --grid=40' 4096
    check
    if [ -e PWNED ] || grep -F 'fast$' answers; then
        echo "$shell: code in a name was run, or the preset was offered" >&2
        failed=1
    fi
    echo "$shell: checked"
done
exit "$failed"
