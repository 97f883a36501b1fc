/* line: each side writes a line of its own and spins on the other's; no payload. */
#ifndef ADR_FLOOR_LINE_H
#define ADR_FLOOR_LINE_H

#include "floor/adr_floor_pair.h"

void floor_line_run(struct floor_pair *pair, const struct floor_order *order);

#endif
