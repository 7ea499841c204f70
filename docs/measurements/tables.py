#!/usr/bin/env python3
"""Renews the tables of a document from the files that scripts/bench wrote.

    docs/measurements/tables.py [--check] docs/measurements.md

A table stands between two lines of its own,

    <!-- table: KIND FILE.json... -->
    <!-- end of table -->

and FILEs lie in the folder beside the document that has its name without ".md". KIND says what is shown:

    runs      a row per run: its times, share of its wall and, if anything is asked of it (TARGETS in
              scripts/bench), this run, limit and goal
    scaling   a row per grid, a column per back end and schedule
    costs     a row per cost: of events, the screen and recording

Above each table a line says which machine, commit and hour its files are of. Writes the document; with --check
leaves it alone and names each table that its files would make otherwise (exit status 1).
"""

import argparse
import datetime
import importlib.machinery
import importlib.util
import json
import os
import re
import sys

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/bench")
LOADER = importlib.machinery.SourceFileLoader("bench", BENCH)
sys.dont_write_bytecode = True
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", LOADER))
sys.modules["bench"] = bench  # dataclasses look their module up
LOADER.exec_module(bench)

TABLE = re.compile(r"(<!-- table: (\w+) ([\w. -]+?) -->\n).*?(<!-- end of table -->\n)", re.DOTALL)
BACKENDS, SCHEDULES = ["serial", "threads", "omp", "hip"], ["classic", "fused", "blocked"]


def read_case(run, machine):
    """The bench.Case that wrote this run, with what it reached."""
    gpu = run["gpu"]
    stood = (run["wall"], run["share_of_wall"]) if "wall" in run else None
    return bench.Case(
        run["backend"], run["schedule"].split(":")[0], run["mapping"], run["grid"], tuple(run["options"]),
        run["iterations"], run["seconds_per_iteration"], {}, run["device"], run["schedule"],
        run["failure"] or "", gpu, int(machine["gpu_l2_bytes" if gpu else "l3_bytes"] or 0), run.get("roof"),
        stood=stood)


def cases_of(file):
    return [case for run in file["runs"] if (case := read_case(run, file["machine"])).seconds]


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def heading(columns):
    return row(columns) + "|" + "---|" * len(columns) + "\n"


def exact(value):
    """Three digits at least, and no exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}" if value >= 0.001 else f"{value:.6f}"


def runs_table(files):
    text = heading(["run", "grid", "iterations per run", "ms per iteration, median", "best", "Mlu/s", "spread",
                    "of its wall", "this run", "limit", "goal", ""])
    for file in files:
        cases = cases_of(file)
        for case in cases:
            bench.judge(case, cases)
            wall, share = case.stand()
            target = case.target or {}
            unit = target.get("unit")
            against = "" if unit in (None, "ms", "Mlu/s", "memory") else f", against {unit}"
            middle = 1e3 * bench.statistics.median(case.seconds)
            text += row([
                case.name.replace(case.schedule, case.really, 1), f"{case.grid}²", str(case.iterations),
                exact(middle), exact(1e3 * min(case.seconds)), f"{1e-6 * case.rate():.0f}",
                f"{100 * case.spread():.0f}%",
                "–" if wall is None else wall if share is None else f"{100 * share:.0f}% {wall}",
                *(bench.in_unit(target[key], unit) if target else "" for key in ("this_run", "limit", "goal")),
                target.get("verdict", "") + against])
    return text


def scaling_table(files):
    """Mlu/s on CPUs; on GPUs µs per iteration and, in brackets, Glu/s."""
    cells, order = {}, []
    for file in files:
        for case in cases_of(file):
            if case.options or case.mapping == "structured":
                continue
            key = (BACKENDS.index(case.backend), SCHEDULES.index(case.schedule))
            order = sorted({*order, key})
            depth = case.really.partition(":")[2]
            micros = exact(1e6 * bench.statistics.median(case.seconds))
            figure = f"{micros} ({exact(1e-9 * case.rate())})" if case.gpu else f"{1e-6 * case.rate():.0f}"
            cells[case.grid, key] = figure + (f" :{depth}" if depth else "")
    text = heading(["grid"] + [f"{BACKENDS[backend]} {SCHEDULES[schedule]}"
                               for backend, schedule in order])
    for grid in sorted({grid for grid, _ in cells}):
        text += row([f"{grid}²"] + [cells.get((grid, key), "–") for key in order])
    return text


def costs_table(files):
    text = heading(["run", "ratio to the run without", "at most", "", "outside the loop"])
    for file in files:
        for cost in file.get("overhead", []):
            low, high = cost.get("interval", (None, None))  # older files have none
            interval = "" if low is None else f" [{low:.3f} {high:.3f}]"
            text += row([f"{cost['name']}², with events", f"{cost['ratio']:.3f}{interval}", f"{cost['most']:g}",
                         cost["verdict"], ""])
        for cost in file.get("drawing", []) + file.get("recording", []):
            low, high = cost["interval"]
            name = cost["name"].replace("with the screen", "with events, screen and recording")
            text += row([name, f"{cost['ratio']:.3f} [{low:.3f} {high:.3f}]", f"{cost['most']:g}",
                         cost["verdict"], f"{100 * cost['outside_the_loop']:.2f}%"])
    return text


def origin(name, file):
    """Which machine, commit and hour a file is of."""
    machine = file["machine"]
    time = datetime.datetime.fromisoformat(machine["time"])
    mebibytes = {level: f"{int(machine[f'{level}_bytes'] or 0) / 2**20:g} MiB of {level.upper()}"
                 for level in ("l2", "l3")}
    parts = [machine["gpu"], machine["cpu"], f"{machine['processors']} processors", *mebibytes.values(),
             f"commit {machine['commit']}", f"{time.day} {time:%B %Y, %H:%M} UTC",
             f"load {machine['load']:.1f} at the start", f"{file['rounds']} rounds"]
    return f"[`{name}`](measurements/{name}): " + ", ".join(part for part in parts if part) + ".\n"


KINDS = {"runs": runs_table, "scaling": scaling_table, "costs": costs_table}


def renew(document):
    """(the document's text, what its files make of it, the tables that differ)"""
    folder = document.removesuffix(".md")
    changed = []

    def made(match):
        begin, kind, names, end = match.groups()
        if kind not in KINDS:
            sys.exit(f"{document}: no table is called {kind}: {', '.join(KINDS)}")
        files = []
        for name in names.split():
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                files.append(json.load(file))
        text = (begin + "\n" + "\n".join(map(origin, names.split(), files)) + "\n" + KINDS[kind](files) + "\n"
                + end)
        if text != match.group():
            changed.append(f"{kind} {names}")
        return text

    with open(document, encoding="utf-8") as file:
        before = file.read()
    return before, TABLE.sub(made, before), changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("document")
    parser.add_argument("--check", action="store_true", help="write nothing; say which tables differ")
    args = parser.parse_args()
    before, after, changed = renew(args.document)
    if not args.check and after != before:
        with open(args.document, "w", encoding="utf-8") as file:
            file.write(after)
    for table in changed:
        print(f"{args.document}: {'another table' if args.check else 'renewed'}: {table}")
    sys.exit(1 if args.check and changed else 0)


if __name__ == "__main__":
    main()
