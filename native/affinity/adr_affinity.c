#include "affinity/adr_affinity.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

/* The kernel refuses a mask shorter than its own CPU mask; this is far above any machine's. */
enum { MAX_CPUS = 1 << 16 };

/* The CPUs of the calling thread, as bits; 8 KiB. */
union cpus {
  cpu_set_t set;
  uint8_t bytes[MAX_CPUS / 8];
};

int32_t adr_affinity_bind(int32_t cpu) {
  union cpus cpus = {.bytes = {0}};
  if (cpu < 0 || cpu >= MAX_CPUS) { return -EINVAL; }
  CPU_SET_S((size_t)cpu, sizeof cpus, &cpus.set);
  /* 0 is the calling thread. A CPU that is missing or outside the cpuset gives EINVAL. */
  return sched_setaffinity(0, sizeof cpus, &cpus.set) == 0 ? 0 : -errno;
}

/* Returns how many there are, or -errno; `cpus` is all zeros then. */
static int32_t get(union cpus *cpus) {
  *cpus = (union cpus){.bytes = {0}};
  return sched_getaffinity(0, sizeof *cpus, &cpus->set) == 0 ? CPU_COUNT_S(sizeof *cpus, &cpus->set) : -errno;
}

int32_t adr_affinity_count(void) {
  union cpus cpus;
  return get(&cpus);
}

int32_t adr_affinity_only(void) {
  union cpus cpus;
  if (get(&cpus) != 1) { return -1; }
  int32_t cpu = 0;
  while (!CPU_ISSET_S((size_t)cpu, sizeof cpus, &cpus.set)) { cpu++; }
  return cpu;
}

void adr_affinity_mask(uint64_t *words, uint32_t count) {
  union cpus cpus;
  get(&cpus);
  for (uint32_t word = 0; word < count; word++) { words[word] = 0; }
  for (uint32_t cpu = 0; cpu < 64 * count; cpu++) {
    words[cpu / 64] |= (uint64_t)(CPU_ISSET_S(cpu, sizeof cpus, &cpus.set) != 0) << cpu % 64;
  }
}

/* The mask is narrowed and put back at once: a kernel has no other way to send a thread elsewhere. A mask that somebody
 * else has set meanwhile stays. */
int32_t adr_affinity_leave(int32_t cpu) {
  union cpus cpus;
  if (cpu < 0 || cpu >= MAX_CPUS) { return -EINVAL; }
  int32_t count = get(&cpus);
  if (count < 0) { return count; }
  if (!CPU_ISSET_S((size_t)cpu, sizeof cpus, &cpus.set) || count < 2) { return 0; }
  CPU_CLR_S((size_t)cpu, sizeof cpus, &cpus.set);
  if (sched_setaffinity(0, sizeof cpus, &cpus.set) != 0) { return -errno; }
  union cpus narrowed;
  if (get(&narrowed) > 0 && !CPU_EQUAL_S(sizeof cpus, &cpus.set, &narrowed.set)) { return 1; }
  CPU_SET_S((size_t)cpu, sizeof cpus, &cpus.set);
  if (sched_setaffinity(0, sizeof cpus, &cpus.set) != 0) { /* its cpuset was changed meanwhile */
    memset(&cpus, 0xff, sizeof cpus);                      /* all of that */
    sched_setaffinity(0, sizeof cpus, &cpus.set);
  }
  return 1;
}
