/* A member's side of the collectives of a communicator, private to its rank: what all of its collectives have, and what
 * outlives them (adr_coll.c). The fields of each kind of moves stand in a header of their own, and are written by those
 * moves alone. The moves stand on those by lines (adr_coll_lines.h), those straight from memory on stages too, and
 * exchanges on both; adr_collective.c, which says what comes next, stands on all of them. */
#pragma once

#include <stddef.h>

#include "adrastea/coll.h"
#include "base/adr_base.h"
#include "coll/adr_coll_stages_state.h"
#include "coll/adr_coll_direct_state.h"
#include "coll/adr_coll_exchange_state.h"
#include "coll/adr_coll_fold_state.h"
#include "coll/adr_coll_lines_state.h"
#include "coll/adr_coll_relay_state.h"
#include "coll/adr_slot.h"

enum {
  ADR_COLL_NEXT = 100, /* a move went well, the next one can be made */
  ADR_COLL_THROUGH,    /* it was the last one: the collective ends */
};

enum { ADR_COLL_MOST_MOVED = 65536 /* bytes in a call: all threads' safepoints of a JVM wait for its end */ };

/* What a member does next in a collective. */
enum adr_coll_move {
  ADR_COLL_IDLE,
  ADR_COLL_GET_ROOM,
  ADR_COLL_POST,
  ADR_COLL_READ_LINES,
  ADR_COLL_READ_RESULT,
  ADR_COLL_GIVE_RESULT,
  ADR_COLL_END,
  ADR_COLL_MOVE_STAGES,
  ADR_COLL_EXPOSE_BUFFERS,
  ADR_COLL_MOVE_DIRECT,
  ADR_COLL_MOVE_EXCHANGE,
};

/* One collective of a member at a time: there is one for each of its lines. */
struct adr_collective {
  struct adr_slot_view slot;
  adr_coll *member;
  int64_t words[ADR_COLL_WORDS];
  int64_t sequence; /* of the collective under way, or of the last one here */
  int64_t bytes;
  uint32_t lag; /* most collectives that a member whose line was read had begun before, and not done */
  int32_t move;
  int32_t way;
  int32_t kind;
  int32_t root;
  int32_t element;
  int32_t op;
  int32_t other;
  int64_t moved;     /* bytes, in this call */
  const uint8_t *in; /* the caller's, during a call */
  uint8_t *out;
  bool asked; /* the caller was asked for something */
  struct adr_line_moves lines;
  struct adr_stage_moves stages;
  struct adr_fold_moves fold;
  struct adr_direct_moves direct;
  struct adr_exchange_moves exchange;
  struct adr_relay_moves relay;
};

struct adr_coll {
  struct adr_slot_view slot;
  void *base;       /* of the job's segment, where the others' doorbells are */
  int64_t sequence; /* of the collective that has begun last */
  int64_t done;     /* this one and all before have ended */
  int64_t least;    /* what every member has done at least, as far as this one has looked */
  uint32_t roots;   /* of all collectives so far in which not all lines are compared, folded into 8 bits */
  int64_t *parts;   /* for the next one by parts; NULL: nobody has asked for them */
  uint32_t begun;   /* number of the collective that the last begin was about */
  struct adr_stages stages;
  struct adr_collective collectives[ADR_SLOT_LINES]; /* by the line that they use */
  uint32_t local_ranks[]; /* of the members; behind them as many numbers for each collective (exchange.left) */
};

/* A member that has not done a collective; -1: every one has. */
int32_t adr_coll_behind(adr_coll *member, int64_t earlier);

/* Says that a collective has ended, if those before have, while others are under way. */
void adr_coll_end_among_others(adr_coll *member);

/* Whether every member has done a collective; else the one that has not is waited for. */
static inline bool adr_coll_all_have_done(struct adr_collective *coll, int64_t earlier) {
  const int32_t behind = adr_coll_behind(coll->member, earlier);
  if (behind >= 0) { coll->other = behind; }
  return behind < 0;
}

/* Every member has begun this collective, and its line told what it had done before. */
static inline void adr_coll_all_have_begun(struct adr_collective *coll) {
  const int64_t done = coll->sequence - 1 - coll->lag;
  if (coll->member->least < done) { coll->member->least = done; }
}
