/* Waits for anybody after the program has acknowledged that ranks failed: they go on among the living. */
#include <sys/mman.h>

#include "base/adr_atomic.h"
#include "looks.h"
#include "ranks.h"

enum { LONG = 64 << 20 /* more than there is room for */ };
enum { LOOKS = 6 /* of rank 0 at another one; two in each check of a wait */ };

static char outgoing[LONG];
static adr_atomic_u32 *looks; /* of rank 0 at each rank, shared by all */
static adr_atomic_u32 *begun; /* whether rank 1 has sent what there is room for, shared by all */

static void looked(uint32_t rank) {
  if (job != NULL && adr_job_rank(job) == 0) { adr_add_acq_rel_u32(&looks[rank], 1); }
}

/* Waits until rank 0, which waits too, has looked several times which ranks are there. */
static void await_looks(void) {
  uint32_t rank = (uint32_t)adr_job_rank(job), before = adr_load_relaxed_u32(&looks[rank]);
  while (adr_load_relaxed_u32(&looks[rank]) - before < LOOKS) { usleep(1000); }
}

static void check_failed(int status, int rank, const char *words) {
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, status);
  CHECK_EQUAL(rank, adr_job_failed_rank(job));
  check_says(adr_job_error(job), words);
}

static int wait_for_anybody(void) {
  adr_message piece;
  return adr_wait(job, ADR_ANY, &piece);
}

static void say(int rank) { CHECK_EQUAL(0, adr_send(job, rank, ADR_MATCH(0, 1), "word", 4)); }

static void hear(int expected, int source) {
  adr_message piece;
  CHECK_EQUAL(1, adr_wait(job, expected, &piece));
  CHECK_EQUAL(source, piece.source);
  CHECK_EQUAL(0, adr_release(job));
}

static void check_acknowledged(int count, int first, int second) {
  int32_t ranks[3] = {-1, -1, -1};
  CHECK_EQUAL(count, adr_job_acknowledge_failed_ranks(job, ranks, 3));
  CHECK_EQUAL(first, ranks[0]);
  CHECK_EQUAL(second, ranks[1]);
  CHECK_EQUAL(-1, ranks[2]);
}

static void await_failed(int count) {
  while (adr_job_failed_ranks(job, NULL, 0) < count) { usleep(1000); }
}

static void die(void) { raise(SIGKILL); }

static void die_when_told(void) {
  hear(0, 0);
  die();
}

static void answer_late(void) {
  hear(0, 0);
  await_looks();
  say(0);
}

static void leave(void) {}

static void wait_among_the_living(void) {
  check_failed(wait_for_anybody(), 1,
               "calls that do not need it go on, such waits after adr_job_acknowledge_failed_ranks");
  check_failed(wait_for_anybody(), 1, "rank 1 (process ");
  check_acknowledged(1, 1, -1);
  say(2);
  hear(ADR_ANY, 2);
  say(3);
  check_failed(wait_for_anybody(), 3, "rank 3 (process "); /* a failure that came afterwards */
  check_failed(wait_for_anybody(), 3, "has failed; a wait cannot complete");
  check_acknowledged(2, 1, 3);
  say(2);
  hear(ADR_ANY, 2);
  CHECK_EQUAL(2, adr_job_failed_ranks(job, NULL, 0));
}

static void answer_twice(void) {
  answer_late();
  answer_late();
}

static void waits_for_anybody_go_on_once_a_failure_is_acknowledged(void) {
  pid_t living = start_rank(0, 4, wait_among_the_living);
  pid_t answering = start_rank(2, 4, answer_twice);
  pid_t later = start_rank(3, 4, die_when_told);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(1, 4, die)));
  CHECK_EQUAL(128 + SIGKILL, end_of(later));
  CHECK_EQUAL(0, end_of(living));
  CHECK_EQUAL(0, end_of(answering));
}

static void begin_and_die(void) {
  adr_outgoing message = {.destination = 0, .match = ADR_MATCH(0, 2), .buffer = outgoing, .bytes = LONG};
  CHECK_EQUAL(0, adr_try_send(job, &message));
  adr_store_release_u32(begun, 1);
  die_when_told();
}

/* Takes in what there is of the message of rank 1. Returns how the last wait ended. */
static int take_pieces(void) {
  adr_message piece;
  int status;
  int64_t taken = 0;
  while ((status = adr_wait(job, ADR_ANY, &piece)) == 1) {
    CHECK_EQUAL(1, piece.source);
    CHECK(piece.offset == taken);
    taken += piece.length;
    CHECK_EQUAL(0, adr_release(job));
  }
  CHECK(taken > 0 && taken < LONG);
  return status;
}

static void acknowledge_and_take_pieces(void) {
  say(1);
  await_failed(1);
  check_acknowledged(1, 1, -1);
  check_failed(take_pieces(), 1, "has failed; a wait cannot complete; calls that do not need it go on");
  say(2);
  hear(ADR_ANY, 2);
}

static void take_pieces_and_acknowledge(void) {
  while (adr_load_acquire_u32(begun) == 0) { usleep(1000); } /* to receive meanwhile makes room for all of it */
  say(1);
  check_failed(take_pieces(), 1, "adr_job_acknowledge_failed_ranks");
  check_acknowledged(1, 1, -1);
  say(2);
  hear(ADR_ANY, 2);
}

static void break_off(rank_body *first) {
  adr_store_relaxed_u32(begun, 0);
  pid_t living = start_rank(0, 3, first);
  pid_t answering = start_rank(2, 3, answer_late);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(1, 3, begin_and_die)));
  CHECK_EQUAL(0, end_of(living));
  CHECK_EQUAL(0, end_of(answering));
}

static void a_message_that_breaks_off_fails_one_wait_for_anybody(void) {
  break_off(acknowledge_and_take_pieces);
  break_off(take_pieces_and_acknowledge);
}

static void wait_alone(void) {
  await_failed(2);
  CHECK_EQUAL(2, adr_job_acknowledge_failed_ranks(job, NULL, 0)); /* also those that it has no place for */
  check_failed(wait_for_anybody(), 2, "has failed; a wait cannot complete; no other rank is there any more");
  check_acknowledged(2, 1, 2);
}

static void wait_alone_beside_one_who_left(void) {
  await_failed(1);
  check_acknowledged(1, 1, -1);
  check_failed(wait_for_anybody(), 2, "has left the job; a wait cannot complete; no other rank is there any more");
}

static void a_wait_for_anybody_fails_when_nobody_is_there_any_more(void) {
  pid_t living = start_rank(0, 3, wait_alone);
  pid_t first = start_rank(1, 3, die);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(2, 3, die)));
  CHECK_EQUAL(128 + SIGKILL, end_of(first));
  CHECK_EQUAL(0, end_of(living));
  living = start_rank(0, 3, wait_alone_beside_one_who_left);
  first = start_rank(1, 3, die);
  CHECK_EQUAL(0, end_of(start_rank(2, 3, leave)));
  CHECK_EQUAL(128 + SIGKILL, end_of(first));
  CHECK_EQUAL(0, end_of(living));
}

/* The loop of docs/c.md. */
static void serve(void) {
  adr_message request;
  int answers = 0;
  int clients = adr_job_size(job) - 1;
  while (clients > 0) {
    int status = adr_wait(job, ADR_ANY, &request);
    if (status == 1) {
      int client = request.source;
      CHECK_EQUAL(0, adr_release(job));
      answers++;
      say(client);
    } else {
      CHECK_EQUAL(ADR_ERROR_RANK_FAILED, status);
      if (adr_job_has_left(job, adr_job_failed_rank(job))) {
        clients = 0;
      } else {
        clients = adr_job_size(job) - 1 - adr_job_acknowledge_failed_ranks(job, NULL, 0);
      }
    }
  }
  CHECK_EQUAL(adr_job_size(job) - 1, answers);
}

static void ask(void) {
  say(0);
  hear(0, 0);
}

static void ask_and_die(void) {
  ask();
  die();
}

static void ask_and_give_up(void) {
  ask();
  adr_job_fail(job, "no license");
  job = NULL;
}

/* Rank 0, when ranks 1 and 3 have failed and rank 2 has left. */
static void tell_left_from_failed(void) {
  int32_t ranks[2] = {-1, -1};
  await_failed(2);
  while (adr_job_left_ranks(job, ranks, 2) == 0) { usleep(1000); }
  CHECK_EQUAL(2, ranks[0]);
  CHECK_EQUAL(-1, ranks[1]);
  CHECK_EQUAL(1, adr_job_has_left(job, 2));
  CHECK_EQUAL(0, adr_job_has_left(job, 0));
  CHECK_EQUAL(0, adr_job_has_left(job, 1));
  CHECK_EQUAL(0, adr_job_has_left(job, 4));
  CHECK_EQUAL(0, adr_job_has_left(job, -1));
  check_acknowledged(2, 1, 3);
  for (int i = 0; i < 2; i++) { check_failed(wait_for_anybody(), 2, "has left the job; a wait cannot complete"); }
}

static void a_rank_that_left_is_told_from_those_that_failed(void) {
  pid_t living = start_rank(0, 4, tell_left_from_failed);
  pid_t first = start_rank(1, 4, die);
  pid_t second = start_rank(2, 4, leave);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(3, 4, die)));
  CHECK_EQUAL(128 + SIGKILL, end_of(first));
  CHECK_EQUAL(0, end_of(second));
  CHECK_EQUAL(0, end_of(living));
}

static void a_server_ends_with_its_last_client_however_each_ends(void) {
  pid_t server = start_rank(0, 4, serve);
  pid_t first = start_rank(1, 4, ask);
  pid_t second = start_rank(2, 4, ask_and_die);
  CHECK_EQUAL(0, end_of(start_rank(3, 4, ask_and_give_up)));
  CHECK_EQUAL(0, end_of(first));
  CHECK_EQUAL(128 + SIGKILL, end_of(second));
  CHECK_EQUAL(0, end_of(server));
}

static void need_the_failed(void) {
  adr_message piece;
  await_failed(1);
  check_acknowledged(1, 1, -1);
  for (int i = 0; i < 2; i++) {
    check_failed(adr_wait(job, 1, &piece), 1, "a wait cannot complete; calls that do not need it go on");
    check_failed(adr_send(job, 1, ADR_MATCH(0, 1), outgoing, LONG), 1,
                 "a send cannot complete; calls that do not need it go on");
    check_failed(adr_barrier(job), 1, "a barrier cannot complete; calls that do not need it go on");
  }
}

static void what_needs_a_failed_rank_fails_as_before(void) {
  pid_t living = start_rank(0, 2, need_the_failed);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(1, 2, die)));
  CHECK_EQUAL(0, end_of(living));
}

static void acknowledge_nothing(void) {
  check_acknowledged(0, -1, -1);
  CHECK_EQUAL(0, adr_barrier(job));
}

static void there_is_nothing_to_acknowledge_when_none_has_failed(void) { run_ranks(2, acknowledge_nothing); }

int main(void) {
  looks = mmap(NULL, (MAX_TEST_RANKS + 1) * sizeof *looks, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(looks != MAP_FAILED);
  begun = looks + MAX_TEST_RANKS;
  ranks_begin();
  RUN(waits_for_anybody_go_on_once_a_failure_is_acknowledged);
  RUN(a_message_that_breaks_off_fails_one_wait_for_anybody);
  RUN(a_wait_for_anybody_fails_when_nobody_is_there_any_more);
  RUN(a_rank_that_left_is_told_from_those_that_failed);
  RUN(a_server_ends_with_its_last_client_however_each_ends);
  RUN(what_needs_a_failed_rank_fails_as_before);
  RUN(there_is_nothing_to_acknowledge_when_none_has_failed);
  ranks_end();
  return 0;
}
