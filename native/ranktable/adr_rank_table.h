/* The rank table: who the ranks are and how far they have come. Twin of io.adrastea.ranktable.RankTable.
 *
 * A rank writes its entry (pid, start time, core, ...) while its state is ABSENT or JOINING; others read
 * it once they have seen a later state. */
#ifndef ADR_RANK_TABLE_H
#define ADR_RANK_TABLE_H

#include "segment/adr_geometry.h"

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

#endif
