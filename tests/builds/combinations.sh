#!/bin/bash
# Builds the program with its optional parts off, and tries each build out.
#   tests/builds/combinations.sh            two builds: each part is off in one
#   tests/builds/combinations.sh OFF...     these: options that are off, joined by '+', or 'none'
# Prints per combination what is off, which steps passed (setup, build, --version, --list,
# three iterations, and whether --list says of a back end that is off "it was switched off") and the
# seconds; exit status 1 if one failed. The output of a step that failed is in
# build/combinations/OFF.log. Everything on is what scripts/test builds.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

parts=(omp hip amd threads tui png sixel mpi)
folder=build/combinations
export CC=${CC:-$(command -v ccache >/dev/null && echo 'ccache ')clang-19}

# Sets `step` to what failed, "" if nothing did.
try_combination() {
    local off=$1 build=$folder/$1 log=$folder/$1.log option options=() program
    for option in "${parts[@]}"; do
        [[ +$off+ == *+$option+* ]] && options+=("-D$option=disabled")
    done
    rm -rf "$build"
    program=$build/jacobi-tui
    exec 3>"$log"
    step=setup
    meson setup "$build" --werror --buildtype=plain -Dtests=disabled -Dgpus=sm_90,gfx90a "${options[@]}" >&3 2>&1 ||
        return
    step=build
    ninja -C "$build" runnable >&3 2>&1 || return
    step=--version
    "$program" --version >&3 2>&1 || return
    step=--list
    "$program" --list >"$build/list" 2>&3 || return
    step="run"
    "$program" --headless --iterations 3 --grid 64 --backend auto >&3 2>&1 || return
    for option in omp hip threads; do
        step="reason for $option"
        if [[ +$off+ == *+$option+* ]]; then
            grep -q "^  $option .*it was switched off" "$build/list" || return
        else
            ! grep -q "^  $option .*not built into" "$build/list" || return
        fi
    done
    step=''
    rm -rf "$build"
}

combinations=("$@")
[ $# -gt 0 ] || combinations=(omp+tui+mpi+amd hip+threads+png+sixel)
mkdir -p "$folder"
failed=0
printf '%-40s %-20s %s\n' off result seconds
for off in "${combinations[@]}"; do
    start=$SECONDS
    try_combination "$off"
    result=ok
    [[ $step ]] && result="failed: $step"
    printf '%-40s %-20s %d\n' "$off" "$result" $((SECONDS - start))
    [[ $step ]] && failed=1
done
exit $failed
