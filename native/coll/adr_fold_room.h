/* How the parts of a reduce_scatter share a buffer of a quarter of a stage: in a round there is a stretch of each part
 * of a group. Where there are so many members that a stretch would be very short, the parts of one group come first,
 * then those of the next. Twin of io.adrastea.coll.FoldRoom. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
  ADR_FOLD_BUFFER = 16384,              /* bytes of a round, of all parts of a group */
  ADR_FOLD_LEAST_PART = 256,            /* what one member combines, or one part of a round, is no shorter */
  ADR_FOLD_MOST_ROUNDS = INT32_MAX - 2, /* a member fills up to two rounds ahead, and counts them in 31 bits */
};

struct adr_fold_room {
  uint32_t group;  /* parts that come in one round */
  int64_t stretch; /* bytes of each part that go in a round, whole elements */
};

/* `unit`: bytes of an element. */
static inline int64_t adr_fold_least_part(int64_t unit) { return (ADR_FOLD_LEAST_PART + unit - 1) / unit * unit; }

static inline struct adr_fold_room adr_fold_room_of(uint32_t ranks, int64_t unit) {
  const uint32_t most = (uint32_t)(ADR_FOLD_BUFFER / adr_fold_least_part(unit));
  const uint32_t group = ranks < most ? ranks : most;
  return (struct adr_fold_room){.group = group, .stretch = ADR_FOLD_BUFFER / group / unit * unit};
}

/* Rounds of parts of these lengths: each group has those of its longest part. */
static inline int64_t adr_fold_rounds(uint32_t ranks, int64_t unit, const int64_t *lengths) {
  const struct adr_fold_room room = adr_fold_room_of(ranks, unit);
  int64_t rounds = 0;
  for (uint32_t begin = 0; begin < ranks; begin += room.group) {
    int64_t longest = 0;
    for (uint32_t part = begin; part < ranks && part < begin + room.group; part++) {
      longest = lengths[part] > longest ? lengths[part] : longest;
    }
    rounds += (longest + room.stretch - 1) / room.stretch;
  }
  return rounds;
}

/* Whether parts may have these lengths. Those that are all as long never take too many rounds. */
static inline bool adr_fold_takes(uint32_t ranks, int64_t unit, const int64_t *lengths) {
  return adr_fold_rounds(ranks, unit, lengths) <= ADR_FOLD_MOST_ROUNDS;
}
