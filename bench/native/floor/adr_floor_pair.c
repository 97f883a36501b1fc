#include "floor/adr_floor_pair.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "affinity/adr_affinity.h"

enum { PATIENCE = 1000, PATIENCE_ON_ONE_CPU = 16 };

uint64_t floor_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t clock_overhead(void) {
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 1000; i++) {
    uint64_t start = floor_now();
    uint64_t elapsed = floor_now() - start;
    if (elapsed < least) { least = elapsed; }
  }
  return least;
}

void floor_pair_meet(struct floor_pair *pair) {
  pair->meetings++;
  /* SYNC floor-word: release; orders all that this side wrote before the meeting. */
  adr_store_release_u64(&pair->shared->meeting[pair->side].word, pair->meetings);
  floor_await(pair, &pair->shared->meeting[1 - pair->side].word, pair->meetings, 1);
}

static void run(struct floor_pair *pair, const struct floor_order *order, floor_run *const *tests) {
  floor_pair_meet(pair);
  touch_begin(&pair->touch, order->bytes, order->touched != 0);
  tests[order->test](pair, order);
  adr_store_relaxed_u64(&pair->shared->wrong[pair->side].word, touch_check(&pair->touch) ? 0 : 1);
  floor_pair_meet(pair); /* orders `wrong` */
}

/* Side 1 for ever: ends when the pipe does. */
static _Noreturn void serve(struct floor_pair *pair, floor_run *const *tests) {
  struct floor_order order;
  pair->clock_ns = clock_overhead();
  while (read(pair->orders, &order, sizeof order) == (ssize_t)sizeof order) { run(pair, &order, tests); }
  _exit(0);
}

static void other_side_died(int signal) {
  (void)signal;
  static const char text[] = "error the other side died\n";
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0) { _exit(2); }
  _exit(1);
}

static bool may_use(int cpu) {
  cpu_set_t before;
  if (cpu < 0) { return true; }
  if (sched_getaffinity(0, sizeof before, &before) != 0) { return true; }
  bool bound = adr_affinity_bind(cpu) == 0;
  sched_setaffinity(0, sizeof before, &before);
  return bound;
}

static const char *allocate(struct floor_pair *pair) {
  pair->shared =
      mmap(NULL, sizeof *pair->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pair->shared == MAP_FAILED ? "no memory for the shared mapping" : NULL;
}

/* Private memory is made after the fork: pages shared by copy-on-write would be copied while time runs. */
static const char *settle(struct floor_pair *pair, int side, int cpu) {
  pair->side = side;
  pair->mine =
      mmap(NULL, FLOOR_COPY_MAX_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pair->mine == MAP_FAILED) { return "no memory for the private buffer"; }
  return cpu >= 0 && adr_affinity_bind(cpu) != 0 ? "the CPU may not be used any more" : NULL;
}

static _Noreturn void become_side1(struct floor_pair *pair, int cpu, pid_t parent, floor_run *const *tests) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent || settle(pair, 1, cpu) != NULL) { _exit(1); }
  serve(pair, tests);
}

const char *floor_pair_start(struct floor_pair *pair, int cpu0, int cpu1, floor_run *const *tests) {
  int ends[2];
  pid_t parent = getpid();
  bool one_cpu = adr_affinity_count() == 1 || (cpu0 >= 0 && cpu0 == cpu1);
  memset(pair, 0, sizeof *pair);
  pair->patience = one_cpu ? PATIENCE_ON_ONE_CPU : PATIENCE;
  if (!may_use(cpu0) || !may_use(cpu1)) { return "a CPU does not exist or may not be used"; }
  const char *wrong = allocate(pair);
  if (wrong != NULL) { return wrong; }
  if (pipe(ends) != 0) { return "no pipe"; }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, other_side_died);
  pid_t child = fork();
  if (child < 0) { return "no process"; }
  pair->orders = ends[child == 0 ? 0 : 1];
  close(ends[child == 0 ? 1 : 0]);
  if (child == 0) { become_side1(pair, cpu1, parent, tests); }
  pair->clock_ns = clock_overhead();
  return settle(pair, 0, cpu0);
}

void floor_pair_give(struct floor_pair *pair, const struct floor_order *order, floor_run *const *tests) {
  if (write(pair->orders, order, sizeof *order) != (ssize_t)sizeof *order) { other_side_died(SIGCHLD); }
  run(pair, order, tests);
}

void floor_pair_end(struct floor_pair *pair) {
  signal(SIGCHLD, SIG_DFL);
  close(pair->orders);
  while (wait(NULL) < 0 && errno == EINTR) {}
}
