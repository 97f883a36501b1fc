/* Two ranks write and read each other's shared memory. Twin of io.adrastea.it.SharedRank, `exchange`. */
#include "filling.h"
#include "member.h"

enum { ROUNDS = 8, TOLD = 1, DONE = 2, SIZES = 8 };

static const uint64_t sizes[SIZES] = {1, 8, 127, 4096, 10001, 300000, 1 << 20, 5000000};
static int peer;

static uint64_t number(int writer, int index) { return (uint64_t)writer * 1000003 + (uint64_t)index; }

/* Sends `bytes` and receives as many. */
static void swap(int tag, const void *mine, void *theirs, int64_t bytes) {
  adr_message piece;
  require(adr_send(job, peer, ADR_MATCH(0, tag), mine, bytes));
  require(adr_wait(job, peer, &piece));
  if (ADR_TAG(piece.match) != tag || piece.length != bytes) { exit(1); }
  if (bytes > 0) { memcpy(theirs, piece.payload, bytes); }
  require(adr_release(job));
}

static uint64_t exchange(int index, int round) {
  int self = adr_job_rank(job);
  void *mine, *theirs;
  int64_t told[2] = {0, sizes[index]};
  int64_t place[2];
  require(adr_job_allocate(job, sizes[index], INT64_C(1) << round, &mine, &told[0]));
  filling_write(mine, sizes[index], number(self, index));
  swap(TOLD, told, place, sizeof place);
  require(adr_job_reach(job, peer, place[0], place[1], &theirs));
  filling_check(theirs, place[1], number(peer, index));
  filling_write(theirs, place[1], number(self, index + 100));
  swap(DONE, NULL, NULL, 0);
  filling_check(mine, sizes[index], number(peer, index + 100));
  require(adr_job_free(job, mine));
  return sizes[index] + place[1];
}

int main(void) {
  uint64_t checked = 0;
  member_join();
  peer = 1 - adr_job_rank(job);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < SIZES; i++) { checked += exchange(i, round); }
  }
  printf("c checked %llu bytes\n", (unsigned long long)checked);
  return require(adr_job_leave(job));
}
