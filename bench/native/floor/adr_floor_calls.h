/* A program that times calls of a table, each made again and again: by side 0 alone, while side 1 waits, or by both,
 * from the last begin to the last end. Its commands are WORD BYTES BATCHES EXCHANGES, of which each is answered with
 * one line, `ns T1 ... T<BATCHES>`, the nanoseconds of each batch, or `error TEXT`. */
#pragma once

#include "floor/adr_floor_program.h"

enum { FLOOR_CALL_BYTES = 1 << 20, FLOOR_MOST_CALLS = 64 };

/* Whether caches are flushed before each exchange; of the best each side tells its best time so far. Of a trial batches
 * begin without a meeting, since the call keeps both sides in step. */
enum floor_cold { FLOOR_WARM, FLOOR_COLD, FLOOR_BEST, FLOOR_TRIAL };

struct floor_call {
  const char *name;
  floor_run *run;
  uint64_t most_bytes; /* 0: it moves no bytes */
  bool all;            /* whether both sides take part */
  enum floor_cold cold;
};

/* A program's table. */
struct floor_calls {
  const char *program; /* its name */
  const char *unknown; /* what is said of a word that is not in it */
  const char *sizes;   /* of bytes that are not allowed */
  const struct floor_call *calls;
  uint32_t count;
  floor_run *prepare; /* what each side does before the first batch of an order; NULL: nothing */
};

/* Each exchange is made, and made in memory. */
static inline void floor_in_memory(const void *memory) { __asm__ __volatile__("" ::"r"(memory) : "memory"); }

/* Starts both sides on the CPUs that the words tell, and serves commands to the end of the input. Returns the exit
 * code. */
int floor_calls_main(int argc, char **argv, const struct floor_calls *table);
