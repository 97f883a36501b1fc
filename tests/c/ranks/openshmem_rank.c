/* A PE that includes the standard's shmem.h, beside PEs of Java: puts with signals in a ring, counts under a lock and
 * by atomics, and allocates with all others. Twin of io.adrastea.it.OpenShmemRank. */
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

int main(void) {
  setenv("SHMEM_SYMMETRIC_SIZE", "1m", 1);
  shmem_init();
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
  shmem_finalize();
  puts("has checked all");
  return 0;
}
