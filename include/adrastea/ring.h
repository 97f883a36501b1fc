/* A copy ring: a large message goes through shared memory while both of its ends copy [MPICH2 2007, 3.2]. Its head,
 * `struct adr_copy_ring` in layout/adr_layout_copy_ring.h, and behind it its bytes lie in a shared allocation of the
 * receiver. Neither function waits. */
#ifndef ADRASTEA_RING_H
#define ADRASTEA_RING_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most bytes that one call copies. */
#define ADR_RING_MOST 65536

/* Writes bytes of `source` + `offset`, as many of `length` as there is room for; they show chunk by chunk. `filled`:
 * bytes that this end has written since the start. `bytes` and `chunk`: as its receiver told, checked by the caller;
 * powers of two. Returns the bytes written; 0: no room now; -EPROTO: the head cannot be; -EINVAL: a length below zero.
 */
ADR_API int32_t adr_ring_put(void *ring, int64_t bytes, int64_t chunk, int64_t filled, const void *source,
                             int64_t offset, int64_t length);

/* Reads bytes to `destination` + `offset`, as many of `length` as there are. `drained`: bytes that this end has read
 * since the start. Returns the bytes read; 0: nothing there now; -EPROTO: the head cannot be; -EINVAL: a length below
 * zero. */
ADR_API int32_t adr_ring_take(void *ring, int64_t bytes, int64_t chunk, int64_t drained, void *destination,
                              int64_t offset, int64_t length);

#ifdef __cplusplus
}
#endif
#endif
