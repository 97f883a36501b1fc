#include "oshrun/adr_oshrun_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adrastea/job.h"
#include "base/adr_clock.h"
#include "bootstrap/adr_setting.h"
#include "bootstrap/adr_variables.h"
#include "segment/adr_process.h"
#include "segment/adr_segment.h"

enum {
  LINE = 4096,
  STREAMS = 2,
  LOOK_MILLIS = 200,
  FAILED = 1,
  USAGE = 2,
  LATE = 124,
  NO_START = 126,
  NO_PROGRAM = 127
};
#define GRACE_NANOS INT64_C(2000000000) /* from SIGTERM to SIGKILL */

void adr_oshrun_say(const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "oshrun: %s\n", text);
}

/* What a PE writes, up to where its last line ends. */
struct stream {
  int from; /* -1: it shares the launcher's, or has ended */
  int to;
  size_t held;
  char line[LINE];
};

struct pe {
  pid_t pid; /* 0: it has ended */
  struct stream streams[STREAMS];
};

struct launch {
  const struct adr_oshrun_job *job;
  struct pe *pes;
  struct pollfd *polls;
  int started, running, ended_well;
  int signals; /* readable: one has come */
  int64_t deadline;
  pid_t guard;
  int alive;           /* the guard notices its end */
  char file[PATH_MAX]; /* of the segment, which has this name until all PEs have joined */
};

/* How a job ends. */
struct outcome {
  bool over;
  int code;
};

/* -- The segment's file ------------------------------------------------------------------------------------------- */

/* Removes the file when this process was killed, and its PEs with it: nobody else would. */
static void stand_guard(const char *file, int alive) {
  char byte;
  setsid();                          /* no Ctrl-C */
  prctl(PR_SET_NAME, "shmem-guard"); /* who ends this program by name does not mean this one */
  if (read(alive, &byte, 1) == 1) { _exit(0); }
  for (int i = 0; i < 10; i++) { /* a PE may be about to make it */
    unlink(file);
    poll(NULL, 0, LOOK_MILLIS / 2);
  }
  _exit(0);
}

static void start_guard(struct launch *launch) {
  int ends[2];
  launch->alive = -1;
  if (pipe2(ends, O_CLOEXEC) != 0) { return; }
  launch->guard = fork();
  if (launch->guard == 0) {
    close(ends[1]);
    for (int fd = 0; fd <= STDERR_FILENO; fd++) { close(fd); } /* whoever reads them is not to wait for the guard */
    stand_guard(launch->file, ends[0]);
  }
  close(ends[0]);
  launch->alive = ends[1];
}

static void end_guard(struct launch *launch) {
  unlink(launch->file);
  if (launch->guard <= 0) { return; }
  ssize_t told = write(launch->alive, "e", 1);
  (void)told;
  waitpid(launch->guard, NULL, 0);
}

/* -- Starting ----------------------------------------------------------------------------------------------------- */

/* Sets what all PEs have in common. Returns 0, or -1 and says what is wrong. */
static int set_environment(struct launch *launch) {
  adr_error error;
  char directory[PATH_MAX], whole[PATH_MAX], text[64];
  uint64_t number = 0;
  int status = adr_setting_directory(directory, &error);
  if (status == 0) { status = adr_job_number_draw(&number, &error); }
  if (status < 0) {
    adr_oshrun_say("%s", error.text);
    return -1;
  }
  if (realpath(directory, whole) == NULL) {
    adr_oshrun_say("there is no directory %s; make it, or choose another (--shm-dir)", directory);
    return -1;
  }
  if (adr_segment_path(launch->file, whole, number, 0) < 0) {
    adr_oshrun_say("the name of the directory %s is too long; choose another (--shm-dir)", whole);
    return -1;
  }
  setenv("ADRASTEA_SHM_DIR", whole, 1); /* PEs may have other working directories */
  snprintf(text, sizeof text, "%016" PRIx64, number);
  setenv("ADRASTEA_JOB", text, 1);
  snprintf(text, sizeof text, "%d", launch->job->pes);
  setenv("ADRASTEA_SIZE", text, 1);
  struct adr_process self = adr_process_self();
  snprintf(text, sizeof text, "%u:%" PRIu64 ":%" PRIu64, (unsigned)self.pid, self.start,
           adr_process_visible_namespace());
  setenv("ADRASTEA_LAUNCHER", text, 1);
  setenv("ADRASTEA_BOOTSTRAP", "adrastea", 1); /* whatever launcher has started this one */
  unsetenv("ADRASTEA_BIND");
  return 0;
}

/* Becomes the PE. Returns what stands against it. */
static int become(const struct launch *launch, const struct adr_oshrun_part *part, int number, pid_t launcher,
                  const int *outputs) {
  char text[16];
  sigset_t none;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) { _exit(128 + SIGKILL); }
  snprintf(text, sizeof text, "%d", number);
  setenv("ADRASTEA_RANK", text, 1);
  for (int i = 0; i < part->variable_count; i++) { putenv((char *)(uintptr_t)part->variables[i]); }
  if (launch->job->reader != number) {
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) { return errno; }
  }
  for (int i = 0; launch->job->labelled && i < STREAMS; i++) {
    if (dup2(outputs[i], STDOUT_FILENO + i) < 0) { return errno; }
  }
  if (part->directory != NULL && chdir(part->directory) != 0) { return errno; }
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execvp(part->program[0], part->program);
  return errno;
}

static int refuse_start(const struct adr_oshrun_part *part, int number, int error) {
  adr_oshrun_say("PE %d cannot be started as %s: %s", number, part->program[0], strerrordesc_np(error));
  return error == ENOENT ? NO_PROGRAM : NO_START;
}

/* Starts a PE. Returns 0 or an exit code. */
static int start(struct launch *launch, const struct adr_oshrun_part *part, int number) {
  struct pe *pe = &launch->pes[number];
  int failed[2], ends[STREAMS][2], outputs[STREAMS] = {-1, -1}, error = 0;
  pid_t self = getpid();
  if (pipe2(failed, O_CLOEXEC) != 0) { return refuse_start(part, number, errno); }
  for (int i = 0; launch->job->labelled && i < STREAMS; i++) {
    if (pipe2(ends[i], O_CLOEXEC) != 0) { return refuse_start(part, number, errno); }
    outputs[i] = ends[i][1];
    pe->streams[i] = (struct stream){.from = ends[i][0], .to = STDOUT_FILENO + i};
  }
  pe->pid = fork();
  if (pe->pid == 0) {
    error = become(launch, part, number, self, outputs);
    ssize_t told = write(failed[1], &error, sizeof error);
    (void)told;
    _exit(NO_START);
  }
  if (pe->pid < 0) { error = errno; }
  close(failed[1]);
  for (int i = 0; launch->job->labelled && i < STREAMS; i++) { close(outputs[i]); }
  if (error == 0 && read(failed[0], &error, sizeof error) != sizeof error) { error = 0; } /* closed by the exec */
  close(failed[0]);
  if (pe->pid > 0) {
    launch->started++;
    launch->running++;
  } else {
    pe->pid = 0;
  }
  return error == 0 ? 0 : refuse_start(part, number, error);
}

static int start_all(struct launch *launch) {
  int number = 0;
  for (int i = 0; i < launch->job->part_count; i++) {
    const struct adr_oshrun_part *part = &launch->job->parts[i];
    for (int pe = 0; pe < part->pes; pe++) {
      int code = start(launch, part, number++);
      if (code != 0) { return code; }
    }
  }
  return 0;
}

/* -- Output ------------------------------------------------------------------------------------------------------- */

static bool write_all(int to, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(to, bytes, count);
    if (written < 0 && errno != EINTR) { return false; }
    if (written > 0) {
      bytes += written;
      count -= (size_t)written;
    }
  }
  return true;
}

static bool write_line(const struct stream *stream, int number, size_t length) {
  char label[16];
  int bytes = snprintf(label, sizeof label, "[%d] ", number);
  return write_all(stream->to, label, (size_t)bytes) && write_all(stream->to, stream->line, length)
         && (stream->line[length - 1] == '\n' || write_all(stream->to, "\n", 1));
}

/* Passes on lines that are whole, those that are longer than the buffer in pieces, and at the end what is left. Returns
 * whether anybody reads them. */
static bool pass_on(struct stream *stream, int number) {
  ssize_t got = read(stream->from, stream->line + stream->held, LINE - stream->held);
  if (got < 0 && errno == EINTR) { return true; }
  bool ended = got <= 0, read_by_somebody = true;
  stream->held += ended ? 0 : (size_t)got;
  while (stream->held > 0 && read_by_somebody) {
    const char *end = memchr(stream->line, '\n', stream->held);
    size_t length = end != NULL ? (size_t)(end - stream->line) + 1 : stream->held;
    if (end == NULL && !ended && stream->held < LINE) { break; }
    read_by_somebody = write_line(stream, number, length);
    stream->held -= length;
    memmove(stream->line, stream->line + length, stream->held);
  }
  if (ended) {
    close(stream->from);
    stream->from = -1;
  }
  return read_by_somebody;
}

/* Waits for signals, and for output, which it passes on, so many milliseconds. */
static bool wait_for_news(struct launch *launch, int millis) {
  int count = 1;
  launch->polls[0] = (struct pollfd){.fd = launch->signals, .events = POLLIN};
  for (int i = 0; launch->job->labelled && i < launch->started * STREAMS; i++) {
    launch->polls[count++] =
        (struct pollfd){.fd = launch->pes[i / STREAMS].streams[i % STREAMS].from, .events = POLLIN};
  }
  if (poll(launch->polls, (nfds_t)count, millis) <= 0) { return true; }
  for (int i = 0; i < count - 1; i++) {
    if (launch->polls[i + 1].revents == 0) { continue; }
    if (!pass_on(&launch->pes[i / STREAMS].streams[i % STREAMS], i / STREAMS)) { return false; }
  }
  return true;
}

/* What was written before the end of its writer is there already; what children of a PE write later is not waited for.
 */
static void pass_on_the_rest(struct launch *launch) {
  for (int i = 0; launch->job->labelled && i < launch->started * STREAMS; i++) {
    struct stream *stream = &launch->pes[i / STREAMS].streams[i % STREAMS];
    struct pollfd poller = {.fd = stream->from, .events = POLLIN};
    while (stream->from >= 0 && poll(&poller, 1, 0) > 0 && pass_on(stream, i / STREAMS)) {}
  }
}

/* -- The end ------------------------------------------------------------------------------------------------------ */

static int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

static void say_how(int number, int status, bool others) {
  const char *next = others ? "; ending the other PEs" : "";
  if (WIFEXITED(status)) {
    adr_oshrun_say("PE %d exited with code %d%s", number, WEXITSTATUS(status), next);
  } else {
    adr_oshrun_say("PE %d was killed by signal %d (SIG%s)%s", number, WTERMSIG(status), sigabbrev_np(WTERMSIG(status)),
                   next);
  }
}

/* Takes notice of PEs that have ended. Of several that have not ended well, one that a signal has ended is the cause:
 * others exit since they have lost it. */
static struct outcome look_at_ends(struct launch *launch) {
  int cause = ADR_OSHRUN_NOBODY, cause_status = 0, status;
  for (int i = 0; i < launch->started; i++) {
    if (launch->pes[i].pid == 0 || waitpid(launch->pes[i].pid, &status, WNOHANG) <= 0) { continue; }
    launch->pes[i].pid = 0;
    launch->running--;
    launch->ended_well += status == 0;
    if (status != 0 && (cause < 0 || (WIFSIGNALED(status) && WIFEXITED(cause_status)))) {
      cause = i;
      cause_status = status;
    }
  }
  if (cause < 0) { return (struct outcome){.over = launch->running == 0}; }
  say_how(cause, cause_status, launch->running > 0);
  return (struct outcome){.over = true, .code = code_of(cause_status)};
}

/* A PE that has ended while the segment has its name has not joined: those that join would wait for it. */
static struct outcome look_at_joining(const struct launch *launch) {
  if (launch->ended_well == 0 || access(launch->file, F_OK) != 0) { return (struct outcome){0}; }
  for (int i = 0; i < launch->started; i++) {
    if (launch->pes[i].pid != 0) { continue; }
    adr_oshrun_say("PE %d ended before it called shmem_init; the others cannot begin without it, and are ended", i);
    break;
  }
  return (struct outcome){.over = true, .code = FAILED};
}

static struct outcome look_at_signals(struct launch *launch) {
  struct signalfd_siginfo info;
  while (read(launch->signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) { continue; }
    return (struct outcome){.over = true, .code = 128 + (int)info.ssi_signo};
  }
  return (struct outcome){0};
}

static struct outcome look(struct launch *launch) {
  int64_t left = launch->job->time_limit == 0 ? INT64_MAX : launch->deadline - adr_clock_now();
  if (left <= 0) {
    adr_oshrun_say("the job has not ended within the time of --timeout %s; ending it", launch->job->time_limit_text);
    return (struct outcome){.over = true, .code = LATE};
  }
  int millis = launch->ended_well > 0 ? LOOK_MILLIS : -1;
  if (left != INT64_MAX && (millis < 0 || left / 1000000 < millis)) {
    millis = left / 1000000 < INT_MAX ? (int)(left / 1000000) + 1 : INT_MAX;
  }
  if (!wait_for_news(launch, millis)) {
    adr_oshrun_say("nobody reads the output any more; ending the job");
    return (struct outcome){.over = true, .code = 128 + SIGPIPE};
  }
  struct outcome outcome = look_at_signals(launch);
  if (!outcome.over) { outcome = look_at_ends(launch); }
  if (!outcome.over) { outcome = look_at_joining(launch); }
  return outcome;
}

/* Sends a signal to each process that this one has started, or that was left to it. Returns how many there are. */
static int send(const struct launch *launch, int signal) {
  char path[64];
  int pid, count = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  FILE *children = fopen(path, "re");
  if (children == NULL) { /* the system does not tell */
    for (int i = 0; i < launch->started; i++) {
      if (launch->pes[i].pid == 0) { continue; }
      kill(launch->pes[i].pid, signal);
      count++;
    }
    return count;
  }
  while (fscanf(children, "%d", &pid) == 1) {
    if (pid == launch->guard) { continue; }
    kill(pid, signal);
    count++;
  }
  fclose(children);
  return count;
}

/* Ends all PEs and what they have started: a process whose parent ends is left to this one. */
static void end_all(struct launch *launch) {
  int64_t deadline = adr_clock_now() + GRACE_NANOS;
  int signal = SIGTERM;
  while (send(launch, signal) > 0) {
    if (adr_clock_now() > deadline) { signal = SIGKILL; }
    wait_for_news(launch, 10);
    for (int status, pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
      for (int i = 0; i < launch->started; i++) {
        if (launch->pes[i].pid == pid) { launch->pes[i].pid = 0; }
      }
      if (pid == launch->guard) { launch->guard = 0; }
    }
    struct signalfd_siginfo info; /* a second Ctrl-C changes nothing */
    while (read(launch->signals, &info, sizeof info) == sizeof info) {}
  }
}

int adr_oshrun_run(const struct adr_oshrun_job *job) {
  struct launch launch = {.job = job};
  sigset_t mask;
  if (set_environment(&launch) < 0) { return USAGE; }
  launch.pes = calloc((size_t)job->pes, sizeof *launch.pes);
  launch.polls = calloc((size_t)job->pes * STREAMS + 1, sizeof *launch.polls);
  sigemptyset(&mask);
  for (const int *signal = (const int[]){SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, 0}; *signal != 0; signal++) {
    sigaddset(&mask, *signal);
  }
  sigprocmask(SIG_BLOCK, &mask, NULL);
  signal(SIGPIPE, SIG_IGN);
  launch.signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  if (launch.pes == NULL || launch.polls == NULL || launch.signals < 0) {
    adr_oshrun_say("no memory for %d PEs", job->pes);
    return NO_START;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  start_guard(&launch);
  launch.deadline = adr_clock_now() + job->time_limit;
  struct outcome outcome = {.code = start_all(&launch)};
  outcome.over = outcome.code != 0;
  while (!outcome.over) { outcome = look(&launch); }
  if (outcome.code != 0) { end_all(&launch); }
  pass_on_the_rest(&launch);
  end_guard(&launch);
  free(launch.pes);
  free(launch.polls);
  return outcome.code;
}
