/* Processes as PEs of an OpenSHMEM job, for tests of libshmem: each runs a function, and a check that fails ends it
 * with
 * 1. What they write to stderr is kept, for tests of what is refused. */
#pragma once

#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PES = 8, PES_SECONDS = 100 };

static char pes_directory[64];
static char pes_said[1 << 16]; /* to stderr, by all PEs */

/* Names of this process' files have its number, since two tests run at once. */
static inline void pes_begin(void) {
  strcpy(pes_directory, "/dev/shm/adrastea-shmem-XXXXXX");
  if (mkdtemp(pes_directory) == NULL) {
    strcpy(pes_directory, "/tmp/adrastea-shmem-XXXXXX");
    if (mkdtemp(pes_directory) == NULL) {
      perror("mkdtemp");
      exit(1);
    }
  }
}

static inline void pes_set(const char *name, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  setenv(name, text, 1);
}

#define CHECK(holds) \
  do { \
    if (!(holds)) { \
      fprintf(stderr, "%s:%d: PE %d: failed: %s\n", __FILE__, __LINE__, pes_here, #holds); \
      exit(1); \
    } \
  } while (0)

static int pes_here = -1; /* the number of this PE, -1: the test itself */

/* Runs `body` in so many processes, and returns how many of them have not ended with the exit code that is theirs; less
 * than 0: by that signal. */
static inline int pes_run_each(int size, const int *statuses, void (*body)(void)) {
  pid_t pids[MOST_PES];
  int wrong = 0;
  int ends[2];
  fflush(NULL);
  if (pipe(ends) != 0) {
    perror("pipe");
    exit(1);
  }
  for (int pe = 0; pe < size; pe++) {
    pids[pe] = fork();
    if (pids[pe] == 0) {
      alarm(PES_SECONDS);
      pes_here = pe;
      close(ends[0]);
      dup2(ends[1], STDERR_FILENO);
      close(ends[1]);
      setenv("ADRASTEA_SHM_DIR", pes_directory, 1);
      setenv("ADRASTEA_JOB", "00000000000a1b2d", 1);
      pes_set("ADRASTEA_RANK", pe);
      pes_set("ADRASTEA_SIZE", size);
      body();
      exit(0);
    }
  }
  close(ends[1]);
  size_t said = 0;
  ssize_t got;
  while (said < sizeof pes_said - 1 && (got = read(ends[0], pes_said + said, sizeof pes_said - 1 - said)) > 0) {
    said += (size_t)got;
  }
  pes_said[said] = '\0';
  close(ends[0]);
  for (int pe = 0; pe < size; pe++) {
    int ended;
    waitpid(pids[pe], &ended, 0);
    if ((WIFEXITED(ended) ? WEXITSTATUS(ended) : -WTERMSIG(ended)) != statuses[pe]) {
      fprintf(stderr, "PE %d of %d ended with status 0x%x, and not with %d\n", pe, size, (unsigned)ended, statuses[pe]);
      wrong++;
    }
  }
  if (wrong > 0) { fprintf(stderr, "they said: %s\n", pes_said); }
  return wrong;
}

static inline int pes_run(int size, int status, void (*body)(void)) {
  int statuses[MOST_PES];
  for (int pe = 0; pe < size; pe++) { statuses[pe] = status; }
  return pes_run_each(size, statuses, body);
}

static inline int pes_end(int wrong) {
  if (rmdir(pes_directory) != 0) {
    perror(pes_directory);
    return 1;
  }
  return wrong > 0;
}
