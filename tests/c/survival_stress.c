/* survival_stress ROUNDS [SEED]: ranks as threads, all at once; three of five die at a random moment, each at whatever
 * stop point it is, and the other two go on. What the enumerations of survival_test cannot have: repairs while the
 * living are at work. For TSan too. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "survival.h"

enum { SURVIVORS = 2, MESSAGES = 60, CELLS = 30, MOST_STOPS = 1500, STEPS_PER_RECLAIM = 16, MOST_STEPS = 5000000 };
static const struct adr_box_settings BOXES = {.slots = 64, .limit = 100, .threshold = 6};

static struct side sides[SURVIVAL_RANKS];
static _Thread_local uint64_t stops_left;
static uint64_t seed;
static pthread_barrier_t all_done;

static uint64_t next_random(void) { /* splitmix64 */
  uint64_t z = (seed += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* The death of a thread: it is known at once, and nothing comes after it. Two of three wait for an enqueue to die in.
 */
static void die_in_time(enum adr_stop_point point) {
  bool in_enqueue = point == ADR_STOP_enqueue_intent || point == ADR_STOP_enqueue_swapped;
  if (stops_left > 0) { stops_left--; }
  if (stops_left == 0 && (in_enqueue || victim->random_stops % 3 == 0)) {
    mark_dead(victim->rank);
    pthread_exit(NULL);
  }
}

/* Moves a rank on; the one that is to die sends until it does. */
static void step(struct side *me, uint32_t steps) {
  bool moved = false;
  for (uint32_t to = 0; to < SURVIVAL_RANKS; to++) {
    moved |= (is_victim || me->out[to].number < MESSAGES) && push(me, to) == 1;
  }
  moved |= pull(me, steps % 3 == 0 ? 1 - (int32_t)me->rank % 2 : -1) == 1;
  if (steps % STEPS_PER_RECLAIM == 0) { reclaim(me); }
  if (!moved) { sched_yield(); }
}

static bool is_over(const struct side *me) {
  for (uint32_t from = 0; from < SURVIVORS; from++) {
    if (me->in[from].number < MESSAGES || me->out[from].number < MESSAGES) { return false; }
  }
  for (uint32_t rank = SURVIVORS; rank < SURVIVAL_RANKS; rank++) {
    if (me->channel->out[rank].burial != ADR_BURIAL_DONE) { return false; }
  }
  return true;
}

static void *run_victim(void *argument) {
  victim = argument;
  is_victim = true;
  stops_left = victim->random_stops;
  for (uint32_t steps = 1;; steps++) { step(victim, steps); }
  return NULL;
}

static void *run_survivor(void *argument) {
  struct side *me = argument;
  for (uint32_t steps = 1; !is_over(me); steps++) {
    CHECK(steps < MOST_STEPS);
    step(me, steps);
  }
  pthread_barrier_wait(&all_done);
  pull_all(me); /* what the other one sent last */
  reclaim(me);
  pthread_barrier_wait(&all_done);
  pull_all(me);
  for (uint32_t rank = SURVIVORS; rank < SURVIVAL_RANKS; rank++) { check_heard_of(me, rank); }
  check_pool_is_full(me);
  return NULL;
}

static void run_round(void) {
  pthread_t threads[SURVIVAL_RANKS];
  job = job_open_boxes(SURVIVAL_RANKS, CELLS, SURVIVAL_PAYLOAD, BOXES);
  memset(traces, 0, sizeof *traces);
  for (uint32_t rank = 0; rank < SURVIVAL_RANKS; rank++) {
    sides[rank] = side_open(rank);
    sides[rank].random_stops = 1 + next_random() % MOST_STOPS;
  }
  for (uint32_t rank = 0; rank < SURVIVAL_RANKS; rank++) {
    CHECK_EQUAL(0, pthread_create(&threads[rank], NULL, rank < SURVIVORS ? run_survivor : run_victim, &sides[rank]));
  }
  for (uint32_t rank = 0; rank < SURVIVAL_RANKS; rank++) { CHECK_EQUAL(0, pthread_join(threads[rank], NULL)); }
  for (uint32_t rank = 0; rank < SURVIVAL_RANKS; rank++) {
    adr_channel_close(sides[rank].channel);
  } /* nobody is left to mind */
  job_close(&job);
}

int main(int argc, char **argv) {
  CHECK(argc == 2 || argc == 3);
  int rounds = atoi(argv[1]);
  seed = argc == 3 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
  snprintf(case_name, sizeof case_name, "seed 0x%" PRIx64, seed);
  atexit(name_the_case);
  traces_open();
  at_stop = die_in_time;
  CHECK_EQUAL(0, pthread_barrier_init(&all_done, NULL, SURVIVORS));
  for (int round = 0; round < rounds; round++) { run_round(); }
  printf("ok %d rounds, %s\n", rounds, case_name);
  case_name[0] = '\0';
  return 0;
}
