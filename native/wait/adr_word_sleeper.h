/* Sleeping until words in shared memory change that another rank writes without a message: a signal, a lock, a counter
 * of a fence. Twin of io.adrastea.wait.WordSleepers and of the flag in io.adrastea.ranktable.RankTable.
 *
 * The sleeper says so in its entry of the rank table, fences, announces itself at its doorbell (adr_doorbell.h) and
 * looks once more at the words; then it sleeps. The writer stores the word, fences, and looks at the flag:
 * - the writer's fence comes first: the sleeper's last look finds the word;
 * - the sleeper's comes first: the writer sees the flag, and rings the doorbell.
 * Either may be first also of the doorbell's announcement and its barrier, which the writer's fence meets in the same
 * way: so a writer that sees the flag and an owner that has not announced itself yet has stored early enough for the
 * look that follows the announcement.
 *
 * The flag is there beside `doorbell_sleeping` so that a writer whose target does not sleep on words pays a fence and a
 * load, whoever sleeps for messages, and needs no channel.
 *
 * Model: tests/models/words.pml. */
#pragma once

#include "wait/adr_doorbell.h"

/* The owner of `entry` is about to sleep on words. Owed afterwards: a look at them. */
static inline void adr_word_sleeper_begin(struct adr_rank_entry *entry) {
  /* SYNC word-sleeper: release; the fence puts it before the look at the words. */
  adr_store_release_u32(&entry->sleeps_on_words, 1);
  adr_full_fence(); /* SYNC word-sleeper: pairs with the writer's; our flag comes before our look at the words */
}

/* The owner is awake. */
static inline void adr_word_sleeper_end(struct adr_rank_entry *entry) {
  /* Relaxed: a writer that still sees it makes a call for nothing. */
  adr_store_relaxed_u32(&entry->sleeps_on_words, 0);
}

/* Whether the owner of `entry` sleeps on words, or is about to. To be called after a word was stored, with any order:
 * the fence is here. */
static inline bool adr_word_sleeper_sleeps(const struct adr_rank_entry *entry) {
  adr_full_fence(); /* SYNC word-sleeper: pairs with the sleeper's; our word comes before our look at its flag */
  /* SYNC word-sleeper: acquire; what is asked of its doorbell is asked after it. */
  return adr_load_acquire_u32(&entry->sleeps_on_words) != 0;
}

/* To be called after a word was stored that the owner of `entry` may sleep on; no system call is made unless it does.
 */
static inline void adr_word_sleeper_wake(struct adr_rank_entry *entry) {
  if (ADR_UNLIKELY(adr_word_sleeper_sleeps(entry))) { adr_doorbell_ring_ordered(entry); }
}
