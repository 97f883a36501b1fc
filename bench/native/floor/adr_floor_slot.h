/* slot: ping-pong through one ring of 64-byte slots per direction, flag and payload in one line. Word 0 is
 * the sequence and the flag, word 1 the match; up to 48 bytes of payload share the line, a longer payload
 * takes the whole lines behind it. The receiver copies to a private buffer, the sender from one, four of each in turn.
 * It is the least that a matched message can take, and the figure that the bench divides by. */
#pragma once

#include "floor/adr_floor_pair.h"

void floor_slot_run(struct floor_pair *pair, const struct floor_order *order);
