#!/usr/bin/env python3
"""The plots of docs/measurements are what scripts/bench-plot.py draws from the files beside them.

    tests/program/plots.py SOURCE_FOLDER
"""

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
        subprocess.run([sys.executable, source / "scripts" / "bench-plot.py", drawn, *files],
                       check=True)
        if drawn.read_bytes() != (folder / name).read_bytes():
            sys.exit(f"docs/measurements/{name} is not drawn from {pattern}: scripts/bench-plot.py "
                     f"docs/measurements/{name} docs/measurements/{pattern}")
