/* Sends numbered messages to every other rank, and checks that what comes is right, in order, and there once, while
 * ranks are killed, this one perhaps. Twin of io.adrastea.it.SurvivalRank. Arguments: seed. */
#include <sched.h>
#include <stdbool.h>

#include "filling.h"
#include "member.h"

enum { SURVIVORS = 4, DATA = 1, STOP = 2, END = 3, LEAST_BYTES = 8, MORE_BYTES = 511, MAX_RANKS = 64 };

static uint64_t seed;
static int self;
static int size;
static bool stopped;
static uint64_t sent[MAX_RANKS];
static uint64_t received[MAX_RANKS];
static uint64_t told[MAX_RANKS]; /* how many it says it has sent, plus 1; 0: it has not said so yet */
static bool lost[MAX_RANKS];
static bool sending[MAX_RANKS];
static adr_outgoing under_way[MAX_RANKS];
static uint8_t outgoing[MAX_RANKS][LEAST_BYTES + MORE_BYTES];
static struct member_inflow inflows[MAX_RANKS];

static uint64_t number(int from, int to, uint64_t sequence) {
  return filling_word(seed, (uint64_t)from << 48 | (uint64_t)to << 40 | sequence);
}

static uint64_t bytes_of(uint64_t number) { return LEAST_BYTES + (number & MORE_BYTES); }

static void begin_send(int peer) {
  uint64_t what = number(self, peer, sent[peer]++);
  filling_write(outgoing[peer], bytes_of(what), what);
  under_way[peer] = (adr_outgoing){
      .destination = peer, .match = ADR_MATCH(0, DATA), .buffer = outgoing[peer], .bytes = bytes_of(what)};
  sending[peer] = true;
}

static void lose(int peer) {
  if (peer < SURVIVORS || adr_job_failed_rank(job) != peer) {
    fprintf(stderr, "not the failure of rank %d: %s\n", peer, adr_job_error(job));
    exit(1);
  }
  lost[peer] = true;
  sending[peer] = false;
}

/* Goes on with the message to a rank, or begins one. Returns whether none is on its way any more. */
static bool push(int peer) {
  int status = adr_try_send(job, &under_way[peer]);
  if (status == ADR_ERROR_RANK_FAILED) {
    lose(peer);
  } else if (require(status) == 1) {
    sending[peer] = false;
  }
  return !sending[peer];
}

static uint64_t first_word(const uint8_t *contents) {
  uint64_t word;
  memcpy(&word, contents, sizeof word);
  return word;
}

static void check(int source, uint64_t bytes) {
  uint64_t what = number(source, self, received[source]++);
  if (bytes != bytes_of(what)) {
    fprintf(stderr, "message %llu from rank %d has %llu bytes; it was sent with %llu\n",
            (unsigned long long)received[source] - 1, source, (unsigned long long)bytes,
            (unsigned long long)bytes_of(what));
    exit(1);
  }
  filling_check(inflows[source].contents, bytes, what);
}

static void take(const adr_message *piece) {
  if (!member_take(&inflows[piece->source], piece)) { return; }
  switch (ADR_TAG(piece->match)) {
  case DATA:
    check(piece->source, piece->total_length);
    break;
  case STOP:
    stopped = true;
    break;
  default:
    told[piece->source] = first_word(inflows[piece->source].contents) + 1;
  }
}

static bool take_all(void) {
  adr_message piece;
  bool any = false;
  while (require(adr_poll(job, &piece)) == 1) {
    take(&piece);
    any = true;
  }
  return any;
}

/* Waits for a piece, so that the dead are looked after. */
static void wait_for(int survivor) {
  adr_message piece;
  require(adr_wait(job, survivor, &piece));
  take(&piece);
}

/* Whether a receiver may wait for the rest of a message, which does not go on while this rank waits. */
static bool owes(void) {
  for (int peer = 0; peer < size; peer++) {
    if (sending[peer] && under_way[peer].begun) { return true; }
  }
  return false;
}

static void talk(void) {
  uint64_t choice = filling_word(seed, (uint64_t)self);
  for (uint64_t round = 0; !stopped; round++) {
    choice = filling_word(choice, round);
    int peer = (int)(choice % (uint64_t)size);
    if (peer != self && !lost[peer]) {
      if (!sending[peer]) { begin_send(peer); }
      push(peer);
    }
    if (!take_all()) { sched_yield(); }
    if ((choice >> 32) % 64 == 0 && !owes()) { wait_for(0); }
  }
}

static void finish_sends(void) {
  for (int peer = 0; peer < size; peer++) {
    while (sending[peer] && !push(peer)) {
      if (!take_all()) { sched_yield(); }
      if (peer >= SURVIVORS) { /* it is dead: a rank that waits finds that out */
        adr_message piece;
        int status = adr_wait(job, peer, &piece);
        if (status == 1) {
          take(&piece);
        } else if (status == ADR_ERROR_RANK_FAILED) {
          if (under_way[peer].begun) { adr_cancel_send(job, &under_way[peer]); }
          lose(peer);
        } else {
          require(status);
        }
      }
    }
  }
}

static void end(void) {
  finish_sends();
  for (int peer = 0; peer < SURVIVORS; peer++) {
    if (peer != self) { require(adr_send(job, peer, ADR_MATCH(0, END), &sent[peer], sizeof sent[peer])); }
  }
  for (int peer = 0; peer < SURVIVORS; peer++) {
    while (peer != self && told[peer] == 0) { wait_for(peer); }
    if (peer != self && told[peer] - 1 != received[peer]) {
      fprintf(stderr, "rank %d sent %llu messages, and %llu came\n", peer, (unsigned long long)told[peer] - 1,
              (unsigned long long)received[peer]);
      exit(1);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2) { return 2; }
  seed = (uint64_t)strtoll(argv[1], NULL, 10);
  member_join();
  self = adr_job_rank(job);
  size = adr_job_size(job);
  if (size > MAX_RANKS) { return 2; }
  talk();
  end();
  printf("c: survived %d\n", size - SURVIVORS);
  for (int rank = 0; rank < size; rank++) { free(inflows[rank].contents); }
  return require(adr_job_leave(job));
}
