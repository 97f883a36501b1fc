/* What libshmem knows of this process, which is one PE of a job, and what its routines have in common. All of it lies
 * in the library's own data, which stay where they are when those of the program move into symmetric memory. */
#pragma once

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adrastea/job.h"
#include "adrastea/shmem.h"
#include "libshmem/adr_data_segment.h"
#include "libshmem/adr_libshmem_settings.h"

/* This PE between shmem_init and shmem_finalize; one process is one PE. */
struct adr_libshmem {
  adr_job *job;
  adr_shmem *shmem; /* NULL: not initialized */
  int pe, pes;
  int level;  /* of threads: SHMEM_THREAD_... */
  int inits;  /* initializations that have not been finalized */
  bool ended; /* it has been finalized as often as initialized */
  struct adr_libshmem_settings settings;
  struct adr_data_segment segment; /* the program's variables */
  uintptr_t data;                  /* where they begin that are symmetric among PEs of this program */
  size_t data_bytes;
  char why_no_data[256]; /* where there are none */
};

extern struct adr_libshmem adr_libshmem;

/* Ends the job with one line on stderr: "shmem_put on PE 1: ...". Never returns. */
_Noreturn void adr_libshmem_fail(const char *routine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The reason that shmem_global_exit leaves for the others, followed by the exit code. */
#define ADR_LIBSHMEM_GLOBAL_EXIT "it called shmem_global_exit with "

/* Ends the job when `result` is negative, with what the job says. Returns `result`. */
int adr_libshmem_check(const char *routine, int result);

/* Ends the job when the library is not initialized. */
void adr_libshmem_need(const char *routine);

/* Around each call on the job, which is for one thread at a time. */
void adr_libshmem_enter(void);
void adr_libshmem_leave(void);

/* Whether the calling thread is in between. */
bool adr_libshmem_is_inside(void);

/* Waits until met(words), as adr_shmem_await does; ends the job when nobody can come any more. Every wait of a routine
 * is this one. */
void adr_libshmem_await(const char *routine, adr_shmem_met met, adr_shmem_what what, const void *words);

/* The offset of an address in this PE's part; ends the job when so many bytes there are not symmetric. */
int64_t adr_libshmem_offset(const char *routine, const void *address, size_t bytes);

/* A context: a team's PEs are every `stride`-th of the world from `start` on. Nothing is pending in a context, since
 * each access is done when its routine returns; its options are kept for shmem_ctx_... alone. */
struct adr_libshmem_context {
  int start, stride, pes;
  long options;
  shmem_team_t team;
  struct adr_libshmem_context *next; /* in the list of all, which shmem_finalize frees */
};

/* Makes a context of a team; NULL: there is no memory for it. */
shmem_ctx_t adr_libshmem_context_make(shmem_team_t team, int start, int stride, int pes, long options);

/* Frees the contexts of a team; SHMEM_TEAM_INVALID: of all. */
void adr_libshmem_context_end(shmem_team_t team);
