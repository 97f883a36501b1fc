/* Binding threads to CPUs. The functions are public: adrastea/affinity.h. */
#ifndef ADR_AFFINITY_H
#define ADR_AFFINITY_H

#include "adrastea/affinity.h"

/* The only CPU that the calling thread may run on, -1 when there are several, or it cannot be told. */
int32_t adr_affinity_only(void);

#endif
