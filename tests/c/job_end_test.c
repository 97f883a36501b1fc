/* Ranks that die or leave while C ranks wait for them; the others go on. */
#include "ranks.h"

enum { LONG = 3 << 20 };

static char outgoing[LONG];

static void check_failed(int status, int rank, const char *words) {
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, status);
  CHECK_EQUAL(rank, adr_job_failed_rank(job));
  check_says(adr_job_error(job), words);
}

/* Sends rank 0 a word and dies, or leaves, as told. */
static void speak(void) { CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, 1), "last", 4)); }

static void speak_and_die(void) {
  speak();
  raise(SIGKILL);
}

static void hear_the_last_word(void) {
  adr_message piece;
  CHECK_EQUAL(1, adr_wait(job, 1, &piece));
  CHECK(memcmp(piece.payload, "last", 4) == 0);
  CHECK_EQUAL(0, adr_release(job));
}

static void wait_for_the_dead(void) {
  adr_message piece;
  CHECK_EQUAL(-1, adr_job_failed_rank(job));
  hear_the_last_word();
  check_failed(adr_wait(job, 1, &piece), 1, "rank 1 (process ");
  check_says(adr_job_error(job), "has failed; a wait cannot complete");
  check_failed(adr_wait(job, ADR_ANY, &piece), 1, "has failed");
  check_failed(adr_send(job, 1, ADR_MATCH(0, 1), outgoing, LONG), 1, "has failed; a send cannot complete");
  check_failed(adr_barrier(job), 1, "has failed; a barrier cannot complete");
  check_failed(adr_barrier(job), 1, "has failed; a barrier cannot complete");
  int32_t failed[2] = {-1, -1};
  CHECK_EQUAL(1, adr_job_failed_ranks(job, failed, 2));
  CHECK_EQUAL(1, failed[0]);
  CHECK_EQUAL(-1, failed[1]);
  CHECK_EQUAL(1, adr_job_failed_ranks(job, NULL, 0));
}

static void what_waits_for_a_dead_rank_fails_after_its_last_word(void) {
  pid_t living = start_rank(0, 2, wait_for_the_dead);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(1, 2, speak_and_die)));
  CHECK_EQUAL(0, end_of(living));
}

static void wait_for_one_who_left(void) {
  adr_message piece;
  hear_the_last_word();
  check_failed(adr_wait(job, 1, &piece), 1, "has left the job; a wait cannot complete");
  check_failed(adr_wait(job, ADR_ANY, &piece), 1, "has left the job");
  check_failed(adr_send(job, 1, ADR_MATCH(0, 1), "short", 5), 1,
               "has left the job; a send cannot complete"); /* there is room */
  adr_outgoing message = {.destination = 1, .match = ADR_MATCH(0, 1), .buffer = outgoing, .bytes = LONG};
  check_failed(adr_try_send(job, &message), 1, "has left the job; a send cannot complete");
  CHECK_EQUAL(-EINVAL, adr_cancel_send(job, &message));
  check_failed(adr_barrier(job), 1, "has left the job; a barrier cannot complete");
  CHECK_EQUAL(0, adr_job_failed_ranks(job, NULL, 0));
}

static void what_waits_for_a_rank_that_left_fails_after_its_last_word(void) {
  pid_t staying = start_rank(0, 2, wait_for_one_who_left);
  CHECK_EQUAL(0, end_of(start_rank(1, 2, speak)));
  CHECK_EQUAL(0, end_of(staying));
}

static void give_up(void) {
  CHECK_EQUAL(0, adr_job_fail(job, "no license\nfor rank 1"));
  job = NULL;
}

static void hear_why(void) {
  adr_message piece;
  check_failed(adr_wait(job, 1, &piece), 1, "has failed: no license for rank 1; a wait cannot complete");
  check_failed(adr_barrier(job), 1, "has failed: no license for rank 1; a barrier");
  int32_t failed = -1;
  CHECK_EQUAL(1, adr_job_failed_ranks(job, &failed, 1));
  CHECK_EQUAL(1, failed);
}

static void a_rank_that_gives_up_says_why(void) {
  pid_t living = start_rank(0, 2, hear_why);
  CHECK_EQUAL(0, end_of(start_rank(1, 2, give_up)));
  CHECK_EQUAL(0, end_of(living));
}

static void go_on(void) {
  adr_message piece;
  int peer = 1 - adr_job_rank(job);
  if (peer == 1) { check_failed(adr_wait(job, 2, &piece), 2, "rank 2"); }
  for (int i = 0; i < 1000; i++) {
    if (peer == 1) { CHECK_EQUAL(0, adr_send(job, peer, ADR_MATCH(0, i), outgoing, 100)); }
    CHECK_EQUAL(1, adr_wait(job, peer, &piece));
    CHECK_EQUAL(i, ADR_TAG(piece.match));
    CHECK_EQUAL(0, adr_release(job));
    if (peer == 0) { CHECK_EQUAL(0, adr_send(job, peer, ADR_MATCH(0, i), outgoing, 100)); }
  }
}

static void die(void) { raise(SIGKILL); }

static void the_others_go_on(void) {
  pid_t first = start_rank(0, 3, go_on);
  pid_t second = start_rank(1, 3, go_on);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(2, 3, die)));
  CHECK_EQUAL(0, end_of(first));
  CHECK_EQUAL(0, end_of(second));
}

static void pass_many_barriers(void) {
  for (int i = 0; i < 300; i++) { CHECK_EQUAL(0, adr_barrier(job)); }
}

static void a_rank_that_leaves_right_after_a_barrier_does_not_spoil_it(void) {
  for (int i = 0; i < 5; i++) { run_ranks(4, pass_many_barriers); }
}

static void ask_until_it_fails(void) {
  int32_t failed;
  CHECK_EQUAL(0, adr_job_failed_ranks(job, NULL, 0));
  kill(getppid(), SIGUSR1);
  while (adr_job_failed_ranks(job, &failed, 1) == 0) { usleep(1000); } /* in no other call */
  CHECK_EQUAL(1, failed);
}

static void stay(void) {
  for (;;) { pause(); }
}

static void who_asks_sees_a_death_without_waiting(void) {
  sigset_t asked;
  int signal;
  sigemptyset(&asked);
  sigaddset(&asked, SIGUSR1);
  CHECK_EQUAL(0, sigprocmask(SIG_BLOCK, &asked, NULL));
  pid_t living = start_rank(0, 2, ask_until_it_fails);
  pid_t dying = start_rank(1, 2, stay);
  CHECK_EQUAL(0, sigwait(&asked, &signal));
  kill(dying, SIGKILL);
  CHECK_EQUAL(0, end_of(living)); /* before anybody takes notice of the dead process */
  CHECK_EQUAL(128 + SIGKILL, end_of(dying));
}

int main(void) {
  ranks_begin();
  RUN(what_waits_for_a_dead_rank_fails_after_its_last_word);
  RUN(what_waits_for_a_rank_that_left_fails_after_its_last_word);
  RUN(a_rank_that_gives_up_says_why);
  RUN(the_others_go_on);
  RUN(who_asks_sees_a_death_without_waiting);
  RUN(a_rank_that_leaves_right_after_a_barrier_does_not_spoil_it);
  ranks_end();
  return 0;
}
