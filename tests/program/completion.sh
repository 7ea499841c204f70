#!/bin/sh
# The completions in their shells: what is typed, and a word that must be offered. A shell that is not there is
# left out. Arguments: the program, the files of bash, zsh and fish.
set -eu
program=$(realpath "$1") bash_file=$(realpath "$2") zsh_file=$(realpath "$3") fish_file=$(realpath "$4")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
PATH=$(dirname "$program"):$PATH
HOME=$folder XDG_CONFIG_HOME=$folder
export PATH HOME XDG_CONFIG_HOME
cd "$folder"

# ask_SHELL LINE: prints the words offered at the end of the line, one per line.
ask_bash() {
    bash --norc -c 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}
        _jacobi_tui jacobi-tui; printf "%s\n" "${COMPREPLY[@]}"' bash "$bash_file" "$1" 2>/dev/null
}

# compadd is told to say what it would add.
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
finish() { print -- "end of it" }
comppostfuncs=(finish)
bindkey '^I' complete-word
END
    zsh -f -c 'zmodload zsh/zpty; zpty inner zsh -f -i
        zpty -w inner "source ./inner.zsh; print re""ady"
        zpty -r -m inner ignored "*ready*"
        zpty -w -n inner "$1"$'"'\\t'"'
        zpty -r -m inner said "*end of it*"; print -r -- "$said"; zpty -d inner' zsh "$1" |
        tr -d '\r' | sed -n 's/.*offered://p'
}

ask_fish() {
    fish --private -c 'source $argv[1]; complete -C $argv[2]' "$fish_file" "$1" | cut -f 1
}

failed=0
expect() {
    "ask_$shell" "$1" >offered || true
    grep -qxF -e "$2" offered && return
    echo "$shell: after '$1' '$2' is not offered, but: $(tr '\n' ' ' <offered)" >&2
    failed=1
}

for shell in bash zsh fish; do
    if ! command -v "$shell" >/dev/null; then
        echo "$shell is not there"
        continue
    fi
    before= two=serial@2 # zsh offers the piece alone, bash from '@' on
    case $shell in
    bash) before=omp/structured, two=@2 ;;
    fish) before=omp/structured, two=serial@1,serial@2 ;;
    esac
    expect 'jacobi-tui --prob' --problem
    expect 'jacobi-tui --preset mi2' mi250
    expect 'jacobi-tui --tour b' blog
    expect 'jacobi-tui --grid 40' 4096
    expect 'jacobi-tui --backend th' threads
    expect 'jacobi-tui --replay h200-hip-c' h200-hip-classic
    expect 'jacobi-tui --compare omp/st' omp/structured
    expect 'jacobi-tui --compare omp/structured,omp/unstructured/f' "${before}omp/unstructured/fused"
    expect 'jacobi-tui --compare serial+c' serial+chebyshev
    expect 'jacobi-tui --compare omp/structured+p' omp/structured+pinned
    expect 'jacobi-tui --compare serial@1,serial@' "$two"
    expect 'jacobi-tui --exercise 01' 01-tofrom
    expect 'jacobi-tui --method mul' multigrid
    expect 'jacobi-tui --on jacobi-t' jacobi-tui
    [ "$shell" = fish ] || expect 'jacobi-tui --grid=40' 4096
    echo "$shell: asked"
done
exit "$failed"
