#!/bin/sh
# Tests the tarball's tree and the Debian package of this build. The moved tree must run without
# PATH and LD_LIBRARY_PATH, with its own libraries. The package must be complete, without errors
# from lintian. Arguments: scripts/package, the built program, the build folder.
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
program=$tree/bin/jacobi-tui
env -i "$program" --preset classroom --grid 16 --iterations 2 --backend serial --format json |
    grep -q '"preset":.*"classroom"' || fail "the preset is not found"
env -i "$program" --replay cpu-omp-structured --headless >/dev/null ||
    fail "the recording is not found"
[ "$(backends "$program")" = "$(backends "$built")" ] || fail "back ends differ"
[ "$("$program" --generate presets)" = "$("$built" --generate presets)" ] || fail "presets differ"
# Except glibc and the libraries shared with drivers, all libraries must be in the tree.
strange=$(env -i LC_ALL=C /usr/bin/ldd "$program" "$tree"/lib*/jacobi-tui/jacobi-omp*.so \
    "$tree"/lib/*/jacobi-tui/jacobi-omp*.so 2>/dev/null |
    grep ' => ' | grep -vF "$tree" |
    grep -vE '^\s*lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s)\.so' || true)
[ -z "$strange" ] || fail "libraries outside the tree: $strange"

COMPRESSION=gzip VERSION=1.2.3 "$package" --deb "$work/it.deb" "$build"
dpkg-deb -x "$work/it.deb" "$work/root"
"$work/root/usr/bin/jacobi-tui" --version | grep -q 'commit' ||
    fail "the packaged program does not run"
[ "$(dpkg-deb -f "$work/it.deb" Version)" = 1.2.3 ] || fail "the package's version is not VERSION"
dpkg-deb -f "$work/it.deb" Depends | grep -q libc6 || fail "the package does not depend on libc6"
for file in share/jacobi-tui/presets/mi250.ini share/jacobi-tui/presets/tours/blog.ini \
    share/doc/jacobi-tui/copyright share/bash-completion/completions/jacobi-tui; do
    [ -s "$work/root/usr/$file" ] || fail "$file is missing"
done
if command -v lintian >/dev/null; then
    lintian --fail-on error "$work/it.deb" 2>&1 || fail "lintian: see above"
fi
