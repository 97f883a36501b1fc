/* Active sets of libshmem: teams that nobody has a handle of. */
#pragma once

#include "libshmem/adr_libshmem_team.h"

/* Enters the job for a collective of an active set, which is made by its PEs when they call the first one: its lowest
 * PE makes a communicator, and tells the others by their `pSync` [OpenSHMEM over XPMEM 2011, 4.3]. It is kept until
 * shmem_finalize. */
struct adr_libshmem_team *adr_libshmem_set_enter(const char *routine, int start, int log_stride, int pes, long *p_sync);

/* Frees all of them, when no PE uses them any more. */
void adr_libshmem_sets_end(void);
