/* Messages that are found many in one call and read where they lie, between ranks of one process. The contract in full,
 * for every core: io.adrastea.core.CoreBatchTest. */
#include <errno.h>

#include "adrastea/channel.h"
#include "channel/adr_channel_state.h"
#include "job.h"

enum { RANKS = 2, CELLS = 16, PAYLOAD = 2048, LIMIT = 200, RING = 4096, MOST = 16, LONGEST = 60 };
static const struct adr_box_settings BOXES = {.slots = RING / 64, .limit = LIMIT, .threshold = 1};

static struct job job;
static adr_channel *channels[RANKS];
static adr_inbound batch[MOST];
static uint8_t bytes[PAYLOAD], received[PAYLOAD];

/* Rank 0 has a fastbox to rank 1. */
static void with_channels(void (*test)(void)) {
  adr_inbound in;
  job = job_open_boxes(RANKS, CELLS, PAYLOAD, BOXES);
  for (int rank = 0; rank < RANKS; rank++) {
    channels[rank] = adr_channel_open(job.segment.base, rank);
    CHECK(channels[rank] != NULL);
  }
  job_open_box(&job, channels[1], 1, 0);
  CHECK_EQUAL(0, adr_channel_try_send(channels[0], 1, ADR_PIECE_FIRST, 0, 0, bytes, 0, 0)); /* finds the box */
  CHECK_EQUAL(0, adr_channel_receive(channels[1], 0, -1, 0, received, 0, PAYLOAD, 3, &in));
  test();
  for (int rank = 0; rank < RANKS; rank++) { adr_channel_close(channels[rank]); }
  job_close(&job);
}

/* Lengths in runs of equal ones, so that messages are like the one before, and now and then are not. */
static int64_t length_of(int64_t number) { return number / 5 * 7 % LONGEST; }

static void fill(int64_t number) { memset(bytes, (int)(number % 251), (size_t)length_of(number)); }

static void send(int64_t from, int count) {
  for (int64_t number = from; number < from + count; number++) {
    fill(number);
    int64_t length = length_of(number);
    CHECK_EQUAL(length, adr_channel_try_send(channels[0], 1, ADR_PIECE_FIRST, number, length, bytes, 0, length));
  }
}

static void check_found(const adr_inbound *found, int64_t number) {
  fill(number);
  CHECK_EQUAL(0, found->source);
  CHECK_EQUAL(ADR_PIECE_FIRST, found->kind);
  CHECK_EQUAL(number, found->match);
  CHECK_EQUAL(length_of(number), found->length);
  CHECK_EQUAL(length_of(number), found->total_length);
  CHECK(found->place < 0);
  const uint8_t *payload = (const uint8_t *)job.segment.base + found->payload;
  CHECK(memcmp(payload, bytes, (size_t)found->length) == 0);
}

static int32_t find(int most) { return adr_channel_poll_batch(channels[1], -1, batch, most); }

static void check_finds(int64_t from, int count) {
  CHECK_EQUAL(count, find(MOST));
  for (int i = 0; i < count; i++) { check_found(&batch[i], from + i); }
}

static void check_receives(int64_t from, int count) {
  adr_inbound in;
  for (int64_t number = from; number < from + count; number++) {
    int64_t length = length_of(number);
    CHECK_EQUAL(length, adr_channel_receive(channels[1], number, -1, 0, received, 0, PAYLOAD, 3, &in));
    fill(number);
    CHECK(memcmp(received, bytes, (size_t)length) == 0);
  }
}

static void check_nothing_is_left(void) { CHECK_EQUAL(-EAGAIN, find(MOST)); }

static void what_lies_behind_each_other_is_found_and_ended(void) {
  int64_t next = 1;
  for (int round = 0; round < 500; round++) { /* over the end of the ring many times */
    int count = 1 + round % MOST;
    send(next, count);
    for (int64_t end = next + count; next < end;) { /* two batches where the ring's end is between */
      int32_t found = find(MOST);
      CHECK(found >= 1 && next + found <= end);
      for (int i = 0; i < found; i++) { check_found(&batch[i], next + i); }
      CHECK_EQUAL(0, adr_channel_release_batch(channels[1], found, 0));
      next += found;
    }
    check_nothing_is_left();
  }
}

static void no_more_than_asked_for_are_found(void) {
  send(1, 7);
  CHECK_EQUAL(1, find(1));
  check_found(&batch[0], 1);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 1, 0));
  CHECK_EQUAL(4, find(4));
  check_found(&batch[3], 5);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 4, 0));
  check_finds(6, 2);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 2, 0));
  CHECK_EQUAL(-EINVAL, find(0));
  check_nothing_is_left();
}

static void who_lets_go_of_a_batch_has_lost_nothing(void) {
  send(1, 6);
  check_finds(1, 6);
  check_finds(1, 6);
  check_receives(1, 2);
  check_finds(3, 4);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 2, 1)); /* the next one is at hand */
  check_receives(5, 2);
  check_nothing_is_left();
}

static void packed_messages_are_found_too(void) {
  int64_t next = 1;
  for (int round = 0; round < 50; round++) {
    CHECK_EQUAL(0, adr_channel_begin_burst(channels[0], 1));
    send(next, MOST);
    CHECK_EQUAL(-EAGAIN, find(MOST)); /* they are held back */
    CHECK_EQUAL(0, adr_channel_end_burst(channels[0], 1));
    for (int64_t end = next + MOST; next < end;) {
      int32_t found = find(MOST);
      CHECK(found >= 1);
      for (int i = 0; i < found; i++) { check_found(&batch[i], next + i); }
      CHECK_EQUAL(0, adr_channel_release_batch(channels[1], found, 0));
      next += found;
    }
    send(next, 3); /* each on a line of its own again */
    check_receives(next, 3);
    next += 3;
  }
}

static void one_of_a_batch_is_retained_and_those_behind_it_come(void) {
  send(1, 5);
  check_finds(1, 5);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 2, 1));
  adr_inbound third = batch[2];
  CHECK_EQUAL(0, adr_channel_retain(channels[1]));
  check_finds(4, 2);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 2, 0));
  check_found(&third, 3);
  CHECK_EQUAL(0, adr_channel_release_retained(channels[1], 0, third.place));
  CHECK_EQUAL(-EINVAL, adr_channel_release_retained(channels[1], 0, third.place));
  check_nothing_is_left();
}

static void a_piece_in_a_cell_ends_a_batch_and_is_one_by_itself(void) {
  send(1, 2);
  CHECK_EQUAL(PAYLOAD, adr_channel_try_send(channels[0], 1, ADR_PIECE_FIRST, 9, PAYLOAD, bytes, 0, PAYLOAD));
  send(3, 2);
  check_finds(1, 2);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 2, 0));
  CHECK_EQUAL(1, find(MOST));
  CHECK_EQUAL(9, batch[0].match);
  CHECK(batch[0].place >= 0);
  CHECK_EQUAL(-EINVAL, adr_channel_release_batch(channels[1], 2, 0)); /* there is one */
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 1, 0));
  check_finds(3, 2);
  CHECK_EQUAL(0, adr_channel_release_batch(channels[1], 2, 0));
}

static void what_is_not_at_hand_is_not_ended(void) {
  CHECK_EQUAL(-EINVAL, adr_channel_release_batch(channels[1], 1, 0));
  send(1, 2);
  CHECK_EQUAL(-EINVAL, adr_channel_release_batch(channels[1], 1, 0)); /* not found yet */
  check_finds(1, 2);
  CHECK_EQUAL(-EINVAL, adr_channel_release_batch(channels[1], 0, 1));
  CHECK_EQUAL(-EPROTO, adr_channel_release_batch(channels[1], 3, 0)); /* more than were found */
}

#define RUN_WITH_CHANNELS(test) \
  do { \
    with_channels(test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN_WITH_CHANNELS(what_lies_behind_each_other_is_found_and_ended);
  RUN_WITH_CHANNELS(no_more_than_asked_for_are_found);
  RUN_WITH_CHANNELS(who_lets_go_of_a_batch_has_lost_nothing);
  RUN_WITH_CHANNELS(packed_messages_are_found_too);
  RUN_WITH_CHANNELS(one_of_a_batch_is_retained_and_those_behind_it_come);
  RUN_WITH_CHANNELS(a_piece_in_a_cell_ends_a_batch_and_is_one_by_itself);
  RUN_WITH_CHANNELS(what_is_not_at_hand_is_not_ended);
  return 0;
}
