/* stream: side 0 fills a ring of 64-byte slots, side 1 empties it: the most messages of up to 48 bytes that
 * go one way, each with flag and payload in one line. */
#pragma once

#include "floor/adr_floor_pair.h"

enum { FLOOR_STREAM_MAX_BYTES = 48 };

void floor_stream_run(struct floor_pair *pair, const struct floor_order *order);
