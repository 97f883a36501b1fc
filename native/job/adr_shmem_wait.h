/* What the locks of symmetric memory need of its waits. */
#pragma once

#include "job/adr_shmem_state.h"

/* Moves on what else there is to do, after a look that has found nothing. Returns 0, or -EPROTO. */
int adr_shmem_move_on(struct adr_shmem *shmem);

/* Wakes a PE that may wait for a word which was stored. Any thread may call. */
void adr_shmem_wake_pe(const struct adr_shmem *shmem, uint32_t pe);
