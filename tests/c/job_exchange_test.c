/* Gather, scatter, alltoall and their forms for blocks that differ, of C ranks between processes. */
#include <stdbool.h>

#include "adrastea/comm.h"
#include "ranks.h"

enum { MOST = 70000 };

static uint8_t in[MAX_TEST_RANKS * MOST], out[MAX_TEST_RANKS * MOST];
static int64_t counts[MAX_TEST_RANKS], at[MAX_TEST_RANKS], out_counts[MAX_TEST_RANKS], out_at[MAX_TEST_RANKS];

static uint8_t byte_of(int giver, int taker, int64_t i) {
  return (uint8_t)(giver * 37 + taker * 101 + i * 11 + i / 251);
}

static void fill(uint8_t *bytes, int64_t count, int giver, int taker) {
  for (int64_t i = 0; i < count; i++) { bytes[i] = byte_of(giver, taker, i); }
}

static void check_filled(const uint8_t *bytes, int64_t count, int giver, int taker) {
  for (int64_t i = 0; i < count; i++) { CHECK_EQUAL(byte_of(giver, taker, i), bytes[i]); }
}

static void gather(adr_comm *comm, int64_t bytes, int root, bool in_place) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  const bool stays = in_place && self == root;
  fill(stays ? out + self * bytes : in, bytes, self, 0);
  CHECK_EQUAL(0, adr_comm_gather(comm, stays ? NULL : in, self == root ? out : NULL, bytes, root));
  for (int rank = 0; self == root && rank < size; rank++) { check_filled(out + rank * bytes, bytes, rank, 0); }
}

static void scatter(adr_comm *comm, int64_t bytes, int root, bool in_place) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  const bool stays = in_place && self == root;
  for (int rank = 0; rank < size; rank++) { fill(in + rank * bytes, bytes, self, rank); }
  CHECK_EQUAL(0, adr_comm_scatter(comm, self == root ? in : NULL, stays ? NULL : out, bytes, root));
  check_filled(stays ? in + self * bytes : out, bytes, root, self);
}

static void alltoall(adr_comm *comm, int64_t bytes, bool in_place) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  for (int rank = 0; rank < size; rank++) { fill((in_place ? out : in) + rank * bytes, bytes, self, rank); }
  CHECK_EQUAL(0, adr_comm_alltoall(comm, in_place ? NULL : in, out, bytes));
  for (int rank = 0; rank < size; rank++) { check_filled(out + rank * bytes, bytes, rank, self); }
}

/* Bytes that differ by pair, or by rank; 0 and 1 for some, the same both ways. */
static int64_t length_of(int giver, int taker, int64_t most) {
  const int pair = giver * taker + giver + taker;
  return pair % 4 == 0 ? 0 : pair % 4 == 1 ? 1 : most - pair;
}

/* Blocks of one side, in the opposite order, with gaps. */
static void lay_out(int size, int self, int64_t most, bool gives, int64_t *lengths, int64_t *places) {
  int64_t place = 5;
  for (int rank = size - 1; rank >= 0; rank--) {
    lengths[rank] = gives ? length_of(self, rank, most) : length_of(rank, self, most);
    places[rank] = place;
    place += lengths[rank] + 3;
  }
}

static void alltoallv(adr_comm *comm, int64_t most, bool in_place) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  lay_out(size, self, most, true, counts, at);
  lay_out(size, self, most, false, out_counts, out_at);
  for (int rank = 0; rank < size; rank++) { fill((in_place ? out : in) + at[rank], counts[rank], self, rank); }
  CHECK_EQUAL(0, adr_comm_alltoallv(comm, in_place ? NULL : in, in_place ? NULL : counts, in_place ? NULL : at, out,
                                    out_counts, out_at));
  for (int rank = 0; rank < size; rank++) { check_filled(out + out_at[rank], out_counts[rank], rank, self); }
}

static void gatherv(adr_comm *comm, int64_t most, int root, bool for_all, bool in_place) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  const bool takes = for_all || self == root;
  const bool stays = in_place && takes;
  int64_t place = 0;
  for (int rank = 0; rank < size; rank++) {
    counts[rank] = length_of(rank, 1, most);
    at[rank] = place;
    place += counts[rank] + 1;
  }
  fill(stays ? out + at[self] : in, counts[self], self, 1);
  if (for_all) {
    CHECK_EQUAL(0, adr_comm_allgatherv(comm, stays ? NULL : in, counts[self], out, counts, at));
  } else {
    CHECK_EQUAL(0, adr_comm_gatherv(comm, stays ? NULL : in, counts[self], takes ? out : NULL, takes ? counts : NULL,
                                    takes ? at : NULL, root));
  }
  for (int rank = 0; takes && rank < size; rank++) { check_filled(out + at[rank], counts[rank], rank, 1); }
}

static void scatterv(adr_comm *comm, int64_t most, int root, bool in_place) {
  const int self = adr_comm_rank(comm), size = adr_comm_size(comm);
  const bool stays = in_place && self == root;
  lay_out(size, root, most, true, counts, at);
  for (int rank = 0; rank < size; rank++) { fill(in + at[rank], counts[rank], root, rank); }
  CHECK_EQUAL(0, adr_comm_scatterv(comm, self == root ? in : NULL, self == root ? counts : NULL,
                                   self == root ? at : NULL, stays ? NULL : out, counts[self], root));
  check_filled(stays ? in + at[self] : out, counts[self], root, self);
}

static void run_all(adr_comm *comm) {
  static const int64_t sizes[] = {0, 1, 8, 24, 25, 48, 49, 1000, 16384, 40000, 69900};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int root = (int)i % adr_comm_size(comm);
    const int64_t most = sizes[i] + 60;
    gather(comm, sizes[i], root, i % 2 == 0);
    scatter(comm, sizes[i], root, i % 2 == 1);
    alltoall(comm, sizes[i], i % 3 == 0);
    alltoallv(comm, most, i % 3 == 1);
    gatherv(comm, most, root, false, i % 2 == 0);
    gatherv(comm, most, root, true, i % 2 == 1);
    scatterv(comm, most, root, i % 2 == 0);
  }
}

static void run_in_world(void) {
  run_all(adr_job_world(job));
  CHECK_EQUAL(0, adr_barrier(job));
}

static void every_rank_has_the_blocks_of_all_sizes(void) { run_jobs_of_sizes(run_in_world); }

static void refuse_arguments(void) {
  adr_comm *world = adr_job_world(job);
  const int self = adr_comm_rank(world);
  const int64_t lengths[] = {8, 8}, apart[] = {0, 8}, same[] = {4, 0}, wrong[] = {-1, 8};
  CHECK_EQUAL(-EINVAL, adr_comm_gather(world, in, out, 8, 2));
  check_says(adr_job_error(job), "root 2 of a gather; this communicator has ranks 0 to 1");
  CHECK_EQUAL(-EINVAL, adr_comm_gather(world, in, NULL, 8, self));
  CHECK_EQUAL(-EINVAL, adr_comm_gather(world, NULL, out, 8, 1 - self));
  check_says(adr_job_error(job), "needs a buffer of what this rank gives; it got NULL");
  CHECK_EQUAL(-EINVAL, adr_comm_scatter(world, NULL, out, 8, self));
  CHECK_EQUAL(-EINVAL, adr_comm_scatter(world, in, NULL, 8, 1 - self));
  CHECK_EQUAL(-EINVAL, adr_comm_alltoall(world, in, out, -1));
  CHECK_EQUAL(-EINVAL, adr_comm_alltoall(world, in, NULL, 8));
  CHECK_EQUAL(-EINVAL, adr_comm_allgatherv(world, in, 8, out, lengths, same));
  check_says(adr_job_error(job), "that of rank 1 overlaps that of rank 0");
  CHECK_EQUAL(-EINVAL, adr_comm_allgatherv(world, in, 8, out, wrong, apart));
  check_says(adr_job_error(job), "-1 bytes at 0 for rank 0; both are to be 0 or more");
  CHECK_EQUAL(-EINVAL, adr_comm_allgatherv(world, in, 9, out, lengths, apart));
  check_says(adr_job_error(job), "for itself, which expects 8");
  CHECK_EQUAL(-EINVAL, adr_comm_allgatherv(world, in, 8, out, NULL, apart));
  check_says(adr_job_error(job), "needs counts and displacements of all ranks' blocks; it got NULL");
  CHECK_EQUAL(-EINVAL, adr_comm_alltoallv(world, in, lengths, apart, out, lengths, same));
  run_all(world); /* nothing was begun */
}

static void arguments_that_are_wrong_are_refused_and_nothing_is_begun(void) { run_ranks(2, refuse_arguments); }

static void expect_other_lengths(void) {
  adr_comm *comm;
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
  const int self = adr_comm_rank(comm);
  const int64_t lengths[] = {8, 16}, places[] = {0, 100};
  const int status = self == 0 ? adr_comm_gatherv(comm, in, 8, out, lengths, places, 0)
                               : adr_comm_gatherv(comm, in, 12, NULL, NULL, NULL, 0);
  if (self == 0) {
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, status);
    check_says(adr_job_error(job), "rank 1 gives 12 bytes to rank 0, which expects 16");
  } else {
    CHECK_EQUAL(0, status); /* it has given, and gone on */
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_barrier(comm));
  }
  CHECK_EQUAL(0, adr_barrier(job)); /* neither leaves before the other knows */
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void lengths_that_differ_are_told_to_who_takes(void) { run_ranks(2, expect_other_lengths); }

int main(void) {
  ranks_begin();
  RUN(every_rank_has_the_blocks_of_all_sizes);
  RUN(arguments_that_are_wrong_are_refused_and_nothing_is_begun);
  RUN(lengths_that_differ_are_told_to_who_takes);
  ranks_end();
  return 0;
}
