/* A process that does its script to the end, or dies at a stop point of the C core (base/adr_stop.h) on one of its
 * visits there, while the test waits for it; for those tests survival_* that try every visit to every point. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "stop_name.h"

static uint32_t *visits; /* of the victim, to each point; shared with it */
static bool is_victim;
static int die_at; /* enum adr_stop_point; -1: nowhere */
static uint32_t die_at_visit;

void adr_stop(enum adr_stop_point point) {
  if (is_victim && ++visits[point] == die_at_visit && (int)point == die_at) { raise(SIGKILL); }
}

/* Returns whether the victim died as planned. */
static bool victim_dies(void (*script)(void), int point, uint32_t visit) {
  int status;
  memset(visits, 0, ADR_STOP_COUNT * sizeof *visits);
  fflush(stdout);
  pid_t victim = fork();
  CHECK(victim >= 0);
  if (victim == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    is_victim = true;
    die_at = point;
    die_at_visit = visit;
    script();
    _exit(0);
  }
  CHECK_EQUAL(victim, waitpid(victim, &status, 0));
  CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

/* Runs the case in which the victim lives, and then one for each time that it got to each point from `first` to the one
 * before `end`. A case returns whether the victim died as planned. */
static void run_cases(bool (*run_case)(int point, uint32_t visit), int first, int end) {
  uint32_t reached[ADR_STOP_COUNT];
  visits = mmap(NULL, sizeof reached, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(visits != MAP_FAILED);
  atexit(name_the_case);
  snprintf(case_name, sizeof case_name, "nobody dies");
  CHECK(!run_case(-1, 0));
  memcpy(reached, visits, sizeof reached);
  for (int point = first; point < end; point++) {
    if (reached[point] == 0) { fprintf(stderr, "no case reaches the stop point %s\n", stop_name(point)); }
    CHECK(reached[point] > 0);
    for (uint32_t visit = 1; visit <= reached[point]; visit++) {
      snprintf(case_name, sizeof case_name, "visit %u of %s", visit, stop_name(point));
      CHECK(run_case(point, visit));
    }
  }
  case_name[0] = '\0';
}
