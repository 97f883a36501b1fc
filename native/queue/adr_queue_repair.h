/* Putting a queue together again whose enqueuers have died. Twin of io.adrastea.queue.QueueRepair.
 *
 * To be called by the queue's dequeuer, off the way of any message. The caller says which ranks are gone: a rank that
 * does nothing any more, ever; and it was known before the call, so that what it did is done.
 *
 * How. Between what enqueuers have SWAPped into `tail`, one behind the other, links are missing where one died before
 * its link. The cell behind such a gap is named by the intent of the dead, so a queue is a few runs of linked cells:
 * the one that the dequeuer is at, and others that begin with cells of dead intents.
 * 1. T = `tail`. All that the dead have SWAPped comes up to T, or not at all.
 * 2. No living rank is in an enqueue on the queue: then every cell up to T that one of them SWAPped is linked. (New
 * ones go on behind T.)
 * 3. The runs are walked, up to T.
 * 4. T is null or in the first run: nothing is missing, and what no run reaches was never SWAPped: it is put in now.
 * Its message is complete; of a free queue it is a cell that comes back. T is in another run: all runs are chained,
 * that one last. What was never SWAPped is a run of one cell. To write the `next` at the end of a run is safe: the
 * living have written theirs (2), so only a dead rank could have. Runs may come in another order than that of their
 * SWAPs; a receiver's sequence numbers put that right.
 *
 * Cases that a simpler scheme gets wrong: death after the SWAP on an empty queue (`head` null, `tail` set: it looks
 * empty for ever); death after the link and before the intent is cleared (the cell is in, and may even have left: the
 * generation tells); two dead, one before and one after its SWAP. */
#pragma once

#include "queue/adr_mpsc_queue.h"

#define ADR_GONE_WORDS (ADR_MAX_LOCAL_RANKS / 64)

/* Bit r: rank r is gone. */
struct adr_gone {
  uint64_t bits[ADR_GONE_WORDS];
};

static inline bool adr_gone_has(const struct adr_gone *gone, uint32_t rank) {
  return (gone->bits[rank / 64] >> rank % 64 & 1) != 0;
}

/* Whether every rank but `rank` and those that are gone was seen without an intent on `queue`: whatever they have
 * SWAPped there before this call is linked. `ranks`: of the job. */
bool adr_queue_is_quiet(const struct adr_view *view, uint64_t queue, uint32_t rank, uint32_t ranks,
                        const struct adr_gone *gone);

/* Repairs `queue`, whose dequeuer is `rank`, after the deaths of those that are gone; `cells`: of the whole job.
 * Returns 0: nothing is missing in it; ADR_AGAIN: a living rank is in an enqueue, to be called again; ADR_CORRUPT. */
int adr_queue_repair(const struct adr_view *view, uint64_t queue, uint32_t rank, uint32_t ranks, uint64_t cells,
                     const struct adr_gone *gone);
