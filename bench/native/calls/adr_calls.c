/* adrastea-calls CPU DIRECTORY: what calls of the channel cost in plain C, the line `c` of `bench calls`. A job of one
 * rank, pinned to CPU (-1: not pinned), whose segment is made below DIRECTORY, sends messages to itself. Says `ready`,
 * then reads a command a line, `call-nothing|call-empty-poll|call-send|call-poll BYTES BATCHES CALLS`, and answers each
 * with one: `ns T1 ... T<BATCHES>`, the nanoseconds of each batch of CALLS calls, or `error TEXT`. Ends at the end of
 * its input. Twin: io.adrastea.bench.calls.Calls, which makes the same calls of a core in Java. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "adrastea/affinity.h"
#include "adrastea/channel.h"
#include "queue/adr_free_queue.h"
#include "segment/adr_segment.h"

enum {
  CELLS = 64,
  CELL_BYTES = 8192,
  BLOCK = 32, /* messages under way at once: fewer than cells */
  MAX_BYTES = 48,
  MAX_BATCHES = 1 << 20,
  MAX_CALLS = 1 << 30,
};

struct calls {
  adr_channel *channel;
  int64_t clock_ns; /* what reading the clock twice takes */
  uint8_t message[MAX_BYTES];
};

struct order {
  int64_t bytes;
  uint64_t batches;
  uint64_t calls;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t clock_overhead(void) {
  int64_t least = INT64_MAX;
  for (int i = 0; i < 1000; i++) {
    int64_t start = now();
    int64_t elapsed = now() - start;
    if (elapsed < least) { least = elapsed; }
  }
  return least;
}

/* A call that does something else than it should makes a figure of something else. */
static inline void expect(int64_t wanted, int64_t found) {
  if (ADR_UNLIKELY(wanted != found)) {
    printf("error a call gave %" PRId64 " instead of %" PRId64 "\n", found, wanted);
    exit(1);
  }
}

static int64_t since(const struct calls *calls, int64_t start) { return now() - start - calls->clock_ns; }

/* A call that the channel refuses at its first comparison. */
static int64_t nothing(struct calls *calls, const struct order *order) {
  int64_t start = now();
  for (uint64_t i = 0; i < order->calls; i++) { expect(ADR_INVALID, adr_channel_refuse_box(calls->channel, -1)); }
  return since(calls, start);
}

static int64_t empty_poll(struct calls *calls, const struct order *order) {
  adr_inbound inbound;
  int64_t start = now();
  for (uint64_t i = 0; i < order->calls; i++) { expect(ADR_AGAIN, adr_channel_poll(calls->channel, -1, &inbound)); }
  return since(calls, start);
}

static void send(struct calls *calls, int64_t bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    expect(bytes, adr_channel_try_send(calls->channel, 0, ADR_PIECE_FIRST, 1, bytes, calls->message, 0, bytes));
  }
}

static void poll_and_release(struct calls *calls, uint64_t count) {
  adr_inbound inbound;
  for (uint64_t i = 0; i < count; i++) {
    expect(ADR_POLL_PIECE, adr_channel_poll(calls->channel, -1, &inbound));
    expect(0, adr_channel_release(calls->channel));
  }
}

/* Sends and polls take turns by the block; one of the two is timed. */
static int64_t in_blocks(struct calls *calls, const struct order *order, bool sends) {
  int64_t elapsed = 0;
  for (uint64_t left = order->calls, block; left > 0; left -= block) {
    block = left < BLOCK ? left : BLOCK;
    int64_t start = now();
    send(calls, order->bytes, block);
    if (sends) { elapsed += since(calls, start); }
    start = now();
    poll_and_release(calls, block);
    if (!sends) { elapsed += since(calls, start); }
  }
  return elapsed;
}

static int64_t sends(struct calls *calls, const struct order *order) { return in_blocks(calls, order, true); }

static int64_t polls(struct calls *calls, const struct order *order) { return in_blocks(calls, order, false); }

typedef int64_t timed(struct calls *calls, const struct order *order);

static timed *find(const char *name) {
  if (strcmp(name, "call-nothing") == 0) { return nothing; }
  if (strcmp(name, "call-empty-poll") == 0) { return empty_poll; }
  if (strcmp(name, "call-send") == 0) { return sends; }
  return strcmp(name, "call-poll") == 0 ? polls : NULL;
}

static timed *parse(const char *command, struct order *order) {
  char name[24];
  char rest;
  int words = sscanf(command, "%23s %" SCNd64 " %" SCNu64 " %" SCNu64 " %c", name, &order->bytes, &order->batches,
                     &order->calls, &rest);
  bool fits = words == 4 && order->bytes >= 0 && order->bytes <= MAX_BYTES && order->batches >= 1
              && order->batches <= MAX_BATCHES && order->calls >= 1 && order->calls <= MAX_CALLS;
  return fits ? find(name) : NULL;
}

static void run_command(struct calls *calls, const char *command) {
  struct order order;
  timed *run = parse(command, &order);
  if (run == NULL) {
    printf("error a command is: call-nothing|call-empty-poll|call-send|call-poll BYTES BATCHES CALLS; bytes are at "
           "most %d,"
           " batches 1 to %d, calls 1 to %d\n",
           MAX_BYTES, MAX_BATCHES, MAX_CALLS);
    return;
  }
  printf("ns");
  for (uint64_t i = 0; i < order.batches; i++) {
    int64_t elapsed = run(calls, &order);
    printf(" %" PRId64, elapsed > 0 ? elapsed : 0);
  }
  printf("\n");
}

/* A job of one with all that belongs to it. Returns 0 or an error of the segment. */
static int join(struct adr_segment *segment, const char *directory) {
  uint64_t job = (uint64_t)getpid() << 32 ^ (uint64_t)now();
  int status = adr_segment_create(segment, directory, job, 0, 1, CELLS, CELL_BYTES, ADR_BOX_DEFAULTS);
  if (status < 0) { return status; }
  struct adr_view view = adr_view_of(segment->base);
  status = adr_segment_reserve(segment, 0);
  if (status == 0) { status = adr_segment_reserve_box(segment, 0, 0); }
  if (status == 0) { adr_free_queue_format(&view, &segment->shape, 0); }
  int last = adr_segment_count_in(segment); /* takes the file's name away, also when there was no room */
  return status < 0 ? status : last < 0 ? last : 0;
}

int main(int argc, char **argv) {
  static struct adr_segment segment;
  static struct calls calls;
  char command[256];
  if (argc != 3) {
    fprintf(stderr, "usage: adrastea-calls CPU DIRECTORY   (CPU -1: not pinned)\n");
    return 2;
  }
  int cpu = atoi(argv[1]);
  if (cpu >= 0 && adr_affinity_bind(cpu) != 0) {
    fprintf(stderr, "adrastea-calls: CPU %d does not exist or may not be used\n", cpu);
    return 1;
  }
  int status = join(&segment, argv[2]);
  calls.channel = status < 0 ? NULL : adr_channel_open(segment.base, 0);
  if (calls.channel == NULL || adr_channel_open_box(calls.channel, 0) != 0) {
    fprintf(stderr, "adrastea-calls: no segment below %s (error %d)\n", argv[2], -status);
    return 1;
  }
  calls.clock_ns = clock_overhead();
  printf("ready\n");
  fflush(stdout);
  while (fgets(command, sizeof command, stdin) != NULL) {
    run_command(&calls, command);
    fflush(stdout);
  }
  adr_channel_close(calls.channel);
  adr_segment_close(&segment);
  return 0;
}
