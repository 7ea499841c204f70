#!/usr/bin/env python3
"""Checks that the plots, tables and figures of the documents agree with the files in
docs/measurements, that scripts/bench --against compares two programs in turn, and that bench reads
the times of a recording.

    tests/program/plots.py SOURCE_FOLDER PROGRAM
"""

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

PLOTS = {"cpu-scaling.svg": "cpu-*.json", "h200-scaling.svg": "h200-*.json"}

source = pathlib.Path(sys.argv[1])
folder = source / "docs" / "measurements"
for name, pattern in PLOTS.items():
    files = sorted(folder.glob(pattern))
    with tempfile.TemporaryDirectory() as scratch:
        drawn = pathlib.Path(scratch) / name
        subprocess.run([sys.executable, folder / "plot.py", drawn, *files],
                       check=True)
        if drawn.read_bytes() != (folder / name).read_bytes():
            sys.exit(f"docs/measurements/{name} differs from its files: docs/measurements/plot.py "
                     f"docs/measurements/{name} docs/measurements/{pattern}")

TABLES = [sys.executable, folder / "tables.py"]
documents = [source / name for name in ("docs/measurements.md", "docs/faster.md", "README.md")]
if subprocess.run([*TABLES, "--check", *documents], check=False).returncode:
    sys.exit("a table differs from its files: "
             "docs/measurements/tables.py docs/measurements.md docs/faster.md README.md")

# A figure that was edited by hand is reported and restored.
with tempfile.TemporaryDirectory() as scratch:
    edited = pathlib.Path(scratch) / "measurements.md"
    text = documents[0].read_text(encoding="utf-8")
    edited.write_text(text.replace("| 8770 |", "| 8771 |", 1), encoding="utf-8")
    checked = subprocess.run([*TABLES, "--check", edited], check=False, capture_output=True,
                             text=True)
    if checked.returncode != 1 or "differs: runs targets-epyc.json" not in checked.stdout:
        sys.exit(f"a figure edited by hand was not reported: {checked.stdout}{checked.stderr}")
    subprocess.run([*TABLES, edited], check=True, capture_output=True)
    if "| 8771 |" in edited.read_text(encoding="utf-8"):
        sys.exit("docs/measurements/tables.py has not restored the edited figure")

# scaling_model.py must print every row of the model's tables in scaling.md.
def cells_of(row):
    return [cell.strip(" *") for cell in row.strip("|").split("|")]


model = subprocess.run([sys.executable, folder / "scaling_model.py"], check=True,
                       capture_output=True, text=True).stdout.splitlines()
modelled = {tuple(cells_of(row)[2:]) for row in model if row.startswith("| ")}
scaling = (source / "docs/scaling.md").read_text(encoding="utf-8").splitlines()
rows = [cells_of(row) for row in scaling if row.startswith("|")]
rows = [row for row in rows if len(row) > 6 and (row[2] in ("peer", "MPI") or row[2].isdigit())]
for row in rows:
    if tuple(row[2:]) not in modelled:
        sys.exit(f"docs/scaling.md: scaling_model.py does not print the row {row}")
if len(rows) < 17:
    sys.exit(f"docs/scaling.md: only {len(rows)} rows of the model were found")


# Figures in sentences, each computed from the files.
def runs_of(name):
    file = json.loads((folder / f"targets-{name}.json").read_text(encoding="utf-8"))
    return {(run["backend"], run["mapping"] if run["mapping"] == "structured" else "",
             run["schedule"], run["grid"]): run for run in file["runs"] if not run.get("options")}


def ms(runs, backend, schedule, mapping=""):
    return 1e3 * statistics.median(runs[backend, mapping, schedule, 4096]["seconds_per_iteration"])


h200, epyc = runs_of("h200"), runs_of("epyc")
classic, fused, blocked = (ms(h200, "hip", name) for name in ("classic", "fused", "blocked:8"))
rate, two, most = (1e-6 * epyc[key]["lattice_updates_per_second"] for key in
                   (("serial", "", "classic", 4096), ("threads", "", "classic", 4096),
                    ("threads", "", "blocked:24", 4096)))
core, card = epyc["serial", "", "classic", 4096]["roof"], h200["hip", "", "blocked:8", 4096]["roof"]
SENTENCES = {
    "README.md": [f"takes 160 to {ms(h200, 'omp', 'classic', 'structured'):.0f} ms.",
                  f"it takes {ms(h200, 'omp', 'classic'):.3f} ms",
                  f"is {classic / fused:.1f} times as fast",
                  f"an iteration is {classic / blocked:.0f} times as fast"],
    "docs/faster.md": [f"is {most / two:.0f} times as fast as four",
                       f"a GPU it is {classic / blocked:.0f} times as fast.",
                       f"reaches {core['gflops']:.0f} GFLOP/s",
                       f"{rate:.0f} Mlu/s at 80 B is {80e-3 * rate:.0f} GB/s, "
                       f"{8 * rate / core['bandwidth_gbs']:.0f} % of",
                       f"to {1e3 * blocked:.1f} µs per iteration",
                       f"`classic` takes {1e3 * classic:.0f}, `fused` {1e3 * fused:.0f}.",
                       f"would allow {3e-3 * 4096**2 / card['bandwidth_gbs']:.1f}."],
    "presets/h200.ini": [f"kernels: {1e3 * classic:.0f} ms for 1000 ; iterations",
                         f"({1e3 * fused:.0f} ms) and temporal blocking ({1e3 * blocked:.0f} ms)"],
}
for name, sentences in SENTENCES.items():
    text = " ".join((source / name).read_text(encoding="utf-8").split())
    for sentence in sentences:
        if sentence not in text:
            sys.exit(f"{name} lacks a figure from docs/measurements: {sentence}")

# Compares a program with itself; a file that is no program must be reported. Checks no times, only
# that they exist.
BENCH = [sys.executable, source / "scripts" / "bench", "--program", sys.argv[2],
         "--backends", "serial", "--grids", "64", "--rounds", "2", "--seconds", "0.01"]
with tempfile.TemporaryDirectory() as scratch:
    output = pathlib.Path(scratch) / "against.json"
    os.environ["XDG_CACHE_HOME"] = scratch  # the tuner's results
    run = subprocess.run([*BENCH, "--against", sys.argv[2], "--output", output], check=True,
                         capture_output=True, text=True)
    compared = json.loads(output.read_text(encoding="utf-8"))["against"]
    names = [case["name"] for case in compared]
    if names != ["serial classic 64²", "serial fused 64²", "serial blocked 64²"]:
        sys.exit(f"bench --against compared {names}: {run.stdout}{run.stderr}")
    if any(len(case["seconds_per_iteration"]) != 2 or case["ratio"] <= 0 for case in compared):
        sys.exit(f"bench --against has no pair per round: {compared}")
    if run.stdout.count("few pairs") != 3:
        sys.exit(f"bench --against gave two pairs an interval: {run.stdout}")
    missing = subprocess.run([*BENCH, "--against", output], check=False, capture_output=True,
                             text=True)
    if (missing.returncode != 1 or "not a program" not in missing.stderr
            or "Traceback" in missing.stderr):
        sys.exit(f"bench --against FILE that is no program: {missing.stderr}")

# A recording's times of an iteration: the whole, and the part outside the loop.
loader = importlib.machinery.SourceFileLoader("bench", str(source / "scripts" / "bench"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
sys.dont_write_bytecode = True
loader.exec_module(bench)
measured = bench.Bench(sys.argv[2], 1, 0.01, None)
pace, outside, _ = bench.with_recording(measured, bench.Case("serial", "fused", grid=512,
                                                             iterations=4000))
if not (0 < pace < 1 and outside < pace):
    sys.exit(f"bench: a recording has {pace} s per iteration, {outside} of them outside the loop")
