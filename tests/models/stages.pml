/* Collectives through stages: native/coll/adr_coll_stages.c and adr_slot.h (StageMoves.java, Slot.java).
 *
 * RANKS members take COLLECTIVES of STEPS rounds each, each of a kind that the first one to begin it chooses: a bcast
 * of the first member or of the last, an allgather (an allreduce that everybody combines goes alike), an allreduce
 * whose parts OWNERS combine, or a reduce of that kind (native/coll/adr_coll_fold.c) whose root is the last member. The
 * stage of a member has quarters, which collectives use in turn: two here, so that they are used again within few
 * collectives. A quarter is a ring of buffers: as few here as are enough, 1 where parts are combined, 2 in a bcast, and
 * 4 where members fill one ahead. A member may die between any two stores, DEATHS members at most. A member that
 * waits for a dead one is told by the engine and breaks off; one that waits for one that has broken off breaks off too.
 *
 * Checked: what a member reads in a stage is of its collective and round, whoever dies; nobody is said to be gone who
 * had said what is waited for; nothing hangs. The lines, with their room, are those of slot.pml. Memory is sequentially
 * consistent: the orders are argued in docs/memory-model.md. That a line tells of the first step itself, as on the
 * straight path, is one with progress 1 here: both are stores behind the buffer, and readers take either. */
#ifndef RANKS
#define RANKS 2
#define COLLECTIVES 3
#define STEPS 2
#define DEATHS 1
#endif
#ifndef OWNERS
#define OWNERS (RANKS - 1)
#endif

#define QUARTERS 2
#define BUFFERS 2
/* Who fills it again knows that all owners have combined what was there, and an owner combines when all have filled
 * it, and so copied the parts of the round before. */
#define BUFFERS_OF_PARTS 1
#define BUFFERS_AHEAD 4 /* a member that has seen that all have filled round r knows that all have read r - 2 */

#define FIRST 1
#define LAST 2
#define GATHER 3
#define PARTS 4
#define REDUCE 5

/* What is filled, or combined, in a round. */
#define OF(round) (s * 16 + (round))
#define QUARTER (s % QUARTERS)
#define BUFFERS_OF(kind) (kind == GATHER -> BUFFERS_AHEAD : (kind >= PARTS -> BUFFERS_OF_PARTS : BUFFERS))
#define AT(round) (QUARTER * BUFFERS_AHEAD + (round) % BUFFERS_OF(kinds[s]))

typedef Member {
  byte stage[QUARTERS * BUFFERS_AHEAD];
  byte result[QUARTERS * BUFFERS_AHEAD]; /* behind the operand in a buffer */
  byte progress[COLLECTIVES + 1];
  byte done;
  bool broken;
  bool dead
};
Member member[RANKS];
byte kinds[COLLECTIVES + 1];
bool stages; /* are allocated, and published by member 0 */
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

inline all_have_begun() {
#ifdef MUTANT_LEAST_AHEAD
  least = s
#else
  least = (least < s - 1 -> s - 1 : least)
#endif
}

/* The quarter is free once every member has done the collective that used it before. */
inline prepare() {
  if
  :: me == 0 && !stages -> stages = true
  :: me != 0 || stages -> AWAIT(stages, 0)
  fi;
#ifndef MUTANT_QUARTER_IN_USE
  if
  :: s > QUARTERS && least < s - QUARTERS ->
     at = 0;
     do
     :: at < RANKS ->
        if :: member[at].done < s - QUARTERS -> c_code { case_reached(2, "a quarter is not free yet"); } :: else fi;
        AWAIT(member[at].done >= s - QUARTERS, at);
        at++
     :: else -> break
     od;
     atomic { least = s - QUARTERS; at = 0 }
  :: else
  fi
#endif
}

inline fill(steps) {
#ifdef MUTANT_PROGRESS_FIRST
  member[me].progress[s] = steps;
  may_die();
  member[me].stage[AT(filled)] = OF(filled);
  filled++;
#else
  member[me].stage[AT(filled)] = OF(filled);
  may_die();
  atomic { member[me].progress[s] = steps; filled++ }
#endif
  may_die()
}

#ifdef MUTANT_AHEAD_TWO
#define AHEAD 2
#else
#define AHEAD 1
#endif

#ifdef MUTANT_ROOT_AHEAD
#define READ_BEFORE(round) ((round) - BUFFERS)
#else
#define READ_BEFORE(round) ((round) - BUFFERS + 1)
#endif

/* The root of a bcast. */
inline lead() {
  do
  :: round < STEPS ->
     at = 0;
     do
     :: round >= BUFFERS && at < RANKS ->
        if
        :: at == me
        :: at != me ->
           if
           :: member[at].progress[s] < READ_BEFORE(round) -> c_code { case_reached(3, "a root is ahead"); }
           :: else
           fi;
           SEE(at, READ_BEFORE(round))
        fi;
        at++
     :: else -> break
     od;
     at = 0;
     fill(round + 1);
     round++
  :: else -> break
  od
}

inline follow(root) {
  do
  :: round < STEPS ->
     SEE(root, round + 1);
     if :: RANKS == 2 -> all_have_begun() :: else fi;
#ifdef MUTANT_DONE_EARLY
     if :: round == STEPS - 1 -> member[me].done = s :: else fi;
#endif
#ifdef MUTANT_SAYS_FIRST
     member[me].progress[s] = round + 1;
     assert(member[root].stage[AT(round)] == OF(round));
#else
     assert(member[root].stage[AT(round)] == OF(round));
     member[me].progress[s] = round + 1;
#endif
     may_die();
     round++
  :: else -> break
  od
}

inline gather() {
  do
  :: round < STEPS ->
     do
     :: filled < round + 1 + AHEAD && filled < STEPS -> fill(filled + 1)
     :: else -> break
     od;
     at = 0;
     do
     :: at < RANKS ->
        if
        :: at == me
        :: at != me ->
           SEE(at, round + 1);
           assert(member[at].stage[AT(round)] == OF(round));
           if
           :: member[at].progress[s] > round + 1 -> c_code { case_reached(4, "one fills while others read"); }
           :: else
           fi
        fi;
        at++
     :: else -> break
     od;
     atomic { at = 0; all_have_begun(); round++ }
  :: else -> break
  od
}

/* Whether this member copies the parts: all do, of a reduce the root. */
#define COLLECTS (kinds[s] == PARTS || me == RANKS - 1)

/* Owners have combined what this member's buffer holds of the round before; one that copies the parts has seen that. */
inline see_free() {
#ifdef MUTANT_REDUCE_AHEAD
  skip
#else
  at = 0;
  do
  :: !COLLECTS && round > 0 && at < OWNERS ->
     if
     :: at == me
     :: at != me -> SEE(at, 2 * round)
     fi;
     at++
  :: else -> break
  od
#endif
}

/* Owners combine a part each of the operands of all, and all copy the parts, or the root does. */
inline parts() {
  do
  :: round < STEPS ->
     see_free();
     fill(2 * round + 1);
     if
     :: me < OWNERS ->
#ifdef MUTANT_COMBINES_EARLY
        member[me].result[AT(round)] = 0;
#else
        if
        :: round == 0 -> member[me].result[AT(round)] = 0 /* it begins while others fill theirs */
        :: else
        fi;
#endif
        at = 0;
        do
        :: at < RANKS ->
           if
           :: at == me
           :: at != me ->
              SEE(at, 2 * round + 1);
              assert(member[at].stage[AT(round)] == OF(round))
           fi;
           at++
        :: else -> break
        od;
        atomic { at = 0; all_have_begun() };
#ifdef MUTANT_PART_FIRST
        member[me].progress[s] = 2 * round + 2;
        may_die();
        member[me].result[AT(round)] = OF(round);
#else
        member[me].result[AT(round)] = OF(round);
        may_die();
        member[me].progress[s] = 2 * round + 2;
#endif
        may_die()
     :: else
     fi;
#ifndef MUTANT_PARTS_LEFT
     at = 0;
     do
     :: COLLECTS && at < OWNERS ->
        if
        :: at == me
        :: at != me ->
           SEE(at, 2 * round + 2);
           assert(member[at].result[AT(round)] == OF(round))
        fi;
        at++
     :: else -> break
     od;
#endif
     atomic { at = 0; round++ }
  :: else -> break
  od
}

proctype Rank(byte me) {
  byte s, at, least, round, filled;
  s = 1;
  do
  :: s <= COLLECTIVES ->
     if
     :: atomic { kinds[s] == 0 -> kinds[s] = FIRST }
     :: atomic { kinds[s] == 0 -> kinds[s] = LAST }
     :: atomic { kinds[s] == 0 -> kinds[s] = GATHER }
     :: atomic { kinds[s] == 0 -> kinds[s] = PARTS }
     :: atomic { kinds[s] == 0 -> kinds[s] = REDUCE }
     :: kinds[s] != 0
     fi;
     prepare();
     if
     :: kinds[s] == FIRST && me == 0 || kinds[s] == LAST && me == RANKS - 1 -> lead()
     :: kinds[s] == FIRST && me != 0 -> follow(0)
     :: kinds[s] == LAST && me != RANKS - 1 -> follow(RANKS - 1)
     :: kinds[s] == GATHER -> gather()
     :: kinds[s] >= PARTS -> parts()
     fi;
     member[me].done = s;
     may_die();
     atomic { round = 0; filled = 0; s++ }
  :: else -> c_code { case_reached(5, "one goes through all"); }; goto over
  od;
fails:
  c_code { case_reached(6, "one fails since another is gone"); };
  member[me].broken = true;
over:
  skip
}

init {
  atomic {
    byte r;
    do :: r < RANKS -> run Rank(r); r++ :: else -> break od
  }
}
