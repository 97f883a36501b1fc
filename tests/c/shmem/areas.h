/* PEs with two areas of symmetric memory, for tests of collectives. */
#pragma once

#include "pes.h"

enum { AREA = 1 << 16 }; /* bytes */

static int me, pes;
static char *to_area, *from_area; /* symmetric */
static void (*pe_body)(void);
static int pe_level = SHMEM_THREAD_SINGLE;

static inline void take_areas(void) {
  me = shmem_my_pe();
  pes = shmem_n_pes();
  to_area = shmem_malloc(AREA);
  from_area = shmem_malloc(AREA);
  CHECK(to_area != NULL && from_area != NULL);
}

static inline void run_pe(void) {
  int provided;
  CHECK(shmem_init_thread(pe_level, &provided) == 0 && provided == pe_level);
  take_areas();
  pe_body();
  shmem_finalize();
}

/* All PEs run the same; all have to end well. Returns how many have not. */
static inline int run_pes(int count, void (*body)(void)) {
  pe_body = body;
  return pes_run(count, 0, run_pe);
}

/* Runs a test and names it; it returns 0 when it has passed. */
#define RUN(test) \
  do { \
    const int failed_ = test(); \
    printf("%s %s\n", failed_ == 0 ? "ok" : "FAILED", #test); \
    fflush(stdout); \
    wrong += failed_; \
  } while (0)
