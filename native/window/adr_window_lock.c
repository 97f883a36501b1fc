#include "window/adr_window_lock.h"

#include "base/adr_stop.h"

/* What an attempt has left in shared memory. */
enum {
  TAKEN = 1,        /* `exclusive` of the target has this member as its owner */
  LISTED = 2,       /* its bit is among the waiters of the target */
  LISTED_WHOLE = 4, /* it counts among the attempts that have one among the waiters of the whole window */
  WANTS = 8,        /* it counts among those that have one in `wanted` */
};

static adr_atomic_u64 *exclusive_of(const struct adr_window_lock *lock, uint32_t target) {
  return adr_window_block_word(lock->blocks[target], 0);
}

static adr_atomic_u64 *shares_of(const struct adr_window_lock *lock, uint32_t target) {
  return adr_window_block_word(lock->blocks[target], adr_window_block_holders(lock->self / 64));
}

static adr_atomic_u64 *waiters_of(const struct adr_window_lock *lock, uint32_t target, uint32_t member) {
  return adr_window_block_word(lock->blocks[target], adr_window_block_waiters(member / 64));
}

static adr_atomic_u64 *whole_word(const struct adr_window_lock *lock, uint64_t offset) {
  return adr_window_block_word(lock->blocks[0], lock->whole + offset);
}

static adr_atomic_u64 *wanted_word(const struct adr_window_lock *lock) {
  return adr_window_block_word(lock->blocks[0], lock->wanted + 8 * (uint64_t)(lock->self / 64));
}

static uint64_t bit(uint32_t member) { return UINT64_C(1) << member % 64; }

/* Whether members wait in a line; what this member has changed comes before. */
static inline bool has_waiters(const struct adr_window_lock *lock, void *block, uint64_t line) {
  uint64_t bits = 0;
  for (uint32_t first = 0; first < lock->members; first += 64) {
    /* SYNC window-waiters: seq_cst, pairs with list; it comes behind what this member has changed. */
    bits |= adr_load_seq_cst_u64(adr_window_block_word(block, line + adr_window_block_waiters(first / 64)));
  }
  return bits != 0;
}

static inline void wake_of(struct adr_window_lock *lock, uint32_t target) {
  if (!has_waiters(lock, lock->blocks[target], 0)) { return; }
  lock->wakes = target;
  lock->wake_from = 0;
}

static inline void wake_of_whole(struct adr_window_lock *lock) {
  if (!has_waiters(lock, lock->blocks[0], lock->whole)) { return; }
  lock->wakes_of_whole = true;
  lock->wake_from = 0;
}

/* Puts this member's bit among the waiters of a target; the caller looks once more before it sleeps. */
static void list(struct adr_window_lock *lock, uint32_t target) {
  if ((lock->attempts[target] & LISTED) != 0) { return; }
  lock->attempts[target] |= LISTED;
  /* SYNC window-waiters: seq_cst, pairs with next_waiter; the bit is there before the next look at what is waited
   * for. */
  adr_or_seq_cst_u64(waiters_of(lock, target, lock->self), bit(lock->self));
  ADR_STOP(window_listed);
}

static void list_whole(struct adr_window_lock *lock, uint32_t attempt) {
  if ((lock->attempts[attempt] & LISTED_WHOLE) != 0) { return; }
  lock->attempts[attempt] |= LISTED_WHOLE;
  if (lock->listed++ > 0) { return; }
  /* SYNC window-waiters: seq_cst, as of list. */
  adr_or_seq_cst_u64(whole_word(lock, adr_window_block_waiters(lock->self / 64)), bit(lock->self));
  ADR_STOP(window_listed_whole);
}

static void want(struct adr_window_lock *lock, uint32_t target) {
  if ((lock->attempts[target] & WANTS) != 0) { return; }
  lock->attempts[target] |= WANTS;
  if (lock->wanting++ > 0) { return; }
  adr_or_relaxed_u64(wanted_word(lock), bit(lock->self)); /* a member that misses it goes first */
  ADR_STOP(window_wanted);
}

static void end_want(struct adr_window_lock *lock, uint32_t target) {
  if ((lock->attempts[target] & WANTS) == 0) { return; }
  lock->attempts[target] &= (uint8_t)~WANTS;
  if (--lock->wanting > 0) { return; }
  /* SYNC window-wanted: seq_cst, pairs with look; it comes before the look at the waiters. */
  adr_and_seq_cst_u64(wanted_word(lock), ~bit(lock->self));
  wake_of_whole(lock);
  ADR_STOP(window_unwanted);
}

/* Takes all away that an attempt has left but the word. */
static __attribute__((noinline)) void end_late(struct adr_window_lock *lock, uint32_t attempt) {
  end_want(lock, attempt);
  if ((lock->attempts[attempt] & LISTED) != 0) {
    /* Relaxed: a member that still sees it wakes for nothing. */
    adr_and_relaxed_u64(waiters_of(lock, attempt, lock->self), ~bit(lock->self));
    ADR_STOP(window_unlisted);
  }
  if ((lock->attempts[attempt] & LISTED_WHOLE) != 0 && --lock->listed == 0) {
    /* Relaxed, likewise. */
    adr_and_relaxed_u64(whole_word(lock, adr_window_block_waiters(lock->self / 64)), ~bit(lock->self));
    ADR_STOP(window_unlisted_whole);
  }
  lock->attempts[attempt] = 0;
}

static inline void end(struct adr_window_lock *lock, uint32_t attempt) {
  if ((lock->attempts[attempt] & ~TAKEN) != 0) { end_late(lock, attempt); }
  lock->attempts[attempt] = 0;
}

/* Frees `exclusive`, which this member owns, so that nobody else writes it. */
static void give_back(struct adr_window_lock *lock, uint32_t target) {
  adr_atomic_u64 *exclusive = exclusive_of(lock, target);
  const uint64_t word = adr_load_relaxed_u64(exclusive);
  lock->attempts[target] &= (uint8_t)~TAKEN;
  /* SYNC window-exclusive: seq_cst, pairs with take, try_shared and settle; orders this epoch's accesses before it, and
   * the look at the waiters behind it. */
  adr_swap_seq_cst_u64(exclusive, adr_window_block_freed(word));
  wake_of(lock, target);
  ADR_STOP(window_given_back);
}

void adr_window_lock_withdraw(struct adr_window_lock *lock, uint32_t target) {
  if ((lock->attempts[target] & TAKEN) != 0) { give_back(lock, target); }
  end(lock, target);
}

/* Returns what a look finds at a word `exclusive` that has an owner. */
static __attribute__((noinline)) enum adr_window_look await_owner(struct adr_window_lock *lock, uint32_t target,
                                                                  uint64_t word, adr_window_dead *dead, void *caller) {
  lock->of_all = false;
  lock->other = adr_window_block_owner(word) - 1;
  if (lock->other >= lock->members) {
    end(lock, target);
    return ADR_WINDOW_BROKEN;
  }
  if (!dead(caller, lock->other)) {
    list(lock, target);
    return ADR_WINDOW_AWAITS;
  }
  /* SYNC window-exclusive: seq_cst, as of give_back, in the dead owner's place; of several members one does it. */
  if (adr_cas_seq_cst_u64(exclusive_of(lock, target), word, adr_window_block_freed(word))) {
    ADR_STOP(window_taken_over);
    end(lock, target);
    wake_of(lock, target);
    return ADR_WINDOW_REPAIRED;
  }
  lock->other = ADR_WINDOW_NOBODY; /* another one has */
  return ADR_WINDOW_AWAITS;
}

/* Takes a dead member's bit off; ADR_WINDOW_ACQUIRED: another one has. */
static enum adr_window_look repair(adr_atomic_u64 *word, uint64_t bit) {
  /* SYNC window-shares, window-all, window-wanted: seq_cst, as of a release, in the dead member's place; of several
   * members one does it. */
  const uint64_t before = adr_and_seq_cst_u64(word, ~bit);
  ADR_STOP(window_repaired);
  return (before & bit) != 0 ? ADR_WINDOW_REPAIRED : ADR_WINDOW_ACQUIRED;
}

/* Adds the bits of one word of a set to what was found before: the worst counts, and `other` is set with it. */
static __attribute__((noinline)) enum adr_window_look look_at_bits(struct adr_window_lock *lock, adr_atomic_u64 *word,
                                                                   uint32_t first, uint64_t bits,
                                                                   enum adr_window_look found, adr_window_dead *dead,
                                                                   void *caller) {
  for (uint64_t left = bits; left != 0; left &= left - 1) {
    const uint32_t member = first + (uint32_t)__builtin_ctzll(left);
    enum adr_window_look one = ADR_WINDOW_AWAITS;
    if (member >= lock->members) {
      one = ADR_WINDOW_BROKEN;
    } else if (dead(caller, member)) {
      one = repair(word, left & -left);
    }
    if (one > found) {
      found = one;
      lock->other = member;
    }
  }
  return found;
}

/* Looks whether a set is empty, the bits of the dead taken off. `at`: of its first word; `step`: to the next one. */
static inline enum adr_window_look look(struct adr_window_lock *lock, void *block, uint64_t at, uint64_t step,
                                        uint64_t but, adr_window_dead *dead, void *caller) {
  enum adr_window_look found = ADR_WINDOW_ACQUIRED;
  for (uint32_t first = 0; first < lock->members; first += 64, at += step) {
    adr_atomic_u64 *word = adr_window_block_word(block, at);
    /* SYNC window-shares, window-all, window-wanted: seq_cst, pairs with try_shared, try_all and their releases, and
     * with end_want; it comes behind this member's store to `exclusive`, or to `waiters`. */
    uint64_t bits = adr_load_seq_cst_u64(word);
    if (first == lock->self / 64 * 64) { bits &= ~but; }
    if (bits != 0) { found = look_at_bits(lock, word, first, bits, found, dead, caller); }
  }
  return found;
}

/* Looks at the members in lock_all and, `also_shares`, at the sharers of a target. */
static inline enum adr_window_look look_at_holders(struct adr_window_lock *lock, uint32_t target, bool also_shares,
                                                   adr_window_dead *dead, void *caller) {
  const uint64_t all = lock->whole + adr_window_block_holders(0);
  const enum adr_window_look found = look(lock, lock->blocks[0], all, 16, 0, dead, caller);
  lock->of_all = found != ADR_WINDOW_ACQUIRED;
  ADR_STOP(window_looked_at_all);
  if (lock->of_all || !also_shares) { return found; }
  return look(lock, lock->blocks[target], adr_window_block_holders(0), 16, 0, dead, caller);
}

/* Takes `exclusive` of a target, if it is free. */
static enum adr_window_look take(struct adr_window_lock *lock, uint32_t target, adr_window_dead *dead, void *caller) {
  adr_atomic_u64 *exclusive = exclusive_of(lock, target);
  uint64_t word = adr_load_relaxed_u64(exclusive); /* the exchange decides */
  while (adr_window_block_owner(word) == 0) {
    const uint64_t expected = word;
    const uint64_t owned = adr_window_block_owned(word, lock->self);
    /* SYNC window-exclusive: seq_cst, pairs with give_back, so that the last epoch's accesses come before; and orders
     * the look at the holders behind it. */
    word = adr_compare_exchange_seq_cst_u64(exclusive, expected, owned);
    if (word == expected) {
      lock->attempts[target] |= TAKEN;
      ADR_STOP(window_taken);
      return ADR_WINDOW_ACQUIRED;
    }
  }
  return await_owner(lock, target, word, dead, caller);
}

/* Leaves in shared memory what a member leaves that goes on waiting for an exclusive lock, or nothing. */
static enum adr_window_look refuse(struct adr_window_lock *lock, uint32_t target, bool holds_back,
                                   enum adr_window_look found) {
  if (found != ADR_WINDOW_AWAITS) {
    adr_window_lock_withdraw(lock, target);
    wake_of(lock, target);
    wake_of_whole(lock);
    return found;
  }
  const bool of_all = lock->of_all;
  if ((lock->attempts[target] & TAKEN) != 0 && (of_all || !holds_back)) { give_back(lock, target); }
  if (of_all) {
    list_whole(lock, target);
  } else {
    list(lock, target);
  }
  if (of_all && holds_back) {
    want(lock, target);
  } else {
    end_want(lock, target);
  }
  return found;
}

enum adr_window_look adr_window_lock_try_exclusive(struct adr_window_lock *lock, uint32_t target, bool holds_back,
                                                   adr_window_dead *dead, void *caller) {
  const uint8_t left = lock->attempts[target];
  enum adr_window_look found = ADR_WINDOW_ACQUIRED;
  if (left != 0 && (left & TAKEN) == 0) { /* refused before: it looks first, so that the word stays where it is */
    found = look_at_holders(lock, target, !holds_back, dead, caller);
  }
  if (found == ADR_WINDOW_ACQUIRED && (left & TAKEN) == 0) { found = take(lock, target, dead, caller); }
  if (found == ADR_WINDOW_ACQUIRED) { found = look_at_holders(lock, target, true, dead, caller); }
  if (found != ADR_WINDOW_ACQUIRED) { return refuse(lock, target, holds_back, found); }
  end(lock, target);
  return ADR_WINDOW_ACQUIRED;
}

void adr_window_lock_release_exclusive(struct adr_window_lock *lock, uint32_t target) { give_back(lock, target); }

enum adr_window_look adr_window_lock_try_shared(struct adr_window_lock *lock, uint32_t target, adr_window_dead *dead,
                                                void *caller) {
  adr_atomic_u64 *exclusive = exclusive_of(lock, target);
  if (lock->attempts[target] != 0) { /* refused before: it looks first, so that nobody waits for its bit */
    /* SYNC window-exclusive: seq_cst, pairs with give_back; it comes behind this member's bit in `waiters`. */
    const uint64_t word = adr_load_seq_cst_u64(exclusive);
    if (adr_window_block_owner(word) != 0) { return await_owner(lock, target, word, dead, caller); }
  }
  /* SYNC window-shares: seq_cst, pairs with look; it comes before the look at `exclusive`. */
  adr_or_seq_cst_u64(shares_of(lock, target), bit(lock->self));
  ADR_STOP(window_share_set);
  /* SYNC window-exclusive: seq_cst, pairs with take, and with give_back, so that the last epoch's accesses come
   * before. */
  const uint64_t word = adr_load_seq_cst_u64(exclusive);
  if (adr_window_block_owner(word) == 0) {
    end(lock, target);
    return ADR_WINDOW_ACQUIRED;
  }
  adr_window_lock_release_shared(lock, target);
  return await_owner(lock, target, word, dead, caller);
}

void adr_window_lock_release_shared(struct adr_window_lock *lock, uint32_t target) {
  /* SYNC window-shares: seq_cst, pairs with look; orders this epoch's accesses before it, and the look at the waiters
   * behind it. */
  adr_and_seq_cst_u64(shares_of(lock, target), ~bit(lock->self));
  wake_of(lock, target);
  ADR_STOP(window_share_dropped);
}

enum adr_window_look adr_window_lock_try_all(struct adr_window_lock *lock, adr_window_dead *dead, void *caller) {
  enum adr_window_look found = ADR_WINDOW_REPAIRED;
  while (found == ADR_WINDOW_REPAIRED) { /* a member that only wanted it held nothing */
    found = look(lock, lock->blocks[0], lock->wanted, 8, bit(lock->self), dead, caller);
  }
  if (found == ADR_WINDOW_AWAITS) {
    list_whole(lock, lock->members);
    return found;
  }
  if (found == ADR_WINDOW_BROKEN) {
    end(lock, lock->members);
    return found;
  }
  /* SYNC window-all: seq_cst, pairs with look; it comes before the looks at `exclusive` of the targets. */
  adr_or_seq_cst_u64(whole_word(lock, adr_window_block_holders(lock->self / 64)), bit(lock->self));
  ADR_STOP(window_all_set);
  end(lock, lock->members);
  return ADR_WINDOW_ACQUIRED;
}

void adr_window_lock_release_all(struct adr_window_lock *lock) {
  /* SYNC window-all: seq_cst, pairs with look; orders this epoch's accesses before it, and the look at the waiters
   * behind it. */
  adr_and_seq_cst_u64(whole_word(lock, adr_window_block_holders(lock->self / 64)), ~bit(lock->self));
  wake_of_whole(lock);
  ADR_STOP(window_all_dropped);
}

void adr_window_lock_withdraw_all(struct adr_window_lock *lock) { end(lock, lock->members); }

enum adr_window_look adr_window_lock_settle(struct adr_window_lock *lock, uint32_t target, adr_window_dead *dead,
                                            void *caller) {
  /* SYNC window-exclusive: seq_cst, pairs with take, and with give_back, so that the last epoch's accesses come before;
   * it comes behind this member's bit in `all`. */
  const uint64_t word = adr_load_seq_cst_u64(exclusive_of(lock, target));
  if (adr_window_block_owner(word) == 0) {
    end(lock, target);
    return ADR_WINDOW_ACQUIRED;
  }
  const enum adr_window_look found = await_owner(lock, target, word, dead, caller);
  if (found != ADR_WINDOW_AWAITS || lock->other == ADR_WINDOW_NOBODY) { return found; }
  /* SYNC window-waiters: seq_cst, pairs with list; it comes behind this member's bit in `all`. An owner that still
   * waits for sharers may sleep, and is to give the word back. */
  if ((adr_load_seq_cst_u64(waiters_of(lock, target, lock->other)) & bit(lock->other)) != 0) { wake_of(lock, target); }
  return found;
}

/* The next of the waiters in a line, from `wake_from` on; the bits of the dead are taken off. */
static uint32_t next_in(struct adr_window_lock *lock, void *block, uint64_t line, adr_window_dead *dead, void *caller) {
  while (lock->wake_from < lock->members) {
    const uint32_t from = lock->wake_from;
    adr_atomic_u64 *word = adr_window_block_word(block, line + adr_window_block_waiters(from / 64));
    /* SYNC window-waiters: seq_cst, pairs with list; it comes behind what this member has changed. */
    const uint64_t bits = adr_load_seq_cst_u64(word) & ~UINT64_C(0) << from % 64;
    if (bits == 0) {
      lock->wake_from = (from | 63) + 1;
      continue;
    }
    const uint32_t member = from / 64 * 64 + (uint32_t)__builtin_ctzll(bits);
    lock->wake_from = member + 1;
    if (member >= lock->members || member == lock->self) { continue; }
    if (!dead(caller, member)) { return member; }
    adr_and_relaxed_u64(word, ~bit(member)); /* nobody relies on it */
  }
  return ADR_WINDOW_NOBODY;
}

uint32_t adr_window_lock_next_waiter(struct adr_window_lock *lock, adr_window_dead *dead, void *caller) {
  if (lock->wakes != ADR_WINDOW_NOBODY) {
    const uint32_t member = next_in(lock, lock->blocks[lock->wakes], 0, dead, caller);
    if (member != ADR_WINDOW_NOBODY) { return member; }
    lock->wakes = ADR_WINDOW_NOBODY;
    lock->wake_from = 0;
  }
  if (lock->wakes_of_whole) {
    const uint64_t whole = lock->whole;
    const uint32_t member = next_in(lock, lock->blocks[0], whole, dead, caller);
    if (member != ADR_WINDOW_NOBODY) { return member; }
    lock->wakes_of_whole = false;
  }
  return ADR_WINDOW_NOBODY;
}
