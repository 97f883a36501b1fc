/* Copies of messages between a program's memory and shared memory: small ones without a call, pieces of large ones by
 * the routine that does not mind how the program's memory is aligned. */
#pragma once

#include <string.h>

#include "base/adr_base.h"

#define ADR_COPY_INLINE 48u

/* Copies at most ADR_COPY_INLINE bytes, with two or three loads and stores that may overlap. */
static inline void adr_copy_inline(void *to, const void *from, uint32_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if (ADR_LIKELY(bytes == 8)) {
    memcpy(t, f, 8);
  } else if (bytes >= 16) {
    memcpy(t, f, 16);
    if (bytes > 32) { memcpy(t + 16, f + 16, 16); }
    memmove(t + bytes - 16, f + bytes - 16, 16);
  } else if (bytes > 8) {
    memcpy(t, f, 8);
    memmove(t + bytes - 8, f + bytes - 8, 8);
  } else if (bytes >= 4) {
    memcpy(t, f, 4);
    memmove(t + bytes - 4, f + bytes - 4, 4);
  } else if (bytes > 0) {
    t[0] = f[0];
    t[bytes / 2] = f[bytes / 2];
    t[bytes - 1] = f[bytes - 1];
  }
}

/* Copies a piece of a large message, mostly some KiB, between memory of a program and a place in shared memory, either
 * of which may begin anywhere: a cell begins with a cache line, what a fastbox holds 16 bytes behind one, and the
 * elements of a Java array never do. */
void adr_copy_piece(void *to, const void *from, uint64_t bytes);

/* From more bytes on memcpy may take the CPU's string copy, which some CPUs are slow at, where source and destination
 * lie unfavourably to each other: then adr_copy_piece chooses. */
#define ADR_COPY_LIBRARY_UP_TO 2048u

/* Copies any number of bytes, mostly few. */
static inline void adr_copy_short(void *to, const void *from, uint32_t bytes) {
  if (ADR_LIKELY(bytes <= ADR_COPY_INLINE)) {
    adr_copy_inline(to, from, bytes);
  } else if (bytes <= ADR_COPY_LIBRARY_UP_TO) {
    memcpy(to, from, bytes);
  } else {
    adr_copy_piece(to, from, bytes);
  }
}

/* Lengths in between are copied by lines: shorter ones memcpy has in registers as a whole, longer ones are left to
 * adr_copy_piece. */
#define ADR_COPY_LINES_ABOVE 512u

/* Copies to a place that begins with a cache line, which another CPU has read and whose next lines it is about to
 * fetch: each line is written once and whole, in ascending order. The memcpy of the C library stores the first and the
 * last bytes of such lengths after all others, when their lines may be gone again. */
static inline void adr_copy_lines(void *to, const void *from, uint32_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  uint32_t at = 0;
  if (bytes > ADR_COPY_LIBRARY_UP_TO) {
    adr_copy_piece(t, f, bytes);
    return;
  }
  if (bytes > ADR_COPY_LINES_ABOVE) {
    for (; at + ADR_LINE <= bytes; at += ADR_LINE) { memcpy(t + at, f + at, ADR_LINE); }
  }
  memcpy(t + at, f + at, bytes - at);
}

/* Fewer bytes than these are not asked for ahead: most of them have been written before they would be there. */
#define ADR_COPY_OVER_FROM 4096u

/* Copies to a place in shared memory whose lines another CPU has, since it has read what was there before. */
void adr_copy_over_stage(void *to, const void *from, uint64_t bytes);

/* Copies a part of a copy of `whole` bytes to memory that this CPU reads next, as adr_copy would copy the whole. */
void adr_copy_part(void *to, const void *from, int64_t bytes, int64_t whole);
