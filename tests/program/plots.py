#!/usr/bin/env python3
"""The plots of docs/measurements are what plot.py there draws from the files beside them, and the
tables of the documents what tables.py makes of them.
And scripts/bench --against compares two programs in turn.

    tests/program/plots.py SOURCE_FOLDER PROGRAM
"""

import json
import os
import pathlib
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
            sys.exit(f"docs/measurements/{name} is not drawn from {pattern}: "
                     f"docs/measurements/plot.py docs/measurements/{name} docs/measurements/{pattern}")

TABLES = [sys.executable, folder / "tables.py"]
documents = [source / name for name in ("docs/measurements.md", "docs/faster.md", "README.md")]
if subprocess.run([*TABLES, "--check", *documents], check=False).returncode:
    sys.exit("a table differs from its files: docs/measurements/tables.py docs/measurements.md docs/faster.md README.md")

# A figure that was edited by hand is reported and restored.
with tempfile.TemporaryDirectory() as scratch:
    edited = pathlib.Path(scratch) / "measurements.md"
    text = documents[0].read_text(encoding="utf-8")
    edited.write_text(text.replace("| 8770 |", "| 8771 |", 1), encoding="utf-8")
    checked = subprocess.run([*TABLES, "--check", edited], check=False, capture_output=True, text=True)
    if checked.returncode != 1 or "another table: runs targets-epyc.json" not in checked.stdout:
        sys.exit(f"a figure edited by hand was not reported: {checked.stdout}{checked.stderr}")
    subprocess.run([*TABLES, edited], check=True, capture_output=True)
    if "| 8771 |" in edited.read_text(encoding="utf-8"):
        sys.exit("docs/measurements/tables.py has not restored the edited figure")

# A program is compared with itself; what no program is, is told. (No times: only that they are there.)
BENCH = [sys.executable, source / "scripts" / "bench", "--program", sys.argv[2], "--backends", "serial",
         "--grids", "64", "--rounds", "2", "--seconds", "0.01"]
with tempfile.TemporaryDirectory() as scratch:
    output = pathlib.Path(scratch) / "against.json"
    os.environ["XDG_CACHE_HOME"] = scratch  # what a trial has chosen
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
    missing = subprocess.run([*BENCH, "--against", output], check=False, capture_output=True, text=True)
    if missing.returncode != 1 or "not a program" not in missing.stderr or "Traceback" in missing.stderr:
        sys.exit(f"bench --against FILE that is no program: {missing.stderr}")
