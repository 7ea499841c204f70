#!/usr/bin/env python3
"""Measures the effort of porting the blog's four kernels to each programming model, in this
program's sources.

usage: effort.py OUTPUT ROOT FILE...

Counts the kernels of the schedule `plain`, written as in the blog; HIP's host side is in
kernels/hip/device/blog.hip. Counts lines inside functions, without blank lines, comments, and code
that only times the kernels.
"""
import os
import re
import sys

sys.dont_write_bytecode = True  # no files in the source tree
from excerpts import functions

PHASES = {'laplacian': 'Laplacian', 'boundary': 'BoundaryConditions',
          'update': 'Update', 'norm': 'Norm'}
TIMING = ('span', 'SPAN', '->timed', 'hip_note')
# Array copies: a map clause counts each of its arrays once per direction; a call counts one.
COPIES = (('copies_in', r'map\(to(?:from)? :([^)]*)'), ('copies_out', r'map\((?:to)?from :([^)]*)'),
          ('copies_in', r'hipMemcpy\(\*?d_\w+, *()'),
          ('copies_out', r'hipMemcpy\((?:RHS|U|AU|RES), *()'))


class Sources:
    def __init__(self, root, files):
        self.functions = []
        for path in files:
            with open(path, encoding='utf-8') as source:
                lines = source.read().split('\n')
            self.functions += [(os.path.relpath(path, root), name, text)
                               for _, name, text in functions(lines)]

    def find(self, folder, name, is_prefix=False):
        """The lines of the function's body, without comments; the last is the closing brace."""
        for path, found, text in self.functions:
            if path.startswith(folder) and (found.startswith(name) if is_prefix else found == name):
                body = re.sub(r'^ */\*.*?\*/[^\n]*$', '', text.partition('{\n')[2],
                              flags=re.S | re.M)
                return [line.strip(' ') for line in body.split('\n') if line.strip(' ')]
        return []

    def find_target(self, name):
        return self.find('kernels/omp/device/gpu/', name) or self.find('kernels/omp/', name)


class Effort:
    def __init__(self, serial):
        self.serial = serial
        self.counts = dict.fromkeys(('kernel_lines', 'kernel_new', 'host_lines', 'tuned_lines',
                                     'directives', 'launches', 'copies_in', 'copies_out',
                                     'copies_each_iteration'), 0)

    def add(self, where, lines):
        code = [line for line in lines[:-1] if not any(word in line for word in TIMING)]
        self.counts[where] += len(code)
        if where == 'tuned_lines':
            return
        for line in code:
            self.counts['directives'] += '#pragma omp' in line
            self.counts['launches'] += '<<<' in line
            for way, pattern in COPIES:
                for arrays in re.findall(pattern, line):
                    self.counts[way] += 1 + arrays.count(',')
            if where == 'kernel_lines':
                self.counts['kernel_new'] += line not in self.serial

    def row(self, model):
        counts = ', '.join('.%s = %d' % count for count in self.counts.items())
        return '    [%s] = {%s},\n' % (model, counts)


def count(sources):
    bodies = [sources.find('kernels/serial/', 'serial_' + phase) for phase in PHASES]
    known = {line for body in bodies for line in body}
    serial, structured, unstructured, hip = (Effort(known) for _ in range(4))
    for body in bodies:
        serial.add('kernel_lines', body)
    for phase, title in PHASES.items():
        for omp in structured, unstructured:
            omp.add('kernel_lines', sources.find_target('target_plain_' + phase))
            omp.add('tuned_lines', sources.find_target('target_' + phase))
        structured.add('host_lines', sources.find_target('target_%s_structured' % phase))
        hip.add('kernel_lines', sources.find('kernels/hip/device/', 'Plain' + title, True))
        hip.add('tuned_lines', sources.find('kernels/hip/device/', title, True))
        hip.add('host_lines', sources.find('kernels/hip/device/blog.hip', 'launch_' + phase))
    structured.counts['copies_each_iteration'] = 1
    for name in 'target_enter_classic', 'target_exit_classic':
        unstructured.add('host_lines', sources.find('kernels/omp/', name))
    for name in 'unstructured_enter', 'unstructured_exit':
        hip.add('host_lines', sources.find('kernels/hip/device/blog.hip', name))
    return {'SERIAL': serial, 'OMP_STRUCTURED': structured, 'OMP_UNSTRUCTURED': unstructured,
            'HIP': hip}


def main(output, root, *files):
    with open(output, 'w', encoding='utf-8') as table:
        table.write('/* Made by effort.py from the sources. */\n#include "explain/explain.h"\n\n'
                    'const struct effort efforts[MODEL_COUNT] = {\n')
        for model, effort in count(Sources(root, files)).items():
            table.write(effort.row('MODEL_' + model))
        table.write('};\n')


main(*sys.argv[1:])
