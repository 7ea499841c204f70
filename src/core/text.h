/* Functions for text shown to the user. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decodes the first character of a UTF-8 text (RFC 3629). Returns its length in bytes, 1 to 4; 0 if
 * the bytes are malformed. */
int text_decode(const char *text, uint32_t *point);

/* Whether a terminal shows the character: it is not a control character, does not change the
 * direction of others, ends no line, and is not invisible by itself. */
bool text_is_visible(uint32_t point);

/* Replaces malformed or invisible characters by '?', in place: strings from files, drivers and the
 * command line must not send commands to a terminal. */
void text_sanitize(char *text);

/* Whether `text` ends in `ending` and is longer. */
bool text_ends_in(const char *text, const char *ending);

/* Whether each of the words, separated by blanks, is in `text`, in upper or lower case. */
bool text_has_words(const char *text, const char *words);

/* Whether a shell would expand or split the text, or it is empty. */
bool text_needs_quotes(const char *text);

/* Writes `text` as one word of a shell's command line: in quotes if it needs them. Returns
 * `buffer`. */
char *text_quote(char *buffer, size_t size, const char *text);

/* The first clause of a reason: "no GPU found" of "hip: no GPU found (…)". Returns `buffer`. */
char *text_clause(char *buffer, size_t size, const char *reason);

/* Closest match: edit distance ≤ 2 (≤ 1 for short words), or a prefix of 4 or more.
 *
 *     struct closest_match nearest = closest_match_init("serail");
 *     closest_match_try(&nearest, "serial");
 *     … nearest.question …: did you mean 'serial'? */
struct closest_match {
    const char *word;
    int distance;      /* of the nearest candidate so far */
    char question[80]; /* ": did you mean 'serial'?", or "" */
};

struct closest_match closest_match_init(const char *word);
void closest_match_try(struct closest_match *nearest, const char *candidate);

/* ---- Values as typed. Every function up to value_text returns false, and leaves its result
 * unchanged, unless the whole text is such a value within its bounds. */

/* Decimal digits only. */
bool value_whole(const char *text, long min, long max, long *value);

/* A finite number. */
bool value_real(const char *text, double min, double max, double *value);

/* "N" or "NxNY"; each min … max. */
bool value_pair(const char *text, long min, long max, bool one_is_enough, int *first, int *second);

/* The index of `text` in a list ended by NULL. */
bool value_choice(const char *text, const char *const names[], int *index);

/* Copies a text that fits, is not empty, and is valid UTF-8 without control characters. */
bool value_text(const char *text, size_t size, char *value);

/* Cuts the next piece up to `separator` off *rest, without surrounding blanks; NULL at the end.
 * Changes the text. */
char *value_next(char **rest, char separator);

/* ---- Printing */

/* Prints an item. On a terminal it is wrapped, and continuation lines are indented. */
void text_item(FILE *out, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
