#include "affinity/adr_affinity.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The kernel refuses a mask shorter than its own CPU mask; this is far above any machine's. */
enum { MAX_CPUS = 1 << 16 };

int32_t adr_affinity_bind(int32_t cpu) {
  if (cpu < 0 || cpu >= MAX_CPUS) { return -EINVAL; }
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
  if (set == NULL) { return -ENOMEM; }
  CPU_ZERO_S(bytes, set);
  CPU_SET_S((size_t)cpu, bytes, set);
  /* 0 is the calling thread. A CPU that is missing or outside the cpuset gives EINVAL. */
  int result = sched_setaffinity(0, bytes, set) == 0 ? 0 : -errno;
  CPU_FREE(set);
  return result;
}

int32_t adr_affinity_count(void) {
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
  if (set == NULL) { return -ENOMEM; }
  CPU_ZERO_S(bytes, set);
  int result = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : -errno;
  CPU_FREE(set);
  return result;
}

static int32_t only_of(const cpu_set_t *set, size_t bytes) {
  if (CPU_COUNT_S(bytes, set) != 1) { return -1; }
  int32_t cpu = 0;
  while (!CPU_ISSET_S((size_t)cpu, bytes, set)) { cpu++; }
  return cpu;
}

int32_t adr_affinity_only(void) {
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
  if (set == NULL) { return -1; }
  CPU_ZERO_S(bytes, set);
  int32_t only = sched_getaffinity(0, bytes, set) == 0 ? only_of(set, bytes) : -1;
  CPU_FREE(set);
  return only;
}

void adr_affinity_mask(uint64_t *words, uint32_t count) {
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
  for (uint32_t word = 0; word < count; word++) { words[word] = 0; }
  if (set == NULL) { return; }
  CPU_ZERO_S(bytes, set);
  bool known = sched_getaffinity(0, bytes, set) == 0;
  for (uint32_t cpu = 0; known && cpu < 64 * count; cpu++) {
    words[cpu / 64] |= (uint64_t)(CPU_ISSET_S(cpu, bytes, set) != 0) << cpu % 64;
  }
  CPU_FREE(set);
}

/* The mask is narrowed and put back at once: a kernel has no other way to send a thread elsewhere. */
static int32_t leave(int32_t cpu, cpu_set_t *set, size_t bytes) {
  if (sched_getaffinity(0, bytes, set) != 0) { return -errno; }
  if (!CPU_ISSET_S((size_t)cpu, bytes, set) || CPU_COUNT_S(bytes, set) < 2) { return 0; }
  CPU_CLR_S((size_t)cpu, bytes, set);
  if (sched_setaffinity(0, bytes, set) != 0) { return -errno; }
  CPU_SET_S((size_t)cpu, bytes, set);
  if (sched_setaffinity(0, bytes, set) != 0) { /* its cpuset was changed meanwhile */
    memset(set, 0xff, bytes);                  /* all of that */
    sched_setaffinity(0, bytes, set);
  }
  return 1;
}

int32_t adr_affinity_leave(int32_t cpu) {
  size_t bytes = CPU_ALLOC_SIZE(MAX_CPUS);
  cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
  if (set == NULL) { return -ENOMEM; }
  CPU_ZERO_S(bytes, set);
  int32_t result = cpu < 0 || cpu >= MAX_CPUS ? -EINVAL : leave(cpu, set, bytes);
  CPU_FREE(set);
  return result;
}
