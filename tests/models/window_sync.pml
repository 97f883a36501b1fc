/* Post, start, complete and wait of a window: native/window/adr_window_sync.h, io.adrastea.window.WindowSync.
 *
 * TARGETS members open their memory ROUNDS times each, to a group of the ORIGINS others that is drawn for each time. A
 * target stores something itself, posts to its group, and waits until each of it has completed. An origin starts with
 * all targets that have it in their group, puts a value to each, and completes. Each has counted how often it came to
 * each other one.
 *
 * Checked: an origin puts only while the target has posted to it, and finds what the target has stored before; behind
 * its wait a target finds what each origin of its group has put; nobody waits for ever. Memory is sequentially
 * consistent: orders are for docs/memory-model.md. Not in the model: deaths, which the caller's wait finds. */
#ifndef ORIGINS
#define ORIGINS 2
#define TARGETS 2
#define ROUNDS 2
#endif

#define BIT(member) (1 << (member))
#define AT(target, origin) ((target) * ORIGINS + (origin))

byte posts[TARGETS * ORIGINS];
byte completes[TARGETS * ORIGINS];
byte group[TARGETS * ROUNDS];
byte own[TARGETS];           /* what the target has stored: the number of the round */
byte put[TARGETS * ORIGINS]; /* what the origins have put: likewise */
byte open[TARGETS];          /* ghost: origins that may put */

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

proctype target(byte me) {
  byte round, origin, members;
  byte posted[ORIGINS];
  do
  :: round < ROUNDS ->
     members = group[me * ROUNDS + round];
     round++;
#ifndef MUTANT_POST_FIRST
     d_step { own[me] = round; open[me] = members };
#endif
     for (origin : 0 .. ORIGINS - 1) {
       if
       :: members & BIT(origin) -> posts[AT(me, origin)]++; posted[origin]++
       :: else
       fi
     }
#ifdef MUTANT_POST_FIRST
     skip;
     d_step { own[me] = round; open[me] = members };
#endif
#ifndef MUTANT_NO_WAIT
     for (origin : 0 .. ORIGINS - 1) {
       if
       :: members & BIT(origin) ->
#ifdef MUTANT_ANY_COMPLETE
          (completes[AT(me, 0)] + completes[AT(me, ORIGINS - 1)] >= posted[origin])
#else
          if
          :: completes[AT(me, origin)] < posted[origin] -> c_code { case_reached(1, "a target waits"); }
          :: else
          fi;
          (completes[AT(me, origin)] >= posted[origin])
#endif
       :: else
       fi
     }
#endif
     skip;
     d_step {
       for (origin : 0 .. ORIGINS - 1) {
         assert(!(members & BIT(origin)) || put[AT(me, origin)] == round)
       }
       open[me] = 0;
       origin = 0
     }
  :: else -> break
  od
}

proctype origin(byte me) {
  byte round, each, targets;
  byte started[TARGETS];
  do
  :: round < ROUNDS ->
     d_step {
       targets = 0;
       for (each : 0 .. TARGETS - 1) {
         if
         :: group[each * ROUNDS + round] & BIT(me) -> targets = targets | BIT(each); started[each]++
         :: else
         fi
       };
       each = 0;
       round++
     };
     for (each : 0 .. TARGETS - 1) {
       if
       :: targets & BIT(each) ->
#ifdef MUTANT_ANY_POST
          (posts[AT(0, me)] + posts[AT(TARGETS - 1, me)] >= started[each])
#else
#ifdef MUTANT_POST_ONCE
          (posts[AT(each, me)] > 0)
#else
          if
          :: posts[AT(each, me)] < started[each] -> c_code { case_reached(2, "an origin waits"); }
          :: else
          fi;
          (posts[AT(each, me)] >= started[each])
#endif
#endif
       :: else
       fi
     }
     for (each : 0 .. TARGETS - 1) {
       if
       :: targets & BIT(each) ->
#ifdef MUTANT_COMPLETE_FIRST
          completes[AT(each, me)]++;
#endif
          d_step {
            assert(open[each] & BIT(me) && own[each] == round);
            put[AT(each, me)] = round
          };
          if
          :: open[each] != BIT(ORIGINS) - 1 -> c_code { case_reached(3, "the group is a subset"); }
          :: else
          fi;
#ifndef MUTANT_COMPLETE_FIRST
          completes[AT(each, me)]++
#endif
       :: else
       fi
     }
  :: else -> break
  od
}

init {
  atomic {
    byte each, members;
    for (each : 0 .. TARGETS * ROUNDS - 1) {
      select(members : 1 .. BIT(ORIGINS) - 1);
      group[each] = members
    };
    for (each : 0 .. TARGETS - 1) { run target(each) }
    for (each : 0 .. ORIGINS - 1) { run origin(each) }
  }
}
