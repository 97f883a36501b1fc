/* Two ranks that wait for each other on one CPU: the higher one goes elsewhere, and is bound to nothing. Where there is
 * one CPU only, it stays. And ranks tell each other when they give way. */
#include <sched.h>

#include "adrastea/affinity.h"
#include "job.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_waiter.h"

enum { LOW, HIGH, RANKS, CELLS = 4, PAYLOAD = 256, NOW = 1000000 };

static struct job job;

static uint32_t *running(uint32_t rank) {
  return (uint32_t *)&adr_rank_table_entry(job.segment.base, rank)->running_cpu;
}

/* The one CPU that the rank said it is pinned to when it joined, or -1. */
static void pinned_to(uint32_t rank, int32_t cpu) { adr_rank_table_entry(job.segment.base, rank)->cpu = cpu; }

static int32_t avoid_shared_cpu(int32_t rank, int32_t other) {
  return adr_channel_avoid_shared_cpu(job.segment.base, rank, other);
}

/* Avoids the CPU of the other as `rank`, after the other was on the CPU that it runs on. The system may send it
 * elsewhere before, and back afterwards. */
static int32_t avoid_from_here(int32_t rank, int32_t other, int *before) {
  *before = sched_getcpu();
  *running((uint32_t)other) = (uint32_t)*before + 1;
  return avoid_shared_cpu(rank, other);
}

/* Whether it went, in one of many trials, to another CPU than before. */
static bool goes(int32_t rank, int32_t other) {
  bool went = false;
  for (int trial = 0; trial < 1000 && !went; trial++) {
    int before;
    int32_t status = avoid_from_here(rank, other, &before);
    CHECK(status == 0 || status == 1);
    went = status == 1 && *running((uint32_t)rank) != (uint32_t)before + 1;
  }
  return went;
}

static void the_higher_one_goes_to_another_cpu_to_which_it_is_not_bound(void) {
  cpu_set_t mask, after;
  CHECK_EQUAL(0, sched_getaffinity(0, sizeof mask, &mask));
  CHECK_EQUAL(adr_affinity_count() > 1, goes(HIGH, LOW));
  CHECK_EQUAL(0, sched_getaffinity(0, sizeof after, &after));
  CHECK(CPU_EQUAL(&mask, &after));
}

static void the_lower_one_stays_and_tells_where_it_runs(void) {
  *running(LOW) = 0;
  CHECK(!goes(LOW, HIGH));
  CHECK(*running(LOW) >= 1 && *running(LOW) <= CPU_SETSIZE);
}

static void nobody_goes_while_the_other_has_not_told_its_cpu(void) {
  *running(LOW) = 0;
  for (int trial = 0; trial < 100; trial++) { CHECK_EQUAL(0, avoid_shared_cpu(HIGH, LOW)); }
}

static void who_has_joined_pinned_stays(void) {
  pinned_to(HIGH, 0);
  CHECK(!goes(HIGH, LOW));
  pinned_to(HIGH, -1);
}

static void who_was_bound_later_stays(void) {
  int before;
  CHECK_EQUAL(0, adr_affinity_bind(sched_getcpu()));
  CHECK(!goes(HIGH, LOW));
  CHECK_EQUAL(0, avoid_from_here(HIGH, LOW, &before));
  CHECK_EQUAL((uint32_t)before + 1, *running(HIGH));
  CHECK_EQUAL(before, sched_getcpu());
}

static void who_has_its_cpu_again_knows_whether_ranks_had_it(void) {
  bool was = false;
  for (int trial = 0; trial < 1000 && !was; trial++) { /* the system may send the thread elsewhere in between */
    CHECK_EQUAL(0, adr_channel_give_way(job.segment.base, LOW, NOW));
    was = adr_channel_was_given_way(job.segment.base, HIGH, RANKS, NOW) == 1;
  }
  CHECK(was);
  CHECK_EQUAL(0, adr_channel_was_given_way(job.segment.base, HIGH, RANKS, NOW + 1));
  CHECK_EQUAL(0, adr_channel_give_way(job.segment.base, HIGH, NOW + 1));
  CHECK_EQUAL(0, adr_channel_was_given_way(job.segment.base, HIGH, RANKS, NOW + 1)); /* that was itself */
  *running(LOW) = CPU_SETSIZE + 1;                                                   /* elsewhere */
  CHECK_EQUAL(0, adr_channel_was_given_way(job.segment.base, HIGH, RANKS, NOW));
}

static void who_falls_asleep_gives_way(void) {
  bool was = false;
  for (int trial = 0; trial < 1000 && !was; trial++) {
    const int64_t before = adr_waiter_now();
    const uint32_t word = adr_load_acquire_u32(&adr_rank_table_entry(job.segment.base, LOW)->doorbell_word);
    adr_channel_sleep(job.segment.base, LOW, word, 1);
    was = adr_channel_was_given_way(job.segment.base, HIGH, RANKS, before) == 1;
  }
  CHECK(was);
}

int main(void) {
  job = job_open(RANKS, CELLS, PAYLOAD);
  pinned_to(LOW, -1);
  pinned_to(HIGH, -1);
  RUN(the_higher_one_goes_to_another_cpu_to_which_it_is_not_bound);
  RUN(the_lower_one_stays_and_tells_where_it_runs);
  RUN(nobody_goes_while_the_other_has_not_told_its_cpu);
  RUN(who_has_its_cpu_again_knows_whether_ranks_had_it);
  RUN(who_falls_asleep_gives_way);
  RUN(who_has_joined_pinned_stays);
  RUN(who_was_bound_later_stays);
  job_close(&job);
  return 0;
}
