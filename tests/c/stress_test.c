/* stress_test processes|threads RANKS MESSAGES [SEED]: every rank sends MESSAGES messages of random
 * sizes to every rank, itself too, in random order of destinations, and checks order and content of what it
 * gets. Few small cells, so that senders run dry and messages come in pieces; small fastboxes, made while it goes on,
 * that only some messages fit. Some messages are written in place, some go in bursts, some are held for a while and
 * read in place. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "adrastea/channel.h"
#include "job.h"

enum { CELLS = 12, PAYLOAD = 128, MAX_RANKS = 16, MAX_BYTES = 5 * PAYLOAD, MAX_HELD = 3 };
static const struct adr_box_settings BOXES = {.slots = 64, .limit = 300, .threshold = 5};

struct outgoing { /* to one destination: the message under way */
  uint32_t number, length, sent;
  uint8_t bytes[MAX_BYTES];
};

struct incoming { /* from one source: the message under way */
  uint32_t number, length, got;
  uint8_t bytes[MAX_BYTES];
};

struct held { /* a whole message that lies where it came */
  adr_inbound piece;
  uint32_t number;
};

struct rank {
  struct job *job;
  adr_channel *channel;
  uint32_t rank, ranks, messages;
  uint64_t random;
  uint32_t unsent, ungot; /* whole messages */
  struct outgoing out[MAX_RANKS];
  struct incoming in[MAX_RANKS];
  struct held held[MAX_HELD];
  uint32_t retained_count;
  uint32_t burst_left; /* sends until the burst ends */
  uint32_t burst_to;
};

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static int64_t match_of(uint32_t source, uint32_t number) { return ((int64_t)source << 32) | number; }

static uint8_t byte_of(uint32_t source, uint32_t destination, uint32_t number, uint32_t at) {
  return (uint8_t)(source * 31 + destination * 7 + number * 13 + at * (1 + number % 5));
}

static uint32_t random_length(struct rank *me) {
  uint64_t random = next_random(&me->random);
  return random % 3 == 0 ? (uint32_t)(random >> 8) % (MAX_BYTES + 1) : (uint32_t)(random >> 8) % 33;
}

static void prepare(struct rank *me, uint32_t to) {
  struct outgoing *out = &me->out[to];
  out->length = random_length(me);
  out->sent = 0;
  for (uint32_t i = 0; i < out->length; i++) { out->bytes[i] = byte_of(me->rank, to, out->number, i); }
}

/* Writes a piece in place; sometimes gives the room back first. */
static int32_t send_claimed(struct rank *me, uint32_t to, int32_t kind, int64_t match) {
  struct outgoing *out = &me->out[to];
  uint32_t length = out->length - out->sent < PAYLOAD ? out->length - out->sent : PAYLOAD;
  int32_t destination = (int32_t)to;
  int64_t room = adr_channel_claim(me->channel, destination, kind, match, out->length, length);
  if (room == -EAGAIN) { return -EAGAIN; }
  CHECK(room > 0);
  CHECK_EQUAL(-EBUSY, adr_channel_try_send(me->channel, destination, kind, match, out->length, out->bytes, 0, length));
  memcpy(me->job->segment.base + room, out->bytes + out->sent, length);
  if (next_random(&me->random) % 3 == 0) {
    memset(me->job->segment.base + room, 0xff, length);
    CHECK_EQUAL(0, adr_channel_abort(me->channel, destination));
    return -EAGAIN;
  }
  CHECK_EQUAL(0, adr_channel_commit(me->channel, destination));
  return (int32_t)length;
}

static void end_burst(struct rank *me) {
  if (me->burst_left > 0 && --me->burst_left == 0) {
    CHECK_EQUAL(0, adr_channel_end_burst(me->channel, (int32_t)me->burst_to));
  }
}

static void maybe_begin_burst(struct rank *me, uint32_t to) {
  if (me->burst_left == 0 && next_random(&me->random) % 16 == 0) {
    CHECK_EQUAL(0, adr_channel_begin_burst(me->channel, (int32_t)to));
    me->burst_to = to;
    me->burst_left = 6;
  }
}

/* Sends a piece if there is room. */
static int push(struct rank *me, uint32_t to) {
  struct outgoing *out = &me->out[to];
  end_burst(me);
  if (out->number == me->messages) { return 0; }
  maybe_begin_burst(me, to);
  int32_t kind = out->sent == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT;
  int64_t match = match_of(me->rank, out->number);
  int32_t taken = next_random(&me->random) % 8 == 0
                      ? send_claimed(me, to, kind, match)
                      : adr_channel_try_send(me->channel, (int32_t)to, kind, match, out->length, out->bytes, out->sent,
                                             out->length - out->sent);
  if (taken == -EAGAIN) { return 0; }
  CHECK(taken >= 0);
  out->sent += (uint32_t)taken;
  if (out->sent == out->length) {
    out->number++;
    me->unsent--;
    prepare(me, to);
  }
  return 1;
}

static void check_message(const struct rank *me, uint32_t from, const struct incoming *in) {
  for (uint32_t i = 0; i < in->length; i++) { CHECK_EQUAL(byte_of(from, me->rank, in->number, i), in->bytes[i]); }
}

static void begin_message(struct incoming *in, const adr_inbound *piece) {
  CHECK_EQUAL(0, in->got);
  CHECK_EQUAL(match_of((uint32_t)piece->source, in->number), piece->match);
  CHECK(piece->total_length <= MAX_BYTES);
  in->length = (uint32_t)piece->total_length;
}

/* Reads one of the messages held where it lies, and gives it back. */
static void give_one(struct rank *me) {
  uint32_t which = (uint32_t)(next_random(&me->random) % me->retained_count);
  struct held *held = &me->held[which];
  const uint8_t *bytes = me->job->segment.base + held->piece.payload;
  for (uint32_t i = 0; i < held->piece.length; i++) {
    CHECK_EQUAL(byte_of((uint32_t)held->piece.source, me->rank, held->number, i), bytes[i]);
  }
  CHECK_EQUAL(0, adr_channel_release_retained(me->channel, (int32_t)held->piece.source, held->piece.place));
  *held = me->held[--me->retained_count];
}

/* Leaves a whole message in place; false: it is to be taken now. */
static int hold(struct rank *me, const adr_inbound *piece) {
  struct incoming *in = &me->in[piece->source];
  if (me->retained_count == MAX_HELD || piece->length != piece->total_length || next_random(&me->random) % 8 != 0
      || adr_channel_retain(me->channel) == -EAGAIN) {
    return 0;
  }
  me->held[me->retained_count++] = (struct held){*piece, in->number++};
  me->ungot--;
  return 1;
}

static int open_wanted(struct rank *me, uint32_t source) {
  if (next_random(&me->random) % 4 == 0) {
    CHECK_EQUAL(0, adr_channel_refuse_box(me->channel, (int32_t)source));
  } else {
    job_open_box(me->job, me->channel, me->rank, source);
  }
  return 1;
}

/* Takes the next piece, if one is there. */
static int pull(struct rank *me) {
  adr_inbound piece;
  if (me->retained_count > 0 && next_random(&me->random) % 4 == 0) { give_one(me); }
  int32_t first = (int32_t)(next_random(&me->random) % (me->ranks + 1)) - 1;
  int32_t status = adr_channel_poll(me->channel, first, &piece);
  if (status == -EAGAIN) { return 0; }
  if (status == ADR_POLL_WANTED) { return open_wanted(me, (uint32_t)piece.source); }
  CHECK_EQUAL(1, status);
  struct incoming *in = &me->in[piece.source];
  CHECK_EQUAL(in->got == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT, piece.kind);
  if (piece.kind == ADR_PIECE_FIRST) { begin_message(in, &piece); }
  CHECK(in->got + piece.length <= in->length);
  if (hold(me, &piece)) { return 1; }
  CHECK_EQUAL(0, adr_channel_take(me->channel, in->bytes, in->got, piece.length));
  in->got += (uint32_t)piece.length;
  if (in->got == in->length) {
    check_message(me, (uint32_t)piece.source, in);
    in->number++;
    in->got = 0;
    me->ungot--;
  }
  return 1;
}

/* Drives one rank until all it sends is sent and all it is to get has come. */
static void play(struct rank *me) {
  for (uint32_t to = 0; to < me->ranks; to++) { prepare(me, to); }
  me->unsent = me->ungot = me->messages * me->ranks;
  while (me->unsent > 0 || me->ungot > 0 || me->burst_left > 0) {
    int moved = push(me, (uint32_t)(next_random(&me->random) % me->ranks));
    if (next_random(&me->random) % 4 != 0) { moved |= pull(me); }
    if (!moved) { sched_yield(); }
  }
  while (me->retained_count > 0) { give_one(me); }
  CHECK_EQUAL(0, pull(me));
}

static struct rank *rank_new(struct job *job, uint32_t rank, uint32_t ranks, uint32_t messages, uint64_t seed) {
  struct rank *me = calloc(1, sizeof *me);
  CHECK(me != NULL);
  me->job = job;
  me->channel = adr_channel_open(job->segment.base, (int32_t)rank);
  CHECK(me->channel != NULL);
  me->rank = rank;
  me->ranks = ranks;
  me->messages = messages;
  me->random = seed + rank;
  return me;
}

static void rank_end(struct rank *me) {
  adr_channel_close(me->channel);
  free(me);
}

static void run_child(struct job *job, uint32_t rank, uint32_t ranks, uint32_t messages, uint64_t seed) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct rank *me = rank_new(job, rank, ranks, messages, seed);
  play(me);
  rank_end(me);
  exit(0);
}

/* The first rank that fails ends the test; the others die with this process. */
static void run_processes(struct job *job, uint32_t ranks, uint32_t messages, uint64_t seed) {
  for (uint32_t rank = 0; rank < ranks; rank++) {
    if (fork() == 0) { run_child(job, rank, ranks, messages, seed); }
  }
  for (uint32_t rank = 0; rank < ranks; rank++) {
    int status;
    CHECK(wait(&status) > 0);
    CHECK_EQUAL(0, status);
  }
}

static void *run_thread(void *rank) {
  play(rank);
  return NULL;
}

static void run_threads(struct job *job, uint32_t ranks, uint32_t messages, uint64_t seed) {
  pthread_t threads[MAX_RANKS];
  struct rank *all[MAX_RANKS];
  for (uint32_t rank = 0; rank < ranks; rank++) {
    all[rank] = rank_new(job, rank, ranks, messages, seed);
    CHECK_EQUAL(0, pthread_create(&threads[rank], NULL, run_thread, all[rank]));
  }
  for (uint32_t rank = 0; rank < ranks; rank++) {
    CHECK_EQUAL(0, pthread_join(threads[rank], NULL));
    rank_end(all[rank]);
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 4 || argc == 5);
  int threads = strcmp(argv[1], "threads") == 0;
  uint32_t ranks = (uint32_t)atoi(argv[2]);
  uint32_t messages = (uint32_t)atoi(argv[3]);
  uint64_t fresh = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
  uint64_t seed = argc == 5 ? strtoull(argv[4], NULL, 0) : fresh;
  CHECK(ranks >= 1 && ranks <= MAX_RANKS);
  printf("%s %" PRIu32 " %" PRIu32 " seed 0x%" PRIx64 "\n", argv[1], ranks, messages, seed);
  fflush(stdout);
  struct job job = job_open_boxes(ranks, CELLS, PAYLOAD, BOXES);
  (threads ? run_threads : run_processes)(&job, ranks, messages, seed);
  job_close(&job);
  printf("ok\n");
  return 0;
}
