/* Sleeping on words in shared memory: native/wait/adr_word_sleeper.h with the doorbell of wait/adr_doorbell.h, as
 * wait/adr_wait.c and io.adrastea.wait.Waits use them.
 *
 * A rank of THREADS threads waits for words that two others write, each its own, WRITES times. With two threads, the
 * first waits for the one word, the second for the other, and both sleep on the same doorbell. A writer stores its
 * word, fences, looks whether the rank sleeps on words, and if it does whether it is asleep at its doorbell.
 *
 * Each process has a store buffer: its stores reach memory later, in order, at any time, or when it makes a fence or a
 * read-modify-write, or, with MEMBARRIER, when the sleeper's barrier reaches it. Without MEMBARRIER the announcement's
 * barrier is a fence of the sleeper alone, which is enough, since the writers of words always have one; the code takes
 * either. Loads are made in the order of the program: what a later load reads early on other machines than x86 is, to
 * the others, a store that is delayed.
 *
 * Checked: no lost wake-up. Sleeps have no end here, so one that nobody ends is an invalid end state. Not in the
 * model: deaths (a writer that dies before its wake costs one bounded sleep), ranks that cannot wake (their sleepers
 * sleep for short stretches), messages (doorbell.pml). */
#ifndef THREADS
#define THREADS 1
#define WRITES 2
#endif

#define FLAG 0
#define SLEEPING 1

/* A writer's stores, in order: 1, 2, … to its word. What is in its store buffer lies between the two. */
byte reached[2];
byte stored[2];
bool sleeps_on_words;
bool doorbell_sleeping;
byte doorbell_word;
chan buffer = [8] of { bit, bit }; /* the sleeping rank's stores to the flag and to doorbell_sleeping */
bool waiting[THREADS];             /* in the kernel, on the doorbell's word */
byte sleepers;                     /* threads between announce and awake; private to the rank, under its lock */
byte on_words;                     /* likewise, of WordSleepers */

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

inline store(which, value) {
  if
  :: which == FLAG -> sleeps_on_words = value
  :: else -> doorbell_sleeping = value
  fi
}

/* Store buffers drain at any time. */
active proctype Drain() {
  bit which, value;
end:
  do
  :: d_step { reached[0] < stored[0] -> reached[0]++ }
  :: d_step { reached[1] < stored[1] -> reached[1]++ }
  :: d_step { buffer ? which, value -> store(which, value); which = 0; value = 0 }
  od
}

inline flush_writer(w) {
  reached[w] = stored[w]
}

inline flush_sleeper() {
  d_step {
    do :: buffer ? which, value -> store(which, value) :: empty(buffer) -> break od;
    which = 0; value = 0
  }
}

/* adr_doorbell_wake; a read-modify-write drains the buffer. */
inline wake(w) {
  atomic { flush_writer(w); old = doorbell_sleeping; doorbell_sleeping = 0 };
  if
  :: old ->
     old = 0;
     doorbell_word++;
     atomic { waiting[0] = false; waiting[THREADS - 1] = false }
  :: else
  fi
}

/* adr_word_sleeper_wake */
inline wake_word_sleeper(w) {
#ifndef MUTANT_NO_WRITER_FENCE
  flush_writer(w);
#endif
  if
  :: sleeps_on_words ->
     if
     :: doorbell_sleeping -> wake(w)
     :: else -> c_code { case_reached(4, "said so, and not announced yet"); }
     fi
  :: else
  fi
}

proctype Writer(byte w) {
  byte i;
  bit old;
  do
  :: i < WRITES ->
#ifdef MUTANT_LOOK_FIRST
     flush_writer(w);
     old = sleeps_on_words;
     stored[w]++;
     if :: old -> old = 0; wake_word_sleeper(w) :: else fi;
#else
     stored[w]++;
     wake_word_sleeper(w);
#endif
     i++
  :: i == WRITES -> break
  od
}

#if THREADS == 1
#define WAITS_FOR(w) true
#else
#define WAITS_FOR(w) (me == w)
#endif
#define wanted(w) (WAITS_FOR(w) && got[w] < WRITES)

inline look() {
  found = false;
  if :: WAITS_FOR(0) -> d_step { if :: reached[0] > got[0] -> got[0] = reached[0]; found = true :: else fi } :: else fi;
  if :: WAITS_FOR(1) -> d_step { if :: reached[1] > got[1] -> got[1] = reached[1]; found = true :: else fi } :: else fi
}

/* adr_word_sleeper_begin */
inline begin() {
  d_step { on_words++; buffer ! FLAG, 1 };
#ifndef MUTANT_NO_FENCES
#ifndef MUTANT_FLAG_LATE
  flush_sleeper()
#endif
#endif
}

/* adr_doorbell_announce, and its barrier */
inline announce() {
  word = doorbell_word;
  d_step { sleepers++; buffer ! SLEEPING, 1 };
#ifndef MUTANT_NO_BARRIER
#ifndef MUTANT_NO_FENCES
  flush_sleeper();
#ifdef MEMBARRIER
  flush_writer(0);
  flush_writer(1)
#endif
#endif
#endif
}

inline awake() {
#ifdef MUTANT_END_ALONE
  d_step { on_words--; buffer ! FLAG, 0 };
#else
  d_step { on_words--; if :: on_words == 0 -> buffer ! FLAG, 0 :: else fi };
#endif
  d_step { sleepers--; if :: sleepers == 0 -> buffer ! SLEEPING, 0 :: else fi }
}

inline sleep() {
  atomic { if :: doorbell_word == word -> waiting[me] = true :: else -> c_code { case_reached(1, "rung for before it slept"); } fi };
  !waiting[me]
}

proctype Waiter(byte me) {
  byte word;
  byte got[2];
  bool found;
  bit which, value;
  do
  :: !wanted(0) && !wanted(1) -> break
  :: else ->
     look();
     if
     :: found
     :: else ->
#ifdef MUTANT_FLAG_LATE
        announce();
        begin();
#else
        begin();
        announce();
#endif
#ifdef MUTANT_NO_SECOND_LOOK
        found = false;
#else
        look();
#endif
        if
        :: found -> c_code { case_reached(2, "found at the second look"); }
        :: else -> sleep(); c_code { case_reached(3, "woken"); }
        fi;
        awake();
        word = 0; found = false
     fi
  od
}

init {
  atomic {
    run Writer(0); run Writer(1); run Waiter(0);
#if THREADS == 2
    run Waiter(1)
#endif
  }
}
