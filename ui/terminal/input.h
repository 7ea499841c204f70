/* What a terminal sends, made into keys, clicks, pastes and reports: one parser, which holds a
 * bounded number of bytes whatever comes.
 *
 * A read may end in the middle of an item: its beginning is held until the rest comes, or dropped
 * if nothing comes for a second. What is pasted between its brackets is dropped. */
#ifndef JACOBI_UI_TERMINAL_INPUT_H
#define JACOBI_UI_TERMINAL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many bytes as one read may add; the longest item; the most numbers in a report. */
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
    TERMINAL_PASTE, /* something was pasted, and dropped */
};

struct input_event {
    enum { INPUT_NOTHING, INPUT_KEY, INPUT_CLICK, INPUT_REPORT, INPUT_STRING } kind;
    int key;  /* of INPUT_KEY */
    int x, y; /* of INPUT_CLICK */

    /* INPUT_REPORT: "ESC [ ? 1 ; 2 c" has the final byte 'c', is private, and has two numbers. They
     * are at most 100000, and 0 beyond `count`. */
    char final;
    bool is_private;
    int count, numbers[INPUT_NUMBERS_MAX];

    /* INPUT_STRING: "ESC _ Gtext ESC \" and "ESC ] 11;text BEL" are "_Gtext" and "]11;text". */
    char text[INPUT_ITEM_MAX];
};

/* All zeroes before the first byte. */
struct input {
    char bytes[INPUT_ITEM_MAX + INPUT_READ_MAX];
    size_t count;
    bool is_pasting; /* the end of the paste has not come yet */
    bool is_key;     /* an Escape that is held is the key */
    int64_t last_ns; /* when something was read last */
};

/* Adds what was read, at most INPUT_READ_MAX bytes. To be called once input_next is false. */
void input_add(struct input *input, const char *bytes, size_t count, int64_t now_ns);

/* The next event; false if there is none. */
bool input_next(struct input *input, struct input_event *event);

/* Whether an Escape is held, which is the key if nothing follows soon. */
bool input_holds_escape(const struct input *input);

/* Nothing has followed. */
void input_end_escape(struct input *input);

#endif
