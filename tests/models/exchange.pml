/* Exchanges: native/coll/adr_coll_exchange.c and adr_slot.h (ExchangeMoves.java, Slot.java).
 *
 * RANKS members give each other blocks of 0 to MOST rounds, of lengths that the model chooses for each pair: in an
 * alltoall by parts, of which gather, scatter and allgather are cases. Of more than two, one gives, and one answers. A
 * giver puts the same stretch of each block into a ring of BUFFERS buffers, or has its memory read where it lies. A
 * member fills one round ahead of the one in which it reads. Its progress of k + 1 says that it has filled its rounds
 * up to k, and has read all up to k - 2 that there are for it; ALL that it has read everything. Who expects nothing of
 * another does not look at it. A member may die between any two stores, DEATHS members at most. Who waits for a dead
 * one is told by the engine and breaks off; who waits for one that has broken off breaks off too, and its memory is
 * given up.
 *
 * Checked: what a member reads is of its round, whoever dies; memory that is read where it lies is still its giver's,
 * or its giver is known to have broken off; nothing hangs. When a quarter of a cell is free is checked by cells.pml,
 * lines with their room by slot.pml. Memory is sequentially consistent: docs/memory-model.md argues the orders. */
#ifndef RANKS
#define RANKS 2
#define MOST 7
#define DEATHS 1
#endif

#define BUFFERS 4
#define ALL 99
#define LENGTH(from, to) lengths[(from) * RANKS + (to)]
#define AT(round) ((round) % BUFFERS)

typedef Member {
  byte buffers[BUFFERS]; /* the round that was filled last, and 1 */
  byte progress;
  bool straight; /* its memory is read where it lies */
  bool left;     /* it has given its memory up */
  bool broken;
  bool dead
};
Member member[RANKS];
byte lengths[RANKS * RANKS]; /* rounds of each block */
byte deaths;

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
  :: condition -> c_code { case_reached(1, "who is gone had said before"); }; break \
  :: else -> goto fails \
  fi
#endif

/* Waits for a condition that member m brings about. */
#define AWAIT(condition, m) \
  do \
  :: condition -> break \
  :: !(condition) -> \
     (condition || GONE(m)); \
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

/* Fills a buffer once those have read it who had bytes there. */
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
     :: filled < fills && !member[me].straight -> fill()
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

inline take() {
  at = 0;
  do
  :: at < RANKS ->
     if
     :: at != me && LENGTH(at, me) > round && !member[at].straight ->
        SEE(at, round + 1);
        assert(member[at].buffers[AT(round)] == round + 1)
     :: at != me && LENGTH(at, me) > 0 && round == 0 && member[at].straight ->
        SEE(at, 1);
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
  bool gone;
  d_step {
    do
    :: at < RANKS ->
       if :: at != me -> most(fills, LENGTH(me, at)); most(takes, LENGTH(at, me)) :: else fi;
       at++
    :: else -> break
    od;
    at = 0;
    fills = (member[me].straight && fills > 0 -> 1 : fills); /* how long its blocks are */
    rounds = (fills > takes -> fills : takes)
  };
  do
  :: round < rounds -> fill_ahead(); take()
  :: else -> break
  od;
#ifndef MUTANT_ENDS_UNSAID
  if :: takes > 0 -> member[me].progress = ALL :: else fi;
  may_die();
#endif
#ifndef MUTANT_LEAVES_EARLY
  if :: member[me].straight -> await_readers() :: else fi;
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
  member[me].left = true;
#endif
over:
  skip
}

init {
  atomic {
    byte r;
    do
    :: r < RANKS * RANKS ->
       if
       :: lengths[r] = 0
#if RANKS == 2
       :: lengths[r] = 1
       :: lengths[r] = MOST / 2
       :: lengths[r] = MOST
#else /* member 0 gives each another length */
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
       LENGTH(r, r) = 0;
       r++
    :: else -> break
    od;
    r = 0;
    do :: r < RANKS -> run Rank(r); r++ :: else -> break od
  }
}
