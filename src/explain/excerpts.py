#!/usr/bin/env python3
"""Makes a C table of the functions of some sources, so that the program can show its own kernels.

usage: excerpts.py OUTPUT ROOT FILE...

Relies on the tree's clang-format: a definition begins in the first column and ends with a '}'
there.
"""
import os
import re
import sys

NOT_A_FUNCTION = re.compile(
    r'^(typedef|(struct|enum|union)\b(?!.*\()|#|/|\*|\}|template\b(?!.*\())')
DECORATION = re.compile(r'__(launch_bounds__|attribute__)\s*\((\([^()]*\)|[^()])*\)')


def name_of(head):
    found = re.search(r'(\w+)\s*\(', DECORATION.sub('', head))
    return found.group(1) if found else None


def functions(lines):
    """Yields (number of the first line, name, text) of each definition."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and line[:1].isalpha() | line.startswith('_'):
            start, head = number, ''
        if start is None:
            continue
        if head is not None:
            head += line
            if line.endswith(';') or NOT_A_FUNCTION.match(head):
                start = None
            elif line.endswith('{'):
                name, head = name_of(head), None
                start = start if name else None
        elif line == '}':
            yield start, name, '\n'.join(lines[start - 1:number])
            start = None


def quoted(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n"\n    "') + '"'


def main(output, root, *files):
    rows = []
    for path in files:
        with open(path, encoding='utf-8') as source:
            lines = source.read().split('\n')
        shown = os.path.relpath(path, root)
        rows += [f'    {{"{shown}", {line}, "{name}",\n    {quoted(text)}}},'
                 for line, name, text in functions(lines)]
    with open(output, 'w', encoding='utf-8') as table:
        table.write('/* Made by excerpts.py from the sources that it names. */\n'
                    '#include "explain/explain.h"\n\n'
                    'const struct excerpt excerpts[] = {\n' + '\n'.join(rows) + '\n    {0},\n};\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
