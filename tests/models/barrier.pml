/* The barrier of all ranks: native/barrier/adr_barrier.h (Barrier.java), after [MPICH2 2007, Fig. 2].
 *
 * RANKS ranks go through it ROUNDS times. Each arrives, does other things (says once more that it has arrived),
 * and looks until it is let go.
 *
 * Checked: nobody is let go before all have arrived; the counter never goes beyond the ranks (ADR_CORRUPT);
 * nothing hangs. Memory is sequentially consistent: that the 0 comes before the signal, and the signal before
 * the next count, is what the orders of barrier-counter and barrier-signal are for (docs/memory-model.md). Not
 * in the model: deaths; a rank that waits for a dead one is told by the engine. Size: quick 3 ranks and 3
 * rounds; proof: see CMakeLists.txt. */
#ifndef RANKS
#define RANKS 3
#define ROUNDS 3
#endif

byte counter;
byte signal;
byte arrivals[RANKS]; /* ghost: rounds that the rank has arrived at */

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

/* adr_barrier_arrive */
inline arrive() {
  if
  :: arrived
  :: !arrived ->
#ifdef MUTANT_COUNT_TORN
     before = counter;
     d_step { counter = before + 1; arrivals[me]++ };
#else
     d_step { before = counter; counter++; arrivals[me]++ };
#endif
     assert(before < RANKS);
     arrived = true;
     if
     :: before + 1 == RANKS ->
        c_code { case_reached(1, "the last one"); };
#ifdef MUTANT_SIGNAL_FIRST
        signal = 1 - sense;
        counter = 0
#else
        counter = 0;
        signal = 1 - sense
#endif
     :: else
     fi;
     before = 0
  fi
}

/* adr_barrier_check, until it lets go */
inline look() {
#ifdef MUTANT_SENSE_SHARED
  (counter == 0);
  seen = signal;
#else
  (signal != sense);
  seen = signal;
  assert(seen == 1 - sense);
#endif
  d_step { sense = seen; arrived = false; seen = 0 }
}

proctype Rank(byte me) {
  byte round, before, seen, other;
  byte sense;
  bool arrived;
  do
  :: round < ROUNDS ->
     arrive();
     arrive();
     look();
     d_step {
       other = 0;
       do
       :: other < RANKS -> assert(arrivals[other] > round);
          if :: arrivals[other] > round + 1 -> c_code { case_reached(2, "another one is a round ahead"); } :: else fi;
          other++
       :: else -> break
       od;
       other = 0
     };
     round++
  :: else -> break
  od
}

init {
  atomic {
    byte r;
    do :: r < RANKS -> run Rank(r); r++ :: else -> break od
  }
}
