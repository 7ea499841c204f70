#!/bin/bash
# Tries packages, build and tests on other releases of Debian, each in an empty tree in FOLDER.
# debootstrap makes the trees from this machine's mirror, with git added. Prints each step's result.
#   tests/builds/elsewhere.sh FOLDER [SUITE...]      suites of Debian: trixie bookworm sid
# STEPS selects the steps (all):
#   packages  the tarball and the Debian package in the folder PACKAGES, if that is set; the package
#             also as an upgrade of the one in OLDER
#   user      scripts/run as a user without root, without build tools and then with gcc
#   run       scripts/run as root, twice
#   test      scripts/test, with the tests in TESTS (all)
# NICE is the priority (19, the lowest). Needs root, debootstrap, and 6 GB per tree.
set -euo pipefail
top=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
folder=$(realpath -m "${1:?usage: tests/builds/elsewhere.sh FOLDER [SUITE...]}")
shift
if ! command -v debootstrap >/dev/null; then
    echo "tests/builds/elsewhere.sh: debootstrap is missing: apt-get install debootstrap" >&2
    exit 2
fi
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(trixie bookworm sid)
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' |
    head -n 1)
: "${mirror:?apt has no mirror of Debian configured}"

# inside COMMAND...: runs the command in the tree, with a clean environment.
inside() {
    nice -n "${NICE:-19}" unshare --mount --pid --fork -- bash -c '
        tree=$1; shift
        mount --bind /dev "$tree/dev" && mount -t devpts devpts "$tree/dev/pts" &&
            mount -t tmpfs shm "$tree/dev/shm" && mount -t proc proc "$tree/proc" &&
            mount -t sysfs -o ro sysfs "$tree/sys"
        exec chroot "$tree" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
            TERM=xterm-256color "$@"
    ' inside "$folder/$suite" "$@"
}

# step NAME COMMAND...: runs the command in the tree, prints its result and duration, and writes its
# output to a file.
step() {
    local name=$1 log=$folder/$suite-$1.log began=$SECONDS status=0
    shift
    inside "$@" >"$log" 2>&1 || status=$?
    printf '%-9s %-12s %-4s %5d s  %s\n' "$suite" "$name" \
        "$([ $status = 0 ] && echo ok || echo "$status")" $((SECONDS - began)) \
        "$(tail -n 1 "$log" | cut -c 1-100)"
    [ $status = 0 ] || failed=yes
}

make_tree() {
    local began=$SECONDS
    [ ! -e "$folder/$suite" ] || { echo "$folder/$suite exists already: remove it" >&2; exit 2; }
    mkdir -p "$folder"
    nice -n "${NICE:-19}" debootstrap --variant=minbase --include=git,ca-certificates \
        "$suite" "$folder/$suite" "$mirror" >"$folder/$suite-tree.log"
    # The mirror may be a snapshot that is no longer valid.
    echo 'Acquire::Check-Valid-Until "false";' >"$folder/$suite/etc/apt/apt.conf.d/80snapshot"
    git clone --quiet --no-local "$top" "$folder/$suite/root/jacobi-tui"
    printf '%-9s %-12s %-4s %5d s\n' "$suite" "empty tree" ok $((SECONDS - began))
}

try_packages() {
    mkdir -p "$folder/$suite/root/packages"
    cp "$PACKAGES"/*.tar.xz "$PACKAGES"/*.deb "$folder/$suite/root/packages/"
    if [ -n "${OLDER:-}" ]; then
        mkdir "$folder/$suite/root/older"
        cp "$OLDER"/*.deb "$folder/$suite/root/older/"
    fi
    step tarball bash -ec '
        command -v xz >/dev/null ||
            { apt-get -qq update; apt-get -qq install -y xz-utils; } >/dev/null 2>&1
        mkdir "/opt/of mine" && tar -xf /root/packages/*.tar.xz -C "/opt/of mine"
        program=$(echo "/opt/of mine"/*/bin/jacobi-tui)
        cd /
        for backend in serial threads omp; do
            env -i "$program" --preset laptop --backend $backend --grid 64 --iterations 20 \
                --format json | grep -q "\"iterations\":.*20"
        done
        env -i "$program" --replay h200-omp-structured --headless >/dev/null
        env -i "$program" --doctor
        rm -r "/opt/of mine"; echo "ran with serial, threads and omp"'
    step deb bash -ec '
        export DEBIAN_FRONTEND=noninteractive
        apt-get -qq update
        before=$(dpkg-query -W -f "\${Package}\n" | sort)
        [ ! -e /root/older ] || apt-get -qq install -y --no-install-recommends /root/older/*.deb
        apt-get -qq install -y --no-install-recommends /root/packages/*.deb
        jacobi-tui --preset laptop --backend omp --grid 64 --iterations 20
        dpkg-deb -R /root/packages/*.deb /tmp/later
        sed -i "s/^Version: .*/&+later/" /tmp/later/DEBIAN/control
        dpkg-deb -b /tmp/later /tmp/later.deb
        apt-get -qq install -y --no-install-recommends /tmp/later.deb
        dpkg-query -W -f "\${Version}" jacobi-tui | grep later
        jacobi-tui --version
        apt-get -qq purge -y jacobi-tui
        apt-get -qq autoremove --purge -y
        [ "$before" = "$(dpkg-query -W -f "\${Package}\n" | sort)" ]
        [ -z "$(find /usr /etc /var/lib -path "*jacobi-tui*" -print -quit)" ]
        echo "installed, upgraded, ran, purged"'
}

# A user with neither root nor sudo. Without build tools, scripts/run lists each missing dependency
# and prints the command for root. After that command, with gcc instead of clang, it builds and runs
# the program, which reports that threads runs instead of omp.
try_user() {
    step user-nothing bash -c '
        useradd --create-home student && cp -r /root/jacobi-tui /home/student/ &&
            chown -R student: /home/student
        run="cd jacobi-tui && scripts/run --preset laptop --headless"
        ! su - student -c "$run" >/tmp/said 2>&1 &&
            cat /tmp/said && grep -q "^missing: libncurses-dev, for the screen" /tmp/said &&
            grep "^As root: *apt-get install .*meson" /tmp/said'
    step user-gcc bash -c '
        export DEBIAN_FRONTEND=noninteractive
        run="jacobi-tui/scripts/run --preset laptop --grid 64 --iterations 20"
        apt-get -qq update && apt-get -qq install -y --no-install-recommends \
            $(sed -n "s/^As root: *apt-get install//p" /tmp/said | sed "s/ clang-[0-9]*//") gcc &&
            su - student -c "$run --format json" >/tmp/report &&
            grep "\"iterations\":.*20" /tmp/report &&
            su - student -c "cd jacobi-tui && scripts/run --doctor" &&
            su - student -c "$run --headless" 2>&1 |
            grep "threads runs instead of omp"'
}

wanted() { [[ " ${STEPS:-packages user run test} " == *" $1 "* ]]; }

failed=
for suite in "${suites[@]}"; do
    make_tree
    ! wanted packages || [ -z "${PACKAGES:-}" ] || try_packages
    ! wanted user || try_user
    if wanted run; then
        short='scripts/run --preset laptop --headless --grid 64 --iterations 20'
        step run bash -c "cd /root/jacobi-tui && $short"
        step run-again bash -c "cd /root/jacobi-tui && $short"
    fi
    ! wanted test || step test bash -c "cd /root/jacobi-tui && scripts/test ${TESTS:-}"
done
[ -z "$failed" ]
