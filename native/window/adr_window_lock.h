/* One member's side of the locks of a window, a look at a time: nothing waits here, and the caller is asked which
 * members are dead. Twin of io.adrastea.window.WindowLock.
 *
 * A target's memory has one exclusive holder or any number of others. A member that wants it alone takes the word
 * `exclusive` of the target, and then looks at two sets, both of which have to be empty: the members that share this
 * target, and those that are in lock_all. One that wants a share, or all, puts its bit into the set first, and then
 * looks at `exclusive`. So of two that come at once one sees the other at least. A sharer that sees an owner takes its
 * bit off and waits. An owner that sees a sharer keeps the word, so that no others come, or gives it back where the
 * caller wants that. One that sees a member in lock_all gives the word back: lock_all looks at no target, and its
 * member looks at `exclusive` when it first comes to a target (settle), so it may have begun before. So that members in
 * lock_all do not keep an exclusive lock away for ever, its bit in `wanted` lets those that come later wait.
 *
 * What is waited for does not change but by its holder's release, behind which those are woken whose bits are in
 * `waiters`: a look that has to wait puts the bit there, and the caller looks again before it sleeps. A caller that
 * waits for a share may wait for one that waits, in the program, for a member that does not get its share since
 * this lock is held back: so it does not hold others back all the time (`holds_back`), but by turns.
 *
 * The holder's death leaves its word or its bits. The next one that has to wait for it takes them away, by a
 * read-modify-write, so that exactly one does, and is told. What a member that died in between of its own steps has
 * left are bits of the same sets, or the word, and each step leaves what the others can take away. */
#pragma once

#include "window/adr_window_block.h"

/* What a look finds. */
enum adr_window_look {
  ADR_WINDOW_ACQUIRED, /* the lock is there */
  ADR_WINDOW_AWAITS,   /* `other` has to go first; ADR_WINDOW_NOBODY: the next look may find it gone */
  ADR_WINDOW_REPAIRED, /* `other` died as holder, and this member has cleared up behind it, and holds nothing */
  ADR_WINDOW_BROKEN,   /* a word names member `other`, and there is no such member */
};

#define ADR_WINDOW_NOBODY UINT32_MAX

/* Whether a member does nothing more; `caller` is handed through. */
typedef bool adr_window_dead(void *caller, uint32_t member);

struct adr_window_lock {
  void *const *blocks; /* of all members, where they are mapped */
  uint8_t *attempts;   /* by target, and behind them of lock_all: what this member has left in shared memory so far */
  uint64_t whole;      /* offset of the line of the whole window */
  uint64_t wanted;     /* offset of the wanted */
  uint32_t members;
  uint32_t self;
  uint32_t other;      /* the member that the last look was about */
  uint32_t wakes;      /* target whose waiters are to be woken; ADR_WINDOW_NOBODY: none */
  bool wakes_of_whole; /* those of the whole window are */
  bool of_all;         /* the last look found members in lock_all */
  uint32_t wake_from;  /* the first member that was not asked yet whether it waits */
  uint32_t listed;     /* attempts that have this member's bit among the waiters of the whole window */
  uint32_t wanting;    /* attempts that have its bit in `wanted` */
};

/* `attempts`: zeros, one byte more than there are members; both arrays are the caller's, and stay. */
static inline struct adr_window_lock adr_window_lock_of(void *const *blocks, uint8_t *attempts, uint32_t members,
                                                        uint32_t self) {
  return (struct adr_window_lock){.blocks = blocks,
                                  .attempts = attempts,
                                  .whole = adr_window_block_whole(members),
                                  .wanted = adr_window_block_wanted(members, 0),
                                  .members = members,
                                  .self = self,
                                  .other = ADR_WINDOW_NOBODY,
                                  .wakes = ADR_WINDOW_NOBODY};
}

/* Takes back what the looks for a lock of a target, or a settle, have left so far. */
void adr_window_lock_withdraw(struct adr_window_lock *lock, uint32_t target);

/* Looks for the exclusive lock of a target. `holds_back`: those that come later wait until this one has had it. */
enum adr_window_look adr_window_lock_try_exclusive(struct adr_window_lock *lock, uint32_t target, bool holds_back,
                                                   adr_window_dead *dead, void *caller);

void adr_window_lock_release_exclusive(struct adr_window_lock *lock, uint32_t target);

/* Looks for a share of the lock of a target. */
enum adr_window_look adr_window_lock_try_shared(struct adr_window_lock *lock, uint32_t target, adr_window_dead *dead,
                                                void *caller);

void adr_window_lock_release_shared(struct adr_window_lock *lock, uint32_t target);

/* Looks for a share of all targets; none is looked at before it is settled. */
enum adr_window_look adr_window_lock_try_all(struct adr_window_lock *lock, adr_window_dead *dead, void *caller);

void adr_window_lock_release_all(struct adr_window_lock *lock);

/* Takes back what the looks for all have left so far. */
void adr_window_lock_withdraw_all(struct adr_window_lock *lock);

/* Before the first access to a target since lock_all: looks whether no exclusive lock was there before. Where it has
 * repaired something, this member is still in lock_all. */
enum adr_window_look adr_window_lock_settle(struct adr_window_lock *lock, uint32_t target, adr_window_dead *dead,
                                            void *caller);

/* To be called after each of the calls above until it returns ADR_WINDOW_NOBODY: the next member that may sleep until
 * what they have changed, and is to be woken. */
uint32_t adr_window_lock_next_waiter(struct adr_window_lock *lock, adr_window_dead *dead, void *caller);
