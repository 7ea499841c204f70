#!/usr/bin/env python3
"""Runs a compiler and shows its output only if it fails or warns.

Debian's hipcc runs rocm_agent_enumerator to find the machine's GPU; without a GPU, that prints a
harmless Python traceback.

usage: filter_warnings.py COMMAND...
"""
import subprocess
import sys


def main(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode != 0 or "warning:" in run.stdout:
        sys.stderr.write(run.stdout)
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
