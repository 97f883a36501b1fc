/* Poll cadence and cache hints, found by trial.
 *
 * The number of pauses between two looks moves a ping-pong by up to 2 x, by the CPU and by the way
 * between the two CPUs, which may change; hints help or harm likewise, and so does the page that the lines
 * lie in. A floor is the least, so each order takes the best of short trials, together a few 10 ms. */
#pragma once

#include "floor/adr_floor_pair.h"

/* Sets pauses and, where the test takes them, hints and page of `order`. Called by side 0. */
void floor_tune(struct floor_pair *pair, struct floor_order *order, bool takes_hints, floor_run *const *tests);
