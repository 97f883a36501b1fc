/* The queue and its producers that die: native/queue/adr_mpsc_queue.h and adr_queue_repair (MpscQueue.java,
 * QueueRepair.java).
 *
 * PRODUCERS ranks send MESSAGES messages each, in cells out of one pool, so that cells are used again by others
 * (what a free queue does); DEATHS of them die at any step. One dequeuer takes messages with peek and advance
 * (the cell stays in the queue in between, as in the channel), sets aside what comes before its turn, and
 * repairs.
 *
 * Checked: every message of the living arrives exactly once and in order, and so does every message of the dead
 * whose intent was written; no cell is lost (but the one in the hands of a rank that died before its intent) or
 * in two places; repair ends, and nothing hangs (a step that waits for ever is an invalid end state). A mutant,
 * -DMUTANT_..., must fail.
 *
 * Abstractions, beside those of queue_steps.pml: a cell goes back to the pool in one step; the walks along
 * `next` in a repair are one step: up to T, where they stop, nothing changes any more, since they come after
 * the wait for the living. Size: quick 2 producers with 2 messages, 2 deaths; proof: see
 * CMakeLists.txt. */
#ifndef PRODUCERS
#define PRODUCERS 2
#define MESSAGES 2
#define DEATHS 2
#define CELLS 3
#endif
#define RANKS (PRODUCERS + 1) /* the last one is the dequeuer */
#define QUEUES 1
#define Q 0
#define MORTAL(rank) (rank < PRODUCERS)

#define BEGUN(c) begun[me]++; in_hand[me] = false
#define NOTE_RUNS \
  if \
  :: !intact && R0 == 0 -> c_code { case_reached(1, "dead after its swap on an empty queue"); } \
  :: else \
  fi; \
  if \
  :: intact && heads != 0 && T == 0 -> c_code { case_reached(6, "dead before its swap, the queue empty"); } \
  :: else \
  fi; \
  if \
  :: intact && heads != 0 && T != 0 -> c_code { case_reached(7, "dead before its swap, the queue not empty"); } \
  :: else \
  fi; \
  if \
  :: !intact && dead_unswapped -> c_code { case_reached(4, "two dead, one before and one after its swap"); } \
  :: else \
  fi

#define unswapped(p) (state[p] == FAILED && intent_cell[p] != 0 && !swapped[p] && (heads & BIT(intent_cell[p])))

byte begun[RANKS];    /* ghost: messages whose intent was written */
bool in_hand[RANKS];  /* ghost: holds a cell that no intent names */
bool finished[RANKS];
byte source[CELLS + 1];
byte number[CELLS + 1];
short pool;

#define over(p) (finished[p] || state[p] == FAILED)
#define to_repair(p) (state[p] == FAILED && intent_cell[p] != 0)
#if PRODUCERS == 2
#define FOR_ANY(what) (what(0) || what(1))
#define FOR_ALL(what) (what(0) && what(1))
#else
#define FOR_ANY(what) (what(0) || what(1) || what(2))
#define FOR_ALL(what) (what(0) && what(1) && what(2))
#endif
#define dead_unswapped FOR_ANY(unswapped)

#include "queue_steps.pml"

proctype Producer(byte me) {
  byte c, previous, sent;
  do
  :: sent < MESSAGES ->
     atomic {
       pool != 0 -> c = 1;
       do :: pool & BIT(c) -> break :: else -> c++ od;
       pool = pool & ~BIT(c); in_hand[me] = true; source[c] = me; number[c] = sent
     };
     enqueue(Q, c);
     d_step { sent++; c = 0 }
  :: else -> break
  od;
  finished[me] = true;
gone:
  skip
}

/* Finds out, some time, that a rank is dead. */
active proctype Finder() {
end:
  do
  :: atomic { state[0] == DIED -> state[0] = FAILED }
  :: atomic { state[1] == DIED -> state[1] = FAILED }
#if PRODUCERS > 2
  :: atomic { state[2] == DIED -> state[2] = FAILED }
#endif
  od
}

proctype Dequeuer() {
  byte me = RANKS - 1;
  byte spent, c, previous, successor, i, expected[RANKS], aside[RANKS];
  bool from_head, advanced;
  REPAIR_WORDS;
  do
  :: spent == 0 && (shadow_head[Q] != 0 || head[Q] != 0) ->
     peek(Q, c);
     d_step {
       assert(c != 0 && !(pool & BIT(c)));
       i = source[c];
       assert(number[c] >= expected[i] && !(aside[i] & BIT(number[c]))); /* not twice */
       aside[i] = aside[i] | BIT(number[c]);
       do :: aside[i] & BIT(expected[i]) -> aside[i] = aside[i] & ~BIT(expected[i]); expected[i]++ :: else -> break od;
       spent = c; c = 0; i = 0
     }
  :: spent != 0 && CAN_ADVANCE(Q, spent) ->
     advance(Q, spent);
     if
     :: advanced -> d_step { assert(!(pool & BIT(spent))); pool = pool | BIT(spent); spent = 0; advanced = false }
     :: else
     fi
  :: FOR_ANY(to_repair) -> repair(Q)
  :: FOR_ALL(over) && !FOR_ANY(to_repair) && spent == 0 && shadow_head[Q] == 0 && head[Q] == 0 -> break
  od;
  atomic {
    assert(tail[Q] == 0);
    i = 0; c = 0;
    do
    :: i < PRODUCERS ->
       assert(expected[i] == begun[i] && aside[i] == 0);
       if :: finished[i] -> assert(expected[i] == MESSAGES) :: else fi;
       if :: in_hand[i] -> c++ :: else fi;
       i++
    :: else -> break
    od;
    i = 1;
    do :: i <= CELLS -> if :: pool & BIT(i) -> c++ :: else fi; i++ :: else -> break od;
    assert(c == CELLS)
  };
gone:
  skip
}

init {
  atomic {
    byte p;
    pool = BIT(CELLS + 1) - 2;
    do :: p < PRODUCERS -> run Producer(p); p++ :: else -> break od;
    run Dequeuer()
  }
}
