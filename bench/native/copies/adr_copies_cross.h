/* cross: side 1 writes a shared buffer anew, side 0 copies it to private memory and reads there a word of every line,
 * both timed: a copy out of the other CPU's cache, whose result is used. */
#pragma once

#include "floor/adr_floor_pair.h"

void copies_cross_run(struct floor_pair *pair, const struct floor_order *order);
