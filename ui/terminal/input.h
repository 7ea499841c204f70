/* Turns terminal input into keys, clicks, pastes and reports: one parser with a buffer of bounded
 * size.
 *
 * A read may end in the middle of an item. Its beginning is buffered until the rest arrives, or
 * dropped if nothing arrives for a second. Bracketed pastes are dropped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most bytes that one read may add; the longest item; the most numbers in a report. */
enum { INPUT_READ_MAX = 1024, INPUT_ITEM_MAX = 256, INPUT_NUMBERS_MAX = 24 };

/* Keys that are not text; a text key is its Unicode scalar. */
enum {
    TERMINAL_UP = 0x110000,
    TERMINAL_DOWN,
    TERMINAL_LEFT,
    TERMINAL_RIGHT,
    TERMINAL_HOME,
    TERMINAL_END,
    TERMINAL_PAGE_UP,
    TERMINAL_PAGE_DOWN,
    TERMINAL_F1,
    TERMINAL_ENTER,
    TERMINAL_ESCAPE,
    TERMINAL_BACKSPACE,
    TERMINAL_PASTE, /* a paste, whose contents were dropped */
};

struct input_event {
    enum { INPUT_NOTHING, INPUT_KEY, INPUT_CLICK, INPUT_REPORT, INPUT_STRING } kind;
    int key;  /* for INPUT_KEY */
    int x, y; /* for INPUT_CLICK */

    /* INPUT_REPORT: "ESC [ ? 1 ; 2 c" has the final byte 'c', is private, and has two numbers. The
     * numbers are at most 100000, and 0 beyond `count`. */
    char final;
    bool is_private;
    int count, numbers[INPUT_NUMBERS_MAX];

    /* INPUT_STRING: "ESC _ Gtext ESC \" and "ESC ] 11;text BEL" become "_Gtext" and "]11;text". */
    char text[INPUT_ITEM_MAX];
};

/* All zero before the first byte. */
struct input {
    char bytes[INPUT_ITEM_MAX + INPUT_READ_MAX];
    size_t count;
    bool is_pasting; /* the end of the paste has not arrived yet */
    bool is_key;     /* a buffered Escape is the key */
    int64_t last_ns; /* the time of the last read */
};

/* Adds the bytes of a read, at most INPUT_READ_MAX. Call it only after input_next returned
 * false. */
void input_add(struct input *input, const char *bytes, size_t count, int64_t now_ns);

/* The next event; false if there is none. */
bool input_next(struct input *input, struct input_event *event);

/* Whether an Escape is buffered, which is the key if nothing follows soon. */
bool input_holds_escape(const struct input *input);

/* Treats the buffered Escape as the key, since nothing has followed. */
void input_end_escape(struct input *input);
