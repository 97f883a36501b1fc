/* Bytes that a member cannot reach: native/coll/adr_coll_relay.c and adr_slot.h (RelayMoves.java, Slot.java).
 *
 * ASKERS members read PIECES pieces each of the memory of member 0, the owner, or write them there, as the model
 * chooses for each; the first of them also owns memory that the owner reads or writes through its own end of a quarter.
 * Each member has one place for bytes at the end of its quarter. The one that asks says an odd number, and an even one
 * when it is through with the piece; the owner says for whom it has copied which number. A member copies for others
 * where it waits itself.
 *
 * Checked: what a member takes out of a place is what was put there for it; nobody puts bytes over others that are not
 * taken yet; what is written is in the output when it is said to be; nothing hangs. Memory is sequentially consistent:
 * docs/memory-model.md argues the orders. Deaths are checked by direct.pml: a member that waits is told. */
#ifndef ASKERS
#define ASKERS 2
#define PIECES 2
#endif

#define RANKS (ASKERS + 1)
#define OWNER_OF(m) (m == 0 -> 1 : 0)
#define NOBODY 9
#define BYTES(asker, piece) (1 + asker * PIECES + piece)

typedef Member {
  byte wants;      /* number: odd, it asks */
  bool writes;     /* it asks to write; else to read */
  byte piece;      /* which it asks for */
  byte copied_for; /* member, and its number */
  byte copied;
  byte place;   /* bytes at the end of its quarter; 0: none that matter */
  byte output;  /* what was written to its output last */
  bool through; /* with all that it asks for */
};
Member member[RANKS];

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

/* Whether this member has copied for one that has not said that it is through. */
#ifdef MUTANT_NEXT_EARLY
#define IS_TAKEN false
#else
#define IS_TAKEN (served != NOBODY && member[served].wants == served_number)
#endif

/* Whether its own bytes are at the end of its quarter. */
#ifdef MUTANT_OVER_OWN
#define HAS_OWN false
#else
#define HAS_OWN (own)
#endif

#define WANTED(m) \
  (m != me && (member[m].wants & 1) != 0 && OWNER_OF(m) == me && !IS_TAKEN && (member[m].writes || !HAS_OWN))

inline copy_for(m) {
  served = m;
  served_number = member[m].wants;
#ifdef MUTANT_SAYS_FIRST
  d_step { member[me].copied_for = m; member[me].copied = served_number };
#endif
  if
  :: member[m].writes -> member[me].output = member[m].place; c_code { case_reached(2, "an owner is written"); }
  :: !member[m].writes -> member[me].place = BYTES(m, member[m].piece)
  fi;
#ifndef MUTANT_SAYS_FIRST
  d_step { member[me].copied_for = m; member[me].copied = served_number }
#endif
}

#if ASKERS > 1
#define SERVE_OTHERS :: WANTED(2) -> copy_for(2)
#else
#define SERVE_OTHERS
#endif

/* Copies for others until a condition holds. */
#ifdef MUTANT_WAITS_ALONE
#define AWAIT(condition) (condition)
#else
#define AWAIT(condition) \
  do \
  :: condition -> break \
  :: !(condition) -> \
     if \
     :: WANTED(0) -> copy_for(0) \
     :: WANTED(1) -> copy_for(1) \
     SERVE_OTHERS \
     :: condition -> skip \
     fi \
  od
#endif

inline ask(owner) {
  if
  :: writes ->
     AWAIT(!IS_TAKEN);
     own = true;
     member[me].place = BYTES(me, piece)
  :: else
  fi;
#ifdef MUTANT_WANTS_FIRST
  member[me].wants++;
  d_step { member[me].writes = writes; member[me].piece = piece };
#else
  d_step { member[me].writes = writes; member[me].piece = piece };
  member[me].wants++;
#endif
#ifdef MUTANT_OVER_EARLY
  AWAIT(member[owner].copied_for == me && member[owner].copied == member[me].wants);
  member[me].wants++;
  taken = member[owner].place;
#else
  AWAIT(member[owner].copied_for == me && member[owner].copied == member[me].wants);
  taken = member[owner].place;
#endif
  if
  :: !writes -> assert(taken == BYTES(me, piece)); c_code { case_reached(1, "one reads by its owner"); }
  :: writes -> assert(member[me].place == BYTES(me, piece)); assert(member[owner].output == BYTES(me, piece))
  fi;
  own = false;
#ifndef MUTANT_OVER_EARLY
  member[me].wants++
#endif
}

#define ALL_THROUGH (member[0].through && member[1].through && member[RANKS - 1].through)

proctype Rank(byte me) {
  byte piece, served, served_number, taken;
  bool writes, own;
  served = NOBODY;
  do
  :: piece < PIECES ->
     if
     :: writes = true
     :: writes = false
     fi;
     ask(OWNER_OF(me));
     piece++
  :: else -> break
  od;
  member[me].through = true;
  AWAIT(ALL_THROUGH);
  c_code { case_reached(3, "one goes through all"); }
}

init {
  atomic {
    byte r;
    do
    :: r < RANKS -> member[r].copied_for = NOBODY; run Rank(r); r++
    :: else -> break
    od
  }
}
