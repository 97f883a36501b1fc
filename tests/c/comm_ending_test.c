/* A process that is killed has no memory any more before it is gone: with much memory, or little CPU, that takes
 * seconds, in which it is not found dead. A rank that is to read or write its memory waits for its death meanwhile, and
 * tells of that. Here the system calls that copy tell that there is no memory, while the clock goes on by some seconds
 * each time, and only then is the rank killed. Both go through the __wrap functions below. */
#include <stdarg.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>

#include "ranks.h"

enum { COPIER = 0, VICTIM = 1, BYTES = 1 << 19, REFUSALS = 4, SECONDS_MORE = 10 };

/* What the ranks of a case tell each other. */
static struct {
  _Atomic int victim;  /* its process */
  _Atomic int copies;  /* calls of the system that were to copy */
  _Atomic int refused; /* of these */
} * told;

static bool refuses; /* in the copier of a case */
static long ahead;   /* seconds, of its clock */
static uint8_t data[BYTES];

long __wrap_syscall(long number, ...);
long __real_syscall(long number, ...);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __real_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  const int status = __real_clock_gettime(clock, now);
  now->tv_sec += ahead;
  return status;
}

static bool copies(long number, const struct iovec *stretch) {
  return (number == SYS_process_vm_readv || number == SYS_process_vm_writev)
         && stretch->iov_len > 1; /* one byte tells what is permitted */
}

/* What the library calls in the place of syscall (option --wrap of the linker). */
long __wrap_syscall(long number, ...) {
  va_list arguments;
  long words[6];
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) { words[i] = va_arg(arguments, long); }
  va_end(arguments);
  if (copies(number, (const struct iovec *)words[1])) {
    told->copies++;
    if (refuses) {
      if (++told->refused < REFUSALS) { ahead += SECONDS_MORE; }
      if (told->refused == REFUSALS) { CHECK_EQUAL(0, kill(told->victim, SIGKILL)); }
      errno = ESRCH;
      return -1;
    }
  }
  return __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

/* A bcast of two, of which the other one reads a half of the root's memory: the root cannot end before. */
static void copy(bool stops) {
  adr_comm *world = adr_job_world(job);
  const int rank = adr_job_rank(job);
  told->victim = rank == VICTIM ? getpid() : told->victim;
  CHECK_EQUAL(0, adr_comm_barrier(world));
  refuses = stops && rank == COPIER;
  const int status = adr_comm_bcast(world, data, BYTES, VICTIM);
  if (!stops) {
    CHECK_EQUAL(0, status);
    return;
  }
  CHECK_EQUAL(COPIER, rank);
  CHECK_EQUAL(ADR_ERROR_RANK_FAILED, status);
  CHECK(told->refused >= REFUSALS);
}

static void copy_well(void) { copy(false); }

static void copy_of_one_that_ends(void) { copy(true); }

static void should_wait_for_the_death_of_a_rank_whose_memory_is_gone(void) {
  pid_t pids[2];
  for (int rank = 0; rank < 2; rank++) { pids[rank] = start_rank(rank, 2, copy_of_one_that_ends); }
  CHECK_EQUAL(128 + SIGKILL, end_of(pids[VICTIM]));
  CHECK_EQUAL(0, end_of(pids[COPIER]));
}

int main(void) {
  told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(told != MAP_FAILED);
  ranks_begin();
  run_ranks(2, copy_well);
  if (told->copies == 0) {
    ranks_end();
    printf("skipped: the system does not let a process read the memory of another one\n");
    return CHECK_SKIPPED;
  }
  RUN(should_wait_for_the_death_of_a_rank_whose_memory_is_gone);
  ranks_end();
  return 0;
}
