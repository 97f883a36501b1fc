/* A member's moves through stages, and the stages for all moves that need them. Reductions (adr_coll_fold.h), moves
 * straight from memory and exchanges stand on these. */
#pragma once

#include "coll/adr_coll.h"

/* A collective begins that may go through stages, of elements of so many bytes: takes the quarter whose turn it is. */
void adr_stages_reserve(struct adr_collective *coll, int64_t unit);
void adr_stages_begin(struct adr_collective *coll);
int32_t adr_stages_advance(struct adr_collective *coll);

/* The quarter is not looked at yet. */
static inline void adr_stages_begin_quarter(struct adr_collective *coll) { coll->stages.ready = false; }

/* Before this member writes into its quarter of a stage: NEXT, AGAIN or NEEDS_STAGES. */
int32_t adr_stages_prepare(struct adr_collective *coll);

/* Whether stages are there, and nobody uses the quarter any more, as far as this member has looked. */
static inline bool adr_stages_is_free(const struct adr_collective *coll) {
  return coll->member->stages.memory != NULL && coll->stages.before <= coll->member->least;
}

/* The quarter is free. */
static inline void adr_stages_take_quarter(struct adr_collective *coll) {
  coll->stages.memory = coll->member->stages.memory;
  coll->stages.ready = true;
}

/* The quarter of a member's stage that this collective uses. */
int64_t adr_stages_quarter(const struct adr_collective *coll, uint32_t member);

/* The straight path of what fits one buffer, of which no member combines a part for others. */
bool adr_stages_goes_straight(const struct adr_collective *coll);
bool adr_stages_go_straight(struct adr_collective *coll, int32_t spins);

/* What was not there on it is left to moves, which have begun: this member's first buffer is filled. */
void adr_stages_go_on(struct adr_collective *coll);

/* At the end of a collective, for the next one, which is likely to write as much to the same places: has the lines of
 * the next quarter back from those that read them, as adr_slot_prepare does. What is longer is fetched while it is
 * copied. */
void adr_stages_fetch_next(struct adr_collective *coll);

/* Asks whether the next quarter is free, now rather than when it is needed, if this member does not look at all lines
 * (`leads`); returns whether lines of so many bytes are to be fetched, and fetches that of the progress. */
bool adr_stages_prepare_next(struct adr_collective *coll, int64_t bytes, bool leads);

/* Fetches those of the next quarter from a byte on. */
void adr_stages_fetch_lines(const struct adr_collective *coll, int64_t first, int64_t bytes);
