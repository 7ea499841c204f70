#!/usr/bin/env python3
"""Updates the tables of documents from the files in this folder.

    docs/measurements/tables.py [--check] DOCUMENT.md...

Two lines mark a table in a document,

    <!-- table: KIND FILE.json... -->
    <!-- end of table -->

and KIND is one of

    runs      scripts/bench: a row per run, with its time and its bottleneck
    scaling   scripts/bench: a row per grid, a column per back end and schedule
    costs     scripts/bench: the overhead of events, screen and recording
    steps     scripts/bench: a row per schedule of the CPU's back ends, in Mlu/s
    devices   one device against two and four
    precision double, and how many times as fast single and mixed are
    programs  other programs on the same cards
    profile   a profiler's figures of each kernel
    results   HIP and OpenMP in one table (targets of scripts/bench, then other programs)

Writes the documents. With --check, writes nothing and lists each table that differs from its files
(exit status 1).
"""

import argparse
import datetime
import json
import os
import re
import statistics
import sys
import textwrap

FOLDER = os.path.dirname(os.path.abspath(__file__))
TABLE = re.compile(r"(<!-- table: (\w+) ([\w. -]+?) -->\n).*?(<!-- end of table -->\n)", re.DOTALL)
BACKENDS = ["serial", "threads", "omp", "hip"]
SCHEDULES = ["plain", "classic", "fused", "blocked"]


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def heading(columns):
    return row(columns) + "|" + "---|" * len(columns) + "\n"


def exact(value):
    """Three digits at least, and no exponent."""
    if value >= 1e4:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}" if value >= 0.001 else f"{value:.6f}"


def origin(name, file, documents):
    """The machine, commit and time of a file of scripts/bench."""
    machine = file["machine"]
    time = datetime.datetime.fromisoformat(machine["time"])
    device = machine["gpu"] or f"{machine['cpu']}, {machine['processors']} processors"
    text = (f"[`{name}`]({documents}{name}): {device}, commit {machine['commit']}, "
            f"{time.day} {time:%B %Y, %H:%M} UTC, {file['rounds']} rounds.")
    return textwrap.fill(text, 100, break_on_hyphens=False) + "\n\n"


def runs_of(file):
    return [run for run in file["runs"] if run["seconds_per_iteration"]]


def name_of(run):
    mapping = " structured" if run["mapping"] == "structured" else ""
    pinned = " pinned" if "pinned" in run["options"] else ""
    return f"{run['backend']}{mapping} {run['schedule']}{pinned}"


def bottleneck(run):
    if not run.get("wall"):
        return "–"
    share = run["share_of_wall"]
    return run["wall"] if share is None else f"{run['wall']}, {100 * share:.0f} %"


def runs_table(files):
    """Glu/s on GPUs, Mlu/s on CPUs."""
    runs = [run for file in files for run in runs_of(file)]
    on_gpu = any(run["gpu"] for run in runs)
    text = heading(["run", "grid", "ms per iteration", "spread, %", "Glu/s" if on_gpu else "Mlu/s",
                    "bottleneck"])
    for run in runs:
        rate = run["lattice_updates_per_second"]
        times = [1e3 * time for time in run["seconds_per_iteration"]]
        middle = statistics.median(times)
        text += row([name_of(run), f"{run['grid']}²", exact(middle),
                     f"{100 * (max(times) - min(times)) / middle:.0f}",
                     exact(1e-9 * rate) if on_gpu else f"{1e-6 * rate:.0f}", bottleneck(run)])
    return text


def scaling_table(files):
    """Mlu/s on CPUs, µs per iteration on GPUs."""
    cells = {}
    for run in (run for file in files for run in runs_of(file)):
        if run["options"] or run["mapping"] == "structured":
            continue
        schedule, _, depth = run["schedule"].partition(":")
        rate = run["lattice_updates_per_second"]
        micros = exact(1e6 * statistics.median(run["seconds_per_iteration"]))
        figure = micros if run["gpu"] else f"{1e-6 * rate:.0f}"
        key = BACKENDS.index(run["backend"]), SCHEDULES.index(schedule)
        cells[run["grid"], key] = figure + (f" :{depth}" if depth and not run["gpu"] else "")
    order = sorted({key for _, key in cells})
    text = heading(["grid"] + [f"{BACKENDS[backend]} {SCHEDULES[schedule]}"
                               for backend, schedule in order])
    for grid in sorted({grid for grid, _ in cells}):
        text += row([f"{grid}²"] + [cells.get((grid, key), "–") for key in order])
    return text


def steps_table(files):
    rates = {(run["backend"], run["schedule"].split(":")[0], run["grid"]): run
             for file in files for run in runs_of(file)}
    grids = sorted({grid for _, _, grid in rates})
    text = heading(["schedule", "B per update", *(f"{grid}², {cores}" for grid in grids
                                                  for cores in ("one core", "two cores"))])
    for schedule, traffic in (("classic", "80"), ("fused", "24"), ("blocked", "24 / depth")):
        cells = []
        for grid in grids:
            for backend in ("serial", "threads"):
                run = rates.get((backend, schedule, grid))
                if not run:
                    cells.append("–")
                    continue
                depth = run["schedule"].partition(":")[2]
                rate = 1e-6 * run["lattice_updates_per_second"]
                cells.append(f"{rate:.0f}{depth and ' :' + depth}")
        text += row([f"`{schedule}`", traffic, *cells])
    return text


def costs_table(files):
    text = heading(["run", "time, relative to the bare run", "outside the loop, %"])
    for file in files:
        for cost in file.get("overhead", []) + file.get("drawing", []) + file.get("recording", []):
            low, high = cost["interval"]
            name = cost["name"].replace("with the screen", "with events, screen and recording")
            events = "outside_the_loop" not in cost
            text += row([f"{name}²{', with events'}" if events else name,
                         f"{cost['ratio']:.3f} [{low:.3f} {high:.3f}]",
                         "" if events else f"{100 * cost['outside_the_loop']:.2f}"])
    return text


WAYS = {"two, peer": "peer2", "two, MPI": "mpi2", "four, peer": "peer4", "four, MPI": "mpi4"}


def devices_table(files):
    text = heading(["schedule", "grid", "one", *WAYS])
    runs = [run for file in files for run in file["runs"] if "precision" not in run]
    for run in runs:
        text += row([f"`{run['schedule']}`", f"{run['grid']}²", exact(run["one"]),
                     *(exact(run[way]) for way in WAYS.values())])
    return text


def precision_table(files):
    text = heading(["run", "double, µs", "single", "mixed"])
    for run in (run for file in files for run in file["runs"]):
        median = {precision: statistics.median(run[precision])
                  for precision in ("double", "single", "mixed")}
        mapping = " structured" if run["mapping"] == "structured" else ""
        grid = f" {run['grid']}²" if "grid" in run else ""
        text += row([f"{run['backend']}{mapping} {run['schedule']}{grid}",
                     exact(median["double"]),
                     *(f"{median['double'] / median[precision]:.2f}×"
                       for precision in ("single", "mixed"))])
    return text


def programs_table(files):
    columns = ["H200 4096", "H200 1024", "H100 4096"]
    text = heading(["program", "leaves out", *(f"{column}²" for column in columns)])
    for program in (program for file in files for program in file["programs"]):
        text += row([program["name"], program["leaves_out"],
                     *(f"{program['us'][column]:g}" if column in program["us"] else "–"
                       for column in columns)])
    return text


def profile_table(files):
    text = heading(["kernel", "registers", "warps (of 64)", "memory", "FP64", "µs", "bottleneck"])
    for kernel in (kernel for file in files for kernel in file["kernels"]):
        first = kernel["kernel"] == "Laplacian"
        name = {"hip": "HIP: ", "omp": "OpenMP: "}[kernel["backend"]] if first else ""
        text += row([name + kernel["kernel"], f"{kernel['registers']:.0f}",
                     f"{kernel['warps']:.2g}", f"{kernel['memory_percent']:.0f} %",
                     f"{kernel['fp64_percent']:.0f} %", f"{kernel['us']:.3g}",
                     kernel["bottleneck"]])
    return text


RESULTS = [
    ("arrays copied around each kernel (`structured`)", "structured classic"),
    ("the same from pinned host memory", "structured classic pinned"),
    ("the blog's four kernels, optimised (`classic`)", "classic"),
    ("one kernel (`fused`)", "fused"),
    ("eight iterations per sweep (`blocked:8`)", "blocked:8"),
]


def results_table(files):
    runs = {name_of(run): 1e3 * statistics.median(run["seconds_per_iteration"])
            for run in runs_of(files[0]) if run["grid"] == 4096}
    programs = [1e-3 * program["us"]["H200 4096"] for program in files[1]["programs"][:2]]
    gpu = files[0]["machine"]["gpu"].split(",")[0]
    text = heading([f"ms per iteration, {gpu}", "HIP", "OpenMP"])
    for words, run in RESULTS:
        text += row([words, exact(runs[f"hip {run}"]), exact(runs[f"omp {run}"])])
    return text + row(["AMD's own program, four kernels", *map(exact, programs)])


KINDS = {"runs": runs_table, "scaling": scaling_table, "costs": costs_table,
         "steps": steps_table, "devices": devices_table, "precision": precision_table,
         "programs": programs_table, "profile": profile_table, "results": results_table}


def renew(document):
    """(the document's text, its updated text, the tables that differ)"""
    documents = os.path.relpath(FOLDER, os.path.dirname(os.path.realpath(document))) + "/"
    changed = []

    def made(match):
        begin, kind, names, end = match.groups()
        if kind not in KINDS:
            sys.exit(f"{document}: no table is called {kind}: {', '.join(KINDS)}")
        files = []
        for name in names.split():
            with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                files.append(json.load(file))
        origins = [origin(name, file, documents) for name, file in zip(names.split(), files)
                   if "rounds" in file and kind != "results"]
        text = begin + "\n" + "".join(origins) + KINDS[kind](files) + "\n" + end
        if text != match.group():
            changed.append(f"{kind} {names}")
        return text

    with open(document, encoding="utf-8") as file:
        before = file.read()
    return before, TABLE.sub(made, before), changed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; list the tables that differ")
    args = parser.parse_args()
    differ = False
    for document in args.documents:
        before, after, changed = renew(document)
        if not args.check and after != before:
            with open(document, "w", encoding="utf-8") as file:
                file.write(after)
        for table in changed:
            print(f"{document}: {'differs' if args.check else 'updated'}: {table}")
        differ = differ or bool(changed)
    sys.exit(1 if args.check and differ else 0)


if __name__ == "__main__":
    main()
