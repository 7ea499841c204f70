#include "ui/terminal/input.h"

#include <string.h>

#include "core/text.h"

enum { ESC = 0x1b, BEL = 0x07, BUTTON_MODIFIERS = 4 | 8 | 16 };

static const char paste_begins[] = "\x1b[200~", paste_ends[] = "\x1b[201~";
enum { PASTE_MARK = sizeof paste_ends - 1 };

/* The bytes that terminals send for keys after "ESC [" or "ESC O". */
static const struct {
    const char *sequence;
    int key;
} keys[] = {
    {"A", TERMINAL_UP},           {"B", TERMINAL_DOWN},       {"C", TERMINAL_RIGHT},
    {"D", TERMINAL_LEFT},         {"H", TERMINAL_HOME},       {"F", TERMINAL_END},
    {"P", TERMINAL_F1},           {"M", TERMINAL_ENTER},      {"1~", TERMINAL_HOME},
    {"7~", TERMINAL_HOME},        {"4~", TERMINAL_END},       {"8~", TERMINAL_END},
    {"5~", TERMINAL_PAGE_UP},     {"6~", TERMINAL_PAGE_DOWN}, {"11~", TERMINAL_F1},
    {"[A", TERMINAL_F1}, /* Linux */
    {"214z", TERMINAL_HOME},      {"220z", TERMINAL_END},     {"216z", TERMINAL_PAGE_UP}, /* Sun */
    {"222z", TERMINAL_PAGE_DOWN}, {"224z", TERMINAL_F1},
};

static void set_key(struct input_event *event, int key) {
    event->kind = key ? INPUT_KEY : INPUT_NOTHING;
    event->key = key;
}

static void find_key(struct input_event *event, const char *sequence, size_t length) {
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strlen(keys[k].sequence) == length && memcmp(keys[k].sequence, sequence, length) == 0)
            set_key(event, keys[k].key);
}

/* ---- items: each function returns the bytes of the first item, 0 while it is incomplete ------ */

/* A key that is text. */
static size_t parse_text(const char *bytes, size_t count, struct input_event *event) {
    const unsigned char first = (unsigned char)*bytes;
    const size_t length = first < 0xc2 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    uint32_t point = 0;
    for (size_t b = 1; b < length; b++) {
        if (b == count)
            return 0;
        if ((bytes[b] & 0xc0) != 0x80)
            return b; /* malformed */
    }
    if (first == '\r' || first == '\n')
        set_key(event, TERMINAL_ENTER);
    else if (first == 0x7f || first == '\b')
        set_key(event, TERMINAL_BACKSPACE);
    else if (text_decode(bytes, &point))
        set_key(event, point < TERMINAL_UP ? (int)point : 0);
    return length;
}

/* Button 0 clicks; 64 and 65 are the wheel. */
static void set_click(struct input_event *event, int button, int x, int y) {
    button &= ~BUTTON_MODIFIERS;
    if (button == 64 || button == 65)
        set_key(event, button == 64 ? TERMINAL_UP : TERMINAL_DOWN);
    else if (button == 0)
        event->kind = INPUT_CLICK;
    event->x = x - 1;
    event->y = y - 1;
}

/* "0;1;2", with any other byte between the numbers. */
static void read_numbers(struct input_event *event, const char *bytes, const char *end) {
    while (bytes < end && event->count < INPUT_NUMBERS_MAX) {
        int *number = &event->numbers[event->count++];
        for (; bytes < end && *bytes >= '0' && *bytes <= '9'; bytes++)
            *number = *number < 100000 ? 10 * *number + (*bytes - '0') : 100000;
        bytes++;
    }
}

/* "ESC [ … LETTER". */
static size_t parse_control(const char *bytes, size_t count, struct input_event *event) {
    size_t end = 2;
    if (count > 2 && bytes[2] == '[') /* "ESC [ [ A" */
        end = 3;
    while (end < count && bytes[end] >= ' ' && bytes[end] < '@')
        end++;
    if (end == count)
        return 0;
    const char final = bytes[end], mark = bytes[2];
    if (final < '@' || final > '~')
        return end;                 /* truncated */
    if (final == 'M' && end == 2) { /* a click in the oldest mouse protocol */
        if (count < 6)
            return 0;
        set_click(event, (unsigned char)bytes[3] - 32, (unsigned char)bytes[4] - 32,
                  (unsigned char)bytes[5] - 32);
        return 6;
    }
    event->final = final;
    event->is_private = mark == '?';
    read_numbers(event, bytes + 2 + (mark == '?' || mark == '<'), bytes + end);
    if (mark == '<' && final == 'M')
        set_click(event, event->numbers[0], event->numbers[1], event->numbers[2]);
    else if (event->is_private || final == 't')
        event->kind = INPUT_REPORT;
    else
        find_key(event, bytes + 2, end - 1);
    return end + 1;
}

/* "ESC _ … ESC \", "ESC P … ESC \" or "ESC ] … BEL". */
static size_t parse_string(const char *bytes, size_t count, struct input_event *event) {
    size_t end = 2;
    while (end < count && (unsigned char)bytes[end] >= ' ')
        end++;
    if (end == count || (bytes[end] == ESC && end + 1 == count))
        return 0;
    const bool has_bell = bytes[end] == BEL;
    if (!has_bell && (bytes[end] != ESC || bytes[end + 1] != '\\'))
        return end; /* truncated */
    if (end <= sizeof event->text) {
        event->kind = INPUT_STRING;
        memcpy(event->text, bytes + 1, end - 1);
        event->text[end - 1] = '\0';
    }
    return end + (has_bell ? 1 : 2);
}

static size_t parse_item(const char *bytes, size_t count, struct input_event *event) {
    if (*bytes != ESC)
        return parse_text(bytes, count, event);
    const char second = count > 1 ? bytes[1] : 0, third = count > 2 ? bytes[2] : 0;
    if (second == '[')
        return parse_control(bytes, count, event);
    /* Only strings that we requested are strings; others are keys. */
    const bool is_string =
        (second == '_' && third == 'G') || (second == ']' && third >= '0' && third <= '9');
    if (second == 'P' && (third == '0' || third == '1') && (count == 3 || bytes[3] == '+'))
        return parse_string(bytes, count, event); /* of a capability */
    if (is_string)
        return parse_string(bytes, count, event);
    if (count == 1 || (count == 2 && strchr("OP_]", second)))
        return 0;
    if (second == 'O') {
        find_key(event, bytes + 2, 1);
        return 3;
    }
    set_key(event, TERMINAL_ESCAPE);
    return 1;
}

/* ---- buffered bytes ------------------------------------------------------------------------ */

static void drop_bytes(struct input *input, size_t count) {
    input->count -= count;
    memmove(input->bytes, input->bytes + count, input->count);
}

void input_add(struct input *input, const char *bytes, size_t count, int64_t now_ns) {
    static const int64_t silence_ns = 1000000000;
    if (now_ns - input->last_ns > silence_ns) { /* the rest of the buffered item will not arrive */
        input->is_pasting = false;
        if (input_holds_escape(input))
            input->is_key = true;
        else
            input->count = 0;
    }
    input->last_ns = now_ns;
    memcpy(input->bytes + input->count, bytes, count);
    input->count += count;
}

/* Drops pasted bytes; returns true at the end of the paste. */
static bool skip_paste(struct input *input) {
    const char *end = memmem(input->bytes, input->count, paste_ends, PASTE_MARK);
    if (end)
        drop_bytes(input, (size_t)(end - input->bytes) + PASTE_MARK);
    else if (input->count >= PASTE_MARK)
        drop_bytes(input, input->count - (PASTE_MARK - 1)); /* the end mark may have begun */
    input->is_pasting = !end;
    return end;
}

bool input_next(struct input *input, struct input_event *event) {
    while (input->count > 0) {
        memset(event, 0, sizeof *event);
        if (input->is_pasting && !skip_paste(input))
            return false;
        if (input->count == 0)
            return false;
        if (input->is_key) {
            input->is_key = false;
            set_key(event, TERMINAL_ESCAPE);
            drop_bytes(input, 1);
            return true;
        }
        size_t length = parse_item(input->bytes, input->count, event);
        if (length == 0 && input->count > INPUT_ITEM_MAX) { /* too long: only both ends are kept */
            memmove(input->bytes + 3, input->bytes + input->count - 2, 2);
            input->count = 5;
        }
        if (length == 0)
            return false;
        if (length == PASTE_MARK && memcmp(input->bytes, paste_begins, PASTE_MARK) == 0) {
            input->is_pasting = true;
            set_key(event, TERMINAL_PASTE);
        }
        drop_bytes(input, length);
        if (event->kind != INPUT_NOTHING)
            return true;
    }
    return false;
}

bool input_holds_escape(const struct input *input) {
    return input->count == 1 && *input->bytes == ESC && !input->is_pasting;
}

void input_end_escape(struct input *input) {
    input->is_key = input_holds_escape(input);
}
