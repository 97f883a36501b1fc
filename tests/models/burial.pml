/* Cells in the hands of a dead rank: native/channel/adr_channel_reclaim.c (PureReclaim.java), on the queue and its
 * repair.
 *
 * Rank A sends its cells to P, and so does B, which may not know that P is dead. P takes cells out of its
 * receive queue QP and gives those of A back to A's free queue FA; it dies at any step, or leaves, and B may
 * die as well. Once A knows that P is gone it poisons QP, waits until the living were seen without an intent
 * there, repairs and drains FA, and sweeps up what has not come back.
 *
 * Checked: all cells of A come back, each once; nobody writes into one afterwards; FA is empty then, and stays
 * so; nothing hangs.
 *
 * Abstractions, beside those of queue_steps.pml: B's cells do not come back, it has one for each message; the
 * pool's counts are left out. What P does with a message is nothing. Size: quick 2 cells of A sent up to 2
 * times, 2 of B, 2 deaths; proof: see CMakeLists.txt. */
#ifndef CELLS_A
#define CELLS_A 2
#define SENDS 2
#define CELLS_B 2
#endif
#define DEATHS 2
#define CELLS (CELLS_A + CELLS_B)
#define RANKS 3
#define QUEUES 2
#define A 0
#define B 1
#define P 2
#define QP 0
#define FA 1
#define MORTAL(rank) (rank != A)
#define BEGUN(c)
#define NOTE_RUNS

#include "queue_steps.pml"

short spare;
bool b_finished;

proctype RankB() {
  byte me = B;
  byte c = CELLS_A, previous;
  do
  :: c < CELLS -> c++; enqueue(QP, c)
  :: true -> break
  od;
  b_finished = true;
gone:
  skip
}

proctype RankP() {
  byte me = P;
  byte c, previous, successor;
  bool from_head, advanced;
  do
  :: shadow_head[QP] != 0 || head[QP] != 0 ->
     peek(QP, c);
     do
     :: CAN_ADVANCE(QP, c) -> advance(QP, c); if :: advanced -> break :: else fi
     :: atomic { deaths < DEATHS -> deaths++; state[me] = DIED; goto gone }
     od;
     advanced = false;
     if :: c <= CELLS_A -> enqueue(FA, c) :: else fi;
     c = 0
  :: state[P] == ATTACHED -> state[P] = FAILED; goto gone /* leaves: LEFT is no other than FAILED here */
  :: atomic { deaths < DEATHS -> deaths++; state[me] = DIED; goto gone }
  od;
gone:
  skip
}

active proctype Finder() {
end:
  do
  :: atomic { state[B] == DIED -> state[B] = FAILED }
  :: atomic { state[P] == DIED -> state[P] = FAILED }
  od
}

inline dequeue_all(q) {
  do
  :: shadow_head[q] != 0 || head[q] != 0 ->
     peek(q, c);
     if
     :: CAN_ADVANCE(q, c) ->
        advance(q, c);
        if
        :: advanced -> d_step { assert(!(spare & BIT(c))); spare = spare | BIT(c); advanced = false }
        :: else -> break
        fi
     :: else -> break /* a link is pending */
     fi
  :: else -> break
  od;
  c = 0
}

inline bury() {
#ifndef MUTANT_NO_POISON
  tail[QP] = 0; /* a SWAP, whose result is of no use */
#endif
#ifndef MUTANT_BURIAL_NO_WAIT
  do
  :: intent_cell[B] != 0 && intent_queue[B] == QP && state[B] != FAILED ->
     c_code { case_reached(11, "a living rank in its enqueue on the poisoned queue"); };
     (intent_cell[B] == 0 || state[B] == FAILED)
  :: else -> break
  od;
#endif
#ifdef MUTANT_SWEEP_FIRST
  sweep();
#endif
#ifdef MUTANT_NO_REPAIR
  dequeue_all(FA);
#else
  do
  :: tail[FA] == 0 -> break
  :: tail[FA] != 0 -> dequeue_all(FA); repair(FA)
  :: intent_cell[P] != 0 && intent_queue[P] == FA -> repair(FA)
  od;
#endif
#ifndef MUTANT_SWEEP_FIRST
  sweep()
#endif
}

inline sweep() {
  d_step {
    c = 1;
    do
    :: c <= CELLS_A ->
       if
       :: !(spare & BIT(c)) ->
          if
          :: in_queue[c] == QP + 1 -> c_code { case_reached(12, "swept out of the dead rank's queue"); }
          :: else -> c_code { case_reached(13, "swept out of the dead rank's hands"); }
          fi;
          spare = spare | BIT(c); in_queue[c] = 0;
#ifndef MUTANT_SWEEP_KEEPS_GENERATION
          generation[c]++
#endif
       :: else
       fi;
       c++
    :: else -> break
    od;
    c = 0
  }
}

proctype RankA() {
  byte me = A;
  byte c, previous, successor, sends;
  bool from_head, advanced;
  REPAIR_WORDS;
  do
  :: sends < SENDS && state[P] != FAILED && spare != 0 ->
     atomic {
       c = 1;
       do :: spare & BIT(c) -> break :: else -> c++ od;
       spare = spare & ~BIT(c)
     };
     enqueue(QP, c);
     sends++; c = 0
  :: spare == 0 && state[P] != FAILED && (shadow_head[FA] != 0 || head[FA] != 0) -> dequeue_all(FA)
  :: state[P] == FAILED -> break
  od;
  bury();
  /* A later repair finds nothing more to do than to clear an intent: what it names was swept up. */
  if :: intent_cell[P] != 0 && intent_queue[P] == FA -> repair(FA); dequeue_all(FA) :: else fi;
  (b_finished || state[B] == FAILED);
  atomic {
    assert(spare == BIT(CELLS_A + 1) - 2);
    assert(head[FA] == 0 && tail[FA] == 0 && shadow_head[FA] == 0);
  };
gone:
  skip
}

init {
  atomic {
    spare = BIT(CELLS_A + 1) - 2;
    run RankA(); run RankB(); run RankP()
  }
}
