/* touch: side 0 writes and reads messages of its own, one after the other, and side 1 does nothing: what touching a
 * message takes alone. */
#pragma once

#include "floor/adr_floor_pair.h"

void floor_touch_run(struct floor_pair *pair, const struct floor_order *order);
