#!/bin/sh
# The installed tree: installed under a DESTDIR, moved with it, the program finds its presets and
# modules and everything else is in its place. Arguments: the built program, meson, the build
# folder, and from the prefix the folders of programs, data and man pages.
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
    "$datadir/zsh/site-functions/_jacobi-tui" "$datadir/fish/vendor_completions.d/jacobi-tui.fish" "$datadir/jacobi-tui/presets/mi250.ini"; do
    [ -s "$root/$file" ] || fail "$file is not there"
done
if command -v scdoc >/dev/null; then
    [ -s "$root/$mandir/man1/jacobi-tui.1" ] || fail "the man page is not there"
fi

cd /
"$program" --preset classroom --grid 16 --iterations 2 --backend serial --format json |
    grep -q '"preset":.*"classroom"' || fail "the preset is not found"

# Modules are found if the built program's back ends can run.
backends() {
    "$1" --list --format json | grep -A 2 '"title"'
}
[ "$(backends "$program")" = "$(backends "$built")" ] ||
    fail "back ends differ: $(backends "$program")"
"$program" --generate presets | grep -q laptop || fail "the presets are not listed"
