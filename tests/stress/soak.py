#!/usr/bin/env python3
"""Types random keys and resizes at random on a pseudo-terminal, and monitors the program's memory,
descriptors and threads.

    tests/stress/soak.py [MINUTES] [--tours] [--program PATH] [--seed N]      (1 minute)

The keys change back ends, grids, presets and mappings; with --tours, they alternate between the
scenes of a tour (runs, grid studies, replays) and comparisons. Prints a line per minute. The exit
status is 1 if the program ends, if it has more descriptors or threads after the first fifth, or if
its memory grows: by more than 1 MB per hour in the second half of a run of at least 30 minutes."""

import os
import random
import signal
import sys
import tempfile

from terminal import ENTER, LEAVE, Terminal, option_parser

KEYS = [b' ', b's', b'+', b'-', b'm', b'l', b'M', b'z', b't', b'f', b'e', b'r', b'1', b'2', b'3',
        b'4', b'5', b'6', b'?', b'\x0c', b'\x1b', b'\x1b[A', b'\x1b[B', b'\x1b[C', b'\x1b[D']
MENUS = [b'b', b'g', b'k', b'o', b'c', b'p']
NEXT, BACK, LEAVE_TOUR, DOWN = b'\x1b[6~', b'\x1b[5~', b'L', b'\x1b[B'
IN_TOUR = [NEXT] * 6 + [BACK] * 2 + [
    b' ', b'.', b',', b'<', b'>', b'[', b']', b'+', b'-', b'r', b'v', b'e', b't', b'f', b'1', b'2',
    b'3', b'4', b'5', b'6', b'\x1b']
IN_COMPARISON = [b' ', b's', b'+', b'-', b'm', b'r', b'T', b'v', b't', b'f', b'e', b'1', b'3', b'5',
                 b'z', b'\x1b']


def figures(terminal):
    """RSS in kB, threads, descriptors."""
    process = f'/proc/{terminal.child.pid}'
    with open(process + '/status') as file:
        fields = dict(line.split(':', 1) for line in file)
    return (int(fields['VmRSS'].split()[0]), int(fields['Threads']),
            len(os.listdir(process + '/fd')))


def act(terminal, chance, menus, keys, rows):
    kind = chance.random()
    if kind < 0.10:
        terminal.resize(chance.randint(1, 200), chance.randint(1, 500))
    elif kind < 0.20 and menus:
        terminal.type(chance.choice(menus) + DOWN * chance.randint(0, rows) + b'\r')
    else:
        terminal.type(chance.choice(keys))


def close_menus(terminal):
    """Leaves menus and panels at 120x40, so that figures are taken in the same state."""
    terminal.resize(40, 120)
    terminal.type(b'\x1b\x1b\x1b')
    terminal.read(2)


class Keys:
    """Any key, at any time."""
    arguments = ['--grid', '256']

    def act(self, terminal, chance):
        act(terminal, chance, MENUS, KEYS, 3)

    def settle(self, terminal):
        close_menus(terminal)


class Tours:
    """Alternates between actions in a tour and in comparisons on its first scene's grid."""
    arguments = ['--tour']

    def __init__(self):
        self.touring, self.left = True, 60

    def act(self, terminal, chance):
        if self.left == 0:
            self.settle(terminal)
            self.left = chance.randint(20, 100)
            if chance.random() < 0.5:
                self.touring = False
                terminal.type(LEAVE_TOUR)
        self.left -= 1
        if self.touring:
            act(terminal, chance, [], IN_TOUR, 0)
        elif chance.random() < 0.2:  # selects lanes one by one, then starts them
            terminal.type(b'c' + DOWN * 6 + b'\r')
            for _ in range(chance.randint(1, 3)):
                terminal.read(0.05)
                terminal.type(DOWN * chance.randint(1, 12) + b'\r')
            terminal.type(b'\r')
        else:
            act(terminal, chance, [b'c', b'k', b'o', b'c'], IN_COMPARISON, 5)

    def settle(self, terminal):
        """Returns to the tour's first scene."""
        close_menus(terminal)
        if not self.touring:
            terminal.type(LEAVE_TOUR)
            self.touring = True
        for _ in range(15):
            terminal.type(BACK)
            terminal.read(0.05)
        terminal.read(2)


def last_words(terminal):
    """The program's output after it restored the terminal."""
    _, gave_back, text = bytes(terminal.text).rpartition(LEAVE)
    if not gave_back:
        return 'the terminal was not restored'
    text = text.decode(errors='replace')
    return ''.join(c if c.isprintable() or c == '\n' else ' ' for c in text)


def soak(terminal, walk, chance, seconds):
    """Returns (seconds, RSS, threads, descriptors) per minute; None if the program ends."""
    actions, marks, step = 0, [], min(60, seconds / 10)
    terminal.wait_for(ENTER)
    while terminal.age() < seconds:
        walk.act(terminal, chance)
        actions += 1
        if not terminal.read(chance.choice([0.01, 0.05, 0.2])):
            print('the program ended after %d actions' % actions)
            return None
        del terminal.text[:-16384]
        if terminal.age() >= step * (len(marks) + 1):
            walk.settle(terminal)
            marks.append((terminal.age(), *figures(terminal)))
            print('%6.0f s  %7d actions  %6d kB  %2d threads  %2d descriptors  %.0f kB/s out' %
                  (marks[-1][0], actions, *marks[-1][1:], terminal.count / 1e3 / marks[-1][0]),
                  flush=True)
    return marks


def judge(marks, status, minutes):
    """Prints the changes; returns whether they are within the limits."""
    steady, late = marks[len(marks) // 5:], marks[len(marks) // 2:]
    hours = (late[-1][0] - late[0][0]) / 3600
    growth = (late[-1][1] - late[0][1]) / 1e3 / hours if hours else 0
    print('memory %+.1f MB per hour in the second half (from %d to %d kB in all), '
          'threads %d to %d, descriptors %d to %d, ends with %s' %
          (growth, *[mark[k] for k in (1, 2, 3) for mark in (steady[0], steady[-1])], status))
    leaks = any(steady[-1][k] > steady[0][k] for k in (2, 3))
    grows = minutes >= 30 and growth > 1  # a shorter run is inconclusive
    return not leaks and not grows and status == 128 + signal.SIGTERM


def main():
    parser = option_parser(__doc__)
    parser.add_argument('minutes', type=float, nargs='?', default=1)
    parser.add_argument('--tours', action='store_true')
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    walk = Tours() if options.tours else Keys()
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal([options.program, '--iterations', '1000000000', '--tolerance', '0',
                             *walk.arguments], home)
        marks = soak(terminal, walk, random.Random(options.seed), 60 * options.minutes)
        terminal.child.terminate()
        status = terminal.finish(b'')
        if marks is None:
            print('with %s (seed %d)\n%s' % (status, options.seed, last_words(terminal)))
            return 1
    return 0 if judge(marks, status, options.minutes) else 1


if __name__ == '__main__':
    sys.exit(main())
