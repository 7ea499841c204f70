/* Small helpers for text that people read. */
#ifndef JACOBI_CORE_TEXT_H
#define JACOBI_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Replaces every control character of `text` by '?', in place: strings from files, drivers and the
 * command line must not reach a terminal as commands. UTF-8 passes; C1 controls, stray
 * continuation bytes and truncated sequences don't. */
void text_sanitize(char *text);

/* Whether `text` is longer than `ending` and ends in it. */
bool text_ends_in(const char *text, const char *ending);

/* The first clause of a reason, up to ":", ";" or "(", without a word and a colon before it: "no
 * GPU found" of "hip: no GPU found (…)". Returns `buffer`. */
char *text_clause(char *buffer, size_t size, const char *reason);

/* Which of several words was probably meant by one that is none of them: the nearest, if two
 * changes of a character make the one of the other (one, if it has three characters or less), or if
 * it begins with what was typed, four characters or more.
 *
 *     struct closest_match nearest = closest_match_init("serail");
 *     closest_match_try(&nearest, "serial");
 *     … nearest.question …: did you mean 'serial'?
 */
struct closest_match {
    const char *word;
    int distance;      /* of the nearest so far */
    char question[80]; /* ": did you mean 'serial'?", or "" */
};

struct closest_match closest_match_init(const char *word);
void closest_match_try(struct closest_match *nearest, const char *candidate);

/* Writes `size` bytes as base64 to `to`, which has text_base64_size(size) bytes, without a final
 * '\0'; returns how many it wrote. */
size_t text_base64(char *to, const uint8_t *bytes, size_t size);

static inline size_t text_base64_size(size_t size) {
    return (size + 2) / 3 * 4;
}

/* Prints a line, on a terminal broken at blanks so that what follows the first is indented by so
 * many columns. */
void text_item(FILE *out, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
