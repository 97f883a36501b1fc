/* A slot in memory of its own, with the stages of its members, for tests of collectives. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "adrastea/coll.h"
#include "check.h"
#include "coll/adr_coll.h"
#include "layout/adr_layout.h"
#include "ranktable/adr_rank_table.h"

enum { STAGE = 360448, STAGES_AT = 4096 /* where in the segment the stages are said to lie */ };

static struct {
  uint8_t *base; /* of a segment that has a rank table alone */
  uint8_t *slot;
  uint8_t *stages;
  uint32_t ranks;
} place;

static inline void *zeros(size_t bytes) {
  void *memory = aligned_alloc(4096, (bytes + 4096) / 4096 * 4096);
  CHECK(memory != NULL);
  memset(memory, 0, bytes);
  return memory;
}

/* All members have done `sequence` collectives. */
static inline void set_up_slot(uint32_t ranks, uint32_t choices, uint64_t sequence) {
  place.ranks = ranks;
  place.base = zeros((size_t)((uint8_t *)adr_rank_table_entry(NULL, ranks) - (uint8_t *)NULL));
  place.slot = zeros(adr_slot_bytes(ranks));
  struct adr_slot *slot = (struct adr_slot *)(void *)place.slot;
  slot->ranks = ranks;
  slot->choices = choices;
  struct adr_slot_member *members = (void *)(place.slot + adr_slot_members_offset(ranks));
  for (uint32_t member = 0; member < ranks; member++) {
    ((uint32_t *)(void *)(place.slot + ADR_SLOT_BYTES))[member] = member;
    adr_store_relaxed_u64(&members[member].done, sequence);
  }
}

static inline void set_up_stages(void) { place.stages = zeros((size_t)place.ranks * STAGE); }

static inline void tear_down_slot(void) {
  free(place.base);
  free(place.slot);
  free(place.stages);
  place.stages = NULL;
}

static inline adr_coll *opened(uint32_t self) {
  adr_coll *coll;
  CHECK_EQUAL(0, adr_coll_open(place.base, (int32_t)place.ranks, place.slot, (int64_t)adr_slot_bytes(place.ranks),
                               (int32_t)self, &coll));
  return coll;
}

static inline void serve_stages(adr_coll *coll) {
  if (adr_coll_stages_offset(coll) == 0) { CHECK_EQUAL(0, adr_coll_publish_stages(coll, STAGES_AT)); }
  CHECK_EQUAL(STAGES_AT, adr_coll_stages_offset(coll));
  CHECK_EQUAL(0, adr_coll_stages(coll, place.stages, (int64_t)place.ranks * STAGE));
}

static inline bool lies_within(int64_t at, int64_t bytes, int64_t room) {
  return at >= 0 && bytes >= 0 && at <= room - bytes;
}

/* What a word of a wish names, in the slot or in the stages. */
static inline uint8_t *place_of(const int64_t *words, int word) {
  const bool in_slot = words[ADR_COLL_PLACE] == ADR_COLL_IN_SLOT;
  const int64_t room = in_slot ? (int64_t)adr_slot_bytes(place.ranks) : (int64_t)place.ranks * STAGE;
  CHECK(lies_within(words[word], words[ADR_COLL_BYTES], room));
  return (in_slot ? place.slot : place.stages) + words[word];
}

/* A program's own operator, which is not commutative: a * 3 + b on bytes. */
static inline void combine(uint8_t *target, const uint8_t *source, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i++) { target[i] = (uint8_t)(target[i] * 3 + source[i]); }
}
