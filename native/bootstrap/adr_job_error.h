/* Errors of a job in words. */
#pragma once

#include "adrastea/job.h"

/* Fills `error` (may be NULL) and returns `code`. */
int adr_fail(adr_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Notes an error that the channel returned, and returns it. */
int adr_fail_broken(adr_error *error, int status);
