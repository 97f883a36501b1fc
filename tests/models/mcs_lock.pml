/* The locks of OpenSHMEM: native/lock/adr_mcs_lock.c, io.adrastea.lock.McsLock.
 *
 * PES PEs take one lock ROUNDS times each, by set or, where TESTS allows it, by test. A PE that waits may give up once
 * (GIVE_UP), and up to DEATHS PEs die between any two steps; that one is dead is known at once. A PE that waits sleeps
 * until it is woken, or, once somebody has died, until what it waits for has come: then a wake may be lost, and a sleep
 * has its limit. PE 1 is the home of the lock: its word has `last`, so that it enters by one step.
 *
 * Checked: a PE that has the lock is alone, also with a dead one that nobody has been told of; each PE that died with
 * it is told of once, none that only waited; the lock goes by the order of entry; nobody waits for ever; in the end all
 * words are free. Memory is sequentially consistent (docs/memory-model.md has the orders). A word is changed as a
 * whole; here an exchange fails where the parts that it needs have changed, as one that fails for the others' sake is
 * repeated. Size: quick 3 PEs; proof: see CMakeLists.txt. */
#ifndef PES
#define PES 3
#define ROUNDS 1
#define DEATHS 0
#define GIVE_UP true
#define TESTS true
#endif

#ifndef VICTIM
#define VICTIM true /* of the PEs that may die */
#endif

#define HOME 1
#define NONE 0
#define BIT(pe) (1 << (pe))
#define IS_DEAD(pe) (dead & BIT(pe))

#define FREE 0
#define WAITS 1
#define GRANTED 2
#define HOLDS 3
#define LEAVES 4
#define ENTERS 5

byte last;
byte next[PES + 1];
byte sig[PES + 1];
byte previous[PES + 1];
byte table; /* owner */
byte woken;
byte dead;
byte deaths;
byte over;           /* PEs that have ended or died */
byte has;            /* ghost: the PE that has the lock; of a dead one until a PE is told */
byte ahead[PES + 1]; /* ghost: the PEs that entered before this one, and have not left */
byte told;           /* ghost */

mtype = { ACQUIRED, RELEASED, AWAITS, AGAIN };

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

/* Ghosts, inside the step that does it. */
inline note_has() {
  assert(has == NONE);
  assert((ahead[me] & ~dead) == 0);
  has = me;
  ahead[me] = 0
}

inline note_left(pe) {
  ghost = 1;
  do :: ghost <= PES -> ahead[ghost] = ahead[ghost] & ~BIT(pe); ghost++ :: else -> break od;
  ghost = 0
}

inline note_told(pe) {
  assert(has == pe && IS_DEAD(pe) && !(told & BIT(pe)));
  told = told | BIT(pe);
  has = NONE
}

inline note_entered() {
  ghost = 1;
  do
  :: ghost <= PES ->
     if :: ghost != me && in_queue & BIT(ghost) -> ahead[me] = ahead[me] | BIT(ghost) :: else fi;
     ghost++
  :: else -> break
  od;
  ghost = 0;
  in_queue = in_queue | BIT(me)
}

byte in_queue; /* ghost */

inline note_gone(pe) {
  in_queue = in_queue & ~BIT(pe);
  note_left(pe)
}

inline begin_change() {
  owner = table;
  if
  :: owner == NONE || owner == me || IS_DEAD(owner) ->
#ifdef MUTANT_TABLE_BY_STORE
     table = me; got = true;
#else
     d_step { if :: table == owner -> table = me; got = true :: else -> got = false fi };
#endif
     if :: got && owner != NONE -> c_code { case_reached(1, "the table is taken over from a dead one"); } :: else fi
  :: else ->
#ifdef MUTANT_NO_TABLE
     got = true
#else
     got = false
#endif
  fi;
  owner = 0;
  if :: got -> MAY_DIE :: else fi
}

inline end_change() {
  d_step { if :: table == me -> table = NONE :: else fi };
  got = false;
  MAY_DIE
}

/* The table's word is another's: until that is not so. */
#define TABLE_IS_FREE (table == NONE || table == me || IS_DEAD(table))

/* enter: `before` was last; entered tells whether it was so still. */
inline enter(signal, behind, kept) {
  if
  :: me == HOME ->
     d_step {
       if
       :: last == before -> next[me] = NONE; sig[me] = signal; previous[me] = behind; last = me; entered = true
       :: else -> entered = false
       fi;
       if :: entered -> note_entered(); if :: signal == HOLDS && !kept -> note_has() :: else fi :: else fi
     }
  :: else ->
#ifndef MUTANT_ENTERS_FIRST
     d_step { next[me] = NONE; sig[me] = signal; previous[me] = behind };
     MAY_DIE;
#endif
     d_step {
       if :: last == before -> last = me; entered = true :: else -> entered = false fi;
       if :: entered -> note_entered(); if :: signal == HOLDS && !kept -> note_has() :: else fi :: else fi
     };
#ifdef MUTANT_ENTERS_FIRST
     MAY_DIE;
     d_step { if :: entered -> next[me] = NONE; sig[me] = signal; previous[me] = behind :: else fi };
#endif
  fi;
  MAY_DIE
}

inline free_own() {
  d_step { next[me] = NONE; sig[me] = FREE; previous[me] = NONE };
  MAY_DIE
}

inline leave_last(to) {
  d_step {
    if
    :: last == me -> last = to; left = true; note_gone(me); if :: has == me -> has = NONE :: else fi
    :: else -> left = false
    fi
  };
  MAY_DIE
}

/* The PE whose previous is this one: name. */
inline find_next() {
  name = last;
  steps = 0;
  do
  :: name == NONE || name == me || steps == PES -> name = NONE; break
  :: else ->
     each = previous[name];
     if :: each == me -> break :: else -> name = each; steps++ fi
  od;
  each = 0;
  steps = 0
}

/* take_out: before is dead, and before this one. */
inline take_out() {
  found = AGAIN;
  if
  :: sig[me] == WAITS && previous[me] == before ->
     d_step { signal = sig[before]; each = previous[before] };
     if
     :: signal == HOLDS || signal == GRANTED ->
        d_step {
          assert(sig[me] == WAITS && previous[me] == before);
          sig[me] = HOLDS;
          previous[me] = NONE;
          if
          :: signal == HOLDS -> note_told(before); c_code { case_reached(2, "told of a dead holder"); }
          :: else -> c_code { case_reached(3, "the lock was handed to one that had not looked"); }
          fi;
          note_gone(before);
          note_has();
          found = ACQUIRED
        }
     :: signal == ENTERS || signal == WAITS || signal == LEAVES ->
#ifndef MUTANT_NOT_CLOSED
        d_step {
          if
          :: sig[before] == signal && previous[before] == each -> sig[before] = LEAVES
          :: else -> each = NONE
          fi
        };
#endif
        if
        :: each == NONE
        :: else ->
           MAY_DIE;
           next[each] = me;
           MAY_DIE;
           d_step { assert(sig[me] == WAITS && previous[me] == before); previous[me] = each; note_gone(before) };
           c_code { case_reached(4, "a dead one that waited is taken out"); };
           MAY_DIE
        fi
     :: else -> assert(false)
     fi;
     signal = 0; each = 0
  :: else
  fi
}

inline join(waits) {
  do
  :: before = last;
     if
     :: before != NONE && !waits -> free_own(); found = AWAITS; break
     :: else ->
#ifdef MUTANT_ENTERS_WAITING
        enter((before == NONE -> HOLDS : WAITS), before, false);
#else
        enter((before == NONE -> HOLDS : ENTERS), before, false);
#endif
        if :: entered -> break :: else fi
     fi
  od;
  if
  :: !entered
  :: entered && before == NONE -> found = ACQUIRED
  :: else ->
#ifdef MUTANT_LINKS_LAST
     d_step { if :: sig[me] == ENTERS -> sig[me] = WAITS :: else fi };
     MAY_DIE;
     next[before] = me;
#else
     next[before] = me;
     MAY_DIE;
     d_step { if :: sig[me] == ENTERS -> sig[me] = WAITS :: else fi };
#endif
     MAY_DIE;
     found = AWAITS
  fi;
  entered = false
}

inline set() {
  if
  :: sig[me] == FREE -> join(true)
  :: sig[me] == GRANTED -> d_step { sig[me] = HOLDS; note_has(); found = ACQUIRED }; MAY_DIE
  :: sig[me] == WAITS ->
     before = previous[me];
     if
     :: !IS_DEAD(before) -> found = AWAITS
     :: else ->
        begin_change();
        if
        :: !got -> TABLE_IS_FREE; found = AGAIN
        :: else -> take_out(); end_change()
        fi
     fi
  fi
}

inline test() {
  before = last;
  if
  :: before == NONE || !IS_DEAD(before) -> join(false)
  :: else ->
     name = before;
     do
     :: name == NONE || !IS_DEAD(name) -> found = AWAITS; break
     :: else ->
        d_step { signal = sig[name]; each = previous[name] };
        if
        :: signal == HOLDS || signal == GRANTED ->
           enter(HOLDS, NONE, true);
           if
           :: entered ->
              d_step {
                if :: signal == HOLDS -> note_told(name) :: else fi;
                in_queue = BIT(me);
                note_has()
              };
              c_code { case_reached(5, "a test finds all dead"); };
              found = ACQUIRED
           :: else -> free_own(); found = AWAITS
           fi;
           break
        :: else -> name = each
        fi
     od;
     name = 0; each = 0; signal = 0; entered = false
  fi
}

inline hand_over() {
  d_step { signal = sig[name]; each = previous[name] };
  left = false;
  if
#ifdef MUTANT_ANY_NEXT
  :: signal == WAITS ->
#else
  :: signal == WAITS && each == me ->
#endif
     d_step {
       if
       :: sig[name] == signal && previous[name] == each ->
          sig[name] = GRANTED; previous[name] = NONE; left = true; has = NONE; note_gone(me)
       :: else
       fi
     };
     if :: left -> MAY_DIE :: else fi
  :: else
  fi;
  signal = 0; each = 0
}

inline settle_next() {
  linked = next[me];
  if
  :: last == me ->
     d_step { if :: linked != NONE && next[me] == linked -> next[me] = NONE :: else fi }
  :: else ->
     find_next();
     assert(name != NONE);
     signal = sig[name];
     assert(signal == ENTERS || signal == WAITS || signal == LEAVES);
     if
     :: !IS_DEAD(name) -> found = AWAITS
     :: else ->
        if
        :: linked != name -> next[me] = name; c_code { case_reached(6, "a dead one is linked by the holder"); }; MAY_DIE
        :: else
        fi;
#ifndef MUTANT_NOT_OPENED
        d_step {
          if
          :: signal != WAITS && sig[name] == signal && previous[name] == me ->
             sig[name] = WAITS; c_code { case_reached(7, "a closed word is opened again"); }
          :: else
          fi
        };
        MAY_DIE;
#endif
        assert(next[me] == name && sig[name] == WAITS && previous[name] == me) /* it can be handed the lock */
     fi
  fi;
  signal = 0; linked = 0
}

/* What a holder waits for when `name`, which lives, is in between two steps. */
#define NEXT_MOVES \
  (IS_DEAD(name) || previous[name] != me || (last == me && next[me] == NONE) || \
    (next[me] == name && sig[name] == WAITS))

inline release() {
  found = AGAIN;
  do
  :: found == AGAIN ->
     name = next[me];
     left = false;
     if :: name == NONE -> leave_last(NONE) :: else -> hand_over() fi;
     if
     :: left ->
        each = name;
        free_own();
        if :: each != NONE -> woken = woken | BIT(each) :: else fi;
        each = 0;
        found = RELEASED
     :: else ->
        find_next();
        if
        :: name != NONE && !IS_DEAD(name) -> NEXT_MOVES
        :: else ->
           begin_change();
           if
           :: !got -> TABLE_IS_FREE
           :: else ->
              settle_next();
              each = name;
              end_change();
              name = each; each = 0;
              if :: found == AWAITS -> NEXT_MOVES; found = AGAIN :: else fi
           fi
        fi
     fi;
     name = 0
  :: else -> break
  od;
  left = false
}

inline unlink_next(pe) {
  d_step { if :: next[pe] == me -> next[pe] = NONE :: else fi };
  MAY_DIE
}

/* withdraw of one that waits, as owner of the table's word */
inline leave() {
  found = AGAIN;
  d_step { signal = sig[me]; before = previous[me] };
  name = NONE;
  if
  :: signal != WAITS
  :: else ->
     if
     :: last != me ->
        find_next();
        assert(name != NONE);
        if
#ifndef MUTANT_NEXT_NOT_LINKED
        :: name != next[me] && !IS_DEAD(name) -> found = AWAITS
#endif
        :: else
        fi
     :: else
     fi;
     if
     :: found == AWAITS
     :: else ->
#ifdef MUTANT_LEAVES_OPEN
        left = true;
#else
        d_step { if :: sig[me] == WAITS -> sig[me] = LEAVES; left = true :: else -> left = false fi };
#endif
        if
        :: !left
        :: else ->
           MAY_DIE;
           if
           :: name != NONE ->
#ifndef MUTANT_STANDS_FIRST
              next[before] = name;
              MAY_DIE;
#endif
              d_step { assert(previous[name] == me); previous[name] = before; note_gone(me) };
#ifdef MUTANT_STANDS_FIRST
              MAY_DIE;
              next[before] = name;
#endif
              c_code { case_reached(8, "one that gave up left the middle"); };
              MAY_DIE;
              woken = woken | BIT(name);
              found = RELEASED
           :: else ->
              leave_last(before);
              if
              :: left -> unlink_next(before); found = RELEASED
              :: else -> sig[me] = WAITS; c_code { case_reached(9, "another one has come"); }
              fi
           fi;
           if :: found == RELEASED -> free_own() :: else fi
        fi
     fi
  fi;
  left = false; signal = 0
}

inline withdraw() {
  found = AGAIN;
  do
  :: found == RELEASED -> break
  :: else ->
     if
     :: sig[me] == FREE -> found = RELEASED
     :: sig[me] == GRANTED -> release()
     :: sig[me] == WAITS ->
        begin_change();
        if
        :: !got -> TABLE_IS_FREE
        :: else ->
           leave();
           each = name;
           end_change();
           name = each; each = 0;
           if
           :: found == AWAITS -> (next[me] == name || previous[name] != me || IS_DEAD(name) || sig[me] != WAITS)
           :: else
           fi;
           name = 0
        fi
     fi
  od
}

#define HAS_COME (deaths > 0 && (sig[me] != WAITS || IS_DEAD(previous[me])))

inline wait_for_lock() {
  do
  :: woken = woken & ~BIT(me);
     set();
     if
     :: found == ACQUIRED -> break
     :: found == AGAIN
     :: found == AWAITS ->
        if
        :: !fresh -> fresh = true /* looks once more before it sleeps */
        :: else ->
           fresh = false;
           if
           :: woken & BIT(me)
           :: HAS_COME
           :: (GIVE_UP) && !gave_up -> gave_up = true; break
           fi
        fi
     fi
  od;
  fresh = false;
  before = 0
}

proctype pe(byte me) {
  byte round, before, each, name, steps, signal, owner, linked, ghost;
  mtype found = AGAIN;
  bool got, entered, left, fresh, gave_up;
  do
  :: round < ROUNDS ->
     round++;
     if
     :: TESTS -> test(); before = 0
     :: true -> wait_for_lock()
     fi;
     if
     :: found == ACQUIRED -> MAY_DIE; assert(has == me && sig[me] == HOLDS); release()
     :: else -> withdraw()
     fi;
     found = AGAIN
  :: else -> break
  od;
died:
  skip;
  d_step {
    over++;
    if
    :: over == PES && deaths == 0 ->
       assert(last == NONE && has == NONE && table == NONE && in_queue == 0);
       for (ghost : 1 .. PES) { assert(sig[ghost] == FREE && next[ghost] == NONE && previous[ghost] == NONE) }
    :: else
    fi
  }
}

init {
  atomic {
    byte number;
    for (number : 1 .. PES) { run pe(number) }
  }
}
