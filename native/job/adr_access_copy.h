/* Copies between memory of this rank and memory that others access too. Twin of io.adrastea.space.DirectCopy, in part.
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "adrastea/copy.h"

/* A word is one access. */
static inline void adr_access_copy(void *to, const void *from, int64_t bytes) {
  switch (bytes) {
  case 8:
    memcpy(to, from, 8);
    break;
  case 4:
    memcpy(to, from, 4);
    break;
  default:
    adr_copy(from, 0, to, 0, bytes);
  }
}
