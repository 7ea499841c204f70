#!/usr/bin/env python3
"""Runs stress tests of the program that take too long for the test suite.

    tests/stress/stress.py [CLASS...] [--program PATH] [--tries N] [--seed N]     (all classes)

Classes: memory, clocks, limits, cgroup, proc, twice, kill, storms, server, inputs, mutants, moved.
Each prints the number of tries and their results. The program must always exit by itself, with a
status from the manual or by the signal that was sent. If it fails, it must print one line. It must
leave no partial file, and restore the terminal. Exit status 1 if it failed to do so.
"""

import collections
import json
import os
import random
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from terminal import (ENTER, LIMIT_SECONDS, TOP, Terminal, environment, has_ended,
                      option_parser)

QUICK = ['--headless', '--backend', 'serial', '--grid', '12x9', '--iterations', '3']
REPLAY = ['--headless', '--replay', 'h200-hip-classic']
LIVE = ['--backend', 'serial', '--grid', '64', '--iterations', '1000000000', '--tolerance', '0']


class Place:
    """A folder without settings, and the program to run in it."""

    def __init__(self, options, folder):
        self.program, self.usual_tries, self.folder = options.program, options.tries, folder
        self.chance = random.Random(options.seed)
        self.found = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def clear(self):
        for name in os.listdir(self.folder):
            if name.startswith('new'):
                os.unlink(self.path(name))

    def tries(self, usual):
        return self.usual_tries or usual

    def screen(self, *more, **how):
        """A long run on a screen, or one with the options `more`."""
        return Terminal([self.program, *LIVE, *more], self.folder, **how)

    def blame(self, what):
        self.found += 1
        print('    FOUND  ' + what, flush=True)


def say(name, counts, more=''):
    ends = ', '.join('%d× %s' % (count, end) for end, count in counts.most_common())
    print('%-8s %5d tries: %s%s' % (name, sum(counts.values()), ends, more), flush=True)


def run(place, options, program=None, prepare=None, pass_fds=(), seconds=LIMIT_SECONDS,
        **variables):
    """Runs without a screen: status ('never' if it had to be killed), output, standard error."""
    child = subprocess.Popen([program or place.program, *options], cwd=place.folder,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, pass_fds=pass_fds, preexec_fn=prepare,
                             env=environment(place.folder, **variables))
    try:
        out, said = child.communicate(timeout=seconds)
        status = child.returncode
    except subprocess.TimeoutExpired:
        child.kill()
        out, said = child.communicate()
        status = 'never'
    return status, out, said.decode(errors='replace')


def is_one_line(said):
    """Whether the program printed one line, apart from lines of OpenMP's runtime."""
    lines = [line for line in said.splitlines() if not line.startswith('OMP: ')]
    return len(lines) == 1 and lines[0].startswith('jacobi-tui: ')


def check(place, what, end, allowed=(0, 1, 2, 3, 4)):
    """Requires an allowed status and, after a failure, one line on standard error."""
    status, _, said = end
    if status not in allowed or (status in (1, 2, 3, 4) and not is_one_line(said)):
        place.blame('%s: status %s, output: %s' % (what, status, said.strip()[:200]))
    return 'status %s' % status


def check_screen(place, what, screen, keys=b'q', allowed=(0, 1, 2, 3, 4)):
    """Requires an exit after these keys, with an allowed status and the terminal restored."""
    status = screen.finish(keys)
    if status not in allowed:
        place.blame('%s: status %s, output: %s' % (what, status, bytes(screen.text[-300:])))
    if not screen.given_back:
        place.blame('%s: the terminal was not restored (status %s)' % (what, status))
    return 'status %s' % status


def replays(place, name):
    """Whether a killed program's recording can be replayed, or is reported to have no sample."""
    end = run(place, ['--headless', '--replay', name])
    empty = 'it is empty' in end[2] or 'no complete sample' in end[2]
    return end[0] == 0 or is_one_line(end[2]) and empty


def preload(place):
    library = place.path('preload.so')
    if not os.path.exists(library):
        subprocess.run(['cc', '-std=gnu11', '-O1', '-shared', '-fPIC', '-o', library,
                        os.path.join(TOP, 'tests/stress/preload.c')], check=True)
    return library


def failing(place, step, further, attempt):
    """Makes every step-th allocation fail, one per attempt, until there are no more, and counts the
    results. attempt(number, arguments) runs the program with the arguments for that failure."""
    counts, number = collections.Counter(), 1
    while True:
        place.clear()
        reader, writer = os.pipe()
        failure = '%d%s' % (number, further)
        end = attempt(failure, {'pass_fds': [writer], 'LD_PRELOAD': preload(place),
                                'STRESS_MEMORY': failure, 'STRESS_COUNT': str(writer)})
        hit = select.select([reader], [], [], 0)[0]
        os.close(writer)
        os.close(reader)
        if not hit:
            return counts
        counts[end] += 1
        number += step


def memory(place):
    """Every n-th allocation of program and libraries fails: it alone, then also all later ones."""
    shown = ['--replay', 'h200-hip-classic', '--at', '50%']
    # (options, step between failing allocations, whether the program must handle every failure):
    # libomp, LLVM's offload runtime, fontconfig and ncurses abort, crash or hang if theirs fails.
    runs = [(QUICK + ['--format', 'json'], 1, True), (QUICK + ['--record', 'new.rec'], 1, True),
            (['--headless'] + shown, 3, True),
            (['--headless', '--screenshot', 'new.svg'] + shown, 7, True),
            (['--headless', '--screenshot', 'new.png'] + shown, 97, False),
            (['--tour', 'blog', '--headless'], 97, False), (['--list'], 97, False),
            (QUICK + ['--backend', 'threads'], 7, False),
            (QUICK + ['--backend', 'omp'], 197, False)]
    for options, step, own in runs:
        def headless(failure, how):
            end = run(place, options, seconds=LIMIT_SECONDS if own else 10, **how)
            if own or end[0] == 0 or (end[0] in (1, 2, 3, 4) and is_one_line(end[2])):
                return check(place, '%s, allocation %s' % (' '.join(options), failure), end)
            return 'a library %s' % ('hangs' if end[0] == 'never' else 'ends the process')
        for further in '', '+':
            counts = failing(place, step * (3 if further else 1), further, headless)
            if not counts:
                place.blame('%s: no allocation failed' % ' '.join(options))
            say('memory', counts, '  (%s%s)' % (' '.join(options), further and ', from then on'))

    def on_screen(failure, how):
        screen = place.screen('--grid', '16', **how)
        screen.wait_for(ENTER)
        screen.read(0.1)
        return check_screen(place, 'screen, allocation ' + failure, screen, b'gq\x1bq\x1bq',
                            (0, 1, 2, 3, 4, -signal.SIGSEGV))
    for further in '', '+':
        say('memory', failing(place, 13, further, on_screen),
            '  (the screen%s)' % (further and ', from then on'))


def clocks(place):
    """The calendar clock jumps while the program runs; durations must not change."""
    for step in '3600', '-3600', '1000000000', '-1000000000':
        place.clear()
        jumps = {'LD_PRELOAD': preload(place), 'STRESS_CLOCK': step}
        status, out, _ = run(place, LIVE + ['--iterations', '400000', '--format', 'json',
                                            '--record', 'new.rec'], **jumps)
        seconds = json.loads(out)['runs'][0]['seconds'] if status == 0 else -1
        if not 0 < seconds < LIMIT_SECONDS or not replays(place, 'new.rec'):
            place.blame('clock %s s: status %s, %g seconds' % (step, status, seconds))
        screen = place.screen(**jumps)
        screen.read(3.5)
        if not screen.wait_for(b'\x1b', since=len(screen.text)):
            place.blame('clock %s s: the screen is not updated' % step)
        say('clocks', collections.Counter([check_screen(place, 'clock', screen)]),
            '  (%s s; the run took %.2f s)' % (step, seconds))


def limits(place):
    """ulimit -u, -n, -v, -s, -f and -t, from too low to sufficient."""
    megabytes = 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 400
    kinds = [('-n', resource.RLIMIT_NOFILE, [0, 1, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24]),
             ('-v', resource.RLIMIT_AS, [mb << 20 for mb in megabytes]),
             ('-s', resource.RLIMIT_STACK, [kb << 10 for kb in (0, 16, 128, 192, 256, 512, 1024)]),
             ('-f', resource.RLIMIT_FSIZE, [0, 1, 512, 1024, 4096, 10000]),
             ('-t', resource.RLIMIT_CPU, [1, 2]),
             ('-u', resource.RLIMIT_NPROC, [0, 1, 2, 3, 4, 8])]
    for name, kind, values in kinds:
        counts = collections.Counter()
        for value in values:
            def prepare():
                if kind == resource.RLIMIT_NPROC and os.getuid() == 0:
                    os.chmod(place.folder, 0o777)
                    os.setresuid(65534, 65534, 65534) # root has no such limit
                # At the hard limit of CPU time the kernel sends SIGKILL.
                resource.setrlimit(kind, (value, resource.RLIM_INFINITY if name == '-t' else value))
            # A limit too low for the loader is no failure of the program.
            loads = run(place, ['--version'], prepare=prepare)[0] == 0 if name in '-n-v-s' else True
            # 4: the screen outlives its solver's process.
            allowed, busy = (0, 1, 2, 3, 4), QUICK + ['--record', 'new%d.rec' % value]
            if name == '-t':
                allowed, busy = (-signal.SIGXCPU, 128 + signal.SIGXCPU, 4), ['--headless'] + LIVE
            what = 'ulimit %s %d' % (name, value)
            if not loads:
                counts['the loader can\'t start it'] += 1
                continue
            for options in (busy, busy + ['--backend', 'threads']):
                place.clear()
                end = run(place, options, prepare=prepare)
                counts['headless ' + check(place, what, end, allowed + (-signal.SIGABRT,))] += 1
                if name == '-t' and not is_one_line(end[2]):
                    place.blame('%s: output: %s' % (what, end[2][:200]))
            if name in '-n-v':
                for options in (['--list'], QUICK + ['--backend', 'omp']):
                    status = run(place, options, prepare=prepare, seconds=20)[0]
                    counts['omp status %s' % status] += 1
            screen = place.screen(prepare=prepare)
            screen.read(LIMIT_SECONDS if name == '-t' else 1)
            counts['screen ' + check_screen(place, 'screen, ' + what, screen, b'q', allowed)] += 1
        say('limits', counts, '  (ulimit %s)' % name)


def cgroup(place):
    """A memory cgroup, if it can be created: its limit causes SIGKILL or has no effect."""
    with open('/proc/self/cgroup') as file:
        own = [line.strip().split(':')[2] for line in file if ':memory:' in line]
    group = '/sys/fs/cgroup/memory%s/jacobi-stress-%d' % (own[0], os.getpid()) if own else None
    try:
        os.mkdir(group)
    except (OSError, TypeError):
        print('cgroup   not tried: no memory cgroup can be created here')
        return
    counts = collections.Counter()
    try:
        for megabytes in 4, 8, 16, 32, 64, 128, 256:
            with open(group + '/memory.limit_in_bytes', 'w') as file:
                file.write(str(megabytes << 20))

            def prepare():
                with open(group + '/cgroup.procs', 'w') as file:
                    file.write(str(os.getpid()))
            for options in (QUICK, QUICK + ['--grid', '1024'],
                            QUICK + ['--grid', '3000', '--record', 'new.rec']):
                place.clear()
                end = run(place, options, prepare=prepare)
                what = 'cgroup %d MB, %s' % (megabytes, options)
                counts[check(place, what, end, (0, 1, 2, -9))] += 1
                if (end[0] == -9 and os.path.exists(place.path('new.rec'))
                        and not replays(place, 'new.rec')):
                    place.blame('cgroup %d MB: the recording does not replay' % megabytes)
    finally:
        os.rmdir(group)
    say('cgroup', counts, '  (4 to 256 MB)')


def proc(place):
    """No /proc, and an empty one: the program must still find its own files."""
    counts = collections.Counter()
    for hide in 'umount -l /proc', 'mount -t tmpfs none /proc':
        line = hide + ' 2>/dev/null; exec "$0" "$@"'
        for options in (QUICK, ['--list'], QUICK + ['--preset', 'classroom'], REPLAY,
                        QUICK + ['--backend', 'threads'], QUICK + ['--backend', 'omp']):
            end = run(place, ['-m', 'sh', '-c', line, place.program] + options,
                      program=shutil.which('unshare'))
            if 'unshare' in end[2]:
                print('proc     not tried: no mount namespace can be created here')
                return
            counts[check(place, '%s: %s' % (hide, ' '.join(options)), end, (0,))] += 1
    say('proc', counts)


def twice(place):
    """Two instances with one configuration save settings and measure at the same time."""
    counts = collections.Counter()
    for _ in range(place.tries(20)):
        screens = [place.screen() for _ in range(2)]
        for screen in screens:
            screen.wait_for(ENTER)
        for _ in range(20):
            for screen in screens:
                screen.type(place.chance.choice([b'w', b'M', b'l', b'f', b'w']))
                screen.read(0.02)
        for screen in screens:
            counts[check_screen(place, 'twice', screen, b'\x1b\x1bq')] += 1
        end = run(place, QUICK)
        if end[0] != 0 or end[2]:
            place.blame('after two instances: %s' % end[2])
    say('twice', counts)


def kill(place):
    """SIGKILL during a recording, at random moments: the recording must replay."""
    counts = collections.Counter()
    for k in range(place.tries(100)):
        place.clear()
        screen = place.screen('--record', 'new.rec', *(['--headless'] if k % 2 else []))
        screen.read(place.chance.uniform(0, 1.5))
        screen.child.kill()
        screen.wait_end()
        screen.close()
        there = os.path.exists(place.path('new.rec'))
        if there and not replays(place, 'new.rec'):
            place.blame('a killed recording does not replay')
        counts['a recording that replays' if there else 'none yet'] += 1
    say('kill', counts)


def storms(place):
    """TSTP, CONT and WINCH in any order, as fast as possible."""
    counts = collections.Counter()
    for _ in range(place.tries(10)):
        screen = place.screen()
        screen.wait_for(ENTER)
        for _ in range(1000):
            number = place.chance.choice([signal.SIGTSTP, signal.SIGCONT, signal.SIGCONT,
                                          signal.SIGWINCH])
            screen.child.send_signal(number)
            if number == signal.SIGWINCH:
                screen.resize(place.chance.randint(1, 60), place.chance.randint(1, 200))
            if place.chance.random() < 0.05:
                screen.read(0.01)
        screen.type(b'q')
        before = screen.age()
        while screen.read(0.1) and screen.age() < before + LIMIT_SECONDS:
            screen.child.send_signal(signal.SIGCONT)  # a stop may still be pending
        counts[check_screen(place, 'storm', screen, b'')] += 1
    say('storms', counts, '  (1000 signals each)')


def server(place):
    """The terminal closes, or its server is killed: the program must end, its recording replay."""
    counts = collections.Counter()
    for _ in range(place.tries(50)):
        place.clear()
        screen = place.screen('--record', 'new.rec')
        screen.read(place.chance.uniform(0.05, 1))
        os.close(screen.fd)
        if not has_ended(screen.pidfd):
            screen.child.kill()
        status = screen.child.wait()
        os.close(screen.pidfd)
        if status not in (128 + signal.SIGHUP, -signal.SIGHUP, 2):
            place.blame('the terminal closed: status %s' % status)
        if os.path.exists(place.path('new.rec')) and not replays(place, 'new.rec'):
            place.blame('the terminal closed: the recording does not replay')
        counts['status %s' % status] += 1
    say('server', counts, '  (pseudo-terminals)')
    if shutil.which('tmux'):
        counts = collections.Counter(tmux(place) for _ in range(place.tries(50) // 5))
        say('server', counts, '  (tmux)')


def tmux(place):
    """The result of a recording whose tmux server is killed."""
    place.clear()
    command = ['tmux', '-L', 'jacobi-stress-%d' % os.getpid()]
    line = ' '.join(['echo $$ >new.pid; exec', place.program, *LIVE, '--record', 'new.rec'])
    subprocess.run([*command, 'new-session', '-d', '-x', '80', '-y', '24', line], cwd=place.folder,
                   env=environment(place.folder), check=True)
    time.sleep(place.chance.uniform(0.5, 1))  # a random moment of the run
    with open(place.path('new.pid')) as file:
        pid = os.pidfd_open(int(file.read()))
    subprocess.run([*command, 'kill-server'], check=True)
    ended = has_ended(pid)
    os.close(pid)
    if not ended or not replays(place, 'new.rec'):
        place.blame('tmux: ended %s' % ended)
    return 'ended, and the recording replays'


def frame(kind, contents, raw_size, time_ns):
    head = kind + struct.pack('<IIqI', len(contents), raw_size, time_ns, zlib.crc32(contents))
    return head + struct.pack('<I', zlib.crc32(head)) + contents


def inputs(place):
    """Presets, tours, settings, caches and recordings of 100 MB or without end; recordings that
    decompress to gigabytes."""
    counts = collections.Counter()
    big = place.path('new-big.ini')
    lines = {'one line': b'x' * (100 << 20), 'empty lines': b'\n' * (100 << 20),
             'zeros': b'\0' * (100 << 20), 'sections': b'[run]\n' * (16 << 20),
             'scenes': b'[scene]\ntitle = a\ntext = b\n' * (3 << 20)}
    for what, contents in lines.items():
        with open(big, 'wb') as file:
            file.write(contents)
        for options in (QUICK + ['--preset', big], QUICK + ['--tour', big], REPLAY[:2] + [big]):
            # Must end within 5 s of CPU time, since it reads only a part of the file.
            end = run(place, options, prepare=lambda: resource.setrlimit(
                resource.RLIMIT_CPU, (5, 5)))
            counts[check(place, '100 MB of %s, %s' % (what, options[-2]), end, (2,))] += 1
    for device in '/dev/zero', '/dev/full', '/dev/random', '/proc/self/mem', '/proc/kmsg':
        for options in QUICK + ['--preset'], QUICK + ['--tour'], REPLAY[:2]:
            end = run(place, options + [device])
            counts[check(place, '%s %s' % (options[-1], device), end, (2,))] += 1
    with open(os.path.join(TOP, 'recordings/h200-hip-classic.rec'), 'rb') as file:
        head = file.readline()
    for contents in (zlib.compress(b'\0' * (1 << 30), 9),
                     zlib.compress(zlib.compress(b'\0' * (1 << 28)) * 9)):
        for claimed in 1, 4096, 4 << 20, (4 << 20) + 1, 1 << 30, 0xffffffff:
            with open(place.path('new.rec'), 'wb') as file:
                file.write(head + frame(b'FULL', contents, claimed, 0))
            end = run(place, ['--headless', '--replay', 'new.rec'],
                      prepare=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
            counts[check(place, 'bomb', end, (2,))] += 1
    os.makedirs(place.path('jacobi-tui'), exist_ok=True)
    for name in 'settings.ini', 'tuner.json':
        with open(place.path('jacobi-tui/' + name), 'wb') as file:
            file.truncate(100 << 20)
        counts['%s: %s' % (name, check(place, name, run(place, QUICK), (0, 2)))] += 1
        os.unlink(place.path('jacobi-tui/' + name))
    say('inputs', counts)


def mutants(place):
    """Recordings, presets and tours with some bytes changed, on a live screen."""
    counts, recordings = collections.Counter(), []
    run(place, QUICK + ['--grid', '32', '--iterations', '40', '--record', 'small.rec'])
    for name in (place.path('small.rec'), os.path.join(TOP, 'recordings/cpu-omp-compare.rec')):
        with open(name, 'rb') as file:
            recordings.append(('rec', file.read()))
    for name in 'classroom.ini', 'tours/blog.ini':
        with open(os.path.join(TOP, 'presets', name), 'rb') as file:
            recordings.append((name, file.read()))
    for _ in range(place.tries(1000)):
        name, whole = place.chance.choice(recordings)
        contents = bytearray(whole)
        for _ in range(place.chance.choice([1, 1, 2, 5])):
            at = place.chance.randrange(len(contents))
            kind = place.chance.random()
            if kind < 0.5:
                contents[at] = place.chance.randrange(256)
            elif kind < 0.7:
                del contents[at:at + place.chance.randrange(1, 9)]
            else:
                other = place.chance.randrange(len(contents))
                contents[at:at] = contents[other:other + place.chance.randrange(1, 99)]
        with open(place.path('new.ini' if name != 'rec' else 'new.rec'), 'wb') as file:
            file.write(contents)
        option = {'rec': ['--replay', './new.rec'], 'tours/blog.ini': ['--tour', './new.ini'],
                  'classroom.ini': ['--preset', './new.ini', '--backend', 'serial', '--grid', '16']}
        screen = Terminal([place.program, *option[name]], place.folder)
        screen.wait_for(ENTER)
        screen.read(0.03)
        counts[check_screen(place, 'mutant', screen, b'54f\x1bq')] += 1
    say('mutants', counts)


def moved(place):
    """The installed tree, moved, started through links, and with parts missing."""
    tree, counts = place.path('tree'), collections.Counter()
    build = os.path.dirname(place.program)
    if not os.path.exists(build + '/build.ninja'):
        print('moved    not tried: --program is not in a build folder')
        return
    subprocess.run(['meson', 'install', '-C', build, '--quiet'], check=True,
                   stdout=subprocess.DEVNULL, env=dict(os.environ, DESTDIR=tree))
    prefix = next(path for path, folders, _ in os.walk(tree) if 'bin' in folders)
    other = place.path('a place with blanks/and/ü')
    os.makedirs(os.path.dirname(other))
    os.rename(prefix, other)
    os.symlink(other + '/bin/jacobi-tui', place.path('link'))
    shown = (QUICK + ['--preset', 'classroom'], REPLAY, ['--tour', 'blog', '--headless'],
             QUICK + ['--backend', 'omp'])
    for program in other + '/bin/jacobi-tui', place.path('link'):
        for options in shown:
            end = run(place, options, program=program)
            counts[check(place, 'moved: ' + ' '.join(options), end, (0,))] += 1
    for folder in 'share', 'lib':
        shutil.rmtree(other + '/' + folder)
        for options, status in zip(shown, (2, 2, 2, 3 if folder == 'lib' else 0)):
            end = run(place, options, program=other + '/bin/jacobi-tui')
            what = 'without %s: %s' % (folder, ' '.join(options))
            counts[check(place, what, end, (status,))] += 1
    say('moved', counts)


CLASSES = [memory, clocks, limits, cgroup, proc, twice, kill, storms, server, inputs, mutants,
           moved]


def main():
    parser = option_parser(__doc__)
    parser.add_argument('classes', nargs='*', metavar='CLASS')
    parser.add_argument('--tries', type=int)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    known = {a_class.__name__: a_class for a_class in CLASSES}
    for name in options.classes:
        if name not in known:
            parser.error('unknown class %s: expected %s' % (name, ', '.join(known)))
    found = 0
    for name in options.classes or known:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix='jacobi-stress-') as folder:
            place = Place(options, folder)
            known[name](place)
        print('%-8s took %.0f s, %d found' % (name, time.monotonic() - began, place.found),
              flush=True)
        found += place.found
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
