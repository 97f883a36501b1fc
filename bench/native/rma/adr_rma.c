/* adrastea-rma CPU0 CPU1: what accesses to memory of another process cost in plain C, by two processes that share a
 * mapping. Reads a command a line, `WORD BYTES BATCHES EXCHANGES`, and answers each with one line, `ns T1 ...
 * T<BATCHES>`, the nanoseconds of each batch, or `error TEXT`. The words are those of adr_mpi_rma.c without `rma-`, and
 * so are sizes, sides that take part and the definition of the time. A put and a get are a copy, an atomic is the
 * instruction, an accumulate a loop of compare-and-swaps on doubles, a fence a barrier of two lines, a lock with its
 * unlock two atomics, and a sparse walk a loop written for it. A put and a get have two more words, of private memory:
 * with -cma they are the bare call of the system, with -space the C core's copy by it. Ends at the end of its input. */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "adrastea/space.h"

#include "base/adr_atomic.h"
#include "floor/adr_floor_calls.h"

enum { MOST_BYTES = FLOOR_CALL_BYTES, SPARSE_BYTES = 256 << 10 };

/* What a side tells the other one, behind its window. */
struct told {
  uint8_t *private; /* its memory that is not shared */
  int64_t process;
};

static struct told *told_by(const struct floor_pair *pair, int side) {
  return (struct told *)(void *)(pair->shared->buffer[side] + MOST_BYTES);
}

/* Side 1's window; of accesses in which each side has another target, that of the other side. */
static uint8_t *window_of(const struct floor_pair *pair, bool each) {
  return pair->shared->buffer[each ? 1 - pair->side : 1];
}

static adr_atomic_u64 *word_of(const struct floor_pair *pair) {
  return (adr_atomic_u64 *)(void *)window_of(pair, false);
}

static void put(struct floor_pair *pair, const struct floor_order *order) {
  uint8_t *window = window_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, &i, sizeof i);
    memcpy(window, pair->mine, order->bytes);
    floor_in_memory(window);
  }
}

static void get(struct floor_pair *pair, const struct floor_order *order) {
  const uint8_t *window = window_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, window, order->bytes);
    floor_in_memory(window);
  }
}

/* Copies that the system does not make are no figures: the order's answer is that bytes were not read. */
static void refuse(struct floor_pair *pair) { pair->touch.sum++; }

/* A copy whose length the compiler knows. */
static void put_word(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  uint64_t *from = (void *)pair->mine;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    *from = i;
    floor_in_memory(from);
    adr_store_relaxed_u64(word, *from); /* no order: what is timed is the store */
  }
}

static void get_word(struct floor_pair *pair, const struct floor_order *order) {
  const adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    uint64_t value = adr_load_relaxed_u64(word); /* no order: what is timed is the load */
    memcpy(pair->mine, &value, sizeof value);
    floor_in_memory(pair->mine);
  }
}

static void put_any(struct floor_pair *pair, const struct floor_order *order) {
  (order->bytes == sizeof(uint64_t) ? put_word : put)(pair, order);
}

static void get_any(struct floor_pair *pair, const struct floor_order *order) {
  (order->bytes == sizeof(uint64_t) ? get_word : get)(pair, order);
}

/* What of the other side's private memory a copy by the system reaches. */
static struct iovec far_of(const struct floor_pair *pair, const struct floor_order *order) {
  return (struct iovec){told_by(pair, 1 - pair->side)->private, order->bytes};
}

static void by_system(struct floor_pair *pair, const struct floor_order *order, long call) {
  struct iovec near = {pair->mine, order->bytes};
  struct iovec far = far_of(pair, order);
  int64_t process = told_by(pair, 1 - pair->side)->process;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    long moved = syscall(call, (pid_t)process, &near, 1ul, &far, 1ul, 0ul);
    if (moved != (long)order->bytes) { refuse(pair); }
  }
}

static void put_by_system(struct floor_pair *pair, const struct floor_order *order) {
  by_system(pair, order, SYS_process_vm_writev);
}

static void get_by_system(struct floor_pair *pair, const struct floor_order *order) {
  by_system(pair, order, SYS_process_vm_readv);
}

static void by_space(struct floor_pair *pair, const struct floor_order *order, bool write) {
  const struct told *other = told_by(pair, 1 - pair->side);
  int32_t process = (int32_t)other->process;
  int64_t far = (int64_t)(uintptr_t)other->private, bytes = (int64_t)order->bytes;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    int64_t moved =
        write ? adr_cma_write(process, far, pair->mine, 0, bytes) : adr_cma_read(process, far, pair->mine, 0, bytes);
    if (moved != bytes) { refuse(pair); }
  }
}

static void put_by_space(struct floor_pair *pair, const struct floor_order *order) { by_space(pair, order, true); }

static void get_by_space(struct floor_pair *pair, const struct floor_order *order) { by_space(pair, order, false); }

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
    floor_in_memory(window);
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
    floor_in_memory(pair->mine);
    barrier(pair);
  }
}

static const struct floor_call accesses[] = {
    {"put", put_any, MOST_BYTES, false, FLOOR_WARM},
    {"get", get_any, MOST_BYTES, false, FLOOR_WARM},
    {"puts", put_any, MOST_BYTES, false, FLOOR_WARM},
    {"gets", get_any, MOST_BYTES, false, FLOOR_WARM},
    {"fetchAndOp", fetch_and_op, 8, false, FLOOR_WARM},
    {"fetchAndOp-all", fetch_and_op, 8, true, FLOOR_WARM},
    {"compareAndSwap", compare_and_swap, 8, false, FLOOR_WARM},
    {"compareAndSwap-all", compare_and_swap, 8, true, FLOOR_WARM},
    {"accumulate", accumulate, MOST_BYTES, false, FLOOR_WARM},
    {"accumulate-all", accumulate, MOST_BYTES, true, FLOOR_WARM},
    {"accumulate-each", accumulate_each, MOST_BYTES, true, FLOOR_WARM},
    {"accumulate-locked", put, MOST_BYTES, false, FLOOR_WARM},
    {"put-computing", put_any, MOST_BYTES, false, FLOOR_WARM},
    {"fetchAndOp-computing", fetch_and_op, 8, false, FLOOR_WARM},
    {"fence", fence, 0, true, FLOOR_WARM},
    {"postStartCompleteWait", fence, 0, true, FLOOR_WARM},
    {"lock", two_atomics, 0, false, FLOOR_WARM},
    {"lockAll", two_atomics, 0, false, FLOOR_WARM},
    {"sparsePut", sparse_put, SPARSE_BYTES / 2, true, FLOOR_WARM},
    {"sparseGet", sparse_get, SPARSE_BYTES / 2, true, FLOOR_WARM},
    {"sparsePut-cold", sparse_put, SPARSE_BYTES / 2, true, FLOOR_COLD},
    {"sparseGet-cold", sparse_get, SPARSE_BYTES / 2, true, FLOOR_COLD},
    {"sparsePut-best", sparse_put, SPARSE_BYTES / 2, true, FLOOR_BEST},
    {"put-cma", put_by_system, MOST_BYTES, false, FLOOR_WARM},
    {"get-cma", get_by_system, MOST_BYTES, false, FLOOR_WARM},
    {"puts-cma", put_by_system, MOST_BYTES, false, FLOOR_WARM},
    {"gets-cma", get_by_system, MOST_BYTES, false, FLOOR_WARM},
    {"put-space", put_by_space, MOST_BYTES, false, FLOOR_WARM},
    {"get-space", get_by_space, MOST_BYTES, false, FLOOR_WARM},
    {"puts-space", put_by_space, MOST_BYTES, false, FLOOR_WARM},
    {"gets-space", get_by_space, MOST_BYTES, false, FLOOR_WARM},
};

static void prepare(struct floor_pair *pair, const struct floor_order *order) {
  (void)order;
  *told_by(pair, pair->side) = (struct told){.private = pair->mine, .process = getpid()};
}

static const struct floor_calls table = {
    .program = "adrastea-rma",
    .unknown = "there is no access of that name; adr_mpi_rma.c lists them",
    .sizes = "bytes are multiples of 8 up to 1 MiB, of an atomic 8, of a walk 128 KiB, and 0 of no data",
    .calls = accesses,
    .count = sizeof accesses / sizeof *accesses,
    .prepare = prepare,
};

int main(int argc, char **argv) { return floor_calls_main(argc, argv, &table); }
