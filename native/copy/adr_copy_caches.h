/* How large this CPU's caches are, as the kernel tells below /sys. Where it tells nothing (many virtual machines),
 * defaults. */
#ifndef ADR_COPY_CACHES_H
#define ADR_COPY_CACHES_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
