#include "counts/adr_counts_serve.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "counts/adr_counts_poll.h"
#include "floor/adr_floor_program.h"

enum { TEST_QUEUE, TEST_BOX, TEST_NAMED, TEST_ANY, TEST_CHANNEL, TEST_BITMAP, TEST_COUNTERS, TEST_BOXES, TEST_COUNT };

enum {
  MAX_BYTES = 4096,
  SIZES = 8, /* jobs of 2, 4, ... 256 ranks */
  IDLE_CELLS = 4,
  IDLE_PAYLOAD = 64,
  MATCH = 7,
  LOOKS_PER_EXCHANGE = 2,
};

static const char *const names[TEST_COUNT] = {"queue", "box", "named", "any", "channel", "bitmap", "counters", "boxes"};

/* A job and, once it was needed, what this side has of it. Made before the fork. */
struct side {
  struct counts_job job;
  adr_channel *channel;
  struct counts_look *look;
};

static struct side queue;
static struct side box;
static struct side idle[SIZES];

static adr_channel *channel_of(struct side *side, int rank) {
  if (side->channel == NULL) { side->channel = counts_job_channel(&side->job, (uint32_t)rank); }
  return side->channel;
}

static struct side *idle_of(uint64_t ranks) { return &idle[__builtin_ctzll(ranks) - 1]; }

static void send(adr_channel *channel, int to, const uint64_t *message, uint64_t bytes) {
  int32_t status;
  do {
    status = adr_channel_try_send(channel, to, ADR_PIECE_FIRST, MATCH, (int64_t)bytes, message, 0, (int64_t)bytes);
  } while (status == ADR_AGAIN);
  if (status != (int32_t)bytes) { counts_fail("send", status); }
}

static void receive(const struct floor_pair *pair, adr_channel *channel, int from, uint64_t *message, uint64_t bytes) {
  adr_inbound inbound;
  for (;;) {
    int32_t status =
        adr_channel_receive(channel, MATCH, -1, from, message, 0, MAX_BYTES, (int32_t)pair->patience, &inbound);
    if (ADR_LIKELY(status == (int32_t)bytes)) { return; }
    if (status != ADR_AGAIN) { counts_fail("receive", status); }
    sched_yield();
  }
}

/* Round trips; the first word of each message counts them. */
static void ping_pong(struct floor_pair *pair, const struct floor_order *order, struct side *side, uint64_t bytes,
                      bool any) {
  static uint64_t message[MAX_BYTES / sizeof(uint64_t)];
  adr_channel *channel = channel_of(side, pair->side);
  int other = 1 - pair->side;
  int from = any ? -1 : other;
  uint64_t number = 0;
  floor_pair_meet(pair); /* both channels are open */
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges; i++) {
      message[0] = ++number;
      if (pair->side == 0) { send(channel, other, message, bytes); }
      message[0] = 0;
      receive(pair, channel, from, message, bytes);
      if (bytes >= sizeof number && message[0] != number) { counts_fail("another message", (int64_t)message[0]); }
      if (pair->side == 1) { send(channel, other, message, bytes); }
    }
    if (pair->side == 0) { floor_note(pair, batch, floor_now() - start, 1); }
  }
}

static void run_queue(struct floor_pair *pair, const struct floor_order *order) {
  ping_pong(pair, order, &queue, order->bytes, false);
}

static void run_box(struct floor_pair *pair, const struct floor_order *order) {
  ping_pong(pair, order, &box, order->bytes, false);
}

static void run_named(struct floor_pair *pair, const struct floor_order *order) {
  ping_pong(pair, order, idle_of(order->bytes), sizeof(uint64_t), false);
}

static void run_any(struct floor_pair *pair, const struct floor_order *order) {
  ping_pong(pair, order, idle_of(order->bytes), sizeof(uint64_t), true);
}

static int look_channel(struct side *side) {
  adr_inbound inbound;
  int32_t status = adr_channel_poll(side->channel, -1, &inbound);
  return status == ADR_AGAIN ? -1 : status;
}

static int look(struct side *side, uint32_t test) {
  switch (test) {
  case TEST_CHANNEL:
    return look_channel(side);
  case TEST_BITMAP:
    return counts_look_bitmap(side->look);
  case TEST_COUNTERS:
    return counts_look_counters(side->look);
  default:
    return counts_look_boxes(side->look);
  }
}

/* Side 0 alone; the other one has nothing to do meanwhile. */
static void run_looks(struct floor_pair *pair, const struct floor_order *order) {
  struct side *side = idle_of(order->bytes);
  channel_of(side, pair->side);
  if (pair->side != 0) { return; }
  if (side->look == NULL) { side->look = counts_look_open(&side->job); }
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges * LOOKS_PER_EXCHANGE; i++) {
      if (ADR_UNLIKELY(look(side, order->test) != -1)) { counts_fail("a message that nobody sent", 0); }
    }
    floor_note(pair, batch, floor_now() - start, 1);
  }
}

static floor_run *const runs[TEST_COUNT] = {run_queue, run_box,   run_named, run_any,
                                            run_looks, run_looks, run_looks, run_looks};

static bool is_size(uint64_t ranks) { return ranks >= 2 && ranks <= COUNTS_MAX_RANKS && (ranks & (ranks - 1)) == 0; }

/* Returns NULL, or what is wrong with the command. */
static const char *parse(const char *command, struct floor_order *order) {
  char name[FLOOR_NAME];
  if (!floor_read_order(command, name, order)) { return "a command is: NAME N BATCHES EXCHANGES"; }
  while (order->test < TEST_COUNT && strcmp(name, names[order->test]) != 0) { order->test++; }
  if (order->test == TEST_COUNT) { return "there is no test of that name"; }
  if (order->test <= TEST_BOX && order->bytes > MAX_BYTES) { return "bytes are at most 4096"; }
  if (order->test > TEST_BOX && !is_size(order->bytes)) { return "ranks are 2, 4, 8, ... 256"; }
  return floor_check_counts(order);
}

static void run_command(struct floor_pair *pair, const char *command) { floor_obey(pair, command, parse, runs); }

static void make_jobs(void) {
  struct adr_box_settings few = ADR_BOX_DEFAULTS;
  few.slots = ADR_MIN_BOX_SLOTS; /* 256 ranks have many rings */
  few.limit = MAX_BYTES / 4;
  counts_job_open(&queue.job, 2, COUNTS_CELLS, COUNTS_PAYLOAD, (struct adr_box_settings){0});
  counts_job_open(&box.job, 2, COUNTS_CELLS, COUNTS_PAYLOAD, ADR_BOX_DEFAULTS);
  for (uint32_t i = 0; i < SIZES; i++) { counts_job_open(&idle[i].job, 2u << i, IDLE_CELLS, IDLE_PAYLOAD, few); }
}

int counts_serve(const int cpus[2]) {
  struct floor_pair pair;
  make_jobs();
  if (!floor_start("adrastea-counts", &pair, cpus, runs)) { return 1; }
  floor_serve(&pair, run_command);
  return 0;
}
