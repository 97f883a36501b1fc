/* Exchanges: native/coll/adr_coll_exchange.c and adr_slot.h (ExchangeMoves.java, Slot.java).
 *
 * RANKS members give each other blocks of 0 to MOST rounds, of lengths that the model chooses for each pair: in an
 * alltoall by parts, of which gather, scatter and allgather are cases. Of more than two, one gives, and one answers. A
 * giver puts the same stretch of each block into a ring of BUFFERS buffers, or has its memory read where it lies. A
 * member fills one round ahead of the one in which it reads. Its progress of k + 1 says that it has filled its rounds
 * up to k, and has read all up to k - 2 that there are for it; ALL that it has read everything. A member that expects
 * nothing of another does not look at it. A member may die between any two stores, DEATHS members at most. One that
 * waits for a dead one is told by the engine and breaks off; one that waits for one that has broken off breaks off too,
 * and its memory is given up.
 *
 * Of two, in a gather to member 0 and in an alltoall, of equal blocks, a giver whose memory the system reaches writes
 * its block to the reader's output, if the reader's line tells where that is; in an alltoall both do, or none. It says
 * before whose memory it writes, looks then whether that one has broken off, and says ALL when it has written. A
 * member that breaks off waits until no living one writes its memory. There a member that waits may also be
 * interrupted, and breaks off, which counts as a death.
 *
 * Checked: what a member reads is of its round, whoever dies; memory that is read where it lies is still its giver's,
 * or its giver is known to have broken off; memory that is given up is not written; an output that was to be written is
 * written when its member ends; nothing hangs. When a quarter of a stage is free is checked by stages.pml, lines with
 * their room by slot.pml. Memory is sequentially consistent: docs/memory-model.md argues the orders. */
#ifndef RANKS
#define RANKS 2
#define MOST 7
#define DEATHS 1
#endif

#define PARTS 0 /* kinds: all by parts; of two, of equal blocks, a gather to member 0, and an alltoall */
#define GATHER 1
#define ALLTOALL 2

#define BUFFERS 4
#define ALL 99
#define LENGTH(from, to) lengths[(from) * RANKS + (to)]
#define AT(round) ((round) % BUFFERS)

typedef Member {
  byte buffers[BUFFERS]; /* the round that was filled last, and 1 */
  byte progress;
  bool posted;
  bool straight; /* its memory is read where it lies, or it writes its block */
  bool told;     /* its output can be written */
  byte writes;   /* number + 1 of the member whose memory it writes; 0: of none */
  bool output;   /* its output was written */
  bool left;     /* it has given its memory up */
  bool broken;
  bool dead
};
Member member[RANKS];
byte lengths[RANKS * RANKS]; /* rounds of each block */
byte deaths;
byte kind;
bool interrupts; /* a member that waits may be interrupted */

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

#define GONE(m) (member[m].dead || member[m].broken)

inline may_die() {
  if
  :: d_step { deaths < DEATHS -> deaths++; member[me].dead = true }; goto over
  :: true
  fi
}

#ifdef MUTANT_NO_SECOND_LOOK
#define SECOND_LOOK(condition) assert(!(condition)); goto fails
#else
#define SECOND_LOOK(condition) \
  if \
  :: condition -> c_code { case_reached(1, "one that is gone had said it before"); }; break \
  :: else -> goto fails \
  fi
#endif

#if RANKS == 2
#define INTERRUPTED d_step { interrupts && deaths < DEATHS -> deaths++ }; goto fails
#else /* another one dies */
#define INTERRUPTED false
#endif

/* Waits for a condition that member m brings about. */
#define AWAIT(condition, m) \
  do \
  :: condition -> break \
  :: !(condition) -> \
     if \
     :: INTERRUPTED \
     :: (condition || GONE(m)) \
     fi; \
     if \
     :: GONE(m) -> SECOND_LOOK(condition) \
     :: !GONE(m) \
     fi \
  od

#define SEE(m, steps) AWAIT(member[m].progress >= (steps), m)

#ifdef MUTANT_FREE_EARLY
#define READ_BEFORE(round) ((round) - 2)
#else
#define READ_BEFORE(round) ((round) - 1)
#endif

#ifdef MUTANT_AHEAD_TWO
#define AHEAD 2
#else
#define AHEAD 1
#endif

#ifdef MUTANT_SAYS_WHILE_IT_FILLS
#define SAYS (filled <= fills)
#else
#define SAYS (filled <= fills || rounds > BUFFERS)
#endif

/* Fills a buffer once those that had bytes there have read it. */
inline fill() {
  at = 0;
  do
  :: at < RANKS ->
     if
     :: at != me && filled >= BUFFERS && LENGTH(me, at) > filled - BUFFERS ->
        if
        :: member[at].progress < READ_BEFORE(filled) -> c_code { case_reached(2, "a giver waits for a reader"); }
        :: member[at].progress == ALL -> c_code { case_reached(3, "a reader is through before its giver"); }
        :: else
        fi;
        SEE(at, READ_BEFORE(filled))
     :: else
     fi;
     at++
  :: else -> break
  od;
  at = 0;
#ifdef MUTANT_SAYS_FIRST
  member[me].progress = filled + 1;
  may_die();
#endif
  member[me].buffers[AT(filled)] = filled + 1;
  may_die()
}

inline fill_ahead() {
  do
  :: filled < round + 1 + AHEAD && filled < rounds ->
     if
     :: filled < fills && (!member[me].straight || kind == GATHER) -> fill()
     :: else
     fi;
     filled++;
     if
     :: SAYS ->
        if :: filled > fills -> c_code { case_reached(4, "one reads more rounds than it fills"); } :: else fi;
        member[me].progress = filled;
        may_die()
     :: else
     fi
  :: else -> break
  od
}

#define CAN_WRITE(from, to) (member[from].straight && member[to].told)

/* Whether a member writes its block to the output of another one. */
#ifdef MUTANT_WRITES_ONE_WAY
#define IS_WRITTEN(from, to) (kind != PARTS && CAN_WRITE(from, to))
#else
#define IS_WRITTEN(from, to) \
  ((kind == GATHER && CAN_WRITE(from, to)) || (kind == ALLTOALL && CAN_WRITE(from, to) && CAN_WRITE(to, from)))
#endif

/* Whether its block is read where it lies. */
#define IS_READ_THERE(from, to) (member[from].straight && kind != GATHER && !IS_WRITTEN(from, to))

inline look_before_writing(m) {
  if
  :: member[m].broken ->
     c_code { case_reached(9, "one that was to be written had broken off"); };
     member[me].writes = 0;
     goto fails
  :: !member[m].broken
  fi
}

inline write_block(m) {
#ifdef MUTANT_SAYS_UNWRITTEN
  member[me].progress = ALL;
#endif
#ifdef MUTANT_WRITES_LOOKED_BEFORE
  look_before_writing(m);
#endif
#ifndef MUTANT_WRITES_UNSAID
  member[me].writes = m + 1;
#endif
  may_die();
#ifndef MUTANT_WRITES_LOOKED_BEFORE
  look_before_writing(m);
#endif
  if
  :: d_step { assert(!member[m].left); member[m].output = true }
  :: member[m].dead -> member[me].writes = 0; goto fails
  fi;
  member[me].writes = 0;
  may_die();
  c_code { case_reached(8, "one writes the other's output"); };
  member[me].progress = ALL;
  may_die()
}

/* Sees whether this member writes its block, before it puts anything into its stage. */
inline settle() {
  if
  :: kind == PARTS || !member[me].straight || fills == 0
  :: else ->
     AWAIT(member[1 - me].posted, 1 - me);
     if
     :: IS_WRITTEN(me, 1 - me) ->
        write_block(1 - me);
        writes = true;
        atomic { fills = 0; rounds = (takes > 0 -> 1 : 0) }
     :: !IS_WRITTEN(me, 1 - me) && kind == ALLTOALL -> atomic { fills = 0; rounds = takes }
     :: else
     fi
  fi
}

/* After this one has broken off: nobody that lives writes its memory. */
inline await_writers() {
#ifndef MUTANT_LEAVES_WHILE_WRITTEN
  at = 0;
  do
  :: at < RANKS ->
     if
     :: member[at].writes == me + 1 && !member[at].dead -> c_code { case_reached(10, "one waits for a writer"); }
     :: else
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

inline take() {
  at = 0;
  do
  :: at < RANKS ->
     if :: kind != PARTS && at != me && LENGTH(at, me) > 0 && round == 0 -> AWAIT(member[at].posted, at) :: else fi;
     if
     :: at != me && LENGTH(at, me) > 0 && IS_WRITTEN(at, me) ->
        if
        :: round == 0 ->
#ifndef MUTANT_LEAVES_UNWRITTEN
           SEE(at, ALL);
#endif
           assert(member[me].output)
        :: else
        fi
     :: at != me && LENGTH(at, me) > round && !IS_WRITTEN(at, me) && !IS_READ_THERE(at, me) ->
        SEE(at, round + 1);
        assert(member[at].buffers[AT(round)] == round + 1)
     :: at != me && LENGTH(at, me) > 0 && round == 0 && IS_READ_THERE(at, me) ->
        if :: kind == PARTS -> SEE(at, 1) :: else fi;
        gone = member[at].left; /* what is read may be anything */
#ifndef MUTANT_NO_LOOK
        if :: member[at].broken -> c_code { case_reached(7, "memory of one that breaks off is read"); }; goto fails
           :: else
        fi;
#endif
        assert(!gone);
        c_code { case_reached(5, "memory is read where it lies"); }
     :: else
     fi;
     at++
  :: else -> break
  od;
  atomic { at = 0; round++ }
}

inline await_readers() {
  at = 0;
  do
  :: at < RANKS ->
     if
     :: at != me && LENGTH(me, at) > 0 -> SEE(at, ALL)
     :: else
     fi;
     at++
  :: else -> break
  od;
  at = 0
}

inline most(result, value) { result = (value > result -> value : result) }

proctype Rank(byte me) {
  byte at, round, filled, fills, rounds, takes;
  bool gone, writes;
  d_step {
    do
    :: at < RANKS ->
       if :: at != me -> most(fills, LENGTH(me, at)); most(takes, LENGTH(at, me)) :: else fi;
       at++
    :: else -> break
    od;
    at = 0;
    if
    :: kind == PARTS && member[me].straight && fills > 0 -> fills = 1 /* how long its blocks are */
    :: else
    fi;
    rounds = (fills > takes -> fills : takes)
  };
  member[me].posted = true;
  may_die();
  settle();
  do
  :: round < rounds -> fill_ahead(); take()
  :: else -> break
  od;
#ifndef MUTANT_ENDS_UNSAID
  if :: takes > 0 && !writes -> member[me].progress = ALL :: else fi;
  may_die();
#endif
#ifndef MUTANT_LEAVES_EARLY
  if :: member[me].straight && kind != GATHER && !writes -> await_readers() :: else fi;
#endif
  member[me].left = true;
  c_code { case_reached(6, "one goes through all"); };
  goto over;
fails:
#ifdef MUTANT_LEAVES_UNSAID
  member[me].left = true;
  member[me].broken = true;
#else
  member[me].broken = true;
  await_writers();
  member[me].left = true;
#endif
over:
  skip
}

init {
  atomic {
    byte r;
#if RANKS == 2
    if
    :: kind = PARTS
    :: kind = GATHER
    :: kind = ALLTOALL
    fi;
    if :: kind != PARTS -> interrupts = true :: true fi;
#endif
    do
    :: r < RANKS * RANKS ->
       if
#if RANKS == 2
       :: kind == PARTS -> lengths[r] = 0
       :: kind == PARTS -> lengths[r] = 1
       :: kind == PARTS -> lengths[r] = MOST / 2
       :: kind == PARTS -> lengths[r] = MOST
       :: kind != PARTS -> lengths[r] = (kind == ALLTOALL || r >= RANKS -> MOST : 0)
#else /* member 0 gives each another length */
       :: lengths[r] = 0
       :: r < RANKS -> lengths[r] = (r == 1 -> 1 : MOST)
       :: r == RANKS -> lengths[r] = 1
#endif
       fi;
       r++
    :: else -> break
    od;
    r = 0;
    do
    :: r < RANKS ->
       if :: RANKS == 2 || r == 0 -> member[r].straight = true :: true fi;
       if :: kind != PARTS -> member[r].told = true :: true fi;
       LENGTH(r, r) = 0;
       r++
    :: else -> break
    od;
    r = 0;
    do :: r < RANKS -> run Rank(r); r++ :: else -> break od
  }
}
