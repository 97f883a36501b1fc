/* Two ranks that the system has put on one CPU of two, beside a process that is busy on the other; and ranks whose CPUs
 * vanish, or cannot be told, while they talk. What is counted is polls and switches, never time: a rank that spins
 * where it shares its CPU polls some thousand times for each message. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "affinity/adr_affinity.h"
#include "channel/adr_channel_state.h"
#include "job/adr_comm_state.h"
#include "ranks.h"

enum { RANKS = 2, BLOCKS = 20, MESSAGES = 100, MOST_POLLS = 1000, MOST_SWITCHES = 4 };

/* What the processes of a case tell each other. */
static struct {
  atomic_int cpu[RANKS];    /* that a rank was last seen on */
  atomic_int thread[RANKS]; /* the process of a rank, while it talks */
  atomic_int narrow[RANKS]; /* a rank has found that it may use one CPU only */
} * told;

static cpu_set_t all;
static int cpus[2]; /* two of them */
static bool tells_no_cpu;

int __real_sched_getcpu(void);
int __wrap_sched_getcpu(void);

/* What the library calls in the place of sched_getcpu (option --wrap of the linker). */
int __wrap_sched_getcpu(void) {
  if (tells_no_cpu) { errno = ENOSYS; }
  return tells_no_cpu ? -1 : __real_sched_getcpu();
}

static void choose_cpus(void) {
  int found = 0;
  CHECK_EQUAL(0, sched_getaffinity(0, sizeof all, &all));
  for (unsigned cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++) {
    if (CPU_ISSET(cpu, &all)) { cpus[found++] = (int)cpu; }
  }
  if (found < 2) {
    fprintf(stderr, "skipped: this needs two CPUs\n");
    exit(CHECK_SKIPPED);
  }
}

/* The CPUs that a process may use from now on; 0: the calling one. */
static void use(pid_t process, int first, int second) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET((unsigned)first, &mask);
  CPU_SET((unsigned)second, &mask);
  CHECK_EQUAL(0, sched_setaffinity(process, sizeof mask, &mask));
}

static int other(void) { return 1 - adr_job_rank(job); }

static int32_t hear(void) {
  adr_message message;
  CHECK_EQUAL(1, adr_wait(job, other(), &message));
  const int32_t word = *(const int32_t *)message.payload;
  CHECK_EQUAL(0, adr_release(job));
  return word;
}

static void say(int32_t word) { CHECK_EQUAL(0, adr_send(job, other(), ADR_MATCH(0, 1), &word, sizeof word)); }

static void swap_words(int32_t word) {
  if (adr_job_rank(job) == 0) {
    say(word);
    CHECK_EQUAL(word, hear());
  } else {
    CHECK_EQUAL(word, hear());
    say(word);
  }
}

static int64_t switches(void) {
  struct rusage usage;
  CHECK_EQUAL(0, getrusage(RUSAGE_THREAD, &usage));
  return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Messages to and fro, of which each is to take few polls and few switches, on average over the best block of them: a
 * system that owes a rank time gives the CPU back to it at each yield for a while, and a rank that spins polls much in
 * all blocks. */
static void talk(void) {
  uint32_t least_polls = UINT32_MAX;
  int64_t least_switches = INT64_MAX;
  for (int block = 0; block < BLOCKS; block++) {
    const int64_t switched = switches();
    const uint32_t polled = job->channel->polls;
    for (int32_t word = 0; word < MESSAGES; word++) { swap_words(word); }
    const uint32_t polls = job->channel->polls - polled;
    least_polls = polls < least_polls ? polls : least_polls;
    const int64_t taken = switches() - switched;
    least_switches = taken < least_switches ? taken : least_switches;
  }
  if (least_polls > MOST_POLLS * MESSAGES) { fprintf(stderr, "%u polls of %d messages\n", least_polls, MESSAGES); }
  CHECK(least_polls <= MOST_POLLS * MESSAGES);
  CHECK(least_switches <= MOST_SWITCHES * MESSAGES);
}

/* Talks until both ranks have been seen on two CPUs at once: rank 0 decides. */
static void talk_until_apart(void) {
  for (bool goes_on = true; goes_on;) {
    swap_words(1);
    told->cpu[adr_job_rank(job)] = __real_sched_getcpu();
    if (adr_job_rank(job) == 0) {
      goes_on = told->cpu[0] == told->cpu[1];
      say(goes_on);
    } else {
      goes_on = hear() != 0;
    }
  }
}

static void share_and_part(void) {
  use(0, cpus[0], cpus[0]);
  CHECK_EQUAL(0, adr_barrier(job));
  talk(); /* on a set of one */
  use(0, cpus[0], cpus[1]);
  talk_until_apart();
  talk();
}

static pid_t start_busy_process(int cpu) {
  pid_t busy = fork();
  CHECK(busy >= 0);
  if (busy == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    use(0, cpu, cpu);
    for (;;) { atomic_signal_fence(memory_order_seq_cst); }
  }
  return busy;
}

static void two_ranks_on_one_cpu_give_way_and_part_beside_a_busy_process(void) {
  pid_t busy = start_busy_process(cpus[1]);
  run_ranks(RANKS, share_and_part);
  kill(busy, SIGKILL);
  CHECK_EQUAL(128 + SIGKILL, end_of(busy));
}

static void talk_while_cpus_vanish(void) {
  told->thread[adr_job_rank(job)] = getpid();
  for (bool goes_on = true; goes_on;) {
    swap_words(1);
    told->narrow[adr_job_rank(job)] = adr_affinity_only() == cpus[0];
    if (adr_job_rank(job) == 0) {
      goes_on = !told->narrow[0] || !told->narrow[1];
      say(goes_on);
    } else {
      goes_on = hear() != 0;
    }
  }
  talk();
  CHECK_EQUAL(cpus[0], adr_affinity_only());
}

/* Takes a CPU away as `taskset -p` does. A rank that moves at this moment may put its old CPUs back, so it is done
 * until the rank has found it; from then on it has nowhere to move to. */
static void take_away_cpu(int rank) {
  while (!told->narrow[rank]) {
    use(told->thread[rank], cpus[0], cpus[0]);
    usleep(1000);
  }
}

static void ranks_go_on_when_a_cpu_is_taken_from_them(void) {
  pid_t ranks[RANKS];
  memset(told, 0, sizeof *told);
  for (int rank = 0; rank < RANKS; rank++) { ranks[rank] = start_rank(rank, RANKS, talk_while_cpus_vanish); }
  for (int rank = 0; rank < RANKS; rank++) {
    while (told->thread[rank] == 0) { usleep(1000); }
  }
  for (int rank = 0; rank < RANKS; rank++) { take_away_cpu(rank); }
  for (int rank = 0; rank < RANKS; rank++) { CHECK_EQUAL(0, end_of(ranks[rank])); }
}

static void talk_on_a_cpu_that_is_not_told(void) {
  tells_no_cpu = true;
  use(0, cpus[0], cpus[0]);
  CHECK_EQUAL(0, adr_barrier(job));
  talk();
}

static void ranks_that_cannot_tell_their_cpu_give_way_as_well(void) {
  run_ranks(RANKS, talk_on_a_cpu_that_is_not_told);
}

int main(void) {
  choose_cpus();
  told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(told != MAP_FAILED);
  ranks_begin();
  RUN(two_ranks_on_one_cpu_give_way_and_part_beside_a_busy_process);
  RUN(ranks_go_on_when_a_cpu_is_taken_from_them);
  RUN(ranks_that_cannot_tell_their_cpu_give_way_as_well);
  ranks_end();
  return 0;
}
