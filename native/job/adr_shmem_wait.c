/* How PEs meet, and how a PE waits for words of its own part of symmetric memory, which others change by stores of
 * their own [OpenSHMEM over XPMEM 2011, 4.5]: it spins, yields, then naps, for nobody wakes it; but one that puts with
 * a signal does. A wait ends with an error when a PE has failed, which may have been the one to change them, or when
 * all others have left. See adrastea/shmem.h. Twin of io.adrastea.engine.symmetric.WordWaits. */
#include <inttypes.h>
#include <stdio.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "job/adr_job_progress.h"
#include "job/adr_shmem_refuse.h"
#include "job/adr_shmem_wait.h"
#include "wait/adr_word_sleeper.h"

/* Looks at a stretch before the loop of all waits; where ranks share a CPU the one that is waited for may need it. */
enum { LOOKS = 256, LOOKS_PER_PAUSE = 8, WORDS = 160 };

/* What is waited for. */
struct word_wait {
  struct adr_shmem *shmem;
  adr_shmem_met met;
  adr_shmem_what what;
  const void *words;
};

static int is_met(void *subject, int32_t polls) {
  const struct word_wait *wait = subject;
  for (int32_t poll = 0; poll < polls; poll++) {
    if (wait->met(wait->words) != 0) { return ADR_MET; }
    adr_cpu_pause();
  }
  return ADR_UNMET;
}

/* Any PE may be the one that changes them. */
static int missing(void *subject) { return adr_job_missing(((struct word_wait *)subject)->shmem->job, ADR_ANY); }

static int fail(void *subject, int gone) {
  const struct word_wait *wait = subject;
  char words[WORDS] = "";
  char label[2 * WORDS];
  wait->what(wait->words, words, sizeof words);
  snprintf(label, sizeof label, "a wait for %s in symmetric memory", words);
  return adr_job_gone_from(wait->shmem->job, ADR_ANY, gone, label);
}

static struct adr_waiting waiting(const void *subject) {
  (void)subject;
  return (struct adr_waiting){.call = ADR_RANK_IN_MEMORY, .peer = ADR_ANY, .tag = 0};
}

static const struct adr_condition words_are_met = {.is_met = is_met,
                                                   .missing = missing,
                                                   .fail = fail,
                                                   .waiting = waiting,
                                                   .what = "a wait for words of symmetric memory",
                                                   .is_on_words = true,
                                                   .is_untold = true};

int adr_shmem_await(adr_shmem *shmem, adr_shmem_met met, adr_shmem_what what, const void *words) {
  struct word_wait wait = {.shmem = shmem, .met = met, .what = what, .words = words};
  const int looks = shmem->job->wait.waiter.crowded ? 1 : LOOKS;
  for (int look = 0; look < looks; look++) {
    if (met(words) != 0) { return 0; }
    if (look % LOOKS_PER_PAUSE == 0) { adr_cpu_pause(); }
  }
  const int status = adr_wait_for_all(&shmem->job->wait, &words_are_met, &wait);
  return status < 0 ? status : 0;
}

int adr_shmem_move_on(struct adr_shmem *shmem) {
  const int moved = adr_job_progress(shmem->job);
  return moved < 0 ? moved : adr_job_pace(shmem->job);
}

int adr_shmem_step(adr_shmem *shmem) {
  struct adr_job *job = shmem->job;
  const int status = adr_shmem_move_on(shmem);
  struct adr_stride *stride = &shmem->pace.vain;
  if (status < 0 || !adr_stride_ends(stride)) { return status; }
  if (!adr_pace_is_time(&shmem->pace, stride, adr_clock_now())) { return 0; }
  const int gone = adr_job_missing(job, ADR_ANY);
  return gone == ADR_NOBODY ? 0 : adr_job_gone_from(job, ADR_ANY, gone, "a test of words in symmetric memory");
}

void adr_shmem_wake_pe(const struct adr_shmem *shmem, uint32_t pe) {
  adr_word_sleeper_wake(adr_rank_table_entry(shmem->job->segment.base, adr_shmem_rank_of(shmem, pe)));
}

int adr_shmem_wake(adr_shmem *shmem, int pe) {
  if (pe < 0 || (uint32_t)pe >= shmem->pes) {
    return adr_shmem_refuse(shmem, "wake of PE %d; there are PEs 0 to %" PRIu32, pe, shmem->pes - 1);
  }
  adr_shmem_wake_pe(shmem, (uint32_t)pe);
  return 0;
}

int adr_shmem_barrier(adr_shmem *shmem) {
  adr_full_fence(); /* SYNC symmetric-quiet: pairs with that of another PE; orders accesses to symmetric memory */
  return adr_comm_barrier(shmem->comm);
}

int adr_shmem_sync(adr_shmem *shmem) { return adr_comm_barrier(shmem->comm); }
