/* Processes as ranks of a job, for tests: each runs a function, in which a check that fails ends it with 1. */
#pragma once

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adrastea/adrastea.h"
#include "check.h"

#define RANKS_JOB "00000000000a1b2c"
enum { RANKS_JOB_ID = 0xa1b2c, MAX_TEST_RANKS = 8, TEST_SECONDS = 100 };

typedef void rank_body(void);

static char ranks_directory[64];
static adr_job *job; /* of a rank */
static adr_error error;

static inline void set_number(const char *name, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  setenv(name, text, 1);
}

/* The environment that a launcher would make; no other settings. Two tests run at once: each has a folder of its own,
 * which `ranks_begin` makes, since their jobs have the same id. */
static inline void set_rank(int rank, int size) {
  CHECK(ranks_directory[0] != '\0');
  setenv("ADRASTEA_SHM_DIR", ranks_directory, 1);
  setenv("ADRASTEA_JOB", RANKS_JOB, 1);
  set_number("ADRASTEA_RANK", rank);
  set_number("ADRASTEA_SIZE", size);
}

static inline void join_job(void) {
  int status = adr_job_join(&job, 0, &error);
  if (status < 0) { fprintf(stderr, "%s\n", error.text); }
  CHECK_EQUAL(0, status);
}

/* Starts a process that is to become this rank. */
static inline pid_t start_unjoined(int rank, int size, rank_body *body) {
  fflush(NULL);
  pid_t pid = fork();
  CHECK(pid >= 0);
  if (pid > 0) { return pid; }
  alarm(TEST_SECONDS); /* not inherited */
  set_rank(rank, size);
  body();
  exit(0);
}

static rank_body *joined_body;

static inline void run_joined(void) {
  join_job();
  joined_body();
  CHECK_EQUAL(0, adr_job_leave(job));
}

/* Starts a process that joins as this rank, runs `body` and leaves. */
static inline pid_t start_rank(int rank, int size, rank_body *body) {
  joined_body = body;
  return start_unjoined(rank, size, run_joined);
}

/* Waits for a process: its exit code, or 128 + the signal that ended it. */
static inline int end_of(pid_t pid) {
  int status;
  CHECK_EQUAL(pid, waitpid(pid, &status, 0));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* All ranks run the same; all have to end well. */
static inline void run_ranks(int size, rank_body *body) {
  pid_t pids[MAX_TEST_RANKS];
  for (int rank = 0; rank < size; rank++) { pids[rank] = start_rank(rank, size, body); }
  for (int rank = 0; rank < size; rank++) { CHECK_EQUAL(0, end_of(pids[rank])); }
}

/* Runs the same in jobs of several sizes, the last with arguments of collectives checked. */
static inline void run_jobs_of_sizes(rank_body *body) {
  run_ranks(1, body);
  run_ranks(2, body);
  run_ranks(5, body);
  setenv("ADRASTEA_CHECK", "collectives", 1);
  run_ranks(3, body);
  unsetenv("ADRASTEA_CHECK");
}

static inline void ranks_begin(void) {
  strcpy(ranks_directory, "/dev/shm/adrastea-test-XXXXXX");
  if (mkdtemp(ranks_directory) == NULL) {
    strcpy(ranks_directory, "/tmp/adrastea-test-XXXXXX");
    CHECK(mkdtemp(ranks_directory) != NULL);
  }
  alarm(TEST_SECONDS);
}

/* Fails when a job has left a file. */
static inline void ranks_end(void) { CHECK_EQUAL(0, rmdir(ranks_directory)); }

/* Fails, and shows the text, unless it holds `part`. */
static inline void check_says(const char *text, const char *part) {
  if (strstr(text, part) == NULL) { fprintf(stderr, "'%s' does not say '%s'\n", text, part); }
  CHECK(strstr(text, part) != NULL);
}
