/* How much of the CPUs a process may use, by its control groups: each of them, up to the root of its hierarchy, may set
 * a quota of CPU time for a period, and the least counts. Version 1 and 2 of control groups are understood, and both at
 * once. Twin of io.adrastea.topology.CpuQuota and ControlGroup. */
#pragma once

#include <stdint.h>

/* The quota of the calling process in hundredths of a CPU, rounded up; 0: no limit. `root` is what its absolute paths
 * are below (proc and all that is mounted), "" but in tests. */
uint32_t adr_cpu_quota_read(const char *root);

/* The one that leaves less, of two quotas. */
static inline uint32_t adr_cpu_quota_lesser(uint32_t quota, uint32_t other) {
  return quota == 0 || (other != 0 && other < quota) ? other : quota;
}

/* How many CPUs a quota keeps busy at most, of so many that may be used: rounded up, at least 1. */
static inline uint32_t adr_cpu_quota_limit(uint32_t quota, uint32_t cpus) {
  uint32_t most = quota / 100 + (quota % 100 != 0);
  return quota == 0 || most >= cpus ? cpus : most;
}
