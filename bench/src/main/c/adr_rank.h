/* What the processes in C beside ours have in common, whatever library they measure: commands, times, CPUs, caches. */
#pragma once

#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { NAP_US = 200, MOST_NAP_US = 6400, CLOCK_READS = 20000, PAGE = 4096 };
enum { FLUSHED_BYTES = 8 << 20, CACHE_LINE = 64 };

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
  if (*buffer == NULL) exit(1); /* the launcher ends the others */
  memset(*buffer, 1, needed);   /* touch the pages */
  *held = needed;
}

/* Answers a command. */
static void tell(const long long *times, int batches) {
  fputs("ns", stdout);
  for (int batch = 0; batch < batches; batch++) printf(" %lld", times[batch]);
  puts("");
  fflush(stdout);
}

/* No orphan that spins when its launcher was killed. */
static void end_with_launcher(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

/* Reads a command; its verb is empty at the end of the input. */
static void read_order(struct order *order) {
  char line[128];
  memset(order, 0, sizeof *order);
  if (fgets(line, sizeof line, stdin) != NULL)
    sscanf(line, "%63s %d %d %d", order->verb, &order->bytes, &order->batches, &order->exchanges);
}

static void pin(int cpu) {
  cpu_set_t set;
  if (cpu < 0) return;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}

/* What a rank reads and writes takes the place of what its CPU's caches hold. */
static inline void flush_caches(void) {
  static char *flushed;
  static size_t held;
  grow(&flushed, &held, FLUSHED_BYTES);
  for (size_t at = 0; at < FLUSHED_BYTES; at += CACHE_LINE) (*(volatile char *)(flushed + at))++;
}
