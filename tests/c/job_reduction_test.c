/* reduce, scan, exscan and reduce_scatter of C ranks between processes. */
#include <stdbool.h>
#include <string.h>

#include "adrastea/comm.h"
#include "ranks.h"

enum { MOST = 30000 };

static int64_t in[MOST], out[MOST], expected[MOST];

static int64_t number(int rank, int64_t i) { return (rank + 1) * 1000003 + i * (rank + 7); }

/* What ranks before one give, all together. */
static void expect(int ranks, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    expected[i] = number(0, i);
    for (int rank = 1; rank < ranks; rank++) { expected[i] += number(rank, i); }
  }
}

static void fill(int64_t *words, int rank, int64_t count) {
  for (int64_t i = 0; i < count; i++) { words[i] = number(rank, i); }
}

/* Writes the operands; where they are. */
static int64_t *give(adr_comm *comm, int64_t count, bool in_place) {
  memset(out, 7, sizeof out);
  fill(in_place ? out : in, adr_comm_rank(comm), count);
  return in_place ? NULL : in;
}

static void check(const int64_t *first, int64_t count) { CHECK(memcmp(first, out, (size_t)count * sizeof *out) == 0); }

static void reduce(adr_comm *comm, int64_t count, int root, bool in_place) {
  const bool gets = adr_comm_rank(comm) == root;
  const int64_t *own = give(comm, count, in_place && gets);
  CHECK_EQUAL(0, adr_comm_reduce(comm, own, gets ? out : NULL, count, ADR_INT64, ADR_SUM, root));
  expect(adr_comm_size(comm), count);
  if (gets) { check(expected, count); }
}

static void scan(adr_comm *comm, int64_t count, bool in_place) {
  const int64_t *own = give(comm, count, in_place);
  CHECK_EQUAL(0, adr_comm_scan(comm, own, out, count, ADR_INT64, ADR_SUM));
  expect(adr_comm_rank(comm) + 1, count);
  check(expected, count);
}

static void exscan(adr_comm *comm, int64_t count, bool in_place) {
  const int64_t *own = give(comm, count, in_place);
  const int64_t before = out[0];
  CHECK_EQUAL(0, adr_comm_exscan(comm, own, out, count, ADR_INT64, ADR_SUM));
  expect(adr_comm_rank(comm), count);
  if (adr_comm_rank(comm) > 0) { check(expected, count); }
  if (adr_comm_rank(comm) == 0) { CHECK_EQUAL(before, out[0]); }
}

static void reduce_scatter_block(adr_comm *comm, int64_t count, bool in_place) {
  const int size = adr_comm_size(comm);
  const int64_t *own = give(comm, size * count, in_place);
  CHECK_EQUAL(0, adr_comm_reduce_scatter_block(comm, own, out, count, ADR_INT64, ADR_SUM));
  expect(size, size * count);
  check(expected + adr_comm_rank(comm) * count, count);
}

static void reduce_scatter(adr_comm *comm, int64_t most, bool in_place) {
  const int size = adr_comm_size(comm);
  int64_t counts[MAX_TEST_RANKS], total = 0, begin = 0;
  for (int rank = 0; rank < size; rank++) {
    counts[rank] = rank % 3 == 1 ? 0 : rank == 2 ? 1 : most - rank * most / 10;
    if (rank < adr_comm_rank(comm)) { begin += counts[rank]; }
    total += counts[rank];
  }
  const int64_t *own = give(comm, total, in_place);
  CHECK_EQUAL(0, adr_comm_reduce_scatter(comm, own, out, counts, ADR_INT64, ADR_SUM));
  expect(size, total);
  check(expected + begin, counts[adr_comm_rank(comm)]);
}

static void run_all(adr_comm *comm) {
  static const int64_t counts[] = {0, 1, 3, 6, 7, 300, 3000, 5000};
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
    reduce(comm, counts[i], (int)i % adr_comm_size(comm), i % 2 == 0);
    scan(comm, counts[i], i % 2 == 1);
    exscan(comm, counts[i], i % 3 == 1);
    reduce_scatter_block(comm, counts[i], i % 2 == 1);
    reduce_scatter(comm, counts[i], i % 3 == 0);
  }
}

static void run_in_world(void) {
  run_all(adr_job_world(job));
  CHECK_EQUAL(0, adr_barrier(job));
}

static void every_rank_has_what_all_give_together(void) { run_jobs_of_sizes(run_in_world); }

static void refuse_arguments(void) {
  adr_comm *world = adr_job_world(job);
  const int self = adr_comm_rank(world);
  const int64_t counts[] = {1, -1};
  CHECK_EQUAL(-EINVAL, adr_comm_reduce(world, in, out, 1, ADR_INT64, ADR_SUM, 2));
  check_says(adr_job_error(job), "root 2 of a reduce; this communicator has ranks 0 to 1");
  CHECK_EQUAL(-EINVAL, adr_comm_reduce(world, in, NULL, 1, ADR_INT64, ADR_SUM, self));
  CHECK_EQUAL(-EINVAL, adr_comm_reduce(world, NULL, out, 1, ADR_INT64, ADR_SUM, 1 - self));
  check_says(adr_job_error(job), "needs a buffer of what this rank gives; it got NULL");
  CHECK_EQUAL(-EINVAL, adr_comm_scan(world, in, out, -1, ADR_INT64, ADR_SUM));
  check_says(adr_job_error(job), "scan of -1 elements; allowed are 0 to 137438953472");
  CHECK_EQUAL(-EINVAL, adr_comm_exscan(world, in, out, 1, ADR_DOUBLE, ADR_BAND));
  check_says(adr_job_error(job), "BAND has no meaning for elements of type double");
  CHECK_EQUAL(-EINVAL, adr_comm_scan(world, in, out, 1, ADR_INT64, 77));
  check_says(adr_job_error(job), "scan by operator 77 of elements of kind");
  CHECK_EQUAL(-EINVAL, adr_comm_reduce_scatter(world, in, out, NULL, ADR_INT64, ADR_SUM));
  check_says(adr_job_error(job), "reduce_scatter needs counts of all ranks' parts; it got NULL");
  CHECK_EQUAL(-EINVAL, adr_comm_reduce_scatter(world, in, out, counts, ADR_INT64, ADR_SUM));
  check_says(adr_job_error(job), "reduce_scatter of -1 elements; allowed are 0 to 137438953472");
  const int64_t huge[] = {INT64_C(1) << 37, 1};
  CHECK_EQUAL(-EINVAL, adr_comm_reduce_scatter(world, in, out, huge, ADR_INT64, ADR_SUM));
  check_says(adr_job_error(job), "reduce_scatter of 137438953473 elements; allowed are 0 to 137438953472");
  CHECK_EQUAL(-EINVAL, adr_comm_reduce_scatter_block(world, in, NULL, 1, ADR_INT64, ADR_SUM));
  run_all(world); /* nothing was begun */
}

static void arguments_that_are_wrong_are_refused_and_nothing_is_begun(void) { run_ranks(2, refuse_arguments); }

static void cut_differently(void) {
  adr_comm *comm;
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
  const int self = adr_comm_rank(comm);
  const int64_t counts[] = {1 + self, 2 - self};
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_reduce_scatter(comm, in, out, counts, ADR_INT64, ADR_SUM));
  if (self == 0) { check_says(adr_job_error(job), "rank 1 calls that too, but with parts of other lengths"); }
  CHECK_EQUAL(0, adr_barrier(job)); /* neither leaves before the other knows */
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void parts_that_differ_at_two_ranks_are_told(void) { run_ranks(2, cut_differently); }

static void call_another(void) {
  adr_comm *comm;
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
  const int status = adr_comm_rank(comm) == 0 ? adr_comm_reduce_scatter_block(comm, in, out, 1, ADR_INT64, ADR_SUM)
                                              : adr_comm_reduce(comm, in, out, 2, ADR_DOUBLE, ADR_MAX, 1);
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, status);
  if (adr_comm_rank(comm) == 0) {
    check_says(adr_job_error(job), "rank 1 calls a reduce of 16 bytes to root 1, MAX of double");
  }
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void another_collective_is_told_in_words(void) { run_ranks(2, call_another); }

int main(void) {
  ranks_begin();
  RUN(every_rank_has_what_all_give_together);
  RUN(arguments_that_are_wrong_are_refused_and_nothing_is_begun);
  RUN(parts_that_differ_at_two_ranks_are_told);
  RUN(another_collective_is_told_in_words);
  ranks_end();
  return 0;
}
