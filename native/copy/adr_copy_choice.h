/* Which routine copies how many bytes: found once from the CPU and from the sizes of its caches.
 *
 * Short copies are the library's, whose call is most of the time; then wide loads and stores; and where the bytes no
 * longer fit the first level, source and destination together, so that moving lines counts and not the loop, the
 * CPU's string copy if it is good.
 *
 * A copy whose destination this CPU reads next (`copy`) goes past the caches only when they could not hold it anyway:
 * from this CPU's share of the last level on, the beginning has been pushed out again when the end is written, so
 * that it is fetched from memory either way, and nontemporal stores save reading the destination before it is
 * overwritten. Below, they would throw the program's data out of the cache just before it is read.
 *
 * A copy for somebody else (`stream`) goes past the caches from half of this CPU's own cache on: stored regularly, it
 * would take that half from what the program works on, for bytes that the program does not look at. Below, little is
 * lost, and the reader gets them faster from a cache than from memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "copy/adr_copy_routines.h"

#define ADR_COPY_SYS "/sys" /* what `root` is outside of tests */

/* A CPU's share of a cache is its size by the number of CPUs that share it: hyperthreads halve an L2, a package
 * divides its L3. */
struct adr_copy_caches {
  int64_t first;    /* bytes: share of the first level */
  int64_t own;      /* bytes: share of the level below the last one, what a program has to itself (mostly L2) */
  int64_t last;     /* bytes: share of the last level, at least `own` */
  bool first_found; /* else a default, as of those below */
  bool own_found;
  bool last_found;
};

enum { ADR_COPY_FIRST_DEFAULT = 32 << 10, ADR_COPY_OWN_DEFAULT = 1 << 20, ADR_COPY_LAST_DEFAULT = 4 << 20 };

/* Reads `root`/devices/system/cpu/cpu<cpu>/cache. Never fails. */
void adr_copy_caches_read(const char *root, int cpu, struct adr_copy_caches *caches);

enum { ADR_COPY_STEPS = 4 };

/* Sizes from `from` bytes on, up to the next step's; a step whose next one begins no later has none. */
struct adr_copy_step {
  int64_t from;
  const struct adr_copy_routine *routine;
};

struct adr_copy_choice {
  struct adr_copy_caches caches;
  struct adr_copy_step copy[ADR_COPY_STEPS];   /* ascending, the first from 0 */
  struct adr_copy_step stream[ADR_COPY_STEPS]; /* likewise */
};

/* Chooses for a CPU whose caches `root` tells of. */
void adr_copy_choose(const char *root, int cpu, struct adr_copy_choice *choice);

/* The routine for so many bytes. */
static inline const struct adr_copy_routine *adr_copy_pick(const struct adr_copy_step *steps, int64_t bytes) {
  int step = 0;
  while (step + 1 < ADR_COPY_STEPS && bytes >= steps[step + 1].from) { step++; }
  return steps[step].routine;
}

/* Writes one line of text: the caches and where their sizes come from, the steps. Returns its length; cut when `text`
 * is short. */
int32_t adr_copy_choice_print(const struct adr_copy_choice *choice, char *text, int32_t capacity);
