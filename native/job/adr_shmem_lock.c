/* How a PE waits for locks in symmetric memory [OpenSHMEM over XPMEM 2011, 4.6]: between the looks of
 * lock/adr_mcs_lock.h it rests as in any other wait, and wakes the PE that a look names. A lock is known by the offset
 * of its word. See adrastea/shmem.h. Twin of io.adrastea.engine.symmetric.SymmetricLocks. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "job/adr_shmem_refuse.h"
#include "job/adr_shmem_wait.h"

enum { SPINS = 1 << 12, WORDS = 80 };

/* One try for a lock. */
struct attempt {
  struct adr_shmem *shmem;
  int64_t offset;
  enum adr_lock_look outcome;
  uint32_t other;
};

/* As far as the checks of the waits have found out. */
static bool is_gone(void *caller, uint32_t pe) {
  const struct adr_shmem *shmem = caller;
  const uint32_t state =
      adr_rank_table_state(adr_rank_table_entry(shmem->job->segment.base, adr_shmem_rank_of(shmem, pe)));
  return state == ADR_RANK_FAILED || state == ADR_RANK_LEFT;
}

static void wake_next(struct adr_shmem *shmem) {
  const uint32_t pe = adr_mcs_lock_next_waiter(&shmem->lock);
  if (pe != ADR_LOCK_NOBODY) { adr_shmem_wake_pe(shmem, pe); }
}

static void look(struct attempt *attempt) {
  struct adr_shmem *shmem = attempt->shmem;
  attempt->outcome = adr_mcs_lock_set(&shmem->lock, (uint64_t)attempt->offset, is_gone, shmem);
  attempt->other = shmem->lock.other;
  wake_next(shmem);
}

static int32_t awaited(const struct attempt *attempt) {
  return attempt->other == ADR_LOCK_NOBODY ? ADR_ANY : (int32_t)adr_shmem_rank_of(attempt->shmem, attempt->other);
}

/* Finds out whether a PE is dead, which the next look then knows. */
static void find(struct adr_shmem *shmem, uint32_t pe) {
  if (pe != ADR_LOCK_NOBODY) { adr_job_missing(shmem->job, (int)adr_shmem_rank_of(shmem, pe)); }
}

static void rest(struct adr_shmem *shmem, int spins) {
  if (spins % SPINS == 0) {
    find(shmem, shmem->lock.other);
    sched_yield(); /* the other PE may want the CPU */
  }
  adr_cpu_pause();
}

static int fail_word(const struct adr_shmem *shmem, int64_t offset, uint32_t pe) {
  return adr_fail(&shmem->job->error, ADR_CORRUPT,
                  "the word of the lock at offset %" PRId64 " in symmetric memory of %" PRIu32 " PEs is at PE %" PRIu32
                  " what no lock has; something else was stored there: a lock is 8 bytes of its own, zero at first",
                  offset, shmem->pes, pe);
}

/* Hands the lock on, or frees it; what is waited for are a few steps of others. */
static int release(struct adr_shmem *shmem, int64_t offset) {
  enum adr_lock_look outcome = adr_mcs_lock_clear(&shmem->lock, (uint64_t)offset, is_gone, shmem);
  wake_next(shmem);
  for (int spins = 1; outcome == ADR_LOCK_AWAITS; spins++) {
    rest(shmem, spins);
    outcome = adr_mcs_lock_clear(&shmem->lock, (uint64_t)offset, is_gone, shmem);
    wake_next(shmem);
  }
  return outcome == ADR_LOCK_BROKEN ? fail_word(shmem, offset, shmem->lock.other) : 0;
}

/* Takes this PE out of the queue, and with the lock; what is waited for are a few steps of others. */
static void withdraw(const struct attempt *attempt) {
  struct adr_shmem *shmem = attempt->shmem;
  if (attempt->outcome == ADR_LOCK_BROKEN) { return; }
  enum adr_lock_look outcome = adr_mcs_lock_withdraw(&shmem->lock, (uint64_t)attempt->offset, is_gone, shmem);
  wake_next(shmem);
  for (int spins = 1; outcome == ADR_LOCK_AWAITS; spins++) {
    rest(shmem, spins);
    outcome = adr_mcs_lock_withdraw(&shmem->lock, (uint64_t)attempt->offset, is_gone, shmem);
    wake_next(shmem);
  }
}

/* Fails where this PE is not to have the lock though its looks are over. */
static int settle(const struct attempt *attempt) {
  struct adr_shmem *shmem = attempt->shmem;
  if (attempt->outcome == ADR_LOCK_BROKEN) { return fail_word(shmem, attempt->offset, attempt->other); }
  if (attempt->outcome != ADR_LOCK_REPAIRED) { return 0; }
  char words[WORDS];
  snprintf(words, sizeof words, "a call for the lock at offset %" PRId64 " in symmetric memory", attempt->offset);
  const int status = release(shmem, attempt->offset);
  return status < 0 ? status : adr_job_gone(shmem->job, (int)adr_shmem_rank_of(shmem, attempt->other), words);
}

/* A wait asks again behind an answer that has ended it: then nothing more is looked for. */
static int is_met(void *subject, int32_t polls) {
  struct attempt *attempt = subject;
  for (int32_t left = polls; left > 0 && attempt->outcome == ADR_LOCK_AWAITS; left--) {
    look(attempt);
    adr_cpu_pause();
  }
  return attempt->outcome == ADR_LOCK_AWAITS ? ADR_UNMET : ADR_MET;
}

/* A PE that has died as holder, or stands before, is found here, and the next look clears up behind it. */
static int missing(void *subject) {
  const struct attempt *attempt = subject;
  find(attempt->shmem, attempt->other);
  return ADR_NOBODY;
}

static struct adr_waiting waiting(const void *subject) {
  return (struct adr_waiting){.call = ADR_RANK_IN_MEMORY, .peer = awaited(subject), .tag = 0};
}

/* Some steps of others wake nobody. It never fails for one that is missing. */
static const struct adr_condition lock_is_set = {.is_met = is_met,
                                                 .missing = missing,
                                                 .waiting = waiting,
                                                 .what = "a wait for a lock in symmetric memory",
                                                 .is_on_words = true,
                                                 .is_untold = true};

/* Refuses what is no lock at all PEs. Any of them may be the lock's home. */
static int check_lock(const struct adr_shmem *shmem, const char *name, int64_t offset) {
  if (offset % (int64_t)sizeof(uint64_t) != 0) {
    return adr_shmem_refuse(shmem, "%s of a lock at offset %" PRId64 "; allowed are multiples of 8", name, offset);
  }
  for (uint32_t pe = 0; pe < shmem->pes; pe++) {
    if (adr_shmem_holds(shmem, pe, offset, sizeof(uint64_t))) { continue; }
    return adr_shmem_refuse(
        shmem,
        "%s of a lock at offset %" PRId64 ", which PE %" PRIu32
        " has neither in its heap nor in data of the same program; a lock is to lie in an object of "
        "all PEs",
        name, offset, pe);
  }
  return 0;
}

static int check_not_here(const struct adr_shmem *shmem, const char *name, int64_t offset) {
  const int status = check_lock(shmem, name, offset);
  if (status < 0 || !adr_mcs_lock_holds(&shmem->lock, (uint64_t)offset)) { return status; }
  return adr_shmem_refuse(shmem,
                          "%s of the lock at offset %" PRId64 ", which this PE has set; a PE sets a lock once at a "
                          "time",
                          name, offset);
}

int adr_shmem_set_lock(adr_shmem *shmem, int64_t offset) {
  struct attempt attempt = {.shmem = shmem, .offset = offset, .other = ADR_LOCK_NOBODY};
  int status = check_not_here(shmem, "set_lock", offset);
  if (status < 0) { return status; }
  look(&attempt);
  if (attempt.outcome == ADR_LOCK_AWAITS) {
    status = adr_wait_for(&shmem->job->wait, awaited(&attempt), &lock_is_set, &attempt);
  }
  if (status >= 0) { status = settle(&attempt); }
  if (status < 0) { withdraw(&attempt); }
  return status;
}

int adr_shmem_test_lock(adr_shmem *shmem, int64_t offset) {
  struct attempt attempt = {.shmem = shmem, .offset = offset};
  int status = check_not_here(shmem, "test_lock", offset);
  if (status < 0) { return status; }
  attempt.outcome = adr_mcs_lock_test(&shmem->lock, (uint64_t)offset, is_gone, shmem);
  attempt.other = shmem->lock.other;
  wake_next(shmem);
  if (attempt.outcome == ADR_LOCK_AWAITS && attempt.other == shmem->rank) { /* it neither has it nor waits for it */
    attempt.outcome = ADR_LOCK_BROKEN;
  }
  status = settle(&attempt);
  if (status < 0) { return status; }
  if (attempt.outcome != ADR_LOCK_AWAITS) { return 1; }
  find(shmem, attempt.other);
  return adr_shmem_move_on(shmem);
}

int adr_shmem_clear_lock(adr_shmem *shmem, int64_t offset) {
  const int status = check_lock(shmem, "clear_lock", offset);
  if (status < 0) { return status; }
  if (!adr_mcs_lock_holds(&shmem->lock, (uint64_t)offset)) {
    return adr_shmem_refuse(shmem, "clear_lock of the lock at offset %" PRId64 ", which this PE has not set", offset);
  }
  return release(shmem, offset);
}
