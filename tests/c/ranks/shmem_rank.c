/* A PE that works with all others, C or Java, in symmetric memory, or sets a lock while some are killed. Twin of
 * io.adrastea.it.ShmemRank. */
#include <adrastea/shmem.h>
#include <errno.h>
#include <time.h>

#include "member.h"

enum { ROUNDS = 60, OBJECTS = 24, SCRIPT_CALLS = 300, HEAP = 4 << 20, SURVIVORS = 2, LAST_ROUNDS = 200 };

static adr_shmem *shmem;
static int pe, pes;

static void check(int holds, const char *otherwise) {
  if (!holds) {
    fprintf(stderr, "rank %d: %s\n", pe, otherwise);
    exit(1);
  }
}

static int next(void) { return (pe + 1) % pes; }

static int previous(void) { return (pe + pes - 1) % pes; }

static uint8_t *own(int64_t offset) { return adr_shmem_memory(shmem, pe, offset); }

static int64_t allocated(int64_t bytes) {
  int64_t offset;
  require(adr_shmem_allocate(shmem, 1, bytes, &offset));
  return offset;
}

static int64_t word_at(int64_t offset, int of) {
  int64_t word;
  require(adr_shmem_get(shmem, &word, 8, of, offset));
  return word;
}

static void put_word(int64_t offset, int64_t word, int to) { require(adr_shmem_put(shmem, &word, 8, to, offset)); }

static void check_filled(int64_t data, int64_t bytes, int value, const char *otherwise) {
  check(own(data)[0] == (uint8_t)value && own(data)[bytes - 1] == (uint8_t)value, otherwise);
}

struct least {
  const int64_t *word;
  int64_t value;
};

static int is_least(const void *words) {
  const struct least *least = words;
  return __atomic_load_n(least->word, __ATOMIC_ACQUIRE) >= least->value;
}

static void say_least(const void *words, char *text, size_t size) {
  snprintf(text, size, "a word to be at least %lld", (long long)((const struct least *)words)->value);
}

/* Data goes round with a signal, now and then to a PE that naps; then a word behind a barrier. */
static void pass_data(int64_t words, int64_t data, int64_t bytes, int round) {
  static uint8_t from[300001], got[300001];
  if (round % 20 == 1 && round / 20 % pes == pe) { nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL); }
  memset(from, round + pe, (size_t)bytes);
  if (round % 3 == 0) {
    require(adr_shmem_put_signal(shmem, from, bytes, next(), data, words, 1, ADR_SIGNAL_ADD));
  } else {
    require(adr_shmem_put_signal(shmem, from, bytes, next(), data, words, (uint64_t)round, ADR_SIGNAL_SET));
  }
  const struct least least = {(const int64_t *)(void *)own(words), round};
  require(adr_shmem_await(shmem, is_least, say_least, &least));
  check_filled(data, bytes, round + previous(), "not the data of the signal");
  put_word(words + 48, round * INT64_C(1000) + pe, next());
  require(adr_shmem_barrier(shmem));
  check(word_at(words + 48, pe) == round * INT64_C(1000) + previous(), "not the word that was put");
  require(adr_shmem_get(shmem, got, bytes, next(), data));
  check(memcmp(got, from, (size_t)bytes) == 0, "not what was put comes back");
}

/* Counts under the lock, and by each kind of instructions. */
static void change_words(int64_t words, int round) {
  uint64_t had;
  uint32_t had32, expected;
  if (round % 2 == 0) {
    require(adr_shmem_set_lock(shmem, words + 8));
  } else {
    while (require(adr_shmem_test_lock(shmem, words + 8)) == 0) {}
  }
  put_word(words + 16, word_at(words + 16, 0) + 1, 0);
  require(adr_shmem_clear_lock(shmem, words + 8));
  require(adr_shmem_fetch_add64(shmem, (uint64_t)pe, &had, 0, words + 24));
  require(adr_shmem_fetch_add32(shmem, 1, &had32, 0, words + 32));
  require(adr_shmem_get(shmem, &had32, 4, 0, words + 40));
  do {
    expected = had32;
    require(adr_shmem_compare_swap32(shmem, expected, expected + 1, &had32, 0, words + 40));
  } while (had32 != expected);
  require(adr_shmem_swap64(shmem, (uint64_t)round, &had, next(), words + 56));
  check(had == (uint64_t)round - 1, "not the word that was swapped in before");
}

static void call_collectives(int64_t words, int64_t data, int64_t bytes, int round) {
  adr_comm *comm = adr_shmem_comm(shmem), *even = NULL;
  const int root = round % pes;
  put_word(words + 64, round + pe, pe);
  require(adr_comm_allreduce(comm, own(words + 64), own(words + 72), 1, ADR_INT64, ADR_SUM));
  check(word_at(words + 72, pe) == (int64_t)round * pes + pes * (pes - 1) / 2, "a sum is wrong");
  require(adr_comm_bcast(comm, own(data), bytes, root));
  check_filled(data, bytes, round + (root + pes - 1) % pes, "not the data of the root");
  require(adr_comm_allgather(comm, own(words + 64), own(words + 80), 8));
  for (int of = 0; of < pes; of++) {
    check(word_at(words + 80 + 8 * of, pe) == round + of, "not what a PE has given to all");
  }
  require(adr_comm_alltoall(comm, own(words + 80), own(words + 144), 8));
  for (int of = 0; of < pes; of++) {
    check(word_at(words + 144 + 8 * of, pe) == round + pe, "not what a PE has given here");
  }
  if (round == 1) { require(adr_comm_split(comm, pe % 2 == 0 ? 0 : ADR_NO_COLOR, pe, &even)); }
  if (even != NULL) {
    require(adr_comm_allreduce(even, own(words + 64), own(words + 72), 1, ADR_INT64, ADR_MAX));
    check(word_at(words + 72, pe) == round + (pes - 1) / 2 * 2, "a team's result is wrong");
    require(adr_comm_close(even));
  }
}

static void check_words(int64_t words) {
  int32_t added, exchanged;
  require(adr_shmem_barrier(shmem));
  require(adr_shmem_get(shmem, &added, 4, 0, words + 32));
  require(adr_shmem_get(shmem, &exchanged, 4, 0, words + 40));
  check(word_at(words + 16, 0) == (int64_t)pes * ROUNDS, "a count under the lock is lost");
  check(word_at(words + 24, 0) == (int64_t)pes * (pes - 1) / 2 * ROUNDS, "an addition is lost");
  check(added == pes * ROUNDS, "an addition of 32 bits is lost");
  check(exchanged == pes * ROUNDS, "an exchange is lost");
  require(adr_shmem_barrier(shmem));
}

static int draw(uint64_t *state, int below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int)((*state >> 33) % (uint64_t)below);
}

/* Allocates, resizes and frees at random, alike at all PEs, also more than there is. */
static void run_script(void) {
  int64_t objects[OBJECTS], sizes[OBJECTS] = {0}, result;
  uint64_t state = 1;
  int refusals = 0;
  for (int call = 0; call < SCRIPT_CALLS; call++) {
    const int at = draw(&state, OBJECTS);
    const int bits = draw(&state, 23), bytes = 1 + draw(&state, 1 << bits);
    if (sizes[at] != 0 && draw(&state, 2) == 0) {
      require(adr_shmem_free(shmem, objects[at]));
      sizes[at] = 0;
      continue;
    }
    if (sizes[at] != 0) { check_filled(objects[at], sizes[at], at + 1, "an object is not as it was"); }
    const int status = sizes[at] == 0 ? adr_shmem_allocate(shmem, 1, bytes, &result)
                                      : adr_shmem_reallocate(shmem, objects[at], bytes, &result);
    if (status == -ENOSPC) {
      refusals++;
      continue;
    }
    require(status);
    objects[at] = result;
    sizes[at] = bytes;
    memset(own(result), at + 1, (size_t)bytes);
  }
  check(refusals > 0, "no call was refused");
  const int64_t sums = allocated(16), sum = adr_shmem_allocated(shmem) * 1000 + refusals;
  put_word(sums, sum, pe);
  require(adr_comm_allreduce(adr_shmem_comm(shmem), own(sums), own(sums + 8), 1, ADR_INT64, ADR_MAX));
  check(word_at(sums + 8, pe) == sum, "not alike");
}

/* Does all that PEs of both languages do together. */
static void share(void) {
  adr_shmem *other;
  const int status = adr_shmem_open(job, HEAP + 64 * pe, NULL, &other);
  check(pes == 1 || status == -EINVAL, "heaps of different sizes are not refused");
  check(pes == 1 || strstr(adr_job_error(job), "PE 0 asks for a symmetric heap of") != NULL, adr_job_error(job));
  require(adr_shmem_close(other));
  const int64_t words = allocated(256);
  for (int round = 1; round <= ROUNDS; round++) {
    const int64_t bytes = 1 + round * INT64_C(997) % 300000, data = allocated(bytes);
    pass_data(words, data, bytes, round);
    change_words(words, round);
    require(adr_shmem_barrier(shmem));
    call_collectives(words, data, bytes, round);
    require(adr_shmem_free(shmem, data));
  }
  check_words(words);
  run_script();
  puts("shared");
}

/* Whether a PE is known to have failed; -1: how many are. */
static int failed(int of) {
  int32_t ranks[64];
  const int count = adr_job_failed_ranks(job, ranks, 64);
  for (int each = 0; each < count; each++) {
    if (ranks[each] == of) { return 1; }
  }
  return of < 0 ? count : 0;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int32_t owner_at(int64_t words) {
  int32_t owner;
  require(adr_shmem_get(shmem, &owner, 4, 0, words));
  return owner;
}

static void own_it(int64_t words, int32_t owner) { require(adr_shmem_put(shmem, &owner, 4, 0, words)); }

/* Sets the lock again and again; it excludes, and goes on when its holders and those that wait are killed. */
static void survive(void) {
  const int64_t words = allocated(64), lock = words + 32;
  uint64_t state = (uint64_t)now();
  int told = 0, left = LAST_ROUNDS;
  for (int64_t rounds = 0; left > 0; rounds++) {
    const int status = adr_shmem_set_lock(shmem, lock);
    if (status == ADR_ERROR_RANK_FAILED) {
      told++;
      continue;
    }
    require(status);
    const int32_t owner = owner_at(words);
    check(owner == 0 || failed(owner - 1), "another PE is in here, too");
    own_it(words, pe + 1);
    for (const int64_t end = now() + draw(&state, 200000); now() < end;) {}
    put_word(words + 8, word_at(words + 8, 0) + 1, 0);
    check(owner_at(words) == pe + 1, "another PE was in here, too");
    own_it(words, 0);
    require(adr_shmem_clear_lock(shmem, lock));
    if (rounds == 0) {
      puts("ready");
      fflush(stdout);
    }
    left -= failed(-1) == pes - SURVIVORS;
  }
  adr_comm *survivors;
  require(adr_comm_shrink(adr_job_world(job), &survivors));
  require(adr_comm_barrier(survivors));
  require(adr_comm_close(survivors));
  printf("survived, told %d\n", told);
}

int main(int count, char **words) {
  member_join();
  require(adr_shmem_open(job, HEAP, NULL, &shmem));
  pe = adr_shmem_pe(shmem);
  pes = adr_shmem_pes(shmem);
  if (count > 1 && strcmp(words[1], "survives") == 0) {
    survive();
  } else {
    share();
  }
  require(adr_shmem_close(shmem));
  require(adr_job_leave(job));
  return 0;
}
