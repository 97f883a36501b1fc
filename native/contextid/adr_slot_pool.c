#include "contextid/adr_slot_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/adr_stop.h"
#include "contextid/adr_origin.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_geometry.h"

enum { LOOKS = 4 };

struct adr_slot_memory {
  struct adr_slot_memory *next;
  struct adr_communicator_slot slot; /* where it lies, and for how many members */
};

struct adr_slot_closed {
  struct adr_slot_closed *next;
  struct adr_slot_memory *memory;
};

void adr_slot_pool_open(struct adr_slot_pool *pool, struct adr_segment *segment, struct adr_shared *shared,
                        uint32_t rank) {
  *pool = (struct adr_slot_pool){.unused = NULL};
  adr_context_id_table_open(&pool->table, segment, shared, rank);
}

void adr_slot_pool_close(struct adr_slot_pool *pool) {
  while (pool->closed != NULL) {
    struct adr_slot_closed *closed = pool->closed;
    pool->closed = closed->next;
    adr_origin_release(closed->memory->slot.origin);
    free(closed->memory);
    free(closed);
  }
  while (pool->unused != NULL) {
    struct adr_slot_memory *memory = pool->unused;
    pool->unused = memory->next;
    free(memory);
  }
}

static void append(struct adr_slot_pool *pool, struct adr_slot_closed *closed) {
  closed->next = NULL;
  if (pool->closed == NULL) {
    pool->closed = closed;
  } else {
    pool->last_closed->next = closed;
  }
  pool->last_closed = closed;
  pool->closed_count++;
}

/* A slot that members have not come to: they may have given up since this rank has closed it. */
static void release_if_settled(const struct adr_slot_pool *pool, struct adr_communicator_slot *slot) {
  if (slot->owner != pool->table.self || adr_communicator_slot_is_settled(slot)) { return; }
  adr_communicator_slot_settle(slot);
  adr_context_id_release(&pool->table, slot);
}

static void give_back(const struct adr_slot_pool *pool, void *memory) {
  if (memory != NULL) { adr_shared_free(pool->table.shared, memory); }
}

/* All members have closed a slot, or are gone: frees what this rank has kept for them. */
static void end(struct adr_slot_pool *pool, struct adr_slot_memory *memory) {
  struct adr_communicator_slot *slot = &memory->slot;
  give_back(pool, slot->stages);
  give_back(pool, slot->kept[0]);
  give_back(pool, slot->kept[1]);
  if (slot->kept_region != 0 && slot->kept_region_of == pool->table.self) {
    adr_region_give_back(pool->table.segment, pool->table.self, slot->kept_region - 1);
  } else if (slot->kept_region != 0) {
    adr_region_give_back_of(pool->table.segment, pool->table.self, slot->kept_region_of, slot->kept_region - 1);
  }
  adr_origin_release(slot->origin);
  slot->origin = NULL;
  if (slot->owner != pool->table.self) {
    free(memory);
    return;
  }
  memory->next = pool->unused;
  pool->unused = memory;
}

/* Looks at so many of the slots that others may have closed too, in turn. */
static void sweep(struct adr_slot_pool *pool, uint32_t looks) {
  for (uint32_t left = looks < pool->closed_count ? looks : pool->closed_count; left > 0; left--) {
    struct adr_slot_closed *closed = pool->closed;
    pool->closed = closed->next;
    pool->closed_count--;
    release_if_settled(pool, &closed->memory->slot);
    if (adr_context_id_is_taken(&pool->table, closed->memory->slot.id)) {
      append(pool, closed);
      continue;
    }
    end(pool, closed->memory);
    free(closed);
  }
}

/* Takes memory out that nobody uses; NULL: none is for so many members. */
static struct adr_slot_memory *take_unused(struct adr_slot_pool *pool, uint32_t ranks) {
  for (struct adr_slot_memory **link = &pool->unused; *link != NULL; link = &(*link)->next) {
    struct adr_slot_memory *memory = *link;
    if (memory->slot.ranks == ranks) {
      *link = memory->next;
      return memory;
    }
  }
  return NULL;
}

static int take(struct adr_slot_pool *pool, uint32_t ranks, struct adr_communicator_slot *slot) {
  sweep(pool, LOOKS);
  struct adr_slot_memory *memory = take_unused(pool, ranks);
  if (memory == NULL) {
    sweep(pool, UINT32_MAX);
    memory = take_unused(pool, ranks);
  }
  if (memory != NULL) {
    *slot = memory->slot;
    free(memory);
    return 0;
  }
  void *allocated;
  slot->ranks = ranks;
  int status =
      adr_shared_allocate(pool->table.shared, adr_slot_bytes(ranks), sizeof(uint64_t), &allocated, &slot->offset);
  slot->memory = allocated;
  return status;
}

/* What all members must know to take the same way: what holds for the job, and whether they outnumber their CPUs. */
static uint32_t choices(const struct adr_slot_pool *pool, const uint32_t *local_ranks, uint32_t ranks) {
  uint8_t *base = pool->table.segment->base;
  const struct adr_slot *world = (void *)(base + adr_world_slot_offset(pool->table.segment->shape.rank_count));
  uint32_t of_job = adr_load_once_u32(&world->choices) & ~(uint32_t)ADR_SLOT_OVERSUBSCRIBED;
  return ranks > adr_rank_table_usable_cpus(base, local_ranks, ranks) ? of_job | ADR_SLOT_OVERSUBSCRIBED : of_job;
}

static void fill(const struct adr_slot_pool *pool, const struct adr_communicator_slot *slot,
                 const uint32_t *local_ranks) {
  memset(slot->memory, 0, adr_slot_bytes(slot->ranks));
  slot->memory->context_id = (uint32_t)slot->id;
  slot->memory->ranks = slot->ranks;
  slot->memory->choices = choices(pool, local_ranks, slot->ranks);
  memcpy(slot->memory + 1, local_ranks, slot->ranks * sizeof *local_ranks);
  adr_communicator_slot_enter(slot, 0);
  ADR_STOP(slot_filled);
}

int adr_slot_make(struct adr_slot_pool *pool, const uint32_t *local_ranks, uint32_t ranks,
                  struct adr_communicator_slot *slot) {
  int32_t id = adr_context_id_take(&pool->table);
  if (id < 0) { return id; }
  *slot = (struct adr_communicator_slot){.id = id};
  int status = take(pool, ranks, slot);
  if (status < 0) {
    adr_context_id_give_back(&pool->table, id);
    return status;
  }
  slot->id = id;
  slot->owner = pool->table.self;
  slot->stages = NULL;
  slot->kept[0] = NULL;
  slot->kept[1] = NULL;
  slot->kept_region = 0;
  slot->origin = NULL;
  slot->settled = false;
  fill(pool, slot, local_ranks);
  adr_context_id_show(&pool->table, id, slot->offset);
  return 0;
}

int adr_slot_enter(const struct adr_slot_pool *pool, int32_t id, uint32_t owner, uint64_t offset, uint32_t ranks,
                   uint32_t member, struct adr_communicator_slot *slot) {
  void *memory;
  if (!adr_context_id_can_be(id, offset)) { return ADR_CORRUPT; }
  int status = adr_shared_reach(pool->table.shared, (int32_t)owner, offset, adr_slot_bytes(ranks), &memory);
  if (status < 0) { return status; }
  const struct adr_slot *header = memory;
  if (adr_load_once_u32(&header->context_id) != (uint32_t)id || adr_load_once_u32(&header->ranks) != ranks) {
    return ADR_CORRUPT;
  }
  *slot = (struct adr_communicator_slot){.id = id, .owner = owner, .offset = offset, .memory = memory, .ranks = ranks};
  bool in = adr_communicator_slot_enter(slot, member);
  ADR_STOP(slot_entered);
  return in ? 0 : -ECANCELED;
}

int adr_slot_enter_found(const struct adr_slot_pool *pool, uint32_t owner, uint64_t offset, uint32_t *member,
                         struct adr_communicator_slot *slot) {
  void *memory;
  const uint32_t job_ranks = pool->table.segment->shape.rank_count;
  if (owner >= job_ranks) { return ADR_CORRUPT; }
  int status = adr_shared_reach(pool->table.shared, (int32_t)owner, offset, ADR_SLOT_BYTES, &memory);
  if (status < 0) { return status; }
  const struct adr_slot *header = memory;
  const int32_t id = (int32_t)adr_load_once_u32(&header->context_id);
  const uint32_t ranks = adr_load_once_u32(&header->ranks);
  if (!adr_context_id_can_be(id, offset) || ranks < 1 || ranks > job_ranks) { return ADR_CORRUPT; }
  status = adr_shared_reach(pool->table.shared, (int32_t)owner, offset, adr_slot_bytes(ranks), &memory);
  if (status < 0) { return status; }
  *slot = (struct adr_communicator_slot){.id = id, .owner = owner, .offset = offset, .memory = memory, .ranks = ranks};
  *member = ranks;
  for (uint32_t i = 0; i < ranks; i++) {
    const uint32_t rank = adr_load_once_u32(&adr_communicator_slot_local_ranks(slot)[i]);
    if (rank >= job_ranks) { return ADR_CORRUPT; }
    if (rank == pool->table.self) { *member = i; }
  }
  return *member < ranks && adr_communicator_slot_enter(slot, *member) ? 0 : -ECANCELED;
}

int adr_slot_withdraw(struct adr_slot_pool *pool, struct adr_communicator_slot *slot) {
  adr_communicator_slot_bar(slot);
  ADR_STOP(slot_barred);
  return adr_slot_close(pool, slot, 0);
}

/* Remembers a slot that this rank owns, or keeps memory for, until all have closed it. */
static int keep(struct adr_slot_pool *pool, const struct adr_communicator_slot *slot) {
  struct adr_slot_closed *closed = malloc(sizeof *closed);
  struct adr_slot_memory *memory = malloc(sizeof *memory);
  if (closed == NULL || memory == NULL) {
    free(closed);
    free(memory);
    return -ENOMEM;
  }
  memory->slot = *slot;
  adr_origin_use(slot->origin);
  closed->memory = memory;
  append(pool, closed);
  sweep(pool, LOOKS);
  return 0;
}

int adr_slot_close(struct adr_slot_pool *pool, struct adr_communicator_slot *slot, uint32_t member) {
  adr_communicator_slot_settle(slot);
  adr_communicator_slot_close(slot, member);
  ADR_STOP(slot_closed);
  adr_context_id_release(&pool->table, slot);
  const bool keeps = slot->stages != NULL || slot->kept[0] != NULL || slot->kept[1] != NULL || slot->kept_region != 0;
  return slot->owner == pool->table.self || keeps ? keep(pool, slot) : 0;
}
