/* A member that writes another one's output where it lies may be late: the other cannot go on meanwhile, and its
 * program has the memory again. Here a writer is held between what it says of its writing and the copy, which is the
 * system's, until the other one has broken off: that one's call returns only when nothing is written any more, or the
 * writer has died. The system call goes through __wrap_syscall below. */
#include <stdarg.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "job/adr_comm_state.h"
#include "ranks.h"

enum { TAKER = 0, WRITER = 1, BYSTANDER = 2, BYTES = 1 << 19, SLEEP_MICROS = 200, PATIENCE_MICROS = 100000 };

/* What keeps the taker from going on while its memory is written. */
enum trouble { NOTHING, REVOKED, BYSTANDER_DIES, WRITER_DIES };

typedef int collective(adr_comm *comm);

/* What the ranks of a case tell each other. */
static struct {
  _Atomic bool held;    /* the writer is about to write */
  _Atomic bool taken;   /* the taker's program has its memory again */
  _Atomic bool written; /* the writer is over it */
  _Atomic int writes;   /* calls of the system that have written */
} * told;

static enum trouble trouble;
static collective *called;
static uint8_t in[2 * BYTES], out[3 * BYTES];

long __wrap_syscall(long number, ...);
long __real_syscall(long number, ...);

static void wait_for(const _Atomic bool *word) {
  while (!*word) { usleep(SLEEP_MICROS); }
}

/* Holds the writer until the taker has broken off, and its program would have its memory again if it did not wait. */
static void hold(void) {
  adr_comm *world = adr_job_world(job);
  told->held = true;
  if (trouble != BYSTANDER_DIES) { CHECK_EQUAL(0, adr_coll_revoke(world->coll)); }
  while (adr_coll_state(world->coll, TAKER) != ADR_MEMBER_BROKEN) { usleep(SLEEP_MICROS); }
  if (trouble == WRITER_DIES) { raise(SIGKILL); }
  for (int micros = 0; micros < PATIENCE_MICROS && !told->taken; micros += SLEEP_MICROS) { usleep(SLEEP_MICROS); }
}

static bool is_write(long number, const struct iovec *stretch) {
  return number == SYS_process_vm_writev && stretch->iov_len > 1; /* one byte tells what is permitted */
}

/* What the library calls in the place of syscall (option --wrap of the linker). */
long __wrap_syscall(long number, ...) {
  va_list arguments;
  long words[6];
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) { words[i] = va_arg(arguments, long); }
  va_end(arguments);
  const bool writes = is_write(number, (const struct iovec *)words[1]);
  const bool is_held = writes && trouble != NOTHING && adr_job_rank(job) == WRITER && !told->held;
  if (is_held) { hold(); }
  const long result = __real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
  if (writes) { told->writes++; }
  if (is_held) { told->written = true; }
  return result;
}

static int gather(adr_comm *comm) { return adr_comm_gather(comm, in, out, BYTES, TAKER); }

static int bcast(adr_comm *comm) { return adr_comm_bcast(comm, out, BYTES, WRITER); }

/* In the first one a member does not know yet that the other reaches its memory. */
static int alltoall(adr_comm *comm) {
  const int status = adr_comm_alltoall(comm, in, out, BYTES);
  return status < 0 ? status : adr_comm_alltoall(comm, in, out, BYTES);
}

static void be_a_rank(void) {
  const int rank = adr_job_rank(job);
  adr_comm *world = adr_job_world(job);
  if (rank == BYSTANDER) {
    wait_for(&told->held);
    raise(SIGKILL);
  }
  memset(in, 1, sizeof in);
  const int status = called(world);
  if (trouble == NOTHING) { CHECK_EQUAL(0, status); }
  if (trouble == NOTHING || rank != TAKER) { return; /* the writer may have had all before */ }
  if (status != ADR_ERROR_COLLECTIVE && status != ADR_ERROR_RANK_FAILED) {
    fprintf(stderr, "status %d: %s\n", status, adr_job_error(job));
    exit(1);
  }
  memset(out, 0x5a, sizeof out);
  told->taken = true;
  if (trouble != WRITER_DIES) { wait_for(&told->written); }
  for (size_t i = 0; i < sizeof out; i++) { CHECK_EQUAL(0x5a, out[i]); }
}

static void run(collective *collective, enum trouble what) {
  const int size = what == BYSTANDER_DIES ? 3 : 2;
  pid_t pids[3];
  memset(told, 0, sizeof *told);
  trouble = what;
  called = collective;
  for (int rank = 0; rank < size; rank++) { pids[rank] = start_rank(rank, size, be_a_rank); }
  for (int rank = 0; rank < size; rank++) {
    const bool dies = rank == BYSTANDER || (rank == WRITER && what == WRITER_DIES);
    CHECK_EQUAL(dies ? 128 + SIGKILL : 0, end_of(pids[rank]));
  }
  CHECK_EQUAL(what != NOTHING, told->held && told->taken);
}

static void should_keep_its_memory_once_the_communicator_is_revoked(void) {
  run(gather, REVOKED);
  run(bcast, REVOKED);
  run(alltoall, REVOKED);
}

static void should_keep_its_memory_once_another_has_died(void) { run(gather, BYSTANDER_DIES); }

static void should_not_wait_for_a_writer_that_has_died(void) {
  run(gather, WRITER_DIES);
  run(bcast, WRITER_DIES);
}

int main(void) {
  told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(told != MAP_FAILED);
  ranks_begin();
  run(gather, NOTHING);
  if (told->writes == 0) {
    ranks_end();
    printf("skipped: the system does not let a process write the memory of another one\n");
    return CHECK_SKIPPED;
  }
  RUN(should_keep_its_memory_once_the_communicator_is_revoked);
  RUN(should_keep_its_memory_once_another_has_died);
  RUN(should_not_wait_for_a_writer_that_has_died);
  ranks_end();
  return 0;
}
