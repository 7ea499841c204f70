#!/usr/bin/env python3
"""Writes the table of kernel images and the assembly that embeds them in the program.

usage: images.py TABLE.c DATA.S WITHOUT_AMD IMAGE...

An image is a file named ARCHITECTURE.co or ARCHITECTURE.ptx; if its kernels are in float, the name
has ARCHITECTURE-single. WITHOUT_AMD is the reason why AMD's images were not built, or empty. PTX is
text and is terminated by a zero byte.
"""
import json
import os
import sys


def escaped(path):
    """The path as a string for the assembler: bytes other than printable ASCII in octal."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:03o}"
        for byte in os.fsencode(path)
    )


table_path, data_path, without_amd = sys.argv[1:4]
images = [(os.path.splitext(os.path.basename(path))[0].replace("-", "_"), path)
          for path in sys.argv[4:]]

with open(data_path, "w") as data:
    data.write("    .section .rodata\n")
    for name, path in images:
        data.write(
            f"    .balign 4096\n    .globl jacobi_image_{name}, jacobi_image_{name}_end\n"
            f'jacobi_image_{name}:\n    .incbin "{escaped(os.path.abspath(path))}"\n'
            f"jacobi_image_{name}_end:\n    .byte 0\n"
        )
    data.write('    .section .note.GNU-stack, "", %progbits\n')

with open(table_path, "w") as table:
    table.write('#include "kernels/hip/devices.h"\n\n')
    for name, path in images:
        size = os.path.getsize(path)
        table.write(f"extern const char jacobi_image_{name}[{size}];\n")
    table.write("\nconst struct hip_image hip_images[] = {\n")
    for name, _ in images:
        if not name.endswith("_single"):
            table.write(f'    {{"{name}", {{jacobi_image_{name}, jacobi_image_{name}_single}}}},\n')
    table.write("    {0},\n};\n\n")
    table.write(f"const char *const hip_images_without_amd = {json.dumps(without_amd)};\n")
