#!/bin/sh
# The tarball's tree and the Debian package, made of this build: moved, the tree runs from another
# folder without PATH or LD_LIBRARY_PATH, with its own libraries; what is in the package is whole,
# and lintian finds no error. Arguments: scripts/package, the built program, the build folder.
set -eu
package=$1 built=$(realpath "$2") build=$3
for tool in patchelf dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || exit 77
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "package: $*" >&2
    exit 1
}

backends() {
    env -i "$1" --list --format json | grep -A 2 '"title"'
}

"$package" --tree "$work/made" "$build"
mv "$work/made" "$work/moved here"
tree="$work/moved here"
cd /
env -i "$tree/bin/jacobi-tui" --preset classroom --grid 16 --iterations 2 --backend serial --format json |
    grep -q '"preset":.*"classroom"' || fail "the preset is not found"
env -i "$tree/bin/jacobi-tui" --replay cpu-omp-structured --headless >/dev/null || fail "the recording is not found"
[ "$(backends "$tree/bin/jacobi-tui")" = "$(backends "$built")" ] || fail "back ends differ"
[ "$("$tree/bin/jacobi-tui" --generate presets)" = "$("$built" --generate presets)" ] || fail "presets differ"
# Everything but glibc and what drivers share with us comes from the tree.
strange=$(env -i LC_ALL=C /usr/bin/ldd "$tree/bin/jacobi-tui" "$tree"/lib*/jacobi-tui/jacobi-omp*.so \
    "$tree"/lib/*/jacobi-tui/jacobi-omp*.so 2>/dev/null |
    grep ' => ' | grep -vF "$tree" | grep -vE '^\s*lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so' || true)
[ -z "$strange" ] || fail "found outside: $strange"

COMPRESSION=gzip VERSION=1.2.3 "$package" --deb "$work/it.deb" "$build"
dpkg-deb -x "$work/it.deb" "$work/root"
"$work/root/usr/bin/jacobi-tui" --version | grep -q 'commit' || fail "the packaged program does not run"
[ "$(dpkg-deb -f "$work/it.deb" Version)" = 1.2.3 ] || fail "its version is another"
dpkg-deb -f "$work/it.deb" Depends | grep -q libc6 || fail "it depends on nothing"
for file in share/jacobi-tui/presets/mi250.ini share/jacobi-tui/presets/tours/blog.ini share/doc/jacobi-tui/copyright \
    share/bash-completion/completions/jacobi-tui; do
    [ -s "$work/root/usr/$file" ] || fail "$file is not there"
done
if command -v lintian >/dev/null; then
    lintian --fail-on error "$work/it.deb" 2>&1 || fail "lintian: see above"
fi
