/* Two ranks exchange a message of each size, each checking what it gets. Twin of io.adrastea.it.ExchangeRank: arguments
 * are ways, with commas between them, and the sizes. Ways are `blocking` (one after the other, there and back), `typed`
 * (the same: to a C rank a message is its bytes, however they lie at the other end) and `nonblocking` (all sizes both
 * ways at once). */
#include <stdbool.h>

#include "filling.h"
#include "member.h"

enum { FIRST_TAG = 100, MAX_SIZES = 64 };

static int peer;
static int count;
static int64_t sizes[MAX_SIZES];
static uint64_t checked;
static struct member_inflow inflow;

static uint64_t number(int sender, int index) { return (uint64_t)sender * 1000003 + (uint64_t)index; }

static uint8_t *filled(int index) {
  uint8_t *buffer = malloc(sizes[index] + 1);
  if (buffer == NULL) { exit(1); }
  filling_write(buffer, sizes[index], number(adr_job_rank(job), index));
  return buffer;
}

/* They come in the order in which they were sent. */
static void check(const adr_message *last, int index) {
  if (last->source != peer || last->match != ADR_MATCH(0, FIRST_TAG + index) || last->total_length != sizes[index]) {
    fprintf(stderr, "message %d came as %llu bytes with tag %d from rank %d\n", index,
            (unsigned long long)last->total_length, ADR_TAG(last->match), last->source);
    exit(1);
  }
  filling_check(inflow.contents, sizes[index], number(peer, index));
  checked += sizes[index];
}

static void receive(int index) {
  adr_message piece;
  do { require(adr_wait(job, peer, &piece)); } while (!member_take(&inflow, &piece));
  check(&piece, index);
}

static void send(int index) {
  uint8_t *buffer = filled(index);
  require(adr_send(job, peer, ADR_MATCH(0, FIRST_TAG + index), buffer, sizes[index]));
  free(buffer);
}

static void blocking(void) {
  for (int i = 0; i < count; i++) {
    if (adr_job_rank(job) == 0) {
      send(i);
      receive(i);
    } else {
      receive(i);
      send(i);
    }
  }
}

/* Starts, or goes on with, the next send. Returns whether all are done. */
static bool push(adr_outgoing *message, int *index) {
  while (*index < count) {
    if (message->buffer == NULL) {
      *message = (adr_outgoing){.destination = peer,
                                .match = ADR_MATCH(0, FIRST_TAG + *index),
                                .buffer = filled(*index),
                                .bytes = sizes[*index]};
    }
    if (require(adr_try_send(job, message)) == 0) { return false; }
    free((void *)(uintptr_t)message->buffer);
    message->buffer = NULL;
    ++*index;
  }
  return true;
}

static void nonblocking(void) {
  adr_outgoing message = {0};
  adr_message piece;
  int sent = 0;
  for (int received = 0; received < count || !push(&message, &sent);) {
    bool sending = !push(&message, &sent);
    if (received == count) { continue; }
    if (require(sending ? adr_poll(job, &piece) : adr_wait(job, peer, &piece)) == 1 && member_take(&inflow, &piece)) {
      check(&piece, received++);
    }
  }
}

int main(int argc, char **argv) {
  count = argc - 2;
  if (count < 1 || count > MAX_SIZES) { return 2; }
  for (int i = 0; i < count; i++) { sizes[i] = strtoull(argv[i + 2], NULL, 10); }
  member_join();
  peer = 1 - adr_job_rank(job);
  for (const char *way = strtok(argv[1], ","); way != NULL; way = strtok(NULL, ",")) {
    checked = 0;
    if (strcmp(way, "nonblocking") != 0) {
      blocking();
    } else {
      nonblocking();
    }
    printf("%s on c checked %llu bytes\n", way, (unsigned long long)checked);
  }
  free(inflow.contents);
  return require(adr_job_leave(job));
}
