/* Errors as values.
 *
 * A function that can fail returns an `enum status`. If it is not STATUS_OK, the function has
 * written one line for the user into the caller's `struct error`. Nothing below main() prints or
 * exits. */
#pragma once

/* The values are the program's exit statuses. */
enum status {
    STATUS_OK = 0,
    STATUS_INTERNAL = 1,      /* an internal failure: out of memory, a file that can't be written */
    STATUS_BAD_INPUT = 2,     /* command line, preset or recording is bad */
    STATUS_UNAVAILABLE = 3,   /* back end or device is not available here */
    STATUS_DEVICE_FAILED = 4, /* the device failed during the run */
    STATUS_DIVERGED = 5,      /* NaN or infinity in the solution */
};

enum { ERROR_MESSAGE_SIZE = 512 };

struct error {
    enum status status;
    char message[ERROR_MESSAGE_SIZE]; /* one line, no newline, control characters made visible */
};

/* Writes `status` and the formatted message into `error` (NULL is allowed). Returns `status`, so
 * that a failure reads `return error_set(error, STATUS_BAD_INPUT, ...)`. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Passes a failure up: a status other than STATUS_OK leaves the calling function. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const enum status try_status = (call);                                                     \
        if (try_status)                                                                            \
            return try_status;                                                                     \
    } while (0)

/* For cleanup with several possible failures. Returns `status` unless it is STATUS_OK and `later`
 * is an error; then copies `later` to *error and returns its status. */
enum status error_keep_first(enum status status, const struct error *later, struct error *error);

/* Inserts "`context`: " before the message in `error` and returns its status. */
enum status error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
