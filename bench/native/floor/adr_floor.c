/* adrastea-floor CPU0 CPU1: the least that messages between two CPUs can cost, in plain C. The bench
 * divides by it. Reads a command a line: `slot|line|copy|bicopy|stream|touch BYTES BATCHES EXCHANGES`, answers
 * each with one line: `ns T1 ... T<BATCHES>`, the nanoseconds of each batch of EXCHANGES round trips (copy, bicopy:
 * of the copies; stream, touch: of the messages), or `error TEXT`. `slot-touched`, `copy-touched` and so on are the
 * same with messages that are written before and read after. Ends at the end of its input. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "floor/adr_floor_copy.h"
#include "floor/adr_floor_line.h"
#include "floor/adr_floor_program.h"
#include "floor/adr_floor_slot.h"
#include "floor/adr_floor_stream.h"
#include "floor/adr_floor_touch.h"
#include "floor/adr_floor_tune.h"

enum { TEST_SLOT, TEST_LINE, TEST_COPY, TEST_BICOPY, TEST_STREAM, TEST_TOUCH, TEST_COUNT };

struct test {
  const char *name;
  uint64_t max_bytes;
  bool tuned; /* poll cadence is found by trial */
  bool takes_hints;
};

static const struct test tests[TEST_COUNT] = {
    [TEST_SLOT] = {"slot", FLOOR_SLOT_MAX_BYTES, true, true},
    [TEST_LINE] = {"line", UINT64_MAX, true, false},
    [TEST_COPY] = {"copy", FLOOR_COPY_MAX_BYTES, false, false},
    [TEST_BICOPY] = {"bicopy", FLOOR_COPY_MAX_BYTES, false, false},
    [TEST_STREAM] = {"stream", FLOOR_STREAM_MAX_BYTES, true, false},
    [TEST_TOUCH] = {"touch", FLOOR_COPY_MAX_BYTES, false, false},
};
static floor_run *const runs[TEST_COUNT] = {floor_slot_run,   floor_line_run,   floor_copy_run,
                                            floor_bicopy_run, floor_stream_run, floor_touch_run};

/* Returns NULL, or what is wrong with the command. */
static const char *parse(const char *command, struct floor_order *order) {
  char name[FLOOR_NAME];
  static const char touched[] = "-touched";
  if (!floor_read_order(command, name, order)) {
    return "a command is: slot|line|copy|bicopy|stream|touch BYTES BATCHES EXCHANGES";
  }
  char *end = strstr(name, touched);
  if (end != NULL && end[sizeof touched - 1] == '\0') {
    order->touched = 1;
    *end = '\0';
  }
  while (order->test < TEST_COUNT && strcmp(name, tests[order->test].name) != 0) { order->test++; }
  if (order->test == TEST_COUNT) { return "the tests are slot, line, copy, bicopy, stream, touch"; }
  if (order->bytes > tests[order->test].max_bytes) {
    return "bytes are at most 1 MiB for slot, 64 MiB for copy, bicopy and touch, 48 for stream";
  }
  if (order->test == TEST_LINE) { order->bytes = 0; }
  order->buffers = (uint16_t)touch_buffers(order->bytes);
  return floor_check_counts(order);
}

static void run_command(struct floor_pair *pair, const char *command) {
  struct floor_order order;
  const char *wrong = parse(command, &order);
  if (wrong != NULL) {
    printf("error %s\n", wrong);
    return;
  }
  order.pauses = 1;
  if (tests[order.test].tuned) { floor_tune(pair, &order, tests[order.test].takes_hints, runs); }
  floor_measure(pair, &order, runs);
}

int main(int argc, char **argv) {
  int cpus[2];
  struct floor_pair pair;
  if (argc != 3 || !floor_parse_cpus(argv + 1, cpus)) {
    fprintf(stderr, "usage: adrastea-floor CPU0 CPU1   (-1: not pinned)\n");
    return 2;
  }
  if (!floor_start("adrastea-floor", &pair, cpus, runs)) { return 1; }
  floor_serve(&pair, run_command);
  return 0;
}
