#include "wait/adr_doorbell.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/adr_stop.h"

enum { NANOS_PER_SECOND = 1000000000 };

static int membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0 ? 0 : -errno; }

int adr_doorbell_prepare(void) { return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED); }

uint32_t adr_doorbell_announce(struct adr_rank_entry *entry) {
  /* SYNC doorbell-word: acquire, before `sleeping` is set: whoever sees that set raises the word later than this. */
  uint32_t word = adr_load_acquire_u32(&entry->doorbell_word);
  /* SYNC doorbell-sleeping: relaxed; the barrier puts it before the check that the caller owes, and before every load
   * of it by a ringer whose store that check does not see. */
  adr_store_relaxed_u32(&entry->doorbell_sleeping, 1);
  ADR_STOP(sleep_announced);
  return word;
}

adr_atomic_u32 adr_doorbell_fences;

void adr_doorbell_enable_fence(struct adr_rank_entry *entry) {
  adr_store_relaxed_u32(&adr_doorbell_fences, 1);
  /* SYNC doorbell-fenced: release, pairs with the acquire of a sleeper, whose fence meets ours from now on. */
  adr_store_release_u32(&entry->doorbell_fenced, 1);
}

int adr_doorbell_barrier(void) { return membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED); }

int adr_doorbell_sleep(struct adr_rank_entry *entry, uint32_t word, int64_t nanos) {
  struct timespec most = {.tv_sec = nanos / NANOS_PER_SECOND, .tv_nsec = nanos % NANOS_PER_SECOND};
  /* Not FUTEX_PRIVATE: the word is shared between processes. Whatever ends it, the caller checks. */
  long status = syscall(SYS_futex, &entry->doorbell_word, FUTEX_WAIT, word, &most, NULL, 0);
  return status < 0 && errno == ETIMEDOUT ? -ETIMEDOUT : 0;
}

void adr_doorbell_wake(struct adr_rank_entry *entry) {
  /* One of several ranks that ring makes the call; all sleepers of the rank wake, so it need not be set for any of them
   * any more. Relaxed: it decides only which rank makes the call. What the winner gave is shown by the word below. What
   * the others gave is found after the owner has said the next time that it sleeps, since they checked before that
   * whether it sleeps. */
  if (adr_swap_relaxed_u32(&entry->doorbell_sleeping, 0) != 0) {
    ADR_STOP(wake_claimed); /* a rank that dies here leaves it asleep until its time is over */
    /* SYNC doorbell-word: release, pairs with the acquire in announce: an owner that takes the new word sees what was
     * given before. */
    adr_add_acq_rel_u32(&entry->doorbell_word, 1);
    ADR_STOP(wake_counted);
    syscall(SYS_futex, &entry->doorbell_word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
}
