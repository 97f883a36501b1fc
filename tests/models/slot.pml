/* Collectives by lines of a slot: native/coll/adr_collective.c, adr_coll.c and adr_slot.h (Collective.java,
 * Member.java, Slot.java).
 *
 * RANKS members take ROUNDS collectives, each of a kind that the first one to begin it chooses: every member reads the
 * lines of all; the lowest reads all and posts a result; one of them is the root of a bcast, and nobody else posts. A
 * member has LINES lines. It may die between any two stores, DEATHS members at most. A member that waits for a
 * dead one is told by the engine and breaks off; one that waits for one that has broken off breaks off too.
 *
 * Checked: what a member reads is of its collective, whoever dies; nobody is said to be gone who had posted what is
 * waited for; nothing hangs. Memory is sequentially consistent: the orders are argued in docs/memory-model.md. */
#ifndef RANKS
#define RANKS 3
#define ROUNDS 3
#define LINES 2
#define DEATHS 1
#endif

#define ALL 100
#define LOWEST 101

typedef Member {
  byte head[LINES];
  byte payload[LINES];
  byte progress[LINES];
  byte result[LINES];
  byte done;
  bool broken;
  bool dead
};
Member member[RANKS];
byte kinds[ROUNDS + 1]; /* ALL, LOWEST, or 1 + the root of a bcast */
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

#define LINE (s % LINES)
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
     :: GONE(m) -> SECOND_LOOK(condition, m) \
     :: !GONE(m) \
     fi \
  od

#ifdef MUTANT_NO_SECOND_LOOK
#define SECOND_LOOK(condition, m) assert(!(condition)); goto fails
#else
#define SECOND_LOOK(condition, m) \
  if \
  :: condition -> c_code { case_reached(1, "one that is gone had posted it before"); }; break \
  :: else -> goto fails \
  fi
#endif

inline read_all() {
  at = 0;
  do
  :: at < RANKS ->
     AWAIT(member[at].head[LINE] == s, at);
     assert(member[at].payload[LINE] == s);
     at++
  :: else -> break
  od;
#ifdef MUTANT_LEAST_AHEAD
  atomic { least = s; at = 0 }
#else
  atomic { least = (least < s - 1 -> s - 1 : least); at = 0 }
#endif
}

/* Room is there once nobody reads the line of LINES collectives ago any more. */
inline get_room() {
#ifndef MUTANT_NO_ROOM
  if
  :: s > LINES && least < s - LINES ->
     at = 0;
     do
     :: at < RANKS ->
        if :: member[at].done < s - LINES -> c_code { case_reached(2, "a line is not free yet"); } :: else fi;
        AWAIT(member[at].done >= s - LINES, at);
        at++
     :: else -> break
     od;
     atomic { least = s - LINES; at = 0 }
  :: else
  fi
#else
  skip
#endif
}

inline post() {
#ifdef MUTANT_HEAD_FIRST
  member[me].head[LINE] = s;
  may_die();
  member[me].payload[LINE] = s;
#else
  member[me].payload[LINE] = s;
  may_die();
  member[me].head[LINE] = s;
#endif
  may_die()
}

inline publish() {
#ifdef MUTANT_PROGRESS_FIRST
  member[me].progress[LINE] = s;
  may_die();
  member[me].result[LINE] = s;
#else
  member[me].result[LINE] = s;
  may_die();
  member[me].progress[LINE] = s;
#endif
  may_die()
}

proctype Rank(byte me) {
  byte s, at, least, root;
  s = 1;
  do
  :: s <= ROUNDS ->
     if
     :: atomic { kinds[s] == 0 -> kinds[s] = ALL }
     :: atomic { kinds[s] == 0 -> kinds[s] = LOWEST }
     :: atomic { kinds[s] == 0 -> kinds[s] = 1 }
     :: atomic { kinds[s] == 0 -> kinds[s] = RANKS }
     :: kinds[s] != 0
     fi;
     if
     :: kinds[s] == ALL ->
        get_room();
        post();
        read_all()
     :: kinds[s] == LOWEST ->
        get_room();
        post();
        if
        :: me == 0 ->
           read_all();
           publish()
        :: else ->
           AWAIT(member[0].progress[LINE] == s, 0);
           assert(member[0].head[LINE] == s && member[0].result[LINE] == s);
           least = (least < s - 1 -> s - 1 : least)
        fi
     :: kinds[s] == me + 1 ->
        get_room();
        post()
     :: else ->
        root = kinds[s] - 1;
        AWAIT(member[root].head[LINE] == s, root);
#ifdef MUTANT_DONE_EARLY
        member[me].done = s;
#endif
        assert(member[root].payload[LINE] == s);
        root = 0
     fi;
     member[me].done = s;
     may_die();
     s++
  :: else -> c_code { case_reached(3, "one goes through all"); }; goto over
  od;
fails:
  c_code { case_reached(4, "one fails since another is gone"); };
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
