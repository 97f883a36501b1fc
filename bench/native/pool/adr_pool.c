/* adrastea-pool CPU0 CPU1 [CELL_BYTES [BUFFER_BYTES]]: messages between two processes by cells as ours are and by
 * those of MVAPICH ([MVAPICH 2006, 2.3 and 3]), timed side by side. `bench paper mvapich` runs it.
 *
 * Reads a command a line, `WAY-latency|WAY-stream[-unchecked] BYTES BATCHES EXCHANGES`, and answers each with one
 * line: `ns T1 ... T<BATCHES>`, the nanoseconds of each batch of EXCHANGES round trips, or of as many times two
 * messages; or `error TEXT`. The ways:
 *   cells       the channel: cells through receive queue and free queue
 *   boxes       the same with fastboxes, as in a job of the defaults
 *   pool1 ... pool16   the send buffer pool, with that many packets for a control message, at most
 *   oldest      the same as pool1 but that cells are reused first in first out
 *   pair        a buffer for each ordered pair
 * The first time that a way is asked for messages of a size, each byte of some is checked before time runs;
 * unchecked: not so, for who counts what this process does. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "floor/adr_floor_program.h"
#include "pool/adr_pool_cells.h"
#include "pool/adr_pool_pair.h"
#include "pool/adr_pool_run.h"
#include "pool/adr_pool_send.h"

enum {
  WAYS = 9,
  MOVES = 2,
  TESTS = WAYS * MOVES, /* and as many unchecked */
  SIZES = 64,           /* of messages that were checked, remembered for each way */
  CELL_BYTES = 8192,
  MIN_CELL_BYTES = 64,
  MAX_CELL_BYTES = 32768,
  BUFFER_BYTES = 1 << 20,
  MIN_BUFFER_BYTES = 4096,
  MAX_BUFFER_BYTES = 64 << 20,
};

static const char *const move_names[MOVES] = {"latency", "stream"};
static struct pool_way ways[WAYS];
static floor_run *runs[2 * TESTS];
static uint64_t checked[WAYS][SIZES];
static uint32_t checked_count[WAYS];

static void make_ways(uint32_t cell_bytes, uint64_t buffer_bytes) {
  static const char *const names[] = {"pool1", "pool2", "pool4", "pool8", "pool16"};
  struct pool_way *way = ways;
  *way++ = pool_cells_way("cells", cell_bytes, false);
  *way++ = pool_cells_way("boxes", cell_bytes, true);
  for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    *way++ = pool_send_way(names[i], pool_send_areas(cell_bytes), 1u << i, false);
  }
  *way++ = pool_send_way("oldest", pool_send_areas(cell_bytes), 1, true);
  *way++ = pool_pair_way("pair", buffer_bytes);
}

/* Whether that size is new to the way; from now on it is not. */
static bool is_new(uint32_t way, uint64_t bytes) {
  for (uint32_t i = 0; i < checked_count[way]; i++) {
    if (checked[way][i] == bytes) { return false; }
  }
  if (checked_count[way] < SIZES) { checked[way][checked_count[way]++] = bytes; }
  return true;
}

static void run_move(struct floor_pair *pair, const struct floor_order *order) {
  uint32_t index = order->test % TESTS / MOVES;
  if (order->test < TESTS && is_new(index, order->bytes)) { pool_verify(pair, order->bytes, &ways[index]); }
  if (order->test % MOVES == 0) {
    pool_ping_pong(pair, order, &ways[index]);
  } else {
    pool_stream(pair, order, &ways[index]);
  }
}

static bool find(const char *name, uint32_t *test) {
  char wanted[32];
  for (*test = 0; *test < 2 * TESTS; ++*test) {
    snprintf(wanted, sizeof wanted, "%s-%s%s", ways[*test % TESTS / MOVES].name, move_names[*test % MOVES],
             *test < TESTS ? "" : "-unchecked");
    if (strcmp(name, wanted) == 0) { return true; }
  }
  return false;
}

/* Returns NULL, or what is wrong with the command. */
static const char *parse(const char *command, struct floor_order *order) {
  char name[FLOOR_NAME];
  if (!floor_read_order(command, name, order)) {
    return "a command is: WAY-latency|WAY-stream[-unchecked] BYTES BATCHES EXCHANGES";
  }
  if (!find(name, &order->test)) { return "ways are cells, boxes, pool1, pool2, pool4, pool8, pool16, oldest, pair"; }
  if (order->bytes < POOL_MIN_BYTES || order->bytes > ways[order->test % TESTS / MOVES].max_bytes) {
    return "bytes are 8 to 1 MiB, and for pair less than its buffer by a line";
  }
  if (order->exchanges > FLOOR_MAX_EXCHANGES / MOVES) { return "exchanges are 1 to 536870912"; }
  return floor_check_counts(order);
}

static void run_command(struct floor_pair *pair, const char *command) { floor_obey(pair, command, parse, runs); }

static int serve(const int cpus[2]) {
  struct floor_pair pair;
  for (uint32_t i = 0; i < 2 * TESTS; i++) { runs[i] = run_move; }
  if (!floor_start("adrastea-pool", &pair, cpus, runs)) { return 1; }
  floor_serve(&pair, run_command);
  return 0;
}

int main(int argc, char **argv) {
  int cpus[2];
  long cell_bytes = CELL_BYTES;
  long buffer_bytes = BUFFER_BYTES;
  if (argc < 3 || argc > 5 || !floor_parse_cpus(argv + 1, cpus)
      || (argc > 3 && !floor_parse_number(argv[3], MIN_CELL_BYTES, MAX_CELL_BYTES, &cell_bytes))
      || (argc > 4 && !floor_parse_number(argv[4], MIN_BUFFER_BYTES, MAX_BUFFER_BYTES, &buffer_bytes))
      || (buffer_bytes & (buffer_bytes - 1)) != 0) {
    fprintf(stderr, "usage: adrastea-pool CPU0 CPU1 [CELL_BYTES [BUFFER_BYTES]]\n"
                    "       CPU -1: not pinned; cells of 64 to 32768 bytes; buffer: a power of two, 4 KiB to 64 MiB\n");
    return 2;
  }
  make_ways((uint32_t)cell_bytes, (uint64_t)buffer_bytes);
  return serve(cpus);
}
