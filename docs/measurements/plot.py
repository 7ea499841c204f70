#!/usr/bin/env python3
"""Draws lattice updates per second against the side of the grid, from files that scripts/bench
wrote.

    docs/measurements/plot.py OUTPUT.svg FILE.json...

Draws one curve per back end and schedule, and dashed verticals at the grids on which U, U' and RHS
fill a cache of the processor or GPU. Writes OUTPUT.svg and prints nothing.
"""

import json
import math
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 460, 70, 190, 44, 50
COLORS = {"serial": "#4477aa", "threads": "#cc3311", "omp": "#228833", "hip": "#aa3377"}
DASHES = {"plain": "1 8", "classic": "1 4", "fused": "7 4", "blocked": ""}
FIRST, LAST = 256, 32768


def read_curves(paths):
    """{(backend, schedule): {grid: updates per second}}, {cache: bytes}, and the devices' names."""
    curves, caches, devices = {}, {}, set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        for run in result["runs"]:
            if (run["lattice_updates_per_second"] and not run["options"]
                    and run["mapping"] != "structured"):
                key = run["backend"], run["schedule"].split(":")[0]
                curves.setdefault(key, {})[run["grid"]] = run["lattice_updates_per_second"]
                caches |= caches_of(run, result["machine"])
                devices.add(run["device"].split(",")[0])
    return curves, caches, sorted(devices)


def caches_of(run, machine):
    """{cache: bytes} of the run's device."""
    if run.get("gpu"):
        return {"the GPU's L2": machine.get("gpu_l2_bytes") or 0}
    return {level.upper(): int(machine[f"{level}_bytes"] or 0) for level in ("l2", "l3")}


class Axes:
    def __init__(self, rates):
        self.unit, self.unit_name = (1e9, "Glu/s") if max(rates) >= 1e11 else (1e6, "Mlu/s")
        rates = [rate / self.unit for rate in rates]
        self.low = math.floor(math.log10(min(rates)))
        self.high = math.ceil(math.log10(max(rates)))

    def x(self, grid):
        part = math.log(grid / FIRST) / math.log(LAST / FIRST)
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    def y(self, rate):
        part = (math.log10(rate / self.unit) - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def text(x, y, words, anchor="middle", color="#333"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{words}</text>'


def line(x1, y1, x2, y2, color="#ddd", dash=""):
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}" '
            f'stroke-dasharray="{dash}"/>')


def frame(axes, caches, devices):
    parts = [text((LEFT + WIDTH - RIGHT) / 2, 16, "; ".join(devices))]
    grid = FIRST
    while grid <= LAST:
        parts += [line(axes.x(grid), TOP, axes.x(grid), HEIGHT - BOTTOM),
                  text(axes.x(grid), HEIGHT - BOTTOM + 18, grid)]
        grid *= 2
    for decade in range(axes.low, axes.high + 1):
        for rate in [10**decade * step for step in (1, 2, 5)]:
            if rate <= 10**axes.high:
                y = axes.y(rate * axes.unit)
                parts += [line(LEFT, y, WIDTH - RIGHT, y),
                          text(LEFT - 8, y + 4, f"{rate:g}", "end")]
    for name, size in caches.items():
        side = math.sqrt(size / 24)  # three arrays of doubles: U, U' and RHS
        if FIRST < side < LAST:
            parts += [line(axes.x(side), TOP, axes.x(side), HEIGHT - BOTTOM, "#999", "3 3"),
                      text(axes.x(side), TOP - 6, f"{name} full")]
    parts += [text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "N, for a grid of N × N"),
              text(LEFT - 8, TOP - 14, axes.unit_name, "end")]
    return parts


def draw_curve(axes, key, curve):
    color, dash = COLORS[key[0]], DASHES[key[1]]
    points = sorted((axes.x(grid), axes.y(rate)) for grid, rate in curve.items())
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts = [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2" '
             f'stroke-dasharray="{dash}"/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in points]
    return parts


def draw_legend(curves):
    parts = []
    for row, key in enumerate(sorted(curves)):
        y = TOP + 20 + 22 * row
        parts += [line(WIDTH - RIGHT + 15, y - 4, WIDTH - RIGHT + 55, y - 4, COLORS[key[0]],
                       DASHES[key[1]]),
                  text(WIDTH - RIGHT + 62, y, " ".join(key), "start")]
    return parts


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    curves, caches, devices = read_curves(sys.argv[2:])
    axes = Axes([rate for curve in curves.values() for rate in curve.values()])
    parts = frame(axes, caches, devices) + draw_legend(curves)
    for key in sorted(curves):
        parts += draw_curve(axes, key, curves[key])
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                  f'font-family="sans-serif" font-size="12">\n'
                  '<rect width="100%" height="100%" fill="white"/>\n'
                  + "\n".join(parts) + "\n</svg>\n")


if __name__ == "__main__":
    main()
