/* Numbers of communicators over two nodes: FarRanks.java, Entrance.java, ContextIdTable.java (farIsOut, repair),
 * CommunicatorSlot.java (farIsOut).
 *
 * Rank A makes communicators of itself and F, which is on another node, one after the other, with one number and one
 * slot. F comes in when it is told, and closes; it may give up, at any moment, what they are made out of. It tells A, or
 * rank C of A's node, that it is out. C takes in what it is told, and asks F for what keeps the number from being free.
 * A or F may die, and what was told to C may be lost with a rank of that node that dies.
 *
 * Checked: a number is never freed while a member that lives has its communicator open; F never comes to one that it was
 * said to be out of; in the end the number is free. Memory is sequentially consistent: orders are for
 * docs/memory-model.md. */
#ifndef ROUNDS
#define ROUNDS 2
#define DEATHS 1
#endif

#define NONE 0
#define IN 1
#define OUT 2

bool taken;
byte generation; /* of the number */
/* The slot. */
byte slot_of;    /* generation + 1; 0: none yet */
byte presence;   /* of A */
byte far_of;     /* in the word of F: generation + 1 */
bool far_out;    /* in that word */

byte told[ROUNDS]; /* generation + 1 */
bool over;         /* A tells no more */
bool gave_up;      /* F makes nothing out of the parent any more */
bool way_closed;   /* Entrance */
bool dead_a, dead_f, gone_a, gone_f;
byte deaths;
byte open_a, open_f; /* ghost: generation + 1 of the communicator that it has open */
byte ended_f;        /* generation + 1 of the last one that F has been in */
bool done_f;       /* its program has ended */
bool finished;       /* all is looked at */
chan to_a = [1] of { byte }; /* a generation that F is out of */
chan to_c = [2] of { byte };
chan asks = [1] of { byte };

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

inline free_number(gen) {
  d_step {
    if
    :: taken && generation == gen ->
       assert(open_a != gen + 1 && open_f != gen + 1);
       taken = false;
       generation++
    :: else -> c_code { case_reached(1, "another was faster"); }
    fi
  }
}

/* CommunicatorSlot.isOver, and free. */
inline release(gen) {
  if
  :: presence == OUT || gone_a ->
     if
     :: far_out -> free_number(gen)
#ifndef MUTANT_FAR_KEPT
     :: !far_out && gone_f -> c_code { case_reached(2, "the far member is gone"); }; free_number(gen)
     :: !far_out && !gone_f
#else
     :: !far_out
#endif
     fi
  :: else
  fi
}

/* ContextIdTable.farIsOut. */
inline is_out(gen) {
  if
  :: taken && generation == gen && slot_of == gen + 1 ->
     d_step {
       if
#ifndef MUTANT_NO_ID
       :: far_of == gen + 1 -> far_out = true
       :: else -> c_code { case_reached(3, "the slot is in use again"); }
#else
       :: true -> far_out = true
#endif
       fi
     };
     release(gen)
  :: else -> c_code { case_reached(4, "the number is free already"); }
  fi
}

#define MAY_DIE(dead, open) \
  if \
  :: deaths < DEATHS -> atomic { deaths++; dead = true; open = 0 }; goto died \
  :: true \
  fi

proctype rank_a() {
  byte round, mine, gen;
  do
  :: atomic { round < ROUNDS && !taken -> taken = true; mine = generation; open_a = mine + 1 };
     MAY_DIE(dead_a, open_a);
     d_step { presence = IN; far_of = mine + 1; far_out = false }; /* SlotPool.fill */
     slot_of = mine + 1;
     MAY_DIE(dead_a, open_a);
     told[round] = mine + 1;
     MAY_DIE(dead_a, open_a);
     open_a = 0;
     presence = OUT;
     MAY_DIE(dead_a, open_a);
     release(mine);
     round++
  :: to_a?gen -> MAY_DIE(dead_a, open_a); is_out(gen)
  :: round == ROUNDS && !over -> over = true
  :: finished -> break
  od;
died:
  over = true;
  do
  :: to_a?gen
  :: finished -> break
  od
}

inline say(gen) {
  if
  :: to_a!gen
  :: to_c!gen
  fi
}

proctype rank_f() {
  byte round, gen;
  do
  :: round < ROUNDS && told[round] != 0 ->
     gen = told[round] - 1;
     MAY_DIE(dead_f, open_f);
     if
     :: atomic {
          !way_closed ->
          assert(taken && generation == gen); /* else it was said to be out */
          open_f = gen + 1
        };
        MAY_DIE(dead_f, open_f);
        d_step { open_f = 0; ended_f = gen + 1 };
        MAY_DIE(dead_f, open_f)
     :: way_closed -> c_code { case_reached(5, "it comes too late"); }
     fi;
     say(gen);
     round++
  :: asks?gen -> /* FarRanks.amOut */
     if
     :: ended_f >= gen + 1 -> to_c!gen
     :: ended_f < gen + 1 && gave_up ->
        c_code { case_reached(6, "it never comes"); };
#ifndef MUTANT_WAY_OPEN
        way_closed = true;
#endif
        to_c!gen
     :: else
     fi
  :: !gave_up -> gave_up = true
  :: over && gave_up && !done_f && (round == ROUNDS || told[round] == 0) -> done_f = true
  :: finished -> break
  od;
died:
  done_f = true;
  do
  :: asks?gen
  :: finished -> break
  od
}

/* ContextIdTable.repair: the word is read first. */
inline repair() {
  d_step { was_taken = taken; mine = generation; was_gone = gone_a };
  if
  :: was_taken && slot_of != mine + 1 && was_gone -> free_number(mine)
  :: was_taken && slot_of == mine + 1 -> release(mine)
  :: else
  fi;
  was_taken = false;
  was_gone = false
}

proctype rank_c() {
  byte gen, mine;
  bool was_taken, was_gone;
  do
  :: to_c?gen ->
     if
     :: deaths < DEATHS -> deaths++; c_code { case_reached(7, "what was told is lost"); }
     :: is_out(gen)
     fi
  :: taken && (gone_a || gone_f) -> repair()
  :: !gone_f && taken && slot_of == generation + 1 && (presence == OUT || gone_a) && empty(asks) -> asks!generation
  :: over && done_f && gone_a == dead_a && gone_f == dead_f && empty(to_a) && empty(to_c) && empty(asks) -> break
  od;
  repair();
#ifndef MUTANT_NO_QUESTION
  do
  :: taken && !gone_f -> asks!generation; to_c?gen; is_out(gen) /* perhaps of an older question */
  :: else -> break
  od;
#endif
  assert(!taken); /* none is lost */
  finished = true
}

/* Finds the dead. */
proctype detector() {
  do
  :: dead_a && !gone_a -> gone_a = true
  :: dead_f && !gone_f -> gone_f = true
  :: finished -> break
  od
}

init {
  atomic {
    run rank_a();
    run rank_f();
    run rank_c();
    run detector()
  }
}
