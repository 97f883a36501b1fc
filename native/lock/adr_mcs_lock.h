/* One PE's side of the locks of OpenSHMEM, a look at a time: nothing waits here, and the caller is asked which PEs are
 * dead. Twin of io.adrastea.lock.McsLock.
 *
 * The lock is that of Mellor-Crummey and Scott, in one symmetric word of 64 bits [OpenSHMEM over XPMEM 2011, 4.6]: the
 * PEs that want it form a queue, in which each tells the one before it who is next, and is told by that one, in its own
 * word, when its turn has come. So it is first-in-first-out. The parts of the word stand in lock/adr_lock_word.h, and
 * the end of the queue in the word of the lock's home.
 *
 * A PE comes in by a CAS of `last`, not by a SWAP: so it can write who is before it, `previous`, into its own word
 * first. From `last` the queue is whole backwards, then, whatever PE dies at whatever step: also between its CAS and
 * its link, the `next` of the one before. `next` only tells quickly what a walk from `last` tells, too.
 *
 * A PE that waits asks whether the one before it is dead.
 * 1. Where that one had the lock, this one has it now, and is told (REPAIRED): what the lock guards may be half done.
 * 2. Where the lock was handed to that one, and it had not looked since, this one has it, and nobody is told.
 * 3. Where that one waited, this one takes it out: closes its word to the lock (LEAVES), links itself to the PE before,
 * and stands behind that one.
 * A PE that gives up takes itself out by the same steps. Two neighbours that are taken out at once would undo each
 * other's work, so these steps are made by the owner of the lock's word in the table (lock/adr_lock_table.h). All other
 * calls go on beside them, and never touch the table while nobody dies or gives up.
 *
 * Each step leaves what others can go on from. The dying one leaves: its word closed, and still in the queue, so that
 * the next one goes on, and the holder that wants to hand the lock on opens it again; or `next` of the PE before it
 * linked beyond it, which the holder sees as the `previous` there is another one, and walks.
 *
 * One thread at a time. A PE's word is its own again when a call returns ADR_LOCK_RELEASED. */
#pragma once

#include "lock/adr_lock_table.h"
#include "lock/adr_lock_word.h"

/* What a look finds. */
enum adr_lock_look {
  ADR_LOCK_ACQUIRED, /* this PE has the lock */
  ADR_LOCK_RELEASED, /* this PE is not in the queue */
  ADR_LOCK_AWAITS,   /* `other` has to go first; ADR_LOCK_NOBODY: a few steps of another PE, to be looked at again */
  ADR_LOCK_REPAIRED, /* this PE has the lock, and `other` died with it: told once */
  ADR_LOCK_BROKEN,   /* the word of `other` is impossible: something else has written there */
};

#define ADR_LOCK_NOBODY UINT32_MAX

struct adr_mcs_lock {
  uint8_t *memory; /* the symmetric memory of PE 0, where it is mapped; that of the others lies behind it */
  void *table;     /* adr_lock_table_bytes */
  uint64_t stride; /* from the memory of one PE to that of the next, in bytes */
  uint32_t pes;
  uint32_t self;
  uint32_t other; /* the PE that the last look was about */
  uint32_t wakes; /* the PE that is to be woken; ADR_LOCK_NOBODY: none */
};

/* `offset` of the calls below: of the lock's word in each PE's symmetric memory, a multiple of 8. */
static inline struct adr_mcs_lock adr_mcs_lock_of(void *memory, uint64_t stride, void *table, uint32_t pes,
                                                  uint32_t self) {
  return (struct adr_mcs_lock){.memory = (uint8_t *)memory,
                               .table = table,
                               .stride = stride,
                               .pes = pes,
                               .self = self,
                               .other = ADR_LOCK_NOBODY,
                               .wakes = ADR_LOCK_NOBODY};
}

/* Whether this PE has the lock. */
bool adr_mcs_lock_holds(const struct adr_mcs_lock *lock, uint64_t offset);

/* A look for the lock: the first one enters the queue. AWAITS this PE itself: it has the lock. */
enum adr_lock_look adr_mcs_lock_set(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller);

/* Takes the lock if it is free, or if all PEs in its queue are dead; AWAITS: it is not. Does not enter the queue. */
enum adr_lock_look adr_mcs_lock_test(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller);

/* Hands the lock, which this PE has, to the next one, or frees it: to be called until it is RELEASED. AWAITS: `other`
 * is in between two steps, and wakes nobody behind them. BROKEN, and `other` this PE: it does not have the lock. */
enum adr_lock_look adr_mcs_lock_clear(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller);

/* Takes this PE out of the queue, wherever it stands, and with the lock, as clear does: to be called until it is
 * RELEASED. */
enum adr_lock_look adr_mcs_lock_withdraw(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller);

/* To be called after each of the calls above: the PE that may sleep until what they have changed, and is to be woken;
 * ADR_LOCK_NOBODY: there is none. */
uint32_t adr_mcs_lock_next_waiter(struct adr_mcs_lock *lock);
