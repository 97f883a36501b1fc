#include "pool/adr_pool_way.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void pool_fail(const char *what, int64_t status) {
  fprintf(stderr, "adrastea-pool: %s (%" PRId64 ")\n", what, status);
  _exit(1);
}

void *pool_share(uint64_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) { pool_fail("no shared memory", (int64_t)bytes); }
  memset(memory, 0, bytes); /* no page faults while time runs */
  return memory;
}
