/* The doorbell that a rank sleeps on: a futex in its entry of the rank table. The core `java` has no futex and thus no
 * twin of this; the rank table tells which ranks can be woken and which can wake.
 *
 * The sleeper pays for it, not the sender: a sleeper says so, has every process of the job pass a memory barrier, looks
 * once more and only then sleeps. A rank that gives it something stores that, and then loads `doorbell_sleeping`,
 * without a fence:
 * - the load comes before that barrier: then so does the store, and the sleeper's last check finds what was given;
 * - or it comes after it: then it sees that the owner sleeps, and wakes it.
 *
 * That barrier interrupts all other CPUs that run a process of the job: on a virtual machine that takes 10 microseconds
 * and more, which is much where ranks fall asleep all the time since they outnumber the CPUs. There every rank puts a
 * fence between the two, which takes some 10 ns, and says so; once all do, a sleeper's fence of its own has the place
 * of the barrier.
 *
 * Model: tests/models/doorbell.pml. */
#pragma once

#include "base/adr_base.h"
#include "layout/adr_layout_rank_entry.h"

/* Prepares the calling process for waking others: it takes part in their barriers from now on. Returns 0, or a negative
 * errno value: this system cannot. */
int adr_doorbell_prepare(void);

/* Says that the owner of `entry` is about to sleep. Returns the word to sleep on. Owed afterwards: whatever is to be
 * taken back so that others ring, the barrier, and a check of all that is waited for: what is not there then will be
 * rung for. */
uint32_t adr_doorbell_announce(struct adr_rank_entry *entry);

/* Has every process of the job pass a memory barrier. Returns 0, or a negative errno value: nobody can be relied on to
 * ring; the owner sleeps for short stretches at most. */
int adr_doorbell_barrier(void);

/* From now on the calling process fences what it gives; said in the entry of its rank. */
void adr_doorbell_enable_fence(struct adr_rank_entry *entry);

/* Whether the owner of `entry` fences what it gives. */
static inline bool adr_doorbell_is_fenced(const struct adr_rank_entry *entry) {
  /* SYNC doorbell-fenced: acquire, pairs with the release in fence: what is given after it is fenced. */
  return adr_load_acquire_u32(&entry->doorbell_fenced) == 1;
}

/* Whether this process does, 0 or 1. The process has it, not a rank: a fence too many harms nobody. Set before it gives
 * anything. */
extern adr_atomic_u32 adr_doorbell_fences;

/* To be called between giving something and checking whether the rank that it is for sleeps. */
static inline void adr_doorbell_order(void) {
  adr_compiler_fence(); /* a compiler may move a load before a release */
  /* Relaxed: a thread that gives for a rank sees what that rank has set; of other ranks' it need not know. */
  if (ADR_UNLIKELY(adr_load_relaxed_u32(&adr_doorbell_fences) != 0)) {
    adr_full_fence(); /* SYNC doorbell-fenced: our gift comes before our check whether the owner sleeps */
  }
}

/* Sleeps until somebody rings, at most so long; not at all when somebody has rung since the word was got. Returns 0;
 * -ETIMEDOUT: nobody has rung, as far as is known. */
int adr_doorbell_sleep(struct adr_rank_entry *entry, uint32_t word, int64_t nanos);

/* Wakes all threads that sleep on it. */
void adr_doorbell_wake(struct adr_rank_entry *entry);

/* The owner is awake. */
static inline void adr_doorbell_end_sleep(struct adr_rank_entry *entry) {
  /* Relaxed: a ringer that still sees it asleep makes a call for nothing. */
  adr_store_relaxed_u32(&entry->doorbell_sleeping, 0);
}

/* To be called after the owner was given something and adr_doorbell_order. */
static inline void adr_doorbell_ring_ordered(struct adr_rank_entry *entry) {
  /* SYNC doorbell-sleeping: relaxed, ordered after the caller's stores by the sleeper's barrier or by the fence, see
   * above. */
  if (ADR_UNLIKELY(adr_load_relaxed_u32(&entry->doorbell_sleeping) != 0)) { adr_doorbell_wake(entry); }
}

/* To be called after the owner was given something. */
static inline void adr_doorbell_ring(struct adr_rank_entry *entry) {
  adr_doorbell_order();
  adr_doorbell_ring_ordered(entry);
}
