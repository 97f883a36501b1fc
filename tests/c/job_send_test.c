/* Sending from a C rank that must not wait, gives up, or sends to itself. */
#include "ranks.h"

enum { LONG = 3 << 20, SHORT = 8 };

static char outgoing[LONG];
static char incoming[LONG];

static void drain(int source, uint64_t bytes) {
  adr_message piece;
  for (uint64_t at = 0; at < bytes; at += piece.length) {
    CHECK_EQUAL(1, adr_wait(job, source, &piece));
    memcpy(incoming + at, piece.payload, piece.length);
    CHECK_EQUAL(0, adr_release(job));
  }
}

static void await_token(int source, int tag) {
  adr_message piece;
  CHECK_EQUAL(1, adr_wait(job, source, &piece));
  CHECK_EQUAL(tag, ADR_TAG(piece.match));
  CHECK_EQUAL(0, adr_release(job));
}

static void send_without_waiting(void) {
  adr_outgoing message = {.destination = 1, .match = ADR_MATCH(0, 1), .buffer = outgoing, .bytes = LONG};
  adr_outgoing other = {.destination = 1, .match = ADR_MATCH(0, 2), .buffer = "x", .bytes = 1};
  CHECK_EQUAL(0, adr_try_send(job, &message));
  CHECK(message.sent > 0 && message.sent < LONG);
  CHECK_EQUAL(0, adr_try_send(job, &message));
  CHECK_EQUAL(-EBUSY, adr_try_send(job, &other));
  check_says(adr_job_error(job), "another message of 3145728 bytes is on its way to rank 1");
  CHECK_EQUAL(-EBUSY, adr_send(job, 1, ADR_MATCH(0, 2), "x", 1));
  CHECK_EQUAL(0, adr_send(job, 2, ADR_MATCH(0, 7), "x", 1)); /* other destinations are free */
  CHECK_EQUAL(0, adr_barrier(job));
  while (adr_try_send(job, &message) == 0) {}
  CHECK_EQUAL(LONG, message.sent);
  while (adr_try_send(job, &other) == 0) {}
}

static void receive_later(void) {
  adr_message piece;
  CHECK_EQUAL(0, adr_barrier(job));
  drain(0, LONG);
  CHECK_EQUAL(1, adr_wait(job, 0, &piece));
  CHECK_EQUAL(2, ADR_TAG(piece.match)); /* never in between */
  CHECK_EQUAL(0, adr_release(job));
}

static void run_without_waiting(void) {
  switch (adr_job_rank(job)) {
  case 0:
    send_without_waiting();
    break;
  case 1:
    receive_later();
    break;
  default:
    await_token(0, 7);
    CHECK_EQUAL(0, adr_barrier(job));
  }
}

static void a_message_without_room_goes_out_in_parts_and_blocks_no_other_destination(void) {
  run_ranks(3, run_without_waiting);
}

/* Both send more than there is room for, then receive: only possible when neither waits. */
static void send_both_ways_at_once(void) {
  int peer = 1 - adr_job_rank(job);
  memset(outgoing, 'a' + peer, LONG);
  adr_outgoing message = {.destination = peer, .match = ADR_MATCH(0, 1), .buffer = outgoing, .bytes = LONG};
  adr_message piece;
  int sent = 0;
  uint64_t at = 0;
  while (sent == 0 || at < LONG) {
    if (sent == 0) { sent = adr_try_send(job, &message); }
    CHECK(sent >= 0);
    if (adr_poll(job, &piece) == 1) {
      memcpy(incoming + piece.offset, piece.payload, piece.length);
      at += piece.length;
      CHECK_EQUAL(0, adr_release(job));
    }
  }
  for (int i = 0; i < LONG; i++) { CHECK(incoming[i] == 'a' + 1 - peer); }
}

static void two_ranks_send_each_other_long_messages_at_once(void) { run_ranks(2, send_both_ways_at_once); }

static void give_up(void) {
  adr_message piece;
  if (adr_job_rank(job) == 0) {
    adr_outgoing message = {.destination = 1, .match = ADR_MATCH(0, 1), .buffer = outgoing, .bytes = LONG};
    CHECK_EQUAL(-EINVAL, adr_cancel_send(job, &message));
    check_says(adr_job_error(job), "not on its way");
    CHECK_EQUAL(0, adr_try_send(job, &message));
    CHECK_EQUAL(0, adr_cancel_send(job, &message));
    CHECK_EQUAL(-EINVAL, adr_cancel_send(job, &message));
    CHECK_EQUAL(0, adr_barrier(job)); /* up to here nobody made room */
    CHECK_EQUAL(0, adr_send(job, 1, ADR_MATCH(0, 2), "next", 4));
    return;
  }
  CHECK_EQUAL(0, adr_barrier(job));
  do {
    CHECK_EQUAL(1, adr_wait(job, 0, &piece));
    CHECK_EQUAL(1, ADR_TAG(piece.match));
    CHECK_EQUAL(0, adr_release(job));
  } while (piece.kind != ADR_PIECE_ABORT);
  CHECK_EQUAL(1, adr_wait(job, 0, &piece));
  CHECK_EQUAL(ADR_PIECE_FIRST, piece.kind);
  CHECK(memcmp(piece.payload, "next", 4) == 0);
  CHECK_EQUAL(0, adr_release(job));
}

static void a_message_given_up_ends_with_an_abort_and_the_next_one_is_whole(void) { run_ranks(2, give_up); }

static void send_too_much_to_itself(void) {
  adr_message piece;
  CHECK_EQUAL(-EDEADLK, adr_send(job, 0, ADR_MATCH(0, 1), outgoing, LONG));
  check_says(adr_job_error(job), "rank 0 sends itself 3145728 bytes");
  do {
    CHECK_EQUAL(1, adr_wait(job, 0, &piece));
    CHECK_EQUAL(1, ADR_TAG(piece.match));
    CHECK_EQUAL(0, adr_release(job));
  } while (piece.kind != ADR_PIECE_ABORT);
  CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, 2), "after", 5));
  CHECK_EQUAL(1, adr_wait(job, 0, &piece));
  CHECK_EQUAL(2, ADR_TAG(piece.match));
  CHECK_EQUAL(0, adr_release(job));
}

static void a_message_to_itself_without_room_is_an_error_not_a_hang(void) { run_ranks(1, send_too_much_to_itself); }

static void leave_in_the_middle(void) {
  adr_outgoing message = {.destination = 0, .match = ADR_MATCH(0, 1), .buffer = outgoing, .bytes = LONG};
  join_job();
  char words[200], few[10];
  CHECK_EQUAL(0, adr_job_outstanding(job, words, sizeof words));
  CHECK_EQUAL(0, words[0]);
  CHECK_EQUAL(0, adr_try_send(job, &message));
  CHECK_EQUAL(1, adr_job_outstanding(job, words, sizeof words));
  check_says(words, "a send to rank 0 with tag 1, ");
  check_says(words, " of 3145728 bytes");
  CHECK_EQUAL(1, adr_job_outstanding(job, few, sizeof few));
  CHECK_EQUAL(0, strcmp(few, "a send to"));
  CHECK_EQUAL(1, adr_job_outstanding(job, NULL, 0));
  CHECK_EQUAL(-EBUSY, adr_job_leave(job));
}

static void leaving_with_a_message_half_sent_says_so(void) {
  CHECK_EQUAL(0, end_of(start_unjoined(0, 1, leave_in_the_middle)));
}

/* Rank 0 sends a long message while more come from rank 1, and takes them only afterwards: they stay where they are. */
static void send_while_messages_come(void) {
  if (adr_job_rank(job) == 0) {
    await_token(1, 1); /* more of them is there, or on its way */
    CHECK_EQUAL(0, adr_send(job, 1, ADR_MATCH(0, 9), outgoing, LONG));
    for (int tag = 2; tag <= 20; tag++) { await_token(1, tag); }
  } else {
    for (int tag = 1; tag <= 20; tag++) { CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, tag), outgoing, SHORT)); }
    drain(0, LONG);
  }
}

static void what_comes_while_a_rank_sends_stays_in_order(void) { run_ranks(2, send_while_messages_come); }

int main(void) {
  ranks_begin();
  RUN(a_message_without_room_goes_out_in_parts_and_blocks_no_other_destination);
  RUN(two_ranks_send_each_other_long_messages_at_once);
  RUN(a_message_given_up_ends_with_an_abort_and_the_next_one_is_whole);
  RUN(a_message_to_itself_without_room_is_an_error_not_a_hang);
  RUN(leaving_with_a_message_half_sent_says_so);
  RUN(what_comes_while_a_rank_sends_stays_in_order);
  ranks_end();
  return 0;
}
