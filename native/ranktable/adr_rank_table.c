#include "ranktable/adr_rank_table.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "affinity/adr_cpu_quota.h"
#include "ranktable/adr_failure_reason.h"

/* The entry is zero until its rank comes: the process that changes the pid owns the rest of it. Relaxed: it decides
 * only whose the entry is. The loser reads nothing of it, and what the owner writes is shown to the others by its
 * state. */
static bool claim(struct adr_rank_entry *entry, uint32_t pid) {
  return adr_cas_relaxed_u32((adr_atomic_u32 *)&entry->pid, 0, pid);
}

int adr_rank_table_enter(void *base, uint32_t rank, uint32_t core, uint32_t flags, uint32_t capabilities,
                         const struct adr_rank_cpus *cpus) {
  struct adr_rank_entry *entry = adr_rank_table_entry(base, rank);
  if (!claim(entry, adr_process_self().pid)) { return -EEXIST; }
  entry->flags = flags;
  entry->capabilities = capabilities;
  entry->core = core;
  entry->start_time = adr_process_self().start;
  entry->pid_namespace = adr_process_pid_namespace();
  entry->cpu = cpus->only;
  entry->cpu_count = cpus->count;
  entry->cpu_quota = cpus->quota;
  memcpy(entry->cpus, cpus->mask, sizeof entry->cpus);
  adr_rank_table_set_state(entry, ADR_RANK_JOINING);
  return 0;
}

struct adr_rank_watch adr_rank_watch_of(const struct adr_segment *segment) {
  return (struct adr_rank_watch){segment->base, segment->fd, adr_process_visible_namespace()};
}

/* Whether a rank is alive by its pid, where that means a process here. */
static bool is_alive_by_pid(const struct adr_rank_watch *watch, const struct adr_rank_entry *entry, bool otherwise) {
  struct adr_process process = {adr_rank_table_pid(entry), adr_load_once_u64(&entry->start_time)};
  bool visible = watch->pid_namespace != 0 && adr_load_once_u64(&entry->pid_namespace) == watch->pid_namespace;
  return visible ? adr_process_is_alive(process) : otherwise;
}

/* A rank of the caller's own process holds nothing that the caller could see. */
static bool is_own(const struct adr_rank_entry *entry) {
  return adr_rank_table_pid(entry) == (uint32_t)getpid()
         && adr_load_once_u64(&entry->pid_namespace) == adr_process_pid_namespace();
}

static bool is_alive(const struct adr_rank_watch *watch, uint32_t rank) {
  const struct adr_rank_entry *entry = adr_rank_table_entry(watch->base, rank);
  enum adr_segment_place place = adr_segment_check_place(watch->fd, rank);
  return place == ADR_SEGMENT_PLACE_HELD || is_own(entry)
         || is_alive_by_pid(watch, entry, place == ADR_SEGMENT_PLACE_UNKNOWN);
}

static void count_departed(void *base) {
  struct adr_segment_header *header = base;
  /* SYNC departed: acq_rel; orders the state before its count. */
  adr_add_acq_rel_u32(&header->departed, 1);
}

void adr_rank_table_depart(void *base, uint32_t rank, uint32_t state) {
  /* SYNC rank-state: acq_rel. Release: all that the rank did comes before. */
  uint32_t before = adr_swap_acq_rel_u32(&adr_rank_table_entry(base, rank)->state, state);
  if (before != ADR_RANK_LEFT && before != ADR_RANK_FAILED) { count_departed(base); }
}

void adr_rank_table_fail(void *base, uint32_t rank, const char *reason) {
  adr_failure_reason_write(adr_rank_table_entry(base, rank), reason);
  adr_rank_table_depart(base, rank, ADR_RANK_FAILED); /* shows it */
}

void adr_rank_table_reason(const struct adr_rank_entry *entry, char *reason) {
  reason[0] = 0;
  if (adr_rank_table_state(entry) == ADR_RANK_FAILED) { adr_failure_reason_read(entry, reason); }
}

bool adr_rank_table_aborts(const struct adr_rank_entry *entry) {
  return (adr_load_once_u32(&entry->flags) & ADR_RANK_ABORT) != 0;
}

bool adr_rank_table_is_present(const struct adr_rank_watch *watch, uint32_t rank) {
  struct adr_rank_entry *entry = adr_rank_table_entry(watch->base, rank);
  uint32_t state = adr_rank_table_state(entry);
  if (state == ADR_RANK_ABSENT) { return true; /* may still come */ }
  if (state == ADR_RANK_LEFT || state == ADR_RANK_FAILED) { return false; }
  if (is_alive(watch, rank)) { return true; }
  /* SYNC rank-state: acq_rel; not when the rank has said something else meanwhile. */
  if (adr_cas_acq_rel_u32(&entry->state, state, ADR_RANK_FAILED)) { count_departed(watch->base); }
  return false;
}

/* Rank number i of a list. */
static uint32_t nth(const uint32_t *list, uint32_t i) { return list == NULL ? i : list[i]; }

/* How many bits are set in any rank's words. */
static uint32_t count_union(void *base, const uint32_t *list, uint32_t count_of_ranks) {
  uint32_t count = 0;
  for (size_t word = 0; word < sizeof((struct adr_rank_entry *)0)->cpus / sizeof(uint64_t); word++) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count_of_ranks; i++) {
      bits |= adr_load_once_u64(&adr_rank_table_entry(base, nth(list, i))->cpus[word]);
    }
    count += (uint32_t)__builtin_popcountll(bits);
  }
  return count;
}

uint32_t adr_rank_table_usable_cpus(void *base, const uint32_t *list, uint32_t ranks) {
  uint32_t most = count_union(base, list, ranks);
  if (most == 0) { most = 1; }
  uint32_t least = 0;
  for (uint32_t i = 0; i < ranks; i++) {
    const struct adr_rank_entry *entry = adr_rank_table_entry(base, nth(list, i));
    uint32_t count = adr_load_once_u32(&entry->cpu_count); /* may have CPUs beyond the mask */
    most = count > most ? count : most;
    least = adr_cpu_quota_lesser(least, adr_load_once_u32(&entry->cpu_quota));
  }
  return adr_cpu_quota_limit(least, most);
}

bool adr_rank_table_is_oversubscribed(void *base, uint32_t ranks) {
  return ranks > adr_rank_table_usable_cpus(base, NULL, ranks);
}

bool adr_rank_table_all_wake(void *base, uint32_t ranks) {
  for (uint32_t rank = 0; rank < ranks; rank++) {
    if ((adr_load_once_u32(&adr_rank_table_entry(base, rank)->flags) & ADR_RANK_WAKER) == 0) { return false; }
  }
  return true;
}
