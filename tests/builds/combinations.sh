#!/bin/bash
# Builds the program with optional parts disabled, and tries each build.
#   tests/builds/combinations.sh            two builds; each part is disabled in one
#   tests/builds/combinations.sh OFF...     these: disabled options joined by '+', or 'none'
# The steps are setup, build, --version, --list, a run of three iterations, and a check that --list
# reports "it was switched off" for each disabled back end. Prints for each combination the disabled
# parts, ok or the step that failed, and the seconds; exit status 1 if one failed. The output is in
# build/combinations/OFF.log. scripts/test builds the program with all parts.
set -uo pipefail
cd "$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")"

parts=(omp hip amd threads tui png sixel mpi)
folder=build/combinations
export CC=${CC:-$(command -v ccache >/dev/null && echo 'ccache ')clang-19}

# Sets `step` to the step that failed, or to "" if none did.
try_combination() {
    local off=$1 build=$folder/$1 log=$folder/$1.log option options=() program
    for option in "${parts[@]}"; do
        [[ +$off+ == *+$option+* ]] && options+=("-D$option=disabled")
    done
    rm -rf "$build"
    program=$build/jacobi-tui
    exec 3>"$log"
    step=setup
    meson setup "$build" --werror --buildtype=plain -Dtests=disabled -Dgpus=sm_90,gfx90a \
        "${options[@]}" >&3 2>&1 || return
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
