/* line: each side writes a line of its own and spins on the other's; no payload. */
#pragma once

#include "floor/adr_floor_pair.h"

void floor_line_run(struct floor_pair *pair, const struct floor_order *order);
