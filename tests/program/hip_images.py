#!/usr/bin/env python3
"""Checks the compiled kernels without a GPU, and prints the resources that they use.

Every image must have every kernel that the host launches, with the arguments that the host passes
and the launch bounds of the source. No kernel may use scratch memory, more shared memory than a
block can have, or more registers than CEILINGS allows. On sm_90, each kernel of a graph must wait
for earlier kernels before it accesses memory. If NVIDIA's ptxas is installed, PTX must assemble for
sm_90.

usage: hip_images.py READELF KERNELS.c IMAGE...
"""
import glob
import math
import operator
import os
import re
import shutil
import subprocess
import sys
import tempfile

SIZES = {"i": 4, "l": 8, "f": 4, "d": 8, "p": 8}
LDS_BYTES = 64 << 10

# From gfx90a on the waves of a SIMD, 8 at most, share 512 registers per lane: 64 registers allow 8
# waves, 128 allow 4, and 168 allow 3. Streaming kernels need all 8. Shared memory limits Blocked to
# 2 blocks of 2 waves on the 4 SIMDs, 1 wave each, which may use all 512 registers. Two levels need
# no AGPRs, which cost moves. Clang 23 unrolls Restriction.
CEILINGS = {architecture: {"Blocked4": 256, "Blocked4Any": 256, "Blocked8": 512, "Blocked8Any": 512,
                           "Restriction": 80}
            for architecture in ("gfx90a", "gfx942", "gfx950")}
CEILING_OF_STREAMS = 64
# The kernels recorded in graphs (kernels/hip/classic.c, methods.c).
IN_GRAPHS = {"Laplacian", "BoundaryConditions", "Update", "Norm", "ChebyshevUpdate", "ColourUpdate",
             "Sweep", "Restriction", "Prolongation"}
OF_DOUBLE = ("ChebyshevUpdate", "ColourUpdate", "Sweep", "Restriction", "Prolongation", "Triad",
             "MultiplyAdd")
failures = []


def fail(image, text):
    failures.append(f"{os.path.basename(image)}: {text}")


def signatures(path, image):
    of_float = "-single." in os.path.basename(image)
    table = re.findall(r'\{"(\w+)", "([ildrp]+)"\}', open(path).read())
    assert len(table) >= 10, f"{path}: no table of signatures"
    return {name: arguments.replace("r", "f" if of_float else "d")
            for name, arguments in table if not of_float or name not in OF_DOUBLE}


def launch_bounds(folder, architecture, wave):
    """{kernel: maximum threads per block}, from the sources."""
    values = {}
    for path in glob.glob(os.path.join(folder, "*")) + [os.path.join(folder, "amd", "vendor.h")]:
        if os.path.isfile(path):
            text = open(path).read()
            for constants in re.findall(r"static const int ([^;]*);", text):
                values.update((name, int(number)) for name, number in
                              re.findall(r"(\w+) = (\d+)(?:,|$)", constants))
    text = open(os.path.join(folder, "amd", "vendor.h")).read()
    of_some = re.search(r"#if (.*)\nstatic const int LEVELS_MAX = (\d+);", text)
    if f"__{architecture}__" in of_some[1]:
        values["LEVELS_MAX"] = int(of_some[2])
    values["WAVE"] = wave
    bounds = {}
    for path in glob.glob(os.path.join(folder, "*.hip")):
        for threads, name in re.findall(r"__launch_bounds__\(([^),]+)[^)]*\)\s+void (\w+)\(",
                                        open(path).read()):
            value = lambda word: values.get(word) or int(word)
            bounds[name] = math.prod(int(operator.truediv(*map(value, f.split(" / "))))
                                     if " / " in f else value(f) for f in threads.split(" * "))
    return bounds


def parse_kernels(notes):
    """[{name, args: [(size, is_pointer)], …}] from the metadata that readelf prints as YAML."""
    section = notes.split("amdhsa.kernels:")[1].split("amdhsa.target")[0]
    for block in re.split(r"\n  - ", section)[1:]:
        field = lambda name: int((re.search(rf"\.{name}: +(\d+)", block) or [0, 0])[1])
        args = []
        for arg in re.split(r"\n      - ", block.split(".group_segment_fixed_size")[0])[1:]:
            kind = re.search(r"\.value_kind: +(\w+)", arg)[1]
            if not kind.startswith("hidden"):
                args.append((int(re.search(r"\.size: +(\d+)", arg)[1]), kind == "global_buffer"))
        name = re.search(r"\n    \.name: +(\w+)", block)[1]
        yield name, args, field


def check_code_object(readelf, image, wanted):
    notes = subprocess.run([readelf, "--notes", image], capture_output=True, text=True, check=True)
    found = {}
    architecture = os.path.basename(image).removesuffix(".co").removesuffix("-single")
    wave = 64 if architecture.startswith("gfx9") else 32
    bounds = launch_bounds(os.path.join(os.path.dirname(kernels), "device"), architecture, wave)
    for name, args, field in parse_kernels(notes.stdout):
        found[name] = args
        # Scalar registers spill to lanes of vectors, and clang 21 spills vectors to AGPRs.
        scratch = field("private_segment_fixed_size")
        print(f"{os.path.basename(image):12} {name:20} {field('vgpr_count'):4} VGPR "
              f"{field('group_segment_fixed_size'):6} B LDS")
        if scratch:
            fail(image, f"{name} uses {scratch} bytes of scratch memory")
        if field("wavefront_size") != wave:
            fail(image, f"{name}: waves of {field('wavefront_size')}, should be {wave}")
        if field("max_flat_workgroup_size") != bounds[name]:
            fail(image, f"{name}: at most {field('max_flat_workgroup_size')} threads per block, "
                 f"{bounds[name]} in the source")
        if field("group_segment_fixed_size") > LDS_BYTES:
            fail(image, f"{name}: more than {LDS_BYTES} bytes of shared memory")
        ceiling = CEILINGS.get(architecture, {name: 512}).get(name, CEILING_OF_STREAMS)
        if field("vgpr_count") > ceiling:
            fail(image, f"{name}: {field('vgpr_count')} registers, the ceiling is {ceiling}")
    for name, arguments in wanted.items():
        expected = [(SIZES[a], a == "p") for a in arguments]
        if found.get(name) != expected:
            fail(image, f"{name}: arguments {found.get(name)}, the host passes {expected}")


def assemble(image):
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not os.path.exists(ptxas):
        print("ptxas is not installed: PTX not assembled")
        return
    with tempfile.NamedTemporaryFile() as output:
        run = subprocess.run([ptxas, "-v", "-arch=sm_90", image, "-o", output.name],
                             capture_output=True, text=True)
    if run.returncode:
        fail(image, "ptxas: " + run.stderr)
    report = re.findall(r"function '(\w+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers"
                        r"(?:.*?(\d+) bytes smem)?", run.stderr.replace("\n", " "))
    for name, spilled, registers, _ in report:
        print(f"sm_90        {name:20} {registers:>4} registers")
        if spilled != "0":
            fail(image, f"{name} spills {spilled} bytes on sm_90")


def check_ptx(image, wanted):
    text = open(image).read()
    types = {"i": "u32", "l": "u64", "f": "f32", "d": "f64", "p": "u64"}
    for name, arguments in wanted.items():
        entry = re.search(rf"\.entry {name}\((.*?)\)", text, re.S)
        found = re.findall(r"\.param \.(\w+)", entry[1]) if entry else None
        if found != [types[a] for a in arguments]:
            fail(image, f"{name}: arguments {found}, the host passes {arguments}")
    if re.search(r"\b(add|sub|mul|fma)\.f(32|64)", text):
        fail(image, "arithmetic without a rounding mode: it may be contracted")
    if os.path.basename(image).startswith("sm_90"):
        for name in wanted.keys() & IN_GRAPHS:
            body = re.search(rf"\.entry {name}\(.*?^}}", text, re.S | re.M)[0]
            if "griddepcontrol.wait" not in re.split(r"\b(?:ld|st|atom)\.global", body)[0]:
                fail(image, f"{name} does not wait for earlier kernels before it accesses memory")
    assemble(image)


def check_paths(kernels, image):
    """An image in a folder with any name is embedded byte for byte."""
    compiler = shutil.which("clang") or shutil.which("clang-19") or shutil.which("gcc")
    with tempfile.TemporaryDirectory(prefix='ä"\\ ') as folder:
        copy, table, data, built = (os.path.join(folder, name) for name in
                                    (os.path.basename(image), "table.c", "data.S", "data.o"))
        shutil.copy(image, copy)
        subprocess.run([sys.executable, os.path.join(os.path.dirname(kernels), "images.py"), table,
                        data, "", copy], check=True)
        run = subprocess.run([compiler, "-c", data, "-o", built], capture_output=True, text=True)
        if run.returncode or open(image, "rb").read() not in open(built, "rb").read():
            fail(image, f"not embedded from {folder}: {run.stderr}")


readelf, kernels = sys.argv[1:3]
check_paths(kernels, sys.argv[3])
for image in sys.argv[3:]:
    if image.endswith(".ptx"):
        check_ptx(image, signatures(kernels, image))
    else:
        check_code_object(readelf, image, signatures(kernels, image))
print("\n".join(failures), file=sys.stderr)
sys.exit(1 if failures else 0)
