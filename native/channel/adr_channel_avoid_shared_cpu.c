/* Two ranks that wait for each other on one CPU part. The core `java` does not know its CPU. */
#include <errno.h>
#include <sched.h>

#include "affinity/adr_affinity.h"
#include "channel/adr_channel_state.h"
#include "ranktable/adr_rank_table.h"

/* Relaxed, here and there: a CPU that is not right any more costs a turn of waiting, or a move for nothing. */
static int32_t tell_cpu(struct adr_rank_entry *entry) {
  int32_t cpu = sched_getcpu();
  uint32_t running = (uint32_t)(cpu + 1); /* 0 where it cannot be told */
  if (adr_load_relaxed_u32(&entry->running_cpu) != running) { adr_store_relaxed_u32(&entry->running_cpu, running); }
  return cpu;
}

int32_t adr_channel_avoid_shared_cpu(void *base, int32_t rank, int32_t other) {
  struct adr_rank_entry *entry = adr_rank_table_entry(base, (uint32_t)rank);
  int32_t cpu = tell_cpu(entry);
  if (cpu < 0) { return -ENOSYS; }
  bool pinned = (int32_t)adr_load_once_u32((const uint32_t *)&entry->cpu) >= 0;
  bool goes = rank > other && !pinned; /* one of the two, not both */
  if (!goes || adr_load_relaxed_u32(&adr_rank_table_entry(base, (uint32_t)other)->running_cpu) != (uint32_t)cpu + 1) {
    return 0;
  }
  int32_t left = adr_affinity_leave(cpu);
  tell_cpu(entry);
  return left;
}
