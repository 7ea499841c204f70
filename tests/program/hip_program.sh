#!/bin/bash
# Tests the whole program with this machine's driver libraries, then with the fake driver, which
# also loses its GPU once (hip_fake loses it at every call).
# usage: hip_program.sh PROGRAM FAKE_FOLDER
set -u
program=$1 fake=$2
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT

fail() { echo "$*" >&2; exit 1; }
run() {
    "$program" --headless --backend hip --grid 24 --iterations 20 --norm-block 64 --norm-blocks 3 \
        "$@" 2>&1
}

if ! "$program" --list | grep -q '^ *hip .*: available'; then
    "$program" --list | grep -qE '^ *hip .*not available: .*lib(amdhip64|cuda)\.so' ||
        fail "--list does not give a driver library's reason: $("$program" --list | grep hip)"
    output=$(run)
    [ $? = 3 ] || fail "no GPU: exit status is not 3: $output"
    [[ $output = *lib*.so* ]] || fail "no GPU: no reason: $output"
fi

export LD_LIBRARY_PATH=$fake${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
"$program" --list | grep -q 'Fake GPU' || fail "--list does not show the fake GPU"
output=$(run --device 7)
[ $? = 3 ] || fail "no such device: exit status is not 3: $output"
output=$(run --schedule blocked:12) || fail "blocked:12: exit status $?: $output"
[[ $output = *"blocked:12 was requested, but hip's kernels here reach only blocked:8"* ]] ||
    fail "a depth that is cut is not reported: $output"
[[ $(run --schedule blocked:8; run --schedule blocked) != *"was requested"* ]] ||
    fail "a depth that is not cut is reported"
output=$(FAKE_GPU_FAIL_AT=60 FAKE_GPU_LOST=1 run)
[ $? = 4 ] || fail "a lost GPU: exit status is not 4: $output"
[[ $output = *"told to fail"* ]] || fail "a lost GPU: no reason: $output"

# The script for owners of an AMD GPU makes one file; without such a GPU it prints one line.
record_all() {
    PROGRAM=$program OUT=$XDG_CACHE_HOME "$(dirname "$0")/../../scripts/record-all" amd 2>&1
}
if [[ $FAKE_GPU != gfx* ]]; then
    output=$(record_all)
    [ $? = 3 ] || fail "record-all amd without an AMD GPU: exit status is not 3: $output"
    [[ $output = "record-all: no AMD GPU: "* && $(wc -l <<<"$output") = 1 ]] ||
        fail "record-all amd without an AMD GPU: $output"
elif [ "${JACOBI_TESTS:-}$FAKE_GPU" = fullgfx90a ]; then
    output=$(GRID=32 PER_CENT=0 record_all) || fail "record-all amd: exit status $?: $output"
    tar -tf "$XDG_CACHE_HOME"/*-report.tar.xz | grep -q 'hip-structured\.rec' ||
        fail "record-all amd leaves no recordings: $output"
fi

# Two GPUs in reverse order: each part names its device, in a run and in its replay.
recording=$XDG_CACHE_HOME/two.rec
output=$(FAKE_GPUS=2 run --devices 1,0 --record "$recording") ||
    fail "two GPUs: exit status $?: $output"
[[ $output = *"(device 1, 0000:27:00.0), 12 rows"*"(device 0, 0000:17:00.0), 12 rows"* ]] ||
    fail "two GPUs are not distinguished: $output"
output=$("$program" --replay "$recording" --format json | tr -d '[:space:]')
first='"device_index":1,"bus_id":"0000:27:00.0"' second='"device_index":0,"bus_id":"0000:17:00.0"'
[[ $output = *"$first"*"$second"* ]] || fail "a recording does not distinguish two GPUs: $output"
FAKE_GPUS=2 "$program" --list | grep -q 'device 1: Fake GPU 1, 0000:27:00.0, ' ||
    fail "--list has no bus ID"
echo "two GPUs are distinguished"
