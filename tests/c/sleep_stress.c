/* sleep_stress ROUNDS [SEED]: two processes that sleep whenever they wait, for messages by fastbox and by cell, for
 * room in both, and at the barrier, with pauses of every kind in between. A wake-up that is lost shows as a sleep that
 * ends with its time. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adrastea/channel.h"
#include "job.h"

enum { RANKS = 2, CELLS = 8, PAYLOAD = 512, LIMIT = 200, RING = 4096, SHORT = 8, MOST_MESSAGES = 60 };
static const struct adr_box_settings BOXES = {.slots = RING / 64, .limit = LIMIT, .threshold = 1};
static const int64_t HALF_A_MINUTE = INT64_C(30000000000);

struct rank {
  struct job *job;
  adr_channel *channel;
  int32_t number;
  uint32_t chance; /* of this rank alone */
  uint64_t sleeps;
  int64_t match; /* of the message that is next */
  int64_t length;
};

static uint32_t draw(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* The other one is to be caught at every step of falling asleep. */
static void pause_somehow(struct rank *me) {
  uint32_t kind = draw(&me->chance) % 64;
  if (kind == 0) { usleep(draw(&me->chance) % 200); }
  if (kind < 8) { sched_yield(); }
  for (uint32_t spins = kind < 48 ? draw(&me->chance) % 400 : 0; spins > 0; spins--) { adr_cpu_pause(); }
}

typedef bool look(struct rank *me);

static void await(struct rank *me, look *look) {
  while (!look(me)) {
    if (draw(&me->chance) % 4 != 0) { continue; }
    int64_t word = adr_channel_announce_sleep(me->channel);
    CHECK(word >= 0);
    if (!look(me)) {
      me->sleeps++;
      CHECK_EQUAL(0, adr_channel_sleep(me->job->segment.base, me->number, word, HALF_A_MINUTE));
      adr_channel_end_sleep(me->channel);
      continue;
    }
    adr_channel_end_sleep(me->channel);
    return;
  }
}

static bool sends(struct rank *me) {
  uint8_t message[PAYLOAD] = {0};
  int32_t sent =
      adr_channel_try_send(me->channel, 1 - me->number, ADR_PIECE_FIRST, me->match, me->length, message, 0, me->length);
  CHECK(sent == me->length || sent == -EAGAIN);
  return sent >= 0;
}

static bool receives(struct rank *me) {
  uint8_t message[PAYLOAD];
  adr_inbound in;
  int32_t found = adr_channel_receive(me->channel, me->match, -1, 1 - me->number, message, 0, PAYLOAD, 1, &in);
  CHECK(found == me->length || found == -EAGAIN);
  return found >= 0;
}

static bool passes(struct rank *me) { return adr_channel_barrier_wait(me->channel, 1) == 0; }

/* Both ranks draw the same rounds. */
static void play(struct rank *me, uint32_t rounds, uint32_t seed) {
  for (uint32_t round = 0; round < rounds; round++) {
    int32_t sender = (int32_t)(draw(&seed) % RANKS);
    uint32_t messages = draw(&seed) % 4 == 0 ? draw(&seed) % MOST_MESSAGES : 1;
    me->length = draw(&seed) % 2 == 0 ? SHORT : PAYLOAD;
    for (; messages > 0; messages--, me->match++) {
      pause_somehow(me);
      await(me, me->number == sender ? sends : receives);
    }
    if (draw(&seed) % 4 == 0) {
      pause_somehow(me);
      CHECK_EQUAL(0, adr_channel_barrier_arrive(me->channel));
      await(me, passes);
    }
  }
}

static int run(struct job *job, int32_t number, uint32_t rounds, uint32_t seed) {
  struct rank me = {.job = job, .number = number, .chance = seed + (uint32_t)number};
  CHECK_EQUAL(0, adr_channel_prepare_to_wake());
  me.channel = adr_channel_open(job->segment.base, number);
  CHECK(me.channel != NULL);
  job_open_box(job, me.channel, (uint32_t)number, 1u - (uint32_t)number);
  play(&me, rounds, seed);
  printf("rank %" PRId32 ": %" PRIu32 " rounds, slept %" PRIu64 " times\n", number, rounds, me.sleeps);
  CHECK(me.sleeps > rounds / 20);
  adr_channel_close(me.channel);
  return 0;
}

int main(int argc, char **argv) {
  CHECK(argc >= 2);
  uint32_t rounds = (uint32_t)strtoul(argv[1], NULL, 10);
  uint32_t seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : (uint32_t)getpid();
  printf("seed %" PRIu32 "\n", seed);
  fflush(stdout);
  struct job job = job_open_boxes(RANKS, CELLS, PAYLOAD, BOXES);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) { exit(run(&job, 1, rounds, seed)); }
  run(&job, 0, rounds, seed);
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK_EQUAL(0, status);
  job_close(&job);
  return 0;
}
