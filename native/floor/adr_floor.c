/* adrastea-floor CPU0 CPU1: the least that messages between two CPUs can cost, in plain C. The bench
 * divides by it. Reads a command a line: `slot|line|copy BYTES BATCHES EXCHANGES`, answers each with one line:
 * `ns T1 ... T<BATCHES>`, the nanoseconds of each batch of EXCHANGES round trips (copy: of the copies), or
 * `error TEXT`. Ends at the end of its input. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "floor/adr_floor_copy.h"
#include "floor/adr_floor_line.h"
#include "floor/adr_floor_slot.h"

enum { TEST_SLOT, TEST_LINE, TEST_COPY, TEST_COUNT };
enum {
  TUNED_MAX_BYTES = 4096, /* beyond, waiting is a small part */
  TUNING_NS = 100000000,  /* no trial starts later: two sides that share a CPU are slow */
};

struct test {
  const char *name;
  uint64_t max_bytes;
};

static const struct test tests[TEST_COUNT] = {
    [TEST_SLOT] = {"slot", FLOOR_SLOT_MAX_BYTES},
    [TEST_LINE] = {"line", UINT64_MAX},
    [TEST_COPY] = {"copy", FLOOR_COPY_MAX_BYTES},
};
static floor_run *const runs[TEST_COUNT] = {floor_slot_run, floor_line_run, floor_copy_run};

/* Returns NULL, or what is wrong with the command. */
static const char *parse(const char *command, struct floor_order *order) {
  char name[8];
  char rest;
  memset(order, 0, sizeof *order);
  if (strchr(command, '-') != NULL ||
      sscanf(command, "%7s %" SCNu64 " %" SCNu64 " %" SCNu64 " %c", name, &order->bytes, &order->batches,
             &order->exchanges, &rest) != 4) {
    return "a command is: slot|line|copy BYTES BATCHES EXCHANGES";
  }
  while (order->test < TEST_COUNT && strcmp(name, tests[order->test].name) != 0) { order->test++; }
  if (order->test == TEST_COUNT) { return "the tests are slot, line, copy"; }
  if (order->bytes > tests[order->test].max_bytes) { return "too many bytes: at most 1 MiB for slot, 64 MiB for copy"; }
  if (order->batches < 1 || order->batches > FLOOR_MAX_BATCHES) { return "batches are 1 to 1048576"; }
  if (order->exchanges < 1 || order->exchanges > FLOOR_MAX_EXCHANGES) { return "exchanges are 1 to 1073741824"; }
  return NULL;
}

static int by_value(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left;
  uint64_t b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static uint64_t trial(struct floor_pair *pair, struct floor_order order) {
  enum { BATCHES = 25, EXCHANGES = 64 };
  order.batches = BATCHES;
  order.exchanges = EXCHANGES;
  floor_pair_give(pair, &order, runs);
  qsort(pair->shared->ns, BATCHES, sizeof pair->shared->ns[0], by_value);
  return pair->shared->ns[BATCHES / 2];
}

/* The number of pauses between two looks moves a ping-pong by up to 2 x, by the CPU and by the way between the
 * two CPUs, which may change; hints help or harm likewise. So each order takes the best of short trials, together
 * about 10 ms. */
static void tune(struct floor_pair *pair, struct floor_order *order) {
  static const uint16_t pauses[] = {0, 1, 2, 3, 4, 5, 6, 8, 10, 12};
  struct floor_order candidate = *order;
  uint64_t least = UINT64_MAX;
  uint64_t end = floor_now() + TUNING_NS;
  for (candidate.hints = 0; candidate.hints <= (order->test == TEST_SLOT); candidate.hints++) {
    for (size_t i = 0; i < sizeof pauses / sizeof pauses[0] && floor_now() < end; i++) {
      candidate.pauses = pauses[i];
      uint64_t ns = trial(pair, candidate);
      if (ns < least) {
        least = ns;
        *order = candidate;
      }
    }
  }
}

static void run_command(struct floor_pair *pair, const char *command) {
  struct floor_order order;
  const char *wrong = parse(command, &order);
  if (wrong != NULL) {
    printf("error %s\n", wrong);
    return;
  }
  order.pauses = 1;
  if (order.test == TEST_LINE || (order.test == TEST_SLOT && order.bytes <= TUNED_MAX_BYTES)) { tune(pair, &order); }
  floor_pair_give(pair, &order, runs);
  printf("ns");
  for (uint64_t i = 0; i < order.batches; i++) { printf(" %" PRIu64, pair->shared->ns[i]); }
  printf("\n");
}

static bool parse_cpu(const char *text, int *cpu) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  *cpu = (int)value;
  return errno == 0 && end != text && *end == '\0' && value >= -1 && value < 1 << 16;
}

int main(int argc, char **argv) {
  int cpus[2];
  struct floor_pair pair;
  if (argc != 3 || !parse_cpu(argv[1], &cpus[0]) || !parse_cpu(argv[2], &cpus[1])) {
    fprintf(stderr, "usage: adrastea-floor CPU0 CPU1   (-1: not pinned)\n");
    return 2;
  }
  const char *wrong = floor_pair_start(&pair, cpus[0], cpus[1], runs);
  if (wrong != NULL) {
    fprintf(stderr, "adrastea-floor: %s\n", wrong);
    return 1;
  }
  char command[256];
  while (fgets(command, sizeof command, stdin) != NULL) {
    run_command(&pair, command);
    fflush(stdout);
  }
  floor_pair_end(&pair);
  return 0;
}
