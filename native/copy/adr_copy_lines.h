/* The shape that all wide copies share: the head up to the first whole line of the destination, then four lines at a
 * time with loads that need no alignment and stores that have it, then the rest.
 *
 * Whole lines of the destination are what counts. A regular store that crosses a line costs two, an unaligned load
 * much less; and only a line that nontemporal stores fill completely leaves the CPU in one piece, without being read
 * first. */
#ifndef ADR_COPY_LINES_H
#define ADR_COPY_LINES_H

#include <stdint.h>
#include <string.h>

#include "base/adr_base.h"

enum {
  ADR_COPY_AT_ONCE = 4, /* lines on their way at the same time */
  ADR_COPY_STRIDE = ADR_COPY_AT_ONCE * ADR_LINE,
  ADR_COPY_SHORT = 8 * ADR_LINE, /* below, the library's copy is as good */
};

/* Bytes before the first whole line. */
static inline int64_t adr_copy_head(const uint8_t *to) { return (int64_t)(-(uintptr_t)to & (ADR_LINE - 1)); }

/* Moves four lines that lie `apart` bytes from each other, `at` bytes behind `to` and `from`. All loads come before
 * the stores. */
#define ADR_COPY_FOUR(vector, load, put, to, from, at, apart) \
  do { \
    enum { EACH = ADR_LINE / sizeof(vector), ALL = ADR_COPY_AT_ONCE * EACH }; \
    vector lines[ALL]; \
    _Pragma("GCC unroll 32") for (int64_t i = 0; i < ALL; i++) { \
      lines[i] = load((from) + (at) + i / EACH * (apart) + i % EACH * (int64_t)sizeof(vector)); \
    } \
    _Pragma("GCC unroll 32") for (int64_t i = 0; i < ALL; i++) { \
      put((to) + (at) + i / EACH * (apart) + i % EACH * (int64_t)sizeof(vector), lines[i]); \
    } \
  } while (0)

/* Defines `name`, compiled for `isa`, whose bytes `load` and `put` move by the `vector`. Expects no more than `bytes`
 * >= 0. */
#define ADR_COPY_BY_LINES(name, isa, vector, load, put) \
  isa void name(uint8_t *to, const uint8_t *from, int64_t bytes) { \
    int64_t at = bytes < ADR_COPY_SHORT ? bytes : adr_copy_head(to); \
    memcpy(to, from, (size_t)at); \
    for (; bytes - at >= ADR_COPY_STRIDE; at += ADR_COPY_STRIDE) { \
      ADR_COPY_FOUR(vector, load, put, to, from, at, ADR_LINE); \
    } \
    memcpy(to + at, from + at, (size_t)(bytes - at)); \
  }

#endif
