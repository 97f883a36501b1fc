/* Binding threads to CPUs. The functions are public: adrastea/affinity.h. */
#pragma once

#include "adrastea/affinity.h"

/* The only CPU that the calling thread may run on, -1 when there are several, or it cannot be told. */
int32_t adr_affinity_only(void);

/* The CPUs that the calling thread may run on: bit c of the words, 64 in each, is CPU c. Those beyond are left out. All
 * zeros when it cannot be told. */
void adr_affinity_mask(uint64_t *words, uint32_t count);

/* Has the calling thread go to another of the CPUs that it may run on, if it runs on `cpu`; it may come back. Returns
 * whether it has: 1, 0 when there is no other, or a negative errno value. */
int32_t adr_affinity_leave(int32_t cpu);
