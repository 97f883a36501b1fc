/* Messages between C ranks: order, sizes, pieces, what is refused. */
#include "job/adr_job_state.h"
#include "ranks.h"
#include "segment/adr_geometry.h"

enum { LARGEST = 1 << 20, ROUNDS = 300 };

static uint8_t outgoing[LARGEST];
static uint8_t incoming[LARGEST];

static uint8_t byte_of(uint64_t number, uint64_t at) { return (uint8_t)((number + 1) * 31 + at * 7 + (at >> 8)); }

static void fill(uint64_t number, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at++) { outgoing[at] = byte_of(number, at); }
}

/* Receives the whole next message of the only peer, piece by piece. */
static adr_message receive_whole(int source) {
  adr_message piece;
  int64_t at = 0;
  do {
    CHECK_EQUAL(1, adr_wait(job, source, &piece));
    CHECK_EQUAL(source, piece.source);
    CHECK_EQUAL(at == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT, piece.kind);
    CHECK_EQUAL(at, piece.offset);
    CHECK(piece.offset + piece.length <= piece.total_length);
    memcpy(incoming + piece.offset, piece.payload, piece.length);
    at += piece.length;
    CHECK_EQUAL(0, adr_release(job));
  } while (at < piece.total_length);
  return piece;
}

static void receive_and_check(int source, uint64_t number, uint64_t bytes) {
  adr_message message = receive_whole(source);
  CHECK_EQUAL(bytes, message.total_length);
  CHECK_EQUAL(ADR_MATCH(0, number), message.match);
  CHECK_EQUAL(number, ADR_TAG(message.match));
  CHECK_EQUAL(0, ADR_CONTEXT(message.match));
  for (uint64_t at = 0; at < bytes; at++) { CHECK(incoming[at] == byte_of(number, at)); }
}

static const uint64_t sizes[] = {0,    1,    7,    8,    9,    47,   48,    49,    63,     64,      65,     1000,
                                 4095, 4096, 4097, 8191, 8192, 8193, 16384, 65537, 262144, 1000003, 1 << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
static uint64_t largest = LARGEST;

static void exchange_sizes(void) {
  int peer = 1 - adr_job_rank(job);
  for (uint64_t i = 0; i < SIZES && sizes[i] <= largest; i++) {
    if (peer == 1) {
      fill(i, sizes[i]);
      CHECK_EQUAL(0, adr_send(job, peer, ADR_MATCH(0, i), outgoing, sizes[i]));
      receive_and_check(peer, i + 100, sizes[i]);
    } else {
      receive_and_check(peer, i, sizes[i]);
      fill(i + 100, sizes[i]);
      CHECK_EQUAL(0, adr_send(job, peer, ADR_MATCH(0, i + 100), outgoing, sizes[i]));
    }
  }
}

static void messages_of_all_sizes_arrive_whole(void) {
  run_ranks(2, exchange_sizes);
  setenv("ADRASTEA_BOX_LINES", "0", 1);
  run_ranks(2, exchange_sizes);
  setenv("ADRASTEA_BOX_LINES", "256", 1);
  setenv("ADRASTEA_BOX_MESSAGE_BYTES", "4096", 1);
  setenv("ADRASTEA_CELLS", "2", 1);
  setenv("ADRASTEA_CELL_BYTES", "64", 1);
  largest = 16384; /* 256 cells' worth through two */
  run_ranks(2, exchange_sizes);
  unsetenv("ADRASTEA_CELLS");
  unsetenv("ADRASTEA_CELL_BYTES");
  unsetenv("ADRASTEA_BOX_LINES");
  unsetenv("ADRASTEA_BOX_MESSAGE_BYTES");
}

/* Rank 0 receives from all others, which send as fast as they can: short, long, over box and cells. */
static void many_to_one(void) {
  if (adr_job_rank(job) > 0) {
    for (uint64_t i = 0; i < ROUNDS; i++) {
      uint64_t bytes = i % 7 == 0 ? 20000 : i % 3 == 0 ? 3000 : 16;
      fill(i, bytes);
      CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(5, i), outgoing, bytes));
    }
    return;
  }
  uint64_t next[MAX_TEST_RANKS] = {0};
  int left = ROUNDS * (adr_job_size(job) - 1);
  while (left > 0) {
    adr_message piece;
    CHECK_EQUAL(1, adr_wait(job, ADR_ANY, &piece));
    CHECK_EQUAL(ADR_MATCH(5, next[piece.source]), piece.match); /* later pieces tell the match too */
    for (int64_t at = 0; at < piece.length; at++) {
      CHECK(((const uint8_t *)piece.payload)[at] == byte_of(next[piece.source], piece.offset + at));
    }
    if (piece.offset + piece.length == piece.total_length) {
      next[piece.source]++;
      left--;
    }
    CHECK_EQUAL(0, adr_release(job));
  }
}

static void messages_of_each_source_come_in_order(void) { run_ranks(4, many_to_one); }

static void busy_pairs_get_fastboxes_when_there_are_none_at_first(void) {
  setenv("ADRASTEA_BOX_PREALLOCATE_RANKS", "0", 1);
  setenv("ADRASTEA_BOX_THRESHOLD", "4", 1);
  run_ranks(3, many_to_one);
  unsetenv("ADRASTEA_BOX_PREALLOCATE_RANKS");
  unsetenv("ADRASTEA_BOX_THRESHOLD");
}

static bool has_box(int rank, int source) {
  const struct adr_segment_header *header = adr_segment_header_of(&job->segment);
  uint64_t offset = adr_box_entry_offset(header, (uint32_t)rank, (uint32_t)source);
  return adr_load_acquire_u32(&((struct adr_box_entry *)(void *)(job->segment.base + offset))->open) == 1;
}

static void ask_for_a_box(void) {
  int peer = 1 - adr_job_rank(job);
  CHECK(!has_box(0, 1));
  for (uint64_t i = 0; i < 40; i++) {
    if (peer == 0) {
      CHECK_EQUAL(0, adr_send(job, peer, ADR_MATCH(0, i), outgoing, 8));
    } else {
      CHECK_EQUAL(8, receive_whole(peer).total_length);
    }
    CHECK_EQUAL(0, adr_barrier(job));
  }
  CHECK(has_box(0, 1));  /* rank 1 asked, rank 0 opened it while it polled */
  CHECK(!has_box(1, 0)); /* nobody asked */
}

static void a_fastbox_is_opened_for_who_asks(void) {
  setenv("ADRASTEA_BOX_PREALLOCATE_RANKS", "0", 1);
  setenv("ADRASTEA_BOX_THRESHOLD", "4", 1);
  run_ranks(2, ask_for_a_box);
  unsetenv("ADRASTEA_BOX_PREALLOCATE_RANKS");
  unsetenv("ADRASTEA_BOX_THRESHOLD");
}

static void have_all_boxes(void) {
  for (int rank = 0; rank < 3; rank++) {
    for (int source = 0; source < 3; source++) { CHECK(has_box(rank, source)); }
  }
}

static void small_jobs_have_all_fastboxes_from_the_start(void) { run_ranks(3, have_all_boxes); }

static void find_the_same_piece_until_it_is_released(void) {
  adr_message piece, again;
  CHECK_EQUAL(0, adr_poll(job, &piece));
  CHECK_EQUAL(-EINVAL, adr_release(job));
  check_says(adr_job_error(job), "no piece to release");
  CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, 1), "one", 3));
  CHECK_EQUAL(-EINVAL, adr_release(job)); /* nobody has seen it yet */
  CHECK_EQUAL(1, adr_poll(job, &piece));
  CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, 2), piece.payload, piece.length)); /* what was found can be sent on */
  CHECK_EQUAL(1, adr_poll(job, &again));
  CHECK(piece.payload == again.payload);
  CHECK_EQUAL(1, ADR_TAG(again.match));
  CHECK_EQUAL(0, adr_release(job));
  CHECK_EQUAL(-EINVAL, adr_release(job));
  CHECK_EQUAL(1, adr_wait(job, 0, &again));
  CHECK_EQUAL(2, ADR_TAG(again.match));
  CHECK(memcmp(again.payload, "one", 3) == 0);
  CHECK_EQUAL(0, adr_release(job));
  CHECK_EQUAL(0, adr_poll(job, &again));
}

static void a_piece_stays_until_it_is_released(void) { run_ranks(1, find_the_same_piece_until_it_is_released); }

static void be_refused(void) {
  adr_message piece;
  CHECK_EQUAL(-EINVAL, adr_send(job, 2, ADR_MATCH(0, 1), "x", 1));
  check_says(adr_job_error(job), "destination 2; allowed are 0 to 1");
  CHECK_EQUAL(-EINVAL, adr_send(job, -1, ADR_MATCH(0, 1), "x", 1));
  CHECK_EQUAL(-EINVAL, adr_send(job, 1, INT64_C(0x80000000), "x", 1));
  check_says(adr_job_error(job), "negative tag");
  CHECK_EQUAL(-EINVAL, adr_send(job, 1, ADR_MATCH(0, 1), NULL, 1));
  CHECK_EQUAL(-EINVAL, adr_send(job, 1, ADR_MATCH(0, 1), "x", -1));
  check_says(adr_job_error(job), "-1 bytes at");
  CHECK_EQUAL(-EINVAL, adr_wait(job, 2, &piece));
  check_says(adr_job_error(job), "rank 2; allowed are 0 to 1, and ADR_ANY (-1)");
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_poll(job, &piece)); /* nothing was sent */
  CHECK_EQUAL(0, adr_send(job, adr_job_rank(job), ADR_MATCH(0, 1), NULL, 0));
  CHECK_EQUAL(1, adr_poll(job, &piece));
  CHECK_EQUAL(0, piece.length);
}

static void bad_arguments_are_refused_before_anything_is_sent(void) { run_ranks(2, be_refused); }

/* Rank 1 sends once rank 0 has waited and received nothing, which the barrier tells. */
static void wait_with_a_limit(void) {
  adr_message piece;
  if (adr_job_rank(job) == 0) {
    CHECK_EQUAL(0, adr_wait_within(job, 1, 0, &piece));
    CHECK_EQUAL(0, adr_wait_within(job, ADR_ANY, 20000000, &piece));
    CHECK_EQUAL(-EINVAL, adr_wait_within(job, 1, -1, &piece));
    check_says(adr_job_error(job), "a time limit of -1 nanoseconds; allowed are 0 and more");
    CHECK_EQUAL(-EINVAL, adr_wait_within(job, 2, 0, &piece));
  }
  CHECK_EQUAL(0, adr_barrier(job));
  if (adr_job_rank(job) == 1) {
    CHECK_EQUAL(0, adr_send(job, 0, ADR_MATCH(0, 1), "word", 4));
  } else {
    CHECK_EQUAL(1, adr_wait_within(job, 1, INT64_MAX, &piece));
    CHECK_EQUAL(4, piece.length);
    CHECK_EQUAL(0, adr_release(job));
  }
}

static void a_wait_ends_at_its_limit_and_the_next_finds_the_message(void) { run_ranks(2, wait_with_a_limit); }

static void errors_have_words(void) {
  static const int all[] = {
      0, -EINVAL, -ETIMEDOUT, -EBUSY, -EDEADLK, -EPROTO, ADR_ERROR_RANK_FAILED, ADR_ERROR_LAUNCHER};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) { CHECK(strcmp(adr_strerror(all[i]), "unknown error") != 0); }
  CHECK(strcmp(adr_strerror(-99999), "unknown error") == 0);
}

int main(void) {
  ranks_begin();
  RUN(messages_of_all_sizes_arrive_whole);
  RUN(messages_of_each_source_come_in_order);
  RUN(busy_pairs_get_fastboxes_when_there_are_none_at_first);
  RUN(a_fastbox_is_opened_for_who_asks);
  RUN(small_jobs_have_all_fastboxes_from_the_start);
  RUN(a_piece_stays_until_it_is_released);
  RUN(bad_arguments_are_refused_before_anything_is_sent);
  RUN(a_wait_ends_at_its_limit_and_the_next_finds_the_message);
  RUN(errors_have_words);
  ranks_end();
  return 0;
}
