#!/usr/bin/env python3
"""Measures the cost of the screen: output, response time, and solver time.

    tests/stress/overhead.py [--program PATH] [--seconds N] [--rounds N]     (8 s, 3 rounds)

Runs in turn at 120x40 on simulated terminals: without pixels, with kitty's protocol, with sixels,
with 10 kB/s, and with a stop of 5 s. Prints for each the medians of the rounds:
  kB/s          output rate (at most 100)
  first picture milliseconds from the start to the first field (at most 200)
  key           milliseconds from a key to its effect, the slowest of several (at most 100)
  iterations    of the run (from its recording), and the change relative to the first terminal
A figure above its limit is marked with '!'."""

import json
import statistics
import subprocess
import tempfile
import time

from terminal import Terminal, option_parser

KITTY, DA1, CELL = b'\x1b_Gi=7261', b'\x1b[c', b'\x1b[16t'
NO_PIXELS = {DA1: b'\x1b[?62c'}
READERS = {'cells': {'replies': NO_PIXELS},
           'kitty': {'replies': {KITTY: b'\x1b_Gi=7261;OK\x1b\\', DA1: b'\x1b[?62c'}},
           'sixels': {'replies': {CELL: b'\x1b[6;20;10t', DA1: b'\x1b[?62;4c'}},
           '10 kB/s': {'replies': NO_PIXELS, 'rate': 10000},
           'stops 5 s': {'replies': NO_PIXELS, 'stop': 5}}
PICTURES = ('▀'.encode(), b'\x1b_Ga=T', b'\x1bP')  # a field begins with one of them
LIMITS = (100, 200, 100)


def answer(terminal):
    """Milliseconds from a key to its effect; opens and closes the help."""
    before, pressed = len(terminal.text), time.monotonic()
    terminal.type(b'?')
    terminal.wait_for(b'Keys', since=before)
    waited = 1e3 * (time.monotonic() - pressed)
    terminal.read(0.3)
    terminal.type(b'?')
    terminal.read(0.3)
    return waited


def run(program, seconds, stop=0, **how):
    """kB per second, ms to the first picture, ms from a key to its effect, and iterations. No keys
    are sent if the terminal is slow, since it would delay their effect."""
    answers = []
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal([program, '--backend', 'serial', '--problem', 'hot-plate',
                             '--grid', '512', '--iterations', '1000000000', '--tolerance', '0',
                             '--record', 'a.rec'], home, (40, 120, 1200, 800),
                            COLORTERM='truecolor', **how)
        terminal.wait_for(*PICTURES)
        first = 1e3 * terminal.age()
        terminal.read(1 - terminal.age())
        time.sleep(stop)
        while not (stop or 'rate' in how) and terminal.age() < seconds:
            answers.append(answer(terminal))
        terminal.read(seconds - terminal.age())
        count, age = terminal.count, terminal.age()
        terminal.rate = None
        terminal.finish()
        report = subprocess.run([program, '--headless', '--format', 'json', '--replay', 'a.rec'],
                                cwd=home, stdout=subprocess.PIPE, check=True).stdout
    return (count / age / 1e3, first, max(answers, default=float('nan')),
            json.loads(report)['runs'][0]['iterations'])


def main():
    parser = option_parser(__doc__)
    parser.add_argument('--seconds', type=float, default=8)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    results = {name: [] for name in READERS}
    for _ in range(options.rounds):
        for name, how in READERS.items():
            results[name].append(run(options.program, options.seconds, **how))
    base = statistics.median(result[3] for result in results['cells'])
    print('%-10s %8s %15s %8s %12s' % ('', 'kB/s', 'first picture', 'key', 'iterations'))
    for name, values in results.items():
        *figures, iterations = [statistics.median(column) for column in zip(*values)]
        words = ['–' if f != f else '%.1f%s' % (f, ' !' if f > limit else '')
                 for f, limit in zip(figures, LIMITS)]
        print('%-10s %8s %15s %8s %12.0f (%+.1f %%)' %
              (name, *words, iterations, 100 * (iterations / base - 1)))


if __name__ == '__main__':
    main()
