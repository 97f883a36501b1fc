/* adrastea-rma CPU0 CPU1: what accesses to memory of another process cost in plain C, by two processes that share a
 * mapping. Reads a command a line, `WORD BYTES BATCHES EXCHANGES`, and answers each with one line, `ns T1 ...
 * T<BATCHES>`, the nanoseconds of each batch, or `error TEXT`. The words are those of adr_mpi_rma.c without `rma-`, and
 * so are sizes, sides that take part and the definition of the time. A put and a get are a copy, an atomic is the
 * instruction, an accumulate a loop of compare-and-swaps on doubles, a fence a barrier of two lines, a lock with its
 * unlock two atomics, and a sparse walk a loop written for it. Ends at the end of its input. */
#include <stdio.h>
#include <string.h>

#include "base/adr_atomic.h"
#include "floor/adr_floor_program.h"

enum { MOST_BYTES = 1 << 20, SPARSE_BYTES = 256 << 10 };

enum { LAST_BYTES = MOST_BYTES, MOST_TESTS = 19 }; /* where a side's times lie, behind its window */

struct access {
  const char *name;
  void (*run)(struct floor_pair *pair, const struct floor_order *order);
  uint64_t most_bytes; /* 0: it moves no bytes */
  bool all;            /* whether both sides take part */
};

/* Side 1's window; of accesses in which each side has another target, that of the other side. */
static uint8_t *window_of(const struct floor_pair *pair, bool each) {
  return pair->shared->buffer[each ? 1 - pair->side : 1];
}

static adr_atomic_u64 *word_of(const struct floor_pair *pair) {
  return (adr_atomic_u64 *)(void *)window_of(pair, false);
}

/* Each exchange is made, and made in memory. */
static void in_memory(const void *memory) { __asm__ __volatile__("" ::"r"(memory) : "memory"); }

static void put(struct floor_pair *pair, const struct floor_order *order) {
  uint8_t *window = window_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, &i, sizeof i);
    memcpy(window, pair->mine, order->bytes);
    in_memory(window);
  }
}

static void get(struct floor_pair *pair, const struct floor_order *order) {
  const uint8_t *window = window_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, window, order->bytes);
    in_memory(window);
  }
}

/* A copy whose length the compiler knows. */
static void put_word(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  uint64_t *from = (void *)pair->mine;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    *from = i;
    in_memory(from);
    adr_store_relaxed_u64(word, *from); /* no order: what is timed is the store */
  }
}

static void get_word(struct floor_pair *pair, const struct floor_order *order) {
  const adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    uint64_t value = adr_load_relaxed_u64(word); /* no order: what is timed is the load */
    memcpy(pair->mine, &value, sizeof value);
    in_memory(pair->mine);
  }
}

static void put_any(struct floor_pair *pair, const struct floor_order *order) {
  (order->bytes == sizeof(uint64_t) ? put_word : put)(pair, order);
}

static void get_any(struct floor_pair *pair, const struct floor_order *order) {
  (order->bytes == sizeof(uint64_t) ? get_word : get)(pair, order);
}

static void fetch_and_op(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_add_relaxed_u64(word, 1); }
}

/* Expects what the last one left, or what the failed one saw. */
static void compare_and_swap(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  uint64_t expected = 0;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    uint64_t seen = adr_compare_exchange_relaxed_u64(word, expected, expected + 1);
    expected = seen == expected ? seen + 1 : seen;
  }
}

static void add_double(adr_atomic_u64 *word, double summand) {
  uint64_t old = adr_load_relaxed_u64(word), seen;
  while (true) {
    double sum;
    memcpy(&sum, &old, sizeof sum);
    sum += summand;
    uint64_t made;
    memcpy(&made, &sum, sizeof made);
    seen = adr_compare_exchange_relaxed_u64(word, old, made);
    if (seen == old) { return; }
    old = seen;
  }
}

static void accumulate_in(const struct floor_order *order, uint8_t *window) {
  adr_atomic_u64 *words = (void *)window;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    for (uint64_t at = 0; at < order->bytes / sizeof *words; at++) { add_double(&words[at], 1); }
  }
}

static void accumulate(struct floor_pair *pair, const struct floor_order *order) {
  accumulate_in(order, window_of(pair, false));
}

static void accumulate_each(struct floor_pair *pair, const struct floor_order *order) {
  accumulate_in(order, window_of(pair, true));
}

static void barrier(struct floor_pair *pair) { floor_pair_meet(pair); }

static void fence(struct floor_pair *pair, const struct floor_order *order) {
  for (uint64_t i = 0; i < order->exchanges; i++) { barrier(pair); }
}

static void two_atomics(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    adr_add_relaxed_u64(word, 1); /* no order: this lock guards nothing, its instructions are timed */
    adr_add_relaxed_u64(word, (uint64_t)-1);
  }
}

static void sparse_put(struct floor_pair *pair, const struct floor_order *order) {
  uint8_t *window = window_of(pair, true);
  uint64_t bytes = order->bytes;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    for (uint64_t at = 0; at + bytes <= SPARSE_BYTES; at += 2 * bytes) {
      if (bytes == sizeof(uint64_t)) {
        memcpy(window + at, pair->mine, sizeof(uint64_t));
      } else {
        memcpy(window + at, pair->mine, bytes);
      }
    }
    in_memory(window);
    barrier(pair);
  }
}

static void sparse_get(struct floor_pair *pair, const struct floor_order *order) {
  const uint8_t *window = window_of(pair, true);
  uint64_t bytes = order->bytes;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    for (uint64_t at = 0; at + bytes <= SPARSE_BYTES; at += 2 * bytes) {
      if (bytes == sizeof(uint64_t)) {
        memcpy(pair->mine + at, window + at, sizeof(uint64_t));
      } else {
        memcpy(pair->mine + at, window + at, bytes);
      }
    }
    in_memory(pair->mine);
    barrier(pair);
  }
}

static const struct access accesses[MOST_TESTS] = {
    {"put", put_any, MOST_BYTES, false},
    {"get", get_any, MOST_BYTES, false},
    {"puts", put_any, MOST_BYTES, false},
    {"gets", get_any, MOST_BYTES, false},
    {"fetchAndOp", fetch_and_op, 8, false},
    {"fetchAndOp-all", fetch_and_op, 8, true},
    {"compareAndSwap", compare_and_swap, 8, false},
    {"compareAndSwap-all", compare_and_swap, 8, true},
    {"accumulate", accumulate, MOST_BYTES, false},
    {"accumulate-all", accumulate, MOST_BYTES, true},
    {"accumulate-each", accumulate_each, MOST_BYTES, true},
    {"put-computing", put_any, MOST_BYTES, false},
    {"fetchAndOp-computing", fetch_and_op, 8, false},
    {"fence", fence, 0, true},
    {"postStartCompleteWait", fence, 0, true},
    {"lock", two_atomics, 0, false},
    {"lockAll", two_atomics, 0, false},
    {"sparsePut", sparse_put, SPARSE_BYTES / 2, true},
    {"sparseGet", sparse_get, SPARSE_BYTES / 2, true},
};

/* When a side began and ended a batch. */
static uint64_t *times_of(const struct floor_pair *pair, int side) {
  return (uint64_t *)(void *)(pair->shared->buffer[side] + LAST_BYTES);
}

static void batch(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  const struct access *access = &accesses[order->test];
  uint64_t *mine = times_of(pair, pair->side);
  floor_pair_meet(pair);
  mine[0] = floor_now();
  if (access->all || pair->side == 0) { access->run(pair, order); }
  mine[1] = floor_now();
  floor_pair_meet(pair); /* orders the times */
  if (pair->side != 0) { return; }
  const uint64_t *other = times_of(pair, 1);
  uint64_t begin = access->all && other[0] > mine[0] ? other[0] : mine[0];
  uint64_t end = access->all && other[1] > mine[1] ? other[1] : mine[1];
  floor_note(pair, number, end - begin, 1);
}

/* The program has one way to run all of its accesses, which the order's test tells apart. */
static void run(struct floor_pair *pair, const struct floor_order *order) {
  memset(pair->shared->buffer[pair->side], 0, MOST_BYTES);
  floor_pair_meet(pair);
  for (uint64_t number = 0; number < order->batches; number++) { batch(pair, order, number); }
  floor_pair_meet(pair); /* the last times are read */
}

static floor_run *const runs[MOST_TESTS] = {run, run, run, run, run, run, run, run, run, run,
                                            run, run, run, run, run, run, run, run, run};

static const char *parse(const char *command, struct floor_order *order) {
  char name[FLOOR_NAME];
  if (!floor_read_order(command, name, order)) { return "a command is: WORD BYTES BATCHES EXCHANGES"; }
  while (order->test < MOST_TESTS && strcmp(name, accesses[order->test].name) != 0) { order->test++; }
  if (order->test == MOST_TESTS) { return "there is no access of that name; adr_mpi_rma.c lists them"; }
  const struct access *access = &accesses[order->test];
  bool sound = access->most_bytes == 0
                   ? order->bytes == 0
                   : order->bytes >= 8 && order->bytes % 8 == 0 && order->bytes <= access->most_bytes;
  if (!sound) { return "bytes are multiples of 8 up to 1 MiB, of an atomic 8, of a walk 128 KiB, and 0 of no data"; }
  return floor_check_counts(order);
}

static void obey(struct floor_pair *pair, const char *command) { floor_obey(pair, command, parse, runs); }

int main(int argc, char **argv) {
  int cpus[2];
  struct floor_pair pair;
  if (argc != 3 || !floor_parse_cpus(argv + 1, cpus)) {
    fprintf(stderr, "usage: adrastea-rma CPU0 CPU1   (-1: not pinned)\n");
    return 2;
  }
  if (!floor_start("adrastea-rma", &pair, cpus, runs)) { return 1; }
  floor_serve(&pair, obey);
  return 0;
}
