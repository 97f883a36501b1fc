/* Windows of C programs: memory of each rank that all ranks of a communicator read and change without its help, beside
 * Java ranks or other C ranks. The memory lies in shared allocations, so a put is a copy, and an atomic operation is
 * one instruction, without a call of the system and whatever the target does meanwhile.
 *
 *   adr_window *window;
 *   if (adr_window_allocate(adr_job_world(job), 8 * cells, 8, &window) < 0) { puts(adr_job_error(job)); }
 *   adr_window_lock_all(window);
 *   adr_window_fetch_and_op(window, &one, &before, ADR_INT64, ADR_SUM, owner, cell);
 *   adr_window_unlock_all(window);
 *   adr_window_free(window);
 *
 * A rank accesses a target between two fences, between start and complete, or under a lock of the target or of all. A
 * displacement counts in units of the target, from the beginning of its memory. Accesses are done when their call
 * returns; other ranks see them behind the next synchronisation. Like the job a window is for one thread at a time.
 *
 * A rank that dies under a lock leaves what it was changing half done. The next rank that wants that lock gets
 * ADR_ERROR_RANK_FAILED for this once, and holds nothing; then the window goes on. Memory of a dead rank stays, and is
 * read and changed as before.
 *
 * The functions return 0, or
 *
 *   -EINVAL                  an argument is out of range, or the call has no place here; nothing was done
 *   ADR_ERROR_RANK_FAILED    a rank that has failed or left is needed, or has left a lock: adr_job_failed_rank
 *   ADR_ERROR_COLLECTIVE     as in adrastea/comm.h: of calls that all ranks make together
 *   ADR_ERROR_LAUNCHER, -EPROTO, -ENOMEM, -ENOSPC
 *
 * adr_job_error tells in words what the last one was: the window, the target and the displacement. */
#ifndef ADRASTEA_WINDOW_H
#define ADRASTEA_WINDOW_H

#include <stdint.h>

#include "adrastea/comm.h"
#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct adr_window adr_window;

/* Kinds of locks. */
enum adr_window_lock_kind {
  ADR_LOCK_SHARED = 0,    /* other ranks may share it */
  ADR_LOCK_EXCLUSIVE = 1, /* no other rank has any lock of the target, nor settles there in lock_all */
};

/* Makes a window with `bytes` bytes of this rank, all zeros, in units of `unit` bytes; all ranks call this, each with
 * numbers of its own; 0 bytes are allowed. `*window` is NULL after an error. Where one rank has no room, all get an
 * error, and nothing is left of the window. */
ADR_API int adr_window_allocate(adr_comm *comm, int64_t bytes, int64_t unit, adr_window **window);

/* Ends with a window, which all ranks call, and waits for nobody: its memory goes when all have called this. -EINVAL:
 * an epoch of this rank is open, and the window stays. NULL is allowed. */
ADR_API int adr_window_free(adr_window *window);

/* Returns the memory of a rank as it is mapped here, or NULL: it has none; its bytes; its unit. Where the window does
 * not have the rank: NULL, or -EINVAL. */
ADR_API void *adr_window_memory(const adr_window *window, int rank);
ADR_API int64_t adr_window_bytes(const adr_window *window, int rank);
ADR_API int64_t adr_window_unit(const adr_window *window, int rank);

/* Copies bytes to a target, or from it. */
ADR_API int adr_window_put(adr_window *window, const void *origin, int64_t bytes, int target, int64_t displacement);
ADR_API int adr_window_get(adr_window *window, void *result, int64_t bytes, int target, int64_t displacement);

/* Combines each of `count` elements of the target with one of `origin`, target op origin, as one step that no other
 * accumulate, fetch_and_op or compare_and_swap comes in between of; the target lies at a multiple of the element's
 * size, but pairs and complex numbers may lie anywhere. `element` and `op` as in adrastea/operator.h. */
ADR_API int adr_window_accumulate(adr_window *window, const void *origin, int64_t count, int32_t element, int32_t op,
                                  int target, int64_t displacement);

/* Does the same, and fetches what was there before. With ADR_NO_OP `origin` may be NULL. */
ADR_API int adr_window_get_accumulate(adr_window *window, const void *origin, void *result, int64_t count,
                                      int32_t element, int32_t op, int target, int64_t displacement);

/* Does the same with one element. */
ADR_API int adr_window_fetch_and_op(adr_window *window, const void *origin, void *result, int32_t element, int32_t op,
                                    int target, int64_t displacement);

/* Stores `desired` if the element is `expected`, bit by bit, and what it was in `result`, as one step. The element is
 * an integer or a number of 1, 2, 4 or 8 bytes. */
ADR_API int adr_window_compare_and_swap(adr_window *window, const void *expected, const void *desired, void *result,
                                        int32_t element, int target, int64_t displacement);

/* All ranks meet: what any has accessed before is done, and each may access all from now on, until its next lock, start
 * or fence. */
ADR_API int adr_window_fence(adr_window *window);

/* Opens this rank's memory to the given ranks, of which each starts an access with it, and completes that; wait ends
 * when all have. Test returns 1 where that would not wait any more, and has ended it then, else 0. */
ADR_API int adr_window_post(adr_window *window, const int *origins, int count);
ADR_API int adr_window_wait(adr_window *window);
ADR_API int adr_window_test(adr_window *window);

/* Waits until each of the given ranks has posted to this one, which accesses them until it completes. After an error
 * nothing was started. */
ADR_API int adr_window_start(adr_window *window, const int *targets, int count);
ADR_API int adr_window_complete(adr_window *window);

/* Waits for a lock of a target: ADR_LOCK_SHARED or ADR_LOCK_EXCLUSIVE. */
ADR_API int adr_window_lock(adr_window *window, int target, int kind);
ADR_API int adr_window_unlock(adr_window *window, int target);

/* Takes a share of the locks of all targets at once. Where a target is locked exclusively by another rank, the first
 * access to it waits. */
ADR_API int adr_window_lock_all(adr_window *window);
ADR_API int adr_window_unlock_all(adr_window *window);

/* Within an epoch: what this rank has accessed before comes before what it does next, for all ranks. All targets are
 * flushed at once; `target` is checked. */
ADR_API int adr_window_flush(adr_window *window, int target);

/* Orders what this rank does to its own memory, and what it has learnt that others have done there, likewise. */
ADR_API int adr_window_sync(adr_window *window);

#ifdef __cplusplus
}
#endif
#endif
