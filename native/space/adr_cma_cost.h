/* What copies take within this process, in nanoseconds: by the system (CMA), which has to be asked and looks at each
 * page, and by the core. Twin of io.adrastea.space.CmaCost. */
#pragma once

#include <stdint.h>

enum {
  ADR_CMA_COST_SHORT = 16384,
  ADR_CMA_COST_LONG = 131072,
  ADR_CMA_COST_MOST_BY_STAGES = 524288, /* from so many bytes on one copy is taken whatever it costs */
  ADR_CMA_COST_MOST_OF_HALVES = 131072, /* of a collective in which both of two members copy a half */
  ADR_CMA_COST_AS_MANY = 3, /* copies within a process take about as long as the two through shared memory, whose lines
                             * change CPUs */
};

/* Nanoseconds of a copy of SHORT and of LONG bytes, by either. */
struct adr_cma_cost {
  int64_t short_by_cma;
  int64_t long_by_cma;
  int64_t short_here;
  int64_t long_here;
};

/* Bytes from which on one copy by CMA takes less than two through shared memory, which two CPUs make at once: as these
 * copies tell, 0 to ADR_CMA_COST_MOST_BY_STAGES. */
static inline int64_t adr_cma_cost_least_bytes(const struct adr_cma_cost *cost) {
  const int64_t more_bytes = ADR_CMA_COST_LONG - ADR_CMA_COST_SHORT;
  const int64_t more_by_cma = cost->long_by_cma - cost->short_by_cma;
  const int64_t gain = ADR_CMA_COST_AS_MANY * (cost->long_here - cost->short_here) - more_by_cma;
  const int64_t fixed = cost->short_by_cma - more_by_cma * ADR_CMA_COST_SHORT / more_bytes;
  if (fixed <= 0) { return 0; }
  return gain <= 0 || fixed > ADR_CMA_COST_MOST_BY_STAGES * gain / more_bytes ? ADR_CMA_COST_MOST_BY_STAGES
                                                                              : fixed * more_bytes / gain;
}
