/* What adrastea-pool times of a way, and how it checks it. */
#pragma once

#include "pool/adr_pool_way.h"

/* Messages there and back; an exchange is a round trip. */
void pool_ping_pong(struct floor_pair *pair, const struct floor_order *order, const struct pool_way *way);

/* Messages from side 0 to side 1; an exchange is two of them, a batch ends with an answer. */
void pool_stream(struct floor_pair *pair, const struct floor_order *order, const struct pool_way *way);

/* Sends messages both ways, more than the way's memory holds, and checks each byte. Ends the program when one is
 * wrong. */
void pool_verify(struct floor_pair *pair, uint64_t bytes, const struct pool_way *way);
