/* hand: side 0 copies private memory into a shared buffer by the routine, side 1 copies it out with memcpy; timed
 * from the first store until side 1 has said that it has everything: a message through shared memory, whose reader is
 * the other CPU. walk: what such a message costs the sender's cache. Side 0 goes through its working set, writes a
 * message out of it, and then takes the time of going through the working set once more: since the bytes that are
 * read belong to it, what it finds missing is the stores' doing. A message longer than the set is the set again and
 * again. apart: the same with a message from elsewhere, which is read through the cache too, whatever the stores.
 * Routine -1: without the message. */
#pragma once

#include "floor/adr_floor_pair.h"

enum { COPIES_NO_ROUTINE = -1 };

void copies_hand_run(struct floor_pair *pair, const struct floor_order *order);
void copies_walk_run(struct floor_pair *pair, const struct floor_order *order);
void copies_apart_run(struct floor_pair *pair, const struct floor_order *order);
