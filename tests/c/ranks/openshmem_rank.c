/* A PE that includes the standard's shmem.h, beside PEs of Java: puts with signals in a ring, counts under a lock and
 * by atomics, allocates with all others, and is in collectives of teams. Twin of io.adrastea.it.OpenShmemRank; with
 * the argument `end` all PEs are ended by one. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100 };

static void require(int holds, const char *otherwise) {
  if (!holds) {
    fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), otherwise);
    exit(1);
  }
}

/* Every kind of collective once: of PE p come p + 1 words. */
static void meet(shmem_team_t team, int64_t *to, int64_t *from) {
  int me = shmem_team_my_pe(team), pes = shmem_team_n_pes(team);
  int64_t sum = (int64_t)pes * (pes + 1) / 2;
  for (int i = 0; i < 2 * pes; i++) { from[i] = me + 1; }
  shmem_team_sync(team);
  shmem_int64_sum_reduce(team, to, from, 2);
  require(to[0] == sum && to[1] == sum, "not the sum");
  shmem_int64_sum_exscan(team, to, from, 1);
  require(to[0] == (int64_t)me * (me + 1) / 2, "not the sum of those before");
  shmem_int64_broadcast(team, to, from, 1, pes - 1);
  require(to[0] == pes, "not what the root had");
  shmem_int64_collect(team, to, from, (size_t)me + 1);
  require(to[0] == 1 && to[sum - 1] == pes, "not all collected");
  shmem_int64_fcollect(team, to, from, 2);
  require(to[0] == 1 && to[2 * pes - 1] == pes, "not all");
  shmem_int64_alltoall(team, to, from, 2);
  require(to[0] == 1 && to[2 * pes - 1] == pes, "not all exchanged");
  shmem_int64_alltoalls(team, to, from, 3, 2, 1);
  require(to[0] == 1 && to[3 * (pes - 1)] == pes, "not all exchanged that lie apart");
  shmem_team_sync(team);
}

static void meet_in_teams(void) {
  shmem_team_t part, row, column;
  int64_t *to = shmem_malloc(1024), *from = shmem_malloc(1024);
  int pes = shmem_n_pes();
  meet(SHMEM_TEAM_WORLD, to, from);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &part);
  if (part != SHMEM_TEAM_INVALID) {
    meet(part, to, from);
    shmem_team_destroy(part);
  }
  shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);
  meet(row, to, from);
  meet(column, to, from);
}

/* The last PE ends all, which compute and wait for nobody. */
static void end_all(void) {
  shmem_barrier_all();
  if (shmem_my_pe() == shmem_n_pes() - 1) { shmem_global_exit(0); }
  for (volatile int64_t turns = 0;; turns++) {}
}

int main(int count, char **arguments) {
  setenv("SHMEM_SYMMETRIC_SIZE", "1m", 1);
  shmem_init();
  if (count > 1 && strcmp(arguments[1], "end") == 0) { end_all(); }
  int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes, previous = (me + pes - 1) % pes;
  int64_t *words = shmem_malloc(64);
  uint64_t *signal = (uint64_t *)words;
  for (int round = 1; round <= ROUNDS; round++) {
    size_t bytes = 1 + (size_t)round * 997 % 30000;
    char *data = shmem_malloc(bytes), *from = malloc(bytes);
    require(data != NULL && from != NULL, "no memory");
    memset(from, round + me, bytes);
    shmem_putmem_signal(data, from, bytes, signal, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(signal, SHMEM_CMP_GE, (uint64_t)round);
    require(data[0] == (char)(round + previous) && data[bytes - 1] == (char)(round + previous), "not the data");
    shmem_set_lock((long *)words + 1);
    shmem_int64_p(words + 2, shmem_int64_g(words + 2, 0) + 1, 0);
    shmem_clear_lock((long *)words + 1);
    shmem_int64_atomic_fetch_add(words + 3, me, 0);
    free(from);
    shmem_free(data);
  }
  require(shmem_int64_g(words + 2, 0) == (int64_t)pes * ROUNDS, "a count under the lock is lost");
  require(shmem_int64_g(words + 3, 0) == (int64_t)pes * (pes - 1) / 2 * ROUNDS, "a sum is wrong");
  meet_in_teams();
  shmem_finalize();
  puts("has checked all");
  return 0;
}
