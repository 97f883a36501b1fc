/* Elements accumulated where they lie: all operators on all kinds, wherever target and operands begin, against
 * adr_combine; and by threads at once, whose histories must be those of one element that is changed step by step. */
#include "adrastea/accumulate.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "base/adr_atomic.h"
#include "base/adr_base.h"
#include "check.h"
#include "coll/adr_combine.h"

enum { MOST = 5000, AROUND = 32, THREADS = 3, ROUNDS = 60000, SWAPS = 400000, LONG_ROUNDS = 1000, SUM_OF_LONG = 200 };

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Mostly any bits, sometimes one that matters: zeros, ones, signs, and what is no number. */
static void fill(uint8_t *bytes, int64_t count, uint64_t *state) {
  static const uint64_t special[] = {0,
                                     1,
                                     UINT64_MAX,
                                     UINT64_C(0x8000000000000000),
                                     UINT64_C(0x80000000),
                                     UINT64_C(0x7ff8000000000001),
                                     UINT64_C(0x7fc000017fc00001),
                                     UINT64_C(0x3ff0000000000000)};
  for (int64_t at = 0; at < count; at += 8) {
    const uint64_t random = next_random(state);
    const uint64_t word = random % 4 == 0 ? special[random >> 8 & 7] : next_random(state);
    memcpy(bytes + at, &word, (size_t)(count - at < 8 ? count - at : 8));
  }
}

static bool is_allowed(int32_t op, int32_t element) {
  switch (element) {
  case ADR_LONG_DOUBLE:
  case ADR_FLOAT_COMPLEX:
  case ADR_DOUBLE_COMPLEX:
  case ADR_SHORT_INT:
  case ADR_INT_INT:
  case ADR_LONG_INT:
  case ADR_FLOAT_INT:
  case ADR_DOUBLE_INT:
    return false;
  default:
    return adr_operator_check(op, element) == 0;
  }
}

struct place {
  int64_t shift; /* of the target, in elements */
  int64_t count;
  bool exclusive;
  bool wants_result;
};

static _Alignas(ADR_LINE) uint8_t target[MOST + 2 * AROUND], before[MOST + 2 * AROUND], wanted[MOST + 2 * AROUND];
static uint8_t origin[MOST + AROUND], result[MOST + 2 * AROUND];

static void check_place(int32_t op, int32_t element, struct place place, uint64_t *state) {
  const int64_t size = adr_element_bytes(element), bytes = place.count * size, at = AROUND + place.shift * size;
  const int64_t origin_at = (int64_t)(next_random(state) % 9), result_at = (int64_t)(next_random(state) % 9);
  fill(target, sizeof target, state);
  fill(origin, sizeof origin, state);
  memset(result, 0xa5, sizeof result);
  memcpy(before, target, sizeof target);
  memcpy(wanted, target, sizeof target);
  if (bytes > 0) { adr_combine(op, element, wanted + at, before + at, origin + origin_at, bytes); }
  const void *given = op == ADR_NO_OP && place.shift % 2 == 0 ? NULL : origin;
  CHECK_EQUAL(0, adr_accumulate(target + at, given, origin_at, place.wants_result ? result : NULL, result_at, bytes, op,
                                element, place.exclusive));
  CHECK(memcmp(wanted, target, sizeof target) == 0);
  if (place.wants_result) {
    CHECK(memcmp(result + result_at, before + at, (size_t)bytes) == 0);
    memset(result + result_at, 0xa5, (size_t)bytes);
  }
  for (size_t i = 0; i < sizeof result; i++) { CHECK_EQUAL(0xa5, result[i]); }
}

static void should_accumulate_what_reductions_combine(void) {
  static const int64_t counts[] = {0, 1, 2, 3, 4, 5, 8, 63, 64, 65, 127, 130, 515, 600};
  uint64_t state = 1;
  int pairs = 0;
  for (int32_t element = 0; element < ADR_ELEMENTS; element++) {
    for (int32_t op = 1; op < ADR_OPERATORS; op++) {
      CHECK_EQUAL(is_allowed(op, element) ? 0 : ADR_INVALID, adr_accumulate_check(op, element));
      if (!is_allowed(op, element)) { continue; }
      pairs++;
      for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (int way = 0; way < 16; way++) {
          const struct place place = {way & 3, counts[i], (way & 4) != 0, (way & 8) != 0};
          check_place(op, element, place, &state);
        }
      }
    }
  }
  CHECK_EQUAL(8 * 12 + 2 * 6 + 2 * 5, pairs);
}

static void check_refused(int32_t op, int32_t element, int64_t at, int64_t bytes, bool has_origin) {
  for (int32_t exclusive = 0; exclusive < 2; exclusive++) {
    memset(target, 7, sizeof target);
    memset(result, 7, sizeof result);
    CHECK_EQUAL(ADR_INVALID,
                adr_accumulate(target + at, has_origin ? origin : NULL, 0, result, 0, bytes, op, element, exclusive));
    for (int i = 0; i < 32; i++) { CHECK(target[i] == 7 && result[i] == 7); }
  }
}

static void should_refuse_and_leave_everything_as_it_was(void) {
  check_refused(ADR_SUM, ADR_ELEMENTS, 0, 8, true);
  check_refused(ADR_SUM, -1, 0, 8, true);
  check_refused(ADR_NO_OPERATOR, ADR_INT64, 0, 8, true);
  check_refused(ADR_OPERATORS, ADR_INT64, 0, 8, true);
  check_refused(ADR_USER_OPERATOR, ADR_INT64, 0, 8, true);
  check_refused(ADR_SUM, ADR_FLOAT_COMPLEX, 0, 8, true);
  check_refused(ADR_BAND, ADR_DOUBLE, 0, 8, true);
  check_refused(ADR_REPLACE, ADR_INT_INT, 0, 8, true);
  check_refused(ADR_SUM, ADR_INT64, 4, 8, true);
  check_refused(ADR_SUM, ADR_FLOAT, 2, 8, true);
  check_refused(ADR_SUM, ADR_INT16, 1, 8, true);
  check_refused(ADR_SUM, ADR_INT64, 0, 12, true);
  check_refused(ADR_SUM, ADR_INT64, 0, -8, true);
  check_refused(ADR_SUM, ADR_INT64, 0, 8, false);
  CHECK_EQUAL(0, adr_accumulate(target, NULL, 0, NULL, 0, 0, ADR_SUM, ADR_INT64, 0));
  int64_t value = 7;
  CHECK_EQUAL(ADR_INVALID, adr_compare_and_swap(target + 4, &value, &value, &value, ADR_INT64));
  CHECK_EQUAL(ADR_INVALID, adr_compare_and_swap(target, &value, &value, &value, ADR_DOUBLE_INT));
  CHECK_EQUAL(ADR_INVALID, adr_compare_and_swap(target, &value, &value, &value, -1));
}

static void check_compare_and_swap(int32_t element, int64_t shift, uint64_t *state) {
  const size_t size = (size_t)adr_element_bytes(element);
  uint8_t *at = target + AROUND + shift * (int64_t)size;
  uint8_t expected[8 + 1], desired[8 + 1], found[8 + 1];
  fill(target, sizeof target, state);
  memcpy(wanted, target, sizeof target);
  memcpy(expected + 1, at, size);
  fill(desired + 1, 8, state);
  CHECK_EQUAL(0, adr_compare_and_swap(at, expected + 1, desired + 1, found + 1, element));
  CHECK(memcmp(found + 1, expected + 1, size) == 0);
  memcpy(wanted + (at - target), desired + 1, size);
  CHECK(memcmp(wanted, target, sizeof target) == 0);
  memcpy(expected + 1, at, size);
  expected[size] ^= 0x10; /* the last byte differs */
  fill(desired + 1, 8, state);
  CHECK_EQUAL(0, adr_compare_and_swap(at, expected + 1, desired + 1, found + 1, element));
  CHECK(memcmp(found + 1, at, size) == 0);
  CHECK(memcmp(wanted, target, sizeof target) == 0);
}

static void should_compare_and_swap_elements_of_each_width(void) {
  uint64_t state = 3;
  for (int32_t element = 0; element < ADR_ELEMENTS; element++) {
    if (!is_allowed(ADR_REPLACE, element)) { continue; }
    for (int64_t shift = 0; shift < 8; shift++) { check_compare_and_swap(element, shift, &state); }
  }
}

static pthread_barrier_t all_there;
static void *(*work_of_all)(void *number);

static void *begin(void *number) {
  pthread_barrier_wait(&all_there);
  return work_of_all(number);
}

static void run(void *(*work)(void *number)) {
  pthread_t threads[THREADS];
  static int numbers[THREADS];
  CHECK(pthread_barrier_init(&all_there, NULL, THREADS) == 0);
  work_of_all = work;
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, begin, &numbers[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) { CHECK(pthread_join(threads[i], NULL) == 0); }
  pthread_barrier_destroy(&all_there);
}

/* Elements of all widths, small ones beside each other in one word. */
static struct {
  _Alignas(8) uint8_t bytes[4];
  uint16_t shorts[2];
  uint32_t word;
  float real;
  uint64_t wide;
  double wide_real;
  uint8_t swapped[3];
  uint8_t bits;
} mixed;

static void add(void *to, int32_t element, const void *one) {
  CHECK_EQUAL(0, adr_accumulate(to, one, 0, NULL, 0, adr_element_bytes(element), ADR_SUM, element, 0));
}

static void increment_by_swaps(uint8_t *byte) {
  uint8_t expected = 0, found = 0, desired;
  do {
    expected = found;
    desired = (uint8_t)(expected + 1);
    CHECK_EQUAL(0, adr_compare_and_swap(byte, &expected, &desired, &found, ADR_UINT8));
  } while (found != expected);
}

static void *mix(void *number) {
  static const uint8_t one8 = 1;
  static const uint16_t one16 = 1;
  static const uint32_t one32 = 1;
  static const uint64_t one64 = 1;
  static const float one_float = 1;
  static const double one_double = 1;
  const uint8_t bit = (uint8_t)(1 << *(int *)number);
  for (int i = 0; i < ROUNDS; i++) {
    add(&mixed.bytes[i % 4], ADR_INT8, &one8);
    add(&mixed.shorts[i % 2], ADR_UINT16, &one16);
    add(&mixed.word, ADR_INT32, &one32);
    add(&mixed.real, ADR_FLOAT, &one_float);
    add(&mixed.wide, ADR_INT64, &one64);
    add(&mixed.wide_real, ADR_DOUBLE, &one_double);
    increment_by_swaps(&mixed.swapped[i % 3]);
    uint8_t old;
    CHECK_EQUAL(0, adr_accumulate(&mixed.bits, &bit, 0, &old, 0, 1, ADR_BXOR, ADR_BYTES, 0));
    CHECK_EQUAL(i % 2 == 0 ? 0 : bit, old & bit); /* nobody else touches this bit */
  }
  return NULL;
}

static void no_element_should_lose_what_others_beside_it_do(void) {
  run(mix);
  for (int i = 0; i < 4; i++) { CHECK_EQUAL((uint8_t)(THREADS * (ROUNDS / 4)), mixed.bytes[i]); }
  for (int i = 0; i < 2; i++) { CHECK_EQUAL((uint16_t)(THREADS * (ROUNDS / 2)), mixed.shorts[i]); }
  CHECK_EQUAL(THREADS * ROUNDS, mixed.word);
  CHECK_EQUAL(THREADS * ROUNDS, mixed.real);
  CHECK_EQUAL(THREADS * ROUNDS, mixed.wide);
  CHECK_EQUAL(THREADS * ROUNDS, mixed.wide_real);
  for (int i = 0; i < 3; i++) { CHECK_EQUAL((uint8_t)(THREADS * ((ROUNDS + 2 - i) / 3)), mixed.swapped[i]); }
  CHECK_EQUAL(0, mixed.bits);
}

/* A byte for each thread in one word. */
static _Alignas(4) uint8_t own_bytes[4];

static void *swap_own(void *number) {
  uint8_t *own = &own_bytes[*(int *)number], found;
  for (int i = 0; i < SWAPS; i++) {
    const uint8_t expected = (uint8_t)i, desired = (uint8_t)(i + 1);
    CHECK_EQUAL(0, adr_compare_and_swap(own, &expected, &desired, &found, ADR_BYTES));
    CHECK_EQUAL(expected, found); /* nobody else touches this byte */
  }
  return NULL;
}

static void a_byte_should_be_swapped_whatever_becomes_of_those_beside_it(void) {
  run(swap_own);
  for (int i = 0; i < THREADS; i++) { CHECK_EQUAL((uint8_t)SWAPS, own_bytes[i]); }
}

/* Long accumulates of which each changes all that the others change. */
static _Alignas(8) double sums[SUM_OF_LONG];
static _Alignas(8) uint16_t small_sums[SUM_OF_LONG];

static void *add_long(void *number) {
  double ones[SUM_OF_LONG];
  uint16_t small_ones[SUM_OF_LONG];
  for (int i = 0; i < SUM_OF_LONG; i++) { ones[i] = small_ones[i] = 1; }
  for (int round = 0; round < LONG_ROUNDS; round++) {
    CHECK_EQUAL(0, adr_accumulate(sums, ones, 0, NULL, 0, sizeof sums, ADR_SUM, ADR_DOUBLE, 0));
    CHECK_EQUAL(0,
                adr_accumulate(small_sums + 1, small_ones, 0, NULL, 0, sizeof small_sums - 4, ADR_SUM, ADR_INT16, 0));
    add(&small_sums[0], ADR_INT16, small_ones);
    add(&small_sums[SUM_OF_LONG - 1], ADR_INT16, small_ones);
  }
  return number;
}

static void long_accumulates_should_go_through_each_other(void) {
  run(add_long);
  for (int i = 0; i < SUM_OF_LONG; i++) {
    CHECK_EQUAL(THREADS * LONG_ROUNDS, sums[i]);
    CHECK_EQUAL(THREADS * LONG_ROUNDS, small_sums[i]);
  }
}

/* What each thread has got from one counter. */
static uint64_t counter, counts[THREADS][ROUNDS];

static void *count(void *number) {
  static const uint64_t one = 1;
  uint64_t *got = counts[*(int *)number];
  for (int i = 0; i < ROUNDS; i++) {
    CHECK_EQUAL(0, adr_accumulate(&counter, &one, 0, got, i * 8, 8, ADR_SUM, ADR_UINT64, 0));
  }
  return NULL;
}

static void what_fetch_and_add_gives_should_be_one_history(void) {
  static bool given[THREADS * ROUNDS];
  run(count);
  for (int thread = 0; thread < THREADS; thread++) {
    for (int i = 0; i < ROUNDS; i++) {
      const uint64_t got = counts[thread][i];
      CHECK(got < THREADS * ROUNDS && !given[got]);
      CHECK(i == 0 || got > counts[thread][i - 1]);
      given[got] = true;
    }
  }
}

/* Each store is of a value that nobody else stores; `after` tells what was stored upon which value. */
static uint32_t cell;
static uint32_t after[THREADS * ROUNDS + 1];
static adr_atomic_u32 stores;

static void *chain(void *number) {
  uint32_t desired = (uint32_t)(*(int *)number * ROUNDS) + 1, found = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const uint32_t expected = found;
    CHECK_EQUAL(0, adr_compare_and_swap(&cell, &expected, &desired, &found, ADR_INT32));
    if (found != expected) { continue; }
    CHECK_EQUAL(0, after[expected]); /* two stores upon one value */
    after[expected] = desired;
    adr_add_relaxed_u32(&stores, 1);
    found = desired++;
  }
  return NULL;
}

static void what_compare_and_swap_gives_should_be_one_chain(void) {
  run(chain);
  uint32_t links = 0, last = 0;
  for (; after[last] != 0; last = after[last]) { links++; }
  CHECK_EQUAL(cell, last);
  CHECK_EQUAL(stores, links);
  CHECK(links > ROUNDS / 100);
}

/* A lock made of exchanges, which orders plain accesses: TSan looks on. */
static _Alignas(4) uint8_t lock_byte[4];
static uint64_t guarded;

static void *guard(void *number) {
  static const uint8_t taken = 1, none = 0;
  uint8_t was;
  for (int i = 0; i < LONG_ROUNDS; i++) {
    do {
      CHECK_EQUAL(0, adr_accumulate(&lock_byte[1], &taken, 0, &was, 0, 1, ADR_REPLACE, ADR_UINT8, 0));
      if (was != 0) { sched_yield(); }
    } while (was != 0);
    guarded++;
    CHECK_EQUAL(0, adr_accumulate(&lock_byte[1], &none, 0, NULL, 0, 1, ADR_REPLACE, ADR_UINT8, 0));
  }
  return number;
}

static void a_lock_of_exchanges_should_order_what_it_guards(void) {
  run(guard);
  CHECK_EQUAL(THREADS * LONG_ROUNDS, guarded);
}

int main(void) {
  RUN(should_accumulate_what_reductions_combine);
  RUN(should_refuse_and_leave_everything_as_it_was);
  RUN(should_compare_and_swap_elements_of_each_width);
  RUN(no_element_should_lose_what_others_beside_it_do);
  RUN(a_byte_should_be_swapped_whatever_becomes_of_those_beside_it);
  RUN(long_accumulates_should_go_through_each_other);
  RUN(what_fetch_and_add_gives_should_be_one_history);
  RUN(what_compare_and_swap_gives_should_be_one_chain);
  RUN(a_lock_of_exchanges_should_order_what_it_guards);
  return 0;
}
