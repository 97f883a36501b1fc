/*
 * The ranks of an MPI that access each other's windows, with the loops, the buffers and the definition of the time of
 * io.adrastea.bench.rma. Compiled at run time by the mpicc of the MPI under test.
 *
 *   adr_mpi_rma WINDOW CPU0 CPU1 ...   rank r runs on CPUr, -1 leaves it where it is
 *   WINDOW: shared (MPI_Win_allocate_shared), allocate (MPI_Win_allocate) or create (MPI_Win_create, private memory)
 *   rma-WORD BYTES BATCHES EXCHANGES   ->   ns T1 T2 ... T<BATCHES>
 *   WORD: one of the accesses below
 *
 * Rank 0 alone accesses the window of rank 1, while the others wait in a barrier of the MPI; its own time counts. Where
 * all ranks take part, they begin together, and the time goes from the last rank's begin to the last rank's end.
 */
#include "adr_mpi_rank.h"

#include <stdatomic.h>
#include <stdint.h>

enum { LINE_PAIR = 128, MOST_BYTES = 1 << 20, SPARSE_BYTES = 256 << 10, MOST_LOOKS = 10000, MAX_RANKS = 64 };
enum { STEPS = 100, MOST_COMPUTING_NS = 2000000 };

/* Which ranks take part in an access, and in which epoch. */
enum part { FIRST_ALONE, ALL };
enum epoch { NO_EPOCH, LOCK, LOCK_ALL, FENCE };
enum cold { WARM, COLD, BEST }; /* caches are flushed before each exchange; BEST: and the time is that of the best */

struct access {
  const char *word;
  void (*run)(int exchanges);
  enum part part;
  enum epoch epoch;
  int most_bytes; /* 0: it moves no bytes; 8: a word alone */
  int counts;     /* whether the words of the window count the exchanges */
  int computes;   /* whether the target computes meanwhile, and calls nothing */
  enum cold cold;
};

/* Where all ranks meet, and tell when they began and ended. */
struct seat {
  _Alignas(LINE_PAIR) _Atomic uint64_t came;
  _Alignas(LINE_PAIR) _Atomic uint64_t done; /* the number of the last meeting whose accesses are made */
  int64_t begin, end;
  int64_t best; /* the least time of an exchange */
};

static int rank, ranks, shares_cpu, bytes;
static struct seat *seats;
static uint64_t meetings;
static MPI_Win window;
static MPI_Group others; /* all ranks but this one */
static char *own;        /* this rank's part of the window */
static char *origin, *result;
static int target; /* whose part of the window this rank accesses */
static int64_t number, seen, swapped, sum;

static void put(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    *(int64_t *)origin = ++number;
    MPI_Put(origin, bytes, MPI_BYTE, target, 0, bytes, MPI_BYTE, window);
    MPI_Win_flush(target, window);
  }
}

static void get(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    MPI_Get(result, bytes, MPI_BYTE, target, 0, bytes, MPI_BYTE, window);
    MPI_Win_flush(target, window);
    sum += *(volatile int64_t *)result;
  }
}

static void puts_(int exchanges) {
  *(int64_t *)origin = ++number;
  for (int i = 0; i < exchanges; i++) MPI_Put(origin, bytes, MPI_BYTE, target, 0, bytes, MPI_BYTE, window);
  MPI_Win_flush(target, window);
}

static void gets_(int exchanges) {
  for (int i = 0; i < exchanges; i++) MPI_Get(result, bytes, MPI_BYTE, target, 0, bytes, MPI_BYTE, window);
  MPI_Win_flush(target, window);
  sum += exchanges * *(volatile int64_t *)result;
}

static void fetch_and_op(int exchanges) {
  int64_t one = 1;
  for (int i = 0; i < exchanges; i++) {
    MPI_Fetch_and_op(&one, &seen, MPI_INT64_T, target, 0, MPI_SUM, window);
    MPI_Win_flush(target, window);
  }
}

/* Expects what the last one left; where others have been there before, it fails, and the next expects what it saw. */
static void compare_and_swap(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    int64_t expected = seen, desired = seen + 1;
    MPI_Compare_and_swap(&desired, &expected, &seen, MPI_INT64_T, target, 0, window);
    MPI_Win_flush(target, window);
    if (seen == expected) {
      seen = desired;
      swapped++;
    }
  }
}

static void accumulate(int exchanges) {
  int count = bytes / (int)sizeof(double);
  for (int i = 0; i < exchanges; i++) {
    MPI_Accumulate(origin, count, MPI_DOUBLE, target, 0, count, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_flush(target, window);
  }
}

static void fence(int exchanges) {
  for (int i = 0; i < exchanges; i++) MPI_Win_fence(0, window);
}

static void post_start_complete_wait(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    MPI_Win_post(others, 0, window);
    MPI_Win_start(others, 0, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
  }
}

static void lock(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
    MPI_Win_unlock(target, window);
  }
}

static void lock_all(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    MPI_Win_lock_all(0, window);
    MPI_Win_unlock_all(window);
  }
}

/* An exchange is one walk: each second piece of so many bytes, and a fence behind them [SCI-MPICH 2002, Fig. 8]. */
static void sparse_put(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    *(int64_t *)origin = ++number;
    for (MPI_Aint at = 0; at + bytes <= SPARSE_BYTES; at += 2 * (MPI_Aint)bytes)
      MPI_Put(origin, bytes, MPI_BYTE, target, at, bytes, MPI_BYTE, window);
    MPI_Win_fence(0, window);
  }
}

static void sparse_get(int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    for (MPI_Aint at = 0; at + bytes <= SPARSE_BYTES; at += 2 * (MPI_Aint)bytes)
      MPI_Get(result + at, bytes, MPI_BYTE, target, at, bytes, MPI_BYTE, window);
    MPI_Win_fence(0, window);
    sum += *(volatile int64_t *)result;
  }
}

static const struct access accesses[] = {
    {"put", put, FIRST_ALONE, LOCK_ALL, MOST_BYTES, 0, 0, WARM},
    {"get", get, FIRST_ALONE, LOCK_ALL, MOST_BYTES, 0, 0, WARM},
    {"puts", puts_, FIRST_ALONE, LOCK_ALL, MOST_BYTES, 0, 0, WARM},
    {"gets", gets_, FIRST_ALONE, LOCK_ALL, MOST_BYTES, 0, 0, WARM},
    {"fetchAndOp", fetch_and_op, FIRST_ALONE, LOCK_ALL, 8, 1, 0, WARM},
    {"fetchAndOp-all", fetch_and_op, ALL, LOCK_ALL, 8, 1, 0, WARM},
    {"compareAndSwap", compare_and_swap, FIRST_ALONE, LOCK_ALL, 8, 0, 0, WARM},
    {"compareAndSwap-all", compare_and_swap, ALL, LOCK_ALL, 8, 0, 0, WARM},
    {"accumulate", accumulate, FIRST_ALONE, LOCK_ALL, MOST_BYTES, 1, 0, WARM},
    {"accumulate-all", accumulate, ALL, LOCK_ALL, MOST_BYTES, 1, 0, WARM},
    {"accumulate-each", accumulate, ALL, LOCK_ALL, MOST_BYTES, 1, 0, WARM},
    {"accumulate-locked", accumulate, FIRST_ALONE, LOCK, MOST_BYTES, 1, 0, WARM},
    {"put-computing", put, FIRST_ALONE, LOCK_ALL, MOST_BYTES, 0, 1, WARM},
    {"fetchAndOp-computing", fetch_and_op, FIRST_ALONE, LOCK_ALL, 8, 1, 1, WARM},
    {"fence", fence, ALL, NO_EPOCH, 0, 0, 0, WARM},
    {"postStartCompleteWait", post_start_complete_wait, ALL, NO_EPOCH, 0, 0, 0, WARM},
    {"lock", lock, FIRST_ALONE, NO_EPOCH, 0, 0, 0, WARM},
    {"lockAll", lock_all, FIRST_ALONE, NO_EPOCH, 0, 0, 0, WARM},
    {"sparsePut", sparse_put, ALL, FENCE, SPARSE_BYTES / 2, 0, 0, WARM},
    {"sparseGet", sparse_get, ALL, FENCE, SPARSE_BYTES / 2, 0, 0, WARM},
    {"sparsePut-cold", sparse_put, ALL, FENCE, SPARSE_BYTES / 2, 0, 0, COLD},
    {"sparseGet-cold", sparse_get, ALL, FENCE, SPARSE_BYTES / 2, 0, 0, COLD},
    {"sparsePut-best", sparse_put, ALL, FENCE, SPARSE_BYTES / 2, 0, 0, BEST},
};

static int is(const struct access *access, const char *word) { return strcmp(access->word, word) == 0; }

static void fail(const struct access *access, const char *text) {
  fprintf(stderr, "%s of %d bytes: %s\n", access->word, bytes, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void await(_Atomic uint64_t *word) {
  for (int looks = 0; atomic_load_explicit(word, memory_order_acquire) < meetings; looks++)
    if (shares_cpu || looks >= MOST_LOOKS) sched_yield(); /* whom it waits for may be off its CPU */
}

static void meet(void) {
  atomic_store_explicit(&seats[rank].came, ++meetings, memory_order_release);
  for (int of = 0; of < ranks; of++) await(&seats[of].came);
}

/* Computes until rank 0 is done, and no longer than a while: it may need this rank. */
static void compute(void) {
  static volatile uint64_t state = 1;
  int64_t end = now_ns() + MOST_COMPUTING_NS;
  uint64_t x = state;
  while (atomic_load_explicit(&seats[0].done, memory_order_relaxed) < meetings && now_ns() < end)
    for (int step = 0; step < STEPS; step++) x = x * 6364136223846793005ULL + 1442695040888963407ULL;
  state = x;
}

static long long together(const struct access *access, int exchanges) {
  int takes_part = access->part == ALL || rank == 0;
  meet();
  int64_t begin = now_ns();
  if (takes_part)
    access->run(exchanges);
  else if (access->computes)
    compute();
  seats[rank].end = now_ns();
  atomic_store_explicit(&seats[rank].done, meetings, memory_order_relaxed);
  seats[rank].begin = begin;
  if (seats[rank].end - begin < seats[rank].best) seats[rank].best = seats[rank].end - begin;
  MPI_Barrier(MPI_COMM_WORLD); /* in which the others serve those that still access their windows */
  int64_t from = seats[0].begin, to = seats[0].end;
  for (int of = 1; access->part == ALL && of < ranks; of++) {
    if (seats[of].begin > from) from = seats[of].begin;
    if (seats[of].end > to) to = seats[of].end;
  }
  for (int of = 0; access->cold == BEST && of < ranks; of++)
    if (of == 0 || seats[of].best > to - from) from = 0, to = seats[of].best;
  meet(); /* all have read the times */
  return to - from;
}

static long long batch(const struct access *access, int exchanges, long long cost) {
  if (access->cold == WARM) return together(access, exchanges) - cost;
  long long taken = 0;
  for (int i = 0; i < exchanges; i++) {
    flush_caches();
    long long one = together(access, 1) - cost;
    taken = access->cold == BEST ? one * exchanges : taken + one;
  }
  return taken;
}

/* All of the window and of the buffers are as each access expects them. */
static void prepare(const struct access *access) {
  static const double one = 1;
  int first = strcmp(access->word, "accumulate-each") == 0;
  target = access->part == FIRST_ALONE ? 1 : first || access->epoch == FENCE ? (rank + 1) % ranks : ranks - 1;
  number = seen = swapped = sum = 0;
  seats[rank].best = INT64_MAX;
  memset(own, 0, MOST_BYTES);
  memset(origin, 0, MOST_BYTES);
  memset(result, 0, MOST_BYTES);
  if (strncmp(access->word, "accumulate", 10) == 0)
    for (int at = 0; at < bytes; at += (int)sizeof one) memcpy(origin + at, &one, sizeof one);
  if (strncmp(access->word, "get", 3) == 0 || strncmp(access->word, "sparseGet", 9) == 0) *(int64_t *)own = 1;
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Opens the epoch, in which the window's memory is as it was written by its owner. */
static void open_epoch(const struct access *access) {
  MPI_Win_fence(0, window);
  if (access->epoch != FENCE) MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  if (access->epoch == LOCK_ALL) MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  if (access->epoch != LOCK) return;
  if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
  if (rank == 0) MPI_Win_flush(target, window); /* the lock is had, which its target may have to serve */
  MPI_Barrier(MPI_COMM_WORLD);
}

static void close_epoch(const struct access *access) {
  if (access->epoch == LOCK_ALL) MPI_Win_unlock_all(window);
  if (access->epoch == LOCK && rank == 0) MPI_Win_unlock(target, window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

/* What is in the word of each target once so many exchanges were made by each that takes part. */
static void check(const struct access *access, int64_t exchanges) {
  int64_t all_swapped = 0;
  int owner = access->part == FIRST_ALONE ? rank == 1 : target == (rank + 1) % ranks && ranks > 1 && rank >= 0;
  int each = is(access, "accumulate-each") || access->epoch == FENCE;
  if (access->part == ALL && !each) owner = rank == ranks - 1;
  int64_t times = access->part == ALL && !each ? exchanges * ranks : exchanges;
  MPI_Allreduce(&swapped, &all_swapped, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  int64_t last = number;
  MPI_Bcast(&last, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  if (owner && strncmp(access->word, "accumulate", 10) == 0) {
    for (int at = 0; at < bytes; at += (int)sizeof(double))
      if (*(double *)(own + at) != (double)times) fail(access, "the window does not hold the sum");
  } else if (owner && access->counts && *(int64_t *)own != times) {
    fail(access, "the window does not hold the count");
  }
  int64_t word = *(int64_t *)own;
  if (owner && strncmp(access->word, "compareAndSwap", 14) == 0 && word != all_swapped)
    fail(access, "the window does not hold the number of swaps");
  if (owner && (strncmp(access->word, "put", 3) == 0 || strncmp(access->word, "sparsePut", 9) == 0) && word != last)
    fail(access, "the window does not hold what was put last");
  int gets = strncmp(access->word, "get", 3) == 0 ? rank == 0 : strncmp(access->word, "sparseGet", 9) == 0;
  if (gets && sum != exchanges) fail(access, "what was got is not what the window holds");
}

static void run(const struct access *access, const struct order *order) {
  static long long cost;
  if (cost == 0) cost = clock_cost();
  bytes = order->bytes;
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  prepare(access);
  open_epoch(access);
  for (int at = 0; at < order->batches; at++) times[at] = batch(access, order->exchanges, cost);
  close_epoch(access);
  check(access, (int64_t)order->batches * order->exchanges);
  MPI_Barrier(MPI_COMM_WORLD); /* no rank has found a fault */
  if (rank == 0) tell(times, order->batches);
  free(times);
}

/* Memory that all ranks have; its pages are there from now on. */
static void *share(size_t each, MPI_Info info, MPI_Win *shared) {
  void *base;
  MPI_Win_allocate_shared((MPI_Aint)each, 1, info, MPI_COMM_WORLD, &base, shared);
  memset(base, 0, each);
  return base;
}

static void share_seats(void) {
  MPI_Win shared;
  MPI_Aint size;
  int unit;
  char *base = share(rank == 0 ? (size_t)ranks * sizeof *seats + LINE_PAIR : 0, MPI_INFO_NULL, &shared);
  MPI_Win_shared_query(shared, 0, &size, &unit, &base);
  seats = (struct seat *)(((uintptr_t)base + LINE_PAIR - 1) / LINE_PAIR * LINE_PAIR);
  MPI_Barrier(MPI_COMM_WORLD);
}

static char *pages(void) {
  char *memory = NULL;
  size_t held = 0;
  grow(&memory, &held, MOST_BYTES);
  return memory;
}

/* Makes the window in the best form of its kind. */
static int make_window(const char *kind) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Info_set(info, "same_size", "true");
  MPI_Info_set(info, "same_disp_unit", "true");
  if (strcmp(kind, "shared") == 0) {
    own = share(MOST_BYTES, info, &window);
  } else if (strcmp(kind, "allocate") == 0) {
    MPI_Win_allocate(MOST_BYTES, 1, info, MPI_COMM_WORLD, &own, &window);
  } else if (strcmp(kind, "create") == 0) {
    own = pages();
    MPI_Win_create(own, MOST_BYTES, 1, info, MPI_COMM_WORLD, &window);
  } else {
    return 0;
  }
  memset(own, 0, MOST_BYTES);
  MPI_Info_free(&info);
  origin = pages();
  result = pages();
  return 1;
}

static void find_others(void) {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_excl(world, 1, &rank, &others);
  MPI_Group_free(&world);
}

static const struct access *access_of(const struct order *order) {
  const struct access *found = NULL;
  for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
    if (strncmp(order->verb, "rma-", 4) == 0 && is(&accesses[i], order->verb + 4)) found = &accesses[i];
  if (found == NULL || order->batches < 1 || order->exchanges < 1) return NULL;
  int sound = found->most_bytes == 0 ? order->bytes == 0
                                     : order->bytes >= 8 && order->bytes % 8 == 0 && order->bytes <= found->most_bytes;
  return sound ? found : NULL;
}

int main(int argc, char **argv) {
  struct order order;
  begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2 || ranks > MAX_RANKS || argc != 2 + ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b < a; b++) shares_cpu |= strcmp(argv[2 + a], argv[2 + b]) == 0;
  pin(atoi(argv[2 + rank]));
  share_seats();
  find_others();
  if (!make_window(argv[1])) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  while (next(rank, ranks, &order)) {
    const struct access *access = access_of(&order);
    if (access != NULL)
      run(access, &order);
    else if (rank == 0)
      printf("error unknown command '%s' of %d bytes\n", order.verb, order.bytes), fflush(stdout);
  }
  MPI_Win_free(&window);
  MPI_Group_free(&others);
  MPI_Finalize();
  return 0;
}
