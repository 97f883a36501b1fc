/* Numbers of the communicators of one node: a table of words in the segment. Twin of
 * io.adrastea.contextid.ContextIdTable.
 *
 * A member of a communicator takes a number by a CAS from FREE to TAKEN, which names it as the owner, fills a
 * slot and shows where it lies. A number is free again when each member has closed the communicator or is gone: whoever
 * finds that raises the generation by a CAS, so that of several one does it and one that comes late does nothing. This
 * is mostly the last member to close. A member that dies first leaves the number to a rank that finds no free one: that
 * looks at all that are taken.
 *
 * A member comes in by a CAS of its state, once the owner has told it of the slot. When the owner gives up, or is found
 * to have failed, those that are not in are kept out by the same CAS: whether they were told or not, they do not come
 * in any more.
 *
 * What is read of a slot may be old: its owner gives it to another communicator as soon as the number is free. The CAS
 * fails then, since the generation is another one. A word without a slot, or with that of another generation, belongs
 * to an owner that has not shown its slot yet: it is free once that is gone.
 *
 * An id is a number with its generation: what stands in match words and in slots. Used by one thread at a time. */
#pragma once

#include "contextid/adr_communicator_slot.h"
#include "shared/adr_shared.h"

struct adr_context_id_table {
  struct adr_segment *segment;
  struct adr_shared *shared;
  uint32_t self;
  uint32_t known; /* entries whose pages are there, as far as this rank has seen to it */
};

/* The table as `rank`, the caller, uses it; segment and shared allocations stay open meanwhile. */
void adr_context_id_table_open(struct adr_context_id_table *table, struct adr_segment *segment,
                               struct adr_shared *shared, uint32_t rank);

/* Takes a number for a communicator that this rank is about to make: its id; -ENFILE: all are taken; -ENOSPC: there is
 * no room for a page of the table; or another -errno. */
int32_t adr_context_id_take(struct adr_context_id_table *table);

/* Shows where the slot of a taken number lies. From then on the members decide when the number is free. */
void adr_context_id_show(const struct adr_context_id_table *table, int32_t id, uint64_t slot_offset);

/* Gives a number back whose slot was not shown. */
void adr_context_id_give_back(const struct adr_context_id_table *table, int32_t id);

/* Frees a number if every member has closed the communicator or is gone; does nothing where that is not so, or another
 * member was faster. */
void adr_context_id_release(const struct adr_context_id_table *table, const struct adr_communicator_slot *slot);

/* Whether a communicator can have the id, and its slot lie there; what another rank has told is to be
 * looked at before it is used. */
bool adr_context_id_can_be(int32_t id, uint64_t slot_offset);

/* Whether a communicator has the number still, in that generation. */
bool adr_context_id_is_taken(const struct adr_context_id_table *table, int32_t id);
