/* Communicators of C ranks, and their collectives, between processes. */
#include <complex.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>

#include "job/adr_comm_state.h"
#include "ranks.h"

enum { MOST = 1 << 20 };

static uint8_t in[MOST], out[MAX_TEST_RANKS * MOST];

static uint8_t byte_of(int rank, int64_t i, int64_t round) { return (uint8_t)(rank * 37 + i * 11 + i / 251 + round); }

static void fill(uint8_t *bytes, int64_t count, int rank, int64_t round) {
  for (int64_t i = 0; i < count; i++) { bytes[i] = byte_of(rank, i, round); }
}

static void check_filled(const uint8_t *bytes, int64_t count, int rank, int64_t round) {
  for (int64_t i = 0; i < count; i++) { CHECK_EQUAL(byte_of(rank, i, round), bytes[i]); }
}

static void bcast(adr_comm *comm, int64_t bytes, int root) {
  const int self = adr_comm_rank(comm);
  fill(out, bytes, self, bytes);
  CHECK_EQUAL(0, adr_comm_bcast(comm, out, bytes, root));
  check_filled(out, bytes, root, bytes);
}

static void allgather(adr_comm *comm, int64_t bytes, bool in_place) {
  const int self = adr_comm_rank(comm);
  fill(in_place ? out + self * bytes : in, bytes, self, bytes);
  CHECK_EQUAL(0, adr_comm_allgather(comm, in_place ? NULL : in, out, bytes));
  for (int rank = 0; rank < adr_comm_size(comm); rank++) { check_filled(out + rank * bytes, bytes, rank, bytes); }
}

static void allreduce(adr_comm *comm, int64_t count, bool in_place) {
  double *to = (double *)(void *)out;
  double *from = in_place ? to : (double *)(void *)in;
  const int size = adr_comm_size(comm);
  for (int64_t i = 0; i < count; i++) { from[i] = 1.0 / (double)(adr_comm_rank(comm) + i + 1); }
  CHECK_EQUAL(0, adr_comm_allreduce(comm, in_place ? NULL : from, to, count, ADR_DOUBLE, ADR_SUM));
  for (int64_t i = 0; i < count; i++) {
    double sum = 1.0 / (double)(i + 1);
    for (int rank = 1; rank < size; rank++) { sum += 1.0 / (double)(rank + i + 1); } /* in this order */
    CHECK(sum == to[i]);
  }
}

static void run_all(adr_comm *comm) {
  static const int64_t sizes[] = {0, 1, 8, 48, 49, 1000, 4096, 40000, 300001};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    CHECK_EQUAL(0, adr_comm_barrier(comm));
    bcast(comm, sizes[i], (int)i % adr_comm_size(comm));
    allgather(comm, sizes[i], i % 2 == 0);
    allreduce(comm, sizes[i] / 8, i % 2 != 0);
  }
}

static void run_in_world(void) {
  adr_comm *world = adr_job_world(job);
  CHECK_EQUAL(adr_job_rank(job), adr_comm_rank(world));
  CHECK_EQUAL(adr_job_size(job), adr_comm_size(world));
  CHECK_EQUAL(0, adr_comm_context(world));
  CHECK_EQUAL(adr_job_size(job) - 1, adr_comm_job_rank(world, adr_job_size(job) - 1));
  CHECK_EQUAL(-1, adr_comm_job_rank(world, adr_job_size(job)));
  run_all(world);
  CHECK_EQUAL(0, adr_barrier(job));
}

static void every_rank_has_the_results_of_all_sizes(void) { run_jobs_of_sizes(run_in_world); }

static void the_barrier_is_by_the_slot_or_by_the_counter(void) {
  static const char *const ways[] = {"slot", "counter"};
  for (int i = 0; i < 2; i++) {
    setenv("ADRASTEA_BARRIER", ways[i], 1);
    run_ranks(3, run_in_world);
  }
  unsetenv("ADRASTEA_BARRIER");
}

static void every_way_has_the_same_results(void) {
  static const char *const ways[] = {"stages", "direct", "auto"};
  for (int i = 0; i < 3; i++) {
    setenv("ADRASTEA_COLLECTIVE_WAY", ways[i], 1);
    run_ranks(2, run_in_world);
    run_ranks(5, run_in_world);
  }
  unsetenv("ADRASTEA_COLLECTIVE_WAY");
}

static void combine_uncommon_elements(void) {
  adr_comm *world = adr_job_world(job);
  const int self = adr_comm_rank(world);
  uint32_t most = self == 0 ? UINT32_C(0xfffffff0) : 7;
  CHECK_EQUAL(0, adr_comm_allreduce(world, NULL, &most, 1, ADR_UINT32, ADR_MAX));
  CHECK(most == UINT32_C(0xfffffff0));
  long double small[20];
  for (int i = 0; i < 20; i++) { small[i] = self == 0 ? 0x1p62L : 1; }
  CHECK_EQUAL(0, adr_comm_allreduce(world, NULL, small, 20, ADR_LONG_DOUBLE, ADR_SUM));
  for (int i = 0; i < 20; i++) { CHECK(small[i] - 0x1p62L == 2); }
  const double complex factor = self == 2 ? 2 : I;
  double complex product = 0;
  CHECK_EQUAL(0, adr_comm_allreduce(world, &factor, &product, 1, ADR_DOUBLE_COMPLEX, ADR_PROD));
  CHECK(product == -2);
}

static void unsigned_long_double_and_complex_are_combined(void) { run_ranks(3, combine_uncommon_elements); }

static void make_others(void) {
  adr_comm *world = adr_job_world(job), *twin, *half, *none, *again;
  const int self = adr_job_rank(job);
  CHECK_EQUAL(0, adr_comm_dup(world, &twin));
  CHECK(adr_comm_context(twin) != 0);
  run_all(twin);
  CHECK_EQUAL(0, adr_comm_split(world, self % 2, -self, &half)); /* in the reverse order */
  const int members = adr_job_size(job) / 2 + (self % 2 == 0 ? adr_job_size(job) % 2 : 0);
  CHECK_EQUAL(members, adr_comm_size(half));
  CHECK_EQUAL(self, adr_comm_job_rank(half, adr_comm_rank(half)));
  for (int rank = 1; rank < members; rank++) {
    CHECK_EQUAL(adr_comm_job_rank(half, rank - 1) - 2, adr_comm_job_rank(half, rank));
  }
  run_all(half);
  CHECK_EQUAL(0, adr_comm_dup(half, &again));
  run_all(again);
  run_all(world);
  CHECK_EQUAL(0, adr_comm_split(twin, self == 1 ? ADR_NO_COLOR : 5, 0, &none));
  CHECK_EQUAL(self == 1, none == NULL);
  if (none != NULL) { run_all(none); }
  CHECK_EQUAL(0, adr_comm_close(none));
  CHECK_EQUAL(0, adr_comm_close(half));
  run_all(again);
  CHECK_EQUAL(0, adr_comm_close(twin)); /* the other is closed by leaving */
  CHECK_EQUAL(-EINVAL, adr_comm_split(world, -2, 0, &none));
  check_says(adr_job_error(job), "color -2; allowed are 0 to 2147483647");
  CHECK_EQUAL(-EINVAL, adr_comm_close(world));
  CHECK_EQUAL(0, adr_comm_close(NULL));
}

static void communicators_are_made_of_others_and_closed(void) {
  run_ranks(2, make_others);
  run_ranks(5, make_others);
}

static void make_and_close_many(void) {
  adr_comm *comm, *first = NULL;
  for (int i = 0; i < 3000; i++) {
    CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
    const int64_t one = i;
    int64_t sum = 0;
    CHECK_EQUAL(0, adr_comm_allreduce(comm, &one, &sum, 1, ADR_INT64, ADR_SUM));
    CHECK_EQUAL(i * adr_job_size(job), sum);
    if (i == 0) {
      first = comm;
    } else {
      CHECK(adr_comm_context(comm) != adr_comm_context(first));
      CHECK_EQUAL(0, adr_comm_close(comm));
    }
  }
  run_all(first);
}

static void numbers_are_used_again(void) { run_ranks(2, make_and_close_many); }

static void make_one_out_of_the_other(void) {
  adr_comm *last = NULL;
  for (int i = 0; i < 3000; i++) {
    adr_comm *made = NULL;
    CHECK_EQUAL(0, adr_comm_dup(last == NULL ? adr_job_world(job) : last, &made));
    CHECK(made->origin->depth < 256);
    if (last != NULL) { CHECK_EQUAL(0, adr_comm_close(last)); }
    last = made;
    if (i % 100 == 0) { CHECK_EQUAL(0, adr_comm_barrier(last)); } /* the other rank may be so far behind */
  }
  CHECK_EQUAL(0, adr_comm_close(last));
}

static void what_a_closed_parent_was_made_out_of_is_forgotten(void) { run_ranks(2, make_one_out_of_the_other); }

static void refuse_arguments(void) {
  adr_comm *world = adr_job_world(job);
  double number = 1;
  CHECK_EQUAL(-EINVAL, adr_comm_bcast(world, &number, 8, adr_job_size(job)));
  check_says(adr_job_error(job), "root 2 of a bcast; this communicator has ranks 0 to 1");
  CHECK_EQUAL(-EINVAL, adr_comm_bcast(world, &number, -1, 0));
  CHECK_EQUAL(-EINVAL, adr_comm_bcast(world, NULL, 8, 0));
  check_says(adr_job_error(job), "it got NULL");
  CHECK_EQUAL(-EINVAL, adr_comm_allreduce(world, &number, &number, 1, ADR_DOUBLE, ADR_BOR));
  check_says(adr_job_error(job), "BOR has no meaning for elements of type double");
  CHECK_EQUAL(-EINVAL, adr_comm_allreduce(world, &number, &number, 1, ADR_DOUBLE, ADR_USER_OPERATOR));
  check_says(adr_job_error(job), "operator 255 of elements of kind 10");
  CHECK_EQUAL(-EINVAL, adr_comm_allreduce(world, &number, &number, -1, ADR_DOUBLE, ADR_SUM));
  CHECK_EQUAL(-EINVAL, adr_comm_allreduce(world, &number, NULL, 1, ADR_DOUBLE, ADR_SUM));
  CHECK_EQUAL(-EINVAL, adr_comm_allgather(world, &number, NULL, 8));
  CHECK_EQUAL(-EINVAL, adr_comm_allgather(world, &number, &number, INT64_MAX));
  run_all(world); /* nothing was begun */
}

static void arguments_that_are_wrong_are_refused_and_nothing_is_begun(void) { run_ranks(2, refuse_arguments); }

static void call_something_else(void) {
  adr_comm *world = adr_job_world(job), *comm;
  CHECK_EQUAL(0, adr_comm_dup(world, &comm));
  double number = 1;
  const bool odd = adr_job_rank(job) == 1;
  int status = odd ? adr_comm_allreduce(comm, NULL, &number, 1, ADR_DOUBLE, ADR_MAX)
                   : adr_comm_allreduce(comm, NULL, &number, 1, ADR_DOUBLE, ADR_SUM);
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, status);
  check_says(adr_job_error(job), odd ? "an allreduce of 8 bytes, MAX of double cannot be completed"
                                     : "an allreduce of 8 bytes, SUM of double cannot be completed");
  if (odd) { check_says(adr_job_error(job), "rank 0 calls an allreduce of 8 bytes, SUM of double"); }
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_barrier(comm));
  check_says(adr_job_error(job), "barrier: this communicator takes no more collectives, since rank ");
  run_all(world); /* another one */
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void ranks_that_call_something_else_are_told(void) {
  run_ranks(2, call_something_else);
  run_ranks(3, call_something_else);
}

static void call_other_roots(void) {
  int64_t word = adr_job_rank(job);
  int status = adr_comm_bcast(adr_job_world(job), &word, 8, 1 - adr_job_rank(job));
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, status);
  check_says(adr_job_error(job), adr_job_rank(job) == 0 ? "rank 1 calls a bcast of 8 bytes from root 0"
                                                        : "rank 0 calls a bcast of 8 bytes from root 1");
}

static void roots_that_differ_are_told_though_nobody_posts(void) { run_ranks(2, call_other_roots); }

static void close_under_the_others(void) {
  adr_comm *comm;
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
  if (adr_job_rank(job) == 1) {
    CHECK_EQUAL(0, adr_comm_close(comm));
    CHECK_EQUAL(0, adr_barrier(job));
    return;
  }
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_barrier(comm));
  check_says(adr_job_error(job), "rank 1 has closed the communicator");
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void a_closed_communicator_is_told_of(void) { run_ranks(3, close_under_the_others); }

static void revoke_under_the_others(void) {
  adr_comm *comm;
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
  CHECK_EQUAL(0, adr_comm_barrier(comm));
  if (adr_job_rank(job) == 1) { CHECK_EQUAL(0, adr_comm_revoke(comm)); }
  for (int call = 0; call < 2; call++) {
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_bcast(comm, out, 1000, 1));
    check_says(adr_job_error(job), "the communicator was revoked");
  }
  adr_comm *again;
  uint32_t agreed;
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_dup(comm, &again));
  CHECK_EQUAL(0, adr_comm_agree(comm, 5, &agreed));
  CHECK_EQUAL(5, agreed);
  CHECK_EQUAL(0, adr_comm_shrink(comm, &again));
  CHECK_EQUAL(adr_job_size(job), adr_comm_size(again));
  run_all(again);
  CHECK_EQUAL(0, adr_comm_close(again));
  CHECK_EQUAL(0, adr_barrier(job));
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void a_revoked_communicator_is_told_of(void) { run_ranks(3, revoke_under_the_others); }

/* Calls in a communicator that rank 1 has given up while it was made: nobody waits there for it. */
static void miss_rank_1(adr_comm *made) {
  uint32_t agreed;
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_barrier(made));
  check_says(adr_job_error(job), "rank 1 has closed the communicator, or gave up while it was made");
  CHECK_EQUAL(0, adr_comm_agree(made, 5, &agreed));
  CHECK_EQUAL(5, agreed);
  CHECK_EQUAL(0, adr_comm_close(made));
}

/* All are there, and all numbers are free. */
static void go_on_from(adr_comm *parent) {
  adr_comm *all, *one;
  CHECK_EQUAL(0, adr_comm_shrink(parent, &all));
  CHECK_EQUAL(adr_job_size(job), adr_comm_size(all));
  for (int i = 0; i < 1100; i++) {
    CHECK_EQUAL(0, adr_comm_dup(all, &one));
    CHECK(adr_comm_context(one) / ADR_CONTEXT_ID_GENERATIONS < 1024);
    CHECK_EQUAL(0, adr_comm_barrier(one));
    CHECK_EQUAL(0, adr_comm_close(one));
  }
  CHECK_EQUAL(0, adr_comm_close(all));
}

static void revoke_the_parent_before_all_are_there(void) {
  adr_comm *world = adr_job_world(job), *made;
  if (adr_job_rank(job) == 1) {
    while (!adr_slot_is_revoked(&world->agreement.slot)) { usleep(1000); }
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_barrier(world));
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_dup(world, &made));
  } else {
    CHECK_EQUAL(0, adr_comm_dup(world, &made));
    if (adr_job_rank(job) == 0) { CHECK_EQUAL(0, adr_comm_revoke(world)); }
    miss_rank_1(made);
  }
  go_on_from(world);
}

static void a_rank_whose_parent_is_revoked_before_it_comes_is_missed_by_nobody(void) {
  run_ranks(2, revoke_the_parent_before_all_are_there);
}

static void come_without_address_space(void) {
  adr_comm *world = adr_job_world(job), *made;
  if (adr_job_rank(job) == 1) {
    struct rlimit before, none;
    CHECK_EQUAL(0, getrlimit(RLIMIT_AS, &before));
    none = (struct rlimit){.rlim_cur = 1, .rlim_max = before.rlim_max};
    CHECK_EQUAL(0, setrlimit(RLIMIT_AS, &none));
    const int status = adr_comm_dup(world, &made);
    CHECK_EQUAL(0, setrlimit(RLIMIT_AS, &before));
    CHECK_EQUAL(-ENOMEM, status);
    CHECK(made == NULL);
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_split(world, 0, 0, &made));
    check_says(adr_job_error(job), "has given up the making of a communicator out of this one");
  } else {
    CHECK_EQUAL(0, adr_comm_dup(world, &made));
    miss_rank_1(made);
  }
  CHECK_EQUAL(0, adr_comm_barrier(world)); /* its collectives go on */
  go_on_from(world);
}

static void a_rank_that_cannot_map_the_new_slot_is_missed_by_nobody(void) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  printf("not under this sanitizer, which maps memory of its own meanwhile: ");
  (void)come_without_address_space;
#else
  run_ranks(2, come_without_address_space);
  run_ranks(3, come_without_address_space);
#endif
}

/* What a broken rank tells of a communicator may be anything, and its slot may say the same. */
static void enter_what_cannot_be(void) {
  struct adr_slot_pool *pool = &job->slots;
  const uint32_t alone = job->rank;
  struct adr_communicator_slot made, entered;
  CHECK_EQUAL(0, adr_slot_make(pool, &alone, 1, &made));
  static const int32_t ids[] = {
      INT32_MIN, -1, 0, 1, ADR_CONTEXT_ID_GENERATIONS - 1, INT32_MAX, ADR_MAX_CONTEXTS * ADR_CONTEXT_ID_GENERATIONS};
  for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
    made.memory->context_id = (uint32_t)ids[i];
    CHECK_EQUAL(ADR_CORRUPT, adr_slot_enter(pool, ids[i], alone, made.offset, 1, 0, &entered));
  }
  made.memory->context_id = (uint32_t)made.id;
  CHECK_EQUAL(ADR_CORRUPT, adr_slot_enter(pool, made.id, alone, made.offset + 4, 1, 0, &entered));
  CHECK_EQUAL(0, adr_slot_close(pool, &made, 0));
}

static void what_cannot_be_a_communicator_is_not_entered(void) { run_ranks(1, enter_what_cannot_be); }

static void come_late(void) {
  adr_comm *world = adr_job_world(job);
  for (int round = 0; round < 3; round++) {
    if (adr_job_rank(job) == round) { usleep(300000); } /* the others sleep */
    allreduce(world, round == 1 ? 5000 : 1, false);
    allgather(world, 8, false);
  }
}

static void who_sleeps_is_woken(void) { run_ranks(3, come_late); }

static int64_t millis(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static int64_t dying_bytes;

static void lose_one(void) {
  adr_comm *world = adr_job_world(job), *comm;
  CHECK_EQUAL(0, adr_comm_dup(world, &comm));
  if (adr_job_rank(job) == 1) {
    usleep(50000);
    kill(getpid(), SIGKILL);
  }
  int64_t begun = millis();
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_comm_allgather(comm, in, out, dying_bytes));
  CHECK(millis() - begun < 60000); /* not for ever */
  CHECK_EQUAL(1, adr_job_failed_rank(job));
  check_says(adr_job_error(job), "has failed; an allgather of");
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_comm_barrier(comm));
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_barrier(job));
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void a_rank_that_dies_ends_the_collectives_of_all(void) {
  for (dying_bytes = 8; dying_bytes <= 100000; dying_bytes *= 12500) {
    pid_t pids[3];
    for (int rank = 0; rank < 3; rank++) { pids[rank] = start_rank(rank, 3, lose_one); }
    for (int rank = 0; rank < 3; rank++) { CHECK_EQUAL(rank == 1 ? 128 + SIGKILL : 0, end_of(pids[rank])); }
  }
}

static void agree(void) {
  const int self = adr_job_rank(job);
  adr_comm *world = adr_job_world(job), *half;
  uint32_t agreed;
  for (uint32_t round = 0; round < 300; round++) {
    CHECK_EQUAL(0, adr_comm_agree(world, UINT32_C(0x80000000) | UINT32_C(1) << self, &agreed));
    CHECK_EQUAL(UINT32_C(0x80000000), agreed);
    CHECK_EQUAL(0, adr_comm_agree(world, round, &agreed));
    CHECK_EQUAL(round, agreed);
  }
  CHECK_EQUAL(0, adr_comm_split(world, self % 2, 0, &half));
  CHECK_EQUAL(0, adr_comm_agree(half, (uint32_t)(self % 2), &agreed));
  CHECK_EQUAL((uint32_t)(self % 2), agreed);
  for (int i = 0; i < 100; i++) {
    adr_comm *again;
    CHECK_EQUAL(0, adr_comm_shrink(half, &again));
    CHECK_EQUAL(adr_comm_size(half), adr_comm_size(again));
    CHECK_EQUAL(adr_comm_rank(half), adr_comm_rank(again));
    CHECK_EQUAL(0, adr_comm_barrier(again));
    CHECK_EQUAL(0, adr_comm_close(again));
  }
  CHECK_EQUAL(0, adr_comm_close(half));
}

static void flags_are_agreed_on_and_all_who_live_get_a_communicator(void) {
  run_ranks(2, agree);
  run_ranks(4, agree);
}

/* Rank 0 is broken: it decides what it likes. */
static void be_told_of_what_cannot_be(void) {
  adr_comm *world = adr_job_world(job), *made;
  struct adr_slot *slot = world->slot.memory;
  if (adr_job_rank(job) == 0) {
    const uint64_t owners[] = {0, 1, 2, 4095}; /* local rank + 1 */
    CHECK_EQUAL(0, adr_barrier(job));
    for (uint64_t i = 0; i < 100; i++) {
      const uint64_t offset = ((i + 1) * UINT64_C(0x9e3779b97f4a7c15) >> 24) & ((UINT64_C(1) << 40) - 1);
      adr_store_release_u64(&slot->shrunk, (i + 1) << 52 | owners[i % 4] << 40 | offset);
      CHECK_EQUAL(0, adr_barrier(job));
      CHECK_EQUAL(0, adr_barrier(job));
    }
    return;
  }
  CHECK_EQUAL(0, adr_barrier(job));
  for (uint64_t i = 0; i < 100; i++) {
    /* This stands before it comes, since it looks for the number of the next one. */
    CHECK_EQUAL(0, adr_barrier(job));
    world->agreement.proposes = true;
    world->agreement.shrink = (uint32_t)i + 1;
    world->step = ADR_COMM_SHRINKS;
    CHECK_EQUAL(ADR_CORRUPT, adr_comm_shrink(world, &made));
    CHECK(made == NULL);
    CHECK_EQUAL(0, adr_barrier(job));
  }
}

static void a_decision_that_cannot_be_is_told_of(void) { run_ranks(2, be_told_of_what_cannot_be); }

static void agree_where_others_shrink(void) {
  adr_comm *world = adr_job_world(job), *made;
  uint32_t agreed;
  const int status = adr_job_rank(job) == 0 ? adr_comm_agree(world, 1, &agreed) : adr_comm_shrink(world, &made);
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, status);
  check_says(adr_job_error(job), "calls another agreement");
  CHECK_EQUAL(0, adr_comm_agree(world, 1, &agreed)); /* the next one is possible */
  CHECK_EQUAL(1, agreed);
}

static void who_calls_another_agreement_is_told(void) { run_ranks(2, agree_where_others_shrink); }

/* Rank 0 leaves, rank 2 is killed while the others agree, and rank 3 has closed the communicator. */
static void go_on_without(void) {
  adr_comm *comm, *rest;
  const int self = adr_job_rank(job);
  CHECK_EQUAL(0, adr_comm_dup(adr_job_world(job), &comm));
  CHECK_EQUAL(0, adr_comm_barrier(comm));
  if (self == 0) { return; }
  if (self == 2) {
    usleep(50000);
    kill(getpid(), SIGKILL);
  }
  if (self == 3) {
    CHECK_EQUAL(0, adr_comm_close(comm));
    return;
  }
  uint32_t agreed;
  CHECK_EQUAL(0, adr_comm_agree(comm, self == 1 ? 3 : 6, &agreed));
  CHECK_EQUAL(2, agreed);
  CHECK_EQUAL(0, adr_comm_shrink(comm, &rest));
  CHECK_EQUAL(2, adr_comm_size(rest));
  CHECK_EQUAL(1, adr_comm_job_rank(rest, 0));
  CHECK_EQUAL(4, adr_comm_job_rank(rest, 1));
  run_all(rest);
  CHECK_EQUAL(0, adr_comm_close(rest));
  CHECK_EQUAL(0, adr_comm_close(comm));
}

static void who_lives_goes_on(void) {
  pid_t pids[5];
  for (int rank = 0; rank < 5; rank++) { pids[rank] = start_rank(rank, 5, go_on_without); }
  for (int rank = 0; rank < 5; rank++) { CHECK_EQUAL(rank == 2 ? 128 + SIGKILL : 0, end_of(pids[rank])); }
}

int main(void) {
  ranks_begin();
  RUN(every_rank_has_the_results_of_all_sizes);
  RUN(the_barrier_is_by_the_slot_or_by_the_counter);
  RUN(every_way_has_the_same_results);
  RUN(unsigned_long_double_and_complex_are_combined);
  RUN(communicators_are_made_of_others_and_closed);
  RUN(numbers_are_used_again);
  RUN(what_a_closed_parent_was_made_out_of_is_forgotten);
  RUN(arguments_that_are_wrong_are_refused_and_nothing_is_begun);
  RUN(ranks_that_call_something_else_are_told);
  RUN(roots_that_differ_are_told_though_nobody_posts);
  RUN(a_closed_communicator_is_told_of);
  RUN(a_revoked_communicator_is_told_of);
  RUN(a_rank_whose_parent_is_revoked_before_it_comes_is_missed_by_nobody);
  RUN(a_rank_that_cannot_map_the_new_slot_is_missed_by_nobody);
  RUN(what_cannot_be_a_communicator_is_not_entered);
  RUN(who_sleeps_is_woken);
  RUN(flags_are_agreed_on_and_all_who_live_get_a_communicator);
  RUN(a_decision_that_cannot_be_is_told_of);
  RUN(who_calls_another_agreement_is_told);
  RUN(who_lives_goes_on);
  RUN(a_rank_that_dies_ends_the_collectives_of_all);
  ranks_end();
  return 0;
}
