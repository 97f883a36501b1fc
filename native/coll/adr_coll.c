/* One member of a communicator's slot, see adrastea/coll.h: what outlives its collectives, of which it has one for each
 * of its lines (adr_collective.c). Twin of io.adrastea.coll.Member, and of MemberState, which has what the collectives
 * share.
 *
 * Collectives begin in order and may end in any. A member says that it has `done` one when it has ended that one and
 * all before; so a line is free for the collective of four later, which is begun where this one's ended. */
#include "coll/adr_coll.h"

#include <errno.h>
#include <stdlib.h>

#include "ranktable/adr_rank_table.h"
#include "wait/adr_doorbell.h"

/* What the collectives share */

int32_t adr_coll_behind(adr_coll *member, int64_t earlier) {
  if (earlier <= member->least) { return -1; }
  int64_t all = INT64_MAX;
  for (uint32_t other = 0; other < member->slot.ranks; other++) {
    const int64_t done = adr_slot_done(&member->slot, other);
    if (done < earlier) { return (int32_t)other; }
    all = done < all ? done : all;
  }
  member->least = all;
  return -1;
}

void adr_coll_end_among_others(adr_coll *member) {
  int64_t all = member->done;
  while (all < member->sequence && member->collectives[(all + 1) & (ADR_SLOT_LINES - 1)].move == ADR_COLL_IDLE) {
    all++;
  }
  if (all > member->done) {
    member->done = all;
    adr_slot_end(&member->slot, all);
  }
}

static void wake_all(const adr_coll *member) {
  adr_doorbell_order();
  for (uint32_t other = 0; other < member->slot.ranks; other++) {
    if (other != member->slot.self) {
      adr_doorbell_ring_ordered(adr_rank_table_entry(member->base, member->local_ranks[other]));
    }
  }
}

/* Open and closed */

int32_t adr_coll_open(void *base, int32_t job_ranks, void *slot, int64_t bytes, int32_t self, adr_coll **opened) {
  struct adr_slot *header = slot;
  const uint32_t ranks = adr_load_once_u32(&header->ranks);
  *opened = NULL;
  if (ranks < 1 || ranks > (uint32_t)job_ranks || self < 0 || (uint32_t)self >= ranks
      || (uint64_t)bytes < adr_slot_bytes(ranks)) {
    return ADR_CORRUPT;
  }
  adr_coll *member = calloc(1, sizeof *member + (1 + ADR_SLOT_LINES) * ranks * sizeof *member->local_ranks);
  if (member == NULL) { return -ENOMEM; }
  const uint32_t *local_ranks = (const uint32_t *)((const uint8_t *)slot + ADR_SLOT_BYTES);
  for (uint32_t other = 0; other < ranks; other++) {
    member->local_ranks[other] = adr_load_once_u32(&local_ranks[other]);
    if (member->local_ranks[other] >= (uint32_t)job_ranks) {
      free(member);
      return ADR_CORRUPT;
    }
  }
  member->slot = adr_slot_view_of(header, ranks, (uint32_t)self);
  member->base = base;
  member->sequence = adr_slot_done(&member->slot, member->slot.self);
  member->done = member->sequence;
  member->least = member->sequence - ADR_SLOT_LINES; /* nothing is known */
  for (uint32_t line = 0; line < ADR_SLOT_LINES; line++) {
    member->collectives[line].member = member;
    member->collectives[line].slot = member->slot;
    member->collectives[line].other = -1;
    member->collectives[line].exchange.left = &member->local_ranks[(1 + line) * ranks];
  }
  *opened = member;
  return 0;
}

void adr_coll_close(adr_coll *member) {
  for (uint32_t line = 0; member != NULL && line < ADR_SLOT_LINES; line++) {
    free(member->collectives[line].direct.windows);
    free(member->collectives[line].exchange.parts);
    free(member->collectives[line].lines.parts);
  }
  if (member != NULL) { free(member->parts); }
  free(member);
}

/* What callers are told, and tell */

int32_t adr_coll_begun(const adr_coll *member) { return (int32_t)member->begun; }

static const struct adr_collective *at(const adr_coll *member, int32_t which) {
  return &member->collectives[(uint32_t)which & (ADR_SLOT_LINES - 1)];
}

int32_t adr_coll_other(const adr_coll *member, int32_t which) { return at(member, which)->other; }

const int64_t *adr_coll_words(const adr_coll *member, int32_t which) { return at(member, which)->words; }

int64_t *adr_coll_parts(adr_coll *member) {
  const size_t words = (size_t)ADR_COLL_PART_ROWS * member->slot.ranks;
  if (member->parts == NULL) { member->parts = calloc(words, sizeof *member->parts); }
  return member->parts;
}

/* Beside collectives */

int64_t adr_coll_stages_bytes(const adr_coll *member) { return (int64_t)member->slot.ranks * ADR_COLL_STAGE; }

int64_t adr_coll_stages_offset(const adr_coll *member) { return adr_slot_stages(&member->slot); }

int32_t adr_coll_publish_stages(adr_coll *member, int64_t offset) {
  if (member->slot.self != 0 || offset <= 0) { return ADR_INVALID; }
  adr_slot_publish_stages(&member->slot, offset);
  wake_all(member);
  return 0;
}

int32_t adr_coll_stages(adr_coll *member, void *stages, int64_t bytes) {
  if (bytes < adr_coll_stages_bytes(member)) { return ADR_INVALID; }
  member->stages.memory = stages;
  return 0;
}

int32_t adr_coll_break_off(adr_coll *member) {
  adr_slot_break_off(&member->slot);
  wake_all(member);
  return 0;
}

int32_t adr_coll_begin_write(adr_coll *member, int32_t which) {
  const int32_t other = adr_coll_other(member, which);
  if ((uint32_t)other >= member->slot.ranks) { return ADR_INVALID; }
  return adr_slot_begin_write(&member->slot, (uint32_t)other) ? 0 : ADR_COLL_BROKEN;
}

int32_t adr_coll_end_write(adr_coll *member) {
  adr_slot_end_write(&member->slot);
  return 0;
}

int32_t adr_coll_is_written_by(const adr_coll *member, int32_t other) {
  return (uint32_t)other < member->slot.ranks ? adr_slot_is_written_by(&member->slot, (uint32_t)other) : ADR_INVALID;
}

int32_t adr_coll_close_state(adr_coll *member) {
  adr_slot_set_state(&member->slot, ADR_MEMBER_CLOSED);
  wake_all(member);
  for (uint32_t other = 0; other < member->slot.ranks; other++) {
    if (adr_slot_state(&member->slot, other) != ADR_MEMBER_CLOSED) { return 0; }
  }
  return 1;
}

int32_t adr_coll_revoke(adr_coll *member) {
  adr_slot_revoke(&member->slot);
  wake_all(member);
  return 0;
}

int32_t adr_coll_state(const adr_coll *member, int32_t other) {
  return (uint32_t)other < member->slot.ranks ? (int32_t)adr_slot_state(&member->slot, (uint32_t)other) : ADR_INVALID;
}
