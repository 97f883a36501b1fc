/* The barrier, one thread: what each step leaves and which rank is let go. */
#include "barrier/adr_barrier.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

enum { RANKS = 3 };

static struct adr_segment_header header; /* all that a barrier needs of a segment */
static struct adr_barrier_place places[RANKS];

static void with_places(uint32_t ranks, void (*test)(void)) {
  memset(&header, 0, sizeof header);
  header.rank_count = ranks + 1; /* overwritten: what counts is how many it was opened for */
  for (uint32_t rank = 0; rank < ranks; rank++) { adr_barrier_open(&places[rank], &header, ranks); }
  test();
}

/* Whether the last one is told so is a test of its own. */
static int arrive(int rank) {
  int status = adr_barrier_arrive(&places[rank]);
  return status == ADR_BARRIER_LAST ? 0 : status;
}

static int look(int rank) { return adr_barrier_check(&places[rank]); }

static void check_words(uint32_t counter, uint32_t signal) {
  CHECK_EQUAL(counter, adr_load_relaxed_u32(&header.barrier.counter));
  CHECK_EQUAL(signal, adr_load_relaxed_u32(&header.barrier.signal));
}

static void lets_nobody_go_before_all_have_arrived(void) {
  CHECK_EQUAL(0, arrive(2));
  CHECK_EQUAL(0, arrive(0));
  check_words(2, 0);
  CHECK_EQUAL(ADR_AGAIN, look(2));
  CHECK_EQUAL(ADR_AGAIN, look(0));
  CHECK_EQUAL(0, arrive(1));
  check_words(0, 1);
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, look(rank)); }
}

static void keeps_those_who_went_on_until_the_slowest_has_looked_and_come_again(void) {
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, arrive(rank)); }
  for (int rank = 1; rank < RANKS; rank++) {
    CHECK_EQUAL(0, look(rank));
    CHECK_EQUAL(0, arrive(rank));
    CHECK_EQUAL(ADR_AGAIN, look(rank));
  }
  check_words(2, 1);
  CHECK_EQUAL(0, look(0));
  CHECK_EQUAL(0, arrive(0));
  check_words(0, 0);
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, look(rank)); }
}

static void tells_the_last_one_and_nobody_else(void) {
  CHECK_EQUAL(0, adr_barrier_arrive(&places[1]));
  CHECK_EQUAL(0, adr_barrier_arrive(&places[2]));
  CHECK_EQUAL(ADR_BARRIER_LAST, adr_barrier_arrive(&places[0]));
  CHECK_EQUAL(0, look(0));
}

static void turns_the_signal_over_in_each_round(void) {
  for (uint32_t round = 0; round < 100; round++) {
    check_words(0, round % 2);
    for (uint32_t i = 0; i < RANKS; i++) { CHECK_EQUAL(0, arrive((int)((round + i) % RANKS))); }
    for (uint32_t i = 0; i < RANKS; i++) { CHECK_EQUAL(0, look((int)((round * 2 + i) % RANKS))); }
  }
}

static void counts_a_rank_once_until_it_is_let_go(void) {
  for (int i = 0; i < 5; i++) { CHECK_EQUAL(0, arrive(1)); }
  check_words(1, 0);
  CHECK_EQUAL(ADR_AGAIN, look(1));
}

static void has_nothing_to_wait_for_without_an_arrival(void) {
  CHECK_EQUAL(0, look(0));
  CHECK_EQUAL(0, adr_barrier_wait(&places[0], 1000));
  check_words(0, 0);
}

static void looks_once_at_least(void) {
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, arrive(rank)); }
  CHECK_EQUAL(0, adr_barrier_wait(&places[0], 1));
  CHECK_EQUAL(0, adr_barrier_wait(&places[1], 0));
  CHECK_EQUAL(0, adr_barrier_wait(&places[2], -1));
}

static void gives_up_after_its_looks(void) {
  CHECK_EQUAL(0, arrive(0));
  CHECK_EQUAL(ADR_AGAIN, adr_barrier_wait(&places[0], 1000));
}

static void takes_the_sense_that_the_signal_shows_when_a_place_is_taken(void) {
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, arrive(rank)); }
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, look(rank)); }
  CHECK_EQUAL(0, arrive(0));
  adr_barrier_open(&places[1], &header, RANKS); /* again, as a rank that closes and opens its channel does */
  CHECK_EQUAL(0, arrive(1));
  CHECK_EQUAL(ADR_AGAIN, look(1));
  CHECK_EQUAL(0, arrive(2));
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, look(rank)); }
}

static void lets_one_rank_alone_go_at_once(void) {
  for (uint32_t round = 1; round < 10; round++) {
    CHECK_EQUAL(0, arrive(0));
    check_words(0, round % 2);
    CHECK_EQUAL(0, look(0));
  }
}

static void refuses_a_counter_that_no_ranks_have_counted(void) {
  adr_store_relaxed_u32(&header.barrier.counter, RANKS);
  CHECK_EQUAL(ADR_CORRUPT, arrive(0));
  adr_store_relaxed_u32(&header.barrier.counter, UINT32_MAX);
  CHECK_EQUAL(ADR_CORRUPT, arrive(0));
}

static void refuses_a_signal_that_is_no_sense(void) {
  CHECK_EQUAL(0, arrive(0));
  adr_store_relaxed_u32(&header.barrier.signal, 2);
  CHECK_EQUAL(ADR_CORRUPT, look(0));
  CHECK_EQUAL(ADR_CORRUPT, adr_barrier_wait(&places[0], 1000));
  adr_store_relaxed_u32(&header.barrier.signal, UINT32_MAX);
  CHECK_EQUAL(ADR_CORRUPT, look(0));
}

#define RUN_WITH(ranks, test) \
  do { \
    with_places(ranks, test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN_WITH(RANKS, lets_nobody_go_before_all_have_arrived);
  RUN_WITH(RANKS, keeps_those_who_went_on_until_the_slowest_has_looked_and_come_again);
  RUN_WITH(RANKS, tells_the_last_one_and_nobody_else);
  RUN_WITH(RANKS, turns_the_signal_over_in_each_round);
  RUN_WITH(RANKS, counts_a_rank_once_until_it_is_let_go);
  RUN_WITH(RANKS, has_nothing_to_wait_for_without_an_arrival);
  RUN_WITH(RANKS, looks_once_at_least);
  RUN_WITH(RANKS, gives_up_after_its_looks);
  RUN_WITH(RANKS, takes_the_sense_that_the_signal_shows_when_a_place_is_taken);
  RUN_WITH(1, lets_one_rank_alone_go_at_once);
  RUN_WITH(RANKS, refuses_a_counter_that_no_ranks_have_counted);
  RUN_WITH(RANKS, refuses_a_signal_that_is_no_sense);
  return 0;
}
