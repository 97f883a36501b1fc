/* comm_survival_test KILLS [SEED]: processes are killed at random while they call collectives of all kinds, make
 * communicators, agree and shrink, sometimes two at once, so that one dies while the others go on without the one
 * before. Each survivor has right results or is told; all revoke, shrink, and go on. */
#include <inttypes.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <time.h>

#include "ranks.h"

enum { RANKS = 8, SURVIVORS = 2, VICTIMS = RANKS - SURVIVORS, MOST_WORDS = 20000, ROUNDS_TO_STOP = 8 };
enum { MOST_PAUSE_MICROS = 30000, MOST_SECOND_PAUSE_MICROS = 150000, SECONDS = 3000 };

/* What the processes tell each other. */
static struct {
  _Atomic int size[RANKS]; /* of the communicator that a rank goes on with */
  _Atomic int64_t calls[RANKS];
  _Atomic bool stops;
} * told;

static uint64_t seed;
static uint64_t in[MOST_WORDS * RANKS], out[MOST_WORDS * RANKS];

static uint64_t mixed(uint64_t z) { /* splitmix64 */
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static uint64_t word_of(uint64_t number, int rank, int64_t i) {
  return mixed(number + (uint64_t)rank * 4099) + (uint64_t)i;
}

static void fill(uint64_t *words, int64_t count, uint64_t number, int rank) {
  for (int64_t i = 0; i < count; i++) { words[i] = word_of(number, rank, i); }
}

/* Words of what a rank gives, from one on. */
static void check_filled(const uint64_t *words, int64_t count, uint64_t number, int rank, int64_t first) {
  for (int64_t i = 0; i < count; i++) { CHECK(words[i] == word_of(number, rank, first + i)); }
}

/* Words of what the first ranks give, added up. */
static void check_sums(const uint64_t *words, int64_t count, uint64_t number, int ranks, int64_t first) {
  for (int64_t i = 0; i < count; i++) {
    uint64_t sum = 0;
    for (int rank = 0; rank < ranks; rank++) { sum += word_of(number, rank, first + i); }
    CHECK(words[i] == sum);
  }
}

static int root_of(adr_comm *comm, uint64_t number) { return (int)(number % (uint64_t)adr_comm_size(comm)); }

static int bcast(adr_comm *comm, int64_t count, uint64_t number) {
  const int root = root_of(comm, number);
  fill(out, count, number, adr_comm_rank(comm));
  const int status = adr_comm_bcast(comm, out, count * 8, root);
  if (status == 0) { check_filled(out, count, number, root, 0); }
  return status;
}

static int allgather(adr_comm *comm, int64_t count, uint64_t number) {
  fill(in, count, number, adr_comm_rank(comm));
  const int status = adr_comm_allgather(comm, in, out, count * 8);
  for (int rank = 0; status == 0 && rank < adr_comm_size(comm); rank++) {
    check_filled(out + rank * count, count, number, rank, 0);
  }
  return status;
}

static int allreduce(adr_comm *comm, int64_t count, uint64_t number) {
  fill(out, count, number, adr_comm_rank(comm));
  const int status = adr_comm_allreduce(comm, NULL, out, count, ADR_UINT64, ADR_SUM);
  if (status == 0) { check_sums(out, count, number, adr_comm_size(comm), 0); }
  return status;
}

/* The other reductions. */
static int reduce(adr_comm *comm, int64_t count, uint64_t number) {
  const int rank = adr_comm_rank(comm), size = adr_comm_size(comm), root = root_of(comm, number);
  fill(in, count * size, number, rank);
  int status;
  switch (number >> 12 & 3) {
  case 0:
    status = adr_comm_reduce(comm, in, out, count, ADR_UINT64, ADR_SUM, root);
    if (status == 0 && rank == root) { check_sums(out, count, number, size, 0); }
    return status;
  case 1:
    status = adr_comm_scan(comm, in, out, count, ADR_UINT64, ADR_SUM);
    if (status == 0) { check_sums(out, count, number, rank + 1, 0); }
    return status;
  case 2:
    status = adr_comm_exscan(comm, in, out, count, ADR_UINT64, ADR_SUM);
    if (status == 0 && rank > 0) { check_sums(out, count, number, rank, 0); }
    return status;
  default:
    status = adr_comm_reduce_scatter_block(comm, in, out, count, ADR_UINT64, ADR_SUM);
    if (status == 0) { check_sums(out, count, number, size, rank * count); }
    return status;
  }
}

/* Words of a block that differs from others. */
static int64_t block(int from, int to, int64_t count) {
  return (from + 2 * to) % 3 == 0 ? 0 : count / ((from + to) % 2 + 1);
}

static int alltoallv(adr_comm *comm, int64_t count, uint64_t number) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  int64_t gives[RANKS], takes[RANKS], at[RANKS];
  for (int rank = 0; rank < size; rank++) {
    gives[rank] = 8 * block(self, rank, count);
    takes[rank] = 8 * block(rank, self, count);
    at[rank] = 8 * rank * count;
  }
  const int status = adr_comm_alltoallv(comm, in, gives, at, out, takes, at);
  for (int rank = 0; status == 0 && rank < size; rank++) {
    check_filled(out + rank * count, takes[rank] / 8, number, rank, self * count);
  }
  return status;
}

/* The other exchanges. */
static int exchange(adr_comm *comm, int64_t count, uint64_t number) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm), root = root_of(comm, number);
  const int kind = number >> 12 & 3;
  fill(in, count * size, number, self);
  if (kind == 0) { return alltoallv(comm, count, number); }
  const int status = kind == 1   ? adr_comm_gather(comm, in, out, count * 8, root)
                     : kind == 2 ? adr_comm_scatter(comm, in, out, count * 8, root)
                                 : adr_comm_alltoall(comm, in, out, count * 8);
  if (status == 0 && kind == 2) { check_filled(out, count, number, root, self * count); }
  for (int rank = 0; status == 0 && (kind == 3 || (kind == 1 && self == root)) && rank < size; rank++) {
    check_filled(out + rank * count, count, number, rank, kind == 3 ? self * count : 0);
  }
  return status;
}

static int make(adr_comm *comm, int64_t count, uint64_t number) {
  adr_comm *made;
  int status = number >> 20 & 1 ? adr_comm_dup(comm, &made)
                                : adr_comm_split(comm, adr_comm_rank(comm) % 2, -adr_comm_rank(comm), &made);
  if (status < 0) { return status; }
  status = allreduce(made, count, number);
  CHECK_EQUAL(0, adr_comm_close(made));
  return status;
}

/* A call that all members draw alike. */
static int call(adr_comm *comm, uint64_t number) {
  const int64_t count = (int64_t)(1 + (number >> 32) % (number >> 60 < 4 ? MOST_WORDS : 12));
  switch (number >> 8 & 7) {
  case 0:
    return adr_comm_barrier(comm);
  case 1:
    return bcast(comm, count, number);
  case 2:
    return allgather(comm, count, number);
  case 3:
    return make(comm, count, number);
  case 4:
    return allreduce(comm, count, number);
  case 5:
    return reduce(comm, count, number);
  default:
    return exchange(comm, count, number);
  }
}

/* Calls until a call fails, or all stop: then *over is set. */
static int run(adr_comm *comm, bool *over) {
  uint64_t number = mixed(seed + adr_comm_context(comm));
  for (int round = 1;; round++) {
    number = mixed(number);
    int status = call(comm, number);
    if (status == 0 && round % ROUNDS_TO_STOP == 0) {
      int32_t stops = told->stops;
      status = adr_comm_allreduce(comm, NULL, &stops, 1, ADR_INT32, ADR_MIN);
      *over = status == 0 && stops;
    }
    if (status < 0 || *over) { return status; }
    told->calls[adr_job_rank(job)]++;
  }
}

static void survive(void) {
  alarm(SECONDS);
  adr_comm *now = adr_job_world(job), *rest;
  bool over = false;
  while (true) {
    told->size[adr_job_rank(job)] = adr_comm_size(now);
    const int status = run(now, &over);
    if (over) { return; }
    if (status != ADR_ERROR_RANK_FAILED && status != ADR_ERROR_COLLECTIVE) {
      fprintf(stderr, "rank %d: %d: %s\n", adr_job_rank(job), status, adr_job_error(job));
      exit(1);
    }
    CHECK(adr_comm_barrier(now) < 0); /* for good */
    CHECK_EQUAL(0, adr_comm_revoke(now));
    uint32_t agreed;
    CHECK_EQUAL(0, adr_comm_agree(now, ~(UINT32_C(1) << adr_comm_rank(now)), &agreed));
    CHECK((agreed >> adr_comm_rank(now) & 1) == 0);
    if (adr_comm_shrink(now, &rest) < 0) {
      fprintf(stderr, "rank %d: %s\n", adr_job_rank(job), adr_job_error(job));
      exit(1);
    }
    if (now != adr_job_world(job)) { CHECK_EQUAL(0, adr_comm_close(now)); }
    now = rest;
  }
}

static bool alive[RANKS];

/* Waits until all that live have a communicator of themselves alone. */
static void wait_for_all(const pid_t *pids, int living) {
  for (int rank = 0; rank < RANKS; rank++) {
    while (alive[rank] && told->size[rank] != living) {
      usleep(200);
      CHECK_EQUAL(0, waitpid(pids[rank], NULL, WNOHANG));
    }
  }
}

static void kill_one(const pid_t *pids, uint64_t number) {
  int rank = (int)(number % RANKS);
  while (!alive[rank]) { rank = (rank + 1) % RANKS; }
  alive[rank] = false;
  CHECK_EQUAL(0, kill(pids[rank], SIGKILL));
  CHECK_EQUAL(128 + SIGKILL, end_of(pids[rank]));
}

static int64_t kill_victims(int victims) {
  pid_t pids[RANKS];
  memset(told, 0, sizeof *told);
  for (int rank = 0; rank < RANKS; rank++) {
    pids[rank] = start_rank(rank, RANKS, survive);
    alive[rank] = true;
  }
  for (int left = victims; left > 0;) {
    wait_for_all(pids, RANKS - victims + left);
    seed = mixed(seed);
    usleep((useconds_t)(seed % MOST_PAUSE_MICROS));
    kill_one(pids, seed >> 32);
    left--;
    if (left > 0 && (seed >> 20 & 3) == 0) { /* another one while the others find that out, or shrink */
      usleep((useconds_t)(mixed(seed) % MOST_SECOND_PAUSE_MICROS));
      kill_one(pids, seed >> 40);
      left--;
    }
  }
  wait_for_all(pids, RANKS - victims);
  told->stops = true;
  int64_t calls = 0;
  for (int rank = 0; rank < RANKS; rank++) {
    if (alive[rank]) { CHECK_EQUAL(0, end_of(pids[rank])); }
    calls += told->calls[rank];
  }
  return calls;
}

int main(int count, char **arguments) {
  const int kills = count > 1 ? atoi(arguments[1]) : VICTIMS;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  seed = count > 2 ? strtoull(arguments[2], NULL, 10) : (uint64_t)now.tv_nsec;
  told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(told != MAP_FAILED);
  ranks_begin();
  alarm(SECONDS);
  printf("%d kills, seed %" PRIu64 "\n", kills, seed);
  int64_t calls = 0;
  for (int done = 0; done < kills; done += VICTIMS) {
    calls += kill_victims(kills - done < VICTIMS ? kills - done : VICTIMS);
  }
  ranks_end();
  printf("ok %d of %d kills, %" PRId64 " calls\n", kills, kills, calls);
  return 0;
}
