/* The one policy of waiting: spin, then yield; with more ranks than CPUs, yield at once. Every so often it is time to look
 * whether those waited for are still there. Twin of io.adrastea.wait.Waiter; here a step is one look. */
#ifndef ADR_WAITER_H
#define ADR_WAITER_H

#include <sched.h>
#include <time.h>

#include "base/adr_atomic.h"
#include "base/adr_base.h"

#define ADR_WAITER_CHECK_NANOS INT64_C(100000000)
#define ADR_WAITER_STEPS_PER_CLOCK 64u

struct adr_waiter {
  bool crowded;        /* more ranks than CPUs */
  uint32_t spins;      /* looks before the first yield */
  uint32_t idle_steps; /* since something was found */
  uint32_t steps;      /* of this wait */
  int64_t next_check;
};

static inline int64_t adr_waiter_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Begins a wait. */
static inline void adr_waiter_reset(struct adr_waiter *waiter) {
  waiter->idle_steps = 0;
  waiter->steps = 0;
}

static inline bool adr_waiter_is_clock_due(struct adr_waiter *waiter) {
  int64_t now = adr_waiter_now();
  if (waiter->steps == ADR_WAITER_STEPS_PER_CLOCK) { /* the first look at the clock in this wait */
    waiter->next_check = now + ADR_WAITER_CHECK_NANOS;
    return false;
  }
  if (now < waiter->next_check) { return false; }
  waiter->next_check = now + ADR_WAITER_CHECK_NANOS;
  return true;
}

static inline bool adr_waiter_is_time_to_check(struct adr_waiter *waiter) {
  return ++waiter->steps % ADR_WAITER_STEPS_PER_CLOCK == 0 && adr_waiter_is_clock_due(waiter);
}

/* A step that found something, though not what is waited for: spinning begins anew. Returns whether it is time to check that
 * the ranks waited for are still there. */
static inline bool adr_waiter_go_on(struct adr_waiter *waiter) {
  waiter->idle_steps = 0;
  return adr_waiter_is_time_to_check(waiter);
}

/* A step that found nothing; returns as go_on. */
static inline bool adr_waiter_pause(struct adr_waiter *waiter) {
  if (waiter->crowded || ++waiter->idle_steps > waiter->spins) {
    sched_yield();
  } else {
    adr_cpu_pause();
  }
  return adr_waiter_is_time_to_check(waiter);
}

#endif
