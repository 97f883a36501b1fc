/* Epochs of windows, see adrastea/window.h: fences, posts and starts, and locks, each a look (room window) or a wait of
 * looks. */
#include <errno.h>
#include <inttypes.h>

#include "bootstrap/adr_job_error.h"
#include "job/adr_job_liveness.h"
#include "job/adr_window_epoch.h"
#include "job/adr_window_refuse.h"
#include "wait/adr_word_sleeper.h"

/* So long a rank that waits for an exclusive lock holds back those that come later, and so long it does not: one of
 * those that it waits for may wait for one of these. */
#define TURN_NANOS INT64_C(10000000)

enum kind { EXCLUSIVE, SHARED, ALL, SETTLE, STRIPE, POSTED, COMPLETED };

static const char *const whats[] = {
    [EXCLUSIVE] = "the exclusive lock of a rank in a window",
    [SHARED] = "a share of the lock of a rank in a window",
    [ALL] = "lock_all of a window",
    [SETTLE] = "the first access to a rank in lock_all",
    [STRIPE] = "an operation on an element of a window",
    [POSTED] = "a start in a window",
    [COMPLETED] = "a wait in a window",
};

/* What is waited for. */
struct attempt {
  struct adr_window *window;
  enum kind kind;
  uint32_t target;
  uint32_t stripe;
  int64_t since; /* when it first had to wait; 0: it had not */
  uint32_t other;
};

static struct adr_rank_entry *entry_of(const struct adr_window *window, uint32_t member) {
  return adr_rank_table_entry(window->job->segment.base, window->comm->ranks[member]);
}

/* As far as the checks of the waits have found out. */
static bool is_dead(void *caller, uint32_t member) {
  const uint32_t state = adr_rank_table_state(entry_of(caller, member));
  return state == ADR_RANK_FAILED || state == ADR_RANK_LEFT;
}

/* Wakes those that may sleep for what the last call has changed. */
static void wake_waiters(struct adr_window *window) {
  for (;;) {
    const uint32_t member = adr_window_lock_next_waiter(&window->lock, is_dead, window);
    if (member == ADR_WINDOW_NOBODY) { return; }
    adr_word_sleeper_wake(entry_of(window, member));
  }
}

static bool holds_back(struct attempt *attempt) {
  if (attempt->since == 0) { return true; }
  return (adr_clock_now() - attempt->since) / TURN_NANOS % 2 == 0;
}

static enum adr_window_look look_for_lock(struct attempt *attempt) {
  struct adr_window *window = attempt->window;
  struct adr_window_lock *lock = &window->lock;
  enum adr_window_look found = ADR_WINDOW_AWAITS;
  if (attempt->kind == EXCLUSIVE) {
    found = adr_window_lock_try_exclusive(lock, attempt->target, holds_back(attempt), is_dead, window);
  } else if (attempt->kind == SHARED) {
    found = adr_window_lock_try_shared(lock, attempt->target, is_dead, window);
  } else if (attempt->kind == ALL) {
    found = adr_window_lock_try_all(lock, is_dead, window);
  } else {
    found = adr_window_lock_settle(lock, attempt->target, is_dead, window);
  }
  attempt->other = lock->other;
  wake_waiters(window);
  return found;
}

static enum adr_window_look look(struct attempt *attempt) {
  struct adr_window *window = attempt->window;
  const struct adr_window_member *member = &window->members[attempt->target];
  bool met;
  switch (attempt->kind) {
  case STRIPE: {
    const enum adr_window_look found =
        adr_window_stripes_try_acquire(&window->stripes, attempt->target, attempt->stripe, is_dead, window);
    attempt->other = window->stripes.other;
    return found;
  }
  case POSTED:
    met = adr_window_sync_has_posted(&window->sync, attempt->target, member->starts);
    break;
  case COMPLETED:
    met = adr_window_sync_has_completed(&window->sync, attempt->target, member->posts);
    break;
  default:
    return look_for_lock(attempt);
  }
  attempt->other = attempt->target;
  return met ? ADR_WINDOW_ACQUIRED : ADR_WINDOW_AWAITS;
}

/* The error of a look that has found neither the lock nor one that has to go first. */
static int fail_look(struct attempt *attempt, enum adr_window_look found) {
  struct adr_window *window = attempt->window;
  if (found == ADR_WINDOW_BROKEN) { return adr_fail_broken(&window->job->error, ADR_CORRUPT); }
  return adr_job_gone(window->job, (int)window->comm->ranks[attempt->other], whats[attempt->kind]);
}

static int is_met(void *subject, int32_t polls) {
  struct attempt *attempt = subject;
  for (int32_t poll = 0; poll < polls; poll++) {
    const enum adr_window_look found = look(attempt);
    if (found == ADR_WINDOW_ACQUIRED) { return ADR_MET; }
    if (found != ADR_WINDOW_AWAITS) { return fail_look(attempt, found); }
    adr_cpu_pause();
  }
  return ADR_UNMET;
}

/* A rank that has died as holder is found here, and the next look clears up behind it. */
static int missing(void *subject) {
  struct attempt *attempt = subject;
  if (attempt->other == ADR_WINDOW_NOBODY) { return ADR_NOBODY; }
  const int gone = adr_job_missing(attempt->window->job, (int)attempt->window->comm->ranks[attempt->other]);
  return attempt->kind == POSTED || attempt->kind == COMPLETED ? gone : ADR_NOBODY;
}

static int fail(void *subject, int gone) {
  const struct attempt *attempt = subject;
  return adr_job_gone(attempt->window->job, gone, whats[attempt->kind]);
}

static struct adr_waiting waiting(const void *subject) {
  const struct attempt *attempt = subject;
  const bool any = attempt->other == ADR_WINDOW_NOBODY;
  return (struct adr_waiting){.call = ADR_RANK_IN_WINDOW,
                              .peer = any ? ADR_ANY : (int32_t)attempt->window->comm->ranks[attempt->other],
                              .tag = -1};
}

static const struct adr_condition window_words = {.is_met = is_met,
                                                  .missing = missing,
                                                  .fail = fail,
                                                  .waiting = waiting,
                                                  .what = "a wait in a window",
                                                  .is_on_words = true};

/* Looks, and waits where that is not enough. */
static int await(struct attempt *attempt) {
  struct adr_job *job = attempt->window->job;
  const enum adr_window_look found = look(attempt);
  if (found == ADR_WINDOW_ACQUIRED) { return 0; }
  if (found != ADR_WINDOW_AWAITS) { return fail_look(attempt, found); }
  attempt->since = adr_clock_now();
  int status = ADR_UNMET;
  while (status == ADR_UNMET) { status = adr_wait_for(&job->wait, ADR_ANY, &window_words, attempt); }
  return status < 0 ? status : 0;
}

static int await_lock(struct adr_window *window, enum kind kind, uint32_t target) {
  struct attempt attempt = {.window = window, .kind = kind, .target = target, .other = ADR_WINDOW_NOBODY};
  const int status = await(&attempt);
  if (status == 0) { return 0; }
  if (kind == ALL) {
    adr_window_lock_withdraw_all(&window->lock);
  } else {
    adr_window_lock_withdraw(&window->lock, target);
  }
  wake_waiters(window);
  return status;
}

int adr_window_settle(struct adr_window *window, uint32_t target) {
  const int status = await_lock(window, SETTLE, target);
  if (status == 0) { window->members[target].settled = window->epoch; }
  return status;
}

int adr_window_acquire_stripe(struct adr_window *window, uint32_t target, uint32_t stripe) {
  struct attempt attempt = {
      .window = window, .kind = STRIPE, .target = target, .stripe = stripe, .other = ADR_WINDOW_NOBODY};
  return await(&attempt);
}

/* Orders what this rank has stored and loaded before with what comes behind. */
static void order(void) {
  adr_full_fence(); /* SYNC window-flush: pairs with that of another rank; orders accesses to the windows' memory */
}

int adr_window_fence(adr_window *window) {
  if (window->held > 0 || window->all || window->started || window->exposed) {
    return adr_window_refuse(window, "a fence while this rank has a lock, or has started or posted; end that before");
  }
  order();
  const int status = adr_comm_barrier(window->comm);
  if (status < 0) { return status; }
  order();
  window->fenced = true;
  return 0;
}

/* Refuses a list of ranks with one that the window does not have, or that is there twice. */
static int check_group(const adr_window *window, const char *name, const int *ranks, int count) {
  if (count < 0 || (uint32_t)count > window->size || (count > 0 && ranks == NULL)) {
    return adr_window_refuse(window, "%s with a group of %d ranks; allowed are 0 to %" PRIu32, name, count,
                             window->size);
  }
  for (int each = 0; each < count; each++) {
    const int status = adr_window_check_rank(window, name, ranks[each]);
    if (status < 0) { return status; }
    for (int before = 0; before < each; before++) {
      if (ranks[before] == ranks[each]) {
        return adr_window_refuse(window, "%s names rank %d twice", name, ranks[each]);
      }
    }
  }
  return 0;
}

int adr_window_post(adr_window *window, const int *origins, int count) {
  if (window->exposed) { return adr_window_refuse(window, "a post while this rank has posted; wait before"); }
  const int status = check_group(window, "post", origins, count);
  if (status < 0) { return status; }
  window->exposed = true;
  for (int each = 0; each < count; each++) {
    struct adr_window_member *origin = &window->members[origins[each]];
    origin->exposed = true;
    origin->posts++;
    adr_window_sync_post(&window->sync, (uint32_t)origins[each]);
    adr_word_sleeper_wake(entry_of(window, (uint32_t)origins[each]));
  }
  return 0;
}

/* Ends the time in which this rank's memory is open. */
static void end_exposure(struct adr_window *window) {
  for (uint32_t member = 0; member < window->size; member++) { window->members[member].exposed = false; }
  window->exposed = false;
}

int adr_window_wait(adr_window *window) {
  if (!window->exposed) { return adr_window_refuse(window, "a wait without a post; post before"); }
  int status = adr_job_pace_at_work(window->job);
  for (uint32_t member = 0; status == 0 && member < window->size; member++) {
    struct attempt attempt = {.window = window, .kind = COMPLETED, .target = member, .other = ADR_WINDOW_NOBODY};
    if (window->members[member].exposed) { status = await(&attempt); }
  }
  end_exposure(window);
  return status;
}

int adr_window_test(adr_window *window) {
  if (!window->exposed) { return adr_window_refuse(window, "a test without a post; post before"); }
  for (uint32_t member = 0; member < window->size; member++) {
    struct attempt attempt = {.window = window, .kind = COMPLETED, .target = member, .other = ADR_WINDOW_NOBODY};
    if (!window->members[member].exposed || look(&attempt) == ADR_WINDOW_ACQUIRED) { continue; }
    const int status = adr_job_pace(window->job);
    const int gone = status < 0 ? ADR_NOBODY : adr_job_missing(window->job, (int)window->comm->ranks[member]);
    if (gone == ADR_NOBODY || look(&attempt) == ADR_WINDOW_ACQUIRED) { return status < 0 ? status : 0; }
    end_exposure(window);
    return fail(&attempt, gone);
  }
  end_exposure(window);
  return 1;
}

/* Refuses to begin an access where there is one that it does not go with. */
static int check_begins(const adr_window *window, const char *name, bool also_locks) {
  if (window->started || window->all || (also_locks && window->held > 0)) {
    return adr_window_refuse(window, "%s while this rank has %s; end that before", name,
                             window->started ? "started"
                             : window->all   ? "all locked"
                                             : "a lock");
  }
  return 0;
}

int adr_window_start(adr_window *window, const int *targets, int count) {
  int status = check_begins(window, "a start", true);
  if (status == 0) { status = check_group(window, "start", targets, count); }
  if (status == 0) { status = adr_job_pace_at_work(window->job); }
  if (status < 0) { return status; }
  int each = 0;
  for (; status == 0 && each < count; each++) {
    struct attempt attempt = {
        .window = window, .kind = POSTED, .target = (uint32_t)targets[each], .other = ADR_WINDOW_NOBODY};
    window->members[targets[each]].starts++;
    status = await(&attempt);
  }
  if (status < 0) { /* what others have posted is for the next start */
    while (each > 0) { window->members[targets[--each]].starts--; }
    return status;
  }
  for (each = 0; each < count; each++) { window->members[targets[each]].access = ADR_WINDOW_STARTED; }
  window->started = true;
  window->fenced = false;
  return 0;
}

int adr_window_complete(adr_window *window) {
  if (!window->started) { return adr_window_refuse(window, "a complete without a start; start before"); }
  for (uint32_t member = 0; member < window->size; member++) {
    if (window->members[member].access != ADR_WINDOW_STARTED) { continue; }
    window->members[member].access = ADR_WINDOW_NOT;
    adr_window_sync_complete(&window->sync, member);
    adr_word_sleeper_wake(entry_of(window, member));
  }
  window->started = false;
  return 0;
}

int adr_window_lock(adr_window *window, int target, int kind) {
  int status = adr_window_check_rank(window, "lock", target);
  if (status == 0) { status = check_begins(window, "a lock", false); }
  if (status < 0) { return status; }
  struct adr_window_member *member = &window->members[target];
  if (member->access != ADR_WINDOW_NOT) {
    return adr_window_refuse(window, "a lock of rank %d, which this rank has locked already; unlock it before", target);
  }
  if (kind != ADR_LOCK_SHARED && kind != ADR_LOCK_EXCLUSIVE) {
    return adr_window_refuse(window,
                             "a lock of kind %d of rank %d; allowed are ADR_LOCK_SHARED (%d) and "
                             "ADR_LOCK_EXCLUSIVE (%d)",
                             kind, target, ADR_LOCK_SHARED, ADR_LOCK_EXCLUSIVE);
  }
  status = adr_job_pace_at_work(window->job);
  if (status < 0) { return status; }
  status = await_lock(window, kind == ADR_LOCK_EXCLUSIVE ? EXCLUSIVE : SHARED, (uint32_t)target);
  if (status < 0) { return status; }
  member->access = kind == ADR_LOCK_EXCLUSIVE ? ADR_WINDOW_EXCLUSIVE : ADR_WINDOW_SHARED;
  window->held++;
  window->fenced = false;
  return 0;
}

int adr_window_unlock(adr_window *window, int target) {
  const int status = adr_window_check_rank(window, "unlock", target);
  if (status < 0) { return status; }
  struct adr_window_member *member = &window->members[target];
  if (member->access != ADR_WINDOW_SHARED && member->access != ADR_WINDOW_EXCLUSIVE) {
    return adr_window_refuse(window, "an unlock of rank %d, which this rank has not locked", target);
  }
  if (member->access == ADR_WINDOW_EXCLUSIVE) {
    adr_window_lock_release_exclusive(&window->lock, (uint32_t)target);
  } else {
    adr_window_lock_release_shared(&window->lock, (uint32_t)target);
  }
  member->access = ADR_WINDOW_NOT;
  window->held--;
  wake_waiters(window);
  return 0;
}

int adr_window_lock_all(adr_window *window) {
  int status = check_begins(window, "a lock of all", true);
  if (status == 0) { status = adr_job_pace_at_work(window->job); }
  if (status == 0) { status = await_lock(window, ALL, 0); }
  if (status < 0) { return status; }
  window->all = true;
  window->epoch++;
  window->fenced = false;
  return 0;
}

int adr_window_unlock_all(adr_window *window) {
  if (!window->all) { return adr_window_refuse(window, "an unlock of all, which this rank has not locked"); }
  window->all = false;
  adr_window_lock_release_all(&window->lock);
  wake_waiters(window);
  return 0;
}

int adr_window_flush(adr_window *window, int target) {
  const int status = adr_window_check_rank(window, "flush", target);
  if (status < 0) { return status; }
  if (!window->all && window->held == 0) {
    return adr_window_refuse(window, "a flush of rank %d without a lock; lock it before", target);
  }
  order();
  return 0;
}

int adr_window_sync(adr_window *window) {
  (void)window;
  order();
  return 0;
}
