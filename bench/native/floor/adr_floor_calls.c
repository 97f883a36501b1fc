#include "floor/adr_floor_calls.h"

#include <stdio.h>
#include <string.h>

enum { FLUSHED_BYTES = 8 << 20, LINE_BYTES = 64 };

/* What a side tells the other one, behind the memory that calls access. */
struct told {
  uint64_t begin, end; /* of a batch */
  uint64_t best;       /* the least time of an exchange */
};

static const struct floor_calls *table; /* set before there are two sides */

static struct told *told_by(const struct floor_pair *pair, int side) {
  return (struct told *)(void *)(pair->shared->buffer[side] + FLOOR_COPY_MAX_BYTES - FLOOR_PAGE_BYTES);
}

/* What a side reads and writes takes the place of what its CPU's caches hold. It lies behind what calls use. */
static void flush(struct floor_pair *pair) {
  uint8_t *memory = pair->mine + FLOOR_COPY_MAX_BYTES - FLUSHED_BYTES;
  for (uint64_t at = 0; at < FLUSHED_BYTES; at += LINE_BYTES) {
    memory[at]++;
    floor_in_memory(memory + at);
  }
}

/* Runs exchanges without a pause between them. Returns what they took, at side 0. */
static uint64_t together(struct floor_pair *pair, const struct floor_order *order) {
  const struct floor_call *call = &table->calls[order->test];
  struct told *mine = told_by(pair, pair->side);
  floor_pair_meet(pair);
  mine->begin = floor_now();
  if (call->all || pair->side == 0) { call->run(pair, order); }
  mine->end = floor_now();
  if (mine->end - mine->begin < mine->best) { mine->best = mine->end - mine->begin; }
  floor_pair_meet(pair); /* orders what is told */
  const struct told *other = told_by(pair, 1 - pair->side);
  uint64_t begin = call->all && other->begin > mine->begin ? other->begin : mine->begin;
  uint64_t end = call->all && other->end > mine->end ? other->end : mine->end;
  return call->cold != FLOOR_BEST ? end - begin : mine->best > other->best ? mine->best : other->best;
}

static uint64_t cold(struct floor_pair *pair, const struct floor_order *order) {
  struct floor_order one = *order;
  one.exchanges = 1;
  uint64_t taken = 0;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    flush(pair);
    uint64_t time = together(pair, &one);
    taken = table->calls[order->test].cold == FLOOR_BEST ? time * order->exchanges : taken + time;
  }
  return taken;
}

static void trial(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  uint64_t begin = floor_now();
  table->calls[order->test].run(pair, order);
  if (pair->side == 0) { floor_note(pair, number, floor_now() - begin, 1); }
}

static void batch(struct floor_pair *pair, const struct floor_order *order, uint64_t number) {
  bool warm = table->calls[order->test].cold == FLOOR_WARM;
  uint64_t taken = (warm ? together : cold)(pair, order);
  floor_pair_meet(pair); /* what was told has been read */
  if (pair->side == 0) { floor_note(pair, number, taken, warm ? 1 : order->exchanges); }
}

/* The program has one way to run all of its calls, which the order's test tells apart. */
static void run(struct floor_pair *pair, const struct floor_order *order) {
  *told_by(pair, pair->side) = (struct told){.best = UINT64_MAX};
  memset(pair->shared->buffer[pair->side], 0, FLOOR_CALL_BYTES);
  memset(pair->mine, 0, FLOOR_CALL_BYTES);
  if (table->prepare != NULL) { table->prepare(pair, order); }
  floor_pair_meet(pair);
  bool trials = table->calls[order->test].cold == FLOOR_TRIAL;
  for (uint64_t number = 0; number < order->batches; number++) { (trials ? trial : batch)(pair, order, number); }
  floor_pair_meet(pair); /* the last times are read */
}

static floor_run *runs[FLOOR_MOST_CALLS]; /* filled before there are two sides */

static const char *parse(const char *command, struct floor_order *order) {
  char name[FLOOR_NAME];
  if (!floor_read_order(command, name, order)) { return "a command is: WORD BYTES BATCHES EXCHANGES"; }
  while (order->test < table->count && strcmp(name, table->calls[order->test].name) != 0) { order->test++; }
  if (order->test == table->count) { return table->unknown; }
  const struct floor_call *call = &table->calls[order->test];
  bool sound = call->most_bytes == 0 ? order->bytes == 0
                                     : order->bytes >= 8 && order->bytes % 8 == 0 && order->bytes <= call->most_bytes;
  return sound ? floor_check_counts(order) : table->sizes;
}

static void obey(struct floor_pair *pair, const char *command) { floor_obey(pair, command, parse, runs); }

int floor_calls_main(int argc, char **argv, const struct floor_calls *of) {
  int cpus[2];
  struct floor_pair pair;
  table = of;
  if (argc != 3 || !floor_parse_cpus(argv + 1, cpus)) {
    fprintf(stderr, "usage: %s CPU0 CPU1   (-1: not pinned)\n", table->program);
    return 2;
  }
  for (uint32_t test = 0; test < table->count; test++) { runs[test] = run; }
  if (!floor_start(table->program, &pair, cpus, runs)) { return 1; }
  floor_serve(&pair, obey);
  return 0;
}
