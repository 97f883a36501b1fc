#include "contextid/adr_context_id_table.h"

#include <errno.h>

#include "base/adr_stop.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_geometry.h"
#include "segment/adr_reservation.h"

/* Numbers that are taken in turn while no more are needed at a time. */
#define ADR_CONTEXT_ID_FEWEST 1024u

enum { NONE = -ENFILE, ENTRIES_OF_PAGE = ADR_PAGE / ADR_CONTEXT_ID_ENTRY_BYTES, STATE_MASK = 3, RANK_MASK = 0xffff };

void adr_context_id_table_open(struct adr_context_id_table *table, struct adr_segment *segment,
                               struct adr_shared *shared, uint32_t rank) {
  *table = (struct adr_context_id_table){segment, shared, rank, 0};
}

static uint64_t entry_offset(const struct adr_context_id_table *table, uint32_t number) {
  return adr_context_id_table_offset(table->segment->shape.rank_count) + (uint64_t)number * ADR_CONTEXT_ID_ENTRY_BYTES;
}

static struct adr_context_id_entry *entry_of(const struct adr_context_id_table *table, uint32_t number) {
  return (struct adr_context_id_entry *)(void *)(table->segment->base + entry_offset(table, number));
}

static uint32_t number_of(int32_t id) { return (uint32_t)id / ADR_CONTEXT_ID_GENERATIONS; }

bool adr_context_id_can_be(int32_t id, uint64_t slot_offset) {
  return id > 0 && number_of(id) > 0 && number_of(id) < ADR_MAX_CONTEXTS && slot_offset % ADR_BLOCK == 0;
}

static uint32_t generation_of(int32_t id) { return (uint32_t)id % ADR_CONTEXT_ID_GENERATIONS; }

static int32_t id_of(uint32_t number, uint64_t word) {
  return (int32_t)(number * ADR_CONTEXT_ID_GENERATIONS + (word & (ADR_CONTEXT_ID_GENERATIONS - 1)));
}

static bool is_free(uint64_t word) { return (word >> ADR_CONTEXT_ID_STATE_SHIFT & STATE_MASK) == ADR_CONTEXT_ID_FREE; }

static uint64_t taken(uint32_t generation, uint32_t owner) {
  return generation | ADR_CONTEXT_ID_TAKEN << ADR_CONTEXT_ID_STATE_SHIFT
         | (uint64_t)(owner + 1) << ADR_CONTEXT_ID_OWNER_SHIFT;
}

/* The word of a number that is free, after that of a communicator which has ended. */
static uint64_t next(uint64_t word) { return (word + 1) & (ADR_CONTEXT_ID_GENERATIONS - 1); }

/* Reserves the pages of the entries below `entries`, at most of all. Returns 0 or -errno. */
static int require(struct adr_context_id_table *table, uint32_t entries) {
  uint32_t wanted = entries < ADR_MAX_CONTEXTS ? entries : ADR_MAX_CONTEXTS;
  for (; table->known < wanted; table->known += ENTRIES_OF_PAGE) {
    /* others may have done that, which changes nothing */
    uint64_t zero = entry_offset(table, table->known) + sizeof(uint64_t) - 1; /* the byte that is always zero */
    int status = adr_reservation_reserve(table->segment->fd, zero, 1);
    ADR_STOP(context_paged);
    if (status < 0) { return status; }
  }
  return 0;
}

static bool takes(const struct adr_context_id_table *table, uint32_t number) {
  struct adr_context_id_entry *entry = entry_of(table, number);
  uint64_t word = adr_load_relaxed_u64(&entry->word); /* relaxed: the CAS decides */
  /* SYNC context-id-word: acq_rel, pairs with `free_number`: what we write for the number comes after what was done
   * under it. */
  return is_free(word)
         && adr_cas_acq_rel_u64(&entry->word, word,
                                taken((uint32_t)word & (ADR_CONTEXT_ID_GENERATIONS - 1), table->self));
}

/* Takes the first free number, from where the last was taken: its id; NONE: no known one is free; or another -errno. */
static int32_t take_any(struct adr_context_id_table *table) {
  struct adr_segment_header *header = adr_segment_header_of(table->segment);
  uint32_t first = adr_load_relaxed_u32(&header->context_id_next) % ADR_MAX_CONTEXTS; /* relaxed: only a hint */
  int status = require(table, first + 1);                                             /* another rank has needed more */
  if (status < 0) { return status; }
  for (uint32_t i = 0; i < table->known; i++) {
    uint32_t number = first + i < table->known ? first + i : first + i - table->known;
    if (number != 0 && takes(table, number)) {
      ADR_STOP(context_taken);
      adr_store_relaxed_u32(&header->context_id_next, number + 1 == table->known ? 1 : number + 1);
      ADR_STOP(context_hinted);
      return id_of(number, adr_load_relaxed_u64(&entry_of(table, number)->word)); /* ours: nobody else changes it */
    }
  }
  return NONE;
}

/* Frees a number that is taken, if nobody else was faster. */
static bool free_number(const struct adr_context_id_table *table, uint32_t number, uint64_t word) {
  /* SYNC context-id-word: acq_rel, pairs with the CAS in `takes`; orders all that its members did, whose states we have
   * seen, before it is taken again. */
  bool freed = adr_cas_acq_rel_u64(&entry_of(table, number)->word, word, next(word));
  ADR_STOP(context_freed);
  return freed;
}

static bool is_in_state(const void *base, uint32_t rank, uint32_t state) {
  const struct adr_segment_header *header = base;
  if (rank >= adr_load_once_u32(&header->rank_count)) { return false; } /* a rank that is broken has written it */
  const struct adr_rank_entry *entry = (const void *)((const uint8_t *)base + adr_rank_entry_offset(rank));
  return adr_rank_table_state(entry) == state;
}

static bool has_failed(const void *base, uint32_t rank) { return is_in_state(base, rank, ADR_RANK_FAILED); }

static bool is_gone(const void *base, uint32_t rank) {
  return is_in_state(base, rank, ADR_RANK_LEFT) || has_failed(base, rank);
}

/* Finds the slot of that id, if it is at that place. */
static bool find(const struct adr_context_id_table *table, int32_t id, uint32_t owner, uint64_t offset,
                 struct adr_communicator_slot *slot) {
  void *memory;
  if (!adr_context_id_can_be(id, offset)) { return false; }
  if (adr_shared_reach(table->shared, (int32_t)owner, offset, ADR_SLOT_BYTES, &memory) < 0) { return false; }
  const struct adr_slot *header = memory;
  uint32_t members = adr_load_once_u32(&header->ranks);
  if (adr_load_once_u32(&header->context_id) != (uint32_t)id || members < 1
      || members > table->segment->shape.rank_count
      || adr_shared_reach(table->shared, (int32_t)owner, offset, adr_slot_bytes(members), &memory) < 0) {
    return false;
  }
  *slot =
      (struct adr_communicator_slot){.id = id, .owner = owner, .offset = offset, .memory = memory, .ranks = members};
  return true;
}

static bool is_slot_over(const struct adr_context_id_table *table, const struct adr_communicator_slot *slot) {
  const void *base = table->segment->base;
  if (has_failed(base, slot->owner)) {
    adr_communicator_slot_bar(slot); /* it may not have told all; a rank that left in order has, or has given up */
  }
  return adr_communicator_slot_is_over(slot, base, is_gone);
}

static bool is_over(const struct adr_context_id_table *table, uint32_t number, uint64_t word) {
  uint32_t owner = (uint32_t)(word >> ADR_CONTEXT_ID_OWNER_SHIFT & RANK_MASK) - 1;
  /* First: then it does nothing any more, and no slot is shown behind our back. */
  bool gone = is_gone(table->segment->base, owner);
  /* SYNC context-id-slot: acquire, pairs with adr_context_id_show. */
  uint64_t offset = adr_load_acquire_u64(&entry_of(table, number)->slot);
  struct adr_communicator_slot slot;
  return offset != 0 && find(table, id_of(number, word), owner, offset, &slot) ? is_slot_over(table, &slot) : gone;
}

/* Frees what nobody has freed, since the last member to close has died before; whether there was any. */
static bool repair(const struct adr_context_id_table *table) {
  bool any = false;
  for (uint32_t number = 1; number < table->known; number++) {
    /* SYNC context-id-word: acquire, pairs with the CAS in `takes`; the slot is read after it. */
    uint64_t word = adr_load_acquire_u64(&entry_of(table, number)->word);
    any |= !is_free(word) && is_over(table, number, word) && free_number(table, number, word);
  }
  return any;
}

int32_t adr_context_id_take(struct adr_context_id_table *table) {
  int status = require(table, ADR_CONTEXT_ID_FEWEST);
  int32_t id = status < 0 ? status : take_any(table);
  while (id == NONE) {
    if (!repair(table)) {
      if (table->known == ADR_MAX_CONTEXTS) { return NONE; }
      status = require(table, 2 * table->known);
      if (status < 0) { return status; }
    }
    id = take_any(table);
  }
  return id;
}

void adr_context_id_show(const struct adr_context_id_table *table, int32_t id, uint64_t slot_offset) {
  /* SYNC context-id-slot: release, pairs with the acquire in `is_over`; orders the slot's header and its members. */
  adr_store_release_u64(&entry_of(table, number_of(id))->slot, slot_offset);
  ADR_STOP(context_shown);
}

void adr_context_id_give_back(const struct adr_context_id_table *table, int32_t id) {
  free_number(table, number_of(id), taken(generation_of(id), table->self));
}

void adr_context_id_release(const struct adr_context_id_table *table, const struct adr_communicator_slot *slot) {
  if (is_slot_over(table, slot)) {
    free_number(table, number_of(slot->id), taken(generation_of(slot->id), slot->owner));
  }
}

bool adr_context_id_is_taken(const struct adr_context_id_table *table, int32_t id) {
  /* SYNC context-id-word: acquire, pairs with `free_number`: the slot is used again after its members have looked at it
   * last. */
  uint64_t word = adr_load_acquire_u64(&entry_of(table, number_of(id))->word);
  return !is_free(word) && (word & (ADR_CONTEXT_ID_GENERATIONS - 1)) == generation_of(id);
}
