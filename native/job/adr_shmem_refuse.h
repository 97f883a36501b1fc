/* What is wrong with a call on symmetric memory, in words. */
#pragma once

#include "job/adr_shmem_state.h"

/* Refuses a call in words of its own, which follow the name of the memory. Returns -EINVAL. */
int adr_shmem_refuse(const struct adr_shmem *shmem, const char *format, ...) __attribute__((format(printf, 2, 3)));
