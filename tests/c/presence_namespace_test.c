/* Ranks in a PID namespace of their own and ranks outside see each other's ends. Skipped where the system makes no
 * namespaces. */
#include <sched.h>

#include "ranktable/adr_rank_table.h"
#include "ranks.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"

enum { OUTER, INNER, VICTIM, RANKS };

static struct adr_segment segment; /* the test's own, inherited */

static uint32_t state_of(uint32_t rank) { return adr_rank_table_state(adr_rank_table_entry(segment.base, rank)); }

static void await_state(uint32_t rank, uint32_t state) {
  while (state_of(rank) != state) { usleep(500); }
}

static bool sees(uint32_t rank) {
  struct adr_rank_watch watch = adr_rank_watch_of(&segment);
  return adr_rank_table_is_present(&watch, rank);
}

static void enter(uint32_t rank) {
  struct adr_segment held; /* opened anew, since locks are a process's; open until its end */
  struct adr_rank_cpus cpus = {.only = -1, .count = 1};
  CHECK_EQUAL(0, adr_segment_attach(&held, ranks_directory, RANKS_JOB_ID, 0));
  CHECK_EQUAL(0, adr_segment_lock_place(&held, rank));
  CHECK_EQUAL(0, adr_rank_table_enter(held.base, rank, ADR_CORE_C, 0, 0, &cpus));
  adr_rank_table_set_state(adr_rank_table_entry(held.base, rank), ADR_RANK_ATTACHED);
}

static pid_t start(void (*body)(void)) {
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid > 0) { return pid; }
  alarm(TEST_SECONDS);
  body();
  _exit(0);
}

static void be_the_victim(void) {
  enter(VICTIM);
  for (;;) { pause(); }
}

/* Process 1 of its namespace; /proc is still that of the namespace outside. */
static void live_inside(void) {
  CHECK_EQUAL(1, getpid());
  CHECK_EQUAL(0, adr_process_visible_namespace());
  enter(INNER);
  await_state(VICTIM, ADR_RANK_ATTACHED);
  while (sees(VICTIM)) { usleep(500); } /* a second goes by in which it is there */
  CHECK_EQUAL(ADR_RANK_FAILED, state_of(VICTIM));
  CHECK(sees(OUTER));
  CHECK(sees(INNER)); /* itself */
}

static void make_a_namespace(void) {
  if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) { _exit(CHECK_SKIPPED); }
  _exit(end_of(start(live_inside)));
}

int main(void) {
  ranks_begin();
  CHECK_EQUAL(0, adr_segment_create(&segment, ranks_directory, RANKS_JOB_ID, 0, RANKS, 4, 64, ADR_BOX_DEFAULTS));
  struct adr_rank_cpus cpus = {.only = -1, .count = 1};
  CHECK_EQUAL(0, adr_segment_lock_place(&segment, OUTER));
  CHECK_EQUAL(0, adr_rank_table_enter(segment.base, OUTER, ADR_CORE_C, 0, 0, &cpus));
  pid_t victim = start(be_the_victim);
  await_state(VICTIM, ADR_RANK_ATTACHED);
  pid_t maker = start(make_a_namespace);
  siginfo_t early = {0};
  while (state_of(INNER) != ADR_RANK_ATTACHED && early.si_pid == 0) {
    CHECK_EQUAL(0, waitid(P_PID, (id_t)maker, &early, WEXITED | WNOHANG | WNOWAIT));
    usleep(500);
  }
  if (early.si_pid == 0) {
    for (int i = 0; i < 20; i++) { CHECK(sees(INNER)); }
    CHECK(sees(VICTIM));
  }
  kill(victim, SIGKILL);
  CHECK_EQUAL(128 + SIGKILL, end_of(victim));
  int status = end_of(maker);
  CHECK_EQUAL(0, adr_segment_unlink(&segment));
  CHECK_EQUAL(0, rmdir(ranks_directory));
  if (status == CHECK_SKIPPED) {
    printf("skipped: this system makes no PID namespace\n");
    return CHECK_SKIPPED;
  }
  CHECK_EQUAL(0, status);
  CHECK(!sees(INNER));
  CHECK_EQUAL(ADR_RANK_FAILED, state_of(INNER));
  printf("ok ranks inside and outside see each other's ends\n");
  return 0;
}
