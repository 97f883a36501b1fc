/* Collectives straight from the members' memory: native/coll/adr_coll_direct.c and adr_slot.h (DirectMoves.java,
 * Slot.java).
 *
 * RANKS members take COLLECTIVES, each of a kind that the first one to begin it chooses: a bcast of the last member, of
 * which the others read part 0 and it writes part 1 of theirs, an allgather in which each reads, of two members one in
 * which each writes its part of the other's memory, or an allreduce in place, of a part for each member, of two members
 * also one in which each writes its part of the other's memory. A member's program writes over its memory as soon as it
 * has left, in order or not. A member may die between any two stores, or be interrupted where it waits, GONE_MOST
 * members at most. A member that waits for one that is gone breaks off, and says so before its program has its memory
 * again. Of two members it may then close: the other finds it closed, not broken.
 *
 * Checked: what a collective that ends well has read is what the members gave; nobody writes memory that its program
 * has again; nobody is said to be gone who had said what is waited for; nothing hangs. Memory is sequentially
 * consistent: the orders are argued in docs/memory-model.md. */
#ifndef RANKS
#define RANKS 3
#define COLLECTIVES 2
#define GONE_MOST 1
#endif

#define BCAST 1
#define GATHER 2
#define ALLREDUCE 3
#define GATHER_WRITTEN 4
#define ALLREDUCE_WRITTEN 5

#define NOTHING 0 /* the program has written something else */
#define GIVEN (2 * s)
#define COMBINED (2 * s + 1)
#define WRITTEN (2 * s + 1) /* as what is combined: it is written where it belongs */

typedef Member {
  byte memory[RANKS]; /* its parts: an input, which the result of an allreduce replaces */
  byte head;
  byte progress[COLLECTIVES + 1];
  byte writes; /* number + 1 of the member whose memory it writes; 0: of none */
  bool taken;  /* the program has its memory again */
  bool broken;
  bool closed; /* after it has broken off, which nobody sees any more then */
  bool dead
};
Member member[RANKS];
byte kinds[COLLECTIVES + 1];
byte gone;

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

#ifdef MUTANT_CLOSED_TRUSTED
#define LEFT(m) member[m].broken
#else
#define LEFT(m) (member[m].broken || member[m].closed)
#endif
#define GONE(m) (member[m].dead || member[m].broken || member[m].closed)

inline may_die() {
  if
  :: d_step { gone < GONE_MOST -> gone++; member[me].dead = true }; goto over
  :: true
  fi
}

/* Waits for a condition that member m brings about. */
#define AWAIT(condition, m) \
  do \
  :: condition -> break \
  :: !(condition) -> \
     if \
     :: d_step { gone < GONE_MOST -> gone++ }; goto fails /* interrupted */ \
     :: (condition || GONE(m)) \
     fi; \
     if \
     :: GONE(m) -> SECOND_LOOK(condition) \
     :: !GONE(m) \
     fi \
  od

#ifdef MUTANT_NO_SECOND_LOOK
#define SECOND_LOOK(condition) assert(!(condition)); goto fails
#else
#define SECOND_LOOK(condition) \
  if \
  :: condition -> c_code { case_reached(1, "one that is gone had said it before"); }; break \
  :: else -> goto fails \
  fi
#endif

#define SEE(m, steps) AWAIT(member[m].progress[s] >= (steps), m)

inline see_all(steps) {
  at = 0;
  do
  :: at < RANKS ->
     if :: at == me :: at != me -> SEE(at, steps) fi;
     at++
  :: else -> break
  od;
  at = 0
}

inline give() {
  d_step {
    at = 0;
    do :: at < RANKS -> member[me].memory[at] = GIVEN; at++ :: else -> break od;
    member[me].taken = false;
    at = 0
  }
}

/* The program has its memory again. */
inline take_back() {
  d_step {
    at = 0;
    do :: at < RANKS -> member[me].memory[at] = NOTHING; at++ :: else -> break od;
    member[me].taken = true;
    at = 0
  }
}

inline read_lines() {
  at = 0;
  do
  :: at < RANKS ->
     AWAIT(member[at].head >= s, at);
     at++
  :: else -> break
  od;
  at = 0
}

/* Reads a part of a member's memory, which should be `expected`; that of a dead one may be there, or not. */
inline read(m, part, expected) {
  if
  :: d_step {
       wrong = wrong || member[m].memory[part] != (expected);
       if
       :: member[m].memory[part] != (expected) -> c_code { case_reached(2, "memory of one that has left is read"); }
       :: else
       fi
     }
  :: member[m].dead -> goto fails
  fi
}

/* Looks whether members were still there after their memory was read. */
inline trust(first, last) {
#ifndef MUTANT_NO_LOOK
  at = first;
  do
  :: at <= last ->
     if
     :: LEFT(at) -> c_code { case_reached(3, "one had broken off"); }; goto fails
     :: !LEFT(at)
     fi;
     at++
  :: else -> break
  od;
  at = 0
#else
  skip
#endif
}

inline say(steps) {
  member[me].progress[s] = steps;
  may_die()
}

inline look_before_writing(m) {
  if
  :: LEFT(m) ->
     c_code { case_reached(6, "one that was to be written had broken off"); };
     member[me].writes = 0;
     goto fails
  :: !LEFT(m)
  fi
}

/* Writes a part of a member's memory. */
inline write(m, part) {
#ifdef MUTANT_WRITE_LOOKED_BEFORE
  look_before_writing(m);
#endif
#ifndef MUTANT_WRITE_UNSAID
  member[me].writes = m + 1;
#endif
  may_die();
#ifndef MUTANT_WRITE_LOOKED_BEFORE
  look_before_writing(m);
#endif
  if
  :: d_step { assert(!member[m].taken); member[m].memory[part] = WRITTEN }
  :: member[m].dead -> member[me].writes = 0; goto fails
  fi;
  member[me].writes = 0
}

/* After this one has broken off: nobody that lives writes its memory. */
inline await_writers() {
#ifndef MUTANT_LEAVE_WHILE_WRITTEN
  at = 0;
  do
  :: at < RANKS ->
     if
     :: member[at].writes == me + 1 && !member[at].dead -> c_code { case_reached(7, "one waits for a writer"); }
     :: member[at].writes != me + 1 || member[at].dead
     fi;
     (member[at].writes != me + 1 || member[at].dead);
     at++
  :: else -> break
  od;
  at = 0
#else
  skip
#endif
}

inline bcast() {
  if
  :: me == RANKS - 1 ->
     at = 0;
     do
     :: at < RANKS - 1 -> write(at, 1); at++
     :: else -> break
     od;
     say(1);
#ifndef MUTANT_LEAVE_EARLY
     see_all(1)
#endif
  :: else ->
#ifdef MUTANT_SAY_FIRST
     say(1);
#endif
#ifdef MUTANT_LOOK_BEFORE
     trust(RANKS - 1, RANKS - 1);
     read(RANKS - 1, 0, GIVEN);
#else
     read(RANKS - 1, 0, GIVEN);
     trust(RANKS - 1, RANKS - 1);
#endif
#ifndef MUTANT_SAY_FIRST
     say(1);
#endif
#ifndef MUTANT_LEAVE_UNWRITTEN
     SEE(RANKS - 1, 1);
#endif
     wrong = wrong || member[me].memory[1] != WRITTEN
  fi
}

inline gather() {
  at = 0;
  do
  :: at < RANKS ->
     if :: at == me :: at != me -> read(at, 0, GIVEN) fi;
     at++
  :: else -> break
  od;
  trust(0, RANKS - 1);
  say(1);
#ifndef MUTANT_LEAVE_ALLGATHER
  see_all(1)
#endif
}

inline gather_written() {
  at = 0;
  do
  :: at < RANKS ->
     if :: at == me :: at != me -> write(at, me) fi;
     at++
  :: else -> break
  od;
  say(1);
#ifndef MUTANT_LEAVE_UNWRITTEN
  see_all(1);
#endif
  d_step {
    at = 0;
    do
    :: at < RANKS -> wrong = wrong || (at != me && member[me].memory[at] != WRITTEN); at++
    :: else -> break
    od;
    at = 0
  };
  c_code { case_reached(8, "all have written the others' memory"); }
}

inline allreduce() {
  at = 0;
  do
  :: at < RANKS -> read(at, me, GIVEN); at++
  :: else -> break
  od;
  trust(0, RANKS - 1);
#ifdef MUTANT_COMBINED_FIRST
  say(1);
  member[me].memory[me] = (wrong -> NOTHING : COMBINED);
#else
  member[me].memory[me] = (wrong -> NOTHING : COMBINED);
  say(1);
#endif
  at = 0;
  do
  :: at < RANKS ->
     if
     :: at == me
     :: at != me ->
#ifndef MUTANT_OWNER_AHEAD
        SEE(at, 1);
#endif
        read(at, at, COMBINED);
        member[me].memory[at] = COMBINED
     fi;
     at++
  :: else -> break
  od;
  trust(0, RANKS - 1);
  say(2);
#ifdef MUTANT_LEAVE_COMBINED
  see_all(1)
#else
  see_all(2)
#endif
}

/* Each of two combines its part, and writes it to the other's memory. */
inline allreduce_written() {
  at = 0;
  do
  :: at < RANKS -> read(at, me, GIVEN); at++
  :: else -> break
  od;
  member[me].memory[me] = (wrong -> NOTHING : COMBINED);
#ifdef MUTANT_SAY_UNWRITTEN
  say(1);
#endif
  write(1 - me, me);
  trust(0, RANKS - 1);
#ifndef MUTANT_SAY_UNWRITTEN
  say(1);
#endif
#ifndef MUTANT_LEAVE_HALVES
  see_all(1);
#endif
  wrong = wrong || member[me].memory[1 - me] != WRITTEN;
  c_code { case_reached(9, "the other's part of an allreduce was written here"); }
}

proctype Rank(byte me) {
  byte s, at;
  bool wrong; /* something that was read is not what its member gave */
  s = 1;
  do
  :: s <= COLLECTIVES ->
     if
     :: atomic { kinds[s] == 0 -> kinds[s] = BCAST }
     :: atomic { kinds[s] == 0 -> kinds[s] = GATHER }
     :: atomic { kinds[s] == 0 -> kinds[s] = ALLREDUCE }
     :: atomic { RANKS == 2 && kinds[s] == 0 -> kinds[s] = GATHER_WRITTEN }
     :: atomic { RANKS == 2 && kinds[s] == 0 -> kinds[s] = ALLREDUCE_WRITTEN }
     :: kinds[s] != 0
     fi;
     give();
     may_die();
     member[me].head = s;
     may_die();
     read_lines();
     if
     :: kinds[s] == BCAST -> bcast()
     :: kinds[s] == GATHER -> gather()
     :: kinds[s] == ALLREDUCE -> allreduce()
     :: kinds[s] == GATHER_WRITTEN -> gather_written()
     :: kinds[s] == ALLREDUCE_WRITTEN -> allreduce_written()
     fi;
     assert(!wrong);
     take_back();
     s++
  :: else -> c_code { case_reached(4, "one goes through all"); }; goto over
  od;
fails:
  c_code { case_reached(5, "one fails since another is gone"); };
#ifdef MUTANT_LEAVE_UNSAID
  take_back();
  member[me].broken = true;
#else
  member[me].broken = true;
  await_writers();
  take_back();
#endif
#if RANKS == 2 /* more have too many states */
  if
  :: d_step { member[me].broken = false; member[me].closed = true }
  :: true
  fi;
#endif
over:
  skip
}

init {
  atomic {
    byte r;
    do :: r < RANKS -> run Rank(r); r++ :: else -> break od
  }
}
