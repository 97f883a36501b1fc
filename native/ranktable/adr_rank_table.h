/* The rank table: which processes the ranks are and how far they have come. Twin of io.adrastea.ranktable.RankTable.
 *
 * A rank writes its entry (pid, start time, core, ...) while its state is ABSENT or JOINING; others read
 * it once they have seen a later state. */
#pragma once

#include "segment/adr_geometry.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"

/* Entry of `rank`, which is below the segment's rank count. */
static inline struct adr_rank_entry *adr_rank_table_entry(void *base, uint32_t rank) {
  return (struct adr_rank_entry *)(void *)((uint8_t *)base + adr_rank_entry_offset(rank));
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

/* The end of `rank`'s time in the job: LEFT or FAILED. A rank that says so of itself has closed its channel; one that
 * says so of another has made sure that it does nothing any more: its cells are taken from it. */
void adr_rank_table_depart(void *base, uint32_t rank, uint32_t state);

/* Ends the time of a rank that says itself that it has failed, and why: one line, "": no reason. */
void adr_rank_table_fail(void *base, uint32_t rank, const char *reason);

/* Why a rank has failed, as it said itself, written to `reason`, which has ADR_RANK_REASON_BYTES; "": it has not
 * failed, or could not say. */
void adr_rank_table_reason(const struct adr_rank_entry *entry, char *reason);

/* Whether a rank wants the whole job to end; it has failed, or does so now. */
bool adr_rank_table_aborts(const struct adr_rank_entry *entry);

/* Whether a rank that has come can do `capability`, one of ADR_RANK_CAN_... */
static inline bool adr_rank_table_has(const struct adr_rank_entry *entry, uint32_t capability) {
  return (adr_load_once_u32(&entry->capabilities) & capability) != 0;
}

/* The process that a rank runs in, 0: none has come yet. */
static inline uint32_t adr_rank_table_pid(const struct adr_rank_entry *entry) { return adr_load_once_u32(&entry->pid); }

/* What a rank waits for that has waited for long: as one word, see adr_layout_rank_entry.h. `peer` -1: any or, at the
 * barrier, all; `tag` -1: any. */
static inline uint64_t adr_rank_waiting(uint32_t call, int32_t peer, int32_t tag) {
  return (uint64_t)call << 56 | (uint64_t)(uint32_t)(peer + 1) << 32 | (uint32_t)tag;
}

/* That word, with how often its rank has told of a wait: a rank that reads two equal words, one after the other, knows
 * that nothing was moved in between that the wait depends on. */
static inline uint64_t adr_rank_waiting_told(uint64_t waiting, uint32_t telling) {
  return waiting | (uint64_t)(telling & 0xff) << 48;
}

/* What bytes a rank moves, as one word: `moves` is ADR_RANK_MOVES_..., `what` a rank plus 1, the number of a
 * communicator, or 0; `count`: how often it has told so. Twin of io.adrastea.ranktable.Moving. */
static inline uint64_t adr_rank_moving(uint32_t moves, uint32_t what, uint32_t count) {
  return (uint64_t)moves << 56 | (uint64_t)(what & 0xffff) << 32 | count;
}

/* How often such a word tells so of collectives of a communicator, if it does. */
static inline uint32_t adr_rank_moving_collectives(uint64_t word, uint32_t number) {
  const uint32_t moves = (uint32_t)(word >> 56);
  const bool concerns = moves == ADR_RANK_MOVES_SEVERAL
                        || (moves == ADR_RANK_MOVES_COLLECTIVES && (word >> 32 & 0xffff) == (number & 0xffff));
  return concerns ? (uint32_t)word : 0;
}

/* What a rank tells in that word. */
static inline uint64_t adr_rank_table_told(const struct adr_rank_entry *entry) {
  return adr_load_relaxed_u64(&entry->waiting);
}

/* A rank of this process tells what it waits for, or what it moves; 0: nothing. */
static inline void adr_rank_table_tell(struct adr_rank_entry *entry, uint64_t word) {
  adr_store_relaxed_u64(&entry->waiting, word);
}

/* CPUs of a rank. */
struct adr_rank_cpus {
  int32_t only;      /* the only one it may run on, -1: there are several */
  uint32_t count;    /* how many it may run on */
  uint32_t quota;    /* hundredths of a CPU that its control groups leave it, 0: no limit */
  uint64_t mask[16]; /* bit c: it may run on CPU c */
};

/* Enters the calling process as `rank`, in state JOINING; `capabilities` are ADR_RANK_CAN_... Returns 0, or -EEXIST:
 * another process has taken that rank; nothing is changed. */
int adr_rank_table_enter(void *base, uint32_t rank, uint32_t core, uint32_t flags, uint32_t capabilities,
                         const struct adr_rank_cpus *cpus);

/* What a process needs to check whether ranks are alive. */
struct adr_rank_watch {
  void *base;
  int fd;                 /* of the segment */
  uint64_t pid_namespace; /* of the pids that can be looked up; 0: none can */
};

/* A watch of the calling process. */
struct adr_rank_watch adr_rank_watch_of(const struct adr_segment *segment);

/* Whether the rank can still take part. A rank that has entered and whose process is gone is marked FAILED: it does
 * nothing more. Its process is there as long as the lock of its byte is; when that is gone, its pid and start time
 * decide, where they can be looked up, since a program may have closed all its files. One call of the system for a rank
 * that is alive. */
bool adr_rank_table_is_present(const struct adr_rank_watch *watch, uint32_t rank);

/* How many CPUs so many ranks have together, those of a list or, where that is NULL, the first: CPUs on which any may
 * run, as far as the least quota among them allows, at least 1. Valid once they have entered. */
uint32_t adr_rank_table_usable_cpus(void *base, const uint32_t *list, uint32_t ranks);

/* Whether every rank can wake those that sleep. */
bool adr_rank_table_all_wake(void *base, uint32_t ranks);

/* Whether there are more ranks than CPUs for them, so that waiting must give the CPU away. */
bool adr_rank_table_is_oversubscribed(void *base, uint32_t ranks);
