/* The slots of the communicators of one rank: those that it owns, as their lowest member, are its shared memory, and
 * the others' are reached. Twin of io.adrastea.contextid.SlotPool. Used by one thread at a time.
 *
 * A slot that the rank owns is used again once the number of its communicator is free. That can only be after this rank
 * has closed the communicator, so those alone are looked at: some whenever another slot is made or closed, all before
 * more memory is taken. */
#pragma once

#include "contextid/adr_context_id_table.h"

struct adr_slot_memory; /* of a slot that no communicator has any more */
struct adr_slot_closed; /* of one that this rank has closed, and not yet all */

struct adr_slot_pool {
  struct adr_context_id_table table;
  struct adr_slot_memory *unused;
  struct adr_slot_closed *closed, *last_closed; /* in the order in which they are to be looked at */
  uint32_t closed_count;
};

void adr_slot_pool_open(struct adr_slot_pool *pool, struct adr_segment *segment, struct adr_shared *shared,
                        uint32_t rank);

/* Forgets what the rank owns; the memory is mapped until the segment is closed. */
void adr_slot_pool_close(struct adr_slot_pool *pool);

/* Takes a number for a communicator of `ranks` members, whose local ranks are listed, this rank's first, and makes its
 * slot. Returns 0; -ENFILE: there is no free number; -ENOMEM; or as adr_shared_allocate. */
int adr_slot_make(struct adr_slot_pool *pool, const uint32_t *local_ranks, uint32_t ranks,
                  struct adr_communicator_slot *slot);

/* This rank, the given member, comes in where another rank has told it of the slot that it has made. Returns 0;
 * -ECANCELED: that one has given up or died, and this one was kept out; -EINVAL: it has no such memory; ADR_CORRUPT:
 * the slot says that it is another communicator's. */
int adr_slot_enter(const struct adr_slot_pool *pool, int32_t id, uint32_t owner, uint64_t offset, uint32_t ranks,
                   uint32_t member, struct adr_communicator_slot *slot);

/* This rank comes in where it has found a slot that was made for it among others. Returns as adr_slot_enter;
 * -ECANCELED also: it is not among them. Sets `*member` to its number. */
int adr_slot_enter_found(const struct adr_slot_pool *pool, uint32_t owner, uint64_t offset, uint32_t *member,
                         struct adr_communicator_slot *slot);

/* The rank that has made the slot gives up: it is done with it, and a member that has not come in is kept out. Returns
 * as adr_slot_close. */
int adr_slot_withdraw(struct adr_slot_pool *pool, struct adr_communicator_slot *slot);

/* This rank, the given member, has closed the communicator. Returns 0, or -ENOMEM: the slot is not used again. */
int adr_slot_close(struct adr_slot_pool *pool, struct adr_communicator_slot *slot, uint32_t member);
