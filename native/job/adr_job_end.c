/* The end of a whole job, see adrastea/job.h. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/adr_clock.h"
#include "bootstrap/adr_job_error.h"
#include "job/adr_job_state.h"

/* How long processes have to end by themselves, and again from SIGTERM to SIGKILL; and from one look to the next. */
#define WAIT_NANOS INT64_C(200000000)
#define LOOK_NANOS 2000000

struct processes {
  uint32_t count;
  struct adr_process of[];
};

/* The processes of other ranks that have not left, as far as this one knows them by their numbers. */
static void list(const struct adr_job *job, struct processes *others) {
  const uint32_t self = (uint32_t)getpid();
  for (uint32_t rank = 0; rank < job->size && job->ranks.pid_namespace != 0; rank++) {
    const struct adr_rank_entry *entry = adr_rank_table_entry(job->segment.base, rank);
    const struct adr_process process = {adr_rank_table_pid(entry), adr_load_once_u64(&entry->start_time)};
    const bool visible = adr_load_once_u64(&entry->pid_namespace) == job->ranks.pid_namespace;
    /* A pid without a start time might be anybody's. */
    if (!visible || process.pid == 0 || process.start == 0 || process.pid == self) { continue; }
    if (adr_rank_table_is_present(&job->ranks, rank)) { others->of[others->count++] = process; }
  }
}

static bool is_any_alive(const struct processes *others) {
  for (uint32_t i = 0; i < others->count; i++) {
    if (adr_process_is_alive(others->of[i])) { return true; }
  }
  return false;
}

static bool have_ended(const struct processes *others) {
  const int64_t deadline = adr_clock_now() + WAIT_NANOS;
  while (is_any_alive(others)) {
    if (adr_clock_now() > deadline) { return false; }
    nanosleep(&(struct timespec){.tv_nsec = LOOK_NANOS}, NULL);
  }
  return true;
}

static void send(const struct processes *others, int signal, int value) {
  for (uint32_t i = 0; i < others->count; i++) {
    if (!adr_process_is_alive(others->of[i])) { continue; }
    sigqueue((pid_t)others->of[i].pid, signal, (union sigval){.sival_int = value});
  }
}

int adr_job_end(adr_job *job, const char *reason, int code) {
  if (job == NULL) { return 0; }
  struct processes *others = malloc(sizeof *others + job->size * sizeof *others->of);
  if (others == NULL) { return adr_fail(&job->error, -ENOMEM, "no memory for the processes of %u ranks", job->size); }
  others->count = 0;
  list(job, others);
  adr_job_fail(job, reason);
  if (!have_ended(others)) {
    send(others, SIGTERM, ADR_JOB_ENDS | (code & 0xff));
    if (!have_ended(others)) { send(others, SIGKILL, 0); }
  }
  free(others);
  return 0;
}
