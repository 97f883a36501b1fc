#include "job/adr_symmetric_line.h"

#include <inttypes.h>
#include <stdio.h>

bool adr_symmetric_line_is_like(const struct adr_symmetric_line *line, const struct adr_symmetric_line *other) {
  return line->hash == other->hash && line->call == other->call && line->bytes == other->bytes
         && line->argument == other->argument;
}

void adr_symmetric_line_say(const struct adr_symmetric_line *line, char *text, size_t size) {
  switch (line->call) {
  case ADR_SYMMETRIC_ALLOCATE:
    snprintf(text, size, "allocates %" PRId64 " bytes at a multiple of %" PRId64, line->bytes, line->argument);
    break;
  case ADR_SYMMETRIC_REALLOCATE:
    snprintf(text, size, "gives the object at offset %" PRId64 " %" PRId64 " bytes", line->argument, line->bytes);
    break;
  case ADR_SYMMETRIC_FREE:
    snprintf(text, size, "frees the object at offset %" PRId64, line->argument);
    break;
  default:
    snprintf(text, size, "makes a call that this version does not know");
  }
}
