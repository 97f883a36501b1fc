/* Accepting a cell, and keeping those aside that came before their turn. Twin of io.adrastea.core.pure.PureLookCells.
 */
#include "channel/adr_channel_look_boxes.h"
#include "channel/adr_channel_look_cells.h"

/* What pass_early found, beside 1, ADR_AGAIN and ADR_CORRUPT: the queue's front is another cell now. */
#define ADR_LOOK_NEXT 3

/* Reads the header of a cell, each field once, and checks it. Returns 0; ADR_AGAIN: it is early; ADR_CORRUPT. */
static int accept_cell(adr_channel *channel, uint64_t element, enum adr_place place) {
  const struct adr_cell *cell = adr_view_cell(&channel->view, element);
  uint32_t source = adr_load_once_u32(&cell->source);
  uint32_t owner = adr_load_once_u32(&cell->owner);
  uint32_t length = adr_load_once_u32(&cell->length);
  uint32_t kind = adr_load_once_u32(&cell->kind);
  uint64_t sequence = adr_load_once_u64(&cell->sequence);
  int64_t total_length = (int64_t)adr_load_once_u64(&cell->total_length);
  channel->inbound.source = source;
  if (ADR_UNLIKELY(source >= channel->rank_count || owner >= channel->rank_count || length > channel->cell_payload
                   || total_length < length || kind < ADR_KIND_FIRST || kind > ADR_KIND_ABORT)) {
    return ADR_CORRUPT;
  }
  struct adr_inflow *in = &channel->in[source];
  if (ADR_UNLIKELY(sequence != in->expected)) {
    return sequence - in->expected <= channel->most_early ? ADR_AGAIN : ADR_CORRUPT;
  }
  in->expected++;
  channel->place = place;
  channel->owner = owner;
  channel->inbound = (adr_inbound){
      .source = source,
      .kind = kind,
      .match = (int64_t)adr_load_once_u64(&cell->match),
      .length = length,
      .total_length = total_length,
      .payload = (int64_t)(element + ADR_CELL_BYTES),
      .sequence = (int64_t)(sequence & ADR_BOX_SEQUENCE_MASK),
      .place = (int64_t)element,
  };
  return 0;
}

/* Between two of a source's cells set aside; no `before`: in front of all. */
static void insert(adr_channel *channel, uint32_t source, struct adr_cell *before, uint64_t element, uint64_t after) {
  adr_store_relaxed_u64(&adr_view_cell(&channel->view, element)->next, after); /* ours alone now: it is in no queue */
  ADR_STOP(aside_next);
  if (before == NULL) {
    channel->in[source].early = element;
  } else {
    adr_store_relaxed_u64(&before->next, element);
    ADR_STOP(aside_linked);
  }
  channel->early_count++;
}

/* Sets the cell at the queue's front aside for its source alone, in the order of sequences. Rare: only a repaired queue
 * has its cells out of order. Returns 1, ADR_AGAIN or ADR_CORRUPT. */
static int set_aside(adr_channel *channel, uint32_t source, uint64_t element) {
  if (channel->early_count >= channel->rank_count * channel->pool.cell_count) {
    return ADR_CORRUPT; /* more than there are: somebody rewrites links and numbers meanwhile, so that the same ones
                           come again */
  }
  int status = adr_mpsc_advance(&channel->view, channel->receive_queue, element);
  if (status < 0) { return status == ADR_LINK_PENDING ? ADR_AGAIN : status; }
  uint64_t sequence = adr_load_once_u64(&adr_view_cell(&channel->view, element)->sequence);
  uint64_t after = channel->in[source].early;
  struct adr_cell *before = NULL;
  for (uint32_t steps = 0; after != 0; steps++) {
    if (!adr_view_holds(&channel->view, after) || steps > channel->early_count) { return ADR_CORRUPT; }
    struct adr_cell *other = adr_view_cell(&channel->view, after);
    uint64_t found = adr_load_once_u64(&other->sequence);
    if (found == sequence) { return ADR_CORRUPT; /* a queue that goes in a circle would be walked for ever */ }
    if (found > sequence) { break; }
    before = other;
    after = adr_load_relaxed_u64(&other->next);
  }
  insert(channel, source, before, element, after);
  return 1;
}

int adr_channel_look_early(adr_channel *channel) {
  for (uint32_t source = 0; source < channel->rank_count; source++) {
    uint64_t element = channel->in[source].early;
    if (element == 0) { continue; }
    if (!adr_view_holds(&channel->view, element)) { return ADR_CORRUPT; }
    uint64_t next = adr_load_relaxed_u64(&adr_view_cell(&channel->view, element)->next);
    int status = accept_cell(channel, element, ADR_PLACE_EARLY);
    if (status != ADR_AGAIN) {
      channel->in[source].early = next;
      channel->early_count--;
      return status < 0 ? status : 1;
    }
  }
  return ADR_AGAIN;
}

/* A cell that is early: what comes before it is in the fastbox, whose writer was done with it before it linked the
 * cell. If not, the cell waits aside. Returns 1 (a piece is at hand), ADR_LOOK_NEXT, ADR_AGAIN or ADR_CORRUPT. */
static int pass_early(adr_channel *channel, uint64_t element) {
  uint32_t source = (uint32_t)channel->inbound.source;
  if (channel->in[source].box.ring != NULL) {
    int status = adr_channel_look_box(channel, source);
    if (status != ADR_AGAIN) { return status; }
  }
  int status = set_aside(channel, source, element);
  return status == 1 ? ADR_LOOK_NEXT : status;
}

int adr_channel_accept_front(adr_channel *channel, int64_t element) {
  do {
    if (ADR_UNLIKELY(element < 0)) { return ADR_CORRUPT; }
    int status = accept_cell(channel, (uint64_t)element, ADR_PLACE_QUEUE);
    if (ADR_LIKELY(status == 0)) { return 1; }
    status = status == ADR_AGAIN ? pass_early(channel, (uint64_t)element) : status;
    if (status != ADR_LOOK_NEXT) { return status; }
    element = adr_mpsc_peek(&channel->view, channel->receive_queue);
  } while (element != 0);
  return ADR_AGAIN;
}
