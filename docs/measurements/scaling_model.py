#!/usr/bin/env python3
"""Prints the tables of docs/scaling.md: predictions of a latency-bandwidth model for several GPUs.

    docs/measurements/scaling_model.py

Times are in µs, lengths in rows and columns of the grid; an unknown has 8 bytes. The constants are
those of the document; the comments name their sources.
"""
import json
import math
from pathlib import Path

# One H200: µs per iteration = START + unknowns / RATE, from devices-h200.json, 4096² and 16384².
START = {"classic": 0.0, "fused": 2.2, "blocked": 3.20}
RATE = {"classic": 64.4e3, "fused": 168.1e3, "blocked": 1294e3}  # lattice updates per µs
DEPTH = {"classic": 1, "fused": 1, "blocked": 8}
# A halo exchange: latency in µs, and bytes per µs that a device sends and receives.
PEER = (14.5, 385e3)     # NVLink, copies and events
STAGED = (40.3, 38.0e3)  # host-staged, in memory that the ranks of a node share
NETWORK = (20.0, 50e3)  # GPU memory over a 400 Gb/s network; the latency is a guess
ALLREDUCE = 4.0         # µs per doubling of the ranks, once per batch of 20 ms
BATCH = 20e3


def kernels(schedule, columns, rows, ghosts, depth):
    """µs per pass over a slab of `rows` rows, with `ghosts` additional rows of its neighbours."""
    return depth * (START[schedule] + columns * (rows + ghosts) / RATE[schedule])


def exchange(way, columns, depth, neighbours):
    latency, bandwidth = way
    return latency + 8 * depth * columns * neighbours / bandwidth


def iteration(schedule, columns, rows, devices, way, hides, depth=None):
    """µs per iteration on `devices` devices with `rows` rows each."""
    depth = depth or DEPTH[schedule]
    if devices == 1:
        return kernels(schedule, columns, rows, 0, depth) / depth
    neighbours = 1 if devices == 2 else 2
    inner = kernels(schedule, columns, rows, neighbours * (depth - 1) / 2, depth)
    first_rows = depth * START[schedule] / 2
    halo = exchange(way, columns, depth, neighbours)
    time = max(inner, first_rows + halo) if hides else inner + halo
    norms = ALLREDUCE * math.log2(devices) / BATCH
    return time / depth * (1 + norms)


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def heads(*names):
    row(*names)
    row(*["---"] * len(names))


def figure(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


FILE = Path(__file__).parent / "devices-h200.json"
MEASURED = json.loads(FILE.read_text(encoding="utf-8"))
WAYS = (("peer", PEER, "peer"), ("MPI", STAGED, "mpi"))


def few_devices():
    """Speed-ups on two and four devices: predicted, for classic without overlap, and measured."""
    heads("schedule", "grid", "transport", "2: predicted", "measured", "4: predicted", "measured")
    for run in (run for run in MEASURED["runs"] if "precision" not in run):
        schedule, side = run["schedule"].split(":")[0], run["grid"]
        for name, way, key in WAYS:
            if not run[f"{key}2"]:
                continue
            one = iteration(schedule, side, side, 1, way, True)
            cells = []
            for p in (2, 4):
                predicted = iteration(schedule, side, side / p, p, way, schedule != "classic")
                cells.append(f"{one / predicted:.2f}×")
                cells.append(f"**{run['one'] / run[f'{key}{p}']:.2f}×**")
            row(f"`{run['schedule']}`", f"{side}²", name, *cells)


def weak():
    """Efficiencies with 16384 × 16383 unknowns per device, and one device's time."""
    heads("schedule", "one, µs", "transport", "2: predicted", "measured", "4: predicted",
          "measured")
    columns, rows = 16384, 16383
    for run in MEASURED["weak"]:
        schedule = run["schedule"].split(":")[0]
        one = iteration(schedule, columns, rows, 1, PEER, True)
        for name, way, key in WAYS:
            if not run[f"{key}4"]:
                continue
            cells = []
            for p in (2, 4):
                predicted = iteration(schedule, columns, rows, p, way, schedule != "classic")
                time = run[f"{key}{p}"]
                cells.append(f"{100 * one / predicted:.1f} %")
                cells.append(f"**{100 * run['one'] / time:.1f} %**" if time else "–")
            row(f"`{run['schedule']}`", f"{run['one']:.0f}", name, *cells)


def many_devices():
    heads("grid", "GPUs", "rows each", "µs", "speed-up", "efficiency")
    for side in (16384, 65536):
        one = iteration("blocked", side, side, 1, NETWORK, True)
        for devices in (1, 4, 16, 64, 256):
            rows = side / devices
            if rows < DEPTH["blocked"]:
                continue
            time = iteration("blocked", side, rows, devices, NETWORK, True)
            row(f"{side}²", devices, f"{rows:.0f}", figure(time), f"{one / time:.1f}×",
                f"{100 * one / time / devices:.0f} %")
    print()
    heads("rows × columns for each GPU", "64 GPUs", "1024 GPUs")
    for rows, columns in ((16384, 16384), (4096, 16384), (1024, 16384), (256, 16384)):
        one = iteration("blocked", columns, rows, 1, NETWORK, True)
        times = [iteration("blocked", columns, rows, p, NETWORK, True) for p in (64, 1024)]
        row(f"{rows} × {columns}", *[f"{100 * one / time:.1f} %" for time in times])


for title, table in (("Two and four", few_devices), ("Weak", weak), ("Many", many_devices)):
    print(f"\n{title}\n")
    table()
