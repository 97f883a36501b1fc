/* A rank that gives up while a communicator is made: native/contextid/adr_communicator_slot.c and adr_origin.c
 * (CommunicatorSlot.java, Origin.java).
 *
 * The maker M, a member W and a member R make a communicator out of a parent, and then wait for each other in it. R may
 * give up, in the parent, at any moment before it has come in: it breaks off, declines, or the parent is revoked; or it
 * comes in. Then it may close the parent. M and W may close the parent at any moment, too; its slot is used again once
 * all three have, and says then that all is open. A member that waits looks at times whether R is still to come.
 *
 * Checked: M and W never wait for ever; R never has a communicator that they take it to be out of while it has it; when
 * all have closed the new one, each member is out, so its number is free. Memory is sequentially consistent: orders are
 * for docs/memory-model.md. */
#define M 0
#define W 1
#define R 2
#define RANKS 3
#define NONE 0
#define IN 1
#define OUT 2
#define DECLINED 3
#define OPEN 0
#define CLOSED 1
#define BROKEN 2
#define PARENT 1

#ifdef MUTANT_NO_ID
#define IS_PARENTS true
#else
#define IS_PARENTS (id == PARENT)
#endif
#ifdef MUTANT_NO_STATE
#define TELLS_STATE(of) false
#else
#define TELLS_STATE(of) (of != OPEN)
#endif
#ifdef MUTANT_NO_PRESENCE
#define TELLS_PRESENCE(of) false
#else
#define TELLS_PRESENCE(of) (of == DECLINED || of == OUT)
#endif
#ifdef MUTANT_NOT_SAID
#define SAYS false
#else
#define SAYS true
#endif
#ifdef MUTANT_NO_LOOK
#define LOOKS false
#else
#define LOOKS true
#endif

/* the parent's slot */
byte id = PARENT;
byte parent_state;    /* of R */
byte parent_presence = IN; /* of R */
bool revoked;
byte parents_closed;

/* the new one's */
byte presence[RANKS];
byte state[RANKS];
bool told;
bool has; /* ghost: R has the communicator open */
byte ended;

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

/* The last one's number is free, and the slot another communicator's. */
inline close_parent(me) {
  d_step {
    if
    :: me == R -> parent_presence = OUT; parent_state = CLOSED
    :: else
    fi;
    parents_closed++;
    if
    :: parents_closed == RANKS -> id = 0; parent_presence = IN; parent_state = OPEN; revoked = false
    :: else
    fi
  }
}

/* CommunicatorSlot.keepOut */
inline keep_out() {
#ifdef MUTANT_NO_CAS
  presence[R] = OUT;
#else
  d_step {
    if
    :: presence[R] == NONE -> presence[R] = OUT
    :: else -> c_code { case_reached(1, "it has come in meanwhile"); }
    fi
  };
#endif
  if
#ifdef MUTANT_CLOSE_ANY
  :: true ->
#else
  :: presence[R] == OUT ->
#endif
     if
     :: SAYS -> state[R] = CLOSED
     :: else
     fi;
     assert(!has)
  :: else
  fi
}

/* CommunicatorSlot.settle: each word is loaded by itself, and that the slot is the parent's still is looked at last. */
inline settle() {
  if
  :: presence[R] == OUT -> keep_out()
  :: presence[R] == NONE ->
     here = parent_presence;
     said = parent_state;
     off = revoked;
     if
     :: !IS_PARENTS -> c_code { case_reached(2, "the parent is over"); }; keep_out()
     :: IS_PARENTS && off -> c_code { case_reached(3, "the parent is revoked"); }; keep_out()
     :: IS_PARENTS && !off && TELLS_STATE(said) -> c_code { case_reached(4, "it has broken off"); }; keep_out()
     :: IS_PARENTS && !off && !TELLS_STATE(said) && TELLS_PRESENCE(here) ->
        c_code { case_reached(5, "it has declined"); };
        keep_out()
     :: else
     fi;
     here = 0;
     said = 0;
     off = false
  :: else
  fi
}

/* M and W: come in, wait for R in a collective, and close. */
proctype member(byte me) {
  byte here, said;
  bool off, closed_parent;
  if
  :: me == M -> presence[M] = IN; told = true
  :: me == W -> told; presence[W] = IN
  fi;
  do
  :: state[R] != OPEN || presence[R] == IN -> break /* the look of the collective: R has gone, or takes part */
  :: !closed_parent -> closed_parent = true; close_parent(me)
  :: (LOOKS && presence[R] == NONE
      && (!IS_PARENTS || revoked || TELLS_STATE(parent_state) || TELLS_PRESENCE(parent_presence))) ->
     settle() /* every 100 ms: else it finds nothing */
  :: (LOOKS && presence[R] == OUT && state[R] == OPEN && SAYS) -> settle()
  od;
  if
  :: !closed_parent -> close_parent(me)
  :: else
  fi;
  state[me] = CLOSED;
  presence[me] = OUT;
  ended++
}

proctype other() {
  bool closes;
  if
  :: told ->
     d_step { presence[R] == NONE -> presence[R] = IN; has = true }; /* nobody keeps it out that gives nothing up */
     c_code { case_reached(6, "it comes in"); };
     d_step { has = false; state[R] = CLOSED };
     presence[R] = OUT
  :: parent_state = BROKEN
  :: parent_presence = DECLINED
  :: revoked = true; c_code { case_reached(8, "the parent is revoked before it comes in"); };
     if
     :: told ->
        if
        :: d_step { presence[R] == NONE -> presence[R] = IN; has = true };
           d_step { has = false; state[R] = CLOSED };
           presence[R] = OUT
        :: presence[R] == OUT -> c_code { case_reached(7, "it is kept out"); }
        fi
     :: true
     fi
  :: closes = true /* the parent instead */
  fi;
  if
  :: closes = true
  :: true /* the world is never closed */
  fi;
  if
  :: closes -> close_parent(R)
  :: else
  fi;
  ended++
}

init {
  atomic {
    run member(M);
    run member(W);
    run other()
  };
  ended == RANKS;
  assert(presence[M] == OUT && presence[W] == OUT && presence[R] == OUT)
}
