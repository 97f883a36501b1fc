/* Sleeping and waking: native/wait/adr_doorbell.{h,c}, channel/adr_channel_sleep.c, and ring_doorbell
 * of channel/adr_channel_send.c.
 *
 * A rank of THREADS threads waits for what two others give it: one by fastbox (a store, then a load of the
 * rank's mark, and of doorbell_sleeping only if the mark is missing), one by queue (a store, then a load of
 * doorbell_sleeping; what goes for a link goes for the barrier's signal, for `released` and for a cell given
 * back). They give BY_BOX and BY_QUEUE things. With two threads, the first waits for the fastbox, the second
 * for the queue, and both sleep on the same word.
 *
 * Each process has a store buffer: its stores reach memory later, in order, at any time, or when it makes a
 * read-modify-write, or when somebody else's membarrier reaches it; one membarrier reaches one process after
 * the other. Loads are made in the order of the program: what a later load reads early on other machines than
 * x86 is, to the others, a store that is delayed.
 *
 * With FENCED each of the two who give may begin to fence what it gives at any moment between two gifts, or never:
 * it does so from then on, and at any moment after that says so in memory. A sleeper that has the word of both uses
 * a fence of its own, any other the barrier. Its own rank's word, which the code asks for too, is taken for given.
 * BY_BOX=0: a rank without fastboxes, which has no marks to take away (and so no read-modify-write that drains its
 * buffer by the way).
 *
 * Checked: no lost wake-up. Sleeps have no end here, so one that nobody ends is an invalid end state. Not in
 * the model: deaths (a ringer that dies before its wake costs one bounded sleep), ranks that cannot ring (their
 * receivers sleep for short stretches), a rank that begins to fence while another thread of its own gives something
 * (it does so under its lock, or before it has others). Size: quick 1 thread with 2 and 1 gifts, 2 threads with 1 and
 * 1, and with FENCED 1 thread with 1 and 1, and with 0 and 2; proof: CMakeLists.txt. */
#ifndef THREADS
#define THREADS 1
#define BY_BOX 2
#define BY_QUEUE 1
#endif

#define BOX 0
#define QUEUE 1
#define SLEEPER 2

/* A ringer's stores, in order: 1, 2, … to its word, and among them, with FENCED, one to its doorbell_fenced. What is
 * in its store buffer is what lies between `reached`, those in memory, and `stored`. */
byte reached[2];
byte stored[2];
#ifdef FENCED
#define NEVER 255
byte said_at[2] = NEVER; /* which of its stores is the one to doorbell_fenced */
bool fences[2];          /* adr_doorbell_fences of its process */
byte fenced_ranks;       /* adr_channel.fenced: ranks below it have said so */
#define fenced(p) (reached[p] > said_at[p])
#define given(p) (reached[p] - fenced(p))
#else
#define given(p) reached[p]
#endif
bool mark_set;
bool doorbell_sleeping;
byte doorbell_word;
chan buffer = [4] of { bit };  /* the sleeping rank's stores to doorbell_sleeping */
bool waiting[THREADS];         /* in the kernel, on the word */
byte sleepers;                 /* threads of the rank between announce and awake; private to it, under its lock */

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

/* Store buffers drain at any time. */
active proctype Drain() {
  bit value;
end:
  do
  :: d_step { reached[BOX] < stored[BOX] -> reached[BOX]++ }
  :: d_step { reached[QUEUE] < stored[QUEUE] -> reached[QUEUE]++ }
  :: d_step { buffer ? value -> doorbell_sleeping = value; value = 0 }
  od
}

inline flush_ringer(p) {
  reached[p] = stored[p]
}

/* Two threads of one rank may run on two CPUs: then each has a buffer; one is enough, since they store to it
 * under a lock. */
inline flush_sleeper() {
  d_step { do :: buffer ? value -> doorbell_sleeping = value :: empty(buffer) -> break od; value = 0 }
}

/* adr_doorbell_wake; a read-modify-write drains the buffer. */
inline wake(p) {
  atomic { flush_ringer(p); old = doorbell_sleeping; doorbell_sleeping = 0 };
  if
  :: old ->
     old = 0;
#ifdef MUTANT_WORD_AFTER_WAKE
     futex_wake();
     doorbell_word++
#else
#ifndef MUTANT_WORD_KEPT
     doorbell_word++;
#endif
     futex_wake()
#endif
  :: else
  fi
}

inline futex_wake() {
#ifdef MUTANT_WAKE_ONE
  atomic { if :: waiting[0] -> waiting[0] = false :: else -> waiting[THREADS - 1] = false fi }
#else
  atomic { waiting[0] = false; waiting[THREADS - 1] = false }
#endif
}

/* adr_doorbell_order */
inline order(p) {
#ifdef FENCED
#ifndef MUTANT_NO_RINGER_FENCE
  if :: fences[p] -> flush_ringer(p) :: else fi
#else
  skip
#endif
#else
  skip
#endif
}

/* adr_doorbell_ring */
inline ring(p) {
  order(p);
  if
  :: doorbell_sleeping -> wake(p)
  :: else
  fi
}

#ifdef FENCED
/* adr_doorbell_enable_fence, in two steps: gifts may come between them. By release: after all that was given before. */
inline say(p) {
  d_step {
#ifdef MUTANT_SAID_RELAXED
    said_at[p] = reached[p]; reached[p]++;
#else
    said_at[p] = stored[p];
#endif
    stored[p]++;
    if :: sleepers > 0 -> c_code { case_reached(4, "said so while the other was about to sleep"); } :: else fi
  }
}

#ifdef MUTANT_SAID_FIRST
#define MAY_FENCE(p) :: said_at[p] == NEVER -> say(p) :: said_at[p] != NEVER && !fences[p] -> fences[p] = true
#else
#define MAY_FENCE(p) :: !fences[p] -> fences[p] = true :: fences[p] && said_at[p] == NEVER -> say(p)
#endif
#else
#define MAY_FENCE(p)
#endif

proctype ByBox() {
  byte i;
  bit old, mark;
  do
  :: i < BY_BOX ->
#ifdef MUTANT_LOAD_EARLY /* what a compiler may make of a release store and a relaxed load with nothing between */
     mark = mark_set;
     stored[BOX]++;
#else
     stored[BOX]++;
     order(BOX);
     mark = mark_set;
#endif
     if
     :: !mark -> atomic { flush_ringer(BOX); mark_set = true }; ring(BOX)
     :: else -> mark = 0
     fi;
     i++
  MAY_FENCE(BOX)
  :: i == BY_BOX -> break
  od
}

proctype ByQueue() {
  byte i;
  bit old;
  do
  :: i < BY_QUEUE -> stored[QUEUE]++; ring(QUEUE); i++
  MAY_FENCE(QUEUE)
  :: i == BY_QUEUE -> break
  od
}

#if THREADS == 1
#define WAITS_FOR(p) true
#else
#define WAITS_FOR(p) (me == p)
#endif
#define wanted(p, all) (WAITS_FOR(p) && got[p] < all)

/* One look: at the queue, and at the fastbox if its mark is set, or at all of them. */
inline look(scan) {
  found = false;
  if :: WAITS_FOR(QUEUE) -> d_step { if :: given(QUEUE) > got[QUEUE] -> got[QUEUE] = given(QUEUE); found = true :: else fi } :: else fi;
  if
  :: WAITS_FOR(BOX) && (scan || mark_set) ->
     d_step { if :: given(BOX) > got[BOX] -> got[BOX] = given(BOX); found = true :: else fi }
  :: else
  fi
}

/* A read-modify-write even where no mark is set: one that sets a mark after it sees that the rank sleeps. */
inline take_marks() {
#if BY_BOX == 0
  skip
#else
#ifdef MUTANT_MARKS_IF_SET
  if :: mark_set -> d_step { flush_sleeper(); mark_set = false } :: else fi
#else
  d_step { flush_sleeper(); mark_set = false }
#endif
#endif
}

inline membarrier() {
  flush_sleeper();
#ifndef MUTANT_OWN_BARRIER
  flush_ringer(BOX);
  flush_ringer(QUEUE)
#endif
}

#ifdef FENCED
#ifdef MUTANT_ONE_RANK_TRUSTED
#define RANKS_ASKED 1
#else
#define RANKS_ASKED 2
#endif
/* is_fenced and pass_barrier */
inline pass_barrier() {
  do
  :: d_step { fenced_ranks < RANKS_ASKED && fenced(fenced_ranks) -> fenced_ranks++ }
  :: else -> break
  od;
  if
  :: fenced_ranks == RANKS_ASKED ->
     relied = true;
#ifndef MUTANT_NO_SLEEPER_FENCE
     flush_sleeper()
#endif
  :: else -> c_code { case_reached(5, "not all had said so"); }; membarrier()
  fi
}
#else
#define pass_barrier membarrier
#endif

/* adr_channel_announce_sleep */
inline announce() {
#ifdef MUTANT_MARKS_FIRST
  take_marks();
#endif
#ifndef MUTANT_WORD_LATE
  word = doorbell_word;
#endif
  d_step { sleepers++; buffer ! 1 };
#ifndef MUTANT_MARKS_KEPT
#ifndef MUTANT_MARKS_FIRST
#ifndef MUTANT_MARKS_LATE
  take_marks();
#endif
#endif
#endif
#ifndef MUTANT_NO_BARRIER
  pass_barrier();
#endif
#ifdef MUTANT_MARKS_LATE
  take_marks();
#endif
}

/* The last one of the rank's sleepers takes the word back: another one is still to be woken. */
inline awake() {
#ifdef MUTANT_AWAKE_ALONE
  d_step { sleepers--; buffer ! 0 }
#else
  d_step { sleepers--; if :: sleepers == 0 -> buffer ! 0 :: else fi }
#endif
}

inline sleep() {
  atomic { if :: doorbell_word == word -> waiting[me] = true :: else -> c_code { case_reached(1, "rung for before it slept"); } fi };
  !waiting[me]
}

proctype Waiter(byte me) {
  byte word;
  byte got[2];
  bool found;
  bool relied; /* on the fences of the others, this time */
  bit value;
  do
  :: !wanted(BOX, BY_BOX) && !wanted(QUEUE, BY_QUEUE) -> break
  :: else ->
     look(false);
     if
     :: found
     :: else ->
        announce();
#ifdef MUTANT_NO_SECOND_LOOK
        found = false;
#else
        look(true);
#endif
#ifdef MUTANT_WORD_LATE
        word = doorbell_word;
#endif
        if
        :: found -> c_code { case_reached(2, "found at the second look"); }
        :: else ->
           sleep();
           c_code { case_reached(3, "woken"); }
           if :: relied -> c_code { case_reached(6, "woken, having relied on fences"); } :: else fi
        fi;
        awake();
        word = 0; found = false; relied = false
     fi
  od
}

init {
  atomic {
    mark_set = true;
    run ByBox(); run ByQueue(); run Waiter(0);
#if THREADS == 2
    run Waiter(1)
#endif
  }
}
