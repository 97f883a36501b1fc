/* What a member's moves of a reduction through stages have, beside those of the stages (adr_coll_stages_state.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct adr_fold_moves {
  int64_t round;
  uint32_t phase;      /* of a round */
  uint32_t at;         /* member that is looked at next */
  bool seen;           /* what that member has to have done is done */
  bool chained;        /* of a scan: each takes what the member before has combined */
  int64_t folded_at;   /* where in the stages lies what was combined so far; below zero: in the caller's output */
  int64_t room;        /* bytes that go in a round, of a reduce_scatter of each part */
  uint32_t owners;     /* of a reduce: members that combine a part; 0: the root combines all */
  uint32_t group;      /* parts that come in one round */
  int64_t filled;      /* rounds whose buffer of ours is filled */
  uint32_t first;      /* part of the round, and bytes of each that came before */
  uint32_t fill_first; /* the same of the round that is filled */
  int64_t before;
  int64_t fill_before;
  uint32_t filling; /* part of which a stretch is filled next */
};
