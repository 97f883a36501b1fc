#include "ranktable/adr_rank_table.h"

#include <errno.h>

/* The entry is zero until its rank comes: who changes the pid owns the rest of it. */
static bool claim(struct adr_rank_entry *entry, uint32_t pid) {
  uint32_t nobody = 0;
  return atomic_compare_exchange_strong_explicit((adr_atomic_u32 *)&entry->pid, &nobody, pid, memory_order_acq_rel,
                                                 memory_order_acquire);
}

int adr_rank_table_enter(void *base, uint32_t rank, uint32_t core, uint32_t flags, int32_t cpu, uint32_t cpu_count) {
  struct adr_rank_entry *entry = adr_rank_table_entry(base, rank);
  if (!claim(entry, adr_process_self().pid)) { return -EEXIST; }
  entry->flags = flags;
  entry->core = core;
  entry->start_time = adr_process_self().start;
  entry->pid_namespace = adr_process_pid_namespace();
  entry->cpu = cpu;
  entry->cpu_count = cpu_count;
  adr_rank_table_set_state(entry, ADR_RANK_JOINING);
  return 0;
}

bool adr_rank_table_is_present(void *base, uint32_t rank, uint64_t pid_namespace) {
  struct adr_rank_entry *entry = adr_rank_table_entry(base, rank);
  uint32_t state = adr_rank_table_state(entry);
  if (state == ADR_RANK_ABSENT) { return true; /* may still come */ }
  if (state == ADR_RANK_LEFT || state == ADR_RANK_FAILED) { return false; }
  struct adr_process process = {adr_rank_table_pid(entry), adr_load_once_u64(&entry->start_time)};
  bool visible = adr_load_once_u64(&entry->pid_namespace) == pid_namespace;
  if (!visible || adr_process_is_alive(process)) { return true; }
  /* SYNC rank-state: acq_rel; not when the rank has said something else meanwhile. */
  atomic_compare_exchange_strong_explicit(&entry->state, &state, ADR_RANK_FAILED, memory_order_acq_rel, memory_order_acquire);
  return false;
}

/* How many CPUs the ranks are pinned to; `*all`: whether every one is. */
static uint32_t pinned_cpus(void *base, uint32_t ranks, bool *all) {
  uint32_t distinct = 0;
  *all = true;
  for (uint32_t rank = 0; rank < ranks; rank++) {
    int32_t cpu = adr_rank_table_entry(base, rank)->cpu;
    bool fresh = cpu >= 0;
    for (uint32_t other = 0; other < rank && fresh; other++) { fresh = adr_rank_table_entry(base, other)->cpu != cpu; }
    distinct += fresh;
    *all &= cpu >= 0;
  }
  return distinct;
}

bool adr_rank_table_is_crowded(void *base) {
  uint32_t ranks = ((const struct adr_segment_header *)base)->rank_count;
  bool all_pinned;
  uint32_t pinned = pinned_cpus(base, ranks, &all_pinned);
  uint32_t most = pinned;
  for (uint32_t rank = 0; rank < ranks && !all_pinned; rank++) {
    uint32_t count = adr_rank_table_entry(base, rank)->cpu_count;
    most = count > most ? count : most;
  }
  return ranks > most;
}
