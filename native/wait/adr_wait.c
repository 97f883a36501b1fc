#include "wait/adr_wait.h"

#include "wait/adr_word_sleeper.h"

/* Leaves the job to other threads until step_in. */
static void step_out(struct adr_wait *wait, struct adr_waiter *own) {
  if (wait->gate == NULL) { return; }
  *own = wait->waiter;
  wait->waiter.cpu_check_due = false; /* is of this wait, and of the rank that it is for */
  wait->waiter.logged = false;        /* likewise */
  adr_waiter_limit_at(&wait->waiter, ADR_WAITER_NO_LIMIT);
  adr_gate_exit(wait->gate);
}

static void step_in(struct adr_wait *wait, const struct adr_waiter *own) {
  if (wait->gate == NULL) { return; }
  adr_gate_enter(wait->gate);
  wait->waiter = *own;
}

static void wake(struct adr_wait *wait) {
  wait->waiter.dozing = false;
  if (wait->sleeps_on_words) {
    wait->sleeps_on_words = false;
    adr_word_sleeper_end(wait->entry);
  }
  wait->upkeep->end_sleep(wait->owner);
}

/* What was waited for is there: this rank does not sleep. */
static void stir(struct adr_wait *wait) {
  if (wait->waiter.dozing) { wake(wait); }
}

static void nap(int64_t nanos) {
  struct timespec most = {.tv_nsec = nanos};
  nanosleep(&most, NULL);
}

static void sleep_now(struct adr_wait *wait, bool is_untold) {
  struct adr_waiter *waiter = &wait->waiter;
  bool woken = waiter->word >= 0 && wait->all_wake && !is_untold && wait->gate == NULL;
  int64_t nanos = adr_waiter_within_limit(
      waiter,
      woken ? ADR_SLEEP_MOST_NANOS : adr_waiter_nap(waiter, ADR_SLEEP_LEAST_NAP_NANOS, ADR_SLEEP_MOST_NAP_NANOS));
  const int64_t word = waiter->word;
  struct adr_waiter own;
  step_out(wait, &own);
  if (word >= 0) {
    wait->upkeep->sleep(wait->owner, word, nanos);
  } else {
    nap(nanos);
  }
  step_in(wait, &own);
  waiter->slept = true;
  wake(wait);
}

/* Looks whether another rank is on this CPU, or was a short time ago. */
static void look_around(struct adr_wait *wait, int64_t now) {
  const int given_way = wait->upkeep->was_given_way(wait->owner, now - ADR_WAITER_CPU_CHECK_NANOS);
  adr_waiter_looked(&wait->waiter, now, given_way);
}

static bool holds_on(struct adr_wait *wait) {
  struct adr_waiter *waiter = &wait->waiter;
  bool looks;
  const bool holds = adr_waiter_holds_on(waiter, &looks);
  if (looks) {
    wait->upkeep->works_until(wait->owner, waiter->last_yield); /* tells the others where it is */
    look_around(wait, waiter->last_yield);
  }
  return holds && !waiter->crowded;
}

static void yield(struct adr_wait *wait) {
  struct adr_waiter *waiter = &wait->waiter;
  const struct adr_upkeep *upkeep = wait->upkeep;
  const int64_t begin = adr_waiter_begin_yield(waiter);
  struct adr_waiter own;
  step_out(wait, &own);
  upkeep->give_way(wait->owner, begin);
  step_in(wait, &own);
  const int64_t end = adr_clock_now();
  adr_waiter_end_yield(waiter, end);
  if (end - begin > ADR_WAITER_LONG_YIELD_NANOS) {
    adr_waiter_judge_long_yield(waiter, end, upkeep->was_given_way(wait->owner, end - ADR_WAITER_MOMENT_NANOS));
  } else if (waiter->follows && end >= waiter->next_look) {
    look_around(wait, end);
  }
}

static void idle(struct adr_wait *wait) {
  struct adr_waiter *waiter = &wait->waiter;
  if (adr_waiter_goes_on_spinning(waiter) || holds_on(wait)) {
    adr_cpu_pause();
    return;
  }
  yield(wait);
  if (adr_waiter_is_time_to_check_cpu(waiter)) {
    const int moved = wait->upkeep->avoid_shared_cpu(wait->owner, waiter->other);
    if (moved != 0) { adr_waiter_cpu_checked(waiter, moved > 0); }
  }
}

/* Says that it is about to sleep; the next look at the condition is the last before it does. */
static void doze(struct adr_wait *wait, bool is_on_words) {
  if (is_on_words) {
    wait->sleeps_on_words = true;
    adr_word_sleeper_begin(wait->entry);
  }
  adr_waiter_doze(&wait->waiter, wait->upkeep->announce_sleep(wait->owner));
}

static void rest(struct adr_wait *wait, const struct adr_condition *condition) {
  struct adr_waiter *waiter = &wait->waiter;
  if (waiter->dozing) {
    sleep_now(wait, condition->is_untold);
  } else if (adr_waiter_is_drowsy(waiter, condition->is_untold)) {
    doze(wait, condition->is_on_words);
  } else {
    idle(wait);
  }
}

/* Lets a thread in that wants to. */
static void let_in(struct adr_wait *wait) {
  if (wait->gate == NULL || !adr_gate_is_wanted(wait->gate)) { return; }
  struct adr_waiter own;
  step_out(wait, &own);
  step_in(wait, &own);
}

static void go_on(struct adr_wait *wait) {
  stir(wait);
  adr_waiter_found(&wait->waiter);
}

/* Tells of a wait that has stood still for long, and takes that back when something moves. */
static void watch(struct adr_wait *wait, const struct adr_condition *condition, const void *subject) {
  struct adr_waiter *waiter = &wait->waiter;
  if (wait->hang_nanos == 0) { return; }
  const int64_t moves = condition->moves == NULL ? 0 : condition->moves(subject);
  if (adr_waiter_stands_still(waiter, moves, wait->hang_nanos)) {
    const struct adr_waiting waiting = condition->waiting(subject);
    const bool anew = adr_waiter_tell(waiter);
    if (wait->gate == NULL) { wait->upkeep->tell(wait->owner, waiting, anew); }
    if (adr_waiter_log(waiter)) { wait->upkeep->log(wait->owner, waiting); }
  } else if (waiter->told) {
    waiter->told = false;
    if (wait->gate == NULL) { wait->upkeep->forget(wait->owner); }
  }
}

/* Whether those are there that a condition depends on. A missing rank is found out first: what that rank had sent has
 * come by the time that the queue was put right, and the condition is asked once more. ADR_UNMET: it may still be
 * met. */
static int check(struct adr_wait *wait, const struct adr_condition *condition, void *subject) {
  int gone = condition->missing(subject);
  int left = wait->upkeep->check(wait->owner);
  if (left < 0) { return left; }
  bool fails = gone != ADR_NOBODY && left == 0;
  int over = fails ? 0 : wait->upkeep->over(wait->owner, condition->what);
  if (!fails && over == 0) { return ADR_UNMET; }
  int status = condition->is_met(subject, 1);
  if (status == ADR_MET || status < 0) { return status; }
  return fails ? condition->fail(subject, gone) : over;
}

/* How often a condition may poll at a stretch: another thread is not to wait. */
static int32_t polls(const struct adr_wait *wait) {
  return wait->waiter.crowded || wait->gate != NULL ? 1 : (int32_t)ADR_WAITER_POLLS_PER_STEP;
}

static int look(struct adr_wait *wait, const struct adr_condition *condition, void *subject) {
  int status = condition->is_met(subject, polls(wait));
  if (status == ADR_MET || status < 0 || condition->moves_on) { return status; }
  int step = wait->upkeep->step(wait->owner);
  return step < 0 ? step : status;
}

static int await(struct adr_wait *wait, const struct adr_condition *condition, void *subject) {
  int status;
  while ((status = look(wait, condition, subject)) == ADR_UNMET || status == ADR_MOVED) {
    if (status == ADR_MOVED) {
      go_on(wait);
    } else {
      rest(wait, condition);
    }
    let_in(wait);
    if (!adr_waiter_is_time_to_check(&wait->waiter)) { continue; }
    watch(wait, condition, subject);
    status = check(wait, condition, subject);
    if (status != ADR_UNMET) { return status; }
    if (adr_waiter_is_over_limit(&wait->waiter)) {
      status = condition->is_met(subject, 1);
      return status == ADR_MOVED ? ADR_UNMET : status;
    }
  }
  return status;
}

static int await_to_the_end(struct adr_wait *wait, const struct adr_condition *condition, void *subject) {
  int status = await(wait, condition, subject);
  stir(wait);
  if (wait->waiter.crowded && wait->waiter.has_given_way) {
    wait->upkeep->works_until(wait->owner, wait->waiter.last_yield + ADR_WAITER_WORK_NANOS);
  }
  wait->waiter.has_given_way = false;
  if (wait->waiter.logged) {
    wait->waiter.told = false;
    wait->waiter.logged = false;
    if (wait->gate == NULL) { wait->upkeep->forget(wait->owner); }
  }
  return status;
}

int adr_wait_for(struct adr_wait *wait, int32_t other, const struct adr_condition *condition, void *subject) {
  stir(wait);
  adr_waiter_reset(&wait->waiter, other);
  return await_to_the_end(wait, condition, subject);
}

int adr_wait_for_all(struct adr_wait *wait, const struct adr_condition *condition, void *subject) {
  stir(wait);
  adr_waiter_reset_for_all(&wait->waiter);
  return await_to_the_end(wait, condition, subject);
}
