/* The rank table: who the ranks are and how far they have come. Twin of io.adrastea.ranktable.RankTable.
 *
 * A rank writes its entry (pid, start time, core, ...) while its state is ABSENT or JOINING; others read
 * it once they have seen a later state. */
#ifndef ADR_RANK_TABLE_H
#define ADR_RANK_TABLE_H

#include "segment/adr_geometry.h"
#include "segment/adr_process.h"

/* Entry of `rank`, which is below the segment's rank count. */
static inline struct adr_rank_entry *adr_rank_table_entry(void *base, uint32_t rank) {
  const struct adr_segment_header *header = base;
  return (struct adr_rank_entry *)(void *)((uint8_t *)base + adr_rank_entry_offset(header, rank));
}

/* SYNC rank-state: acquire, pairs with the store below; orders our reads of the entry and, from ATTACHED
 * on, of the rank's area after it. */
static inline uint32_t adr_rank_table_state(const struct adr_rank_entry *entry) {
  return adr_load_acquire_u32(&entry->state);
}

/* SYNC rank-state: release, pairs with the load above; orders the entry's other fields and, at ATTACHED, the
 * formatted area before it. */
static inline void adr_rank_table_set_state(struct adr_rank_entry *entry, uint32_t state) {
  adr_store_release_u32(&entry->state, state);
}

/* The process that a rank runs in, 0: none has come yet. */
static inline uint32_t adr_rank_table_pid(const struct adr_rank_entry *entry) { return adr_load_once_u32(&entry->pid); }

/* Enters the calling process as `rank`, in state JOINING; `cpu` is the only one it may run on or -1, `cpu_count` how many it may
 * run on. Returns 0, or -EEXIST: another process has taken that rank; nothing is changed. */
int adr_rank_table_enter(void *base, uint32_t rank, uint32_t core, uint32_t flags, int32_t cpu, uint32_t cpu_count);

/* Whether the rank can still take part. A rank that has entered and whose process is gone is marked FAILED. One in another
 * PID namespace than `pid_namespace`, the caller's, cannot be looked up and counts as there until it says otherwise. */
bool adr_rank_table_is_present(void *base, uint32_t rank, uint64_t pid_namespace);

/* Whether there are more ranks than CPUs for them, so that waiting must give the CPU away. */
bool adr_rank_table_is_crowded(void *base);

#endif
