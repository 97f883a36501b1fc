/* Numbers of communicators: native/contextid (ContextIdTable.java, CommunicatorSlot.java, SlotPool.java).
 *
 * Rank A makes communicators of itself and B, one after the other, with one slot that it uses again. B comes in when it
 * is told, and closes. Rank C takes a number for itself, and frees what nobody has freed. A and B may die between any
 * two stores; that they are gone is known some time later. There are two numbers.
 *
 * Checked: a number is never freed while a member that lives has its communicator open; nobody has a number that
 * another has; in the end, when A and B have closed or are gone and C has looked once more, all numbers are free.
 * Memory is sequentially consistent: orders are for docs/memory-model.md. Size: quick 2 rounds and 1 death; proof: see
 * CMakeLists.txt. */
#ifndef ROUNDS
#define ROUNDS 2
#define DEATHS 1
#endif

#define NUMBERS 2
#define A 0
#define B 1
#define C 2
#define RANKS 3
#define NONE 0
#define IN 1
#define OUT 2

/* A word: generation, taken, owner. */
#define WORD(generation, taken, owner) ((generation) << 3 | (taken) << 2 | (owner))
#define GENERATION(word) ((word) >> 3)
#define TAKEN(word) ((word) >> 2 & 1)
#define OWNER(word) ((word) & 3)
#define ID(number, generation) ((generation) << 1 | (number))

byte word[NUMBERS];
byte shown[NUMBERS]; /* whose slot, + 1 */
/* The slots of A (members A and B) and of C (member C alone). */
byte context[RANKS];
byte presence_a, presence_b, presence_c;
byte told[ROUNDS]; /* id + 1 */
bool over;         /* A tells no more */
bool dead[RANKS], gone[RANKS];
byte deaths;
byte open[RANKS]; /* ghost: id + 1 of the communicator that a rank has open */
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

#define MAY_DIE(me) \
  if \
  :: deaths < DEATHS -> atomic { deaths++; dead[me] = true; open[me] = 0 }; goto died \
  :: true \
  fi

inline free_number(number, from) {
  d_step {
#ifdef MUTANT_NO_CAS
    if
    :: true ->
#else
    if
    :: word[number] == from ->
#endif
       assert(open[A] != ID(number, GENERATION(from)) + 1);
       assert(open[B] != ID(number, GENERATION(from)) + 1);
       assert(open[C] != ID(number, GENERATION(from)) + 1);
       word[number] = WORD(GENERATION(from) + 1, 0, 0)
    :: else -> c_code { case_reached(1, "another was faster"); }
    fi
  }
}

/* ContextIdTable.take: one of the free numbers. */
inline take(me) {
  if
  :: atomic { !TAKEN(word[0]) -> number = 0; mine = WORD(GENERATION(word[0]), 1, me); word[0] = mine }
  :: atomic { !TAKEN(word[1]) -> number = 1; mine = WORD(GENERATION(word[1]), 1, me); word[1] = mine }
  fi;
  d_step { id = ID(number, GENERATION(mine)); assert(open[me] == 0); open[me] = id + 1 }
}

/* ContextIdTable.isOver of A's slot, and free: every member is out, or gone. */
inline release_a(number, from) {
#ifndef MUTANT_NO_BAR
  if
  :: gone[A] ->
     d_step { if :: presence_a == NONE -> presence_a = OUT :: else fi };
     d_step {
       if
       :: presence_b == NONE -> presence_b = OUT; c_code { case_reached(2, "a member was kept out"); }
       :: else
       fi
     }
  :: else
  fi;
#endif
  seen = presence_a;
  if
  :: seen == OUT || gone[A] ->
     seen = presence_b;
     if
#ifdef MUTANT_NO_BAR
     :: seen == OUT || gone[B] || (seen == NONE && gone[A]) -> free_number(number, from)
#else
     :: seen == OUT || gone[B] -> free_number(number, from)
#endif
     :: else
     fi
  :: else
  fi;
  seen = 0
}

proctype rank_a() {
  byte number, mine, id, seen, round;
  do
  :: round < ROUNDS ->
     take(A);
     MAY_DIE(A);
     d_step { presence_a = NONE; presence_b = NONE }; /* zeros, which nobody looks at before the id is there */
     context[A] = id + 1;
     MAY_DIE(A);
     presence_a = IN;
     MAY_DIE(A);
#ifdef MUTANT_TELL_FIRST
     told[round] = id + 1;
     MAY_DIE(A);
     shown[number] = A + 1;
#else
     shown[number] = A + 1;
     MAY_DIE(A);
     told[round] = id + 1;
#endif
     MAY_DIE(A);
     open[A] = 0;
     presence_a = OUT;
     MAY_DIE(A);
     release_a(number, mine);
     MAY_DIE(A);
     word[number] != mine; /* the slot is used again once the number is free; in the program another slot is taken */
     round++
  :: else -> break
  od;
died:
  over = true;
  ended++
}

proctype rank_b() {
  byte number, id, seen, round, from;
  bool in;
  do
  :: round < ROUNDS ->
     if
     :: told[round] != 0 ->
        d_step { id = told[round] - 1; number = id & 1; from = WORD(id >> 1, 1, A) };
        MAY_DIE(B);
        d_step {
          if
          :: presence_b == NONE && context[A] == id + 1 -> presence_b = IN; in = true; open[B] = id + 1
          :: else -> in = false; c_code { case_reached(3, "it comes too late"); }
          fi
        };
        MAY_DIE(B);
        if
        :: in ->
           open[B] = 0;
           presence_b = OUT;
           MAY_DIE(B);
           release_a(number, from);
           MAY_DIE(B)
        :: else
        fi;
        in = false;
        round++
     :: over && told[round] == 0 -> break
     fi
  :: else -> break
  od;
died:
  ended++
}

/* ContextIdTable.repair of one number. */
inline repair(number) {
  from = word[number];
#ifndef MUTANT_GONE_LATE
  was_gone = gone[A];
#endif
  if
  :: TAKEN(from) && OWNER(from) == A ->
     slot = shown[number];
     id = ID(number, GENERATION(from));
     if
#ifdef MUTANT_ANY_SLOT
     :: slot == A + 1 -> release_a(number, from)
#else
     :: slot == A + 1 && context[A] == id + 1 -> release_a(number, from)
#endif
     :: else ->
#ifdef MUTANT_GONE_LATE
        was_gone = gone[A];
#endif
        if
        :: was_gone -> c_code { case_reached(4, "no slot was shown"); }; free_number(number, from)
        :: else
        fi
     fi
  :: else
  fi;
  slot = 0;
  was_gone = false;
  from = 0
}

inline take_c() {
  mine = WORD(GENERATION(word[number]), 1, C);
  word[number] = mine;
  id = ID(number, GENERATION(mine));
  open[C] = id + 1;
  took = true
}

proctype rank_c() {
  byte number, mine, id, seen, from, slot;
  bool took, was_gone;
  do
  :: atomic { !took && !TAKEN(word[0]) -> number = 0; take_c() };
     presence_c = OUT;
     open[C] = 0;
     free_number(number, mine)
  :: atomic { !took && !TAKEN(word[1]) -> number = 1; take_c() };
     presence_c = OUT;
     open[C] = 0;
     free_number(number, mine)
  :: ended < 2 -> repair(0)
  :: ended < 2 -> repair(1)
  :: ended == 2 && gone[A] == dead[A] && gone[B] == dead[B] -> break
  od;
  repair(0);
  repair(1);
  assert(!TAKEN(word[0]) && !TAKEN(word[1])) /* none is lost */
}

/* Finds the dead. */
proctype detector() {
  do
  :: dead[A] && !gone[A] -> gone[A] = true
  :: dead[B] && !gone[B] -> gone[B] = true
  :: ended == 2 && gone[A] == dead[A] && gone[B] == dead[B] -> break
  od
}

init {
  atomic {
    run rank_a();
    run rank_b();
    run rank_c();
    run detector()
  }
}
