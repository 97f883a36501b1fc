/* What a rank does about others that are gone: it repairs its own queues, and brings its cells home from the hands of
 * the dead. Never on the way of a message. Twin of io.adrastea.core.pure.PureReclaim.
 *
 * The cells that a dead rank had of this one lie in its receive queue, which nobody will empty, were at hand there, or
 * were about to come back. To take one out of that queue is safe only when no living rank can still write its `next`:
 * whoever found it in `tail`, and has not linked yet, would. So, for each rank that is gone: a. Nothing goes there any
 * more: ADR_GONE. b. The queue's tail is poisoned: a SWAP with null. A rank that enqueues there now, not knowing yet,
 * finds null, or a cell that came later; none of ours. c. All that came before have linked: every living rank was seen
 * without an intent on that queue. d. What the dead gave back is taken over: the free queue is repaired and emptied. e.
 * What is still missing comes back as if it had been given back. Every rank does this for itself, and one that dies
 * over it leaves nothing that others need. */
#include <sys/mman.h>

#include "channel/adr_channel_state.h"
#include "queue/adr_queue_repair.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_huge.h"

/* Notes which ranks are gone. Returns whether any is. */
static bool find_gone(const adr_channel *channel, struct adr_gone *gone) {
  bool any = false;
  *gone = (struct adr_gone){0};
  for (uint32_t rank = 0; rank < channel->rank_count; rank++) {
    uint32_t state = adr_rank_table_state(channel->out[rank].entry);
    if (state == ADR_RANK_LEFT || state == ADR_RANK_FAILED) {
      gone->bits[rank / 64] |= adr_bit_of(rank);
      any |= rank != channel->rank;
    }
  }
  return any;
}

static int repair(adr_channel *channel, uint64_t queue, const struct adr_gone *gone) {
  uint64_t cells = (uint64_t)channel->rank_count * channel->pool.cell_count;
  return adr_queue_repair(&channel->view, queue, channel->rank, channel->rank_count, cells, gone);
}

/* a, b */
static void poison(adr_channel *channel, struct adr_outflow *out) {
  out->barred |= ADR_BARRED_GONE;
  adr_channel_allow_lines(channel, out);
  ADR_STOP(bury_barred);
  struct adr_mpsc_queue *q = adr_mpsc_at(&channel->view, out->receive_queue);
  /* SYNC poison: acq_rel. Acquire: pairs with the enqueuers' SWAPs before; the intents of those that found a cell of
   * ours in `tail` are seen in c. Release: an enqueuer that finds our null has nothing of ours. (It writes `head`,
   * which nobody reads any more.) */
  adr_swap_acq_rel_u64(&q->tail, 0);
  ADR_STOP(bury_poisoned);
  out->burial = ADR_BURIAL_POISONED;
}

/* c */
static void await_quiet(adr_channel *channel, struct adr_outflow *out, const struct adr_gone *gone) {
  /* After `poison`: a rank that is seen without an intent here, which is acquired, has linked all that it SWAPped
   * before our SWAP. */
  if (adr_queue_is_quiet(&channel->view, out->receive_queue, channel->rank, channel->rank_count, gone)) {
    out->burial = ADR_BURIAL_QUIET;
    ADR_STOP(bury_quiet);
  }
}

/* d, e. The free queue was repaired before. */
static int bring_home(adr_channel *channel, struct adr_outflow *out, uint32_t rank) {
  int status = adr_cell_pool_reclaim(&channel->view, &channel->pool);
  if (status < 0 || !adr_cell_pool_is_drained(&channel->view, &channel->pool)) { return status; }
  ADR_STOP(bury_drained);
  bool claimed = (out->barred & ADR_BARRED_CLAIM) != 0;
  status = adr_cell_pool_sweep(&channel->view, &channel->pool, rank, claimed ? out->claimed_cell : 0);
  out->burial = ADR_BURIAL_DONE;
  return status;
}

static int bury(adr_channel *channel, uint32_t rank, bool repaired, const struct adr_gone *gone) {
  struct adr_outflow *out = &channel->out[rank];
  if (out->burial == ADR_BURIAL_NONE) { poison(channel, out); }
  if (out->burial == ADR_BURIAL_POISONED) { await_quiet(channel, out, gone); }
  int status = out->burial == ADR_BURIAL_QUIET && repaired ? bring_home(channel, out, rank) : 0;
  return status == 0 && out->burial != ADR_BURIAL_DONE ? ADR_AGAIN : status;
}

int adr_channel_bury_step(adr_channel *channel) {
  struct adr_gone gone;
  if (!find_gone(channel, &gone)) { return 0; }
  int status = repair(channel, channel->receive_queue, &gone);
  int own = status == ADR_CORRUPT ? status : repair(channel, channel->pool.free_queue, &gone);
  status = own != 0 ? own : status;
  for (uint32_t rank = 0; rank < channel->rank_count && status != ADR_CORRUPT; rank++) {
    if (rank != channel->rank && adr_gone_has(&gone, rank)) {
      int buried = bury(channel, rank, own == 0, &gone);
      status = buried != 0 ? buried : status;
    }
  }
  return status;
}

/* Gives the memory of a ring back to the system. Its writer is gone: nobody touches it any more, nor marks it. Where
 * the system's pages are larger than a ring, it keeps it: the system would round up, and clear the rings of others. */
static int remove_ring(adr_channel *channel, uint32_t source) {
  struct adr_inbox *box = &channel->in[source].box;
  adr_store_relaxed_u32(&box->entry->open, 0);
  ADR_STOP(box_closed);
  /* Without a box it would be a wish for one. Relaxed: its writer is gone, and no poll depends on it. */
  adr_and_relaxed_u64(&channel->active[source / 64], ~adr_bit_of(source));
  ADR_STOP(box_unmarked);
  uint8_t *ring = box->ring;
  box->ring = NULL;
  channel->opened[source / 64] &= ~adr_bit_of(source);
  uint64_t bytes = box->mask + 1;
  return adr_pages_are_whole(ring, bytes) && madvise(ring, bytes, MADV_REMOVE) == 0 ? 1 : 0;
}

int32_t adr_channel_reclaim(adr_channel *channel) {
  int32_t removed = 0;
  if (adr_channel_bury_step(channel) == ADR_CORRUPT) { return ADR_CORRUPT; }
  channel->scan_at = channel->polls; /* all fastboxes are scanned soon: whoever calls this polls seldom */
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    struct adr_inflow *in = &channel->in[source];
    if (in->box.ring == NULL || in->box.retained != 0 || source == channel->rank) { continue; }
    uint32_t state = adr_rank_table_state(adr_rank_table_entry(channel->view.base, source));
    bool gone = state == ADR_RANK_LEFT || state == ADR_RANK_FAILED;
    bool at_hand = channel->place == ADR_PLACE_BOX && channel->inbound.source == source;
    /* Checked after the state: what a rank sent before it left is seen here. */
    if (gone && !at_hand && adr_inbox_is_empty(&in->box, in->expected)) { removed += remove_ring(channel, source); }
  }
  return adr_channel_is_blocked(channel) ? ADR_AGAIN : removed;
}
