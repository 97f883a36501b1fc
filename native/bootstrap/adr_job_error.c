#include "bootstrap/adr_job_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "bootstrap/adr_plain_text.h"
#include "segment/adr_segment.h"

int adr_fail(adr_error *error, int code, const char *format, ...) {
  if (error != NULL) {
    va_list arguments;
    va_start(arguments, format);
    error->code = code;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    adr_plain_text(error->text); /* some of the words may be others' */
  }
  return code;
}

const char *adr_strerror(int error) {
  switch (error) {
  case ADR_ERROR_RANK_FAILED:
    return "a rank that was waited for has failed or has left the job";
  case ADR_ERROR_LAUNCHER:
    return "the launcher of the job is gone";
  case ADR_ERROR_COLLECTIVE:
    return "a rank cannot take part in a collective, or calls another one";
  case -EDEADLK:
    return "a message of a rank to itself for which there is no room";
  case -EBUSY:
    return "another message, or a claim, is on its way to that destination";
  case -ETIMEDOUT:
    return "ranks did not come before the deadline (ADRASTEA_JOIN_TIMEOUT)";
  default:
    return adr_segment_strerror(error);
  }
}

int adr_fail_broken(adr_error *error, int status) {
  return adr_fail(error, status,
                  "the segment holds what no correct rank writes (%s); a rank of this job is broken "
                  "or of another version",
                  adr_strerror(status));
}
