/* Atomic read-modify-writes of elements of memory that several processes map: what accumulates and compare-and-swaps of
 * windows compute. Each element is atomic by itself, whichever rank, core or language works on it: numbers of 4 and 8
 * bytes by one instruction of the CPU or by CAS, smaller ones by CAS of the 4 bytes at a multiple of 4 around them.
 * Elements beside each other never undo each other. Nothing here waits, or asks whether the memory may be touched. */
#ifndef ADRASTEA_ACCUMULATE_H
#define ADRASTEA_ACCUMULATE_H

#include <stdint.h>

#include "adrastea/operator.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether elements of a kind can be accumulated by an operator: 0, or -EINVAL. These are the operators that have a
 * meaning for the kind, and kinds of 1, 2, 4 and 8 bytes but pairs and complex numbers, whose parts no single
 * instruction changes together. */
ADR_API int32_t adr_accumulate_check(int32_t op, int32_t element);

/* For each element of `bytes` bytes: result = target, and target = target op origin, as one step that no other of these
 * functions comes in between of. So ADR_REPLACE exchanges and ADR_NO_OP reads. Elements are one after the other in
 * memory at `target`, whose first lies at a multiple of the size of an element; `origin` + `origin_offset` and `result`
 * + `result_offset` may have any alignment, and overlap nothing. `result`: NULL where nobody wants what was there.
 * `origin`: NULL is allowed with ADR_NO_OP, which does not read it. Memory at `target` begins and ends at multiples of
 * 4. `exclusive`: not 0 where the caller knows that nobody else touches the elements during the call; plain loops then
 * do the same at the speed of memory.
 *
 * The arithmetic is that of reductions, bit for bit. Each step orders what this thread did before with what the reader
 * of its result does then (acquire and release), so that programs can build locks and lists of it.
 * Returns 0; -EINVAL and nothing is done: a pair that adr_accumulate_check refuses, a target that is not aligned, bytes
 * below zero or not of whole elements, no origin where one is needed. */
ADR_API int32_t adr_accumulate(void *target, const void *origin, int64_t origin_offset, void *result,
                               int64_t result_offset, int64_t bytes, int32_t op, int32_t element, int32_t exclusive);

/* Stores `desired` in the element at `target` if its bytes are those of `expected`, and what it was in `result`, as one
 * step. Order, alignment and kinds of elements as of adr_accumulate; numbers are compared bit by bit, so that 0 is not
 * -0. Returns 0, or -EINVAL: a kind that ADR_REPLACE cannot accumulate, or a target that is not aligned. */
ADR_API int32_t adr_compare_and_swap(void *target, const void *expected, const void *desired, void *result,
                                     int32_t element);

#ifdef __cplusplus
}
#endif
#endif
