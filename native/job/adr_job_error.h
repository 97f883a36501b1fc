/* Errors in words. */
#ifndef ADR_JOB_ERROR_H
#define ADR_JOB_ERROR_H

#include "adrastea/job.h"

/* Fills `error` (may be NULL) and returns `code`. */
int adr_fail(adr_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
