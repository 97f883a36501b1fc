/* How blocks of an exchange share a giver's quarter of a stage: a ring of buffers, one for each round, in each of which
 * is the same stretch of every block. Behind a header that tells of the blocks where each reader gets another one. Twin
 * of io.adrastea.coll.ExchangeRoom. */
#pragma once

#include "coll/adr_coll_stages_state.h"
#include "coll/adr_coll_choice.h"

enum {
  ADR_EXCHANGE_BUFFERS = 4, /* of a quarter */
  ADR_EXCHANGE_WORDS = 2,   /* of the header, for each reader */
};

struct adr_exchange_room {
  int64_t header;       /* bytes before the buffers */
  int64_t buffer_bytes; /* of a round */
  int64_t stretch;      /* bytes of each block that go in a round */
};

static inline struct adr_exchange_room adr_exchange_room_of(int32_t kind, uint32_t ranks) {
  const int64_t line = ADR_LINE;
  const int64_t word = sizeof(int64_t);
  const int64_t header =
      adr_coll_has_several_blocks(kind) ? (ADR_EXCHANGE_WORDS * (int64_t)ranks * word + line - 1) & -line : 0;
  const int64_t buffer = (ADR_COLL_QUARTER - header) / ADR_EXCHANGE_BUFFERS & -line;
  const int64_t most = adr_coll_has_several_blocks(kind) && ranks > 2 ? buffer / ((int64_t)ranks - 1) : buffer;
  return (struct adr_exchange_room){
      .header = header, .buffer_bytes = buffer, .stretch = most >= line ? most & -line : most & -word};
}

/* Most bytes of a block: a member's progress counts its rounds in 31 bits, of which the highest numbers say that it is
 * two rounds further, and that it is through. */
static inline int64_t adr_exchange_most_of_block(int32_t kind, uint32_t ranks) {
  const int64_t most = adr_exchange_room_of(kind, ranks).stretch * (INT32_MAX - 2);
  return most < ADR_COLL_MOST_BYTES ? most : ADR_COLL_MOST_BYTES;
}

/* Whether a block may have so many bytes. */
static inline bool adr_exchange_takes(int32_t kind, uint32_t ranks, int64_t bytes) {
  return bytes <= INT32_MAX || bytes <= adr_exchange_most_of_block(kind, ranks);
}
