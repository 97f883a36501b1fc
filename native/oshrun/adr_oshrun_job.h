/* oshrun: starts programs as the PEs of one job on this node, and stays until all have ended. A launcher without a JVM,
 * for programs that need none: what makes a process a rank is in its environment alone, as `adrastea run` sets it, and
 * the ranks make the segment themselves. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ADR_OSHRUN_MOST_PES = 1024, ADR_OSHRUN_NOBODY = -1 };

/* Programs of one job, each as several PEs. */
struct adr_oshrun_part {
  int pes;
  const char *directory;  /* NULL: the launcher's */
  const char **variables; /* NAME=VALUE */
  int variable_count;
  char *const *program; /* and its arguments, up to a NULL */
};

struct adr_oshrun_job {
  struct adr_oshrun_part *parts;
  int part_count, pes;
  bool labelled;      /* whether lines of output begin with the number of their PE */
  int reader;         /* the PE that reads standard input; ADR_OSHRUN_NOBODY */
  int64_t time_limit; /* nanoseconds; 0: none */
  const char *time_limit_text;
};

/* Runs it. Returns the exit code: 0: all PEs have ended well; that of the first that has not, 128 + n for signal n, and
 * the others are ended; 128 + n where signal n ended this process; 124: the time was over; 126, 127: a program cannot
 * be started, or is not there; 2: there is something wrong with the settings. */
int adr_oshrun_run(const struct adr_oshrun_job *job);

/* Prints a line that begins with the program's name. */
void adr_oshrun_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
