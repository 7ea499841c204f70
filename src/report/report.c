#include "report/report.h"

#include <errno.h>
#include <string.h>

static enum status write_format(FILE *out, const struct report *report, struct error *error) {
    switch (report->config->format) {
    case FORMAT_CSV:
        report_csv(out, report);
        return STATUS_OK;
    case FORMAT_JSON:
        return report_json(out, report, error);
    case FORMAT_JSONL:
        return report_jsonl_end(out, report, error);
    default:
        report_table(out, report);
        return STATUS_OK;
    }
}

enum status report_write(FILE *out, const struct report *report, struct error *error) {
    const enum status status = write_format(out, report, error);
    if (status)
        return status;
    if (fflush(out) || ferror(out))
        return error_set(error, STATUS_INTERNAL, "the report can't be written: %s",
                         strerror(errno));
    return STATUS_OK;
}
