/* local: side 0 copies private memory to shared memory and reads there a word of every line, both timed: a copy for
 * oneself, whose result is used. Side 1 does nothing. */
#pragma once

#include "floor/adr_floor_pair.h"

/* Reads a word of every line; 8 bytes at the end are not looked at. */
void copies_read(const uint8_t *buffer, uint64_t bytes);

void copies_local_run(struct floor_pair *pair, const struct floor_order *order);
