#include "job/adr_shmem_refuse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "bootstrap/adr_job_error.h"

enum { WORDS = 512 };

int adr_shmem_refuse(const struct adr_shmem *shmem, const char *format, ...) {
  char words[WORDS];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  return adr_fail(&shmem->job->error, -EINVAL, "symmetric memory of %" PRIu32 " PEs: %s", shmem->pes, words);
}
