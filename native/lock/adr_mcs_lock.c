#include "lock/adr_mcs_lock.h"

static adr_atomic_u64 *word_of(const struct adr_mcs_lock *lock, uint64_t offset, uint32_t pe) {
  return (adr_atomic_u64 *)(lock->memory + lock->stride * pe + offset);
}

static adr_atomic_u64 *own_word(const struct adr_mcs_lock *lock, uint64_t offset) {
  return word_of(lock, offset, lock->self);
}

static adr_atomic_u64 *home_word(const struct adr_mcs_lock *lock, uint64_t offset) {
  return word_of(lock, offset, adr_lock_word_home(offset, lock->pes));
}

static bool is_home(const struct adr_mcs_lock *lock, uint64_t offset) {
  return adr_lock_word_home(offset, lock->pes) == lock->self;
}

/* This PE, as words name it. */
static uint32_t own_name(const struct adr_mcs_lock *lock) { return lock->self + 1; }

/* Whether a word may name this one as another PE than its own. */
static bool is_other(const struct adr_mcs_lock *lock, uint32_t name) {
  return name != 0 && name <= lock->pes && name != own_name(lock);
}

static uint64_t own(const struct adr_mcs_lock *lock, uint64_t offset) {
  /* SYNC lock-signal: acquire, pairs with hand_over; orders what this PE does under the lock after it. */
  return adr_load_acquire_u64(own_word(lock, offset));
}

static uint32_t last(const struct adr_mcs_lock *lock, uint64_t offset) {
  /* SYNC lock-last: acquire, pairs with enter, whose PE has written its own word before. */
  return adr_lock_word_last(adr_load_acquire_u64(home_word(lock, offset)));
}

/* The word of a PE that is found in the queue. */
static uint64_t seen(const struct adr_mcs_lock *lock, uint64_t offset, uint32_t pe) {
  /* SYNC lock-previous: acquire, pairs with enter and set_previous, so that who is before that PE, and its word, is
   * there. */
  return adr_load_acquire_u64(word_of(lock, offset, pe));
}

static enum adr_lock_look awaits(struct adr_mcs_lock *lock, uint32_t pe) {
  lock->other = pe;
  return ADR_LOCK_AWAITS;
}

static enum adr_lock_look broken(struct adr_mcs_lock *lock, uint32_t pe) {
  lock->other = pe;
  return ADR_LOCK_BROKEN;
}

static bool is_waiting(uint32_t signal) {
  return signal == ADR_LOCK_ENTERS || signal == ADR_LOCK_WAITS || signal == ADR_LOCK_LEAVES;
}

/* Writes how far a PE is into its word, if that is as it was seen. */
static bool stand(adr_atomic_u64 *word, uint64_t was, uint32_t signal, uint32_t previous) {
  /* SYNC lock-signal: acq_rel, pairs with own and hand_over: either the lock comes to a PE, or its word is closed. */
  return adr_cas_acq_rel_u64(word, was, adr_lock_word_standing(was, signal, previous));
}

/* Writes how far a PE is, wherever it stands. */
static void set_signal(adr_atomic_u64 *word, uint32_t signal) {
  uint64_t was = adr_load_relaxed_u64(word); /* the exchange decides */
  uint64_t expected;
  do {
    expected = was;
    const uint64_t wanted = adr_lock_word_standing(expected, signal, adr_lock_word_previous(expected));
    /* SYNC lock-signal: acq_rel, pairs with seen; orders the link before it. */
    was = adr_compare_exchange_acq_rel_u64(word, expected, wanted);
  } while (was != expected);
}

/* Makes a PE stand behind another one, however far it is. */
static void set_previous(adr_atomic_u64 *word, uint32_t previous) {
  uint64_t was = adr_load_relaxed_u64(word); /* the exchange decides */
  uint64_t expected;
  do {
    expected = was;
    const uint64_t wanted = adr_lock_word_standing(expected, adr_lock_word_signal(expected), previous);
    /* SYNC lock-previous: acq_rel, pairs with seen; orders the link before it. */
    was = adr_compare_exchange_acq_rel_u64(word, expected, wanted);
  } while (was != expected);
}

/* Makes a PE, the one before `name`, tell who is next. */
static void link_next(adr_atomic_u64 *word, uint32_t name) {
  uint64_t was = adr_load_relaxed_u64(word); /* the exchange decides */
  uint64_t expected;
  do {
    expected = was;
    /* SYNC lock-next: acq_rel, pairs with next; orders what the one behind has written into its word before it. */
    was = adr_compare_exchange_acq_rel_u64(word, expected, adr_lock_word_with_next(expected, name));
  } while (was != expected);
}

/* Makes a PE that still names `name` as the next one name none. */
static void unlink_next(adr_atomic_u64 *word, uint32_t name) {
  uint64_t was = adr_load_relaxed_u64(word); /* the exchange decides */
  while (adr_lock_word_next(was) == name) {
    const uint64_t expected = was;
    /* SYNC lock-next: acq_rel, pairs with next, which finds the link gone when it finds this PE's word free. */
    was = adr_compare_exchange_acq_rel_u64(word, expected, adr_lock_word_with_next(expected, 0));
    if (was == expected) { break; }
  }
}

static uint32_t next(const struct adr_mcs_lock *lock, uint64_t offset) {
  /* SYNC lock-next: acquire, pairs with link_next and unlink_next. */
  return adr_lock_word_next(adr_load_acquire_u64(own_word(lock, offset)));
}

/* Makes this PE's word its own again; that of a home keeps `last`. */
static void free_own(const struct adr_mcs_lock *lock, uint64_t offset) {
  adr_atomic_u64 *word = own_word(lock, offset);
  if (!is_home(lock, offset)) {
    /* SYNC lock-previous: release, pairs with seen; orders the links before it. */
    adr_store_release_u64(word, 0);
    return;
  }
  uint64_t was = adr_load_relaxed_u64(word); /* the exchange decides */
  uint64_t expected;
  do {
    expected = was;
    /* SYNC lock-previous: acq_rel, likewise. */
    was = adr_compare_exchange_acq_rel_u64(word, expected, adr_lock_word_last(expected));
  } while (was != expected);
}

/* Puts this PE behind the PE that is last in the word of the home, as that was seen; else it is read anew. Its own word
 * says before what it stands for then. */
static bool enter(struct adr_mcs_lock *lock, uint64_t offset, uint64_t *home, uint32_t signal, uint32_t previous) {
  const uint64_t expected = *home;
  const uint64_t entered = adr_lock_word_standing(0, signal, previous);
  uint64_t wanted = adr_lock_word_with_last(expected, own_name(lock));
  if (is_home(lock, offset)) {
    wanted = adr_lock_word_with_last(entered, own_name(lock));
  } else {
    /* SYNC lock-previous: release, pairs with seen; the exchange publishes it. */
    adr_store_release_u64(own_word(lock, offset), entered);
    ADR_STOP(lock_noted);
  }
  /* SYNC lock-last: acq_rel, pairs with last and with leave_last, so that what was done under the lock before comes
   * before; orders this PE's word before it. */
  *home = adr_compare_exchange_acq_rel_u64(home_word(lock, offset), expected, wanted);
  if (*home != expected) { return false; }
  ADR_STOP(lock_entered);
  return true;
}

/* Makes another PE, or none, the last one, where this one is; a home that is free then has its word back. */
static bool leave_last(struct adr_mcs_lock *lock, uint64_t offset, uint32_t to) {
  adr_atomic_u64 *word = home_word(lock, offset);
  uint64_t was = adr_load_relaxed_u64(word); /* the exchange decides */
  while (adr_lock_word_last(was) == own_name(lock)) {
    const uint64_t expected = was;
    /* SYNC lock-last: acq_rel, pairs with enter; orders what was done under the lock before it. */
    was = adr_compare_exchange_acq_rel_u64(word, expected, adr_lock_word_with_last(expected, to));
    if (was == expected) {
      ADR_STOP(lock_left);
      return true;
    }
  }
  return false;
}

/* The PE whose `previous` is this one, found from the last one on; 0: there is none. Beside others' changes it may find
 * none though there is one. */
static uint32_t find_next(const struct adr_mcs_lock *lock, uint64_t offset) {
  uint32_t name = last(lock, offset);
  for (uint32_t steps = 0; steps < lock->pes && is_other(lock, name); steps++) {
    const uint32_t previous = adr_lock_word_previous(seen(lock, offset, name - 1));
    if (previous == own_name(lock)) { return name; }
    name = previous;
  }
  return 0;
}

static bool begin_change(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  if (!adr_lock_table_try_acquire(lock->table, offset, lock->self, lock->pes, dead, caller)) { return false; }
  ADR_STOP(lock_table_acquired);
  return true;
}

static enum adr_lock_look end_change(struct adr_mcs_lock *lock, uint64_t offset, enum adr_lock_look found) {
  adr_lock_table_release(lock->table, offset);
  return found;
}

/* The PE before this one is dead, and its word says that the lock is there. */
static enum adr_lock_look take_over(struct adr_mcs_lock *lock, uint64_t offset, uint64_t mine, uint32_t signal) {
  if (!stand(own_word(lock, offset), mine, ADR_LOCK_HOLDS, 0)) { return awaits(lock, ADR_LOCK_NOBODY); }
  ADR_STOP(lock_taken_over);
  return signal == ADR_LOCK_HOLDS ? ADR_LOCK_REPAIRED : ADR_LOCK_ACQUIRED;
}

/* Takes the dead PE `before`, the one before this one, out of the queue, or takes the lock over from it. */
static enum adr_lock_look take_out(struct adr_mcs_lock *lock, uint64_t offset, uint32_t before) {
  adr_atomic_u64 *word = word_of(lock, offset, before);
  const uint64_t mine = own(lock, offset);
  if (adr_lock_word_signal(mine) != ADR_LOCK_WAITS || adr_lock_word_previous(mine) != before + 1) {
    return awaits(lock, ADR_LOCK_NOBODY); /* the one before has left meanwhile, or has handed the lock over */
  }
  const uint64_t its = seen(lock, offset, before);
  const uint32_t signal = adr_lock_word_signal(its);
  if (signal == ADR_LOCK_HOLDS || signal == ADR_LOCK_GRANTED) { return take_over(lock, offset, mine, signal); }
  const uint32_t previous = adr_lock_word_previous(its);
  if (!is_waiting(signal) || previous == before + 1 || !is_other(lock, previous)) { return broken(lock, before); }
  lock->other = ADR_LOCK_NOBODY; /* the next look tells who is before this one now */
  if (signal != ADR_LOCK_LEAVES && !stand(word, its, ADR_LOCK_LEAVES, previous)) { return ADR_LOCK_AWAITS; }
  ADR_STOP(lock_dead_closed);
  link_next(word_of(lock, offset, previous - 1), own_name(lock));
  ADR_STOP(lock_dead_bypassed);
  set_previous(own_word(lock, offset), previous);
  ADR_STOP(lock_dead_out);
  return ADR_LOCK_AWAITS;
}

/* Enters the queue, or only a free lock. */
static enum adr_lock_look join(struct adr_mcs_lock *lock, uint64_t offset, bool waits) {
  uint64_t home = adr_load_relaxed_u64(home_word(lock, offset)); /* the exchange decides */
  uint32_t previous;
  do {
    previous = adr_lock_word_last(home);
    if (previous != 0 && !is_other(lock, previous)) { return broken(lock, adr_lock_word_home(offset, lock->pes)); }
    if (previous != 0 && !waits) {
      free_own(lock, offset);
      return awaits(lock, previous - 1);
    }
  } while (!enter(lock, offset, &home, previous == 0 ? ADR_LOCK_HOLDS : ADR_LOCK_ENTERS, previous));
  if (previous == 0) { return ADR_LOCK_ACQUIRED; }
  link_next(word_of(lock, offset, previous - 1), own_name(lock));
  ADR_STOP(lock_linked);
  set_signal(own_word(lock, offset), ADR_LOCK_WAITS);
  ADR_STOP(lock_waits);
  return awaits(lock, previous - 1);
}

/* A look of a PE that is in the queue; `mine`: its word. */
static enum adr_lock_look look_again(struct adr_mcs_lock *lock, uint64_t offset, uint64_t mine, adr_lock_dead *dead,
                                     void *caller) {
  const uint32_t before = adr_lock_word_previous(mine) - 1;
  if (!is_other(lock, before + 1)) { return broken(lock, lock->self); }
  if (!dead(caller, before)) { return awaits(lock, before); }
  if (!begin_change(lock, offset, dead, caller)) { return awaits(lock, ADR_LOCK_NOBODY); }
  lock->other = before;
  return end_change(lock, offset, take_out(lock, offset, before));
}

bool adr_mcs_lock_holds(const struct adr_mcs_lock *lock, uint64_t offset) {
  return adr_lock_word_signal(adr_load_relaxed_u64(own_word(lock, offset))) == ADR_LOCK_HOLDS; /* this PE's own */
}

enum adr_lock_look adr_mcs_lock_set(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  const uint64_t mine = own(lock, offset);
  switch (adr_lock_word_signal(mine)) {
  case ADR_LOCK_FREE:
    return join(lock, offset, true);
  case ADR_LOCK_WAITS:
    return look_again(lock, offset, mine, dead, caller);
  case ADR_LOCK_GRANTED:
    set_signal(own_word(lock, offset), ADR_LOCK_HOLDS);
    ADR_STOP(lock_taken);
    return ADR_LOCK_ACQUIRED;
  case ADR_LOCK_HOLDS:
    return awaits(lock, lock->self);
  default:
    return broken(lock, lock->self);
  }
}

/* All PEs of the queue are dead, if it ends with the dead PE `end`: takes the lock behind them. */
static enum adr_lock_look test_dead(struct adr_mcs_lock *lock, uint64_t offset, uint64_t home, adr_lock_dead *dead,
                                    void *caller) {
  uint32_t name = adr_lock_word_last(home);
  for (uint32_t steps = 0; steps < lock->pes; steps++) {
    if (!is_other(lock, name)) { return broken(lock, adr_lock_word_home(offset, lock->pes)); }
    if (!dead(caller, name - 1)) { return awaits(lock, name - 1); }
    const uint64_t its = seen(lock, offset, name - 1);
    const uint32_t signal = adr_lock_word_signal(its);
    if (signal == ADR_LOCK_HOLDS || signal == ADR_LOCK_GRANTED) {
      lock->other = name - 1;
      if (enter(lock, offset, &home, ADR_LOCK_HOLDS, 0)) {
        return signal == ADR_LOCK_HOLDS ? ADR_LOCK_REPAIRED : ADR_LOCK_ACQUIRED;
      }
      free_own(lock, offset);
      return awaits(lock, ADR_LOCK_NOBODY);
    }
    name = adr_lock_word_previous(its);
  }
  return broken(lock, adr_lock_word_home(offset, lock->pes));
}

enum adr_lock_look adr_mcs_lock_test(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  if (adr_lock_word_signal(own(lock, offset)) != ADR_LOCK_FREE) { return awaits(lock, lock->self); }
  /* SYNC lock-last: acquire, pairs with enter, whose PE has written its own word before. */
  const uint64_t home = adr_load_acquire_u64(home_word(lock, offset));
  const uint32_t end = adr_lock_word_last(home);
  if (!is_other(lock, end) || !dead(caller, end - 1)) { return join(lock, offset, false); }
  return test_dead(lock, offset, home, dead, caller);
}

/* Finds out, as owner of the table's word, who is next, and links it where it is dead and cannot. */
static enum adr_lock_look settle_next(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  lock->other = ADR_LOCK_NOBODY; /* the next look hands the lock over */
  const uint32_t linked = next(lock, offset);
  if (last(lock, offset) == own_name(lock)) { /* and what was linked before is not there any more */
    if (linked != 0) { unlink_next(own_word(lock, offset), linked); }
    return ADR_LOCK_AWAITS;
  }
  const uint32_t name = find_next(lock, offset);
  if (name == 0) { return broken(lock, adr_lock_word_home(offset, lock->pes)); }
  const uint64_t its = seen(lock, offset, name - 1);
  const uint32_t signal = adr_lock_word_signal(its);
  if (!is_waiting(signal)) { return broken(lock, name - 1); }
  if (!dead(caller, name - 1)) { return awaits(lock, name - 1); } /* it is about to link itself */
  if (linked != name) {
    link_next(own_word(lock, offset), name);
    ADR_STOP(lock_dead_linked);
  }
  if (signal != ADR_LOCK_WAITS) { /* where the one behind it links itself meanwhile, the next look does it */
    stand(word_of(lock, offset, name - 1), its, ADR_LOCK_WAITS, own_name(lock));
    ADR_STOP(lock_dead_opened);
  }
  return ADR_LOCK_AWAITS;
}

static enum adr_lock_look find_out_next(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  const uint32_t name = find_next(lock, offset);
  if (name != 0 && !dead(caller, name - 1)) { return awaits(lock, name - 1); } /* in between two steps */
  if (!begin_change(lock, offset, dead, caller)) { return awaits(lock, ADR_LOCK_NOBODY); }
  return end_change(lock, offset, settle_next(lock, offset, dead, caller));
}

/* Hands the lock to the PE `name`, if it stands behind this one and has linked itself. */
static bool hand_over(struct adr_mcs_lock *lock, uint64_t offset, uint32_t name) {
  adr_atomic_u64 *word = word_of(lock, offset, name - 1);
  uint64_t its = seen(lock, offset, name - 1);
  while (adr_lock_word_signal(its) == ADR_LOCK_WAITS && adr_lock_word_previous(its) == own_name(lock)) {
    const uint64_t expected = its;
    /* SYNC lock-signal: acq_rel, pairs with own; orders what was done under the lock before it. */
    its = adr_compare_exchange_acq_rel_u64(word, expected, adr_lock_word_standing(expected, ADR_LOCK_GRANTED, 0));
    if (its == expected) {
      ADR_STOP(lock_handed_over);
      return true;
    }
  }
  return false;
}

/* A look of a PE that has the lock, and wants to be rid of it. */
static enum adr_lock_look release(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  const uint32_t name = next(lock, offset);
  if (name == 0 && leave_last(lock, offset, 0)) {
    free_own(lock, offset);
    return ADR_LOCK_RELEASED;
  }
  if (name != 0 && !is_other(lock, name)) { return broken(lock, lock->self); }
  if (name != 0 && hand_over(lock, offset, name)) {
    free_own(lock, offset);
    lock->wakes = name - 1;
    return ADR_LOCK_RELEASED;
  }
  return find_out_next(lock, offset, dead, caller);
}

enum adr_lock_look adr_mcs_lock_clear(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  if (!adr_mcs_lock_holds(lock, offset)) { return broken(lock, lock->self); }
  return release(lock, offset, dead, caller);
}

/* Takes this PE out of the end of the queue; its word is closed. */
static bool leave_end(struct adr_mcs_lock *lock, uint64_t offset, uint32_t previous) {
  if (!leave_last(lock, offset, previous)) { return false; }
  unlink_next(word_of(lock, offset, previous - 1), own_name(lock));
  ADR_STOP(lock_unlinked);
  return true;
}

/* Takes this PE out of the queue before the PE `name`; its word is closed. */
static void leave_middle(struct adr_mcs_lock *lock, uint64_t offset, uint32_t previous, uint32_t name) {
  link_next(word_of(lock, offset, previous - 1), name);
  ADR_STOP(lock_bypassed);
  set_previous(word_of(lock, offset, name - 1), previous);
  ADR_STOP(lock_out);
  lock->wakes = name - 1; /* it waits for another one now */
}

/* A look of a PE that waits, and gives up, as owner of the table's word. */
static enum adr_lock_look leave(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead, void *caller) {
  uint64_t mine = own(lock, offset);
  const uint32_t previous = adr_lock_word_previous(mine);
  if (adr_lock_word_signal(mine) != ADR_LOCK_WAITS) { return awaits(lock, ADR_LOCK_NOBODY); } /* it has the lock now */
  if (!is_other(lock, previous)) { return broken(lock, lock->self); }
  uint32_t name = 0;
  if (last(lock, offset) != own_name(lock)) {
    name = find_next(lock, offset);
    if (name == 0) { return broken(lock, adr_lock_word_home(offset, lock->pes)); }
    /* Until a PE that lives has linked itself here, this word is not to become another's. */
    if (name != next(lock, offset) && !dead(caller, name - 1)) { return awaits(lock, name - 1); }
  }
  lock->other = ADR_LOCK_NOBODY;
  do {
    mine = own(lock, offset);
    if (adr_lock_word_signal(mine) != ADR_LOCK_WAITS) { return ADR_LOCK_AWAITS; }
  } while (!stand(own_word(lock, offset), mine, ADR_LOCK_LEAVES, previous));
  ADR_STOP(lock_closed);
  if (name != 0) {
    leave_middle(lock, offset, previous, name);
  } else if (!leave_end(lock, offset, previous)) { /* another one has come */
    set_signal(own_word(lock, offset), ADR_LOCK_WAITS);
    return ADR_LOCK_AWAITS;
  }
  free_own(lock, offset);
  ADR_STOP(lock_freed);
  return ADR_LOCK_RELEASED;
}

enum adr_lock_look adr_mcs_lock_withdraw(struct adr_mcs_lock *lock, uint64_t offset, adr_lock_dead *dead,
                                         void *caller) {
  switch (adr_lock_word_signal(own(lock, offset))) {
  case ADR_LOCK_FREE:
    return ADR_LOCK_RELEASED;
  case ADR_LOCK_GRANTED:
  case ADR_LOCK_HOLDS:
    return release(lock, offset, dead, caller);
  case ADR_LOCK_WAITS:
    if (!begin_change(lock, offset, dead, caller)) { return awaits(lock, ADR_LOCK_NOBODY); }
    return end_change(lock, offset, leave(lock, offset, dead, caller));
  default:
    return broken(lock, lock->self);
  }
}

uint32_t adr_mcs_lock_next_waiter(struct adr_mcs_lock *lock) {
  const uint32_t pe = lock->wakes;
  lock->wakes = ADR_LOCK_NOBODY;
  return pe;
}
