/* Binding a thread to a CPU. A CPU is a hardware thread, numbered as the kernel numbers it. */
#ifndef ADRASTEA_AFFINITY_H
#define ADRASTEA_AFFINITY_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Binds the calling thread to `cpu`; threads that it starts later inherit this. Returns 0, or a negative
 * errno value: -EINVAL when there is no such CPU or the thread may not run on it. */
ADR_API int32_t adr_affinity_bind(int32_t cpu);

/* Returns how many CPUs the calling thread may run on, at least 1, or a negative errno value. */
ADR_API int32_t adr_affinity_count(void);

#ifdef __cplusplus
}
#endif
#endif
