/* Joining and leaving, and what a rank is told of its job; see adrastea/job.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adrastea/affinity.h"
#include "adrastea/job.h"
#include "adrastea/space.h"
#include "job/adr_job_decline.h"
#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_launcher_binding.h"
#include "job/adr_job_progress.h"
#include "job/adr_job_world.h"
#include "job/adr_joining.h"
#include "bootstrap/adr_settings.h"
#include "ranktable/adr_rank_table.h"

const char *adr_job_error(const adr_job *job) { return job->error.text; }

int adr_job_failed_rank(const adr_job *job) { return job->failed_rank; }

/* The process that is in a job or joins one, 0: none. A number rather than a flag: the child of a fork is in none,
 * since locks are not inherited. */
static adr_atomic_u32 member;

/* The locks that tell others that a rank lives are the process's: two ranks in it would be told apart by nothing, and
 * would drop each other's. */
static int enter_process(adr_error *error) {
  uint32_t self = (uint32_t)getpid();
  /* Relaxed: it only decides which of several threads may join, and guards nothing that one leaves to another. */
  if (adr_swap_relaxed_u32(&member, self) != self) { return 0; }
  return adr_fail(error, -EALREADY,
                  "this process has joined already; a process is one rank of one job at a time: leave the first with "
                  "adr_job_leave before joining again");
}

static void leave_process(void) { adr_store_relaxed_u32(&member, 0); }

static void discard(struct adr_job *job) {
  if (job->wait.gate != NULL) { adr_gate_close(job->wait.gate); }
  adr_launcher_watch_stop(job->watch);
  adr_channel_close(job->channel);
  adr_job_world_close(job);
  adr_shared_close(job->shared);
  adr_segment_close(&job->segment);
  free(job->in);
  free(job->out);
  free(job->acknowledged);
  adr_control_close(&job->control);
  free(job);
}

static struct adr_job *make(const struct adr_settings *settings) {
  struct adr_job *job = calloc(1, sizeof *job);
  if (job == NULL) { return NULL; }
  job->segment.fd = -1;
  job->id = settings->membership.job;
  job->rank = settings->membership.rank;
  job->size = settings->membership.size;
  job->launcher = settings->membership.launcher;
  job->wait.waiter.spins = settings->spins;
  job->wait.upkeep = &adr_job_upkeep;
  job->wait.owner = job;
  job->wait.hang_nanos = (int64_t)settings->hang_report * INT64_C(1000000000);
  job->failed_rank = -1;
  job->pace = adr_pace_from(adr_clock_now());
  strcpy(job->error.text, adr_strerror(0));
  job->in = calloc(job->size, sizeof *job->in);
  job->out = calloc(job->size, sizeof *job->out);
  job->acknowledged = calloc(job->size, sizeof *job->acknowledged);
  if (job->in != NULL && job->out != NULL && job->acknowledged != NULL
      && adr_control_open(&job->control, job->size) == 0 && adr_job_decline_open(&job->control) == 0) {
    return job;
  }
  discard(job);
  return NULL;
}

static int bind_thread(struct adr_job *job, const struct adr_membership *membership, int32_t cpu) {
  char words[ADR_BINDING_WORDS];
  if (cpu >= 0 && !membership->ours && adr_launcher_binding(membership->launcher, words)) {
    return adr_fail(&job->error, -EINVAL,
                    "ADRASTEA_BIND=%" PRId32 ", but %s; leave ADRASTEA_BIND out, or let the launcher bind nothing "
                    "(srun --cpu-bind=none, mpirun --bind-to none, mpiexec -bind-to none)",
                    cpu, words);
  }
  int32_t status = cpu < 0 ? 0 : adr_affinity_bind(cpu);
  if (status == 0) { return 0; }
  return adr_fail(&job->error, status, "ADRASTEA_BIND=%" PRId32 ": this thread cannot be pinned to that CPU (%s)", cpu,
                  adr_strerror(status));
}

static int watch_launcher(struct adr_job *job, const struct adr_settings *settings, unsigned flags) {
  char file[PATH_MAX];
  if (job->launcher.pid == 0) { return 0; }
  if (!adr_process_is_alive(job->launcher)) {
    return adr_fail(&job->error, ADR_ERROR_LAUNCHER, "the launcher, process %" PRIu32 ", is gone", job->launcher.pid);
  }
  adr_cma_allow((int32_t)job->launcher.pid); /* where that fails, large messages of others go another way */
  if ((flags & ADR_JOIN_END_WITH_LAUNCHER) == 0) { return 0; }
  int status = adr_segment_path(file, settings->directory, settings->membership.job, settings->membership.node);
  if (status == 0) { status = adr_launcher_watch_start(&job->watch, job->launcher, file); }
  return status == 0 ? 0 : adr_fail(&job->error, status, "the launcher cannot be watched: %s", adr_strerror(status));
}

static int join(adr_job **joined, const struct adr_settings *settings, unsigned flags, adr_error *error) {
  struct adr_job *job = make(settings);
  if (job == NULL) {
    return adr_fail(error, -ENOMEM, "no memory for a job of %" PRIu32 " ranks", settings->membership.size);
  }
  int status = bind_thread(job, &settings->membership, settings->cpu);
  if (status == 0) { status = watch_launcher(job, settings, flags); }
  if (status == 0) { status = adr_joining_join(job, settings); }
  if (status == 0) {
    if (job->watch != NULL && !settings->membership.ours) {
      adr_launcher_watch_obey(job->watch, job->segment.base, job->size);
    }
    *joined = job;
    return 0;
  }
  if (error != NULL) { *error = job->error; }
  discard(job);
  return status;
}

int adr_job_join(adr_job **job, unsigned flags, adr_error *error) {
  if (error != NULL) { adr_fail(error, 0, "%s", adr_strerror(0)); }
  if (job == NULL) { return adr_fail(error, -EINVAL, "adr_job_join needs a place for the job; it got NULL"); }
  *job = NULL;
  if ((flags & ~ADR_JOIN_END_WITH_LAUNCHER) != 0) {
    return adr_fail(error, -EINVAL, "flags of adr_job_join: %#x; allowed are 0 and ADR_JOIN_END_WITH_LAUNCHER", flags);
  }
  struct adr_settings *settings = malloc(sizeof *settings);
  if (settings == NULL) { return adr_fail(error, -ENOMEM, "no memory for the settings"); }
  int status = enter_process(error); /* first, since ranks that meet are counted on */
  if (status == 0) {
    status = adr_settings_read(settings, error);
    if (status == 0) { status = join(job, settings, flags, error); }
    if (status < 0) { leave_process(); }
  }
  free(settings);
  return status;
}

int adr_job_leave(adr_job *job) {
  if (job == NULL) { return 0; }
  adr_job_flush(job);
  int status = 0;
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (job->out[rank].message != NULL) { status = -EBUSY; }
  }
  adr_channel_close(job->channel); /* before others may take this rank's cells for theirs */
  job->channel = NULL;
  adr_rank_table_depart(job->segment.base, job->rank, ADR_RANK_LEFT);
  discard(job);
  leave_process();
  return status;
}

int adr_job_fail(adr_job *job, const char *reason) {
  if (job == NULL) { return 0; }
  adr_channel_close(job->channel); /* before others take this rank's cells for theirs */
  job->channel = NULL;
  adr_rank_table_fail(job->segment.base, job->rank, reason == NULL ? "" : reason);
  if (job->wait.gate == NULL) { discard(job); } /* else other threads may be about to come in, and find it closed */
  leave_process();
  return 0;
}

int adr_job_allow_threads(adr_job *job) {
  if (job->wait.gate != NULL) { return 0; }
  const int status = adr_gate_open(&job->gate);
  if (status < 0) {
    return adr_fail(&job->error, status, "threads cannot take turns at the job: %s", adr_strerror(status));
  }
  job->wait.gate = &job->gate;
  return 0;
}

void adr_job_enter(adr_job *job) {
  if (job->wait.gate != NULL) { adr_gate_enter(job->wait.gate); }
}

void adr_job_exit(adr_job *job) {
  if (job->wait.gate != NULL) { adr_gate_exit(job->wait.gate); }
}

int adr_job_rank(const adr_job *job) { return (int)job->rank; }

int adr_job_size(const adr_job *job) { return (int)job->size; }

uint64_t adr_job_id(const adr_job *job) { return job->id; }

struct words {
  char *text; /* may be NULL */
  size_t size;
  size_t length; /* of all the words, though they may not fit */
};

static void say(struct words *words, const adr_outgoing *message) {
  bool fits = words->text != NULL && words->length < words->size;
  int length = snprintf(fits ? words->text + words->length : NULL, fits ? words->size - words->length : 0,
                        "%sa send to rank %" PRId32 " with tag %" PRId32 ", %" PRId64 " of %" PRId64 " bytes",
                        words->length == 0 ? "" : "; ", message->destination, ADR_TAG(message->match), message->sent,
                        message->bytes);
  words->length += length > 0 ? (size_t)length : 0;
}

int adr_job_outstanding(const adr_job *job, char *text, size_t size) {
  struct words words = {text, size, 0};
  int count = 0;
  if (text != NULL && size > 0) { text[0] = '\0'; }
  for (uint32_t rank = 0; rank < job->size; rank++) {
    if (job->out[rank].message == NULL) { continue; }
    say(&words, job->out[rank].message);
    count++;
  }
  return count;
}

static int failed(struct adr_job *job, int status, const char *what, int64_t bytes) {
  return status >= 0 ? 0
                     : adr_fail(&job->error, status, "%s of %" PRId64 " bytes: %s", what, bytes, adr_strerror(status));
}

int adr_job_allocate(adr_job *job, int64_t bytes, int64_t alignment, void **memory, int64_t *offset) {
  if (bytes < 0 || alignment < 0 || !adr_shared_allows((uint64_t)bytes, (uint64_t)alignment)) {
    return adr_fail(&job->error, -EINVAL,
                    "a shared allocation of %" PRId64 " bytes at multiples of %" PRId64 "; allowed are 1 byte or "
                    "more, at a power of two up to %u",
                    bytes, alignment, ADR_PAGE);
  }
  uint64_t at = 0;
  int status = adr_shared_allocate(job->shared, (uint64_t)bytes, (uint64_t)alignment, memory, &at);
  if (status >= 0) { *offset = (int64_t)at; }
  return failed(job, status, "a shared allocation", bytes);
}

int adr_job_free(adr_job *job, void *memory) {
  int status = adr_shared_free(job->shared, memory);
  return status >= 0
             ? 0
             : adr_fail(&job->error, status, "%p is no shared allocation of this rank, or was freed already", memory);
}

int adr_job_reach(adr_job *job, int rank, int64_t offset, int64_t bytes, void **memory) {
  int status = offset < 0 || bytes < 0 ? -EINVAL
                                       : adr_shared_reach(job->shared, rank, (uint64_t)offset, (uint64_t)bytes, memory);
  if (status == -EINVAL) {
    return adr_fail(&job->error, status,
                    "%" PRId64 " bytes from offset %" PRId64 " on are not inside the shared allocations of rank %d",
                    bytes, offset, rank);
  }
  return failed(job, status, "memory of another rank", bytes);
}
