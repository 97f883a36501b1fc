/* Copies of small messages, without a call. */
#ifndef ADR_COPY_H
#define ADR_COPY_H

#include <string.h>

#include "base/adr_base.h"

/* Copies `bytes` bytes; up to 32 of them with two loads and two stores that may overlap. */
static inline void adr_copy_short(void *to, const void *from, uint32_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if (ADR_LIKELY(bytes == 8)) {
    memcpy(t, f, 8);
  } else if (bytes > 32) {
    memcpy(t, f, bytes);
  } else if (bytes >= 16) {
    memcpy(t, f, 16);
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

#endif
