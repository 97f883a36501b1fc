/* A rank that uses a window with the others, C or Java, in each kind of epoch, and says that it has checked all. Twin
 * of io.adrastea.it.WindowRank. */
#include <adrastea/window.h>

#include "member.h"

enum { WORDS = 4096, ROUNDS = 200, COUNTER = WORDS, MUTEX, GUARDED, SUM, PAIR, ALL = WORDS + 8 };

static adr_window *window;
static int rank, size;

static void check(int holds, const char *what, int64_t found) {
  if (!holds) {
    fprintf(stderr, "rank %d: %s: %lld\n", rank, what, (long long)found);
    exit(1);
  }
}

static int64_t *local(void) { return adr_window_memory(window, rank); }

/* Puts to the next rank, by fences and by posts in turn, and gets it back. */
static void ring(void) {
  static int64_t out[WORDS], in[WORDS];
  int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  require(adr_window_fence(window));
  for (int round = 0; round < ROUNDS; round++) {
    int words = round % 3 == 0 ? WORDS : round + 1;
    for (int i = 0; i < words; i++) { out[i] = round * INT64_C(1000003) + rank * 31 + i; }
    if (round % 2 == 0) {
      require(adr_window_put(window, out, 8 * words, next, 0));
      require(adr_window_fence(window));
      require(adr_window_get(window, in, 8 * words, next, 0));
    } else {
      require(adr_window_fence(window));
      require(adr_window_post(window, &previous, 1));
      require(adr_window_start(window, &next, 1));
      require(adr_window_put(window, out, 8 * words, next, 0));
      require(adr_window_get(window, in, 8 * words, next, 0));
      require(adr_window_complete(window));
      require(adr_window_wait(window));
    }
    for (int i = 0; i < words; i++) {
      check(in[i] == out[i], "a word that was put comes back as", in[i]);
      check(local()[i] == out[i] + (previous - rank) * INT64_C(31), "a word of the rank before is", local()[i]);
    }
    require(adr_window_fence(window));
  }
  require(adr_window_fence(window));
}

static int64_t draw(int target, int place, int64_t value, int32_t op) {
  int64_t before;
  require(adr_window_fetch_and_op(window, &value, &before, ADR_INT64, op, target, place));
  return before;
}

/* Counts at rank 0, so that each number is drawn once, in ascending order at each rank. */
static void count(void) {
  int64_t last = -1;
  require(adr_window_lock_all(window));
  for (int i = 0; i < ROUNDS; i++) {
    int64_t drawn = draw(0, COUNTER, 1, ADR_SUM);
    check(drawn > last, "a number came too late", drawn);
    last = drawn;
  }
  require(adr_window_unlock_all(window));
  require(adr_barrier(job));
  require(adr_window_lock(window, 0, ADR_LOCK_SHARED));
  int64_t drawn = draw(0, COUNTER, 0, ADR_NO_OP);
  check(drawn == (int64_t)ROUNDS * size, "so many numbers were drawn", drawn);
  require(adr_window_unlock(window, 0));
  require(adr_barrier(job));
}

static void add_one(int target) {
  int64_t value;
  require(adr_window_get(window, &value, 8, target, GUARDED));
  value++;
  require(adr_window_put(window, &value, 8, target, GUARDED));
}

static int64_t swap(int target, int64_t expected, int64_t desired) {
  int64_t before;
  require(adr_window_compare_and_swap(window, &expected, &desired, &before, ADR_INT64, target, MUTEX));
  return before;
}

/* A counter under an exclusive lock, and one under a mutex of compare_and_swap, at the last rank. */
static void exclude(void) {
  int target = size - 1;
  for (int i = 0; i < ROUNDS; i++) {
    require(adr_window_lock(window, target, ADR_LOCK_EXCLUSIVE));
    add_one(target);
    require(adr_window_unlock(window, target));
  }
  require(adr_barrier(job));
  require(adr_window_lock_all(window));
  for (int i = 0; i < ROUNDS; i++) {
    while (swap(target, 0, rank + 1) != 0) {}
    add_one(target);
    require(adr_window_flush(window, target));
    swap(target, rank + 1, 0);
  }
  require(adr_window_unlock_all(window));
  require(adr_barrier(job));
  int64_t value;
  require(adr_window_lock(window, target, ADR_LOCK_SHARED));
  require(adr_window_get(window, &value, 8, target, GUARDED));
  check(value == INT64_C(2) * ROUNDS * size, "so many additions are there", value);
  require(adr_window_unlock(window, target));
  require(adr_barrier(job));
}

/* Sums of doubles, and the least of pairs, at all ranks from all. */
static void accumulate(void) {
  struct adr_double_int *pair = (void *)&local()[PAIR];
  pair->value = 1000;
  require(adr_window_fence(window));
  for (int i = 0; i < ROUNDS; i++) {
    for (int target = 0; target < size; target++) {
      double half = 0.5;
      struct adr_double_int mine = {.value = 1 + (i * 7 + rank * 3) % 100, .index = rank};
      require(adr_window_accumulate(window, &half, 1, ADR_DOUBLE, ADR_SUM, target, SUM));
      require(adr_window_accumulate(window, &mine, 1, ADR_DOUBLE_INT, ADR_MINLOC, target, PAIR));
    }
  }
  require(adr_window_fence(window));
  double sum;
  memcpy(&sum, &local()[SUM], sizeof sum);
  check(sum == 0.5 * ROUNDS * size, "the sum is", (int64_t)sum);
  check(pair->value == 1, "the least is", (int64_t)pair->value);
  require(adr_window_fence(window));
  require(adr_barrier(job));
}

/* Elements with gaps at the target, which C puts one by one. */
static void rows(void) {
  int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int64_t out[128], in[128];
  for (int i = 0; i < 128; i++) { out[i] = -i - INT64_C(1000) * rank; }
  require(adr_window_fence(window));
  for (int i = 0; i < 64; i++) { require(adr_window_put(window, &out[2 * i], 16, next, 3 + 7 * i)); }
  require(adr_window_fence(window));
  for (int i = 0; i < 128; i++) {
    int64_t here = local()[3 + i / 2 * 7 + i % 2];
    check(here == -i - INT64_C(1000) * previous, "an element of the column is", here);
  }
  for (int i = 0; i < 64; i++) { require(adr_window_get(window, &in[2 * i], 16, next, 3 + 7 * i)); }
  check(memcmp(in, out, sizeof in) == 0, "the column does not come back", in[0]);
  require(adr_window_fence(window));
  for (int i = 0; i < 64; i++) {
    require(adr_window_accumulate(window, &out[2 * i], 2, ADR_INT64, ADR_SUM, next, 3 + 7 * i));
  }
  require(adr_window_fence(window));
  int64_t here = local()[3 + 63 * 7 + 1];
  check(here == 2 * (-127 - INT64_C(1000) * previous), "the last element of the column is", here);
  require(adr_window_fence(window));
}

int main(void) {
  member_join();
  rank = adr_job_rank(job);
  size = adr_job_size(job);
  require(adr_window_allocate(adr_job_world(job), 8 * ALL, 8, &window));
  ring();
  count();
  exclude();
  accumulate();
  rows();
  require(adr_barrier(job));
  printf("rank %d has checked all\n", rank);
  require(adr_window_free(window));
  require(adr_barrier(job));
  return require(adr_job_leave(job));
}
