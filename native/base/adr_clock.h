/* The clock that waits, deadlines and measured costs go by. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline int64_t adr_clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Milliseconds of CLOCK_MONOTONIC, for waits that need nothing finer. */
static inline int64_t adr_clock_millis(void) { return adr_clock_now() / 1000000; }
