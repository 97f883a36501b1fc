/* Active sets of OpenSHMEM: each is made by its PEs alone, whatever the others do. */
#include "areas.h"
#include "types.h"

enum { COUNT = 3, MOST_SETS = 256 };

#define ELEMENT(TYPE, pe, i) ((TYPE)((pe)*7 + (i)*3 + 1))

static long *sync_words; /* SHMEM_SYNC_SIZE for each set */

/* A set, and this PE's number in it. */
struct set {
  int start, log, size, self;
  long *sync;
};

static void check_sync(const struct set *set) {
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) { CHECK(set->sync[i] == SHMEM_SYNC_VALUE); }
}

static void meet(const struct set *set) { shmem_barrier(set->start, set->log, set->size, set->sync); }

/* The collectives that move data, by their size. */
#define MOVES(BITS) \
  static void move_##BITS(const struct set *set) { \
    int##BITS##_t *to = (int##BITS##_t *)(void *)to_area, *from = (int##BITS##_t *)(void *)from_area; \
    const int self = set->self, all = set->size * COUNT, root = set->size - 1; \
    for (int i = 0; i < all; i++) { from[i] = ELEMENT(int##BITS##_t, self, i); } \
    for (int i = 0; i < 2 * all; i++) { to[i] = -1; } \
    meet(set); \
    shmem_broadcast##BITS(to, from, COUNT, root, set->start, set->log, set->size, set->sync); \
    for (int i = 0; i < COUNT; i++) { CHECK(to[i] == (self == root ? -1 : ELEMENT(int##BITS##_t, root, i))); } \
    meet(set); \
    shmem_fcollect##BITS(to, from, COUNT, set->start, set->log, set->size, set->sync); \
    for (int i = 0; i < all; i++) { CHECK(to[i] == ELEMENT(int##BITS##_t, i / COUNT, i % COUNT)); } \
    meet(set); \
    shmem_collect##BITS(to, from, (size_t)(self % 2 + 1), set->start, set->log, set->size, set->sync); \
    for (int pe = 0, at = 0; pe < set->size; pe++) { \
      for (int i = 0; i < pe % 2 + 1; i++, at++) { CHECK(to[at] == ELEMENT(int##BITS##_t, pe, i)); } \
    } \
    meet(set); \
    shmem_alltoall##BITS(to, from, COUNT, set->start, set->log, set->size, set->sync); \
    for (int i = 0; i < all; i++) { CHECK(to[i] == ELEMENT(int##BITS##_t, i / COUNT, self * COUNT + i % COUNT)); } \
    meet(set); \
    shmem_alltoalls##BITS(to, from, 2, 1, COUNT, set->start, set->log, set->size, set->sync); \
    for (int i = 0; i < all; i++) { CHECK(to[i * 2] == ELEMENT(int##BITS##_t, i / COUNT, self * COUNT + i % COUNT)); } \
    meet(set); \
  }
MOVES(32)
MOVES(64)

#define REDUCES(NAME, TYPE, OP, GIVEN, COMBINED) \
  { \
    TYPE *to = (TYPE *)(void *)to_area, *from = (TYPE *)(void *)from_area, *work = to + COUNT; \
    for (int i = 0; i < COUNT; i++) { \
      const int pe = set->self; \
      from[i] = (TYPE)(GIVEN); \
    } \
    shmem_##NAME##_##OP##_to_all(to, from, COUNT, set->start, set->log, set->size, work, set->sync); \
    for (int i = 0; i < COUNT; i++) { \
      int pe = 0; \
      TYPE a = (TYPE)(GIVEN); \
      for (pe = 1; pe < set->size; pe++) { \
        const TYPE b = (TYPE)(GIVEN); \
        a = (TYPE)(COMBINED); \
      } \
      CHECK(to[i] == a); \
    } \
    meet(set); \
  }

#define BITS (UINT64_C(0x5ac3f00d96a578e1) >> (pe * 5) ^ (uint64_t)i)
#define SIGNED_NUMBER (pe % 2 * 37 - 50 + i * 20 + pe)

#define COMBINES_BITS(NAME, TYPE) \
  REDUCES(NAME, TYPE, and, BITS, a &b) REDUCES(NAME, TYPE, or, BITS, a | b) REDUCES(NAME, TYPE, xor, BITS, a ^ b)
#define FINDS_ENDS(NAME, TYPE) \
  REDUCES(NAME, TYPE, max, SIGNED_NUMBER, a > b ? a : b) REDUCES(NAME, TYPE, min, SIGNED_NUMBER, a < b ? a : b)
#define COMPUTES(NAME, TYPE) \
  REDUCES(NAME, TYPE, sum, pe * 3 + i, a + b) REDUCES(NAME, TYPE, prod, pe % 3 + 1 + i % 2, a * b)

static void reduce_all(const struct set *set) {
  OLD_BITWISE_TYPES(COMBINES_BITS)
  SET_ORDER_TYPES(FINDS_ENDS)
  SET_ARITHMETIC_TYPES(COMPUTES)
}

static void use(const struct set *set) {
  move_32(set);
  move_64(set);
  shmem_sync(set->start, set->log, set->size, set->sync);
  reduce_all(set);
  check_sync(set);
}

/* Whose first call is the collective; every other set begins with a barrier instead. */
static void begin_with_a_sum(const struct set *set) {
  long *to = (long *)(void *)to_area, *from = (long *)(void *)from_area;
  *from = set->self + 1;
  shmem_long_sum_to_all(to, from, 1, set->start, set->log, set->size, to + 1, set->sync);
  CHECK(*to == set->size * (set->size + 1) / 2);
  check_sync(set);
}

/* Every (start, stride, size). */
static void use_all_sets(void) {
  sync_words = shmem_malloc(sizeof(long) * SHMEM_SYNC_SIZE * MOST_SETS);
  for (int i = 0; i < SHMEM_SYNC_SIZE * MOST_SETS; i++) { sync_words[i] = SHMEM_SYNC_VALUE; }
  shmem_barrier_all();
  int count = 0;
  for (int start = 0; start < pes; start++) {
    for (int log = 0; log < 4; log++) {
      for (int size = 1; start + ((size - 1) << log) < pes; size++, count++) {
        const int from = me - start, stride = 1 << log;
        struct set set = {start, log, size, from / stride, sync_words + count * SHMEM_SYNC_SIZE};
        CHECK(count < MOST_SETS);
        if (from < 0 || from % stride != 0 || from / stride >= size) { continue; }
        if (count % 2 == 0) { begin_with_a_sum(&set); }
        use(&set);
      }
    }
  }
}

static int every_set_is_made_by_its_pes_alone(void) {
  int failed = 0;
  for (int count = 1; count <= MOST_PES; count++) { failed += run_pes(count, use_all_sets); }
  return failed;
}

/* One PE alone is in the set, at a time when no other one makes a call. */
static void use_one(void) {
  static long *words;
  words = shmem_malloc(sizeof(long) * SHMEM_SYNC_SIZE);
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) { words[i] = SHMEM_SYNC_VALUE; }
  long *flag = shmem_calloc(1, sizeof(long));
  if (me == 2) {
    for (int round = 0; round < 100; round++) { shmem_barrier(2, 0, 1, words); }
    for (int round = 0; round < 100; round++) { /* again, kept as before */
      const struct set set = {2, 0, 1, 0, words};
      begin_with_a_sum(&set);
    }
    for (int pe = 0; pe < pes; pe++) { shmem_long_p(flag, 1, pe); }
  } else {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) { usleep(1000); } /* in no call */
  }
}

static int other_pes_need_make_no_call(void) { return run_pes(3, use_one); }

/* Barriers one behind the other use one `pSync`, as the standard allows. */
static void repeat_barriers(void) {
  long *words = shmem_malloc(sizeof(long) * SHMEM_SYNC_SIZE);
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) { words[i] = SHMEM_SYNC_VALUE; }
  int *counts = shmem_calloc((size_t)pes, sizeof(int));
  shmem_barrier_all();
  for (int round = 1; round <= 200; round++) {
    for (int pe = 0; pe < pes; pe++) { shmem_int_p(counts + me, round, pe); }
    shmem_barrier(0, 0, pes, words);
    for (int pe = 0; pe < pes; pe++) { CHECK(counts[pe] == round); }
    shmem_sync(0, 0, pes, words);
  }
}

static int barriers_follow_each_other(void) { return run_pes(4, repeat_barriers); }

int main(void) {
  int wrong = 0;
  pes_begin();
  RUN(every_set_is_made_by_its_pes_alone);
  RUN(other_pes_need_make_no_call);
  RUN(barriers_follow_each_other);
  return pes_end(wrong);
}
