#!/usr/bin/env python3
"""Makes the lists of the man page and the completions of the shells from the program's table of
options.

usage: documents.py PROGRAM man-options|man-keys|bash|zsh|fish > OUTPUT

The completions run `jacobi-tui --generate` for values that can differ between users, such as
presets.
"""
import json
import re
import subprocess
import sys


def takes_file(option):
    return 'FILE' in option['argument'] or option['argument'] == 'DIR'


def takes_command(option):
    return option['argument'] == 'COMMAND'


def takes_list(option):
    """Whether the value is a comma-separated list of known words."""
    return option['generated'] and ',' in option['argument']


def has_values(option):
    return option['words'] or option['generated'] or takes_file(option) or takes_command(option)


def escape(text, special, quote=None):
    """Puts a backslash before characters in `special`, and `quote` in place of single quotes."""
    text = re.sub('([%s])' % re.escape(special), r'\\\1', text)
    return text.replace("'", quote) if quote else text


# ---- the man page, in scdoc's language: '*', '_' and '\\' are markup

def man_entry(row, is_option):
    scdoc = '*_\\#`'
    dashes = '--' if is_option else ''
    letter = '-%s*, *' % row['letter'] if is_option and row['letter'] else ''
    name = row['name'] if is_option else row['name'].replace('-', '\\_')
    argument = ' _%s_' % escape(row['argument'], scdoc) if is_option and row['argument'] else ''
    lines = []
    if row['help']:  # as a sentence: a capital, and a full stop unless it ends in '?'
        text = row['help'][0].upper() + row['help'][1:]
        lines.append(escape(text, scdoc) + ('' if text.endswith('?') else '.'))
    if row['allowed']:
        lines.append('Allowed: %s.' % escape(row['allowed'], scdoc))
    return '*%s%s%s*%s\n\t%s\n\n' % (letter, dashes, name, argument, ' '.join(lines))


def man_options(rows):
    return '# OPTIONS\n\n' + ''.join(man_entry(row, True) for row in rows if row['shown'])


def man_keys(rows):
    sections = dict.fromkeys(row['section'] for row in rows if row['section'])
    return ''.join('## [%s]\n\n' % section +
                   ''.join(man_entry(row, False) for row in rows if row['section'] == section)
                   for section in sections)


# ---- completions

BASH = '''# bash completion for jacobi-tui, made from its table of options
# Prints each line that begins with $1, after $2. compgen -W would expand code in the lines.
_jacobi_tui_words() {
    local word
    while IFS= read -r word; do
        if [[ $word == "$1"* ]]; then printf '%%s\n' "$2$word"; fi
    done
}
_jacobi_tui() {
    # bash splits --option=value into three words, and also splits a@b
    local line=${COMP_LINE:0:COMP_POINT} words
    local cur=${line##*[[:space:]]}
    read -ra words <<<"${line%%"$cur"}"
    local prev=${words[-1]}
    if [[ $cur == --*=* ]]; then prev=${cur%%%%=*} cur=${cur#*=}; fi
    COMPREPLY=()
    if [[ $cur != -* ]]; then case $prev in
%s    %s)
        return ;;
    esac; fi
    mapfile -t COMPREPLY < <(printf '%%s\n' %s | _jacobi_tui_words "$cur")
}
complete -F _jacobi_tui jacobi-tui
'''

# Completes the last item of a list. bash replaces only the text after the last character that
# breaks words, such as '=', or from '@' on.
BASH_LIST = '''        local before=${cur%"${cur##*,}"} kept=${cur%"${cur##*[$COMP_WORDBREAKS]}"}
        compopt -o nospace
'''


def bash_values(option):
    is_list = takes_list(option)
    match = ' | _jacobi_tui_words ' + ('"${cur##*,}" "$before"' if is_list else '"$cur"')
    sources = []
    if option['generated']:
        sources.append('"$1" --generate %s 2>/dev/null' % option['generated'] + match)
    if option['words']:
        sources.append("printf '%%s\\n' %s" % ' '.join(option['words']) + match)
    if takes_file(option) or takes_command(option):
        sources.append('compgen %s -- "$cur"' % ('-f' if takes_file(option) else '-c'))
    text = '    --%s)\n' % option['name'] + (BASH_LIST if is_list else '')
    if takes_file(option): # bash quotes file names
        text += '        compopt -o filenames\n'
    text += '        mapfile -t COMPREPLY < <(%s)\n' % '; '.join(sources)
    if is_list:
        text += '        COMPREPLY=("${COMPREPLY[@]#"${kept%@}"}")\n'
    return text + '        return ;;\n'


def bash(rows):
    valued = [row for row in rows if row['option'] and row['argument']]
    return BASH % (''.join(bash_values(row) for row in valued if has_values(row)),
                   '|'.join('--' + row['name'] for row in valued if not has_values(row)),
                   ''.join('--%s ' % row['name'] for row in rows if row['shown']))


def zsh_values(option):
    command = '${(f)"$($words[1] --generate %s 2>/dev/null)"}' % option['generated']
    values = ''
    if takes_list(option):
        values = '{_sequence compadd -S "" - %s}' % command
    elif option['generated']:
        values = '{compadd -- %s%s}' % (command, '; _files' if takes_file(option) else '')
    elif takes_command(option):
        values = '_cmdstring'
    elif takes_file(option):
        values = '_files'
    elif option['words']:
        values = '(%s)' % ' '.join(option['words'])
    colons = '::' if option['argument'].startswith('[') else ':'
    return colons + escape(option['argument'], '[]:\\', "'\\''") + ':' + values


def zsh(rows):
    text = ('#compdef jacobi-tui\n# zsh completion for jacobi-tui, made from its table of options\n'
            '_arguments')
    for row in rows:
        if row['shown']:
            text += " \\\n  '--%s%s[%s]%s'" % (row['name'], '=' if row['argument'] else '',
                                              escape(row['help'], '[]:\\', "'\\''"),
                                              zsh_values(row) if row['argument'] else '')
    return text + '\n'


def fish_option(option):
    text = 'complete -c jacobi-tui -l ' + option['name']
    if option['letter']:
        text += ' -s ' + option['letter']
    if option['argument']:
        command = 'jacobi-tui --generate %s 2>/dev/null' % option['generated']
        text += ' -r -F' if takes_file(option) else ' -x'
        if takes_list(option):
            text += " -a '(__fish_complete_list , \"%s\")'" % command
        elif option['generated']:
            text += " -a '(%s)'" % command
        if takes_command(option):
            text += " -a '(__fish_complete_command)'"
        if option['words']:
            text += " -a '%s'" % ' '.join(option['words'])
    return text + " -d '%s'\n" % escape(option['help'], '\\', "\\'")


def fish(rows):
    return ('# fish completion for jacobi-tui, made from its table of options\n'
            'complete -c jacobi-tui -f\n'
            + ''.join(fish_option(row) for row in rows if row['shown']))


DOCUMENTS = {'man-options': man_options, 'man-keys': man_keys,
             'bash': bash, 'zsh': zsh, 'fish': fish}

program, document = sys.argv[1:]
table = subprocess.run([program, '--generate', 'options'], stdout=subprocess.PIPE,
                       check=True).stdout
sys.stdout.reconfigure(encoding='utf-8')
sys.stdout.write(DOCUMENTS[document](json.loads(table)))
