/* The one policy of waiting: spin, then yield, then sleep; with more ranks than CPUs, spins only where they pay, and
 * sleep sooner. Every so often it is time to check whether those waited for are still there. Twin of
 * io.adrastea.wait.Waiter; here a step is one poll. The sleeping itself is the job's, which knows how to be woken. */
#pragma once

#include "base/adr_atomic.h"
#include "base/adr_base.h"
#include "base/adr_clock.h"

#define ADR_WAITER_CHECK_NANOS INT64_C(100000000)
#define ADR_WAITER_STEPS_PER_CLOCK 64u

/* Yields for so long before it sleeps: several times what being woken takes, so that waiting costs at most a fraction
 * more. */
#define ADR_WAITER_YIELD_NANOS INT64_C(300000)

/* And for so much longer where nobody wakes it: it would wake late, so that the next rank sleeps before it is told, and
 * that one wakes late, too. In a ring of many ranks that goes on for ever. */
#define ADR_WAITER_UNTOLD_YIELD_NANOS INT64_C(3000000)

/* Polls in a row: of a spin where there are more ranks than CPUs, and of a barrier's wait where there are not. */
#define ADR_WAITER_POLLS_PER_STEP 100u

/* With more ranks than CPUs a spin pays while the rank waited for runs beside this one: two that meet so stay together
 * for their time slice. A spin that found nothing is followed by waits without one, by 1, 3, then 7. */
#define ADR_WAITER_MOST_SPARED 7u

/* A yield that took so long has handed the CPU to others than ranks, which keep it for their time slice, and nobody
 * wakes a rank that yields: for a while it sleeps at once, each time twice as long. Waits in which yields bear fruit
 * again make that less, little by little: others come and go, and each trial costs a time slice. Where nobody wakes it,
 * it yields all the same: its naps would make all others wait that depend on it. */
#define ADR_WAITER_LONG_YIELD_NANOS INT64_C(100000)
#define ADR_WAITER_LEAST_LOADED_NANOS INT64_C(1000000)
#define ADR_WAITER_MOST_LOADED_NANOS INT64_C(16000000)

/* Where ranks outnumber CPUs, it may as well have been a rank that had something to do. Ranks tell each other when they
 * give way, and on which CPU: if one has on this CPU, so short a time ago, it was ranks. A switch takes less. */
#define ADR_WAITER_MOMENT_NANOS INT64_C(20000)

/* Or one that has ended its wait and gone on to its own work. It is taken to be at it for so long, two or three time
 * slices: after that it may as well sleep, or be gone. */
#define ADR_WAITER_WORK_NANOS INT64_C(10000000)

/* Or two ranks stayed together until the system took the CPU from them: those have their slices too, with many waits in
 * each. So many waits without a sleep pay for a long yield, and at most for so many more. */
#define ADR_WAITER_WAITS_PER_LONG_YIELD 64u
#define ADR_WAITER_MOST_WAITS_SAVED 2048u

/* Where ranks outnumber CPUs, two ranks that wait for each other get on best on two CPUs. A scheduler does not know
 * that, and wakes a sleeper where its waker runs. So a rank that gives way again and again checks whether the other is
 * on its CPU, and moves, at most so often. */
#define ADR_WAITER_YIELDS_PER_CPU_CHECK 16u
#define ADR_WAITER_CPU_CHECK_NANOS INT64_C(1000000)

/* Where there is a CPU for each rank, a scheduler may put two on one all the same. So a rank whose spin has found
 * nothing looks whether another one was on its CPU a short time ago. Then it waits as where ranks outnumber CPUs, until
 * it has moved, looks again and there is none, or for so many waits without a yield. */
#define ADR_WAITER_LOOK_NANOS INT64_C(50000)
#define ADR_WAITER_CALM_WAITS 1024u

/* Or other programs may want the CPUs: they have taken this one, in a yield or from a spin. A rank that yields to them
 * loses it for a time slice, and so does one that sleeps at once and is woken beside them. So for so long after their
 * last sign a rank spins where it would yield. */
#define ADR_WAITER_STRANGERS_NANOS INT64_C(100000000)

/* Where nobody can be relied on to wake it, it naps: twice as long each time up to so long, then by a part longer. So
 * it wakes late by a millisecond and such a part of what the wait has taken, and a wait that takes long costs little.
 */
#define ADR_WAITER_DOUBLED_NAP_NANOS INT64_C(1000000)
#define ADR_WAITER_NAP_GROWTH_DIVISOR 32

#define ADR_WAITER_NO_LIMIT INT64_C(0)

struct adr_waiter {
  bool oversubscribed;   /* more ranks than CPUs */
  bool follows;          /* it finds out what else wants its CPU though there are not */
  uint32_t spins;        /* polls before the first yield, where ranks do not share a CPU */
  bool crowded;          /* ranks share a CPU */
  uint32_t calm_waits;   /* without a yield since that was seen */
  int64_t next_look;     /* when it looks the next time whether they do */
  int64_t strangers_end; /* until when other programs are taken to want the CPUs */
  bool wait_spins;       /* this wait does */
  bool in_vain;          /* it did */
  uint32_t to_spare;     /* waits without a spin, from now on */
  uint32_t spared;       /* after the last spin that found nothing */
  uint32_t waits_saved;  /* to pay for long yields */
  int32_t other;         /* rank that this wait is for, -1: several */
  uint32_t yields;       /* in waits for one other */
  int64_t next_cpu_check;
  bool cpu_check_due;  /* it is time to check whether the other is on this CPU */
  uint32_t idle_steps; /* since something was found */
  bool has_given_way;  /* since a wait ended the last time */
  int64_t last_yield;  /* when the last one ended */
  int64_t yield_end;   /* when it has yielded for long enough */
  bool loses_cpu;      /* a yield of this wait gave the CPU to others than ranks */
  int64_t loaded;      /* how long it took others to want the CPUs last time */
  int64_t loaded_end;  /* until when others than ranks are taken to want the CPUs */
  uint32_t steps;      /* of this wait */
  bool dozed;          /* this wait has slept, or was about to */
  bool dozing;         /* about to sleep ... */
  int64_t word;        /* ... on this; below zero: on nothing */
  int64_t nap;         /* the last one took */
  bool slept;          /* the clock is to be read */
  bool clocked;        /* it was read in this wait */
  int64_t stands;      /* since then nothing has moved: when the clock was first read in this wait, or later */
  bool watched;        /* it is known what had moved by then ... */
  int64_t moves;       /* ... as a number that changes */
  bool told;           /* that this wait takes long */
  bool logged;         /* likewise, in the log */
  int64_t limit;       /* at which waits end; ADR_WAITER_NO_LIMIT: at none */
  int64_t next_check;
};

static inline uint32_t adr_waiter_spins(const struct adr_waiter *waiter) {
  if (!waiter->crowded) { return waiter->spins; }
  return waiter->wait_spins ? ADR_WAITER_POLLS_PER_STEP : 0;
}

/* A step found something, though not what is waited for: spinning begins anew. */
static inline void adr_waiter_found(struct adr_waiter *waiter) {
  if (waiter->idle_steps > adr_waiter_spins(waiter) && !waiter->loses_cpu) {
    waiter->loaded -= waiter->loaded / ADR_WAITER_WAITS_PER_LONG_YIELD;
  }
  waiter->loses_cpu = false;
  waiter->idle_steps = 0;
  waiter->in_vain = false;
  waiter->nap = 0;
}

/* Ranks that wait without yields do not share a CPU. */
static inline void adr_waiter_calm(struct adr_waiter *waiter) {
  waiter->calm_waits++;
  waiter->crowded = waiter->calm_waits < ADR_WAITER_CALM_WAITS;
}

static inline void adr_waiter_begin(struct adr_waiter *waiter, int32_t other, bool spins) {
  adr_waiter_found(waiter);
  if (waiter->crowded && waiter->follows) { adr_waiter_calm(waiter); }
  if (!waiter->dozed && waiter->waits_saved < ADR_WAITER_MOST_WAITS_SAVED) { waiter->waits_saved++; }
  waiter->dozed = false;
  waiter->other = other;
  waiter->wait_spins = spins;
  waiter->steps = 0;
  waiter->slept = false;
  waiter->clocked = false;
  waiter->watched = false;
}

static inline void adr_waiter_judge_spin(struct adr_waiter *waiter) {
  if (waiter->wait_spins) {
    uint32_t next = 2 * waiter->spared + 1;
    waiter->spared = !waiter->in_vain ? 0 : next < ADR_WAITER_MOST_SPARED ? next : ADR_WAITER_MOST_SPARED;
    waiter->to_spare = waiter->spared;
  }
}

/* Begins a wait for one other rank, -1: for any. */
static inline void adr_waiter_reset(struct adr_waiter *waiter, int32_t other) {
  adr_waiter_judge_spin(waiter);
  bool spares = waiter->to_spare > 0;
  if (spares) { waiter->to_spare--; }
  adr_waiter_begin(waiter, other, !spares);
}

/* Begins a wait for all other ranks, of which some cannot run where ranks outnumber CPUs. */
static inline void adr_waiter_reset_for_all(struct adr_waiter *waiter) {
  adr_waiter_judge_spin(waiter);
  adr_waiter_begin(waiter, -1, !waiter->crowded);
}

/* After a step that found nothing: whether it has spun and yielded for long enough. From now on it sleeps, until
 * something is found. `is_untold`: others may bring about what it waits for without waking it. */
static inline bool adr_waiter_is_drowsy(struct adr_waiter *waiter, bool is_untold) {
  uint32_t spins = adr_waiter_spins(waiter);
  if (waiter->idle_steps < spins) { return false; }
  waiter->in_vain = true;
  bool yielded = waiter->idle_steps > spins; /* just now, or it has slept since and goes on with that */
  int64_t now = yielded ? waiter->last_yield : adr_clock_now();
  return (!is_untold && now < waiter->loaded_end)
         || (yielded && now - waiter->yield_end >= (is_untold ? ADR_WAITER_UNTOLD_YIELD_NANOS : 0));
}

static inline int64_t adr_waiter_clamp(int64_t value, int64_t least, int64_t most) {
  return value < least ? least : value > most ? most : value;
}

static inline bool adr_waiter_pays_for_long_yield(struct adr_waiter *waiter) {
  bool pays = waiter->waits_saved >= ADR_WAITER_WAITS_PER_LONG_YIELD;
  if (pays) { waiter->waits_saved -= ADR_WAITER_WAITS_PER_LONG_YIELD; }
  return pays;
}

/* Two ranks that come to share a CPU are to part at once. */
static inline void adr_waiter_shares(struct adr_waiter *waiter, bool does, int64_t now) {
  waiter->next_look = now + ADR_WAITER_LOOK_NANOS;
  if (does && !waiter->crowded) { waiter->cpu_check_due = waiter->other >= 0 && now >= waiter->next_cpu_check; }
  waiter->crowded = does;
}

/* After a look whether another rank is on this CPU, or was a short time ago. Where ranks do not know their CPUs
 * (`given_way` is below zero) one may be, since it has spun for nothing; only waits without yields tell that none is.
 */
static inline void adr_waiter_looked(struct adr_waiter *waiter, int64_t now, int given_way) {
  adr_waiter_shares(waiter, given_way != 0, now);
}

/* Others have had the CPU for long: ranks, as far as is known, or other programs. */
static inline void adr_waiter_judge_others(struct adr_waiter *waiter, bool may_be_ranks, int64_t now) {
  waiter->yield_end = now + ADR_WAITER_YIELD_NANOS;
  if (may_be_ranks) {
    adr_waiter_shares(waiter, true, now);
  } else {
    waiter->strangers_end = now + ADR_WAITER_STRANGERS_NANOS;
  }
}

/* A yield took long until now. `given_way`: whether a rank has given way on this CPU a moment ago, so that ranks had
 * it; below zero: that is not told. */
static inline void adr_waiter_judge_long_yield(struct adr_waiter *waiter, int64_t now, int given_way) {
  if (waiter->follows) {
    adr_waiter_judge_others(waiter, given_way != 0, now);
  } else if (waiter->crowded && (given_way > 0 || adr_waiter_pays_for_long_yield(waiter))) {
    waiter->yield_end = now + ADR_WAITER_YIELD_NANOS;
  } else {
    waiter->loses_cpu = true;
    waiter->loaded = adr_waiter_clamp(2 * waiter->loaded, ADR_WAITER_LEAST_LOADED_NANOS, ADR_WAITER_MOST_LOADED_NANOS);
    waiter->loaded_end = now + waiter->loaded;
  }
}

/* It has its CPU again after a yield. */
static inline void adr_waiter_end_yield(struct adr_waiter *waiter, int64_t now) {
  waiter->last_yield = now;
  waiter->calm_waits = 0;
  waiter->cpu_check_due |= waiter->crowded && waiter->other >= 0
                           && ++waiter->yields % ADR_WAITER_YIELDS_PER_CPU_CHECK == 0 && now >= waiter->next_cpu_check;
}

/* Whether it is time to check whether the rank waited for is on this CPU; to be asked after each idling. */
static inline bool adr_waiter_is_time_to_check_cpu(struct adr_waiter *waiter) {
  bool due = waiter->cpu_check_due;
  waiter->cpu_check_due = false;
  return due;
}

/* It has moved to another CPU, or found that it cannot. */
static inline void adr_waiter_cpu_checked(struct adr_waiter *waiter, bool moved) {
  waiter->next_cpu_check = adr_clock_now() + ADR_WAITER_CPU_CHECK_NANOS;
  waiter->crowded &= !(moved && waiter->follows);
}

/* After a step that found nothing: whether it spins once more, and does not yield yet. */
static inline bool adr_waiter_goes_on_spinning(struct adr_waiter *waiter) {
  return ++waiter->idle_steps <= adr_waiter_spins(waiter);
}

/* Whether it keeps its CPU, which other programs would take, though it has spun for long enough. `*looks`: it is time
 * to look whether another rank is there. */
static inline bool adr_waiter_holds_on(struct adr_waiter *waiter, bool *looks) {
  *looks = false;
  if (!waiter->follows || waiter->crowded) { return false; }
  const int64_t now = adr_clock_now();
  if (now >= waiter->strangers_end) { return false; }
  if (waiter->idle_steps == adr_waiter_spins(waiter) + 1) {
    waiter->yield_end = now + ADR_WAITER_YIELD_NANOS;
  } else if (now - waiter->last_yield > ADR_WAITER_LONG_YIELD_NANOS) {
    waiter->strangers_end = now + ADR_WAITER_STRANGERS_NANOS;
  }
  waiter->last_yield = now;
  *looks = now >= waiter->next_look;
  return true;
}

/* It is about to yield. Returns the time. */
static inline int64_t adr_waiter_begin_yield(struct adr_waiter *waiter) {
  waiter->has_given_way = true;
  int64_t now = adr_clock_now();
  if (waiter->idle_steps == adr_waiter_spins(waiter) + 1) { waiter->yield_end = now + ADR_WAITER_YIELD_NANOS; }
  return now;
}

/* It is about to sleep on `word`. */
static inline void adr_waiter_doze(struct adr_waiter *waiter, int64_t word) {
  waiter->dozing = true;
  waiter->dozed = true;
  waiter->word = word;
}

/* How long to sleep when nobody can be relied on to wake it: longer each time, until something is found. */
static inline int64_t adr_waiter_nap(struct adr_waiter *waiter, int64_t least, int64_t most) {
  const bool doubles = waiter->nap < ADR_WAITER_DOUBLED_NAP_NANOS;
  const int64_t longer = doubles ? adr_waiter_clamp(2 * waiter->nap, 0, ADR_WAITER_DOUBLED_NAP_NANOS)
                                 : waiter->nap + waiter->nap / ADR_WAITER_NAP_GROWTH_DIVISOR;
  waiter->nap = adr_waiter_clamp(longer, least, most);
  return waiter->nap;
}

/* From now on waits end so many nanoseconds from now, until adr_waiter_limit_at(waiter, ADR_WAITER_NO_LIMIT). */
static inline void adr_waiter_limit_at(struct adr_waiter *waiter, int64_t limit) { waiter->limit = limit; }

static inline void adr_waiter_limit(struct adr_waiter *waiter, int64_t nanos) {
  int64_t end = adr_clock_now() + adr_waiter_clamp(nanos, 0, INT64_MAX / 2);
  adr_waiter_limit_at(waiter, end == ADR_WAITER_NO_LIMIT ? end + 1 : end);
}

/* So long, or until the limit if that comes earlier. */
static inline int64_t adr_waiter_within_limit(const struct adr_waiter *waiter, int64_t nanos) {
  return waiter->limit == ADR_WAITER_NO_LIMIT ? nanos : adr_waiter_clamp(waiter->limit - adr_clock_now(), 1, nanos);
}

/* Whether the limit has come. */
static inline bool adr_waiter_is_over(const struct adr_waiter *waiter, int64_t now) {
  return waiter->limit != ADR_WAITER_NO_LIMIT && now >= waiter->limit;
}

static inline bool adr_waiter_is_over_limit(const struct adr_waiter *waiter) {
  return waiter->limit != ADR_WAITER_NO_LIMIT && adr_waiter_is_over(waiter, adr_clock_now());
}

/* Whether nothing has moved in this wait for so long; `moves` is a number that changes whenever something does. */
static inline bool adr_waiter_stands_still(struct adr_waiter *waiter, int64_t moves, int64_t nanos) {
  const int64_t now = adr_clock_now();
  if (waiter->watched && moves != waiter->moves) { waiter->stands = now; }
  waiter->watched = true;
  waiter->moves = moves;
  return waiter->clocked && now - waiter->stands >= nanos;
}

/* It has copied much at a stretch: the clock is read after this step, too. */
static inline void adr_waiter_copied(struct adr_waiter *waiter) { waiter->slept = true; }

/* Notes that the log was told of this wait; whether it was not before. */
static inline bool adr_waiter_log(struct adr_waiter *waiter) {
  bool first = !waiter->logged;
  waiter->logged = true;
  return first;
}

/* Notes that it was told of this wait; whether it was not before, or something has moved since. */
static inline bool adr_waiter_tell(struct adr_waiter *waiter) {
  bool first = !waiter->told;
  waiter->told = true;
  return first;
}

static inline bool adr_waiter_is_clock_due(struct adr_waiter *waiter) {
  int64_t now = adr_clock_now();
  bool due = waiter->clocked && now >= waiter->next_check;
  if (due || !waiter->clocked) { waiter->next_check = now + ADR_WAITER_CHECK_NANOS; }
  if (!waiter->clocked) { waiter->stands = now; }
  waiter->slept = false;
  waiter->clocked = true;
  return due || adr_waiter_is_over(waiter, now);
}

/* To be asked once after each step: whether it is time to check that the ranks waited for are still there; so it is,
 * too, when the limit has come. */
static inline bool adr_waiter_is_time_to_check(struct adr_waiter *waiter) {
  return (++waiter->steps % ADR_WAITER_STEPS_PER_CLOCK == 0 || waiter->slept) && adr_waiter_is_clock_due(waiter);
}
