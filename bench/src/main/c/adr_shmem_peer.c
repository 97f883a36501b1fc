/*
 * The PEs of an OpenSHMEM that access each other's symmetric memory, with the loops, the buffers and the definition of
 * the time of io.adrastea.bench.shmem. Written against shmem.h alone, so that each OpenSHMEM compiles it by its oshcc
 * at run time; what came with version 1.5 is left out where the header is older.
 *
 *   adr_shmem_peer CPU0 CPU1 ...   PE p runs on CPUp, -1 leaves it where it is
 *   shmem-WORD BYTES BATCHES EXCHANGES   ->   ns T1 T2 ... T<BATCHES>
 *   WORD: one of the calls below
 *
 * PE 0 alone calls, and acts on PE 1, while the others wait in a barrier; its own time counts. Where all PEs take part,
 * the time goes from the last PE's begin to the last PE's end.
 */
#include "adr_rank.h"

#include <fcntl.h>
#include <shmem.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

#define HAS_1_5 (SHMEM_MAJOR_VERSION > 1 || (SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION >= 5))

enum { LINE_PAIR = 128, MOST_LOOKS = 10000, MAX_PES = 64 };
enum { MOST_BYTES = 1 << 20, SMALL_BYTES = 64 << 10, RATE_BYTES = 1 << 10, TABLE_BYTES = 16 << 20 };
enum { MESSAGES = 128, PARTNERS = 6, WORDS = 128, SEVERAL = 16, OBJECT_BYTES = 4096 };

/* Which PEs take part in a call: PE 0 alone, PEs 0 and 1, or all. */
enum part { FIRST, PAIR, ALL };

/* Whether caches are flushed before each exchange. Batches of a trial begin without a meeting, since the call keeps
 * both PEs in step. */
enum cold { WARM, COLD, TRIAL };

struct call {
  const char *word;
  void (*run)(int exchanges);
  enum part part;
  int most_bytes; /* 0: it moves no bytes; 8: a word alone */
  enum cold cold;
};

/* Where all PEs meet, and tell when they began and ended. */
struct seat {
  _Alignas(LINE_PAIR) _Atomic uint64_t came;
  _Alignas(LINE_PAIR) int64_t begin, end;
  uint64_t told; /* what all are to know of this PE */
};

/* Memory that all PEs have mapped beside the OpenSHMEM. */
struct shared {
  _Alignas(LINE_PAIR) _Atomic uint64_t orders; /* how many there were */
  struct order order;
  struct seat seats[MAX_PES];
};

static int pe, pes, shares_cpu, bytes, target, partners;
static struct shared *shared;
static uint64_t meetings;

/* Symmetric: */
static char *memory;    /* MOST_BYTES that others access */
static char *source;    /* MOST_BYTES of what a collective is given */
static char *result;    /* what it gives: SMALL_BYTES of each PE, and at least MOST_BYTES */
static uint64_t *table; /* TABLE_BYTES of random updates */
static long *words;     /* one of each PE */
static long *lock;
static long *lines; /* where tokens go, a line each */

static char *origin, *got; /* MOST_BYTES of this PE's own memory */
static long number, seen, swapped, sum;
static uint64_t applied; /* the exclusive or of all updates */

static long *long_of(void *at) { return at; }

static uint64_t *word_of(void *at) { return at; }

/* Single elements, one after the other in 128 words. */
static void put_long(int exchanges) {
  long *to = long_of(memory);
  for (int i = 0; i < exchanges; i++) shmem_long_p(to + i % WORDS, ++number, target);
  shmem_quiet();
}

static void get_long(int exchanges) {
  const long *from = long_of(memory);
  for (int i = 0; i < exchanges; i++) sum += shmem_long_g(from + i % WORDS, target);
}

static void put(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    *long_of(origin) = ++number;
    shmem_putmem(memory, origin, (size_t)bytes, target);
  }
  shmem_quiet();
}

static void get(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    shmem_getmem(got, memory, (size_t)bytes, target);
    sum += *(volatile long *)long_of(got);
  }
}

static void put_nbi(int exchanges) {
  *long_of(origin) = ++number;
  for (int i = 0; i < exchanges; i++) shmem_putmem_nbi(memory, origin, (size_t)bytes, target);
  shmem_quiet();
}

static void get_nbi(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_getmem_nbi(got, memory, (size_t)bytes, target);
  shmem_quiet();
  sum += exchanges * *(volatile long *)long_of(got);
}

/* Every second word of the target's memory. */
static void put_strided(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    *long_of(origin) = ++number;
    shmem_iput64(memory, origin, 2, 1, (size_t)bytes / 8, target);
  }
  shmem_quiet();
}

static void get_strided(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    shmem_iget64(got, memory, 1, 2, (size_t)bytes / 8, target);
    sum += *(volatile long *)long_of(got);
  }
}

static void fetch(int exchanges) {
  for (int i = 0; i < exchanges; i++) sum += (long)shmem_ulong_atomic_fetch(word_of(memory), target);
}

static void set(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_set(word_of(memory), (uint64_t)++number, target);
}

static void swap(int exchanges) {
  for (int i = 0; i < exchanges; i++) seen = (long)shmem_ulong_atomic_swap(word_of(memory), (uint64_t)++number, target);
}

/* Expects what the last one left, or what the failed one saw. */
static void compare_swap(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    uint64_t expected = (uint64_t)seen;
    seen = (long)shmem_ulong_atomic_compare_swap(word_of(memory), expected, expected + 1, target);
    if ((uint64_t)seen == expected) seen++, swapped++;
  }
}

static void fetch_add(int exchanges) {
  for (int i = 0; i < exchanges; i++) seen = (long)shmem_ulong_atomic_fetch_add(word_of(memory), 1, target);
}

static void add(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_add(word_of(memory), 1, target);
}

static void fetch_inc(int exchanges) {
  for (int i = 0; i < exchanges; i++) seen = (long)shmem_ulong_atomic_fetch_inc(word_of(memory), target);
}

static void inc(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_inc(word_of(memory), target);
}

static void fetch_and(int exchanges) {
  for (int i = 0; i < exchanges; i++) seen = (long)shmem_ulong_atomic_fetch_and(word_of(memory), UINT64_MAX, target);
}

static void and_(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_and(word_of(memory), UINT64_MAX, target);
}

static void fetch_or(int exchanges) {
  for (int i = 0; i < exchanges; i++) seen = (long)shmem_ulong_atomic_fetch_or(word_of(memory), 1, target);
}

static void or_(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_or(word_of(memory), 1, target);
}

static void fetch_xor(int exchanges) {
  for (int i = 0; i < exchanges; i++) seen = (long)shmem_ulong_atomic_fetch_xor(word_of(memory), 1, target);
}

static void xor_(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_xor(word_of(memory), 1, target);
}

/* A word of its own that is as it is to be. */
static void wait_until(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_long_wait_until(long_of(memory), SHMEM_CMP_GE, 0);
}

/* One that is not. */
static void test(int exchanges) {
  for (int i = 0; i < exchanges; i++) sum += shmem_long_test(long_of(memory), SHMEM_CMP_LT, 0);
}

static void fence(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    shmem_long_p(long_of(memory), ++number, target);
    shmem_fence();
  }
}

static void quiet(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    shmem_long_p(long_of(memory), ++number, target);
    shmem_quiet();
  }
}

static void lock_(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    shmem_set_lock(lock);
    shmem_long_p(long_of(memory), shmem_long_g(long_of(memory), target) + 1, target);
    shmem_clear_lock(lock);
  }
}

/* A message of `bytes` whose last word is told behind the rest of it. */
static void tell_other(int other, long value) {
  if (bytes > 8) {
    shmem_putmem(memory, origin, (size_t)bytes - 8, other);
    shmem_fence();
  }
  shmem_long_p(long_of(memory + bytes - 8), value, other);
}

static void ping_pong(int exchanges) {
  long *last = long_of(memory + bytes - 8);
  for (int i = 0; i < exchanges; i++) {
    number++;
    if (pe == 0) tell_other(1, number);
    shmem_long_wait_until(last, SHMEM_CMP_GE, number);
    if (pe == 1) tell_other(0, number);
  }
}

/* Fig. 7 of [OpenSHMEM over XPMEM 2011]: messages to partners, then a wait for the last one that is expected. */
static void rate(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    number++;
    for (int partner = 1; partner <= partners; partner++) {
      char *to = memory + (size_t)(partner - 1) * MESSAGES * (size_t)bytes;
      int there = (pe + partner) % pes;
      for (int message = 0; message < MESSAGES; message++, to += bytes) {
        if (bytes == 8) {
          shmem_long_p(long_of(to), number, there);
        } else {
          *long_of(origin) = number;
          shmem_putmem(to, origin, (size_t)bytes, there);
        }
      }
    }
    shmem_long_wait_until(long_of(memory + (size_t)(partners * MESSAGES - 1) * (size_t)bytes), SHMEM_CMP_GE, number);
  }
}

/* A token goes around, from PE to PE. */
static void ring(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    number++;
    if (pe == 0) shmem_long_p(lines, number, target);
    shmem_long_wait_until(lines, SHMEM_CMP_GE, number);
    if (pe != 0) shmem_long_p(lines, number, target);
  }
}

static void wait_for_words(void) {
#if HAS_1_5
  shmem_long_wait_until_all(words, (size_t)pes, NULL, SHMEM_CMP_GE, number);
#else
  for (int of = 0; of < pes; of++) shmem_long_wait_until(words + of, SHMEM_CMP_GE, number);
#endif
}

/* Each tells each, and waits for the words of all. */
static void wait_until_all(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    number++;
    for (int turn = 0; turn < pes; turn++) shmem_long_p(words + pe, number, (pe + turn) % pes);
    wait_for_words();
  }
}

static void barrier_all(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_barrier_all();
}

static void sync_all(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_sync_all();
}

static void allocate(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_free(shmem_malloc(OBJECT_BYTES));
}

/* Random updates: Knuth's MMIX generator tells PE and word. */
static void gups(int exchanges) {
  uint64_t x = (uint64_t)number;
  for (int i = 0; i < exchanges; i++) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    int there = (int)((x >> 32) * (uint64_t)pes >> 32);
    shmem_ulong_atomic_xor(table + (x >> 8) % (TABLE_BYTES / 8), x, there);
    applied ^= x;
  }
  number = (long)x;
  shmem_quiet();
}

#if HAS_1_5
static void put_signal(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    *long_of(origin) = ++number;
    shmem_putmem_signal(memory, origin, (size_t)bytes, word_of(lines), (uint64_t)number, SHMEM_SIGNAL_SET, target);
  }
}

static void ring_signal(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    uint64_t next = (uint64_t)++number;
    if (pe == 0) shmem_putmem_signal(memory, origin, 8, word_of(lines), next, SHMEM_SIGNAL_SET, target);
    shmem_signal_wait_until(word_of(lines), SHMEM_CMP_GE, next);
    if (pe != 0) shmem_putmem_signal(memory, origin, 8, word_of(lines), next, SHMEM_SIGNAL_SET, target);
  }
}

static void fetch_add_nbi(int exchanges) {
  static uint64_t fetched;
  for (int i = 0; i < exchanges; i++) shmem_ulong_atomic_fetch_add_nbi(&fetched, word_of(memory), 1, target);
  shmem_quiet();
}

static void test_any(int exchanges) {
  for (int i = 0; i < exchanges; i++)
    sum += shmem_long_test_any(long_of(memory), SEVERAL, NULL, SHMEM_CMP_LT, 0) != SIZE_MAX;
}

static void broadcast(int exchanges) {
  for (int i = 0; i < exchanges; i++)
    shmem_broadcastmem(SHMEM_TEAM_WORLD, result, source, (size_t)bytes, (int)(number++ % pes));
}

static void fcollect(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_fcollectmem(SHMEM_TEAM_WORLD, result, source, (size_t)bytes);
}

static void collect(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_collectmem(SHMEM_TEAM_WORLD, result, source, (size_t)bytes);
}

static void alltoall(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_alltoallmem(SHMEM_TEAM_WORLD, result, source, (size_t)bytes);
}

static void reduce(int exchanges) {
  for (int i = 0; i < exchanges; i++)
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, (double *)(void *)result, (double *)(void *)source, (size_t)bytes / 8);
}

static void make_work_arrays(void) {}
#else
/* Work arrays of active sets take turns: more of them than PEs, so that none is used again before all have left it, as
 * each PE is the root of a broadcast in turn. */
enum { TURNS = 2 * MAX_PES };

enum {
  SYNC = SHMEM_COLLECT_SYNC_SIZE + SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE,
  REDUCED = MOST_BYTES / 8 / 2 + 1,
  WORK = REDUCED > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? REDUCED : SHMEM_REDUCE_MIN_WRKDATA_SIZE
};

static long *syncs;
static double *works; /* two that take turns */
static int turn;

static long *next_sync(void) {
  turn = (turn + 1) % TURNS;
  return syncs + turn * SYNC;
}

static void make_work_arrays(void) {
  syncs = shmem_malloc(TURNS * SYNC * sizeof *syncs);
  works = shmem_malloc(2 * (size_t)WORK * sizeof *works);
  if (syncs == NULL || works == NULL) shmem_global_exit(1);
  for (int i = 0; i < TURNS * SYNC; i++) syncs[i] = SHMEM_SYNC_VALUE;
}

static void broadcast(int exchanges) {
  for (int i = 0; i < exchanges; i++)
    shmem_broadcast64(result, source, (size_t)bytes / 8, (int)(number++ % pes), 0, 0, pes, next_sync());
}

static void fcollect(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_fcollect64(result, source, (size_t)bytes / 8, 0, 0, pes, next_sync());
}

static void collect(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_collect64(result, source, (size_t)bytes / 8, 0, 0, pes, next_sync());
}

static void alltoall(int exchanges) {
  for (int i = 0; i < exchanges; i++) shmem_alltoall64(result, source, (size_t)bytes / 8, 0, 0, pes, next_sync());
}

static void reduce(int exchanges) {
  for (int i = 0; i < exchanges; i++)
    shmem_double_sum_to_all((double *)(void *)result, (double *)(void *)source, bytes / 8, 0, 0, pes,
                            works + (i % 2) * WORK, next_sync());
}
#endif

static const struct call calls[] = {
    {"pingPong", ping_pong, PAIR, MOST_BYTES, WARM},
    {"pingPong-trials", ping_pong, PAIR, MOST_BYTES, TRIAL},
    {"rate", rate, ALL, RATE_BYTES, WARM},
    {"rate-cold", rate, ALL, RATE_BYTES, COLD},
    {"putLong", put_long, FIRST, 8, WARM},
    {"getLong", get_long, FIRST, 8, WARM},
    {"put", put, FIRST, MOST_BYTES, WARM},
    {"get", get, FIRST, MOST_BYTES, WARM},
    {"putNbi", put_nbi, FIRST, MOST_BYTES, WARM},
    {"getNbi", get_nbi, FIRST, MOST_BYTES, WARM},
    {"putStrided", put_strided, FIRST, MOST_BYTES / 2, WARM},
    {"getStrided", get_strided, FIRST, MOST_BYTES / 2, WARM},
    {"fetch", fetch, FIRST, 8, WARM},
    {"set", set, FIRST, 8, WARM},
    {"swap", swap, FIRST, 8, WARM},
    {"compareSwap", compare_swap, FIRST, 8, WARM},
    {"fetchAdd", fetch_add, FIRST, 8, WARM},
    {"fetchAdd-all", fetch_add, ALL, 8, WARM},
    {"add", add, FIRST, 8, WARM},
    {"fetchInc", fetch_inc, FIRST, 8, WARM},
    {"inc", inc, FIRST, 8, WARM},
    {"fetchAnd", fetch_and, FIRST, 8, WARM},
    {"and", and_, FIRST, 8, WARM},
    {"fetchOr", fetch_or, FIRST, 8, WARM},
    {"or", or_, FIRST, 8, WARM},
    {"fetchXor", fetch_xor, FIRST, 8, WARM},
    {"xor", xor_, FIRST, 8, WARM},
    {"waitUntil", wait_until, FIRST, 0, WARM},
    {"test", test, FIRST, 0, WARM},
    {"fence", fence, FIRST, 0, WARM},
    {"quiet", quiet, FIRST, 0, WARM},
    {"lock", lock_, FIRST, 0, WARM},
    {"lock-all", lock_, ALL, 0, WARM},
    {"ring", ring, ALL, 0, WARM},
    {"waitUntilAll", wait_until_all, ALL, 0, WARM},
    {"barrierAll", barrier_all, ALL, 0, WARM},
    {"syncAll", sync_all, ALL, 0, WARM},
    {"broadcast", broadcast, ALL, SMALL_BYTES, WARM},
    {"fcollect", fcollect, ALL, SMALL_BYTES, WARM},
    {"collect", collect, ALL, SMALL_BYTES, WARM},
    {"alltoall", alltoall, ALL, SMALL_BYTES / 4, WARM},
    {"reduce", reduce, ALL, MOST_BYTES, WARM},
    {"allocate", allocate, ALL, 0, WARM},
    {"gups", gups, ALL, 0, WARM},
#if HAS_1_5
    {"putSignal", put_signal, FIRST, MOST_BYTES, WARM},
    {"fetchAddNbi", fetch_add_nbi, FIRST, 8, WARM},
    {"testAny", test_any, FIRST, 0, WARM},
    {"ring-signal", ring_signal, ALL, 0, WARM},
#endif
};

static int is(const struct call *call, const char *word) { return strcmp(call->word, word) == 0; }

static void fail(const struct call *call, const char *text) {
  fprintf(stderr, "%s of %d bytes: %s\n", call->word, bytes, text);
  shmem_global_exit(1);
}

static void pause_after(int looks) {
  if (shares_cpu || looks >= MOST_LOOKS) sched_yield(); /* whoever is waited for may be off its CPU */
}

/* Returns when all have come; orders what each wrote in the shared memory before. */
static void meet(void) {
  atomic_store_explicit(&shared->seats[pe].came, ++meetings, memory_order_release);
  for (int of = 0; of < pes; of++)
    for (int looks = 0; atomic_load_explicit(&shared->seats[of].came, memory_order_acquire) < meetings; looks++)
      pause_after(looks);
}

static int takes_part(const struct call *call) {
  return call->part == ALL || pe == 0 || (call->part == PAIR && pe == 1);
}

static long long trial(const struct call *call, int exchanges) {
  int64_t begin = now_ns();
  if (takes_part(call)) call->run(exchanges);
  return now_ns() - begin;
}

static long long together(const struct call *call, int exchanges) {
  struct seat *mine = &shared->seats[pe];
  meet();
  int64_t begin = now_ns();
  if (takes_part(call)) call->run(exchanges);
  mine->end = now_ns();
  mine->begin = begin;
  shmem_barrier_all(); /* in which the others are moved on by their library */
  meet();
  int64_t from = shared->seats[0].begin, to = shared->seats[0].end;
  for (int of = 1; call->part == ALL && of < pes; of++) {
    if (shared->seats[of].begin > from) from = shared->seats[of].begin;
    if (shared->seats[of].end > to) to = shared->seats[of].end;
  }
  meet(); /* all have read the times */
  return to - from;
}

static long long batch(const struct call *call, int exchanges, long long cost) {
  if (call->cold == TRIAL) return trial(call, exchanges) - cost;
  if (call->cold == WARM) return together(call, exchanges) - cost;
  long long taken = 0;
  for (int i = 0; i < exchanges; i++) {
    flush_caches();
    taken += together(call, 1) - cost;
  }
  return taken;
}

static void prepare(const struct call *call) {
  target = is(call, "fetchAdd-all") ? pes - 1 : is(call, "lock-all") ? 0 : call->part == ALL ? (pe + 1) % pes : 1;
  partners = pes - 1 < PARTNERS ? pes - 1 : PARTNERS;
  number = is(call, "gups") ? pe + 1 : 0;
  seen = swapped = sum = 0;
  applied = 0;
  memset(memory, 0, MOST_BYTES);
  memset(origin, 0, MOST_BYTES);
  memset(got, 0, MOST_BYTES);
  memset(words, 0, MAX_PES * sizeof *words);
  memset(lines, 0, LINE_PAIR);
  if (is(call, "gups")) memset(table, 0, TABLE_BYTES);
  for (int at = 0; at < MOST_BYTES / 8; at++) ((double *)(void *)source)[at] = pe + 1;
  if (strncmp(call->word, "get", 3) == 0 || is(call, "fetch"))
    for (int at = 0; at < MOST_BYTES / 8; at++) long_of(memory)[at] = 1;
  shmem_barrier_all();
}

/* What all PEs have told, each a word: their sum, or their exclusive or. */
static uint64_t all_told(uint64_t own, int exclusive) {
  uint64_t all = 0;
  shared->seats[pe].told = own;
  meet();
  for (int of = 0; of < pes; of++) {
    if (exclusive)
      all ^= shared->seats[of].told;
    else
      all += shared->seats[of].told;
  }
  meet();
  return all;
}

static double result_at(long element) { return ((double *)(void *)result)[element]; }

/* What there is once so many exchanges were made by each PE that takes part. */
static void check(const struct call *call, long exchanges) {
  long times = call->part == ALL ? exchanges * pes : exchanges, each = bytes / 8;
  long word = *long_of(memory), last = (long)all_told(pe == 0 ? (uint64_t)number : 0, 0);
  int counts = strncmp(call->word, "fetchAdd", 8) == 0 || is(call, "add") || is(call, "fetchInc") || is(call, "inc");
  int owner = call->part == FIRST ? pe == 1 : is(call, "fetchAdd-all") ? pe == pes - 1 : 0;
  if (owner && counts && word != times) fail(call, "the word does not hold the count");
  if (is(call, "lock") && pe == 1 && word != times) fail(call, "the word does not hold the count");
  if (is(call, "lock-all") && pe == 0 && word != times) fail(call, "the word does not hold the count");
  if (owner && is(call, "compareSwap") && word != exchanges) fail(call, "the word does not hold the number of swaps");
  int puts = is(call, "put") || is(call, "putNbi") || is(call, "putStrided") || is(call, "set") || is(call, "swap")
             || is(call, "fence") || is(call, "quiet") || is(call, "putSignal");
  if (owner && puts && word != last) fail(call, "the memory does not hold what was put last");
  int gets = strncmp(call->word, "get", 3) == 0 || is(call, "fetch");
  if (gets && pe == 0 && sum != exchanges) fail(call, "what was got is not what the memory holds");
  if (strncmp(call->word, "rate", 4) == 0)
    for (long at = 0; at < (long)partners * MESSAGES; at++)
      if (*long_of(memory + at * bytes) != exchanges) fail(call, "a message is missing");
  if (is(call, "reduce") && result_at(each - 1) != pes * (pes + 1) / 2.0) fail(call, "the sum is wrong");
  if (is(call, "fcollect") || is(call, "collect") || is(call, "alltoall"))
    for (int of = 0; of < pes; of++)
      if (result_at((of + 1) * each - 1) != of + 1) fail(call, "a part is wrong");
  long root = (number - 1) % pes;
  int copied = HAS_1_5 || pe != root; /* active sets leave the root's result alone */
  if (is(call, "broadcast") && copied && result_at(each - 1) != root + 1) fail(call, "the part is wrong");
  if (is(call, "gups")) {
    uint64_t own = applied;
    for (int at = 0; at < TABLE_BYTES / 8; at++) own ^= table[at];
    if (all_told(own, 1) != 0) fail(call, "updates are missing");
  }
}

static void run(const struct call *call, const struct order *order) {
  static long long cost;
  if (cost == 0) cost = clock_cost();
  bytes = order->bytes;
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) shmem_global_exit(1);
  prepare(call);
  for (int at = 0; at < order->batches; at++) times[at] = batch(call, order->exchanges, cost);
  check(call, (long)order->batches * order->exchanges);
  shmem_barrier_all(); /* no PE has found a fault */
  if (pe == 0) tell(times, order->batches);
  free(times);
}

/* The next command, the same at all PEs; false at the end of the input. */
static int next(struct order *order) {
  static uint64_t orders;
  orders++;
  if (pe == 0) {
    read_order(&shared->order);
    atomic_store_explicit(&shared->orders, orders, memory_order_release);
  }
  useconds_t nap = NAP_US; /* others are being measured */
  for (; atomic_load_explicit(&shared->orders, memory_order_acquire) < orders; nap = nap < MOST_NAP_US ? 2 * nap : nap)
    usleep(nap);
  *order = shared->order;
  meet(); /* all have read it */
  return order->verb[0] != 0;
}

static void *symmetric(size_t size) {
  void *made = shmem_align(PAGE, (size + PAGE - 1) / PAGE * PAGE);
  if (made == NULL) shmem_global_exit(1);
  memset(made, 0, size); /* touch the pages */
  return made;
}

static char *own_pages(void) {
  char *made = NULL;
  size_t held = 0;
  grow(&made, &held, MOST_BYTES);
  return made;
}

/* PE 0 has a file without a name, which the others open where the system shows it. */
static void share(void) {
  static long where[2]; /* symmetric: PE 0's process, and its descriptor */
  char path[64];
  if (pe == 0) {
    int made = memfd_create("adr_shmem_peer", 0);
    if (made < 0 || ftruncate(made, sizeof *shared) != 0) shmem_global_exit(1);
    where[0] = getpid(), where[1] = made;
  }
  shmem_barrier_all();
  long process = shmem_long_g(&where[0], 0), descriptor = shmem_long_g(&where[1], 0);
  snprintf(path, sizeof path, "/proc/%ld/fd/%ld", process, descriptor);
  int file = open(path, O_RDWR);
  if (file < 0) shmem_global_exit(1);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) shmem_global_exit(1);
  close(file);
  shmem_barrier_all();
}

static void make_memory(void) {
  memory = symmetric(MOST_BYTES);
  source = symmetric(MOST_BYTES);
  result = symmetric((size_t)SMALL_BYTES * (size_t)pes > MOST_BYTES ? (size_t)SMALL_BYTES * (size_t)pes : MOST_BYTES);
  table = symmetric(TABLE_BYTES);
  words = symmetric(MAX_PES * sizeof *words);
  lock = symmetric(sizeof *lock);
  lines = symmetric(LINE_PAIR);
  make_work_arrays();
  origin = own_pages();
  got = own_pages();
  share();
}

static const struct call *call_of(const struct order *order) {
  const struct call *found = NULL;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strncmp(order->verb, "shmem-", 6) == 0 && is(&calls[i], order->verb + 6)) found = &calls[i];
  if (found == NULL || order->batches < 1 || order->exchanges < 1) return NULL;
  int sound = found->most_bytes == 0 ? order->bytes == 0
                                     : order->bytes >= 8 && order->bytes % 8 == 0 && order->bytes <= found->most_bytes;
  return sound ? found : NULL;
}

int main(int argc, char **argv) {
  struct order order;
  end_with_launcher();
  shmem_init();
  pe = shmem_my_pe();
  pes = shmem_n_pes();
  if (pes < 2 || pes > MAX_PES || argc != 1 + pes) shmem_global_exit(2);
  for (int a = 0; a < pes; a++)
    for (int b = 0; b < a; b++) shares_cpu |= strcmp(argv[1 + a], argv[1 + b]) == 0;
  pin(atoi(argv[1 + pe]));
  make_memory();
  while (next(&order)) {
    const struct call *call = call_of(&order);
    if (call != NULL)
      run(call, &order);
    else if (pe == 0)
      printf("error unknown command '%s' of %d bytes\n", order.verb, order.bytes), fflush(stdout);
  }
  shmem_finalize();
  return 0;
}
