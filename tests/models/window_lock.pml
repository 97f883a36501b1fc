/* The locks of a window: native/window/adr_window_lock.c, io.adrastea.window.WindowLock.
 *
 * MEMBERS members take, ROUNDS times each, any lock of one target: the exclusive one, a share, or all with a settle of
 * that target (only those up to LAST). A look that has to wait lists the member among the waiters, looks again, and
 * sleeps until it is woken. A member may give up in between (GIVE_UP), and up to DEATHS members (those that VICTIM
 * allows) die between any two steps; that one is dead is known at once. With PARTNERS member 0 takes a share and keeps
 * it until member 1 has been in lock_all, and member 2 wants the exclusive lock.
 *
 * Checked: an exclusive holder is alone, also with dead holders that nobody has cleared up behind; exactly one member
 * is told of a dead one; nobody sleeps for ever; in the end no word or bit is left. A sleep ends by itself only after a
 * death, and where what it waits for has come: then a wake may be lost, and a sleep has its limit. Memory is
 * sequentially consistent, as the accesses are (docs/memory-model.md). Not in the model: several targets, which have
 * nothing in common but the members in lock_all. With BY_TURNS each look for the exclusive lock holds others back or
 * does not. Size: quick 3 members without a death, or 2 with; proof: see CMakeLists.txt. */
#ifndef MEMBERS
#define MEMBERS 3
#define ROUNDS 1
#define DEATHS 0
#define GIVE_UP false
#endif

#define EXCLUSIVE 0
#define SHARED 1
#define ALL 2
#ifndef LAST
#define LAST ALL /* of the locks that members take */
#endif
#ifndef VICTIM
#define VICTIM true
#endif
#define BIT(member) (1 << (member))

byte exclusive;     /* owner + 1 */
byte generation;
byte shares;
byte all;
byte wanted;
byte waiters;       /* of the target */
byte waiters_whole; /* of the window */
byte woken;
byte dead;
byte deaths;
byte has_owner, has_share, has_all; /* ghosts; of the dead until a member is told */
byte told;
byte ended; /* members that have been in lock_all */
byte over;  /* members that have ended or died */

mtype = { ACQUIRED, AWAITS, REPAIRED };

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

#if DEATHS > 0
#define MAY_DIE \
  if \
  :: deaths < DEATHS && (VICTIM) -> atomic { deaths++; dead = dead | BIT(me) }; goto died \
  :: true \
  fi
#else
#define MAY_DIE skip
#endif

/* adr_window_lock_next_waiter and what wakes; the bits of the dead are taken off. */
inline wake_in(set) {
  d_step {
    set = set & ~dead;
    woken = woken | (set & ~BIT(me))
  }
}

/* What each member is told of, once. */
inline note_told(member) {
  assert(!(told & BIT(member)));
  told = told | BIT(member);
  has_owner = has_owner & ~BIT(member);
  has_share = has_share & ~BIT(member);
  has_all = has_all & ~BIT(member)
}

inline list_target() {
  if
  :: !listed -> waiters = waiters | BIT(me); listed = true; fresh = true
  :: else
  fi
}

inline list_whole() {
  if
  :: !listed_whole -> waiters_whole = waiters_whole | BIT(me); listed_whole = true; fresh = true
  :: else
  fi
}

inline end_want() {
  if
  :: wants ->
     wanted = wanted & ~BIT(me);
     wants = false;
     MAY_DIE;
#ifndef MUTANT_NO_WAKE_UNWANTED
     wake_in(waiters_whole)
#endif
  :: else
  fi
}

inline end() {
#ifndef MUTANT_WANTED_KEPT
  end_want();
#endif
  d_step {
    if :: listed -> waiters = waiters & ~BIT(me); listed = false :: else fi;
    if :: listed_whole -> waiters_whole = waiters_whole & ~BIT(me); listed_whole = false :: else fi
  }
}

inline free_word() {
#ifdef MUTANT_WAKE_FIRST
  wake_in(waiters);
  MAY_DIE;
  d_step { assert(exclusive == me + 1); exclusive = 0; generation = (generation + 1) % 2; has_owner = has_owner & ~BIT(me) };
#else
  d_step { assert(exclusive == me + 1); exclusive = 0; generation = (generation + 1) % 2; has_owner = has_owner & ~BIT(me) };
  MAY_DIE;
#ifdef MUTANT_NO_WAKE_GIVEN_BACK
  if :: held -> wake_in(waiters) :: else fi
#else
  wake_in(waiters)
#endif
#endif
}

inline drop_share() {
  d_step { shares = shares & ~BIT(me); has_share = has_share & ~BIT(me) };
  MAY_DIE;
#ifdef MUTANT_NO_WAKE_DROPPED
  if :: held -> wake_in(waiters) :: else fi
#else
  wake_in(waiters)
#endif
}

/* A word with an owner was seen: word, epoch. */
inline await_owner() {
  other = word - 1;
  if
  :: !(dead & BIT(other)) -> list_target(); found = AWAITS; by_owner = true
  :: else ->
     MAY_DIE;
     d_step {
       if
#ifdef MUTANT_TAKE_OVER_BY_STORE
       :: true ->
#else
       :: exclusive == word && generation == epoch ->
#endif
          exclusive = 0;
          generation = (generation + 1) % 2;
          note_told(other);
          found = REPAIRED;
          c_code { case_reached(1, "a dead owner's word is freed"); }
#ifndef MUTANT_TAKE_OVER_BY_STORE
       :: else -> found = AWAITS; fresh = true; by_owner = true
#endif
       fi
     };
     if
     :: found == REPAIRED -> MAY_DIE; end(); wake_in(waiters)
     :: else
     fi
  fi;
  word = 0; epoch = 0
}

/* Looks whether a set is empty: found, other. Ghosts of the dead are told when their bit is taken off. */
inline look(set, but, holders) {
  d_step {
    bits = set & ~(but);
    gone = bits & dead;
    bits = bits & ~dead;
    found = (bits -> AWAITS : ACQUIRED);
    if
    :: bits & 1 -> other = 0
    :: (bits & 3) == 2 -> other = 1
    :: (bits & 7) == 4 -> other = 2
    :: (bits & 15) == 8 -> other = 3
    :: else
    fi;
    bits = 0
  };
  do
  :: gone ->
     MAY_DIE;
     d_step {
       each = 0;
       do :: gone & BIT(each) -> break :: else -> each++ od;
       gone = gone & ~BIT(each)
     };
#ifdef MUTANT_REPAIR_TORN
     bits = set;
     set = bits & ~BIT(each);
     bits = 0;
     d_step {
       if
       :: holders && !(told & BIT(each)) -> note_told(each); found = REPAIRED; other = each
       :: else
       fi;
#else
     d_step {
       if
       :: set & BIT(each) ->
          set = set & ~BIT(each);
          if :: holders -> note_told(each) :: else fi;
          found = REPAIRED;
          other = each
       :: else
       fi;
#endif
       each = 0
     }
  :: else -> break
  od
}

inline look_at_holders(with_shares) {
  look(all, 0, true);
  if :: found == REPAIRED -> c_code { case_reached(2, "a dead member is taken out of lock_all"); } :: else fi;
  of_all = found != ACQUIRED;
  if
  :: !of_all && with_shares ->
     look(shares, 0, true);
     if :: found == REPAIRED -> c_code { case_reached(3, "a dead sharer's bit is taken off"); } :: else fi
  :: else
  fi
}

inline take() {
  d_step {
    if
    :: exclusive == 0 -> exclusive = me + 1; taken = true; found = ACQUIRED
    :: else -> word = exclusive; epoch = generation
    fi
  };
  MAY_DIE;
  if
  :: word != 0 -> of_all = false; await_owner()
  :: else
  fi
}

inline refuse() {
  if
  :: found == REPAIRED ->
     if :: taken -> taken = false; free_word() :: else fi;
     end();
     wake_in(waiters);
     wake_in(waiters_whole)
  :: else ->
#ifndef MUTANT_NO_GIVE_BACK
     if
     :: taken && (of_all || !holds_back) -> taken = false; free_word(); c_code { case_reached(4, "the word is given back"); }
     :: else
     fi;
#endif
     if :: of_all -> list_whole() :: else -> list_target() fi;
     MAY_DIE;
     if
     :: of_all && holds_back ->
        if :: !wants -> wanted = wanted | BIT(me); wants = true :: else fi
     :: else -> end_want()
     fi
  fi
}

inline try_exclusive() {
#ifdef BY_TURNS
  if :: holds_back = true :: holds_back = false fi;
#endif
  found = ACQUIRED;
#ifdef MUTANT_LOOK_FIRST
  look_at_holders(true);
  if :: found == ACQUIRED && !taken -> MAY_DIE; take() :: else fi;
#else
  if :: (listed || listed_whole) && !taken -> look_at_holders(!holds_back) :: else fi;
  if :: found == ACQUIRED && !taken -> take() :: else fi;
#ifdef MUTANT_NO_DRAIN
  if :: found == ACQUIRED -> MAY_DIE; look_at_holders(false) :: else fi;
#else
  if :: found == ACQUIRED -> MAY_DIE; look_at_holders(true) :: else fi;
#endif
#endif
  if
  :: found != ACQUIRED -> refuse()
  :: else ->
     d_step {
       assert(!((has_owner | has_share | has_all) & ~BIT(me)));
       has_owner = has_owner | BIT(me)
     };
     taken = false;
     end()
  fi
}

inline try_shared() {
  found = ACQUIRED;
  if
  :: listed -> atomic { word = exclusive; epoch = generation }; if :: word != 0 -> await_owner() :: else fi
  :: else
  fi;
  if
  :: found == ACQUIRED ->
#ifdef MUTANT_SHARE_LOOK_FIRST
     atomic { word = exclusive; epoch = generation };
     MAY_DIE;
     shares = shares | BIT(me);
#else
     shares = shares | BIT(me);
     MAY_DIE;
     atomic { word = exclusive; epoch = generation };
#endif
     if
     :: word == 0 -> d_step { assert(!(has_owner & ~BIT(me))); has_share = has_share | BIT(me) }; end()
     :: else ->
        c_code { case_reached(5, "a sharer has taken its bit off again"); };
        drop_share();
        await_owner()
     fi
  :: else
  fi
}

inline try_all() {
  found = REPAIRED;
  do
  :: found == REPAIRED ->
     look(wanted, BIT(me), false);
     if :: found == REPAIRED -> c_code { case_reached(6, "a dead member wants it no longer"); } :: else fi
  :: else -> break
  od;
  if
  :: found == AWAITS -> list_whole()
  :: else ->
     all = all | BIT(me);
     MAY_DIE;
     end()
  fi
}

inline settle() {
  found = ACQUIRED;
#ifdef MUTANT_NO_SETTLE
  word = 0;
#else
  atomic { word = exclusive; epoch = generation };
#endif
  if
  :: word == 0 -> d_step { assert(!(has_owner & ~BIT(me))); has_all = has_all | BIT(me) }; end()
  :: else ->
     await_owner();
     if
     :: found == AWAITS ->
        c_code { case_reached(7, "a settle waits"); };
#ifndef MUTANT_NO_WAKE_SETTLE
        if :: waiters & BIT(other) -> wake_in(waiters) :: else fi
#endif
     :: else
     fi
  fi
}

inline withdraw() {
  if :: taken -> taken = false; free_word() :: else fi;
  end()
}

/* A sleep ends by itself: what it waits for has come, and a death may have kept the wake away. */
#define HAS_COME \
  (deaths > 0 && ((dead & BIT(other)) || \
    (by_owner -> exclusive != other + 1 : \
    (of_wanted -> !(wanted & ~BIT(me)) : (of_all -> !all : !shares || all)))))

/* Waits between two looks: the last look listed nothing new. */
inline rest() {
  if
#ifndef MUTANT_NO_SECOND_LOOK
  :: fresh
#endif
#ifdef MUTANT_NO_SECOND_LOOK
  :: true ->
#else
  :: else ->
#endif
     if
     :: woken & BIT(me) -> c_code { case_reached(8, "woken"); }
     :: HAS_COME
     fi
  fi
}

#ifdef PARTNERS
#define GIVES_UP false
#else
#define GIVES_UP GIVE_UP
#endif

#define LOOKS(call) \
  do \
  :: fresh = false; by_owner = false; of_all = false; woken = woken & ~BIT(me); \
     call; \
     MAY_DIE; \
     if \
     :: found == ACQUIRED -> break \
     :: found == REPAIRED -> fresh = false; skip \
     :: found == AWAITS -> \
        if \
        :: rest() \
        :: GIVES_UP && !gave_up -> gave_up = true; break \
        fi \
     fi \
  od; \
  other = 0

proctype member(byte me; byte role) {
  byte round, word, epoch, other, bits, gone, each;
  mtype found = ACQUIRED;
  bool taken, listed, listed_whole, wants, of_all, of_wanted, by_owner, fresh, held, gave_up;
  bool holds_back = true;
  do
  :: round < ROUNDS ->
     round++;
     if
     :: role == EXCLUSIVE ->
        LOOKS(try_exclusive());
        if
        :: found == ACQUIRED -> MAY_DIE; held = true; free_word(); held = false
        :: else -> withdraw()
        fi
     :: role == SHARED ->
        LOOKS(try_shared());
        if
        :: found == ACQUIRED ->
           MAY_DIE;
#ifdef PARTNERS
           ended > 0;
#endif
           held = true; drop_share(); held = false
        :: else -> withdraw()
        fi
     :: role == ALL ->
        of_wanted = true;
        LOOKS(try_all());
        of_wanted = false;
        if
        :: found == ACQUIRED ->
           LOOKS(settle());
           if :: found != ACQUIRED -> end() :: else fi;
           MAY_DIE;
           d_step { all = all & ~BIT(me); has_all = has_all & ~BIT(me) };
           MAY_DIE;
           wake_in(waiters_whole)
        :: else -> end()
        fi;
        ended++
     fi;
     gave_up = false
  :: else -> break
  od;
died:
  skip;
  d_step {
    over++;
    if
    :: over == MEMBERS && deaths == 0 ->
       assert(exclusive == 0 && shares == 0 && all == 0 && wanted == 0 && waiters == 0 && waiters_whole == 0)
    :: else
    fi
  }
}

init {
  atomic {
    byte rank, role;
#ifdef PARTNERS
    run member(0, SHARED);
    run member(1, ALL);
    run member(2, EXCLUSIVE)
#else
    for (rank : 0 .. MEMBERS - 1) { /* any locks, as members are alike */
      do
      :: role < LAST -> role++
      :: break
      od;
      run member(rank, role)
    }
#endif
  }
}
