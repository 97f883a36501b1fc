/* copy: side 0 writes a shared buffer anew, side 1 copies it to a private one and times its copies alone:
 * what moving the bytes from one CPU's cache to the other's takes at least. Touched: a word of each line is written
 * anew, and reading the copy is timed as well.
 * bicopy: each writes a buffer of its own, then both copy the other's at once; side 0 times its copies. */
#pragma once

#include "floor/adr_floor_pair.h"

/* Another content for each number, so that no store is silent. */
void floor_write_fresh(uint8_t *buffer, uint64_t bytes, uint64_t number);

/* Copies `source` once; returns the nanoseconds. */
typedef uint64_t floor_copy_once(struct floor_pair *pair, const struct floor_order *order, const uint8_t *source);

/* The side `writer` writes its shared buffer anew, the other one copies it and notes what its copies took. */
void floor_copy_between(struct floor_pair *pair, const struct floor_order *order, uint32_t writer,
                        floor_copy_once *copy);

void floor_copy_run(struct floor_pair *pair, const struct floor_order *order);
void floor_bicopy_run(struct floor_pair *pair, const struct floor_order *order);
