/* Communicators of some ranks of a job, made by these alone: the first tells the others in shared memory. */
#include <sys/mman.h>

#include "base/adr_atomic.h"
#include "job/adr_comm_state.h"
#include "ranks.h"

enum { SIZE = 6, SETS = 64 };

static adr_atomic_u64 *told; /* shared by all: a word for each set */

static uint64_t await_word(int set) {
  uint64_t word;
  while ((word = adr_load_acquire_u64(&told[set])) == 0) { usleep(100); }
  return word;
}

static int list_set(int start, int stride, int size, int *ranks) {
  for (int i = 0; i < size; i++) { ranks[i] = start + i * stride; }
  return size;
}

static bool has(const int *ranks, int count, int rank) {
  for (int i = 0; i < count; i++) {
    if (ranks[i] == rank) { return true; }
  }
  return false;
}

static adr_comm *make(const int *ranks, int count, int set) {
  adr_comm *made;
  uint64_t word = 0;
  if (ranks[0] == adr_job_rank(job)) {
    CHECK_EQUAL(0, adr_comm_offer(job, ranks, count, &made, &word));
    CHECK(word != 0);
    adr_store_release_u64(&told[set], word);
  } else {
    CHECK_EQUAL(0, adr_comm_accept(job, ranks, count, await_word(set), &made));
  }
  return made;
}

static void use(adr_comm *comm, const int *ranks, int count) {
  CHECK_EQUAL(count, adr_comm_size(comm));
  int64_t sum = 0, expected = 0;
  const int64_t mine = 1 + adr_job_rank(job);
  for (int i = 0; i < count; i++) {
    CHECK_EQUAL(ranks[i], adr_comm_job_rank(comm, i));
    expected += 1 + ranks[i];
  }
  CHECK_EQUAL(0, adr_comm_allreduce(comm, &mine, &sum, 1, ADR_INT64, ADR_SUM));
  CHECK_EQUAL(expected, sum);
  CHECK_EQUAL(0, adr_comm_barrier(comm));
}

/* Each (start, stride, size): ranks that are in none of them do nothing. */
static void make_all_sets(void) {
  adr_comm *comms[SETS] = {NULL};
  int ranks[SIZE], set = 0;
  for (int start = 0; start < SIZE; start++) {
    for (int stride = 1; stride < SIZE; stride *= 2) {
      for (int size = 1; start + stride * (size - 1) < SIZE; size++, set++) {
        const int count = list_set(start, stride, size, ranks);
        if (!has(ranks, count, adr_job_rank(job))) { continue; }
        comms[set] = make(ranks, count, set);
        use(comms[set], ranks, count);
      }
    }
  }
  CHECK(set <= SETS);
  for (int i = 0; i < set; i++) { CHECK_EQUAL(0, adr_comm_close(comms[i])); }
}

static void each_set_is_made_by_its_members_alone(void) {
  memset((void *)told, 0, SETS * sizeof *told);
  run_ranks(SIZE, make_all_sets);
}

/* Made and closed far more often than there is memory for. */
static void make_again(void) {
  const int ranks[] = {2, 0};
  if (adr_job_rank(job) == 1) { return; }
  for (uint64_t round = 0; round < 2000; round++) {
    adr_comm *made;
    uint64_t word = 0;
    if (adr_job_rank(job) == 2) {
      while (adr_load_acquire_u64(&told[0]) != 0) { usleep(1); }
      CHECK_EQUAL(0, adr_comm_offer(job, ranks, 2, &made, &word));
      adr_store_release_u64(&told[0], word);
    } else {
      word = await_word(0);
      CHECK_EQUAL(0, adr_comm_accept(job, ranks, 2, word, &made));
      adr_store_release_u64(&told[0], 0);
    }
    CHECK_EQUAL(adr_job_rank(job) == 2 ? 0 : 1, adr_comm_rank(made));
    use(made, ranks, 2);
    CHECK_EQUAL(0, adr_comm_close(made));
  }
}

static void memory_and_numbers_are_used_again(void) {
  memset((void *)told, 0, SETS * sizeof *told);
  run_ranks(3, make_again);
}

static void be_refused(void) {
  adr_comm *made = (adr_comm *)&error;
  uint64_t word = 0;
  const int self = adr_job_rank(job), other = 1 - self;
  const int twice[] = {self, self}, beyond[] = {self, 2}, others[] = {other}, behind[] = {other, self};
  CHECK_EQUAL(-EINVAL, adr_comm_offer(job, twice, 2, &made, &word));
  CHECK(made == NULL);
  check_says(adr_job_error(job), "1 to 2 ranks of the job");
  CHECK_EQUAL(-EINVAL, adr_comm_offer(job, beyond, 2, &made, &word));
  CHECK_EQUAL(-EINVAL, adr_comm_offer(job, others, 1, &made, &word));
  CHECK_EQUAL(-EINVAL, adr_comm_offer(job, behind, 2, &made, &word));
  CHECK_EQUAL(-EINVAL, adr_comm_offer(job, NULL, 2, &made, &word));
  CHECK_EQUAL(-EINVAL, adr_comm_offer(job, twice, 0, &made, &word));
  CHECK_EQUAL(-EINVAL, adr_comm_accept(job, twice, 1, 1, &made));
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_accept(job, behind, 2, 1, &made)); /* no such slot */
  check_says(adr_job_error(job), "offers no communicator of these 2 ranks");
  CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_accept(job, behind, 2, UINT64_C(1) << 50, &made));
  CHECK_EQUAL(0, adr_barrier(job));
}

/* Rank 0 offers to fewer ranks than the others expect, one of which is among them. */
static void expect_more(void) {
  adr_comm *made;
  uint64_t word = 0;
  const int all[] = {0, 1, 2};
  if (adr_job_rank(job) == 0) {
    CHECK_EQUAL(0, adr_comm_offer(job, all, 2, &made, &word));
    adr_store_release_u64(&told[0], word);
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_barrier(made));
    CHECK_EQUAL(0, adr_barrier(job));
    CHECK_EQUAL(0, adr_comm_close(made));
  } else {
    CHECK_EQUAL(ADR_ERROR_COLLECTIVE, adr_comm_accept(job, all, 3, await_word(0), &made));
    CHECK(made == NULL);
    CHECK_EQUAL(0, adr_barrier(job));
  }
}

static void lists_and_words_that_are_wrong_are_refused(void) {
  memset((void *)told, 0, SETS * sizeof *told);
  run_ranks(2, be_refused);
  run_ranks(3, expect_more);
}

/* A member that dies before it comes in ends the collectives of the others. */
static void die_before(void) {
  const int ranks[] = {0, 1, 2};
  if (adr_job_rank(job) == 1) {
    await_word(0);
    raise(SIGKILL);
  }
  adr_comm *made = make(ranks, 3, 0);
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, adr_comm_barrier(made));
  CHECK_EQUAL(1, adr_job_failed_rank(job));
}

static void a_member_that_dies_before_it_comes_is_told_of(void) {
  memset((void *)told, 0, SETS * sizeof *told);
  pid_t pids[3];
  for (int rank = 0; rank < 3; rank++) { pids[rank] = start_rank(rank, 3, die_before); }
  for (int rank = 0; rank < 3; rank++) { CHECK_EQUAL(rank == 1 ? 128 + SIGKILL : 0, end_of(pids[rank])); }
}

int main(void) {
  void *shared = mmap(NULL, SETS * sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  told = shared;
  ranks_begin();
  RUN(each_set_is_made_by_its_members_alone);
  RUN(memory_and_numbers_are_used_again);
  RUN(lists_and_words_that_are_wrong_are_refused);
  RUN(a_member_that_dies_before_it_comes_is_told_of);
  ranks_end();
  return 0;
}
