/* Two ranks that wait for each other on one CPU: the higher one goes elsewhere, or the lower one where that cannot, and
 * is bound to nothing. Where there is one CPU only, it stays. And ranks tell each other when they give way. The calls
 * of the system that this rests on go through the __wrap functions below (option --wrap of the linker). */
#include <errno.h>
#include <sched.h>

#include "affinity/adr_affinity.h"
#include "job.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_waiter.h"

enum { LOW, HIGH, RANKS, CELLS = 4, PAYLOAD = 256, NOW = 1000000 };

static struct job job;
static bool tells_no_cpu; /* getcpu fails */
static bool meddles;      /* somebody else sets the mask once the thread has: to the CPUs that are missing there ... */
static cpu_set_t all;     /* ... of these */

int __real_sched_getcpu(void);
int __wrap_sched_getcpu(void);
int __real_sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *mask);
int __wrap_sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *mask);

int __wrap_sched_getcpu(void) {
  if (tells_no_cpu) { errno = ENOSYS; }
  return tells_no_cpu ? -1 : __real_sched_getcpu();
}

int __wrap_sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *mask) {
  const int status = __real_sched_setaffinity(thread, size, mask);
  if (meddles) {
    cpu_set_t missing;
    CPU_XOR(&missing, &all, mask);
    CHECK_EQUAL(0, __real_sched_setaffinity(thread, sizeof missing, &missing));
    meddles = false;
  }
  return status;
}

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

/* The core of a rank, as it said when it joined. */
static void has_core(uint32_t rank, uint32_t core) { adr_rank_table_entry(job.segment.base, rank)->core = core; }

static void the_lower_one_goes_where_the_higher_cannot(void) {
  pinned_to(HIGH, CPU_SETSIZE);
  CHECK_EQUAL(adr_affinity_count() > 1, goes(LOW, HIGH));
  pinned_to(HIGH, -1);
  has_core(HIGH, ADR_CORE_JAVA);
  CHECK_EQUAL(adr_affinity_count() > 1, goes(LOW, HIGH));
  has_core(HIGH, ADR_CORE_C);
  CHECK(!goes(LOW, HIGH));
}

static void a_mask_that_somebody_sets_meanwhile_stays(void) {
  if (adr_affinity_count() < 2) { return; }
  int before;
  meddles = true;
  while (meddles) { avoid_from_here(HIGH, LOW, &before); }
  CHECK_EQUAL(1, adr_affinity_count());
  CHECK_EQUAL(before, adr_affinity_only());
  CHECK_EQUAL(0, sched_setaffinity(0, sizeof all, &all));
}

static void a_rank_that_cannot_tell_its_cpu_says_so_and_stays(void) {
  tells_no_cpu = true;
  *running(HIGH) = 1;
  CHECK_EQUAL(0, adr_channel_give_way(job.segment.base, HIGH, NOW));
  CHECK_EQUAL(0, *running(HIGH));
  *running(LOW) = 0;
  CHECK_EQUAL(-ENOSYS, adr_channel_was_given_way(job.segment.base, HIGH, RANKS, 0));
  CHECK_EQUAL(-ENOSYS, avoid_shared_cpu(HIGH, LOW));
  tells_no_cpu = false;
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
    const int64_t before = adr_clock_now();
    const uint32_t word = adr_load_acquire_u32(&adr_rank_table_entry(job.segment.base, LOW)->doorbell_word);
    adr_channel_sleep(job.segment.base, LOW, word, 1);
    was = adr_channel_was_given_way(job.segment.base, HIGH, RANKS, before) == 1;
  }
  CHECK(was);
}

int main(void) {
  job = job_open(RANKS, CELLS, PAYLOAD);
  CHECK_EQUAL(0, sched_getaffinity(0, sizeof all, &all));
  pinned_to(LOW, -1);
  pinned_to(HIGH, -1);
  RUN(the_higher_one_goes_to_another_cpu_to_which_it_is_not_bound);
  RUN(the_lower_one_stays_and_tells_where_it_runs);
  RUN(the_lower_one_goes_where_the_higher_cannot);
  RUN(a_mask_that_somebody_sets_meanwhile_stays);
  RUN(a_rank_that_cannot_tell_its_cpu_says_so_and_stays);
  RUN(nobody_goes_while_the_other_has_not_told_its_cpu);
  RUN(who_has_its_cpu_again_knows_whether_ranks_had_it);
  RUN(who_falls_asleep_gives_way);
  RUN(who_has_joined_pinned_stays);
  RUN(who_was_bound_later_stays);
  job_close(&job);
  return 0;
}
