/* What the members of a communicator that live agree on: coll.SlotAgreement
 * (adr_slot_agreement.c), after ULFM.
 *
 * RANKS members agree ROUNDS times, each with flags of its own. Each says that it has come; one that sees that each has
 * come or is gone decides by a CAS over the decision before. Any but one may die between any two steps; that it is gone
 * is known to all some time later, and to each at a time of its own.
 *
 * Checked: all that end an agreement have the same result; a flag is in it only if no member that ended had it unset;
 * nobody waits for ever. Memory is sequentially consistent: orders are for docs/memory-model.md. Size: quick 3 ranks, 2
 * rounds, 1 death; proof: see CMakeLists.txt. */
#ifndef RANKS
#define RANKS 3
#define ROUNDS 2
#define DEATHS 1
#endif

byte come[RANKS];    /* number of the agreement in the upper bits, the rank's flag in bit 0 */
byte decided;        /* likewise */
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
  :: deaths < DEATHS -> atomic { deaths++; dead[me] = true }; goto died \
  :: true \
  fi

/* Whether all have come, or are gone as this rank knows; and the flags of those that have come. */
inline look() {
  all = true;
  value = 1;
  other = 0;
  do
  :: other < RANKS ->
     word = come[other];
     if
     :: word >> 1 == round -> value = value & word & 1
     :: word >> 1 != round && dead[other] -> c_code { case_reached(1, "one is gone that has not come"); }
     :: word >> 1 != round && !dead[other] -> all = false; late = other; break
     fi;
     other++
  :: else -> break
  od;
  other = 0;
  word = 0
}

proctype member(byte me) {
  byte round = 1, before, value, other, word, mine, late;
  bool all;
  do
  :: round <= ROUNDS ->
     if
     :: mine = 0
     :: mine = 1
     fi;
     come[me] = round << 1 | mine;
     MAY_DIE;
     do
     :: before = decided;
        if
#ifdef MUTANT_ANY_DECISION
        :: before != 0 -> break
#else
        :: before >> 1 == round -> break
#endif
        :: else ->
           look();
           if
           :: all ->
              MAY_DIE;
#ifdef MUTANT_NO_CAS
              decided = round << 1 | value
#else
              d_step {
                if
                :: decided == before -> decided = round << 1 | value
                :: else -> c_code { case_reached(2, "another has decided"); }
                fi
              }
#endif
           :: else -> decided != before || dead[late] || come[late] >> 1 == round; value = 0; late = 0
           fi
        fi;
        MAY_DIE
     od;
     atomic {
       value = before & 1;
       assert(result[round - 1] == 0 || result[round - 1] == value + 1);
       assert(value <= mine);
       if
       :: result[round - 1] != 0 -> c_code { case_reached(3, "two have ended"); }
       :: else
       fi;
       result[round - 1] = value + 1;
       value = 0;
       before = 0;
       mine = 0;
       all = false
     };
     MAY_DIE;
     round++
  :: else -> break
  od;
  if /* one that leaves is gone */
  :: true -> dead[me] = true
  fi;
died:
  skip
}

init {
  atomic {
    byte rank;
    for (rank : 0 .. RANKS - 1) { run member(rank) }
  }
}
