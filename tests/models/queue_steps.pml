/* What queue.pml and burial.pml share: the queue of native/queue/adr_mpsc_queue.h with intents, and its repair,
 * adr_queue_repair. Names are those of the code, but for the repair's own: `collect` to `clear_intents` are its
 * steps in their order. Cells and queues are small numbers instead of offsets, 0 is null.
 *
 * Abstractions: memory is sequentially consistent (orders are the business of tests/litmus and
 * docs/memory-model.md); a store to a word that only one process reads is one step with the access beside it.
 * Every access to a word that others write or read is a step of its own, and between any two of them a rank may
 * die. A dead rank is known for dead at some later time, when `state` says FAILED. */
#define ATTACHED 0
#define DIED 1   /* nobody knows yet */
#define FAILED 2 /* known */

byte next[CELLS + 1];
byte generation[CELLS + 1];
byte head[QUEUES];
byte tail[QUEUES];
byte shadow_head[QUEUES];
byte intent_queue[RANKS];
byte intent_generation[RANKS];
byte intent_cell[RANKS];
byte state[RANKS];
byte deaths;
byte in_queue[CELLS + 1]; /* ghost: 1 + the queue whose tail the cell was swapped into and that it has not left, or 0 */
bool swapped[RANKS]; /* ghost: since its intent was written, the rank's cell has gone into `tail` */

/* Tells once, on the checker's output, that a case which has to be reachable was reached. */
c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

/* A step of a rank that can die before it. */
#define STEP(what) if :: atomic { MORTAL(me) && deaths < DEATHS -> deaths++; state[me] = DIED; goto gone } :: what fi

#define BIT(x) (1 << (x))

/* No cell is in a queue twice, and nobody writes `next` of one that has left it. */
#define ENTERS(q, c) assert(in_queue[c] == 0); in_queue[c] = q + 1
#define STILL_IN(q, c) assert(c == 0 || in_queue[c] == q + 1)

inline enqueue(q, c) {
#ifndef MUTANT_NULL_AFTER
  STEP(next[c] = 0);
#endif
#ifndef MUTANT_NO_INTENT
  STEP(d_step { intent_queue[me] = q; intent_generation[me] = generation[c]; swapped[me] = false });
  STEP(d_step { intent_cell[me] = c; BEGUN(c) });
#else
  d_step { BEGUN(c) };
#endif
#ifdef MUTANT_NULL_AFTER
  STEP(next[c] = 0);
#endif
  STEP(d_step { previous = tail[q]; tail[q] = c; swapped[me] = true; ENTERS(q, c) });
#ifdef MUTANT_CLEAR_EARLY
  STEP(intent_cell[me] = 0);
#endif
  STEP(d_step { STILL_IN(q, previous); if :: previous == 0 -> head[q] = c :: else -> next[previous] = c fi });
  STEP(d_step { intent_cell[me] = 0; previous = 0 })
}

/* One dequeuer, so `shadow_head` is its own. Leaves 0 in `c` when the queue looks empty. */
inline peek(q, c) {
  STEP(d_step { c = shadow_head[q]; from_head = false;
                if :: c == 0 -> c = head[q]; from_head = c != 0; shadow_head[q] = c :: else fi });
#ifndef MUTANT_HEAD_KEPT
  if :: from_head -> STEP(d_step { head[q] = 0; from_head = false }) :: else fi
#endif
}

/* Whether advance may do something; the code tries again later, the model when it is worth it. */
#define CAN_ADVANCE(q, c) (next[c] != 0 || tail[q] == c)

#ifdef MUTANT_GENERATION_KEPT
#define GENERATION_UP(c) skip
#else
#define GENERATION_UP(c) generation[c]++
#endif

/* `advanced`: the cell is out; else a link is pending. */
inline advance(q, c) {
  STEP(successor = next[c]);
  if
  :: successor == 0 ->
#ifdef MUTANT_NO_CAS
     STEP(advanced = tail[q] == c);
     if :: advanced -> STEP(tail[q] = 0) :: else fi;
#else
     STEP(d_step { advanced = tail[q] == c; if :: advanced -> tail[q] = 0 :: else fi });
#endif
     if :: !advanced -> STEP(d_step { successor = next[c]; advanced = successor != 0 }) :: else fi
  :: else -> advanced = true
  fi;
  if
  :: advanced -> STEP(d_step { shadow_head[q] = successor; GENERATION_UP(c); in_queue[c] = 0; successor = 0 })
  :: else
  fi
}

/* Follows `next` from `from` to its end, or to T: `held` is the set of cells, `end` the last of them. */
inline walk(from) {
  held = 0; end = 0; at = from;
  do
  :: at != 0 -> assert((held & BIT(at)) == 0); held = held | BIT(at); end = at;
     if :: at == T -> at = 0 :: else -> at = next[at] fi
  :: else -> break
  od
}

/* S: cells named by current intents of the dead. Outdated ones are cleared. `waited`: the ranks not taken for
 * dead, one snapshot. */
inline collect(q) {
  d_step {
    S = 0; waited = 0; r = 0;
    do
    :: r < RANKS ->
       if
       :: r == me -> skip
       :: r != me && state[r] == FAILED && intent_cell[r] != 0 && intent_queue[r] == q ->
          if
#ifdef MUTANT_NO_GENERATION
          :: true -> S = S | BIT(intent_cell[r])
#else
          :: intent_generation[r] == generation[intent_cell[r]] -> S = S | BIT(intent_cell[r])
          :: else -> c_code { case_reached(3, "dead after the link, its cell dequeued since"); }; intent_cell[r] = 0
#endif
          fi
       :: else -> if :: state[r] != FAILED -> waited = waited | BIT(r) :: else fi
       fi;
       r++
    :: else -> break
    od;
    r = 0
  }
}

/* Sees each living rank without an intent on q. The code returns AGAIN and is called again, the model waits, and starts anew.
 * `passed`: all were seen so at once. */
inline wait_living(q) {
  d_step { r = 0; passed = true };
  do
  :: r < RANKS ->
     if
#ifdef MUTANT_STATE_TWICE
     :: r != me && state[r] != FAILED && intent_cell[r] != 0 && intent_queue[r] == q ->
#else
     :: (waited & BIT(r)) && intent_cell[r] != 0 && intent_queue[r] == q ->
#endif
        c_code { case_reached(8, "a living rank in its enqueue while a dead one is repaired"); };
        (intent_cell[r] == 0 || intent_queue[r] != q || state[r] == FAILED); passed = false; break
     :: else -> r++
     fi
  :: else -> break
  od;
  r = 0
}

/* The run behind each cell of S that no other run holds; `heads` without T's, `last_head` the one whose run has T. */
inline find_runs(q) {
  d_step {
    if :: shadow_head[q] != 0 -> r = shadow_head[q] :: else -> r = head[q] fi;
    walk(r);
    R0 = held; chain_end = end; all = held; heads = 0; last_head = 0; r = 1;
    if :: S & R0 -> c_code { case_reached(2, "dead after the link, its cell still in the queue"); } :: else fi;
    do
    :: r <= CELLS ->
       if
       :: (S & BIT(r)) && !(R0 & BIT(r)) ->
          walk(r);
          heads = (heads | BIT(r)) & ~(held & ~BIT(r));        /* those that this run holds are no heads */
          if :: all & BIT(r) -> heads = heads & ~BIT(r) :: else fi; /* nor is one that an earlier run holds */
          all = all | held
       :: else
       fi;
       r++
    :: else -> break
    od;
    r = 1;
    do
    :: r <= CELLS ->
       if
       :: heads & BIT(r) ->
          walk(r);
          if
          :: T != 0 && end == T -> last_head = r
          :: else -> if :: held & ~S -> c_code { case_reached(5, "two dead in a row, with a living one's cell between"); } :: else fi
          fi
       :: else
       fi;
       r++
    :: else -> break
    od;
    r = 0; held = 0; end = 0;
    intact = T == 0 || chain_end == T;
    assert(intact || last_head != 0); /* else ADR_CORRUPT */
    NOTE_RUNS
  }
}

/* Puts the run that begins at `from` behind what is chained so far. */
inline chain(q, from) {
  if
  :: chain_end == 0 -> d_step { assert(head[q] == 0); shadow_head[q] = from }
  :: else -> d_step { assert(next[chain_end] == 0); next[chain_end] = from }
  fi;
  d_step { if :: in_queue[from] == 0 -> ENTERS(q, from) :: else -> STILL_IN(q, from) fi; walk(from); chain_end = end; held = 0; end = 0 }
}

inline chain_heads(q) {
  d_step { r = 1; if :: last_head != 0 -> heads = heads & ~BIT(last_head) :: else fi };
#ifdef MUTANT_TAIL_FIRST
  chain(q, last_head);
#endif
  do
  :: r <= CELLS -> if :: heads & BIT(r) -> chain(q, r) :: else fi; r++
  :: else -> break
  od;
#ifndef MUTANT_TAIL_FIRST
  chain(q, last_head)
#endif
}

/* The dequeuer's own enqueue: nobody repairs after it, so without an intent. */
inline append(q, c) {
  next[c] = 0;
  d_step { previous = tail[q]; tail[q] = c; ENTERS(q, c) };
  if :: previous == 0 -> head[q] = c :: else -> next[previous] = c fi;
  previous = 0
}

inline append_heads(q) {
  r = 1;
  do
  :: r <= CELLS -> if :: heads & BIT(r) -> append(q, r) :: else fi; r++
  :: else -> break
  od
}

/* Clears the intents that were in S. */
inline clear_intents(q) {
  d_step {
    r = 0;
    do
    :: r < RANKS ->
       if
       :: r != me && state[r] == FAILED && !(waited & BIT(r)) && intent_cell[r] != 0 && intent_queue[r] == q -> intent_cell[r] = 0
       :: else
       fi;
       r++
    :: else -> break
    od;
    r = 0
  }
}

inline repair(q) {
  do
  :: collect(q);
     if
     :: S == 0 -> break
     :: else ->
        T = tail[q];
#ifdef MUTANT_NO_WAIT
        passed = true;
#else
        wait_living(q);
#endif
        if
        :: !passed
        :: else ->
           find_runs(q);
           if :: intact -> append_heads(q) :: else -> chain_heads(q) fi;
           clear_intents(q);
           break
        fi
     fi
  od;
  atomic { S = 0; waited = 0; T = 0; passed = false; R0 = 0; all = 0; heads = 0; last_head = 0; chain_end = 0; r = 0; intact = false }
}

#define REPAIR_WORDS \
  short S, waited, R0, all, heads, held; /* sets of cells, and of ranks */ \
  byte T, chain_end, last_head, end, at, r; \
  bool passed, intact
