/* Shared allocations of C ranks: made by one, reached by others through messages. */
#include "ranks.h"

enum { WORDS = 1000, TAG = 3 };

static int64_t offsets[MAX_TEST_RANKS];

/* Each rank tells all others where its words lie. */
static void tell_offsets(int64_t own) {
  adr_message piece;
  int self = adr_job_rank(job);
  offsets[self] = own;
  for (int rank = 0; rank < adr_job_size(job); rank++) {
    if (rank != self) { CHECK_EQUAL(0, adr_send(job, rank, ADR_MATCH(0, TAG), &own, sizeof own)); }
  }
  for (int others = adr_job_size(job) - 1; others > 0; others--) {
    CHECK_EQUAL(1, adr_wait(job, ADR_ANY, &piece));
    memcpy(&offsets[piece.source], piece.payload, sizeof own);
    CHECK_EQUAL(0, adr_release(job));
  }
}

static void write_and_read(void) {
  void *memory;
  int64_t offset;
  uint64_t self = (uint64_t)adr_job_rank(job);
  CHECK_EQUAL(0, adr_job_allocate(job, WORDS * sizeof(uint64_t), 64, &memory, &offset));
  CHECK_EQUAL(0, (uintptr_t)memory % 64);
  for (uint64_t i = 0; i < WORDS; i++) {
    CHECK_EQUAL(0, ((uint64_t *)memory)[i]);
    ((uint64_t *)memory)[i] = self * WORDS + i;
  }
  tell_offsets(offset);
  for (int rank = 0; rank < adr_job_size(job); rank++) {
    void *other;
    CHECK_EQUAL(0, adr_job_reach(job, rank, offsets[rank] + 8, (WORDS - 1) * sizeof(uint64_t), &other));
    for (uint64_t i = 1; i < WORDS; i++) { CHECK_EQUAL((uint64_t)rank * WORDS + i, ((uint64_t *)other)[i - 1]); }
  }
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_job_free(job, memory));
  CHECK_EQUAL(-EINVAL, adr_job_free(job, memory));
  check_says(adr_job_error(job), "is no shared allocation of this rank, or was freed already");
}

static void what_one_rank_writes_all_can_read(void) { run_ranks(3, write_and_read); }

/* After each barrier every rank sees what all others wrote before it. */
static void count_rounds(void) {
  void *memory;
  int64_t offset;
  volatile uint64_t *words[MAX_TEST_RANKS];
  CHECK_EQUAL(0, adr_job_allocate(job, sizeof(uint64_t), 128, &memory, &offset));
  tell_offsets(offset);
  for (int rank = 0; rank < adr_job_size(job); rank++) {
    CHECK_EQUAL(0, adr_job_reach(job, rank, offsets[rank], sizeof(uint64_t), &memory));
    words[rank] = memory;
  }
  for (uint64_t round = 1; round <= 500; round++) {
    *words[adr_job_rank(job)] = round;
    CHECK_EQUAL(0, adr_barrier(job));
    for (int rank = 0; rank < adr_job_size(job); rank++) { CHECK(*words[rank] == round); }
    CHECK_EQUAL(0, adr_barrier(job));
  }
}

static void a_barrier_orders_what_was_written(void) {
  run_ranks(1, count_rounds);
  run_ranks(2, count_rounds);
  run_ranks(4, count_rounds);
}

static void ask_for_the_impossible(void) {
  void *memory;
  int64_t offset;
  CHECK_EQUAL(-EINVAL, adr_job_allocate(job, 0, 64, &memory, &offset));
  check_says(adr_job_error(job), "a shared allocation of 0 bytes");
  CHECK_EQUAL(-EINVAL, adr_job_allocate(job, 8, 3, &memory, &offset));
  CHECK_EQUAL(-EINVAL, adr_job_allocate(job, -8, 64, &memory, &offset));
  check_says(adr_job_error(job), "a shared allocation of -8 bytes");
  CHECK_EQUAL(-EINVAL, adr_job_allocate(job, 8, -64, &memory, &offset));
  CHECK(adr_job_allocate(job, INT64_C(1) << 60, 64, &memory, &offset) < 0);
  CHECK_EQUAL(-EINVAL, adr_job_reach(job, 0, 0, 8, &memory)); /* the segment's header is nobody's allocation */
  check_says(adr_job_error(job), "not inside the shared allocations of rank 0");
  CHECK_EQUAL(-EINVAL, adr_job_reach(job, 1, 4096, 8, &memory));
  CHECK_EQUAL(-EINVAL, adr_job_reach(job, 0, -8, 8, &memory));
  CHECK_EQUAL(-EINVAL, adr_job_reach(job, 0, 8, -8, &memory));
  check_says(adr_job_error(job), "-8 bytes from offset 8");
  CHECK_EQUAL(0, adr_job_allocate(job, 8, 8, &memory, &offset));
}

static void what_cannot_be_is_refused(void) { run_ranks(1, ask_for_the_impossible); }

int main(void) {
  ranks_begin();
  RUN(what_one_rank_writes_all_can_read);
  RUN(a_barrier_orders_what_was_written);
  RUN(what_cannot_be_is_refused);
  ranks_end();
  return 0;
}
