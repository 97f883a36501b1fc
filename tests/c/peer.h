/* Another process for tests: forked, it does as it is told, one step after the other. */
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

struct peer {
  pid_t pid;
  int steps; /* written: do the next step */
  int done;  /* read: it is done */
};

/* Forks a process that runs `step` with 0, 1, ... whenever told to, and ends after the last tell. */
static inline struct peer peer_start(void (*step)(int)) {
  int steps[2], done[2];
  CHECK(pipe(steps) == 0 && pipe(done) == 0);
  struct peer peer = {fork(), steps[1], done[0]};
  CHECK(peer.pid >= 0);
  if (peer.pid > 0) {
    close(steps[0]);
    close(done[1]);
    return peer;
  }
  char byte;
  close(steps[1]);
  close(done[0]);
  for (int i = 0; read(steps[0], &byte, 1) == 1; i++) {
    step(i);
    CHECK_EQUAL(1, write(done[1], "d", 1));
  }
  _exit(0);
}

/* Has the next step done; a check that fails there fails here. */
static inline void peer_step(const struct peer *peer) {
  char byte;
  CHECK_EQUAL(1, write(peer->steps, "s", 1));
  CHECK_EQUAL(1, read(peer->done, &byte, 1));
}

static inline int peer_wait(struct peer *peer) {
  int status;
  close(peer->steps);
  close(peer->done);
  CHECK_EQUAL(peer->pid, waitpid(peer->pid, &status, 0));
  return status;
}

static inline void peer_end(struct peer *peer) { CHECK_EQUAL(0, peer_wait(peer)); }

/* Runs a test in a process of its own, and names it. `expected`: the signal that is to end it, or 0. */
#define RUN_APART(test, expected) \
  do { \
    int status_; \
    fflush(stdout); \
    pid_t child_ = fork(); \
    if (child_ == 0) { \
      test(); \
      _exit(0); \
    } \
    CHECK_EQUAL(child_, waitpid(child_, &status_, 0)); \
    CHECK_EQUAL(expected, status_); \
    printf("ok %s\n", #test); \
  } while (0)
