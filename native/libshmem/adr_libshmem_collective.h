/* What PEs of a team do together, whatever the type of its elements is called. Each of these is called by a routine
 * that has entered the job for a team, and leaves it. They end the job where the core refuses, or a PE is gone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libshmem/adr_libshmem_team.h"

/* What lies where: as many elements of so many bytes. */
struct adr_libshmem_data {
  void *dest;
  const void *source;
  size_t count;
  size_t size;
};

void adr_libshmem_sync(struct adr_libshmem_team *team);

/* Likewise, and what this PE has stored before is there. */
void adr_libshmem_barrier(struct adr_libshmem_team *team);

/* `copies`: also at the root. */
int adr_libshmem_broadcast(struct adr_libshmem_team *team, struct adr_libshmem_data data, int root, bool copies);

int adr_libshmem_fcollect(struct adr_libshmem_team *team, struct adr_libshmem_data data);

int adr_libshmem_collect(struct adr_libshmem_team *team, struct adr_libshmem_data data);

int adr_libshmem_alltoall(struct adr_libshmem_team *team, struct adr_libshmem_data data);

int adr_libshmem_alltoalls(struct adr_libshmem_team *team, struct adr_libshmem_data data, ptrdiff_t dest_stride,
                           ptrdiff_t source_stride);

/* `element`, `op`: as in adrastea/operator.h. */
int adr_libshmem_reduce(struct adr_libshmem_team *team, struct adr_libshmem_data data, int32_t element, int32_t op);

int adr_libshmem_inscan(struct adr_libshmem_team *team, struct adr_libshmem_data data, int32_t element, int32_t op);

int adr_libshmem_exscan(struct adr_libshmem_team *team, struct adr_libshmem_data data, int32_t element, int32_t op);
