/* Waiting for a condition: a piece of a message, room for one, the barrier, any words in shared memory that others
 * write. All waits are one loop: it asks the condition, moves things on, rests, and about every 100 ms checks whether
 * those are there that it depends on, and whether the wait is to be told of. Twin of io.adrastea.wait.Waits. A C rank
 * is not interrupted.
 *
 * A rank that brings a condition about without a message wakes those that may sleep for it (adr_channel_wake, and
 * adr_word_sleeper_wake of a wait that says that it is on words), after its store: then a wait finds it at once, else
 * after ADR_SLEEP_MOST_NANOS at the latest. */
#pragma once

#include "layout/adr_layout_rank_entry.h"
#include "wait/adr_gate.h"
#include "wait/adr_waiter.h"

#define ADR_SLEEP_MOST_NANOS INT64_C(50000000) /* the next check for ranks that are gone is not to be late */
#define ADR_SLEEP_LEAST_NAP_NANOS INT64_C(50000)
#define ADR_SLEEP_MOST_NAP_NANOS INT64_C(16000000)

enum {
  ADR_UNMET = 0,
  ADR_MET = 1,
  ADR_MOVED = 2, /* not met, but nearer to it */
};

#define ADR_NOBODY (-1) /* no rank */

/* What a wait is told as when it takes long: `call` is ADR_RANK_IN_...; `peer` -1: any, or all; `tag` -1: any. */
struct adr_waiting {
  uint32_t call;
  int32_t peer;
  int32_t tag;
};

/* What can be waited for. One serves all waits of its kind: what differs between them is the subject. Twin of
 * io.adrastea.wait.Condition. */
struct adr_condition {
  /* ADR_UNMET, ADR_MET, ADR_MOVED, or an error, which ends the wait. It may poll so often at a stretch, once at least.
   */
  int (*is_met)(void *subject, int32_t polls);
  /* The rank whose absence keeps it from ever being met, ADR_NOBODY. Asked about every 100 ms of a wait. */
  int (*missing)(void *subject);
  /* That rank is gone, and all that it had sent is in: returns the error that the wait ends with. */
  int (*fail)(void *subject, int gone);
  /* A number that changes whenever something moves that it depends on, at this rank or another: bytes of a long message
   * or of a collective. NULL: nothing does. Asked about every 100 ms of a wait. */
  int64_t (*moves)(const void *subject);
  struct adr_waiting (*waiting)(const void *subject);
  const char *what; /* in words: "a send" */
  bool moves_on;    /* is_met moves everything on by itself */
  bool is_on_words; /* others bring it about by words in shared memory, and wake by adr_word_sleeper_wake */
  bool is_untold;   /* some of these wake nobody: it naps, rather than sleeps until it is woken */
};

/* What is done for a rank during every wait. Twin of io.adrastea.wait.Upkeep and of io.adrastea.core.Sleeper. */
struct adr_upkeep {
  /* Moves things on. Returns 0 or more, or an error. */
  int (*step)(void *owner);
  /* Finds out which ranks are gone, and sees to what they left. Returns 0; 1: some of what they had sent may still
   * come; or an error. */
  int (*check)(void *owner);
  /* Whether no wait has an end any more: an error, or 0. `what`: what will not complete. */
  int (*over)(void *owner, const char *what);
  /* Tells of a wait in which nothing has moved for long, at each check (`anew`: it was not told before, or something
   * has moved since); logs it, once; and tells that it is over, or that something moves. */
  void (*tell)(void *owner, struct adr_waiting waiting, bool anew);
  void (*log)(void *owner, struct adr_waiting waiting);
  void (*forget)(void *owner);
  /* These do what the functions of adrastea/channel.h do. */
  int64_t (*announce_sleep)(void *owner);
  void (*sleep)(void *owner, int64_t word, int64_t nanos);
  void (*end_sleep)(void *owner);
  void (*give_way)(void *owner, int64_t now);
  void (*works_until)(void *owner, int64_t time);
  int (*was_given_way)(void *owner, int64_t since);
  int (*avoid_shared_cpu)(void *owner, int32_t other);
};

/* How the threads of a rank wait, one at a time. With a gate each wait lets others in whenever it rests, and keeps its
 * waiter to itself meanwhile; then it naps where it would sleep until it is woken, since whoever wakes first says that
 * the rank is awake; and it stays out of the rank table, since another thread may end it. */
struct adr_wait {
  struct adr_waiter waiter; /* of the thread that is inside */
  struct adr_gate *gate;    /* NULL: there is one thread */
  const struct adr_upkeep *upkeep;
  void *owner;
  struct adr_rank_entry *entry; /* of the rank */
  bool sleeps_on_words;         /* it has said so there */
  bool all_wake;                /* every rank can wake others */
  int64_t hang_nanos;           /* after which a wait that stands still is told of; 0: none is */
};

/* Waits for a condition that one other rank brings about, or any: -1. Returns ADR_MET; ADR_UNMET: the limit of the
 * waiter has come (adr_waiter_limit); or an error of the condition or of the upkeep. */
int adr_wait_for(struct adr_wait *wait, int32_t other, const struct adr_condition *condition, void *subject);

/* Waits likewise for a condition that all other ranks have to bring about. */
int adr_wait_for_all(struct adr_wait *wait, const struct adr_condition *condition, void *subject);
