/* A working set: lines that are gone through in an order that no prefetcher guesses, each telling where the next one
 * is, so that a line that is no longer in the cache costs all of its latency. */
#pragma once

#include <stdint.h>

/* Lays out about `bytes` bytes. Called once, by side 0. */
void copies_set_make(uint64_t bytes);

/* Where it lies. */
const uint8_t *copies_set(void);

/* Bytes in fact. */
uint64_t copies_set_bytes(void);

/* Goes once through all lines. */
void copies_set_walk(void);
