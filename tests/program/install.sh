#!/bin/sh
# Tests an installation under DESTDIR: the files are in their places, and the program finds its
# presets and modules there. Arguments: the built program, meson, the build folder, the prefix, and
# relative to the prefix the folders of programs, data and man pages.
set -eu
built=$(realpath "$1") meson=$2 build=$3 prefix=$4 bindir=$5 datadir=$6 mandir=$7
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
export XDG_CONFIG_HOME="$tree/none"

fail() {
    echo "install: $*" >&2
    exit 1
}

DESTDIR=$tree "$meson" install -C "$build" --no-rebuild --quiet
root=$tree$prefix
program=$root/$bindir/jacobi-tui
for file in "$bindir/jacobi-tui" "$datadir/bash-completion/completions/jacobi-tui" \
    "$datadir/zsh/site-functions/_jacobi-tui" \
    "$datadir/fish/vendor_completions.d/jacobi-tui.fish" \
    "$datadir/jacobi-tui/presets/mi250.ini"; do
    [ -s "$root/$file" ] || fail "$file is missing"
done
if command -v scdoc >/dev/null; then
    [ -s "$root/$mandir/man1/jacobi-tui.1" ] || fail "the man page is missing"
fi

cd /
"$program" --preset classroom --grid 16 --iterations 2 --backend serial --format json |
    grep -q '"preset":.*"classroom"' || fail "the preset is not found"

# The modules are found if both programs list the same back ends.
backends() {
    "$1" --list --format json | grep -A 2 '"title"'
}
[ "$(backends "$program")" = "$(backends "$built")" ] ||
    fail "back ends differ: $(backends "$program")"
"$program" --generate presets | grep -q laptop || fail "the presets are not listed"
