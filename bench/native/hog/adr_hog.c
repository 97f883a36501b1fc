/*
 * adrastea-hog WORK_US PAUSE_US THREADS SECONDS [NICE]: a process that takes CPU time beside what is measured.
 *
 * Each thread works for WORK_US and then sleeps for PAUSE_US, again and again; with a pause of 0 it never sleeps. The
 * process has a session of its own, and so a scheduling group of its own where the kernel groups by session
 * (autogroup), as the programs of every terminal and every service have. It ends with its input, however the process
 * that holds the other end of the pipe ends, and after SECONDS in any case.
 *
 * Each line of its input is answered with `ns T`, the CPU time that it has taken so far. Once the first one is answered
 * all threads are there.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_US = 1000000000, MAX_THREADS = 4096, MAX_SECONDS = 1000000, LOWEST_NICE = -20, HIGHEST_NICE = 19 };
enum { STACK_BYTES = 64 << 10, LINE = 256 };

struct word {
  const char *name;
  long least, most;
  long value;
};

enum { WORK, PAUSE, THREADS, SECONDS, NICE, WORDS };

static struct word words[WORDS] = {[WORK] = {"WORK_US", 1, MAX_US, 0},
                                   [PAUSE] = {"PAUSE_US", 0, MAX_US, 0},
                                   [THREADS] = {"THREADS", 1, MAX_THREADS, 0},
                                   [SECONDS] = {"SECONDS", 1, MAX_SECONDS, 0},
                                   [NICE] = {"NICE", LOWEST_NICE, HIGHEST_NICE, 0}};

static int64_t ns_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* By the clock of the machine: a thread that lost its CPU meanwhile has wanted it for as long. */
static void work(int64_t ns) {
  int64_t end = ns_of(CLOCK_MONOTONIC) + ns;
  while (ns_of(CLOCK_MONOTONIC) < end) { continue; }
}

static void *run(void *unused) {
  int64_t pause_ns = words[PAUSE].value * 1000;
  struct timespec pause = {pause_ns / 1000000000, pause_ns % 1000000000};
  for (;;) {
    work(words[WORK].value * 1000);
    if (pause_ns > 0) { nanosleep(&pause, NULL); }
  }
  return unused;
}

static bool read_words(int count, char **texts) {
  for (int i = 0; i < count; i++) {
    struct word *word = &words[i];
    char *end;
    errno = 0;
    word->value = strtol(texts[i], &end, 10);
    if (errno == 0 && end != texts[i] && *end == '\0' && word->value >= word->least && word->value <= word->most) {
      continue;
    }
    fprintf(stderr, "adrastea-hog: %s is a number from %ld to %ld, not '%s'\n", word->name, word->least, word->most,
            texts[i]);
    return false;
  }
  return true;
}

/* A process that leads its group cannot have a new session, and needs none: a shell gave it a group of its own. */
static bool stand_apart(void) {
  if (setsid() < 0 && getpgrp() != getpid()) { return false; }
  return words[NICE].value == 0 || setpriority(PRIO_PROCESS, 0, (int)words[NICE].value) == 0;
}

static bool start_threads(void) {
  pthread_attr_t small;
  pthread_t thread;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK_BYTES);
  pthread_attr_setdetachstate(&small, PTHREAD_CREATE_DETACHED);
  for (long i = 0; i < words[THREADS].value; i++) {
    if ((errno = pthread_create(&thread, &small, run, NULL)) != 0) { return false; }
  }
  return true;
}

static void answer(const char *text, ssize_t length) {
  for (ssize_t i = 0; i < length; i++) {
    if (text[i] == '\n') { printf("ns %" PRId64 "\n", ns_of(CLOCK_PROCESS_CPUTIME_ID)); }
  }
  fflush(stdout);
}

/* Returns at the end of the input, or when the time is over. */
static void serve(void) {
  int64_t end = ns_of(CLOCK_MONOTONIC) + words[SECONDS].value * 1000000000;
  for (int64_t left = end; left > 0; left = end - ns_of(CLOCK_MONOTONIC)) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int64_t wait_ms = (end - ns_of(CLOCK_MONOTONIC)) / 1000000 + 1;
    if (poll(&input, 1, (int)wait_ms) <= 0) { continue; }
    char text[LINE];
    ssize_t length = read(STDIN_FILENO, text, sizeof text);
    if (length <= 0) { return; }
    answer(text, length);
  }
}

int main(int argc, char **argv) {
  if (argc != WORDS && argc != 1 + WORDS) {
    fprintf(stderr, "usage: adrastea-hog WORK_US PAUSE_US THREADS SECONDS [NICE]\n");
    return 2;
  }
  if (!read_words(argc - 1, argv + 1)) { return 2; }
  if (!stand_apart() || !start_threads()) {
    fprintf(stderr, "adrastea-hog: a session, a niceness or a thread was refused: %s\n", strerror(errno));
    return 1;
  }
  serve();
  return 0;
}
