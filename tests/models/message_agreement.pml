/* Agreements of a communicator whose members do not all share memory: engine.collective.MessageSteps, after Cachin,
 * Guerraoui and Rodrigues 2011, 5.3.
 *
 * RANKS members agree ROUNDS times, each with a flag of its own; where MIXED is set, some call another agreement than
 * others. Messages between two keep their order. Up to DEATHS members die between any two messages that they send, or
 * before they take one in; each other one finds that out at some time after it. One that has ended all its agreements
 * leaves, or goes on to take in what comes.
 *
 * Checked: all that end an agreement have the same result, also those that die afterwards; a flag is in it only if no
 * member that ended had it unset; a member that differs from another is told; nobody waits for ever. Size: quick 3
 * ranks, 1 round, 2 deaths; proof: see CMakeLists.txt. */
#ifndef RANKS
#define RANKS 3
#define ROUNDS 1
#define DEATHS 2
#define MIXED 0
#endif

#define ALL ((1 << RANKS) - 1)
#define BIT(member) (1 << (member))
#define ROOM 5    /* for messages from one member to another */
#define OTHER 2   /* what one votes that calls the other agreement */
#define DIFFER 3  /* the decision where not all call the same */
#define UNTOLD 4  /* the decision before is not told */

mtype:what = { VOTE, PROPOSE, ACCEPT, DECIDE };

chan box[RANKS * RANKS] = [ROOM] of { mtype:what, byte, byte, byte, byte };
byte result[ROUNDS]; /* ghost: what somebody got, + 1 */
bool dead[RANKS];
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

#define MAY_DIE \
  if \
  :: deaths < DEATHS -> deaths++; dead[me] = true; goto died \
  :: true \
  fi

#ifdef MUTANT_NO_BEFORE
#define BEFORE(about) UNTOLD
#else
#define BEFORE(about) (about == decided + 1 -> word : UNTOLD)
#endif

inline send(to, kind, about, value, by) {
  if
  :: to == me || dead[to]
  :: else ->
     MAY_DIE;
     assert(nfull(box[me * RANKS + to]));
     box[me * RANKS + to] ! kind, about, value, by, BEFORE((about))
  fi
}

inline send_all(kind, about, value) {
  to = 0;
  do
  :: to < RANKS -> send(to, kind, about, value, me + 1); to++
  :: else -> break
  od;
  to = 0
}

inline conclude(about, value) {
#ifndef MUTANT_LAST_ONLY
  if
  :: about == sequence -> found = value
  :: else
  fi;
#endif
  decided = about;
  word = value;
  proposer = 0;
  accepted = 0;
  proposes = false;
  told = 0;
  voted = 0;
  ones = 0;
  others = 0;
  accepts = 0
}

/* Those that take this member for the coordinator and have voted hear what another one has decided. */
inline tell_voters(about, value) {
#ifdef MUTANT_NOT_TOLD
  skip
#else
  to = 0;
  do
  :: to < RANKS ->
     if
     :: voted & BIT(to) -> send(to, DECIDE, about, value, me + 1)
     :: else
     fi;
     to++
  :: else -> break
  od;
  to = 0
#endif
}

inline add_vote(member, value) {
  voted = voted | BIT(member);
  if
  :: value == 1 -> ones = ones | BIT(member)
  :: value == OTHER -> others = others | BIT(member)
  :: else
  fi
}

/* What follows from the votes, + 1; 0: some are missing. */
inline decide_by_votes() {
  if
  :: others != 0 && others != voted -> next = DIFFER + 1; c_code { case_reached(4, "some call another agreement"); }
  :: else ->
     if
#ifdef MUTANT_NO_VOTES
     :: voted & BIT(me) ->
#else
     :: (voted & BIT(me)) && (voted | gone) == ALL ->
#endif
        next = (others != 0 -> OTHER : (ones == voted -> 1 : 0)) + 1
     :: else -> next = 0
     fi
  fi
}

inline coordinate() {
  next = 0;
  if
  :: proposes
#ifndef MUTANT_FORGETS
  :: !proposes && proposer != 0 -> next = accepted + 1; c_code { case_reached(1, "what another has proposed goes on"); }
  :: !proposes && proposer == 0 -> decide_by_votes()
#else
  :: !proposes -> decide_by_votes()
#endif
  fi;
  if
  :: next != 0 ->
     proposes = true;
     proposer = me + 1;
     accepted = next - 1;
     accepts = 0;
     next = 0;
     send_all(PROPOSE, decided + 1, accepted)
  :: else
  fi;
  if
#ifdef MUTANT_NO_ACCEPTS
  :: proposes ->
#else
  :: proposes && (accepts | gone | BIT(me)) == ALL ->
#endif
     send_all(DECIDE, decided + 1, accepted);
     conclude(decided + 1, accepted)
  :: else
  fi
}

inline go_on() {
  first = 0;
  do
  :: first != me && (gone & BIT(first)) -> first++
  :: else -> break
  od;
  if
  :: first == me -> first = 0; coordinate()
#ifdef MUTANT_VOTES_ONCE
  :: first != me && (voted & BIT(me)) && told == 0 ->
#else
  :: first != me && (voted & BIT(me)) && told != first + 1 ->
#endif
     told = first + 1;
     first = 0;
     send(told - 1, VOTE, decided + 1, (others & BIT(me) -> OTHER : (ones & BIT(me) -> 1 : 0)), me + 1)
  :: else -> first = 0
  fi
}

inline take(from) {
  if
  :: about > decided + 1 && before != UNTOLD ->
     tell_voters(about - 1, before);
     conclude(about - 1, before);
     c_code { case_reached(2, "one that is behind learns the decision before"); }
  :: else
  fi;
  if
  :: kind == VOTE && about <= decided -> send(from, DECIDE, decided, word, me + 1)
  :: kind == VOTE && about == decided + 1 -> add_vote(from, value)
  :: kind == PROPOSE ->
     if
#ifdef MUTANT_ANY_PROPOSAL
     :: about == decided + 1 -> proposer = by; accepted = value; proposes = false
#else
     :: about == decided + 1 && by >= proposer -> proposer = by; accepted = value; proposes = false
     :: about == decided + 1 && by < proposer -> c_code { case_reached(3, "a dead one has proposed before"); }
#endif
     :: else
     fi;
     if
     :: about <= decided || about == decided + 1 && by == proposer -> send(from, ACCEPT, about, 0, by)
     :: else
     fi
  :: kind == ACCEPT && proposes && about == decided + 1 && by == me + 1 -> accepts = accepts | BIT(from)
  :: kind == DECIDE && about == decided + 1 -> tell_voters(about, value); conclude(about, value)
  :: else
  fi;
  about = 0;
  value = 0;
  by = 0;
  before = 0;
  go_on()
}

#define TAKE(from) atomic { from != me && nempty(box[from * RANKS + me]) -> \
    MAY_DIE; box[from * RANKS + me] ? kind, about, value, by, before; take(from) }
#define LEARN(other) atomic { other != me && dead[other] && !(gone & BIT(other)) -> gone = gone | BIT(other); go_on() }

#if RANKS == 2
#define EVENTS :: TAKE(0) :: TAKE(1) :: LEARN(0) :: LEARN(1)
#elif RANKS == 3
#define EVENTS :: TAKE(0) :: TAKE(1) :: TAKE(2) :: LEARN(0) :: LEARN(1) :: LEARN(2)
#else
#define EVENTS :: TAKE(0) :: TAKE(1) :: TAKE(2) :: TAKE(3) :: LEARN(0) :: LEARN(1) :: LEARN(2) :: LEARN(3)
#endif

proctype member(byte me) {
  byte sequence, decided, word = UNTOLD, proposer, accepted, told, voted, ones, others, accepts, gone;
  byte found, first, next, to, mine, about, value, by, before;
  mtype:what kind = VOTE;
  bool proposes, inside;
  do
  :: atomic { !inside && sequence < ROUNDS ->
       sequence++;
       inside = true;
       if
       :: mine = 0
       :: mine = 1
       :: MIXED -> mine = OTHER
       fi;
       if
       :: sequence > decided -> add_vote(me, mine); go_on()
       :: else ->
          found = (sequence == decided -> word : DIFFER);
          c_code { case_reached(5, "one comes to what is decided"); }
       fi }
  :: atomic { inside && sequence <= decided ->
#ifdef MUTANT_LAST_ONLY
       found = (sequence == decided -> word : DIFFER);
#endif
       value = found;
       assert(result[sequence - 1] == 0 || result[sequence - 1] == value + 1);
       assert(value == DIFFER || (value == OTHER) == (mine == OTHER));
       assert(value >= OTHER || value <= mine);
       result[sequence - 1] = value + 1;
       value = 0;
       found = 0;
       mine = 0;
       inside = false }
  EVENTS
  :: !inside && sequence == ROUNDS -> break
  od;
  if
  :: dead[me] = true; goto died /* one that leaves is gone */
  :: true
  fi;
end:
  do
  EVENTS
  od;
died:
  skip
}

init {
  atomic {
    byte rank;
    for (rank : 0 .. RANKS - 1) { run member(rank) }
  }
}
