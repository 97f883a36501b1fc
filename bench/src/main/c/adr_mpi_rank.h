/* What the ranks of an MPI beside ours have in common, whatever they measure: commands, times, CPUs. Compiled at run
 * time by the mpicc of the MPI under test. */
#pragma once

#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { COMMAND_TAG = 9, NAP_US = 200, MOST_NAP_US = 6400, CLOCK_READS = 20000, PAGE = 4096 };

/* A command; `bytes` is the number of a case where cases are measured. */
struct order {
  char verb[64];
  int bytes, batches, exchanges;
};

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long clock_cost(void) {
  long long begin = now_ns(), last = begin;
  for (int i = 0; i < CLOCK_READS; i++) last = now_ns();
  return (last - begin) / CLOCK_READS;
}

static void grow(char **buffer, size_t *held, size_t needed) {
  if (needed <= *held) return;
  free(*buffer);
  *buffer = aligned_alloc(PAGE, (needed + PAGE - 1) / PAGE * PAGE);
  if (*buffer == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(*buffer, 1, needed); /* touch the pages */
  *held = needed;
}

/* Answers a command. */
static void tell(const long long *times, int batches) {
  fputs("ns", stdout);
  for (int batch = 0; batch < batches; batch++) printf(" %lld", times[batch]);
  puts("");
  fflush(stdout);
}

static void begin(int *argc, char ***argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* no orphan that spins when its mpirun was killed */
  MPI_Init(argc, argv);
}

/* The next command, the same on all ranks; false at the end of the input. */
static int next(int rank, int ranks, struct order *order) {
  if (rank == 0) {
    char line[128];
    memset(order, 0, sizeof *order);
    if (fgets(line, sizeof line, stdin) != NULL)
      sscanf(line, "%63s %d %d %d", order->verb, &order->bytes, &order->batches, &order->exchanges);
    for (int other = 1; other < ranks; other++)
      MPI_Send(order, sizeof *order, MPI_BYTE, other, COMMAND_TAG, MPI_COMM_WORLD);
  } else {
    int here = 0;
    for (useconds_t nap = NAP_US; !here; nap = nap < MOST_NAP_US ? 2 * nap : nap) { /* others are being measured */
      MPI_Iprobe(0, COMMAND_TAG, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
      if (!here) usleep(nap);
    }
    MPI_Recv(order, sizeof *order, MPI_BYTE, 0, COMMAND_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return order->verb[0] != 0;
}

static void pin(int cpu) {
  cpu_set_t set;
  if (cpu < 0) return;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}
