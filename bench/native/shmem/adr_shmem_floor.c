/* adrastea-shmem CPU0 CPU1: what accesses to memory of another process cost in plain C, by two processes that share a
 * mapping, as loops written by hand. Commands and answers are those of adr_floor_calls.h; the words are those of
 * adr_shmem_peer.c without `shmem-`, and so are sizes, sides that take part and the definition of the time. A put and a
 * get are a copy, a single element a store or a load, an atomic operation the instruction, a fence the next store in
 * order, a quiet an exchange, a barrier two lines, a lock two atomics, and a random update an atomic instruction on
 * one of two tables. */
#include <string.h>

#include "floor/adr_floor_calls.h"

enum { MOST_BYTES = FLOOR_CALL_BYTES, RATE_BYTES = 1 << 10, TABLE_BYTES = 16 << 20, STRIDE = 2 };
enum { MESSAGES = 128, WORDS = 128, TABLE_AT = 16 << 20 }; /* tables lie behind the memory that is accessed */

/* Memory of side 1, or of the other side where both take part. */
static uint8_t *memory_of(const struct floor_pair *pair, bool all) {
  return pair->shared->buffer[all ? 1 - pair->side : 1];
}

static adr_atomic_u64 *word_at(uint8_t *memory) { return (adr_atomic_u64 *)(void *)memory; }

static adr_atomic_u64 *word_of(const struct floor_pair *pair) { return word_at(memory_of(pair, false)); }

/* No order in these two: what is timed is the store and the load. */
static void put_long(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *words = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_store_relaxed_u64(words + i % WORDS, i); }
}

static void get_long(struct floor_pair *pair, const struct floor_order *order) {
  const adr_atomic_u64 *words = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_load_relaxed_u64(words + i % WORDS)); }
}

static void put(struct floor_pair *pair, const struct floor_order *order) {
  uint8_t *memory = memory_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, &i, sizeof i);
    memcpy(memory, pair->mine, order->bytes);
    floor_in_memory(memory);
  }
}

static void get(struct floor_pair *pair, const struct floor_order *order) {
  const uint8_t *memory = memory_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, memory, order->bytes);
    floor_in_memory(pair->mine);
  }
}

static void put_signal(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *signal = word_at(memory_of(pair, false) + MOST_BYTES);
  uint8_t *memory = memory_of(pair, false);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    memcpy(pair->mine, &i, sizeof i);
    memcpy(memory, pair->mine, order->bytes);
    adr_store_release_u64(signal, i); /* SYNC floor-word: what was copied comes before */
  }
}

/* Every second word of the other side's memory; the distances are not known to the compiler. */
static void put_strided(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t *to = (void *)memory_of(pair, false);
  uint64_t stride = adr_load_once_u64(&(uint64_t){STRIDE});
  for (uint64_t i = 0; i < order->exchanges; i++) {
    uint64_t *from = (void *)pair->mine;
    from[0] = i;
    for (uint64_t at = 0; at < order->bytes / sizeof *to; at++) { to[at * stride] = from[at]; }
    floor_in_memory(to);
  }
}

static void get_strided(struct floor_pair *pair, const struct floor_order *order) {
  const uint64_t *from = (void *)memory_of(pair, false);
  uint64_t stride = adr_load_once_u64(&(uint64_t){STRIDE});
  for (uint64_t i = 0; i < order->exchanges; i++) {
    uint64_t *to = (void *)pair->mine;
    for (uint64_t at = 0; at < order->bytes / sizeof *to; at++) { to[at] = from[at * stride]; }
    floor_in_memory(to);
  }
}

static void fetch(struct floor_pair *pair, const struct floor_order *order) {
  const adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_load_relaxed_u64(word)); }
}

static void set(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_store_relaxed_u64(word, i); }
}

static void swap(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_swap_relaxed_u64(word, i)); }
}

/* Expects what the last one left, or what the failed one saw. */
static void compare_swap(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  uint64_t expected = 0;
  for (uint64_t i = 0; i < order->exchanges; i++) {
    uint64_t seen = adr_compare_exchange_relaxed_u64(word, expected, expected + 1);
    expected = seen == expected ? seen + 1 : seen;
  }
}

static void fetch_add(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_add_relaxed_u64(word, 1)); }
}

static void add(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_add_relaxed_u64(word, 1); }
}

static void fetch_and(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_and_relaxed_u64(word, UINT64_MAX)); }
}

static void and_(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_and_relaxed_u64(word, UINT64_MAX); }
}

static void fetch_or(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_or_relaxed_u64(word, 1)); }
}

static void or_(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_or_relaxed_u64(word, 1); }
}

static void fetch_xor(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_in_memory((void *)adr_xor_relaxed_u64(word, 1)); }
}

static void xor_(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_xor_relaxed_u64(word, 1); }
}

static void fence(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) { adr_store_release_u64(word, i); /* SYNC floor-word */ }
}

static void quiet(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *word = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    adr_swap_relaxed_u64(word, i); /* no order: it costs what a full fence does */
  }
}

static void lock(struct floor_pair *pair, const struct floor_order *order) {
  adr_atomic_u64 *words = word_of(pair);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    adr_swap_relaxed_u64(words + ADR_BLOCK / sizeof *words, 1); /* no order: the instructions of a lock are timed */
    adr_store_relaxed_u64(words, adr_load_relaxed_u64(words) + 1);
    adr_cas_relaxed_u64(words + ADR_BLOCK / sizeof *words, 1, 0);
  }
}

/* The number of the exchange in an order: both sides count alike, from 1 on. */
static uint64_t exchanged;

/* A message whose last word is told behind the rest. */
static void tell(struct floor_pair *pair, uint64_t bytes) {
  uint8_t *to = memory_of(pair, true);
  if (bytes > sizeof(uint64_t)) { memcpy(to, pair->mine, bytes - sizeof(uint64_t)); }
  adr_store_release_u64(word_at(to + bytes - sizeof(uint64_t)), exchanged); /* SYNC floor-word */
}

static void ping_pong(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t bytes = order->bytes == 0 ? sizeof(uint64_t) : order->bytes; /* a token has no data */
  const adr_atomic_u64 *last = word_at(pair->shared->buffer[pair->side] + bytes - sizeof(uint64_t));
  for (uint64_t i = 0; i < order->exchanges; i++) {
    exchanged++;
    if (pair->side == 0) { tell(pair, bytes); }
    floor_await(pair, last, exchanged, 0);
    if (pair->side == 1) { tell(pair, bytes); }
  }
}

static void rate(struct floor_pair *pair, const struct floor_order *order) {
  uint8_t *to = memory_of(pair, true);
  uint64_t bytes = order->bytes;
  const adr_atomic_u64 *last = word_at(pair->shared->buffer[pair->side] + (MESSAGES - 1) * bytes);
  for (uint64_t i = 0; i < order->exchanges; i++) {
    exchanged++;
    memcpy(pair->mine, &exchanged, sizeof exchanged);
    for (uint64_t message = 0; message < MESSAGES; message++) {
      if (bytes == sizeof(uint64_t)) {
        adr_store_relaxed_u64(word_at(to) + message, exchanged); /* no order: the last one is no word of the others */
      } else {
        memcpy(to + message * bytes, pair->mine, bytes);
        floor_in_memory(to);
      }
    }
    floor_await(pair, last, exchanged, 0);
  }
}

static void tell_and_wait(struct floor_pair *pair, const struct floor_order *order) {
  for (uint64_t i = 0; i < order->exchanges; i++) {
    exchanged++;
    adr_store_release_u64(word_at(memory_of(pair, true)), exchanged); /* SYNC floor-word */
    floor_await(pair, word_at(pair->shared->buffer[pair->side]), exchanged, 0);
  }
}

static void barrier(struct floor_pair *pair, const struct floor_order *order) {
  for (uint64_t i = 0; i < order->exchanges; i++) { floor_pair_meet(pair); }
}

static uint64_t random_word; /* the last one of this side: batches go on where the one before has ended */

static void gups(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t x = random_word; /* Knuth's MMIX generator tells side and word */
  for (uint64_t i = 0; i < order->exchanges; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    adr_atomic_u64 *table = word_at(pair->shared->buffer[(x >> 32) * 2 >> 32] + TABLE_AT);
    adr_xor_relaxed_u64(table + (x >> 8) % (TABLE_BYTES / sizeof *table), x);
  }
  random_word = x;
}

static const struct floor_call calls[] = {
    {"pingPong", ping_pong, MOST_BYTES, true, FLOOR_WARM},
    {"pingPong-trials", ping_pong, MOST_BYTES, true, FLOOR_TRIAL},
    {"rate", rate, RATE_BYTES, true, FLOOR_WARM},
    {"rate-cold", rate, RATE_BYTES, true, FLOOR_COLD},
    {"putLong", put_long, 8, false, FLOOR_WARM},
    {"getLong", get_long, 8, false, FLOOR_WARM},
    {"put", put, MOST_BYTES, false, FLOOR_WARM},
    {"get", get, MOST_BYTES, false, FLOOR_WARM},
    {"putNbi", put, MOST_BYTES, false, FLOOR_WARM},
    {"getNbi", get, MOST_BYTES, false, FLOOR_WARM},
    {"putSignal", put_signal, MOST_BYTES, false, FLOOR_WARM},
    {"putStrided", put_strided, MOST_BYTES / STRIDE, false, FLOOR_WARM},
    {"getStrided", get_strided, MOST_BYTES / STRIDE, false, FLOOR_WARM},
    {"fetch", fetch, 8, false, FLOOR_WARM},
    {"set", set, 8, false, FLOOR_WARM},
    {"swap", swap, 8, false, FLOOR_WARM},
    {"compareSwap", compare_swap, 8, false, FLOOR_WARM},
    {"fetchAdd", fetch_add, 8, false, FLOOR_WARM},
    {"fetchAdd-all", fetch_add, 8, true, FLOOR_WARM},
    {"fetchAddNbi", fetch_add, 8, false, FLOOR_WARM},
    {"add", add, 8, false, FLOOR_WARM},
    {"fetchInc", fetch_add, 8, false, FLOOR_WARM},
    {"inc", add, 8, false, FLOOR_WARM},
    {"fetchAnd", fetch_and, 8, false, FLOOR_WARM},
    {"and", and_, 8, false, FLOOR_WARM},
    {"fetchOr", fetch_or, 8, false, FLOOR_WARM},
    {"or", or_, 8, false, FLOOR_WARM},
    {"fetchXor", fetch_xor, 8, false, FLOOR_WARM},
    {"xor", xor_, 8, false, FLOOR_WARM},
    {"fence", fence, 0, false, FLOOR_WARM},
    {"quiet", quiet, 0, false, FLOOR_WARM},
    {"lock", lock, 0, false, FLOOR_WARM},
    {"ring", ping_pong, 0, true, FLOOR_WARM},
    {"ring-signal", ping_pong, 0, true, FLOOR_WARM},
    {"waitUntilAll", tell_and_wait, 0, true, FLOOR_WARM},
    {"barrierAll", barrier, 0, true, FLOOR_WARM},
    {"syncAll", barrier, 0, true, FLOOR_WARM},
    {"gups", gups, 0, true, FLOOR_WARM},
};

static void prepare(struct floor_pair *pair, const struct floor_order *order) {
  exchanged = 0;
  random_word = (uint64_t)pair->side + 1;
  memset(pair->shared->buffer[pair->side] + MOST_BYTES, 0, ADR_BLOCK);
  if (strcmp(calls[order->test].name, "gups") == 0) {
    memset(pair->shared->buffer[pair->side] + TABLE_AT, 0, TABLE_BYTES); /* pages are there */
  }
}

static const struct floor_calls table = {
    .program = "adrastea-shmem",
    .unknown = "there is no call of that name; adr_shmem_peer.c lists them",
    .sizes = "bytes are multiples of 8 up to 1 MiB, of a rate 1 KiB, of strides 512 KiB, of a word 8, and 0 of no data",
    .calls = calls,
    .count = sizeof calls / sizeof *calls,
    .prepare = prepare,
};

int main(int argc, char **argv) { return floor_calls_main(argc, argv, &table); }
