/* The copy ring: what goes in and out of it, at every place, and what it refuses. Two threads at once:
 * copy_ring_stream. */
#include "copy_ring_pair.h"

enum { RING = 4096, CHUNK = 512 };

static uint8_t from[2 * ADR_RING_MOST], to[2 * ADR_RING_MOST];

static int32_t put(uint64_t filled, uint64_t length) {
  stream_fill(from, filled, length);
  return adr_ring_put(&pair.ring, RING, CHUNK, (int64_t)filled, from, 0, (int64_t)length);
}

static int32_t take(uint64_t drained, uint64_t length) {
  memset(to, 0, sizeof to);
  int32_t taken = adr_ring_take(&pair.ring, RING, CHUNK, (int64_t)drained, to, 0, (int64_t)length);
  for (uint64_t i = taken < 0 ? 0 : (uint64_t)taken; i < length; i++) { CHECK_EQUAL(0, to[i]); }
  if (taken > 0) { stream_check(to, drained, (uint64_t)taken); }
  return taken;
}

static void what_is_put_is_taken_at_every_place_and_size(void) {
  static const uint64_t sizes[] = {1, 7, 63, 64, 65, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 5, RING - 1, RING};
  for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (uint64_t begin = 0; begin < 2 * RING; begin += 37) {
      pair_begin(begin);
      CHECK_EQUAL(sizes[i], put(begin, sizes[i]));
      CHECK_EQUAL(begin + sizes[i], adr_load_relaxed_u64(&pair.ring.filled));
      CHECK_EQUAL(begin, adr_load_relaxed_u64(&pair.ring.drained));
      CHECK_EQUAL(sizes[i], take(begin, RING));
      CHECK_EQUAL(begin + sizes[i], adr_load_relaxed_u64(&pair.ring.drained));
      pair_check_guards(RING);
    }
  }
}

static void positions_go_round_at_64_bits(void) {
  uint64_t begin = UINT64_MAX - 99;
  pair_begin(begin);
  CHECK_EQUAL(300, put(begin, 300));
  CHECK_EQUAL(300, take(begin, RING));
  CHECK_EQUAL(200, adr_load_relaxed_u64(&pair.ring.drained));
  pair_check_guards(RING);
}

static void offsets_count_from_the_buffers(void) {
  pair_begin(0);
  stream_fill(from, 0, 100);
  CHECK_EQUAL(60, adr_ring_put(&pair.ring, RING, CHUNK, 0, from, 40, 60));
  memset(to, 0, sizeof to);
  CHECK_EQUAL(60, adr_ring_take(&pair.ring, RING, CHUNK, 0, to, 9, 60));
  CHECK_EQUAL(0, to[8]);
  stream_check(to + 9, 40, 60);
  CHECK_EQUAL(0, to[69]);
}

static void a_full_ring_takes_nothing_and_an_empty_one_gives_nothing(void) {
  pair_begin(0);
  CHECK_EQUAL(0, take(0, 10));
  CHECK_EQUAL(RING, put(0, RING + 1));
  CHECK_EQUAL(0, put(RING, 1));
  CHECK_EQUAL(10, take(0, 10));
  CHECK_EQUAL(10, put(RING, 100)); /* just what was given back */
  CHECK_EQUAL(RING, take(10, RING + 50));
  CHECK_EQUAL(0, take(RING + 10, 1));
  pair_check_guards(RING);
}

static void no_bytes_are_none(void) {
  pair_begin(5);
  CHECK_EQUAL(0, put(5, 0));
  CHECK_EQUAL(3, put(5, 3));
  CHECK_EQUAL(0, take(5, 0));
  CHECK_EQUAL(3, take(5, 3));
}

static void one_call_moves_at_most_64_kib(void) {
  static const int64_t ring = PAIR_MOST;
  pair_begin(0);
  stream_fill(from, 0, sizeof from);
  CHECK_EQUAL(ADR_RING_MOST, adr_ring_put(&pair.ring, ring, 1 << 13, 0, from, 0, sizeof from));
  CHECK_EQUAL(ADR_RING_MOST,
              adr_ring_put(&pair.ring, ring, 1 << 13, ADR_RING_MOST, from, ADR_RING_MOST, ADR_RING_MOST));
  CHECK_EQUAL(ADR_RING_MOST, adr_ring_take(&pair.ring, ring, 1 << 13, 0, to, 0, sizeof to));
  stream_check(to, 0, ADR_RING_MOST);
}

static void a_chunk_larger_than_the_ring_is_the_ring(void) {
  for (uint64_t begin = 0; begin < RING; begin += 100) {
    pair_begin(begin);
    stream_fill(from, begin, RING);
    CHECK_EQUAL(RING, adr_ring_put(&pair.ring, RING, 4 * RING, (int64_t)begin, from, 0, RING));
    CHECK_EQUAL(RING, adr_ring_take(&pair.ring, RING, 4 * RING, (int64_t)begin, to, 0, RING));
    stream_check(to, begin, RING);
    pair_check_guards(RING);
  }
}

/* Neither end goes on when the other's word cannot be; nothing is copied, its own word stays. */
static void a_word_that_cannot_be_is_refused(void) {
  static const uint64_t wrong[] = {1, 2, RING, UINT64_C(1) << 63, UINT64_MAX - RING};
  for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    pair_begin(10 * RING);
    adr_store_relaxed_u64(&pair.ring.drained, 10 * RING + wrong[i]); /* more was read than written; or long ago */
    CHECK_EQUAL(ADR_CORRUPT, put(10 * RING, 100));
    CHECK_EQUAL(10 * RING, adr_load_relaxed_u64(&pair.ring.filled));
    pair_begin(10 * RING);
    adr_store_relaxed_u64(&pair.ring.filled, 10 * RING - wrong[i]); /* less was written than read; or far too much */
    CHECK_EQUAL(ADR_CORRUPT, take(10 * RING, 100));
    CHECK_EQUAL(10 * RING, adr_load_relaxed_u64(&pair.ring.drained));
    for (uint32_t at = 0; at < RING; at++) { CHECK_EQUAL(0xa5, pair.bytes[at]); }
    pair_check_guards(RING);
  }
}

static void one_byte_beyond_the_ring_is_refused_and_the_last_is_not(void) {
  pair_begin(RING + 1);
  adr_store_relaxed_u64(&pair.ring.drained, 0);
  CHECK_EQUAL(ADR_CORRUPT, put(RING + 1, 1));
  CHECK_EQUAL(ADR_CORRUPT, adr_ring_take(&pair.ring, RING, CHUNK, 0, to, 0, 1));
  pair_begin(RING);
  adr_store_relaxed_u64(&pair.ring.drained, 0);
  CHECK_EQUAL(0, put(RING, 1));
  CHECK_EQUAL(1, adr_ring_take(&pair.ring, RING, CHUNK, 0, to, 0, 1));
}

static void a_length_below_zero_is_refused(void) {
  pair_begin(0);
  CHECK_EQUAL(ADR_INVALID, adr_ring_put(&pair.ring, RING, CHUNK, 0, from, 0, -1));
  CHECK_EQUAL(ADR_INVALID, adr_ring_take(&pair.ring, RING, CHUNK, 0, to, 0, INT64_MIN));
}

int main(void) {
  RUN(what_is_put_is_taken_at_every_place_and_size);
  RUN(positions_go_round_at_64_bits);
  RUN(offsets_count_from_the_buffers);
  RUN(a_full_ring_takes_nothing_and_an_empty_one_gives_nothing);
  RUN(no_bytes_are_none);
  RUN(one_call_moves_at_most_64_kib);
  RUN(a_chunk_larger_than_the_ring_is_the_ring);
  RUN(a_word_that_cannot_be_is_refused);
  RUN(one_byte_beyond_the_ring_is_refused_and_the_last_is_not);
  RUN(a_length_below_zero_is_refused);
  return 0;
}
