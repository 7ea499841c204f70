#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/text.h"

enum status error_set(struct error *error, enum status status, const char *format, ...) {
    if (!error)
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    text_sanitize(error->message);
    error->status = status;
    return status;
}

enum status error_prefix(struct error *error, const char *format, ...) {
    if (!error)
        return STATUS_INTERNAL;
    char context[ERROR_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(context, sizeof context, format, args);
    va_end(args);
    char cause[ERROR_MESSAGE_SIZE];
    snprintf(cause, sizeof cause, "%s", error->message);
    return error_set(error, error->status, "%.200s: %.300s", context, cause);
}

enum status error_keep_first(enum status status, const struct error *later, struct error *error) {
    if (status || !later->status)
        return status;
    *error = *later;
    return later->status;
}
