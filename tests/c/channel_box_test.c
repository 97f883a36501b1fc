/* The channel with fastboxes between ranks of one process, one thread: which rank asks, what goes where, what happens
 * to the memory of a ring. The contract in full, for every core: io.adrastea.core.Core*Test. */
#include <errno.h>
#include <sys/stat.h>

#include "adrastea/channel.h"
#include "channel/adr_channel_state.h"
#include "job.h"
#include "ranktable/adr_rank_table.h"

enum { RANKS = 3, CELLS = 16, PAYLOAD = 2048, LIMIT = 200, RING = 4096 };
static const struct adr_box_settings BOXES = {.slots = RING / 64, .limit = LIMIT, .threshold = 3};

static struct job job;
static adr_channel *channels[RANKS];
static adr_inbound in;
static uint8_t sent_from[PAYLOAD + 1], received[PAYLOAD + 1];

static void with_channels(void (*test)(void)) {
  job = job_open_boxes(RANKS, CELLS, PAYLOAD, BOXES);
  for (int rank = 0; rank < RANKS; rank++) {
    channels[rank] = adr_channel_open(job.segment.base, rank);
    CHECK(channels[rank] != NULL);
  }
  test();
  for (int rank = 0; rank < RANKS; rank++) { adr_channel_close(channels[rank]); }
  job_close(&job);
}

static int32_t send(int from, int to, int64_t match, int64_t length) {
  return adr_channel_try_send(channels[from], to, ADR_PIECE_FIRST, match, length, sent_from, 0, length);
}

static void receive(int rank, int64_t match, int64_t length) {
  memset(received, 0, sizeof received);
  CHECK_EQUAL(length, adr_channel_receive(channels[rank], match, -1, -1, received, 0, PAYLOAD, 3, &in));
  CHECK(memcmp(received, sent_from, (size_t)length) == 0);
}

static void connect(int from, int to) {
  job_open_box(&job, channels[to], (uint32_t)to, (uint32_t)from);
  CHECK_EQUAL(0, send(from, to, 0, 0)); /* by cell: finds the box */
  receive(to, 0, 0);
}

static void asks_for_a_box_when_the_pair_is_busy(void) {
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL(8, send(0, 1, 1, 8));
    receive(1, 1, 8);
  }
  CHECK_EQUAL(LIMIT + 1, send(0, 1, 1, LIMIT + 1)); /* too long to count */
  receive(1, 1, LIMIT + 1);
  CHECK_EQUAL(-EAGAIN, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(8, send(0, 1, 1, 8));
  CHECK_EQUAL(ADR_POLL_WANTED, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(0, in.source);
  job_open_box(&job, channels[1], 1, 0);
  receive(1, 1, 8);
}

/* All that is there. */
static void take_and_open(int rank) {
  int32_t found;
  while ((found = adr_channel_poll(channels[rank], -1, &in)) != -EAGAIN) {
    CHECK(found == ADR_POLL_PIECE || found == ADR_POLL_WANTED);
    if (found == ADR_POLL_WANTED) {
      job_open_box(&job, channels[rank], (uint32_t)rank, (uint32_t)in.source);
    } else {
      CHECK_EQUAL(0, adr_channel_release(channels[rank]));
    }
  }
}

/* It has announced before, so it sleeps after that look. */
static void who_opens_a_box_in_its_last_look_is_rung_for_the_first_message(void) {
  struct adr_rank_entry *entry = adr_rank_table_entry(job.segment.base, 1);
  for (uint32_t i = 0; i < BOXES.threshold; i++) { CHECK_EQUAL(8, send(0, 1, 1, 8)); } /* the last one with a wish */
  adr_channel_announce_sleep(channels[1]);
  take_and_open(1);
  CHECK(adr_channel_claim(channels[0], 1, ADR_PIECE_FIRST, 1, 8, 8) > 0); /* a cell, and finds the box */
  CHECK_EQUAL(0, adr_channel_abort(channels[0], 1));
  CHECK_EQUAL(1, adr_load_relaxed_u32(&entry->doorbell_sleeping));
  CHECK_EQUAL(8, send(0, 1, 1, 8));
  CHECK_EQUAL(0, adr_load_relaxed_u32(&entry->doorbell_sleeping));
  receive(1, 1, 8);
}

static void sends_by_box_up_to_the_limit(void) {
  static const int lengths[] = {0, 1, 48, 49, LIMIT, LIMIT + 1};
  connect(0, 1);
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    CHECK_EQUAL(lengths[i], send(0, 1, 5, lengths[i]));
    CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[1], -1, &in));
    CHECK_EQUAL(lengths[i] <= LIMIT, in.place < 0);
    receive(1, 5, lengths[i]);
  }
}

/* Whether the next message at `rank` came by fastbox; takes it. */
static bool came_by_box(int rank, int64_t length) {
  CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[rank], -1, &in));
  bool by_box = in.place < 0;
  receive(rank, 5, length);
  return by_box;
}

static void a_stream_of_long_messages_goes_by_cells_and_an_answer_by_box(void) {
  enum { LONG = ADR_BOX_STREAM + 1, MORE = 1500 };
  struct job with_more = job_open_boxes(RANKS, CELLS, PAYLOAD,
                                        (struct adr_box_settings){.slots = RING / 64, .limit = MORE, .threshold = 3});
  struct job less = job;
  adr_channel *before[RANKS];
  job = with_more;
  for (int rank = 0; rank < RANKS; rank++) {
    before[rank] = channels[rank];
    channels[rank] = adr_channel_open(job.segment.base, rank);
  }
  connect(0, 1);
  connect(1, 0);
  for (int i = 0; i < 10; i++) { /* each answers the other */
    CHECK_EQUAL(LONG, send(0, 1, 5, LONG));
    CHECK(came_by_box(1, LONG));
    CHECK_EQUAL(LONG, send(1, 0, 5, LONG));
    CHECK(came_by_box(0, LONG));
  }
  CHECK_EQUAL(LONG, send(0, 1, 5, LONG));
  CHECK(came_by_box(1, LONG));
  for (int i = 0; i < 10; i++) { /* nothing was heard since */
    CHECK_EQUAL(LONG, send(0, 1, 5, LONG));
    CHECK(!came_by_box(1, LONG));
    CHECK_EQUAL(ADR_BOX_STREAM, send(0, 1, 5, ADR_BOX_STREAM)); /* not long */
    CHECK(came_by_box(1, ADR_BOX_STREAM));
  }
  for (int i = 0; i < 3; i++) { /* the first one behind an answer begins a window, as it did before */
    CHECK_EQUAL(8, send(1, 0, 5, 8));
    CHECK(came_by_box(0, 8));
    CHECK_EQUAL(LONG, send(0, 1, 5, LONG));
    CHECK(came_by_box(1, LONG) == (i > 0)); /* but then each is waited for */
  }
  for (int rank = 0; rank < RANKS; rank++) {
    adr_channel_close(channels[rank]);
    channels[rank] = before[rank];
  }
  job_close(&with_more);
  job = less;
}

static void keeps_the_order_between_box_and_queue(void) {
  connect(0, 1);
  for (int64_t i = 0; i < 500; i++) { CHECK_EQUAL(-EAGAIN, adr_channel_poll(channels[1], 0, &in)); }
  for (int64_t i = 0; i < 200; i++) {
    static const int64_t lengths[] = {8, PAYLOAD, 8, 8, LIMIT, PAYLOAD};
    for (int64_t k = 0; k < 6; k++) { CHECK_EQUAL(lengths[k], send(0, 1, 6 * i + k, lengths[k])); }
    for (int64_t k = 0; k < 6; k++) { receive(1, 6 * i + k, lengths[k]); }
  }
}

static int64_t blocks(void) {
  struct stat found;
  CHECK_EQUAL(0, fstat(job.segment.fd, &found));
  return (int64_t)found.st_blocks;
}

static void set_state(int rank, uint32_t state) {
  adr_rank_table_set_state(adr_rank_table_entry(job.segment.base, (uint32_t)rank), state);
}

static void gives_the_memory_of_a_box_back_when_its_sender_has_left(void) {
  int64_t before = blocks();
  connect(0, 1);
  connect(2, 1);
  int64_t with_boxes = blocks();
  CHECK(with_boxes >= before + 2 * RING / 512);
  CHECK_EQUAL(8, send(0, 1, 1, 8));
  set_state(0, ADR_RANK_LEFT);
  CHECK_EQUAL(0, adr_channel_reclaim(channels[1])); /* something is in it */
  CHECK_EQUAL(with_boxes, blocks());
  receive(1, 1, 8);
  CHECK_EQUAL(1, adr_channel_reclaim(channels[1]));
  CHECK_EQUAL(with_boxes - RING / 512, blocks());
  CHECK_EQUAL(0, adr_channel_reclaim(channels[1]));
  CHECK_EQUAL(8, send(2, 1, 2, 8));
  receive(1, 2, 8);
}

static void loses_no_message_that_is_behind_one_by_cell(void) {
  connect(0, 1);
  CHECK_EQUAL(PAYLOAD, send(0, 1, 1, PAYLOAD));
  CHECK_EQUAL(8, send(0, 1, 2, 8));
  set_state(0, ADR_RANK_FAILED);
  CHECK_EQUAL(0, adr_channel_reclaim(channels[1]));
  receive(1, 1, PAYLOAD);
  receive(1, 2, 8);
  CHECK_EQUAL(1, adr_channel_reclaim(channels[1]));
}

static void opens_no_box_in_a_job_without(void) {
  struct job without = job_open(2, CELLS, PAYLOAD);
  adr_channel *sender = adr_channel_open(without.segment.base, 0);
  adr_channel *receiver = adr_channel_open(without.segment.base, 1);
  CHECK_EQUAL(-EINVAL, adr_channel_open_box(receiver, 0));
  struct adr_box_entry *entry = (void *)(without.segment.base + adr_box_entry_offset(job_header(&without), 1, 0));
  adr_store_release_u32(&entry->open, 1); /* as a broken peer would */
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(0, adr_channel_try_send(sender, 1, ADR_PIECE_FIRST, 1, 0, "", 0, 0));
    CHECK_EQUAL(0, adr_channel_receive(receiver, 1, -1, 0, received, 0, 0, 1, &in));
  }
  adr_channel_close(sender);
  adr_channel_close(receiver);
  job_close(&without);
}

#define RUN_WITH_CHANNELS(test) \
  do { \
    with_channels(test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  for (int i = 0; i <= PAYLOAD; i++) { sent_from[i] = (uint8_t)(31 * i + 7); }
  RUN_WITH_CHANNELS(asks_for_a_box_when_the_pair_is_busy);
  RUN_WITH_CHANNELS(who_opens_a_box_in_its_last_look_is_rung_for_the_first_message);
  RUN_WITH_CHANNELS(sends_by_box_up_to_the_limit);
  RUN_WITH_CHANNELS(a_stream_of_long_messages_goes_by_cells_and_an_answer_by_box);
  RUN_WITH_CHANNELS(keeps_the_order_between_box_and_queue);
  RUN_WITH_CHANNELS(gives_the_memory_of_a_box_back_when_its_sender_has_left);
  RUN_WITH_CHANNELS(loses_no_message_that_is_behind_one_by_cell);
  RUN(opens_no_box_in_a_job_without);
  return 0;
}
