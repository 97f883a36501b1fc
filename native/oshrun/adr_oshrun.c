#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adrastea/version.h"
#include "oshrun/adr_oshrun_info.h"
#include "oshrun/adr_oshrun_job.h"

enum { USAGE = 2 };

static const char help[] =
    "Usage: oshrun [-n N] [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
    "              [: [-n N] [-x NAME=VALUE] [--wdir DIR] [--] PROGRAM [ARGUMENTS...]]...\n"
    "\n"
    "Starts a program N times on this node, as the PEs of one OpenSHMEM job; or several programs.\n"
    "\n"
    "Options of each part, before its program:\n"
    "  -n, -np N           Number of PEs (default: 1); 1 to 1024 in all parts together.\n"
    "  -x NAME[=VALUE]     A variable of the PEs' environment. All that are set here are passed on, so\n"
    "                      NAME alone only checks that it is set.\n"
    "  --wdir DIR          Working directory of the PEs.\n"
    "\n"
    "Options of the whole job, before the first program:\n"
    "  --label WHEN        always: lines of output begin with their PE, as [1]; never (default).\n"
    "  --stdin PE          The PE that reads standard input, or none (default: 0).\n"
    "  --timeout TIME      Ends a job that takes longer: seconds, or a number with s, m or h.\n"
    "  --shm-dir DIR       Where the job's memory lies (default: ADRASTEA_SHM_DIR, or /dev/shm).\n"
    "\n"
    "  --info              Tells what there is here: versions, paths, which ways PEs share memory.\n"
    "  --version, --help   Tells the version; tells this.\n"
    "\n"
    "A lone : ends the words of a program and begins the next part. PEs are numbered through in the\n"
    "order of the parts. The size of the symmetric heap is the variable SHMEM_SYMMETRIC_SIZE, as\n"
    "256m; it is alike in all PEs. Others write to the terminal as PE 0 does, without a word before.\n"
    "\n"
    "A PE that fails ends the job: one line says which it was, the others get SIGTERM, and SIGKILL\n"
    "after 2 s. The exit code is the failed PE's, 128 + n for signal n; 127: there is no such\n"
    "program, 126: it cannot be started; 124: the time is over; 2: the command line is wrong. The end\n"
    "of oshrun, however it comes, ends all PEs.\n"
    "\n"
    "`adrastea run` starts the same programs, and has more options: PEs that are bound to CPUs,\n"
    "output to files, jobs that go on without a PE that failed, programs in Java.\n"
    "\n"
    "Examples:\n"
    "  oshcc -O2 -o ring ring.c && oshrun -n 4 ./ring\n"
    "  SHMEM_SYMMETRIC_SIZE=1g oshrun -n 8 --timeout 10m ./solver input.dat\n";

#define REFUSE(...) \
  do { \
    adr_oshrun_say(__VA_ARGS__); \
    exit(USAGE); \
  } while (0)

/* The words that are left, one after the other. */
struct words {
  char **next;
  const char *value; /* behind the = of the option that was read last; NULL: there was none */
};

/* Whether the next word is this option, alone or with =VALUE; it is taken then. */
static bool take(struct words *words, const char *name) {
  size_t length = strlen(name);
  if (*words->next == NULL || strncmp(*words->next, name, length) != 0) { return false; }
  const char *rest = *words->next + length;
  if (*rest != '\0' && (*rest != '=' || name[1] != '-')) { return false; }
  words->value = *rest == '=' ? rest + 1 : NULL;
  words->next++;
  return true;
}

static const char *value_of(struct words *words, const char *option) {
  if (words->value != NULL) { return words->value; }
  if (*words->next == NULL) { REFUSE("%s needs a value; see oshrun --help", option); }
  return *words->next++;
}

static int number(const char *text, int least, int most, const char *option) {
  char *end;
  long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < least || value > most) {
    REFUSE("%s is '%s'; allowed are %d to %d", option, text, least, most);
  }
  return (int)value;
}

static int64_t duration(const char *text) {
  char *end;
  double value = strtod(text, &end);
  double unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : 1;
  bool known = end != text && (*end == '\0' || (strchr("smh", *end) != NULL && end[1] == '\0'));
  if (!known || !(value > 0) || value * unit > 1e9) {
    REFUSE("--timeout is '%s'; allowed are seconds, or a number with s, m or h, as 90, 1.5m or 2h", text);
  }
  return (int64_t)(value * unit * 1e9);
}

static void *grown(void *array, int count, size_t size) {
  void *more = realloc(array, ((size_t)count + 1) * size);
  if (more == NULL) { REFUSE("no memory for the command line"); }
  return more;
}

/* The launcher gives these to each PE. */
static bool is_launchers(const char *name) {
  static const char *const names[] = {"ADRASTEA_JOB",      "ADRASTEA_RANK",      "ADRASTEA_SIZE",
                                      "ADRASTEA_LAUNCHER", "ADRASTEA_BOOTSTRAP", "ADRASTEA_SHM_DIR"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (strcmp(name, names[i]) == 0) { return true; }
  }
  return false;
}

static void add_variable(struct adr_oshrun_part *part, const char *given) {
  char *name = strdup(given);
  if (name == NULL) { REFUSE("no memory for the command line"); }
  size_t length = strcspn(given, "=");
  name[length] = '\0';
  if (length == 0) { REFUSE("-x is '%s', without a name; write -x NAME=VALUE", given); }
  if (is_launchers(name)) {
    REFUSE("-x names the variable '%s', which the launcher gives to all PEs; leave it out", name);
  }
  if (given[length] == '\0' && getenv(name) == NULL) {
    REFUSE("-x names the variable '%s', which is not set here; write -x %s=VALUE to set it", name, name);
  }
  free(name);
  if (given[length] == '\0') { return; }
  part->variables = grown(part->variables, part->variable_count, sizeof *part->variables);
  part->variables[part->variable_count++] = given;
}

static bool take_part_option(struct words *words, struct adr_oshrun_part *part) {
  struct stat found;
  if (take(words, "-n") || take(words, "-np")) {
    part->pes = number(value_of(words, "-n"), 1, ADR_OSHRUN_MOST_PES, "-n");
  } else if (take(words, "-x")) {
    add_variable(part, value_of(words, "-x"));
  } else if (take(words, "--wdir")) {
    part->directory = value_of(words, "--wdir");
    if (stat(part->directory, &found) != 0 || !S_ISDIR(found.st_mode)) {
      REFUSE("--wdir is '%s', and there is no such directory; make it, or name another", part->directory);
    }
  } else {
    return false;
  }
  return true;
}

static bool take_job_option(struct words *words, struct adr_oshrun_job *job) {
  if (take(words, "--help") || take(words, "-h")) {
    exit(fputs(help, stdout) < 0);
  } else if (take(words, "--label")) {
    const char *when = value_of(words, "--label");
    job->labelled = strcmp(when, "always") == 0;
    if (!job->labelled && strcmp(when, "never") != 0) { REFUSE("--label is '%s'; allowed are always and never", when); }
  } else if (take(words, "--stdin")) {
    const char *reader = value_of(words, "--stdin");
    job->reader =
        strcmp(reader, "none") == 0 ? ADR_OSHRUN_NOBODY : number(reader, 0, ADR_OSHRUN_MOST_PES - 1, "--stdin");
  } else if (take(words, "--timeout")) {
    job->time_limit_text = value_of(words, "--timeout");
    job->time_limit = duration(job->time_limit_text);
  } else if (take(words, "--shm-dir")) {
    setenv("ADRASTEA_SHM_DIR", value_of(words, "--shm-dir"), 1);
  } else if (!take(words, "--oversubscribe") && !take(words, "--allow-run-as-root")) { /* words of other launchers */
    return false;
  }
  return true;
}

static void take_part(struct words *words, struct adr_oshrun_job *job) {
  job->parts = grown(job->parts, job->part_count, sizeof *job->parts);
  struct adr_oshrun_part *part = &job->parts[job->part_count];
  *part = (struct adr_oshrun_part){.pes = 1};
  while (*words->next != NULL && **words->next == '-' && !take(words, "--")) {
    if (take_part_option(words, part) || (job->part_count == 0 && take_job_option(words, job))) { continue; }
    REFUSE("there is no option '%s' %s; see oshrun --help, and `adrastea run --help`, which has more", *words->next,
           job->part_count == 0 ? "here" : "of a later part");
  }
  if (words->next[-1] != NULL && *words->next == NULL) { REFUSE("there is no program; see oshrun --help"); }
  part->program = words->next;
  while (*words->next != NULL && strcmp(*words->next, ":") != 0) { words->next++; }
  if (part->program == words->next) { REFUSE("there is no program before a ':'; see oshrun --help"); }
  bool last = *words->next == NULL;
  if (!last) { *words->next++ = NULL; }
  job->pes += part->pes;
  job->part_count++;
  if (!last) { take_part(words, job); }
}

int main(int count, char **arguments) {
  (void)count;
  struct words words = {.next = arguments + 1};
  static struct adr_oshrun_job job; /* what it has allocated is there until the end */
  if (take(&words, "--version") || take(&words, "-V")) { return printf("oshrun of Adrastea %s\n", adr_version()) < 0; }
  if (take(&words, "--info")) { return adr_oshrun_info(); }
  take_part(&words, &job);
  if (job.pes > ADR_OSHRUN_MOST_PES) {
    REFUSE("the parts have %d PEs together; allowed are 1 to %d", job.pes, ADR_OSHRUN_MOST_PES);
  }
  if (job.reader >= job.pes) { REFUSE("--stdin is %d, and the PEs are 0 to %d", job.reader, job.pes - 1); }
  return adr_oshrun_run(&job);
}
