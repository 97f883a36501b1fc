#include "job/adr_window_refuse.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "bootstrap/adr_job_error.h"

enum { WORDS = 512 };

/* The number of a window is that of its communicator. */
static uint32_t number_of(const struct adr_window *window) { return (uint32_t)window->comm->slot.id >> 14; }

int adr_window_refuse(const struct adr_window *window, const char *format, ...) {
  char words[WORDS];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  return adr_fail(&window->job->error, -EINVAL, "window %" PRIu32 " of %" PRIu32 " ranks: %s", number_of(window),
                  window->size, words);
}

int adr_window_check_rank(const struct adr_window *window, const char *name, int rank) {
  if (rank >= 0 && (uint32_t)rank < window->size) { return 0; }
  return adr_window_refuse(window, "%s names rank %d; allowed are 0 to %" PRIu32, name, rank, window->size - 1);
}
