/* What moves of collectives at this rank: a wait that takes long is told of only when nothing has moved that it depends
 * on. Twin of io.adrastea.wait.Movement, which says why; the messages of a C rank go by pieces, which both ends see.
 *
 * A rank that copies alone does so unseen by those that wait for it. So about every 100 ms one that has moved something
 * says so in its entry of the rank table, and counts: a rank that waits looks there as often. */
#pragma once

#include "ranktable/adr_rank_table.h"

struct adr_movement {
  uint32_t moves;    /* what has moved since it was told last: ADR_RANK_MOVES_...; 0: nothing */
  uint32_t what;     /* of what */
  uint32_t count;    /* of tellings */
  bool told;         /* the last look found something to tell */
  uint32_t tellings; /* of waits */
};

/* Bytes of a collective have moved here, of the communicator of this number. */
static inline void adr_movement_collective(struct adr_movement *movement, uint32_t number) {
  if (movement->moves == 0) {
    movement->moves = ADR_RANK_MOVES_COLLECTIVES;
    movement->what = number;
  } else if (movement->what != number) {
    movement->moves = ADR_RANK_MOVES_SEVERAL;
    movement->what = 0;
  }
}

/* Tells the others what has moved since the last time. Called about every 100 ms. */
static inline void adr_movement_tell(struct adr_movement *movement, struct adr_rank_entry *entry) {
  movement->told = movement->moves != 0;
  if (movement->told) {
    adr_rank_table_tell(entry, adr_rank_moving(movement->moves, movement->what, ++movement->count));
    movement->moves = 0;
  }
}

/* Tells what this rank waits for, unless something moves here. `anew`: it did not stand there before, or something has
 * moved since. */
static inline void adr_movement_tell_wait(struct adr_movement *movement, struct adr_rank_entry *entry, uint64_t waiting,
                                          bool anew) {
  movement->tellings += anew ? 1 : 0;
  if (!movement->told) { adr_rank_table_tell(entry, adr_rank_waiting_told(waiting, movement->tellings)); }
}
