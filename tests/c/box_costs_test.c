/* Which way long messages of a ping-pong go, fastbox or cells, as their sender finds out: on a clock that the test
 * sets, between ranks of one process. The contract for every core: io.adrastea.core.CoreBoxCostsTest. */
#include <errno.h>
#include <time.h>

#include "adrastea/channel.h"
#include "channel/adr_channel_state.h"
#include "job.h"

enum { RANKS = 2, CELLS = 64, PAYLOAD = 8192, LENGTH = 4000, LONG_RUN = 20000 };

static struct job job;
static adr_channel *channels[RANKS];
static adr_inbound in;
static uint8_t bytes[16384], received[16384];
static uint64_t nanos; /* the clock */
static uint64_t by_box_takes, by_cells_takes;
static int by_box, by_cells; /* messages counted */
static int64_t number;       /* of the next message */

/* What the library calls in the place of clock_gettime (option --wrap of the linker). */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  (void)clock;
  *now = (struct timespec){.tv_sec = (time_t)(nanos / 1000000000u), .tv_nsec = (long)(nanos % 1000000000u)};
  return 0;
}

static void with_channels(bool learns, void (*test)(void)) {
  struct adr_box_settings boxes = ADR_BOX_DEFAULTS;
  boxes.learns = learns;
  job = job_open_boxes(RANKS, CELLS, PAYLOAD, boxes);
  for (int rank = 0; rank < RANKS; rank++) {
    channels[rank] = adr_channel_open(job.segment.base, rank);
    CHECK(channels[rank] != NULL);
  }
  for (int rank = 0; rank < RANKS; rank++) {
    job_open_box(&job, channels[rank], (uint32_t)rank, (uint32_t)!rank);
    CHECK_EQUAL(0, adr_channel_try_send(channels[!rank], rank, ADR_PIECE_FIRST, 0, 0, bytes, 0, 0)); /* finds the box */
    CHECK_EQUAL(0, adr_channel_receive(channels[rank], 0, -1, -1, received, 0, 0, 3, &in));
  }
  test();
  for (int rank = 0; rank < RANKS; rank++) { adr_channel_close(channels[rank]); }
  job_close(&job);
}

/* Sends one message to the other rank, which receives it; the time that its way takes passes. */
static void pass(int from, int64_t length) {
  memset(bytes, (int)(number % 251), (size_t)length);
  for (int64_t at = 0; at < length;) {
    int32_t kind = at == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT;
    int32_t sent = adr_channel_try_send(channels[from], !from, kind, number, length, bytes, at, length - at);
    CHECK(sent > 0);
    at += sent;
  }
  bool box = false;
  for (int64_t at = 0; at < length; at += in.length) {
    CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[!from], -1, &in));
    CHECK_EQUAL(number, in.match);
    CHECK_EQUAL(length, in.total_length);
    box = in.place < 0;
    CHECK_EQUAL(0, adr_channel_take(channels[!from], received, at, in.length));
  }
  CHECK(length <= (int64_t)sizeof received && memcmp(received, bytes, (size_t)length) == 0);
  number++;
  nanos += box ? by_box_takes : by_cells_takes;
  *(box ? &by_box : &by_cells) += 1;
}

/* So many messages of rank 0, each answered by a short one. */
static void play(int messages, int64_t length) {
  by_box = 0;
  by_cells = 0;
  for (int i = 0; i < messages; i++) {
    pass(0, length);
    by_box--; /* the answer, which is not counted */
    pass(1, 8);
  }
}

static void take(uint64_t box, uint64_t cells) {
  by_box_takes = box;
  by_cells_takes = cells;
}

static void goes_by_cells_where_they_take_less(void) {
  take(1000, 800);
  play(ADR_BOX_COSTS_FIRST, LENGTH);
  CHECK_EQUAL(ADR_BOX_COSTS_FIRST, by_box); /* before the first trial */
  play(LONG_RUN, LENGTH);
  printf("   %d of %d by fastbox\n", by_box, LONG_RUN);
  CHECK(by_box < LONG_RUN / 25);
}

static void stays_with_the_fastbox_where_it_takes_less(void) {
  take(800, 1000);
  play(LONG_RUN, LENGTH);
  printf("   %d of %d by cells\n", by_cells, LONG_RUN);
  CHECK(by_cells > 0 && by_cells < LONG_RUN / 25);
}

static void a_difference_below_a_sixteenth_changes_nothing(void) {
  take(1000, 970);
  play(LONG_RUN, LENGTH);
  CHECK(by_cells < LONG_RUN / 25);
}

static void comes_back_when_the_cpus_have_moved(void) {
  take(1000, 800);
  play(LONG_RUN, LENGTH);
  take(1000, 1200);
  play(ADR_BOX_COSTS_MOST + 2 * LONG_RUN, LENGTH);
  play(1000, LENGTH);
  CHECK(by_box > by_cells);
}

static void each_size_class_has_a_way_of_its_own(void) {
  take(800, 1000);
  play(LONG_RUN, 1100);
  take(1000, 800);
  play(LONG_RUN, 16000); /* two cells */
  CHECK(by_box < LONG_RUN / 25);
  play(100, 1100);
  CHECK_EQUAL(100, by_box);
  CHECK_EQUAL(ADR_WAY_BOX, adr_channel_way(channels[0], 1, 1100));
  CHECK_EQUAL(ADR_WAY_CELLS, adr_channel_way(channels[0], 1, 16000));
  CHECK_EQUAL(-EINVAL, adr_channel_way(channels[0], 2, 1100));
}

/* As in a ping-pong of long messages: trials of the two coincide, and the answer's way is in what the message takes. */
static void both_ranks_find_out_at_the_same_time(void) {
  for (int behind = 0; behind < ADR_BOX_COSTS_BLOCK * ADR_BOX_COSTS_BLOCKS; behind += 7) { /* one is ahead by some */
    take(1000, 800);
    for (int i = 0; i < behind; i++) {
      pass(0, LENGTH);
      pass(1, 8);
    }
    for (int i = 0; i < 3000; i++) {
      pass(0, LENGTH);
      pass(1, LENGTH);
    }
    by_box = 0;
    for (int i = 0; i < 100; i++) {
      pass(0, LENGTH);
      pass(1, LENGTH);
    }
    CHECK(by_box <= ADR_BOX_COSTS_BLOCK * ADR_BOX_COSTS_BLOCKS); /* in the middle of a trial at most */
  }
}

static void tells_nothing_where_something_else_is_sent_in_between(void) {
  take(1000, 800);
  for (int i = 0; i < LONG_RUN; i++) {
    pass(0, LENGTH);
    pass(0, 8);
    pass(1, 8);
  }
  for (uint32_t class = 0; class < ADR_BOX_COSTS_CLASSES; class ++) {
    CHECK(!channels[0]->out[1].costs[class].by_cells);
  }
}

static void a_preempted_block_is_no_cost(void) {
  take(1000, 800);
  for (int i = 0; i < LONG_RUN; i++) {
    play(1, LENGTH);
    if (i % 50 == 0) { nanos += 3000000; }
  }
  play(100, LENGTH);
  CHECK(by_cells >= 100 - ADR_BOX_COSTS_BLOCK * ADR_BOX_COSTS_BLOCKS);
}

static void a_limit_that_was_given_holds(void) {
  take(1000, 100);
  play(2000, LENGTH);
  CHECK_EQUAL(2000, by_box);
}

#define RUN_WITH_CHANNELS(learns, test) \
  do { \
    with_channels(learns, test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN_WITH_CHANNELS(true, goes_by_cells_where_they_take_less);
  RUN_WITH_CHANNELS(true, stays_with_the_fastbox_where_it_takes_less);
  RUN_WITH_CHANNELS(true, a_difference_below_a_sixteenth_changes_nothing);
  RUN_WITH_CHANNELS(true, comes_back_when_the_cpus_have_moved);
  RUN_WITH_CHANNELS(true, each_size_class_has_a_way_of_its_own);
  RUN_WITH_CHANNELS(true, both_ranks_find_out_at_the_same_time);
  RUN_WITH_CHANNELS(true, tells_nothing_where_something_else_is_sent_in_between);
  RUN_WITH_CHANNELS(true, a_preempted_block_is_no_cost);
  RUN_WITH_CHANNELS(false, a_limit_that_was_given_holds);
  return 0;
}
