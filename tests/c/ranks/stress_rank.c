/* Every rank sends every rank, itself too, so many messages of random sizes, tagged with source and sequence, and
 * checks order and contents of what it gets. Twin of io.adrastea.it.StressRank. Arguments: seed, messages to each rank.
 */
#include <stdbool.h>

#include "filling.h"
#include "member.h"

enum { SEQUENCE_BITS = 20, LARGEST = 1 << 20, MAX_RANKS = 64 };

static uint64_t seed;
static int messages;
static int size;
static int sent[MAX_RANKS];
static int received[MAX_RANKS];
static adr_outgoing under_way[MAX_RANKS];
static struct member_inflow inflows[MAX_RANKS];

/* java.util.SplittableRandom. */
static uint32_t next_int(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 33)) * UINT64_C(0x62a9d9ed799705f5);
  return (uint32_t)(((z ^ (z >> 28)) * UINT64_C(0xcb24d0a5c88c35b3)) >> 32);
}

static int32_t next_below(uint64_t *state, int32_t bound) {
  uint32_t r = next_int(state);
  uint32_t most = (uint32_t)bound - 1;
  if (((uint32_t)bound & most) == 0) { return (int32_t)(r & most); }
  for (uint32_t u = r >> 1; (int32_t)(u + most - (r = u % (uint32_t)bound)) < 0; u = next_int(state) >> 1) {}
  return (int32_t)r;
}

static uint64_t number(int source, int destination, int sequence) {
  return filling_word(seed, (uint64_t)source << 40 | (uint64_t)destination << 20 | (uint64_t)sequence);
}

/* Mostly small, some of several cells, few large. */
static int64_t length(int source, int destination, int sequence) {
  uint64_t random = number(source, destination, sequence);
  int kind = next_below(&random, 100);
  return (uint64_t)next_below(&random, kind < 70 ? 200 : kind < 90 ? 10000 : kind < 98 ? 100000 : LARGEST + 1);
}

static void begin_send(int destination) {
  int self = adr_job_rank(job);
  int sequence = sent[destination];
  adr_outgoing *message = &under_way[destination];
  uint8_t *buffer = (uint8_t *)(uintptr_t)message->buffer;
  *message = (adr_outgoing){.destination = destination,
                            .match = ADR_MATCH(0, self << SEQUENCE_BITS | sequence),
                            .buffer = buffer,
                            .bytes = length(self, destination, sequence)};
  filling_write(buffer, message->bytes, number(self, destination, sequence));
}

/* Moves the sends to one rank on. Returns whether all are out. */
static bool push(int destination) {
  while (sent[destination] < messages) {
    if (require(adr_try_send(job, &under_way[destination])) == 0) { return false; }
    sent[destination]++;
    if (sent[destination] < messages) { begin_send(destination); }
  }
  return true;
}

static void check(const adr_message *last) {
  int self = adr_job_rank(job);
  int sequence = received[last->source]++;
  int64_t wanted = length(last->source, self, sequence);
  if (last->match != ADR_MATCH(0, last->source << SEQUENCE_BITS | sequence) || last->total_length != wanted) {
    fprintf(stderr, "rank %d wanted message %d of rank %d, %llu bytes, and got %llu bytes with tag %d\n", self,
            sequence, last->source, (unsigned long long)wanted, (unsigned long long)last->total_length,
            ADR_TAG(last->match));
    exit(1);
  }
  filling_check(inflows[last->source].contents, wanted, number(last->source, self, sequence));
}

static void run(void) {
  uint64_t choices = filling_word(seed, (uint64_t)adr_job_rank(job));
  int to_send = size;
  bool done[MAX_RANKS] = {false};
  for (int left = messages * size; to_send > 0 || left > 0;) {
    int destination = next_below(&choices, size);
    if (to_send > 0 && !done[destination] && push(destination)) {
      done[destination] = true;
      to_send--;
    }
    adr_message piece;
    if (left == 0) { continue; }
    int found = require(to_send > 0 ? adr_poll(job, &piece) : adr_wait(job, ADR_ANY, &piece));
    if (found == 1 && member_take(&inflows[piece.source], &piece)) {
      check(&piece);
      left--;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 3) { return 2; }
  seed = (uint64_t)strtoll(argv[1], NULL, 10);
  messages = atoi(argv[2]);
  member_join();
  size = adr_job_size(job);
  if (size > MAX_RANKS) { return 2; }
  for (int rank = 0; rank < size; rank++) {
    under_way[rank].buffer = malloc(LARGEST);
    if (under_way[rank].buffer == NULL) { return 1; }
    begin_send(rank);
  }
  run();
  printf("c: %d messages in order\n", messages * size);
  for (int rank = 0; rank < size; rank++) {
    free((void *)(uintptr_t)under_way[rank].buffer);
    free(inflows[rank].contents);
  }
  return require(adr_job_leave(job));
}
